/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a command line by its table.
 *
 * Options may stand anywhere and end at `--`; --name VALUE and --name=VALUE are the same, and so are -n VALUE, -nVALUE
 * and -n=VALUE. Letters of flags may be joined (-qj4). If an option is repeated its last value counts, unless its field
 * is a list. --help and -h are options of every command.
 */
#ifndef HEDDLE_CMD_PARSE_H
#define HEDDLE_CMD_PARSE_H

#include "cmd/command.h"

enum parsed { PARSED, PARSED_HELP, PARSED_WRONG };

/* Fills the request (zeros before) from the words after the command's name. Returns PARSED_HELP at the first --help,
 * PARSED_WRONG after printing one line with the error. */
enum parsed command_parse(const struct command *c, int argc, char **argv, void *request);
/* Fills the request from the words of a line that is still being typed: a missing argument, option or value is no
 * error. */
enum parsed command_parse_begun(const struct command *c, const char *const *word, size_t n, void *request);

#endif
