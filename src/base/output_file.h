/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a command writes for its user. No existing file is replaced unless the user asked for it.
 *
 * A file is written in the folder of its path under a temporary name (".heddle-PID-N", made with O_EXCL and O_NOFOLLOW)
 * and renamed when it is complete. So nobody sees half a file, and an older one stays until then. A path is refused
 *   - if it is one of the command's inputs, compared by device and inode, also when `force` is set;
 *   - if it is a link, a folder or a device, also when `force` is set;
 *   - if a file is there that `is_ours` does not recognise as earlier output of the same kind, unless `force` is set.
 * A file that another program creates at the path while ours is being written is not replaced either.
 *
 *     struct output_rules rules = {.kind = "a page of heddle report", .is_ours = page_is_ours, .input = stores, ...};
 *     struct output_file f;
 *     if (!output_begin(&f, "demo.html", &rules, &d)) ...
 *     fprintf(f.out, ...);
 *     if (!output_end(&f, &d)) ...             or output_abandon(&f), which leaves the path as it is
 */
#ifndef HEDDLE_BASE_OUTPUT_FILE_H
#define HEDDLE_BASE_OUTPUT_FILE_H

#include "base/diag.h"

#include <stdio.h>

/* Returns whether the open file is earlier output of the same kind. */
typedef bool (*output_test)(FILE *in, const void *context);

struct output_rules {
    const char *kind;    /* name of the output, for the refusal: "a page of heddle report" */
    output_test is_ours; /* NULL: no existing file is earlier output */
    const void *context; /* passed to is_ours */
    const char *const *input;
    size_t n_input;
    bool force;         /* an existing file may be replaced */
    const char *remedy; /* end of the refusal; NULL: "name another, or replace it with --force" */
};

struct output_file {
    FILE *out;
    char *path, *beside; /* final path, and temporary path that is being written */
    bool replaces;       /* a file was at `path` at output_begin */
};

/* Returns whether the path may be written; false after filling *d. Changes no file. */
bool output_check(const char *path, const struct output_rules *rules, struct diag *d);
/* Checks the path and opens the temporary file. False after filling *d. */
bool output_begin(struct output_file *f, const char *path, const struct output_rules *rules, struct diag *d);
/* Renames the temporary file to its path. False after filling *d: writing failed, and the path is unchanged. */
bool output_end(struct output_file *f, struct diag *d);
/* Checks the path and renames to it a complete file that the caller wrote, as output_end does. `beside` is gone
 * afterwards, also on failure. */
bool output_move(const char *beside, const char *path, const struct output_rules *rules, struct diag *d);
/* Removes the temporary file; may be called after a failure too. */
void output_abandon(struct output_file *f);

/* Makes the folder, and the folders that lead to it, if they are missing. False after filling *d. */
bool output_folder(const char *path, struct diag *d);

/* For is_ours: returns whether `text` is among the file's first `most` bytes (at most 4,096). */
bool output_holds(FILE *in, const char *text, size_t most);

#endif
