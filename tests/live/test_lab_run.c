/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a lab runs: what they read and say, and what is said of programs that fail. */
#include "live/lab/run.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run_program__passes_input_and_output(void **state) {
    (void)state;
    struct diag d = {0};
    enum { BYTES = 1 << 20 }; /* more than the pipes hold */
    char *said = NULL, *long_text = malloc(BYTES + 1);
    memset(long_text, 'x', BYTES);
    long_text[BYTES] = 0;
    alarm(60); /* each side could wait for the other to read */
    assert_true(run_program((char *[]){"cat", NULL}, long_text, &said, &d));
    assert_string_equal(said, long_text);
    alarm(0);
    free(said);
    free(long_text);
}

/* Of a program that says nothing the output is empty, whatever the memory for it held before. */
static void run_program__silence_is_an_empty_text(void **state) {
    (void)state;
    struct diag d = {0};
    for (int i = 0; i < 4; i++) {
        char *used[4], *said = NULL;
        for (int k = 0; k < 4; k++) {
            used[k] = malloc(4097);
            memset(used[k], '3', 4097);
        }
        for (int k = 0; k < 4; k++) free(used[k]);
        assert_true(run_program((char *[]){"true", NULL}, NULL, &said, &d));
        assert_string_equal(said, "");
        free(said);
    }
}

/* A program may say little at a time: no byte is lost, and the text ends when the program closes its output. */
static void run_program__byte_by_byte(void **state) {
    (void)state;
    struct diag d = {0};
    char *said = NULL;
    assert_true(run_program((char *[]){"printf", "x", NULL}, NULL, &said, &d));
    assert_string_equal(said, "x");
    free(said);
    assert_true(run_program((char *[]){"sh", "-c", "printf a; sleep 0.2; printf b; sleep 0.2; printf cd", NULL}, NULL,
                            &said, &d));
    assert_string_equal(said, "abcd");
    free(said);
    d = (struct diag){0};
    assert_false(
        run_program((char *[]){"sh", "-c", "printf n >&2; sleep 0.2; printf o >&2; exit 1", NULL}, NULL, NULL, &d));
    assert_string_equal(d.text, "sh: no");
}

static void run_program__failures_are_told_in_the_programs_words(void **state) {
    (void)state;
    struct diag d = {0};
    char *said = NULL;
    assert_false(run_program((char *[]){"sh", "-c", "echo first >&2; echo second >&2; exit 3", NULL}, NULL, &said, &d));
    assert_string_equal(d.text, "sh: first");
    assert_null(said);
    d = (struct diag){0};
    assert_false(run_program((char *[]){"sh", "-c", "exit 3", NULL}, NULL, NULL, &d));
    assert_string_equal(d.text, "sh failed with status 3");
    d = (struct diag){0};
    assert_false(run_program((char *[]){"/is/not/there", NULL}, NULL, NULL, &d));
    assert_non_null(strstr(d.text, "No such file or directory"));
}

/* A monitor that a program leaves behind gets no file of this process, such as the lock of a lab; the caller waits for the
 * program, not for the monitor. */
static void run_program_apart__passes_on_no_file(void **state) {
    (void)state;
    struct diag d = {0};
    char *said = NULL, line[100];
    int fd = open("/dev/null", O_RDONLY);
    assert_true(fd > 2);
    snprintf(line, sizeof line, "test -e /proc/self/fd/%d && echo open; sleep 30 </dev/null >/dev/null 2>&1 & echo $!",
             fd);
    alarm(20);
    assert_true(run_program_apart((char *[]){"sh", "-c", line, NULL}, &said, &d));
    alarm(0);
    long monitor = strtol(said, NULL, 10);
    assert_true(monitor > 1); /* "open" is no number */
    kill((pid_t)monitor, SIGKILL);
    free(said);
    assert_false(run_program_apart((char *[]){"sh", "-c", "echo why >&2; exit 3", NULL}, NULL, &d));
    assert_string_equal(d.text, "sh: why");
    close(fd);
}

static void program_lookup__says_what_exec_would(void **state) {
    (void)state;
    char *path = strdup(getenv("PATH"));
    assert_int_equal(program_lookup("sh"), 0);
    assert_int_equal(program_lookup("/bin/sh"), 0);
    assert_int_equal(program_lookup("/etc/passwd"), EACCES);
    assert_int_equal(program_lookup("/etc"), EACCES);
    assert_int_equal(program_lookup("no-such-program"), ENOENT);
    assert_int_equal(program_lookup(""), ENOENT);
    setenv("PATH", "/etc:/no-such-folder::/bin", 1);
    assert_int_equal(program_lookup("sh"), 0);
    assert_int_equal(program_lookup("passwd"), access("/bin/passwd", X_OK) == 0 ? 0 : EACCES);
    setenv("PATH", "/etc", 1);
    assert_int_equal(program_lookup("passwd"), EACCES);
    assert_int_equal(program_lookup("sh"), ENOENT);
    setenv("PATH", path, 1);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(run_program__passes_input_and_output),
        UNIT(run_program__silence_is_an_empty_text),
        UNIT(run_program__byte_by_byte),
        UNIT(run_program__failures_are_told_in_the_programs_words),
        UNIT(run_program_apart__passes_on_no_file),
        UNIT(program_lookup__says_what_exec_would),
    };
    return RUN_UNITS(tests);
}
