/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a cell of a table of results.
 *
 *    value     "412 us", and its interval: "+-3.1%" of the value, its half-width; a range, "0..514 us", where the interval
 *              reaches 0; "+-0.12" for values that may be negative
 *    change    "-49 %" of the baseline's value, and its interval: "+-6", points of that percentage. A change that leaves less
 *              than a twentieth, or makes more than tenfold, is a ratio: "1/213", "12.5x", whose interval is "+-12%" of it.
 *              Shares change by percentage points, "+3.1 pp"; plain numbers, and counts from 0, by a difference: "+300". "same"
 *              where all seeds have the same value
 */
#ifndef HEDDLE_STUDY_PRINT_CELL_TEXT_H
#define HEDDLE_STUDY_PRINT_CELL_TEXT_H

#include "study/metrics/numbers.h"
#include "study/table/table.h"

#define CELL_TEXT_MAX 64

struct cell_text {
    char value[CELL_TEXT_MAX], interval[CELL_TEXT_MAX];         /* value: "-": the row has none; interval "": none */
    char change[CELL_TEXT_MAX], change_interval[CELL_TEXT_MAX]; /* "": none */
    bool is_best;
};

/* What the cells of a table show, for its notes. */
struct cell_kinds {
    bool intervals, ranges, changes, change_intervals, percentages, ratios, points, differences, best;
};

/* Fills *text with the words of a cell, and adds to *kinds what they are. */
void cell_text_make(const struct table_cell *cell, const struct metric_column *column, struct cell_text *text,
                    struct cell_kinds *kinds);

#endif
