/* SPDX-License-Identifier: Apache-2.0 */
/* The files of cmd/starts, which heddle init writes, built into the program by scripts/embed. */
#ifndef HEDDLE_CMD_START_FILES_H
#define HEDDLE_CMD_START_FILES_H

#include <stddef.h>

struct start_file {
    const char *name; /* "trace.csv" */
    const char *text;
    size_t size;
};

extern const struct start_file start_files[];
extern const size_t n_start_files;

#endif
