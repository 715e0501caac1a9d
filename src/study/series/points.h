/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a sweep: the finished runs of an experiment that differ in nothing but their seed. */
#ifndef HEDDLE_STUDY_SERIES_POINTS_H
#define HEDDLE_STUDY_SERIES_POINTS_H

#include "study/store/store_reader.h"

struct point {
    json_t *settings; /* without run.seed */
    size_t *run;      /* [n] indexes into store_reader.run */
    size_t n;
};

/* Returns the points in the order of their first run. points_free frees them. */
struct point *points_of(const struct store_reader *r, size_t experiment, size_t *n);
void points_free(struct point *point, size_t n);

#endif
