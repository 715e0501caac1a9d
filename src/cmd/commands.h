/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands: a row for each, and functions that their files share. */
#ifndef HEDDLE_CMD_COMMANDS_H
#define HEDDLE_CMD_COMMANDS_H

#include "base/diag.h"
#include "cmd/command.h"

#include <stdio.h>

/* In the order of `heddle --help`; src/cmd/<name>.c (list.c for show too) ends in the table. */
#define COMMANDS(ROW)                                                                                                  \
    ROW(run)                                                                                                           \
    ROW(check)                                                                                                         \
    ROW(list)                                                                                                          \
    ROW(show)                                                                                                          \
    ROW(report)                                                                                                        \
    ROW(flows)                                                                                                         \
    ROW(flow)                                                                                                          \
    ROW(export)                                                                                                        \
    ROW(switch)                                                                                                        \
    ROW(nic)                                                                                                           \
    ROW(status)                                                                                                        \
    ROW(lab_up)                                                                                                        \
    ROW(lab_down)                                                                                                      \
    ROW(lab_list)                                                                                                      \
    ROW(lab_exec)                                                                                                      \
    ROW(lab_run)                                                                                                       \
    ROW(lab_status)                                                                                                    \
    ROW(lab_impair)                                                                                                    \
    ROW(lab_capture)                                                                                                   \
    ROW(lab_link)                                                                                                      \
    ROW(lab_switch)                                                                                                    \
    ROW(replay)                                                                                                        \
    ROW(help)                                                                                                          \
    ROW(docs)

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

/* All subcommands; ends in NULL. */
extern const struct command *const commands[];
/* The options of `heddle` without a subcommand, for help, man page and completions. Ends in a row of zeros. */
extern const struct option_row program_options[];

/* Returns the command of two words ("lab", "up"), or NULL. */
const struct command *command_of_two(const char *first, const char *second);
/* Returns the command of this name. Returns NULL after printing an error with the nearest name. */
const struct command *command_find(const char *name);

/* Prints the error and returns 2. */
int exit_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int exit_diag(const struct diag *d);

#endif
