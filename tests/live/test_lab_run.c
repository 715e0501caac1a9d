/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a lab runs: what they read and say, and what is said of programs that fail. */
#include "live/lab/run.h"

#include "unit.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(run_program__passes_input_and_output),
        UNIT(run_program__silence_is_an_empty_text),
        UNIT(run_program__failures_are_told_in_the_programs_words),
    };
    return RUN_UNITS(tests);
}
