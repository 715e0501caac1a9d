/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/values.h"

#include "base/memory.h"

#include <stdlib.h>

void values_add(struct values *v, double value) {
    if (v->n == v->room) {
        v->room = v->room ? 2 * v->room : 64;
        v->at = memory_grow(v->at, v->room, sizeof *v->at);
    }
    v->at[v->n++] = value;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void values_sort(struct values *v) {
    if (v->n) qsort(v->at, v->n, sizeof *v->at, ascending);
}

double values_at(const struct values *v, double share) {
    double exact = share * (double)v->n - 1e-9; /* a share such as 0.07 is not exact */
    size_t below = exact > 0 ? (size_t)exact : 0;
    return v->at[below < v->n ? below : v->n - 1];
}

void values_clear(struct values *v) { v->n = 0; }

void values_free(struct values *v) {
    free(v->at);
    *v = (struct values){0};
}
