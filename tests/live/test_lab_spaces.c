/* SPDX-License-Identifier: Apache-2.0 */
/* The namespaces of labs: their names, and which of them are a lab's. */
#include "live/lab/spaces.h"

#include "unit.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ID "0123456789abcdef"

static char lab[40]; /* no other process has a lab of this name */

/* Skips the case where names of namespaces cannot be made; asked once, in a child, since this process keeps its own. */
static void need_namespaces(void) {
    static int possible = -1;
    if (possible < 0) {
        pid_t child = fork();
        if (child == 0) _exit(geteuid() == 0 && unshare(CLONE_NEWNET) == 0 ? 0 : 1);
        int status = 1;
        waitpid(child, &status, 0);
        possible = status == 0;
    }
    if (possible) return;
    print_message("needs root and network namespaces\n");
    skip();
}

static void space_name__two_labs_never_share_one(void **state) {
    (void)state;
    char *a = space_name("a", "b-h"), *b = space_name("a-b", "h"), *c = space_name("a", "b.h");
    assert_string_equal(a, "heddle-a.b-h");
    assert_string_equal(b, "heddle-a-b.h");
    assert_string_equal(c, "heddle-a.b.h"); /* no lab has the name a.b */
    free(a);
    free(b);
    free(c);
}

/* Makes namespaces of the lab with its mark. */
static void make(const char *const *host, size_t n, const char *id) {
    char *name[8], mark[LAB_MARK_MAX];
    struct diag d = {0};
    for (size_t i = 0; i < n; i++) name[i] = space_name(lab, host[i]);
    if (!spaces_make((const char *const *)name, n, lab_mark_write(mark, lab, id), &d)) fail_msg("%s", d.text);
    for (size_t i = 0; i < n; i++) free(name[i]);
}

/* Returns how many of a kind there are, and removes them all. */
static size_t count(const char *id, enum space_kind kind, bool removes) {
    struct lab_spaces found;
    struct diag d = {0};
    size_t n = 0;
    assert_true(spaces_find(lab, id, &found, &d));
    for (size_t i = 0; i < found.n; i++) {
        n += found.at[i].kind == kind;
        if (removes) assert_true(space_remove(&found.at[i], &d));
    }
    free(found.at);
    return n;
}

static void spaces_make__marked_before_they_have_a_name(void **state) {
    (void)state;
    need_namespaces();
    struct stat before, after;
    assert_int_equal(stat("/proc/self/ns/net", &before), 0);
    make((const char *const[]){"h1", "h2", SPACE_OF_SWITCHES}, 3, ID);
    assert_int_equal(stat("/proc/self/ns/net", &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* this process stays where it is */
    assert_int_equal(count(NULL, SPACE_MARKED, false), 3);
    assert_int_equal(count(ID, SPACE_MARKED, false), 3);
    assert_int_equal(count("fedcba9876543210", SPACE_MARKED, false), 0);
    assert_int_equal(count(ID, SPACE_MARKED, true), 3);
    assert_int_equal(count(ID, SPACE_MARKED, false), 0);
}

static void spaces_make__a_name_that_is_taken(void **state) {
    (void)state;
    need_namespaces();
    char mark[LAB_MARK_MAX], *name = space_name(lab, "h1");
    struct diag d = {0};
    make((const char *const[]){"h1"}, 1, ID);
    assert_true(space_is_taken(name));
    assert_false(spaces_make((const char *const *)&name, 1, lab_mark_write(mark, lab, "fedcba9876543210"), &d));
    assert_non_null(strstr(d.text, "File exists"));
    assert_int_equal(count(ID, SPACE_MARKED, false), 1); /* it is what it was */
    assert_int_equal(count("fedcba9876543210", SPACE_MARKED, false), 0);
    assert_int_equal(count(NULL, SPACE_MARKED, true), 1);
    assert_false(space_is_taken(name));
    free(name);
}

/* A namespace without the mark, and a name whose maker was killed before it had a namespace. */
static void spaces_find__names_are_no_evidence(void **state) {
    (void)state;
    need_namespaces();
    char command[200], path[200];
    make((const char *const[]){"h1"}, 1, ID);
    snprintf(command, sizeof command, "ip netns add heddle-%s.h2", lab);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, SPACES "/heddle-%s.h3", lab);
    close(open(path, O_CREAT | O_EXCL | O_WRONLY, 0));
    assert_int_equal(count(NULL, SPACE_MARKED, false), 1);
    assert_int_equal(count(NULL, SPACE_FOREIGN, false), 1);
    assert_int_equal(count(NULL, SPACE_UNBEGUN, true), 1);
    assert_int_equal(access(path, F_OK), -1);
}

/* `ip netns del` removes the name of a namespace; the processes in it keep the namespace. */
static void spaces_find__a_namespace_that_lost_its_name(void **state) {
    (void)state;
    need_namespaces();
    char command[200], space[100];
    make((const char *const[]){"h1"}, 1, ID);
    snprintf(space, sizeof space, "heddle-%s.h1", lab);
    pid_t inside = fork();
    if (inside == 0) {
        execlp("ip", "ip", "netns", "exec", space, "sleep", "100", NULL);
        _exit(1);
    }
    char of[64], is[200];
    struct stat a = {0}, b = {0};
    snprintf(of, sizeof of, "/proc/%d/ns/net", (int)inside);
    snprintf(is, sizeof is, SPACES "/%s", space);
    for (int i = 0; i < 500 && (a.st_ino == 0 || a.st_ino != b.st_ino); i++) {
        usleep(10000);
        if (stat(of, &a) != 0 || stat(is, &b) != 0) continue;
    }
    assert_int_equal(a.st_ino, b.st_ino);
    snprintf(command, sizeof command, "ip netns del %s", space);
    assert_int_equal(system(command), 0);
    struct lab_spaces found;
    struct diag d = {0};
    assert_true(spaces_find(lab, ID, &found, &d));
    assert_int_equal(found.n, 1);
    assert_int_equal(found.at[0].inode, a.st_ino);
    assert_string_equal(found.at[0].path, "");
    free(found.at);
    kill(inside, SIGKILL);
    waitpid(inside, NULL, 0);
}

int main(void) {
    snprintf(lab, sizeof lab, "u%d", (int)getpid());
    const struct CMUnitTest tests[] = {
        UNIT(space_name__two_labs_never_share_one),        UNIT(spaces_make__marked_before_they_have_a_name),
        UNIT(spaces_make__a_name_that_is_taken),           UNIT(spaces_find__names_are_no_evidence),
        UNIT(spaces_find__a_namespace_that_lost_its_name),
    };
    return RUN_UNITS(tests);
}
