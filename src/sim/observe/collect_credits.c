/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/collect_credits.h"

#include "node/cioq.h"

#include <inttypes.h>
#include <stdio.h>

struct frames_of_shape {
    const struct partition *part;
    uint8_t shape;
    uint64_t n;
};

static void frame_count(void *context, const struct flight *x) {
    struct frames_of_shape *c = context;
    c->n += (flights_frame(&c->part->flights, &c->part->pool, x)->shape & c->shape) != 0;
}

static uint64_t frames_on_links(const struct partition *part, uint8_t shape) {
    struct frames_of_shape c = {.part = part, .shape = shape};
    flights_each(&part->flights, frame_count, &c);
    return c.n;
}

uint64_t pauses_on_links(const struct partition *part) { return frames_on_links(part, SHAPE_PAUSE); }

uint64_t credits_under_way(const struct partition *part) {
    uint64_t n = frames_on_links(part, SHAPE_CREDIT);
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        const struct sim_node *node = &part->nodes[i];
        for (uint16_t p = 0; !node->is_host && p < node->sw->n_ports; p++)
            if (node->sw->extra[p].classes) n += node->sw->extra[p].classes->credit.waiting;
        if (!node->is_host && node->sw->cioq) n += cioq_credits(node->sw->cioq, &part->pool);
    }
    return n;
}

static uint64_t credits_held(const struct connection *c) {
    return c && c->ops->credits_held ? c->ops->credits_held(c->end) : 0;
}

void credits_count(const struct world *w, struct credit_totals *t) {
    for (uint32_t f = 0; f < w->config->flows->n; f++) {
        struct flow_tally flow = tally_of(w->tallies, f);
        t->sent += flow.credits_sent;
        t->used += flow.credits_used;
        t->wasted += flow.credits_wasted;
        t->dropped += flow.credits_refused;
    }
    for (uint32_t h = 0; h < fabric_n_nics(w->config->fabric); h++) {
        if (!world_has_port(w, h)) continue;
        t->sent += w->host[h].voids_sent;
        t->voided += w->host[h].voids_received;
    }
    for (uint32_t g = 0; g < w->n_ports; g++)
        if (world_has_port(w, g)) t->dropped += w->extra[g].credits_dropped;
}

void collect_credits(const struct world *w, struct run_result *r) {
    struct credit_totals *t = &r->credits;
    credits_count(w, t);
    for (uint32_t f = 0; f < w->config->flows->n; f++) t->in_flight += credits_held(w->sender[f]);
    for (uint32_t i = 0; i < w->n_partitions; i++) t->in_flight += credits_under_way(&w->partition[i]);
}

bool credits_balance(const struct run_result *r, char *text, size_t size) {
    const struct credit_totals *t = &r->credits;
    if (t->sent == t->used + t->wasted + t->voided + t->dropped + t->in_flight) return true;
    snprintf(text, size,
             "conservation of credits is broken: sent %" PRIu64 ", used %" PRIu64 ", wasted %" PRIu64 ", void %" PRIu64
             ", dropped %" PRIu64 ", in flight %" PRIu64,
             t->sent, t->used, t->wasted, t->voided, t->dropped, t->in_flight);
    return false;
}
