/* SPDX-License-Identifier: Apache-2.0 */
/* How heddle speaks with podman and docker. A tool of a few lines stands for them, since an engine takes seconds where there is one:
 * it keeps a line for each container, and writes down what it was asked. tests/live/test_containers.py has real containers. */
#include "live/lab/containers.h"

#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-tool-XXXXXX", *path_before;

/* ps lists the file of its state: `ended` are only in --all. rm removes as many containers as `rm_at_once` says. */
static const char tool[] = "#!/bin/sh\n"
                           "cd \"$(dirname \"$0\")\"\n"
                           "echo \"$@\" >>asked\n"
                           "[ -e fails ] && { cat fails >&2; exit 125; }\n"
                           "case $1 in\n"
                           "ps) cat running; case $* in *--all) cat ended;; esac;;\n"
                           "inspect) cat pid;;\n"
                           "rm) [ -e rm_fails ] || { : >running; : >ended; };;\n"
                           "esac\n"
                           "exit 0\n";

static void put(const char *name, const char *text) {
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Returns what the tool has been asked since the last call. */
static const char *asked(void) {
    static char text[2000];
    FILE *in = fopen("asked", "r");
    text[in ? fread(text, 1, sizeof text - 1, in) : 0] = 0;
    if (in) fclose(in);
    unlink("asked");
    return text;
}

static void tool_put(const char *name) {
    put(name, tool);
    assert_int_equal(chmod(name, 0755), 0);
}

static int files_begin(void **state) {
    (void)state;
    put("running", "");
    put("ended", "");
    put("pid", "0\n");
    return 0;
}

static int files_end(void **state) {
    (void)state;
    static const char *const made[] = {"running", "ended", "pid", "asked", "fails", "rm_fails", "podman", "docker"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) unlink(made[i]);
    return 0;
}

static char image[] = "localhost/image";
static struct lab_host hosts[] = {{.name = "h0", .space = "heddle-x.h0", .address = "10.0.0.1", .image = image},
                                  {.name = "h1", .space = "heddle-x.h1", .address = "10.0.0.2"},
                                  {.name = "h2", .space = "heddle-x.h2", .address = "10.0.0.3", .image = image}};
static struct lab lab = {.name = "x", .id = "0123456789abcdef", .tool = "docker", .host = hosts, .n_hosts = 3};

/* ---- which tool ---- */

static void tool__the_one_that_is_there(void **state) {
    (void)state;
    struct diag d = {0};
    setenv("PATH", folder, 1);
    assert_null(containers_tool("auto", &d));
    assert_string_equal(
        d.text, "hosts are containers (lab.hosts), and there is no podman or docker; install podman, or docker.io");
    tool_put("docker");
    assert_string_equal(containers_tool("auto", &d), "docker");
    assert_string_equal(containers_tool("docker", &d), "docker");
    assert_null(containers_tool("podman", &d));
    assert_string_equal(d.text,
                        "hosts are containers (lab.hosts), and there is no podman; install podman, or docker.io");
    assert_null(containers_tool("lxc", &d));
    tool_put("podman");
    assert_string_equal(containers_tool("auto", &d), "podman");
    assert_string_equal(containers_tool("docker", &d), "docker");
    setenv("PATH", path_before, 1);
}

static void fit__names_of_hosts(void **state) {
    (void)state;
    char name[65];
    struct lab_host one[] = {{.name = name, .image = image}};
    struct lab of_one = {.host = one, .n_hosts = 1};
    struct diag d = {0};
    static const char *const fit[] = {"h", "rack-1.node_2",
                                      "012345678901234567890123456789012345678901234567890123456789012"};
    static const char *const unfit[] = {
        "", "-h", ".h", "two words", "a#b", "0123456789012345678901234567890123456789012345678901234567890123"};
    assert_true(containers_are_fit(&lab, &d));
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++) {
        strcpy(name, fit[i]);
        assert_true(containers_are_fit(&of_one, &d));
    }
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        char text[300];
        strcpy(name, unfit[i]);
        one[0].image = image;
        assert_false(containers_are_fit(&of_one, &d));
        snprintf(
            text, sizeof text,
            "host '%s' cannot be a container (lab.hosts): the name of one is at most 63 letters, digits, dots, - and _",
            name);
        assert_string_equal(d.text, text);
        one[0].image = NULL; /* a bare namespace may have any name */
        assert_true(containers_are_fit(&of_one, &d));
    }
}

/* ---- the start ---- */

