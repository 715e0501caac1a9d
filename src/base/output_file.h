/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a command writes for its user: nothing that exists is replaced unasked.
 *
 * A file is written beside its place, under a name of its own (".heddle-PID-N", made with O_EXCL and O_NOFOLLOW), and
 * renamed when it is whole: nobody sees half of one, and what stood there stays until then. Its place is refused
 *   - if it is one of the command's inputs, compared by device and inode, also when `force` is set;
 *   - if it is a link, a folder or a device, also when `force` is set;
 *   - if a file is there that `is_ours` does not recognise as earlier output of the same kind, unless `force` is set.
 * A file that appears at a free place while ours is being written is not replaced either.
 *
 *     struct output_rules rules = {.kind = "a page of heddle report", .is_ours = page_is_ours, .input = stores, ...};
 *     struct output_file f;
 *     if (!output_begin(&f, "demo.html", &rules, &d)) ...
 *     fprintf(f.out, ...);
 *     if (!output_end(&f, &d)) ...             or output_abandon(&f): the file beside is removed, the place is as it
 * was
 */
#ifndef HEDDLE_BASE_OUTPUT_FILE_H
#define HEDDLE_BASE_OUTPUT_FILE_H

#include "base/diag.h"

#include <stdio.h>

/* Answers whether the open file is earlier output of the same kind. */
typedef bool (*output_test)(FILE *in, const void *context);

struct output_rules {
    const char *kind;    /* what is written, for the refusal: "a page of heddle report" */
    output_test is_ours; /* NULL: nothing that exists is */
    const void *context; /* passed to is_ours */
    const char *const *input;
    size_t n_input;
    bool force;         /* what is there may be replaced */
    const char *remedy; /* ends the refusal; NULL: "name another, or replace it with --force" */
};

struct output_file {
    FILE *out;
    char *path, *beside; /* the place, and the file that is being written */
    bool replaces;       /* a file stood at the place when it was begun */
};

/* May this place be written? False after filling *d. Nothing is touched. */
bool output_check(const char *path, const struct output_rules *rules, struct diag *d);
/* Checks the place and opens the file beside it. False after filling *d. */
bool output_begin(struct output_file *f, const char *path, const struct output_rules *rules, struct diag *d);
/* Puts the file into its place. False after filling *d: it could not be written, and the place is as it was. */
bool output_end(struct output_file *f, struct diag *d);
/* Puts a whole file that somebody else wrote into its place, as output_end does; `beside` is gone afterwards. */
bool output_move(const char *beside, const char *path, const struct output_rules *rules, struct diag *d);
/* Removes what was written; may be called after a failure too. */
void output_abandon(struct output_file *f);

/* Makes the folder if it is missing (not its parents). False after filling *d. */
bool output_folder(const char *path, struct diag *d);

/* For is_ours: do the file's first bytes hold `text` (within the first `most`, at most 4,096)? */
bool output_holds(FILE *in, const char *text, size_t most);

#endif
