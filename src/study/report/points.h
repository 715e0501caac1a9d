/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a sweep: the done runs of an experiment that differ in nothing but their seed. */
#ifndef HEDDLE_STUDY_REPORT_POINTS_H
#define HEDDLE_STUDY_REPORT_POINTS_H

#include "study/store/store_reader.h"

struct point {
    json_t *settings; /* without run.seed */
    size_t *run;      /* places in store_reader.run, [n] */
    size_t n;
};

/* In the order of their first run. points_free returns them. */
struct point *points_of(const struct store_reader *r, size_t experiment, size_t *n);
void points_free(struct point *point, size_t n);

/* What of the flows counts: as measure.from and measure.starts say (docs/results.md). */
struct selection {
    int64_t from_ps, starts_from_ppb, starts_to_ppb;
};

#endif
