/* SPDX-License-Identifier: Apache-2.0 */
/* The mark of a lab: whose it is, on namespaces and on processes. */
#include "live/lab/mark.h"

#include "live/netns.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void lab_mark_is__name_and_id(void **state) {
    (void)state;
    char mark[LAB_MARK_MAX];
    lab_mark_write(mark, "lab", "0123456789abcdef");
    assert_string_equal(mark, "heddle lab lab 0123456789abcdef");
    assert_true(lab_mark_is(mark, "lab", "0123456789abcdef"));
    assert_true(lab_mark_is(mark, "lab", NULL)); /* any lab of the name */
    assert_false(lab_mark_is(mark, "lab", "0123456789abcdee"));
    assert_false(lab_mark_is(mark, "la", NULL));
    assert_false(lab_mark_is(mark, "lab-b", NULL));
    assert_false(lab_mark_is("lab lab 0123456789abcdef", "lab", NULL));
    assert_false(lab_mark_is("", "", NULL));
}

static void lab_mark_write__the_longest_fits(void **state) {
    (void)state;
    char mark[LAB_MARK_MAX], id[LAB_ID_BYTES], other[LAB_ID_BYTES], name[33];
    memset(name, 'x', 32);
    name[32] = 0;
    lab_id_draw(id);
    lab_id_draw(other);
    assert_string_not_equal(id, other);
    assert_int_equal(strlen(id), 16);
    assert_true(lab_mark_is(lab_mark_write(mark, name, id), name, id));
}

static void lab_marks_read__of_a_namespace(void **state) {
    (void)state;
    netns_enter();
    struct diag d = {0};
    struct lab_mark_question q[3] = {{.path = "/proc/self/ns/net"}, {.path = "/is/not/there"}, {.path = "/dev/null"}};
    assert_true(lab_marks_read(q, 3, &d));
    assert_string_equal(q[0].mark, "");
    assert_true(lab_mark_set_here("heddle lab a 1", &d));
    strcpy(q[1].mark, "left");
    assert_true(lab_marks_read(q, 3, &d));
    assert_string_equal(q[0].mark, "heddle lab a 1");
    assert_string_equal(q[1].mark, "");
    assert_string_equal(q[2].mark, "");
    assert_int_equal(system("ip link show lo | grep -q 'alias heddle lab a 1'"), 0);
}

/* Returns a process that has this environment and waits. */
static pid_t waiting(char *variable) {
    pid_t child = fork();
    if (child == 0) {
        execve("/bin/sleep", (char *[]){"sleep", "100", NULL}, (char *[]){"A=1", variable, NULL});
        _exit(1);
    }
    return child;
}

static void lab_mark_of_process__by_its_environment(void **state) {
    (void)state;
    char mark[LAB_MARK_MAX] = "";
    pid_t marked = waiting(LAB_MARK_ENVIRONMENT "=heddle lab a 1"),
          other = waiting(LAB_MARK_ENVIRONMENT "X=heddle lab a 1");
    for (int i = 0; i < 500 && !mark[0]; i++) { /* until the program has begun */
        usleep(10000);
        lab_mark_of_process(marked, mark);
    }
    assert_string_equal(mark, "heddle lab a 1");
    lab_mark_of_process(other, mark);
    assert_string_equal(mark, "");
    kill(marked, SIGKILL);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    waitpid(marked, NULL, 0);
    lab_mark_of_process(marked, mark);
    assert_string_equal(mark, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lab_mark_is__name_and_id),
        UNIT(lab_mark_write__the_longest_fits),
        UNIT(lab_mark_of_process__by_its_environment),
        UNIT(lab_marks_read__of_a_namespace),
    };
    return RUN_UNITS(tests);
}