static void start__asks_for_a_container_without_a_network(void **state) {
    (void)state;
    struct diag d = {0};
    tool_put("docker");
    put("pid", "4711\n");
    assert_int_equal(container_start(&lab, 0, &d), 4711);
    assert_string_equal(asked(),
                        "run --detach --rm --pull never --network none --name heddle-x.h0 --hostname h0 --label "
                        "heddle.lab=heddle lab x 0123456789abcdef --env HEDDLE_LAB_MARK=heddle lab x 0123456789abcdef "
                        "--cap-add NET_RAW --cap-add NET_ADMIN localhost/image\n"
                        "inspect --format {{.State.Pid}} heddle-x.h0\n");
}

/* Names of the lab resolve inside: its files are laid over those of the image. */
static void start__with_the_files_of_names(void **state) {
    (void)state;
    struct diag d = {0};
    char expected[300];
    tool_put("docker");
    put("pid", "2\n");
    assert_int_equal(mkdir("etc", 0755), 0);
    put("etc/hosts", "");
    assert_int_equal(container_start(&lab, 2, &d), 2);
    const char *text = asked();
    snprintf(expected, sizeof expected, "NET_ADMIN --volume=%s/etc/hosts:/etc/hosts:ro localhost/image\n", folder);
    assert_non_null(strstr(text, expected));
    put("etc/resolv.conf", "");
    assert_int_equal(container_start(&lab, 2, &d), 2);
    text = asked();
    snprintf(expected, sizeof expected,
             "NET_ADMIN --volume=%s/etc/hosts:/etc/hosts:ro --volume=%s/etc/resolv.conf:/etc/resolv.conf:ro "
             "localhost/image\n",
             folder, folder);
    assert_non_null(strstr(text, expected));
    assert_int_equal(unlink("etc/hosts") | unlink("etc/resolv.conf") | rmdir("etc"), 0);
}

static void start__of_an_image_that_does_not_stay(void **state) {
    (void)state;
    struct diag d = {0};
    static const char *const pid[] = {"0\n", "1\n", "", "-5\n"};
    tool_put("docker");
    for (size_t i = 0; i < sizeof pid / sizeof *pid; i++) {
        put("pid", pid[i]);
        assert_int_equal(container_start(&lab, 2, &d), -1);
        assert_string_equal(d.text,
                            "the container of h2 ended as soon as it began; its image needs a program that stays: "
                            "docker run --rm localhost/image shows what it says");
    }
}

static void start__of_an_image_that_is_missing(void **state) {
    (void)state;
    struct diag d = {0};
    tool_put("docker");
    put("fails", "no such image\nand more\n");
    assert_int_equal(container_start(&lab, 0, &d), -1);
    assert_string_equal(d.text,
                        "the container of h0 (image localhost/image; heddle pulls none): docker: no such image");
    assert_null(strstr(asked(), "inspect"));
}

/* ---- while it runs ---- */

static void run__each_has_to(void **state) {
    (void)state;
    uint32_t host = 99;
    tool_put("docker");
    put("running", "heddle-x.h2\nheddle-x.h0\n");
    assert_true(containers_run(&lab, &host));
    assert_string_equal(asked(), "ps --filter label=heddle.lab=heddle lab x 0123456789abcdef --format {{.Names}}\n");
    assert_int_equal(host, 99);
    put("running", "heddle-x.h2\n");
    assert_false(containers_run(&lab, &host));
    assert_int_equal(host, 0);
    put("running", "heddle-x.h0\nheddle-x.h22\nmy-heddle-x.h2\n"); /* names of others */
    assert_false(containers_run(&lab, &host));
    assert_int_equal(host, 2);
    put("running", "heddle-x.h0\nheddle-x.h2");
    assert_true(containers_run(&lab, &host));
    put("fails", "no engine\n");
    assert_false(containers_run(&lab, &host));
    assert_int_equal(host, 0);
}

/* A lab without containers asks nobody. */
static void run__there_are_none(void **state) {
    (void)state;
    struct lab bare = {.name = "x", .host = &hosts[1], .n_hosts = 1};
    uint32_t host = 99;
    tool_put("docker");
    assert_true(containers_run(&bare, &host));
    assert_string_equal(asked(), "");
    bare.host = hosts;
    assert_false(containers_run(&bare, &host));
    assert_int_equal(host, 0);
}

/* ---- the end ---- */

