/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of generated flows: their order, their identity, and the tier of links that they cross. */
#ifndef HEDDLE_TESTS_FLOW_CHECKS_H
#define HEDDLE_TESTS_FLOW_CHECKS_H

#include "specs.h"

/* Returns whether the flow uses the links of the tier. */
static inline bool crosses(const struct population *p, enum tier tier, const struct flow *f) {
    if (tier == TIER_HOST) return true;
    return tier == TIER_LEAF ? p->host_leaf[f->src] != p->host_leaf[f->dst] : pod_of(p, f->src) != pod_of(p, f->dst);
}

/* Returns whether flows are sorted by start, source, entry and index. */
static inline bool is_sorted(const struct flow_list *list) {
    for (uint32_t i = 1; i < list->n; i++) {
        const struct flow *a = &list->flow[i - 1], *b = &list->flow[i];
        if (a->start != b->start   ? a->start > b->start
            : a->src != b->src     ? a->src > b->src
            : a->entry != b->entry ? a->entry > b->entry
                                   : a->index >= b->index) {
            return false;
        }
    }
    return true;
}

static inline void assert_same_flow(const struct flow *a, const struct flow *b) {
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->src, b->src);
    assert_int_equal(a->dst, b->dst);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->entry, b->entry);
    assert_int_equal(a->src_port, b->src_port);
    assert_int_equal(a->dst_port, b->dst_port);
}

#endif
