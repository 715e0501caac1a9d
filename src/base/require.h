/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that stay in release builds: conditions without which a result would be wrong.
 *
 * `assert` is for errors that only a programmer can make and that tests find; release builds leave it out. `REQUIRE` is
 * for rare paths: a run that breaks one ends at once with a line that says which, and `heddle run` counts it as failed
 * (exit status 3). Checks that would cost too much per frame are made once at the end of every run (sim/observe/audit.h).
 */
#ifndef HEDDLE_BASE_REQUIRE_H
#define HEDDLE_BASE_REQUIRE_H

#include "base/types.h"

/* Prints the condition and its place to standard error, and aborts. */
_Noreturn void require_failed(const char *what, const char *file, int line);

#define REQUIRE(condition)                                                                                             \
    (__builtin_expect(!(condition), 0) ? require_failed(#condition, __FILE__, __LINE__) : (void)0)

#endif
