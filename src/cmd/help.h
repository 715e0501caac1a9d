/* SPDX-License-Identifier: Apache-2.0 */
/* Help for the terminal, made from the tables of the command line. */
#ifndef HEDDLE_CMD_HELP_H
#define HEDDLE_CMD_HELP_H

#include "cmd/command.h"

#include <stdio.h>

/* What `heddle --help` prints: the subcommands, a line each. */
void help_print_program(FILE *out);
/* What `heddle SUBCOMMAND --help` prints: arguments, options, exit statuses, examples. */
void help_print_command(const struct command *c, FILE *out);

#endif
