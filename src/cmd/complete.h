/* SPDX-License-Identifier: Apache-2.0 */
/* Completions for shells, made from the tables of the command line.
 *
 * They offer subcommands, options, files by their suffix, and choices. For names that the program knows (families,
 * mechanisms, settings) they call `heddle docs` of the program on the command line.
 */
#ifndef HEDDLE_CMD_COMPLETE_H
#define HEDDLE_CMD_COMPLETE_H

#include <stdio.h>

void complete_print_bash(FILE *out);
void complete_print_zsh(FILE *out);
void complete_print_fish(FILE *out);

#endif
