/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/credit_bound.h"

#include <stdlib.h>

#include "base/ethernet.h"
#include "base/memory.h"

#define PAIR_WIRE (WIRE_MIN_BYTES + FULL_WIRE_BYTES) /* a credit and the data frame that it admits */
#define LONGEST (1000 * PS_PER_S) /* longest window; a longer one counts as no bound, so that sums cannot overflow */

struct port_delay {
    span_ps least, most, window; /* d_min (TIME_NONE: no data so far), d_max, window (TIME_NONE: no bound) */
    uint32_t missing;            /* ports from which data may come and that are not solved yet */
};

struct credit_bound {
    const struct fabric *f;
    struct credit_bound_spec spec;
    uint32_t n_ports;
    struct port_delay *port; /* by global number */
    uint32_t *solved;        /* queue of solved ports: those with `missing` 0 */
    uint32_t n_solved;
};

/* ---- one port ---- */

static span_ps serialization(int64_t wire_bytes, int64_t rate_bps) {
    return (span_ps)(((int128)wire_bytes * 8 * PS_PER_S + rate_bps - 1) / rate_bps);
}

static span_ps credit_gap(const struct credit_bound *b, int64_t rate_bps) {
    if (b->spec.share_ppb == 0) return serialization(PAIR_WIRE, rate_bps);
    return (span_ps)((int128)WIRE_MIN_BYTES * 8 * PS_PER_S * PPB / ((int128)rate_bps * b->spec.share_ppb));
}

static span_ps credit_depth(const struct credit_bound *b, int64_t rate_bps) {
    return (span_ps)((int128)credit_gap(b, rate_bps) * b->spec.burst_bytes / WIRE_MIN_BYTES);
}

/* Returns the longest time that a full credit queue takes to leave. The limiter waits for the tokens of its bytes. While a
 * data frame is on the wire, the bucket may overflow and lose tokens; the largest credits lose the most. */
static span_ps credit_wait(const struct credit_bound *b, int64_t rate_bps) {
    const int64_t most = WIRE_MIN_BYTES + b->spec.credit_spread;
    int64_t bytes = max_i64((int64_t)b->spec.credit_queue * WIRE_MIN_BYTES, most);
    span_ps gap = credit_gap(b, rate_bps);
    span_ps largest = (span_ps)((int128)gap * most / WIRE_MIN_BYTES);
    span_ps lost = max_i64(0, largest + serialization(FULL_WIRE_BYTES, rate_bps) - credit_depth(b, rate_bps));
    return (span_ps)((int128)gap * bytes / WIRE_MIN_BYTES) + lost * ((bytes + most - 1) / most);
}

/* Returns whether data that arrives at port `in` may leave by port `out` of the same switch. */
static bool may_follow(const struct fabric *f, const struct place_port *in, const struct place_port *out) {
    if (in == out) return false;
    uint8_t tier = f->node[out->node].tier;
    return out->neighbour_tier <= tier || in->neighbour_tier <= tier;
}

/* ---- port by port, beginning at the hosts ---- */

/* Returns the time in which the link sends the data of the credits of a time `span`, all of the smallest size. */
static span_ps credit_window(const struct credit_bound *b, span_ps span) {
    return (span_ps)((int128)span * WIRE_MIN_BYTES / (WIRE_MIN_BYTES - b->spec.credit_spread));
}

/* Computes the window of port i, whose d_min and d_max are final. */
static void port_solve(struct credit_bound *b, uint32_t i) {
    struct port_delay *p = &b->port[i];
    if (p->least == TIME_NONE)
        p->window = 0;
    else if (p->most != TIME_NONE)
        p->window = credit_window(b, p->most - p->least + credit_depth(b, b->f->paths.port[i].rate_bps));
    if (p->window > LONGEST) p->most = p->window = TIME_NONE;
    b->solved[b->n_solved++] = i;
}

