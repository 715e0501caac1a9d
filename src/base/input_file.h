/* SPDX-License-Identifier: Apache-2.0 */
/* Input files: every file that a user names, or that an experiment names, is opened here.
 *
 * An input is a plain file. A device such as /dev/zero has no end, and a FIFO whose other end nobody opens would block the
 * program for ever; both are refused before they are opened, since opening some devices has effects. The exception is a
 * pipe that the process already holds, because a shell has opened its other end: /dev/stdin, and /dev/fd/N of `<(...)`.
 */
#ifndef HEDDLE_BASE_INPUT_FILE_H
#define HEDDLE_BASE_INPUT_FILE_H

#include "base/types.h"

#include <stdio.h>

/* Opens a file to read; fclose closes it. Returns NULL after setting *why to a phrase that lives as long as the process or
 * until the next call of strerror: "No such file or directory", "Is a directory", "it is no plain file". Sets errno too;
 * `why` may be NULL. */
FILE *input_open(const char *path, const char **why);

/* Returns whether nothing is at the path, or a plain file. */
bool input_is_plain_or_absent(const char *path);

#endif
