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
    ROW(init)                                                                                                          \
    ROW(fabric)                                                                                                        \
    ROW(list)                                                                                                          \
    ROW(show)                                                                                                          \
    ROW(report)                                                                                                        \
    ROW(plot)                                                                                                          \
    ROW(flows)                                                                                                         \
    ROW(why)                                                                                                           \
    ROW(flow)                                                                                                          \
    ROW(export)                                                                                                        \
    ROW(diff)                                                                                                          \
    ROW(convert)                                                                                                       \
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

/* Commands whose names begin with "GROUP-" are also written, and shown, as two words: "lab-up" is "lab up", `up` is its
 * action. */
struct command_group {
    const char *name, *purpose; /* one line that begins with a verb, no full stop */
};
/* All groups; ends in a row of zeros. */
extern const struct command_group command_groups[];

/* Returns the group of this name, or NULL. */
const struct command_group *command_group_find(const char *name);
/* Returns the action of a command of the group ("up"); NULL if the command is not of the group. */
const char *command_action(const struct command *c, const struct command_group *g);
/* Returns the group of the command, or NULL. */
const struct command_group *command_group_of(const struct command *c);

/* Returns the command of this name ("run", "lab-up"). Returns NULL after printing an error with the nearest name. */
const struct command *command_find(const char *name);
/* Returns the command that n > 0 words begin with, its name in one word or two (`show fabric` is `fabric` too), and sets how
 * many words it takes. Returns NULL after printing an error. */
const struct command *command_of_words(const char *const *word, size_t n, size_t *taken);

/* Prints the error and returns 2. */
int exit_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Says that an experiment with n runs has no run of this number. Returns 2. */
int exit_no_run(uint32_t run, size_t n);
/* Prints that a store has no such run, and how many it has; returns 2. */
int exit_no_stored_run(const char *store, uint32_t run, size_t n);
int exit_diag(const struct diag *d);

#endif
