/* SPDX-License-Identifier: Apache-2.0 */
/* Names from the experiment or the lab of a command line, for completions.
 *
 * `line` is a command line after `heddle`, as far as it has been typed: a subcommand that takes an experiment, its
 * file, its options; or one that takes a lab (--name). Each function prints names, one a line, and returns the exit status.
 */
#ifndef HEDDLE_CMD_LINE_NAMES_H
#define HEDDLE_CMD_LINE_NAMES_H

#include "cmd/command.h"

/* Prints the profiles of the file, in its order. Reads no other part of the file, which may have errors there. */
int line_names_profiles(const struct word_list *line);
/* Prints the switches of the run that --set, --profile and --run select. Builds only the fabric. */
int line_names_switches(const struct word_list *line);
/* Prints the labs of this machine. */
int line_names_labs(void);
/* Prints the "lab-hosts", "lab-switches", "lab-links" or "lab-nodes" of the lab. Without --name it is the default lab; the
 * nodes are those of all labs. */
int line_names_of_lab(const struct word_list *line, const char *what);

#endif
