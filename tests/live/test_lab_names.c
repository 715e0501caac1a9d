/* SPDX-License-Identifier: Apache-2.0 */
/* The hosts file of a lab, and the links that lay it over that of the machine. /etc is an empty file system of this process's own
 * here. tests/edges/lab_host_names.t has the names inside namespaces. */
#include "live/lab/names.h"

#include "unit.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static void text_is(const struct lab *lab, const char *own, const char *expected) {
    char *text = names_text(lab, own);
    assert_string_equal(text, expected);
    free(text);
}

static void names_text__has_nodes_with_an_address(void **state) {
    (void)state;
    struct lab_node node[] = {
        {.name = "h1", .address = "10.0.0.1"}, {.name = "s1", .address = "10.255.0.1"}, {.name = "s2", .address = ""}};
    struct lab lab = {.node = node, .n_nodes = 3};
    text_is(&lab, "machine", "127.0.0.1 localhost machine\n10.0.0.1 h1\n10.255.0.1 s1\n");
}

/* A line of a hosts file has blanks between words, and a comment behind #. */
static void names_text__leaves_out_names_that_would_be_more_than_a_word(void **state) {
    (void)state;
    struct lab_node node[] = {{.name = "two words", .address = "10.0.0.1"},
                              {.name = "h\n10.9.9.9 bank", .address = "10.0.0.2"},
                              {.name = "a#b", .address = "10.0.0.3"},
                              {.name = "rack-1.node_2", .address = "10.0.0.4"}};
    struct lab lab = {.node = node, .n_nodes = 4};
    text_is(&lab, "x y", "127.0.0.1 localhost\n10.0.0.4 rack-1.node_2\n");
}

/* A node of the machine's name is meant inside. */
static void names_text__a_node_has_its_name_before_the_machine(void **state) {
    (void)state;
    struct lab_node node[] = {{.name = "machine", .address = "10.0.0.1"}};
    struct lab lab = {.node = node, .n_nodes = 1};
    text_is(&lab, "machine", "127.0.0.1 localhost\n10.0.0.1 machine\n");
    text_is(&lab, "localhost", "127.0.0.1 localhost\n10.0.0.1 machine\n");
}

/* A word that begins with a hyphen would be an option, and there may be no word at all. */
static void names_text__leaves_out_options(void **state) {
    (void)state;
    struct lab_node node[] = {{.name = "-f", .address = "10.0.0.1"}, {.name = "", .address = "10.0.0.2"}};
    struct lab lab = {.node = node, .n_nodes = 2};
    text_is(&lab, "-machine", "127.0.0.1 localhost\n");
    text_is(&lab, "", "127.0.0.1 localhost\n");
}

/* ---- the links ---- */

static char folder[64]; /* of the lab */

static struct lab_host hosts[] = {{.name = "h1", .space = "heddle-x.h1", .address = "10.0.0.1"},
                                  {.name = "h2", .space = "heddle-x.h2", .address = "10.0.0.2"}};
static struct lab_node nodes[] = {{.name = "h1", .address = "10.0.0.1"},
                                  {.name = "h2", .address = "10.0.0.2"},
                                  {.name = "two words", .address = "10.0.0.3"}};
static char switches[] = "heddle-x.switches";
static struct lab lab = {.name = "x", .switches = switches, .host = hosts, .n_hosts = 2, .node = nodes, .n_nodes = 3};

