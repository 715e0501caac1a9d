/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a lab runs: ip (iproute2), and heddle itself in the background. */
#ifndef HEDDLE_LIVE_LAB_RUN_H
#define HEDDLE_LIVE_LAB_RUN_H

#include "base/diag.h"

#include <sys/types.h>

/* Runs argv, with `input` (NULL: none) on its standard input; false after filling *d with what it printed on standard
 * error if it fails. *output (NULL: dropped) is what it printed on standard output, to be freed. */
bool run_program(char *const argv[], const char *input, char **output, struct diag *d);

/* Starts argv as a session of its own with both outputs appended to `log`; it outlives the caller. -1 after filling *d.
 */
pid_t run_in_background(char *const argv[], const char *log, struct diag *d);

#endif
