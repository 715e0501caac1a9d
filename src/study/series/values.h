/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that are collected one by one, then sorted, and their percentiles by nearest rank. */
#ifndef HEDDLE_STUDY_SERIES_VALUES_H
#define HEDDLE_STUDY_SERIES_VALUES_H

#include <stddef.h>

struct values {
    double *at; /* [n] */
    size_t n, room;
};

void values_add(struct values *v, double value);
/* Sorts them, least first. */
void values_sort(struct values *v);
/* Returns the value at a share of the sorted values, 0 to 1, by nearest rank: one that occurred. n >= 1. */
double values_at(const struct values *v, double share);
/* Forgets the values; the next ones take their place. */
void values_clear(struct values *v);
void values_free(struct values *v);

#endif
