/* SPDX-License-Identifier: Apache-2.0 */
/* Names from the experiment of a command line, for completions.
 *
 * `line` is a command line after `heddle`, as far as it has been typed: a subcommand that takes an experiment, its
 * file, its options. Each function prints names, one a line, and returns the exit status.
 */
#ifndef HEDDLE_CMD_LINE_NAMES_H
#define HEDDLE_CMD_LINE_NAMES_H

#include "cmd/command.h"

/* Prints the profiles of the file, in its order. Reads no other part of the file, which may have errors there. */
int line_names_profiles(const struct word_list *line);
/* Prints the switches of the run that --set, --profile and --run select. Builds only the fabric. */
int line_names_switches(const struct word_list *line);

#endif
