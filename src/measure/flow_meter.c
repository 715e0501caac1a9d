/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/flow_meter.h"

#include "base/memory.h"

#include <stdlib.h>

void flow_meter_init(struct flow_meter *m, const struct flow *flow, struct tallies tally, uint32_t n_flows) {
    *m = (struct flow_meter){.flow = flow, .tally = tally, .n_flows = n_flows};
}

void flow_meter_fini(struct flow_meter *m) {
    free(m->open);
    *m = (struct flow_meter){0};
}

static bool is_gone(const struct flow_meter *m, const struct metered_flow *f) {
    if (f->end == TIME_NONE) return false;
    bool finished = tally_finished_at(m->tally, f->flow) != TIME_NONE;
    return finished || (f->end <= m->from && f->bytes == 0);
}

static void forget_the_gone(struct flow_meter *m) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->n_open; i++)
        if (!is_gone(m, &m->open[i])) m->open[kept++] = m->open[i];
    m->n_open = kept;
}

static void take_the_started(struct flow_meter *m) {
    for (; m->next < m->n_flows && m->flow[m->next].start < m->to; m->next++) {
        if (m->n_open == m->room) {
            m->room = m->room ? 2 * m->room : 64;
            m->open = memory_grow(m->open, m->room, sizeof *m->open);
        }
        m->open[m->n_open++] =
            (struct metered_flow){.flow = m->next, .start = m->flow[m->next].start, .end = TIME_NONE};
    }
}

void flow_meter_step(struct flow_meter *m, time_ps now) {
    forget_the_gone(m);
    m->from = m->to;
    m->to = now;
    take_the_started(m);
    for (uint32_t i = 0; i < m->n_open; i++) {
        struct metered_flow *f = &m->open[i];
        int64_t received = tally_received_bytes(m->tally, f->flow);
        time_ps stop = m->flow[f->flow].stop;
        f->bytes = received - f->received;
        f->received = received;
        f->end = min_i64(tally_finished_at(m->tally, f->flow), stop <= now ? stop : TIME_NONE);
    }
}
