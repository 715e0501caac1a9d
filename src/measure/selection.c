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

uint32_t *arrival_places(const time_ps *start, uint32_t n, uint32_t *n_started) {
    struct arrival *order = memory_get(n, sizeof *order);
    uint32_t *place = memory_get(n, sizeof *place);
    *n_started = 0;
    for (uint32_t i = 0; i < n; i++) {
        order[i] = (struct arrival){start[i], i};
        *n_started += start[i] != TIME_NONE;
    }
    qsort(order, n, sizeof *order, arrival_compare);
    for (uint32_t i = 0; i < n; i++) place[order[i].number] = i;
    free(order);
    return place;
}