/* Widens d_min and d_max of port p by data that comes from the solved port q, whose link leads to the switch of p. */
static void port_relax(struct credit_bound *b, uint32_t q, uint32_t p) {
    const struct port_delay *from = &b->port[q];
    const struct place_port *link = &b->f->paths.port[q];
    struct port_delay *to = &b->port[p];
    int64_t rate = link->rate_bps;
    if (from->least == TIME_NONE) return;
    to->least = min_i64(to->least, from->least + 2 * link->delay + serialization(WIRE_MIN_BYTES, rate) +
                                       serialization(WIRE_MIN_BYTES - b->spec.credit_spread, rate));
    if (from->most == TIME_NONE || to->most == TIME_NONE) {
        to->most = TIME_NONE;
        return;
    }
    span_ps credit = credit_wait(b, rate) + serialization(PAIR_WIRE + b->spec.credit_spread, rate);
    span_ps data = from->window + serialization(b->spec.burst_bytes, rate) + serialization(FULL_WIRE_BYTES, rate);
    to->most = max_i64(to->most, credit + from->most + data + 2 * link->delay);
}

static void port_pass_on(struct credit_bound *b, uint32_t q) {
    const struct path_view *v = &b->f->paths;
    const struct place_port *in = &v->port[v->port[q].peer];
    if (in->node < b->f->n_hosts) return;
    for (uint32_t p = v->first_port[in->node]; p < v->first_port[in->node + 1]; p++) {
        if (!may_follow(b->f, in, &v->port[p])) continue;
        port_relax(b, q, p);
        if (--b->port[p].missing == 0) port_solve(b, p);
    }
}

static void port_begin(struct credit_bound *b, uint32_t p) {
    const struct path_view *v = &b->f->paths;
    const struct place_port *out = &v->port[p];
    struct port_delay *delay = &b->port[p];
    *delay = (struct port_delay){.least = TIME_NONE, .window = TIME_NONE};
    if (out->node < b->f->n_hosts) {
        delay->least = 2 * b->spec.processing_delay;
        delay->most = delay->least + b->spec.hold;
        return;
    }
    for (uint32_t in = v->first_port[out->node]; in < v->first_port[out->node + 1]; in++)
        delay->missing += may_follow(b->f, &v->port[in], out);
}

/* Returns whether credits and their data together fit into the link; one ppb of rounding of the share is allowed. */
static bool shares_fit(const struct credit_bound_spec *spec) {
    return spec->share_ppb <= PPB * WIRE_MIN_BYTES / PAIR_WIRE + 1;
}

struct credit_bound *credit_bound_create(const struct fabric *f, const struct credit_bound_spec *spec) {
    struct credit_bound *b = memory_get(1, sizeof *b);
    b->f = f;
    b->spec = *spec;
    b->n_ports = f->paths.first_port[f->n_nodes];
    b->port = memory_get(b->n_ports, sizeof *b->port);
    b->solved = memory_get(b->n_ports, sizeof *b->solved);
    for (uint32_t p = 0; p < b->n_ports; p++) port_begin(b, p);
    if (!shares_fit(spec)) return b;
    for (uint32_t p = 0; p < b->n_ports; p++)
        if (b->port[p].missing == 0) port_solve(b, p);
    for (uint32_t i = 0; i < b->n_solved; i++) port_pass_on(b, b->solved[i]);
    return b;
}

void credit_bound_destroy(struct credit_bound *b) {
    if (!b) return;
    free(b->port);
    free(b->solved);
    free(b);
}

/* ---- results ---- */

uint64_t credit_bound_bytes(const struct credit_bound *b, uint32_t port) {
    span_ps window = b->port[port].window;
    if (window == TIME_NONE) return CREDIT_UNBOUNDED;
    int128 bits_ps = (int128)window * b->f->paths.port[port].rate_bps, byte = 8 * PS_PER_S;
    return (uint64_t)((bits_ps + byte - 1) / byte);
}

uint64_t credit_bound_tier_bytes(const struct credit_bound *b, enum tier tier, bool upwards) {
    const struct path_view *v = &b->f->paths;
    uint64_t most = 0;
    for (uint32_t p = 0; p < b->n_ports; p++) {
        const struct place_port *port = &v->port[p];
        if (b->f->node[port->node].tier != tier || (port->neighbour_tier >= tier) != upwards) continue;
        uint64_t bytes = credit_bound_bytes(b, p);
        if (bytes > most) most = bytes;
    }
    return most;
}

bool credit_bound_delays(const struct credit_bound *b, uint32_t port, span_ps *least, span_ps *most) {
    const struct port_delay *p = &b->port[port];
    *least = p->least;
    *most = p->most;
    return p->window != TIME_NONE && p->least != TIME_NONE;
}
