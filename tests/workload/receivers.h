/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads in which every host sends one flow, as a map from sender to receiver. */
#ifndef HEDDLE_TESTS_RECEIVERS_H
#define HEDDLE_TESTS_RECEIVERS_H

#include "workload/workload.h"

#include "unit.h"

#include <stdlib.h>

/* Returns the receiver of each sender; asserts that each host sends exactly once. The caller frees the array. */
static inline uint32_t *receivers(const struct flow_list *list, uint32_t n_hosts) {
    uint32_t *to = malloc(n_hosts * sizeof *to);
    for (uint32_t h = 0; h < n_hosts; h++) to[h] = NODE_NONE;
    assert_int_equal(list->n, n_hosts);
    for (uint32_t i = 0; i < list->n; i++) {
        assert_int_equal(to[list->flow[i].src], NODE_NONE);
        to[list->flow[i].src] = list->flow[i].dst;
    }
    return to;
}

static inline bool each_receives_once(const uint32_t *to, uint32_t n_hosts) {
    bool *seen = calloc(n_hosts, sizeof *seen);
    bool once = true;
    for (uint32_t h = 0; h < n_hosts; h++) {
        once &= !seen[to[h]];
        seen[to[h]] = true;
    }
    free(seen);
    return once;
}

#endif
