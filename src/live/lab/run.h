/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the programs of a lab: ip (iproute2), and heddle itself in the background. */
#ifndef HEDDLE_LIVE_LAB_RUN_H
#define HEDDLE_LIVE_LAB_RUN_H

#include "base/diag.h"

#include <sys/types.h>

/* Runs argv, with `input` (NULL: none) on its standard input. *output (NULL: discarded) gets the standard output, which
 * the caller frees. Returns false if the program fails, after filling *d from its standard error. */
bool run_program(char *const argv[], const char *input, char **output, struct diag *d);

/* Returns 0 if execvp would find the program, else the errno with which it would fail. */
int program_lookup(const char *name);

/* Runs a program that leaves processes behind, such as the monitor of a container: neither it nor they get files of this
 * process, so none of them holds the lock of a lab. A process that waits for the program holds it until the program has ended.
 * Returns as run_program does. */
bool run_program_apart(char *const argv[], char **output, struct diag *d);

/* Starts argv in a session of its own, with `variable` in its environment and both outputs appended to `log`; it outlives the
 * caller, and has none of its files. Returns -1 after filling *d. */
pid_t run_in_background(char *const argv[], const char *log, const char *variable, const char *value, struct diag *d);

#endif
