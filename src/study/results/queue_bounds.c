/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/queue_bounds.h"

#include "base/ethernet.h"
#include "study/assemble/credits.h"

static bool all_have_credits(const struct assembly *a) {
    const struct host_config *h = &a->world.hosts;
    for (uint32_t i = 0; i < h->n_transports; i++)
        if (!h->transport[i]->needs.credit) return false;
    return h->n_transports > 0;
}

/* Compares frame bytes: a port counts them, the bound is of wire bytes. */
static void compare_port(struct queue_bound *q, const struct port_total *port, uint64_t wire_bound) {
    if (wire_bound == 0 || wire_bound == CREDIT_UNBOUNDED) return;
    uint64_t bound = (uint64_t)((uint128)wire_bound * FULL_FRAME_BYTES / FULL_WIRE_BYTES);
    uint64_t held = (uint64_t)port->max_queue_bytes;
    q->n_over += held > bound;
    /* held / bound is larger than that of all ports before */
    if (q->n_ports++ == 0 || (double)held * (double)q->bound_bytes > (double)q->max_bytes * (double)bound) {
        q->port = port->port;
        q->max_bytes = port->max_queue_bytes;
        q->bound_bytes = bound;
    }
}

void queue_bounds_compare(const struct assembly *a, struct run_result *r) {
    static const struct {
        enum queue_place place;
        enum tier tier;
        bool up;
    } of[] = {{QUEUE_TOR_UP, TIER_LEAF, true},
              {QUEUE_TOR_DOWN, TIER_LEAF, false},
              {QUEUE_AGG_UP, TIER_AGG, true},
              {QUEUE_AGG_DOWN, TIER_AGG, false},
              {QUEUE_CORE, TIER_CORE, false}};
    struct credit_bound *b = all_have_credits(a) ? credits_bound(a) : NULL;
    if (!b) return;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        uint64_t bound = credit_bound_tier_bytes(b, of[i].tier, of[i].up);
        if (bound != CREDIT_UNBOUNDED) r->queue[of[i].place].bound_bytes = bound;
    }
    for (uint32_t i = a->fabric->paths.first_port[a->fabric->n_hosts]; i < r->n_ports; i++)
        compare_port(&r->queue_bound, &r->port[i], credit_bound_bytes(b, r->port[i].port));
    credit_bound_destroy(b);
}

void queue_bounds_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out) {
    const struct queue_bound *q = &o->result.queue_bound;
    char name[OUTCOME_EGRESS];
    if (q->n_over == 0) return;
    fprintf(out,
            "%s: warning: run %u: %u queue%s held more data than credits bound them by, %s %lld B of %llu B; "
            "requests, unscheduled data and failures come on top\n",
            file, run, q->n_over, q->n_over == 1 ? "" : "s", outcome_egress(o, q->port, name), (long long)q->max_bytes,
            (unsigned long long)q->bound_bytes);
}
