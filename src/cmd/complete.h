/* SPDX-License-Identifier: Apache-2.0 */
/* Completions for shells, made from the tables of the command line.
 *
 * They offer subcommands, options, files by their suffix, and choices. Names that the program knows (families,
 * mechanisms, settings) are asked from the program that stands on the line, by `heddle docs`.
 */
#ifndef HEDDLE_CMD_COMPLETE_H
#define HEDDLE_CMD_COMPLETE_H

#include <stdio.h>

void complete_print_bash(FILE *out);
void complete_print_zsh(FILE *out);
void complete_print_fish(FILE *out);

#endif
