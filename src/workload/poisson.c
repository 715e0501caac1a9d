/* SPDX-License-Identifier: Apache-2.0 */
/* Poisson arrivals: every host is an independent source of the same rate; destinations are uniform among those allowed.
 *
 * The rate follows from the load (SC-4): the expected bytes per second that cross the named tier in one direction are
 * load x the tier's one-way capacity. A flow always crosses the host tier, the ToR uplinks if it leaves its rack, the
 * agg uplinks if it leaves its pod. The share of flows that cross is computed from the population, not sampled.
 * Bytes per flow are the mean of the table in use. The ExpressPass scripts divide by means 1 to 4 % below those of
 * their tables, so their real load is that much above the one they name; ours is the one named.
 */
#include "workload/fields.h"
#include "workload/generate.h"

#include "base/heap.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct poisson_fields *poisson_fields(const struct workload_spec *spec) { return spec->fields; }

#define SHARE_BITS 40              /* fraction bits of sums of shares */
#define GAP_MAX (86400 * PS_PER_S) /* largest mean gap between the flows of a host: a day */
#define START_MAX (INT64_MAX / 2)

struct rates {
    span_ps gap;         /* mean gap between the starts of one host */
    int64_t bytes;       /* mean bytes of a flow, counted as load_bytes says */
    int128 crossing_q40; /* sum over hosts of the share of their flows that cross the tier */
};

static int64_t tier_capacity(const struct workload_spec *spec, const struct population *p, const struct members *m,
                             const bool *in) {
    int64_t sum = 0;
    bool pods = p->has_tier[TIER_AGG];
    if (poisson_fields(spec)->load_at == TIER_HOST) {
        for (uint32_t i = 0; i < m->n; i++) sum += p->host_bps[m->host[i]];
    } else if (poisson_fields(spec)->load_at == TIER_LEAF) {
        for (uint32_t l = 0; l < p->n_leaves; l++) sum += in[pods ? p->leaf_pod[l] : l] ? p->leaf_up_bps[l] : 0;
    } else if (pods) {
        for (uint32_t i = 0; i < p->n_pods; i++) sum += in[i] ? p->pod_up_bps[i] : 0;
    }
    return sum;
}

/* Sets domain[i] to the rack (TIER_LEAF) or pod of member i; returns the number of members of each rack or pod. The
 * caller frees it. */
static uint32_t *domain_sizes(const struct population *p, const struct members *m, enum tier tier, uint32_t *domain) {
    uint32_t *size = memory_get(tier == TIER_LEAF ? p->n_leaves : p->n_pods, sizeof *size);
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t leaf = p->host_leaf[m->host[i]];
        domain[i] = tier == TIER_LEAF ? leaf : p->leaf_pod[leaf];
        size[domain[i]]++;
    }
    return size;
}

/* Returns the sum over the sources of (destinations beyond the tier) / (destinations allowed). */
static int128 crossing_sum_q40(const struct workload_spec *spec, const struct population *p, const struct members *m) {
    if (poisson_fields(spec)->load_at == TIER_HOST) return (int128)m->n << SHARE_BITS;
    uint32_t *domain = memory_get(m->n, sizeof *domain);
    uint32_t *size = domain_sizes(p, m, poisson_fields(spec)->load_at, domain);
    int128 sum = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t allowed = m->n - m->count[i], beyond = m->n - size[domain[i]];
        sum += ((int128)min_i64(beyond, allowed) << SHARE_BITS) / allowed;
    }
    free(domain);
    free(size);
    return sum;
}

static const char *tier_name(enum tier tier) {
    return tier == TIER_HOST ? "host" : tier == TIER_LEAF ? "tor-uplink" : "agg-uplink";
}

static bool spec_fail(const struct workload_spec *spec, struct diag *d, const char *problem, const char *remedy) {
    const struct diag *at = &spec->where;
    return diag_fail(d, at->file, at->line, at->col, "load_at: %s: %s; %s", tier_name(poisson_fields(spec)->load_at),
                     problem, remedy);
}

static bool no_such_tier(const struct workload_spec *spec, const struct population *p, struct diag *d) {
    char remedy[96] = "it has: host";
    for (enum tier tier = TIER_LEAF; tier <= TIER_AGG; tier++) {
        if (!p->has_tier[tier]) continue;
        size_t used = strlen(remedy);
        snprintf(remedy + used, sizeof remedy - used, ", %s", tier_name(tier));
    }
    bool scales_up = p->nics_bps && p->nics_bps[0] != p->host_bps[0];
    return spec_fail(spec, d,
                     scales_up ? "beside scale-up ports it depends on more than racks what crosses it"
                               : "this fabric has no such tier",
                     remedy);
}

