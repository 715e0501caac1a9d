/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/selection.h"

#include "base/memory.h"

#include <stdlib.h>

bool selection_has(const struct selection *s, time_ps start, uint32_t place, uint32_t n) {
    int128 scaled = (int128)place * PPB;
    return start >= s->from && start < s->until && start != TIME_NONE && scaled >= (int128)s->starts_from_ppb * n &&
           scaled < (int128)s->starts_to_ppb * n;
}

bool selection_needs_places(const struct selection *s) { return s->starts_from_ppb > 0 || s->starts_to_ppb < PPB; }

struct arrival {
    time_ps at;
    uint32_t number;
};

static int arrival_compare(const void *a, const void *b) {
    const struct arrival *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void arrivals_sort(struct arrival *order, uint32_t n) {
    uint32_t sorted = 1;
    while (sorted < n && arrival_compare(&order[sorted - 1], &order[sorted]) < 0) sorted++;
    if (sorted < n) qsort(order, n, sizeof *order, arrival_compare);
}

uint32_t *arrival_places(const time_ps *start, uint32_t n, uint32_t *n_started) {
    struct arrival *order = memory_get(n, sizeof *order);
    uint32_t *place = memory_get(n, sizeof *place);
    *n_started = 0;
    for (uint32_t i = 0; i < n; i++) {
        order[i] = (struct arrival){start[i], i};
        *n_started += start[i] != TIME_NONE;
    }
    arrivals_sort(order, n); /* workloads list most flows by their start */
    for (uint32_t i = 0; i < n; i++) place[order[i].number] = i;
    free(order);
    return place;
}
