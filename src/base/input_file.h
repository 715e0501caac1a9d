/* SPDX-License-Identifier: Apache-2.0 */
/* Input files: every file that a user names, or that an experiment names, is opened here.
 *
 * An input is a plain file. A device such as /dev/zero has no end, and a FIFO whose other end nobody opens would block the
 * program for ever; both are refused before they are opened, since opening some devices has effects. The exception is a
 * pipe that the process already holds, because a shell has opened its other end: /dev/stdin, and /dev/fd/N of `<(...)`.
 * A file that is read whole has a bound, since a plain file may be larger than the memory.
 */
#ifndef HEDDLE_BASE_INPUT_FILE_H
#define HEDDLE_BASE_INPUT_FILE_H

#include "base/types.h"

#include <stdio.h>

/* Opens a file to read; fclose closes it. Returns NULL after setting *why to a phrase that lives as long as the process or
 * until the next call of strerror: "No such file or directory", "Is a directory", "it is no plain file". Sets errno too;
 * `why` may be NULL. */
FILE *input_open(const char *path, const char **why);

/* Returns the bytes of a file, with a 0 behind them, and sets *n to their number; the caller frees them. Returns NULL after
 * setting *why and errno as input_open does, or to "File too large" for a file of more than `most` bytes. */
char *input_read(const char *path, size_t most, size_t *n, const char **why);

/* Returns the path of file n of a family: n in place of the 0 of the last ".0." in its name ("step.0.et"). The caller frees it.
 * NULL: the name has no such part. */
char *input_numbered(const char *path, uint32_t n);

/* Returns whether nothing is at the path, or a plain file. */
bool input_is_plain_or_absent(const char *path);

#endif
