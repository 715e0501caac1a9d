/* SPDX-License-Identifier: Apache-2.0 */
/* Which ends of flows feed which gates, for tests that make gates by hand: feeds_add each, then feeds_finish. */
#ifndef HEDDLE_TESTS_FEEDS_H
#define HEDDLE_TESTS_FEEDS_H

#include "base/views.h"

#include "unit.h"

#define FEEDS_MAX 1024

enum fed_at { FED_RECEIVED, FED_ACKED };

struct feeds {
    struct {
        uint32_t flow, gate;
        enum fed_at at;
    } one[FEEDS_MAX];
    uint32_t n;
    struct flow_feed feed[FEEDS_MAX + 1];
    uint32_t fed[FEEDS_MAX];
};

static inline void feeds_add(struct feeds *f, uint32_t flow, enum fed_at at, uint32_t gate) {
    assert_true(f->n < FEEDS_MAX);
    f->one[f->n].flow = flow;
    f->one[f->n].at = at;
    f->one[f->n++].gate = gate;
}

/* Appends the gates of one end of a flow to gates->fed. */
static inline void feeds_append(struct feeds *f, struct gates *gates, uint32_t flow, enum fed_at at) {
    for (uint32_t i = 0; i < f->n; i++)
        if (f->one[i].flow == flow && f->one[i].at == at) f->fed[gates->n_fed++] = f->one[i].gate;
}

/* Sets feed, fed and n_fed of the gates for flows 0 to n_flows - 1. */
static inline void feeds_finish(struct feeds *f, struct gates *gates, uint32_t n_flows) {
    assert_true(n_flows <= FEEDS_MAX);
    gates->n_fed = 0;
    for (uint32_t i = 0; i < n_flows; i++) {
        f->feed[i].received = gates->n_fed;
        feeds_append(f, gates, i, FED_RECEIVED);
        f->feed[i].acked = gates->n_fed;
        feeds_append(f, gates, i, FED_ACKED);
    }
    f->feed[n_flows] = (struct flow_feed){gates->n_fed, gates->n_fed};
    gates->feed = f->feed;
    gates->fed = f->fed;
}

#endif
