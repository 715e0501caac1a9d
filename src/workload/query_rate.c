/* SPDX-License-Identifier: Apache-2.0 */
/* Rate and load of the queries of an entry, for `heddle check` (AM-6). */
#include "workload/generate.h"

#include "base/memory.h"

#include <stdlib.h>

/* Returns sum / n, or 0 if n is 0. */
static int64_t mean_of(int128 sum, int128 n) { return n ? (int64_t)(sum / n) : 0; }

/* Returns the wire bytes of a flow and of its ACKs. */
static int64_t flow_wire_bytes(const struct workload_spec *spec, uint64_t bytes) {
    uint64_t frames = (bytes + spec->payload_full_bytes - 1) / spec->payload_full_bytes;
    uint64_t every = spec->ack_every ? spec->ack_every : 1, acks = (frames + every - 1) / every;
    uint32_t extra = spec->wire_full_bytes - spec->payload_full_bytes;
    return (int64_t)(bytes + frames * extra + acks * spec->ack_wire_bytes);
}

static void sizes_fill(const struct workload_spec *spec, struct query_rate *r) {
    int128 bytes = 0, wire = 0;
    for (uint32_t i = 0; i < spec->n_responses; i++) {
        bytes += (int128)spec->response[i];
        wire += flow_wire_bytes(spec, spec->response[i]);
    }
    r->response_bytes = mean_of(bytes, spec->n_responses);
    r->wire_bytes = mean_of(wire, spec->n_responses) + flow_wire_bytes(spec, spec->request_bytes) +
                    (spec->persistent ? 0 : spec->handshake_wire_bytes);
}

static void rates_fill(const struct workload_spec *spec, const struct schedule *s, uint32_t clients,
                       struct query_rate *r) {
    int128 sum = 0, each = spec->kind->queries_each_milli(spec);
    int64_t most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        sum += (int128)s->phase[i].per_1000_s * s->phase[i].span;
        most = max_i64(most, s->phase[i].per_1000_s);
    }
    r->per_1000_s = (int64_t)(mean_of(sum * clients, s->period) * each / 1000);
    r->peak_per_1000_s = (int64_t)((int128)most * clients * each / 1000);
}

/* Returns the share of pairs of client and server that are in different racks. */
static int64_t crossing_ppb(const struct roles *roles, const struct population *p) {
    uint32_t *servers = memory_get(p->n_leaves, sizeof *servers);
    uint8_t *serves = memory_get(p->n_hosts, sizeof *serves);
    int128 pairs = 0, crossing = 0;
    for (uint32_t i = 0; i < roles->n_servers; i++) {
        servers[p->host_leaf[roles->server[i]]]++;
        serves[roles->server[i]] = 1;
    }
    for (uint32_t i = 0; i < roles->n_clients; i++) {
        uint32_t client = roles->client[i];
        pairs += roles->n_servers - serves[client];
        crossing += roles->n_servers - servers[p->host_leaf[client]];
    }
    free(servers);
    free(serves);
    return mean_of(crossing * PPB, pairs);
}

static int64_t load_ppb(int64_t per_1000_s, int64_t bytes, int64_t share_ppb, int64_t capacity_bps) {
    return mean_of((int128)per_1000_s * bytes * 8 * share_ppb / 1000, capacity_bps);
}

static void loads_fill(const struct roles *roles, const struct population *p, struct query_rate *r) {
    int64_t capacity_bps = 0, share_ppb = PPB;
    r->at_uplinks = p->has_tier[TIER_LEAF];
    for (uint32_t l = 0; r->at_uplinks && l < p->n_leaves; l++) capacity_bps += p->leaf_up_bps[l];
    for (uint32_t h = 0; !r->at_uplinks && h < p->n_hosts; h++) capacity_bps += p->host_bps[h];
    if (r->at_uplinks) share_ppb = crossing_ppb(roles, p);
    r->paper_load_ppb = load_ppb(r->per_1000_s, r->response_bytes, PPB, capacity_bps);
    r->paper_peak_ppb = load_ppb(r->peak_per_1000_s, r->response_bytes, PPB, capacity_bps);
    r->wire_load_ppb = load_ppb(r->per_1000_s, r->wire_bytes, share_ppb, capacity_bps);
    r->wire_peak_ppb = load_ppb(r->peak_per_1000_s, r->wire_bytes, share_ppb, capacity_bps);
}

bool query_rate(const struct workload_spec *spec, const struct population *p, struct query_rate *r, struct diag *d) {
    struct roles roles;
    struct schedule schedule;
    *r = (struct query_rate){0};
    bool ok = roles_init(&roles, spec, p, d) && schedule_init(&schedule, spec, d);
    if (ok) {
        sizes_fill(spec, r);
        rates_fill(spec, &schedule, roles.n_clients, r);
        loads_fill(&roles, p, r);
    }
    roles_fini(&roles);
    return ok;
}