static void write_to(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Returns a path in the folder of the lab. */
static const char *in_folder(const char *name) {
    static char path[LAB_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", lab.folder, name);
    return path;
}

static void file_is(const char *name, const char *begin) {
    char text[400] = "";
    FILE *in = fopen(in_folder(name), "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    text[strlen(begin)] = 0;
    assert_string_equal(text, begin);
}

static bool is_there(const char *path) {
    struct stat s;
    return lstat(path, &s) == 0;
}

static void link_is(const char *path, const char *to) {
    char target[LAB_PATH_MAX] = "";
    assert_true(readlink(path, target, sizeof target - 1) > 0);
    assert_string_equal(target, to);
}

/* Gives this process an /etc of its own, with a hosts file and a file of name servers. Skips the case without root. */
static int etc_begin(void **state) {
    (void)state;
    if (!folder[0]) {
        strcpy(folder, "/tmp/heddle-names-XXXXXX");
        if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            !mkdtemp(folder))
            strcpy(folder, "-");
    }
    if (folder[0] == '-') return 0;
    if (mount("etc", "/etc", "tmpfs", 0, NULL) != 0) return -1;
    write_to("/etc/hosts", "127.0.0.1 localhost\n");
    write_to("/etc/resolv.conf", "nameserver 10.1.1.1\n");
    snprintf(lab.folder, sizeof lab.folder, "%s/x", folder);
    return mkdir(lab.folder, 0755);
}

static int etc_end(void **state) {
    (void)state;
    if (folder[0] == '-') return 0;
    bool is_empty = rmdir(lab.folder) == 0;
    return umount("/etc") != 0 || !is_empty;
}

static void need_etc(void) {
    if (folder[0] != '-') return;
    print_message("needs root and mount namespaces\n");
    skip();
}

static void names_make__lays_files_over_those_of_each_host(void **state) {
    (void)state;
    struct diag d = {0};
    struct stat s;
    need_etc();
    assert_true(names_make(&lab, &d));
    file_is("etc/hosts", "127.0.0.1 localhost");
    file_is("etc/resolv.conf", "# a lab has no name server\nnameserver 127.0.0.1\n");
    static const char *const link[] = {"/etc/netns/heddle-x.h1", "/etc/netns/heddle-x.h2",
                                       "/etc/netns/heddle-x.switches"};
    char etc[LAB_PATH_MAX + 64];
    strcpy(etc, in_folder("etc"));
    for (int i = 0; i < 3; i++) link_is(link[i], etc);
    assert_true(stat(etc, &s) == 0 && (s.st_mode & 07777) == 0755);
    assert_true(stat("/etc/netns", &s) == 0 && (s.st_mode & 07777) == 0755);
    assert_true(names_make(&lab, &d)); /* what is there already is the lab's */
    names_remove(&lab);
    for (int i = 0; i < 3; i++) assert_false(is_there(link[i]));
    assert_false(is_there(etc));
    assert_true(is_there("/etc/netns"));
}

/* Which name a program on a host can find: of a node whose name may stand in a hosts file, while the host has the link. */
static void names_reach__where_the_link_is(void **state) {
    (void)state;
    struct diag d = {0};
    need_etc();
    assert_false(names_reach(&lab, 0, 1));
    assert_true(names_make(&lab, &d));
    assert_true(names_reach(&lab, 0, 1) && names_reach(&lab, 1, 0));
    assert_false(names_reach(&lab, 0, 2)); /* two words */
    assert_false(names_reach(&lab, 0, 3));
    assert_int_equal(unlink("/etc/netns/heddle-x.h2"), 0);
    assert_true(names_reach(&lab, 0, 1));
    assert_false(names_reach(&lab, 1, 0));
    names_remove(&lab);
}

/* What somebody else has at a host's place stays; the other hosts have names all the same. */
static void names_make__what_others_have_stays(void **state) {
    (void)state;
    struct diag d = {0};
    need_etc();
    assert_int_equal(mkdir("/etc/netns", 0755) | symlink("/elsewhere", "/etc/netns/heddle-x.h1"), 0);
    assert_int_equal(mkdir("/etc/netns/heddle-x.h3", 0755) | symlink(in_folder("etc"), "/etc/netns/other"), 0);
    assert_false(names_make(&lab, &d));
    assert_string_equal(d.file, "/etc/netns/heddle-x.h1");
    assert_string_equal(d.text, "is not the lab's, so names do not resolve on this host");
    assert_false(names_reach(&lab, 0, 1));
    assert_true(names_reach(&lab, 1, 0));
    names_remove(&lab);
    assert_false(is_there("/etc/netns/heddle-x.h2"));
    link_is("/etc/netns/heddle-x.h1", "/elsewhere");
    assert_true(is_there("/etc/netns/heddle-x.h3") && is_there("/etc/netns/other"));
}

/* What a process that was killed has left beside the files is replaced, and removed; a file of the user stays. */
static void names_remove__leaves_only_what_is_not_the_labs(void **state) {
    (void)state;
    struct diag d = {0};
    need_etc();
    assert_int_equal(mkdir(in_folder("etc"), 0755), 0);
    write_to(in_folder("etc/hosts.new"), "left");
    write_to(in_folder("etc/mine"), "of the user");
    assert_true(names_make(&lab, &d));
    file_is("etc/hosts", "127.0.0.1 localhost");
    assert_false(is_there(in_folder("etc/hosts.new")));
    write_to(in_folder("etc/resolv.conf.new"), "left");
    names_remove(&lab);
    assert_false(is_there(in_folder("etc/hosts")) || is_there(in_folder("etc/resolv.conf")) ||
                 is_there(in_folder("etc/resolv.conf.new")));
    file_is("etc/mine", "of the user");
    assert_int_equal(unlink(in_folder("etc/mine")) | rmdir(in_folder("etc")), 0);
}

/* A machine without a file for name servers has nothing to lay one over. */
static void names_make__without_name_servers(void **state) {
    (void)state;
    struct diag d = {0};
    need_etc();
    unlink("/etc/resolv.conf");
    assert_true(names_make(&lab, &d));
    assert_true(is_there(in_folder("etc/hosts")) && !is_there(in_folder("etc/resolv.conf")));
    names_remove(&lab);
}

static void refused(const char *file, const char *text) {
    struct diag d = {0};
    assert_false(names_make(&lab, &d));
    assert_string_equal(d.file, file);
    assert_string_equal(d.text, text);
}

static void names_make__says_why_not(void **state) {
    (void)state;
    need_etc();
    unlink("/etc/hosts");
    refused("", "names do not resolve inside: there is no /etc/hosts to lay them over; make one");
    assert_false(is_there("/etc/netns"));
    write_to("/etc/hosts", "");
    write_to("/etc/netns", "no folder");
    refused("/etc/netns/heddle-x.switches", "names do not resolve inside: Not a directory");
    unlink("/etc/netns");
    names_remove(&lab);
    assert_int_equal(mkdir(in_folder("etc"), 0755) | mkdir(in_folder("etc/hosts"), 0755), 0);
    char path[LAB_PATH_MAX];
    refused(names_path(&lab, "hosts", path), "names do not resolve inside: Is a directory");
    assert_int_equal(rmdir(in_folder("etc/hosts")), 0);
    assert_false(is_there("/etc/netns/heddle-x.h1"));
    assert_int_equal(mkdir(in_folder("etc/resolv.conf"), 0755), 0);
    refused(names_path(&lab, "resolv.conf", path), "names do not resolve inside: Is a directory");
    assert_int_equal(rmdir(in_folder("etc/resolv.conf")), 0);
    names_remove(&lab);
    assert_int_equal(rmdir(lab.folder), 0);
    refused(in_folder("etc"), "No such file or directory");
    assert_int_equal(mkdir(lab.folder, 0755), 0);
    assert_int_equal(rmdir("/etc/netns"), 0);
    assert_int_equal(mount("etc", "/etc", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    refused("/etc/netns", "names do not resolve inside: Read-only file system");
}

#define WITH_ETC(function) cmocka_unit_test_setup_teardown(function, etc_begin, etc_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(names_text__has_nodes_with_an_address),
        UNIT(names_text__leaves_out_names_that_would_be_more_than_a_word),
        UNIT(names_text__a_node_has_its_name_before_the_machine),
        UNIT(names_text__leaves_out_options),
        WITH_ETC(names_make__lays_files_over_those_of_each_host),
        WITH_ETC(names_reach__where_the_link_is),
        WITH_ETC(names_make__what_others_have_stays),
        WITH_ETC(names_remove__leaves_only_what_is_not_the_labs),
        WITH_ETC(names_make__without_name_servers),
        WITH_ETC(names_make__says_why_not),
    };
    int failed = RUN_UNITS(tests);
    if (folder[0] == '/') rmdir(folder);
    return failed;
}
