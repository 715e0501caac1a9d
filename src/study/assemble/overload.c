/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/overload.h"

#include "base/memory.h"
#include "workload/sizes.h"

#include <stdlib.h>

#define MIN_FRAME_BYTES 84 /* an ACK or a credit on the wire */
#define TRACE_FLOWS 100

const char *load_tier_name(int tier) {
    static const char *const names[] = {"host links", "ToR uplinks", "agg uplinks"};
    return names[tier];
}

/* ---- which flows cross which links ---- */

/* The flows of one workload entry, by the links they cross. */
struct crossing {
    uint64_t flows, across[3]; /* all, and those across host links, ToR uplinks, agg uplinks */
    uint64_t bytes;            /* payload */
    time_ps first, last;       /* starts */
    bool *host, *leaf, *pod;   /* true if it sends or receives across the links above it */
};

static void crossing_add(struct crossing *x, const struct population *p, const struct flow *f) {
    uint32_t from = p->host_leaf[f->src], to = p->host_leaf[f->dst];
    enum tier highest = population_crossed(p, f->src, f->dst);
    x->flows++;
    x->bytes += f->bytes;
    x->first = min_i64(x->first, f->start);
    x->last = max_i64(x->last, f->start);
    for (enum tier t = TIER_HOST; t <= highest; t++) x->across[t]++;
    x->host[f->src] = x->host[f->dst] = true;
    if (highest >= TIER_LEAF) x->leaf[from] = x->leaf[to] = true;
    if (highest >= TIER_AGG) x->pod[p->leaf_pod[from]] = x->pod[p->leaf_pod[to]] = true;
}

static double capacity(const bool *part, const int64_t *bps, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += part[i] ? (double)bps[i] : 0;
    return sum;
}

/* ---- wire bytes of a flow ---- */

/* Returns the wire bytes of a mean flow, with the ACKs or credits that answer it. */
static double wire_bytes(const struct assembly *a, const struct workload_spec *spec, double payload, double wire) {
    const struct host_config *h = &a->world.hosts;
    const struct transport_ops *t = h->transport[spec->transport];
    double frames = (wire - payload) / (double)(spec->wire_full_bytes - spec->payload_full_bytes), answers = 0;
    struct transport_talk talk = {.ack_every = 1};
    if (t->base->talk) talk = t->base->talk(h->transport_params[spec->transport]);
    if (t->base->talk || t->needs.credit) answers = frames / (double)talk.ack_every;
    return wire + MIN_FRAME_BYTES * answers;
}

/* ---- entry by entry ---- */

/* Sets the flows per second of an entry and their mean wire bytes; false if the entry is no load. */
static bool rate_of(const struct assembly *a, const struct workload_spec *spec, const struct crossing *x, double *per_s,
                    double *bytes) {
    const struct population *p = &a->fabric->population;
    double payload, wire;
    if (spec->kind->load == LOAD_RATE) {
        struct workload_rate r;
        struct diag ignored;
        if (!workload_rate(spec, p, &r, &ignored)) return false;
        *per_s = (double)r.flows_per_s_milli / 1e3;
        /* The share of flows across the named tier is known exactly: it replaces that of the flows drawn. */
        if (x->across[r.at]) *per_s *= (double)r.crossing_ppb / 1e9 * (double)x->flows / (double)x->across[r.at];
        payload = (double)r.mean_bytes;
        wire = (double)sizes_mean_wire_bytes(spec->sizes, spec->wire_full_bytes, spec->payload_full_bytes);
    } else {
        if (spec->kind->load != LOAD_FLOWS || x->flows < TRACE_FLOWS || x->last <= x->first) return false;
        *per_s = (double)(x->flows - 1) * (double)PS_PER_S / (double)(x->last - x->first);
        payload = (double)x->bytes / (double)x->flows;
        wire = payload * spec->wire_full_bytes / spec->payload_full_bytes;
    }
    *bytes = wire_bytes(a, spec, payload, wire);
    return true;
}