static void end__of_all_that_bear_the_mark(void **state) {
    (void)state;
    struct diag d = {0};
    tool_put("docker");
    put("running", "aaaa\n");
    put("ended", "bbbb\n");
    assert_true(containers_end(&lab, &d));
    assert_string_equal(asked(), "ps --filter label=heddle.lab=heddle lab x 0123456789abcdef --format {{.ID}} --all\n"
                                 "kill aaaa bbbb\nrm --force aaaa bbbb\n"
                                 "ps --filter label=heddle.lab=heddle lab x 0123456789abcdef --format {{.ID}} --all\n");
    assert_true(containers_end(&lab, &d));
    assert_string_equal(asked(), "ps --filter label=heddle.lab=heddle lab x 0123456789abcdef --format {{.ID}} --all\n");
}

/* A command line has room for so many; the next round takes the others. */
static void end__of_more_than_a_line_holds(void **state) {
    (void)state;
    struct diag d = {0};
    char ids[400] = "", line[400] = "kill";
    tool_put("docker");
    for (int i = 0; i < 70; i++) {
        snprintf(ids + strlen(ids), 8, "c%d\n", i);
        if (i < 62) snprintf(line + strlen(line), 8, " c%d", i);
    }
    strcat(line, "\n");
    put("running", ids);
    assert_true(containers_end(&lab, &d));
    assert_non_null(strstr(asked(), line));
}

static void end__without_the_engine(void **state) {
    (void)state;
    struct diag d = {0};
    tool_put("docker");
    put("fails", "Cannot connect\n");
    assert_false(containers_end(&lab, &d));
    assert_string_equal(d.text, "docker: Cannot connect");
}

/* ---- programs inside ---- */

static void line__of_a_program_inside(void **state) {
    (void)state;
    char *argv[] = {"ping", "-c", "1", NULL};
    static const char *const expected[] = {"docker", "exec", "--interactive", "heddle-x.h2", "ping", "-c", "1"};
    int in = dup(0), null = open("/dev/null", O_RDONLY);
    dup2(null, 0); /* no terminal, so none inside either */
    const char **line = container_line(&lab, 2, argv);
    dup2(in, 0);
    close(in);
    close(null);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_string_equal(line[i], expected[i]);
    assert_null(line[7]);
    free(line);
}

/* With a terminal on both sides the program inside has one too. */
static void line__at_a_terminal(void **state) {
    (void)state;
    char *argv[] = {"sh", NULL};
    int end = posix_openpt(O_RDWR | O_NOCTTY), in = dup(0), out = dup(1);
    assert_true(end >= 0 && grantpt(end) == 0 && unlockpt(end) == 0);
    int terminal = open(ptsname(end), O_RDWR | O_NOCTTY), null = open("/dev/null", O_WRONLY);
    dup2(terminal, 0);
    dup2(terminal, 1);
    const char **line = container_line(&lab, 0, argv);
    dup2(null, 1);
    const char **piped = container_line(&lab, 0, argv);
    dup2(in, 0);
    dup2(out, 1);
    assert_string_equal(line[3], "--tty");
    assert_string_equal(line[4], "heddle-x.h0");
    assert_string_equal(line[5], "sh");
    assert_null(line[6]);
    assert_string_equal(piped[3], "heddle-x.h0");
    free(line);
    free(piped);
    const int opened[] = {end, in, out, terminal, null};
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) close(opened[i]);
}

#define WITH_FILES(function) cmocka_unit_test_setup_teardown(function, files_begin, files_end)

int main(void) {
    char path[4000];
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    path_before = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s:%s", folder, path_before);
    setenv("PATH", path, 1);
    free(path_before);
    path_before = strdup(path);
    strcpy(lab.folder, folder);
    const struct CMUnitTest tests[] = {
        WITH_FILES(tool__the_one_that_is_there),
        WITH_FILES(fit__names_of_hosts),
        WITH_FILES(start__asks_for_a_container_without_a_network),
        WITH_FILES(start__with_the_files_of_names),
        WITH_FILES(start__of_an_image_that_does_not_stay),
        WITH_FILES(start__of_an_image_that_is_missing),
        WITH_FILES(run__each_has_to),
        WITH_FILES(run__there_are_none),
        WITH_FILES(end__of_all_that_bear_the_mark),
        WITH_FILES(end__of_more_than_a_line_holds),
        WITH_FILES(end__without_the_engine),
        WITH_FILES(line__of_a_program_inside),
        WITH_FILES(line__at_a_terminal),
    };
    int failed = RUN_UNITS(tests);
    free(path_before);
    return rmdir(folder) != 0 ? 1 : failed;
}