static bool rates_gap(const struct workload_spec *spec, int64_t capacity_bps, struct rates *r, struct diag *d) {
    /* gap = sum of crossing shares x bytes x 8 / (load x capacity), in an order that avoids overflow and rounding */
    int128 bits_ps = (int128)r->bytes * 8 * PS_PER_S;
    int128 product;
    if (!__builtin_mul_overflow(bits_ps / 256, r->crossing_q40 >> 8, &product) &&
        !__builtin_mul_overflow(product / capacity_bps, (int128)PPB, &product)) {
        int128 gap = product / poisson_fields(spec)->load_ppb >> (SHARE_BITS - 16);
        if (gap > 0 && gap < GAP_MAX) {
            r->gap = (span_ps)gap;
            return true;
        }
    }
    return spec_fail(spec, d, "the load gives no usable arrival rate", "check load, sizes and link rates");
}

static bool rates_init(const struct workload_spec *spec, const struct population *p, const struct members *m,
                       struct rates *r, struct diag *d) {
    if (poisson_fields(spec)->load_ppb <= 0)
        return spec_fail(spec, d, "the load must be above 0", "give load: 0.5, say");
    uint32_t n_flags;
    bool *in = among_flags(spec, p, &n_flags, d);
    if (!in) return false;
    int64_t capacity_bps = tier_capacity(spec, p, m, in);
    free(in);
    if (!p->has_tier[poisson_fields(spec)->load_at]) return no_such_tier(spec, p, d);
    if (capacity_bps == 0)
        return spec_fail(spec, d, "the members have no links there", "widen among, or name a lower tier");
    r->crossing_q40 = crossing_sum_q40(spec, p, m);
    if (r->crossing_q40 == 0) {
        return spec_fail(spec, d, "no pair of hosts sends across it", "widen pairs or among, or name a lower tier");
    }
    bool wire = poisson_fields(spec)->load_bytes == LOAD_WIRE;
    r->bytes = wire ? sizes_mean_wire_bytes(spec->sizes, spec->wire_full_bytes, spec->payload_full_bytes)
                    : spec->sizes->mean_bytes;
    return rates_gap(spec, capacity_bps, r, d);
}

/* The random streams of one sending host. */
struct source {
    struct random_stream arrivals, sizes, pairs;
};

static bool is_enough(const struct generator *g, time_ps next) {
    const struct workload_spec *spec = g->spec;
    if (spec->stop != TIME_NONE && next >= spec->stop) return true;
    return spec->flows > 0 ? g->made == spec->flows : next > spec->until;
}

/* Merges the hosts' arrivals in the order of time: up to `flows` of them or to the run's end, and before `stop`. */
static bool merge(struct generator *g, const struct members *m, struct source *source, span_ps gap) {
    struct heap next;
    heap_init(&next);
    for (uint32_t i = 0; i < m->n; i++) {
        heap_push(&next, g->spec->start + random_exponential(&source[i].arrivals, gap), i);
    }
    bool ok = true;
    while (ok && !is_enough(g, heap_top(&next)->key)) {
        struct heap_entry e = heap_pop(&next);
        if (e.key > START_MAX) {
            ok = generator_fail(g, "flows would start after more than 53 days; raise the load or lower `flows`");
            break;
        }
        uint32_t dst = m->host[member_draw(m, e.id, &source[e.id].pairs)];
        ok = generator_add(g, e.key, m->host[e.id], dst, (uint64_t)sizes_draw(g->spec->sizes, &source[e.id].sizes));
        heap_push(&next, e.key + random_exponential(&source[e.id].arrivals, gap), e.id);
    }
    heap_fini(&next);
    return ok;
}

static bool poisson_fill(struct generator *g, const struct members *m, span_ps gap) {
    struct source *source = memory_get(m->n, sizeof *source);
    for (uint32_t i = 0; i < m->n; i++) {
        generator_stream(g, &source[i].arrivals, RANDOM_ARRIVALS, m->host[i]);
        generator_stream(g, &source[i].sizes, RANDOM_SIZES, m->host[i]);
        generator_stream(g, &source[i].pairs, RANDOM_PAIRS, m->host[i]);
    }
    bool ok = merge(g, m, source, gap);
    free(source);
    return ok;
}

