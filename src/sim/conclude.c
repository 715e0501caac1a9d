/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/conclude.h"

#include "sim/observe/collect.h"
#include "sim/observe/marks.h"
#include "sim/observe/sampling.h"
#include "sim/parallel/exchange_ranks.h"
#include "sim/parallel/merge.h"

_Static_assert(sizeof(struct pause_frames) % sizeof(uint64_t) == 0, "it is merged in words");

/* Adds what the exchange between partitions took. */
static void exchange_collect(const struct world *w, struct run_result *r) {
    uint64_t bytes = exchange_bytes(w->exchange);
    r->memory.rings_bytes += bytes;
    r->memory.total_bytes += bytes;
    if (w->config->group) r->engine.traffic = *exchange_ranks_traffic(w->exchange);
}

static struct merge_sum received_by(const struct world *w, const struct mark *m) {
    size_t bytes = w->config->fabric->n_hosts * sizeof *m->received;
    return (struct merge_sum){m->received, m->received ? bytes : 0};
}

/* Adds what the other ranks have collected to the leader's. */
static void ranks_merge(struct world *w, struct collected *c, struct run_result *r) {
    const struct sampling *s = w->sampling;
    struct merge m = {.sum = {{&c->pauses, sizeof c->pauses},
                              received_by(w, &w->marks->begin),
                              received_by(w, &w->marks->end),
                              {c->phases.port, c->phases.port_bytes},
                              {c->phases.buffer, c->phases.buffer_bytes},
                              {c->phases.counts, c->phases.counts_bytes},
                              {c->phases.received, c->phases.received_bytes}},
                      .n_sums = 7,
                      .samples = {s->queues, s->links, s->pauses},
                      .imbalance = s->imbalance,
                      .line = c->line};
    world_merge(w, r, &m);
}

bool world_conclude(struct world *w, struct run_result *r) {
    struct collected c;
    collect_begin(w, &c, r);
    exchange_collect(w, r);
    if (w->config->group) ranks_merge(w, &c, r);
    bool counts = world_leads(w) ? collect_end(w, &c, r) : true;
    collected_free(w, &c);
    return counts;
}
