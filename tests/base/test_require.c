/* SPDX-License-Identifier: Apache-2.0 */
/* REQUIRE is checked in every build; a violated condition ends the process and prints file, line and condition. */
#include "base/require.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void require__what_holds_is_silent(void **state) {
    (void)state;
    int evaluated = 0;
    REQUIRE(++evaluated == 1);
    assert_int_equal(evaluated, 1);
}

static void require__what_does_not_ends_the_process(void **state) {
    (void)state;
    int ends[2], status;
    char text[256] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        REQUIRE(ends[0] < 0);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(text, "heddle: internal error: "));
    assert_non_null(strstr(text, "test_require.c"));
    assert_non_null(strstr(text, "ends[0] < 0 does not hold"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(require__what_holds_is_silent),
        UNIT(require__what_does_not_ends_the_process),
    };
    return RUN_UNITS(tests);
}