static bool poisson_generate(struct generator *g) {
    const struct workload_spec *spec = g->spec;
    if (spec->flows == 0 && spec->until == TIME_NONE && spec->stop == TIME_NONE) {
        return generator_fail(g, "poisson without `flows` never ends; give flows or stop, or run.until");
    }
    struct members m;
    struct rates r = {.gap = 1};
    bool ok = members_init(&m, spec, g->p, spec->pairs, g->d) && rates_init(spec, g->p, &m, &r, g->d) &&
              poisson_fill(g, &m, r.gap);
    members_fini(&m);
    return ok;
}

static void rate_fill(const struct workload_spec *spec, const struct members *m, const struct rates *r,
                      struct workload_rate *out) {
    out->flows_per_s_milli = (int64_t)((int128)m->n * PS_PER_S * 1000 / r->gap);
    out->at = poisson_fields(spec)->load_at;
    out->mean_bytes = spec->sizes->mean_bytes;
    out->crossing_ppb = (int64_t)((r->crossing_q40 * PPB / m->n + (1LL << (SHARE_BITS - 1))) >> SHARE_BITS);
    out->wire_load_ppb = poisson_fields(spec)->load_ppb;
    if (poisson_fields(spec)->load_bytes == LOAD_PAYLOAD) {
        int64_t wire = sizes_mean_wire_bytes(spec->sizes, spec->wire_full_bytes, spec->payload_full_bytes);
        out->wire_load_ppb = (int64_t)((int128)poisson_fields(spec)->load_ppb * wire / spec->sizes->mean_bytes);
    }
}

bool workload_rate(const struct workload_spec *spec, const struct population *p, struct workload_rate *out,
                   struct diag *d) {
    *out = (struct workload_rate){0};
    struct members m;
    struct rates r = {.gap = 1};
    bool ok = members_init(&m, spec, p, spec->pairs, d) && rates_init(spec, p, &m, &r, d);
    if (ok) rate_fill(spec, &m, &r, out);
    members_fini(&m);
    return ok;
}

/* ---- the table ---- */

static uint64_t poisson_foresee(const struct workload_spec *spec, const struct population *p) {
    struct workload_rate r;
    struct diag d;
    if (spec->flows > 0 && spec->stop == TIME_NONE) return spec->flows;
    if (!workload_rate(spec, p, &r, &d)) return 0;
    struct workload_spec open = *spec;
    if (spec->flows > 0) open.until = spec->stop; /* a number of flows goes on behind the run's end */
    flow_count n = (flow_count)r.flows_per_s_milli * open_time(&open, true) / (1000 * (flow_count)PS_PER_S);
    return spec->flows > 0 && n > spec->flows ? spec->flows : count_limited(n);
}

static const char *poisson_endless(const struct workload_spec *spec, const char **key) {
    if (spec->flows > 0 || spec->stop != TIME_NONE) return NULL;
    *key = "flows";
    return "these arrivals never end; give flows: N or stop here, or run.until";
}

static const struct param poisson_load = {
    .name = "load",
    .type = PARAM_FRACTION,
    .text = PARAM_REQUIRED,
    .min = 1,
    .max = 10 * PPB,
    .doc = "bytes offered over the capacity of the tier load_at, one way",
    PARAM_OWN_IN(struct poisson_fields, load_ppb),
};
#define LOAD_TIERS "host|tor-uplink|agg-uplink"
_Static_assert(TIER_HOST == 0 && TIER_LEAF == 1 && TIER_AGG == 2, "as LOAD_TIERS names them");
static const struct param poisson_load_at = {
    .name = "load_at",
    .type = PARAM_CHOICE,
    .text = PARAM_REQUIRED,
    .choices = LOAD_TIERS,
    .doc = "the tier that the load is counted at",
    PARAM_OWN_IN(struct poisson_fields, load_at),
};
static const struct param poisson_load_bytes = {
    .name = "load_bytes",
    .type = PARAM_CHOICE,
    .def = LOAD_PAYLOAD,
    .choices = PARAM_CHOICES(LOAD_BYTES),
    .doc = "whether headers and gaps count",
    PARAM_OWN_IN(struct poisson_fields, load_bytes),
};
static const struct param *const poisson_keys[] = {
    WORKLOAD_SIZES,  &poisson_load,   &poisson_load_at, &poisson_load_bytes, &workload_pairs,
    &workload_among, &workload_flows, &workload_start,  &workload_stop,      NULL};

const struct workload_ops workload_poisson = {
    .name = "poisson",
    .paper = "Expeditus 6.1",
    .doc = "random arrivals at a load of a tier, sizes from a distribution",
    .keys = poisson_keys,
    .fields_size = sizeof(struct poisson_fields),
    .generate = poisson_generate,
    .foresee = poisson_foresee,
    .endless = poisson_endless,
    .load = LOAD_RATE,
};
