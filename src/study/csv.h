/* CSV files as RFC 4180 has them: a header row, commas, quotes where a field needs them; lines end in LF.
 *
 * A file is written under a temporary name in its folder and renamed when it is whole: nobody ever sees half of one.
 * Numbers are written so that they read back as the same; NaN is an empty field.
 */
#ifndef HEDDLE_STUDY_CSV_H
#define HEDDLE_STUDY_CSV_H

#include "base/diag.h"

#include <stdio.h>

/* Some file that is being written; `out` may be used for files that are no CSV too. */
struct whole_file {
    FILE *out;
    char *path, *temporary;
};

bool whole_file_begin(struct whole_file *f, const char *dir, const char *name, struct diag *d);
/* Puts it in its place; false after filling *d, and the temporary file is gone. */
bool whole_file_end(struct whole_file *f, struct diag *d);
void whole_file_abandon(struct whole_file *f);

struct csv {
    FILE *out;
    bool within; /* a row has begun */
};

void csv_text(struct csv *c, const char *text); /* NULL: an empty field */
void csv_integer(struct csv *c, int64_t value);
void csv_number(struct csv *c, double value);
void csv_row_end(struct csv *c);

/* The shortest decimal number that reads back as `value`; returns buf. */
const char *number_print(double value, char buf[32]);

#endif
