/* SPDX-License-Identifier: Apache-2.0 */
/* Help for the terminal, made from the tables of the command line. */
#ifndef HEDDLE_CMD_HELP_H
#define HEDDLE_CMD_HELP_H

#include "cmd/commands.h"

#include <stdio.h>

/* Prints the subcommands, a line each, for `heddle --help`. */
void help_print_program(FILE *out);
/* Prints arguments, options, exit statuses and examples, for `heddle SUBCOMMAND --help`. */
void help_print_command(const struct command *c, FILE *out);
/* Prints the commands of a group, a line each, for `heddle GROUP --help`. */
void help_print_group(const struct command_group *g, FILE *out);

#endif
