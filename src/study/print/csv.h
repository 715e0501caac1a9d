/* SPDX-License-Identifier: Apache-2.0 */
/* CSV files after RFC 4180: a header row, commas, quotes where a field needs them; lines end in LF.
 *
 * Numbers are written so that reading them gives the same number; NaN is an empty field.
 */
#ifndef HEDDLE_STUDY_PRINT_CSV_H
#define HEDDLE_STUDY_PRINT_CSV_H

#include "base/types.h"

#include <stdio.h>

struct csv {
    FILE *out;
    bool within; /* a row has begun */
};

void csv_text(struct csv *c, const char *text); /* NULL: an empty field */
void csv_integer(struct csv *c, int64_t value);
void csv_number(struct csv *c, double value);
void csv_row_end(struct csv *c);

/* Prints the shortest decimal number that reads back as `value`. Returns buf. */
const char *number_print(double value, char buf[32]);

#endif
