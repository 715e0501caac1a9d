/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of table entries for help, man pages, completions and errors. Each function writes into the caller's buffer,
 * truncates a label that is too long, and returns the buffer. */
#ifndef HEDDLE_CMD_LABEL_H
#define HEDDLE_CMD_LABEL_H

#include "cmd/command.h"

#define LABEL_MAX 256
#define SYNOPSIS_MAX 1024

/* "-j, --jobs N" */
const char *option_label(const struct option_row *o, char buf[LABEL_MAX]);
/* "a, b or c" */
const char *choices_label(const struct value *v, char buf[LABEL_MAX]);
/* "1 to 256; default 1", "may be given more than once"; "" if there is no note. */
const char *value_note(const struct value *v, char buf[LABEL_MAX]);
/* "FILE.yaml", "[FAMILY]", "RESULTS.db..." */
const char *argument_usage(const struct argument *a, char buf[LABEL_MAX]);
/* "[-j N]", "--node NODE", "[--set KEY=VALUE]..." */
const char *option_usage(const struct option_row *o, char buf[LABEL_MAX]);
/* "lab up": the subcommand as the user types it. */
const char *command_label(const struct command *c, char buf[LABEL_MAX]);
/* "run FILE.yaml": the name and the arguments. */
const char *synopsis_short(const struct command *c, char buf[SYNOPSIS_MAX]);
/* "replay FILE.yaml --node NODE --in PORT=FILE.pcapng": the name and everything required. */
const char *synopsis_required(const struct command *c, char buf[SYNOPSIS_MAX]);

#endif