static void entry_add(const struct assembly *a, size_t entry, struct offered_load *load) {
    const struct population *p = &a->fabric->population;
    const struct workload_spec *spec = &a->workload[entry];
    struct crossing x = {.first = TIME_NONE,
                         .host = memory_get(p->n_hosts, sizeof(bool)),
                         .leaf = memory_get(p->n_leaves, sizeof(bool)),
                         .pod = memory_get(p->n_pods + 1u, sizeof(bool))};
    for (uint32_t i = 0; i < a->flows.n; i++)
        if (a->flows.flow[i].entry == entry) crossing_add(&x, p, &a->flows.flow[i]);
    const double bps[] = {capacity(x.host, p->host_bps, p->n_hosts), capacity(x.leaf, p->leaf_up_bps, p->n_leaves),
                          p->has_tier[TIER_AGG] ? capacity(x.pod, p->pod_up_bps, p->n_pods) : 0};
    double per_s, bytes;
    if (x.flows && rate_of(a, spec, &x, &per_s, &bytes)) {
        for (int t = 0; t < 3; t++)
            if (bps[t] > 0) load->share[t] += per_s * bytes * 8 * (double)x.across[t] / (double)x.flows / bps[t];
    }
    free(x.host);
    free(x.leaf);
    free(x.pod);
}

static void queries_add(const struct assembly *a, size_t entry, struct offered_load *load) {
    struct query_rate r;
    struct diag ignored;
    if (!query_rate(&a->workload[entry], &a->fabric->population, &r, &ignored)) return;
    load->share[r.at_uplinks] += (double)r.wire_load_ppb / 1e9;
}

struct offered_load offered_load(const struct assembly *a) {
    struct offered_load load = {{0}};
    for (size_t i = 0; i < a->n_workload; i++) {
        enum workload_load kind = a->workload[i].kind->load;
        if (kind == LOAD_RATE || kind == LOAD_FLOWS) entry_add(a, i, &load);
        if (kind == LOAD_QUERIES) queries_add(a, i, &load);
    }
    return load;
}

/* ---- after failures ---- */

/* The uplinks of one switch: their rates now, and whether they are up. */
struct uplinks {
    int64_t *bps;
    bool *up;
    uint32_t n;
};

static double uplinks_bps(const struct uplinks *u) {
    double sum = 0;
    for (uint32_t i = 0; i < u->n; i++) sum += u->up[i] ? (double)u->bps[i] : 0;
    return sum;
}

static void uplink_change(struct uplinks *u, uint32_t i, const struct fabric_event *e) {
    if (e->kind == EVENT_LINK_DOWN) u->up[i] = false;
    if (e->kind == EVENT_LINK_UP) u->up[i] = true;
    if (e->kind == EVENT_RATE) u->bps[i] = e->value;
}

/* Raises *worst to what a switch is offered at the worst time. Its events are in the order of time. */
static void switch_after(const struct assembly *a, uint32_t node, double share, struct load_after_failures *worst) {
    const struct fabric *f = a->fabric;
    uint16_t first = f->place[node - f->n_hosts].first_uplink;
    uint32_t port = f->paths.first_port[node] + first, n = f->paths.first_port[node + 1] - port;
    struct uplinks u = {memory_get(n, sizeof *u.bps), memory_get(n, sizeof *u.up), n};
    for (uint32_t i = 0; i < n; i++) {
        u.bps[i] = f->paths.port[port + i].rate_bps;
        u.up[i] = true;
    }
    double nominal = uplinks_bps(&u);
    for (uint32_t e = f->first_event[node]; e < f->first_event[node + 1]; e++) {
        const struct fabric_event *x = &f->event[e];
        bool is_change = x->kind == EVENT_LINK_DOWN || x->kind == EVENT_LINK_UP || x->kind == EVENT_RATE;
        if (!is_change || x->port < first || x->at >= a->world.until) continue;
        uplink_change(&u, (uint32_t)(x->port - first), x);
        double left = uplinks_bps(&u), now = left > 0 ? share * nominal / left : 0;
        if (now > share && now > worst->share) *worst = (struct load_after_failures){now, node, x->at};
    }
    free(u.bps);
    free(u.up);
}

void offered_load_after(const struct assembly *a, const struct offered_load *load,
                        struct load_after_failures after[3]) {
    const struct fabric *f = a->fabric;
    for (int t = 0; t < 3; t++) after[t] = (struct load_after_failures){0};
    for (uint32_t s = 0; s < f->n_switches; s++) {
        enum tier tier = f->node[f->n_hosts + s].tier;
        if (tier == TIER_LEAF || tier == TIER_AGG) switch_after(a, f->n_hosts + s, load->share[tier], &after[tier]);
    }
}

int offered_load_worst(const struct offered_load *l) {
    int worst = 0;
    for (int t = 1; t < 3; t++)
        if (l->share[t] > l->share[worst]) worst = t;
    return worst;
}
