/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages in man(7), made from the tables of the command line. */
#ifndef HEDDLE_CMD_MAN_H
#define HEDDLE_CMD_MAN_H

#include "cmd/commands.h"

#include <stdio.h>

/* Prints heddle(1): the program, its subcommands, files, environment. */
void man_print_program(FILE *out);
/* Prints heddle-NAME(1). */
void man_print_command(const struct command *c, FILE *out);
/* Prints heddle-GROUP(1): the actions of a group, which have pages of their own. */
void man_print_group(const struct command_group *g, FILE *out);

#endif
