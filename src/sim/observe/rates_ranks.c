/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/rates_ranks.h"

#include "base/memory.h"
#include "ranks/group.h"

#include <stdlib.h>

/* What a rank tells of a receiver. */
struct count {
    uint64_t flow;
    int64_t received_bytes;
    time_ps finished_at;
};

/* Flows that others start are not metered: they stand at the end of the list, with no start. */
static void take_the_started(struct rates_ranks *r, const struct world *w, time_ps now) {
    const struct flow_list *flows = w->config->flows;
    for (; r->next < flows->n && flows->flow[r->next].start < now; r->next++) {
        if (!world_has_node(w, flows->flow[r->next].dst)) continue;
        if (r->n_open == r->room) {
            r->room = r->room ? 2 * r->room : 64;
            r->open = memory_grow(r->open, r->room, sizeof *r->open);
        }
        r->open[r->n_open++] = (struct received_flow){.flow = r->next};
    }
}

/* Fills `count` with the flows whose receivers have more bytes, or have ended, since the last time, and returns how many
 * there are. Flows that have ended leave the list of open flows. */
static uint32_t counts_take(struct rates_ranks *r, const struct world *w, struct count *count) {
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < r->n_open; i++) {
        struct received_flow f = r->open[i];
        const struct flow_tally *t = &w->tallies.all[f.flow];
        bool has_ended = t->finished_at != TIME_NONE;
        if (has_ended || t->received_bytes != f.told_bytes)
            count[n++] = (struct count){f.flow, t->received_bytes, t->finished_at};
        f.told_bytes = t->received_bytes;
        if (!has_ended) r->open[kept++] = f;
    }
    r->n_open = kept;
    return n;
}

static void counts_send(struct rates_ranks *r, const struct world *w, time_ps now) {
    take_the_started(r, w, now);
    struct count *count = memory_get(r->n_open, sizeof *count);
    uint64_t n = counts_take(r, w, count);
    ranks_group_send(w->config->group, 0, &n, sizeof n);
    ranks_group_send(w->config->group, 0, count, n * sizeof *count);
    free(count);
}

static void counts_receive(struct world *w, uint32_t from) {
    uint64_t n;
    ranks_group_receive(w->config->group, from, &n, sizeof n);
    struct count *count = memory_get(n, sizeof *count);
    ranks_group_receive(w->config->group, from, count, n * sizeof *count);
    for (uint64_t i = 0; i < n; i++) {
        w->tallies.all[count[i].flow].received_bytes = count[i].received_bytes;
        w->tallies.all[count[i].flow].finished_at = count[i].finished_at;
    }
    free(count);
}

void rates_ranks_share(struct rates_ranks *r, struct world *w, time_ps now) {
    if (!world_leads(w)) {
        counts_send(r, w, now);
        return;
    }
    for (uint32_t from = 1; from < w->config->group->size; from++) counts_receive(w, from);
}
