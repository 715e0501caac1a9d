/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns with fixed receivers and one flow per sender (EXP-F13), shuffle, and long flows.
 *
 * With `gap` the senders start in random order, the first at `start`, with exponential gaps of that mean between one
 * start and the next. Without `gap` all start at once.
 */
#include "workload/fields.h"
#include "workload/generate.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static const struct stride_fields *stride_fields(const struct workload_spec *spec) { return spec->fields; }
static const struct shuffle_fields *shuffle_fields(const struct workload_spec *spec) { return spec->fields; }

#define START_MAX (INT64_MAX / 2)

/* ---- Random orders ---- */

static void shuffle(uint32_t *a, uint32_t n, struct random_stream *r) {
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)random_below(r, i), kept = a[i - 1];
        a[i - 1] = a[j];
        a[j] = kept;
    }
}

static uint32_t *identity(uint32_t n) {
    uint32_t *a = memory_get(n, sizeof *a);
    for (uint32_t i = 0; i < n; i++) a[i] = i;
    return a;
}

/* Returns a random receiver to[i] for each member i, outside its group; each member is a receiver once. NULL: a group
 * has more than half of the members. The caller frees the array.
 *
 * It shuffles the members. Then each i with a receiver in its own group g exchanges receivers with a j for which both
 * results are right; the search for j begins at a random place. Such a j exists: i cannot exchange with the n_g members
 * of g nor with the n_g members that send to g, and since i is in both sets they have at most 2 n_g - 1 < n members. */
static uint32_t *derangement(const struct members *m, struct random_stream *r) {
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->count[i] > m->n - m->count[i]) return NULL;
    }
    uint32_t *to = identity(m->n);
    shuffle(to, m->n, r);
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->group[i] != m->group[to[i]]) continue;
        uint32_t j = (uint32_t)random_below(r, m->n);
        while (m->group[i] == m->group[to[j]] || m->group[j] == m->group[to[i]]) j = j + 1 < m->n ? j + 1 : 0;
        uint32_t kept = to[i];
        to[i] = to[j];
        to[j] = kept;
    }
    return to;
}

/* ---- One flow per sender ---- */

/* Adds one flow per member: order[k] starts k-th, and member i sends to member to[i]. */
static bool start_in_order(struct generator *g, const struct members *m, const uint32_t *order, const uint32_t *to) {
    const struct workload_spec *spec = g->spec;
    struct random_stream starts, sizes;
    generator_stream(g, &starts, RANDOM_ARRIVALS, NODE_NONE);
    time_ps at = spec->start;
    for (uint32_t k = 0; k < m->n; k++) {
        if (k > 0 && spec->gap > 0) at += random_exponential(&starts, spec->gap);
        if (at > START_MAX) return generator_fail(g, "flows would start after more than 53 days; lower `gap`");
        uint32_t src = m->host[order[k]];
        generator_stream(g, &sizes, RANDOM_SIZES, src);
        uint64_t bytes = spec->sizes ? (uint64_t)sizes_draw(spec->sizes, &sizes) : UINT64_MAX;
        if (!generator_add(g, at, src, m->host[to[order[k]]], bytes)) return false;
    }
    return true;
}

static bool start_all(struct generator *g, const struct members *m, const uint32_t *to) {
    uint32_t *order = identity(m->n);
    if (g->spec->gap > 0) {
        struct random_stream r;
        generator_stream(g, &r, RANDOM_PAIRS, NODE_NONE - 1);
        shuffle(order, m->n, &r);
    }
    bool ok = start_in_order(g, m, order, to);
    free(order);
    return ok;
}

static bool deranged_generate(struct generator *g, enum pairs pairs) {
    struct members m;
    bool ok = members_init(&m, g->spec, g->p, pairs, g->d);
    if (ok) {
        struct random_stream r;
        generator_stream(g, &r, RANDOM_PAIRS, NODE_NONE);
        uint32_t *to = derangement(&m, &r);
        ok = to ? start_all(g, &m, to)
                : generator_fail(g,
                                 "one %s has more than half of the hosts, so they cannot all have receivers elsewhere; "
                                 "use pairs: any, or kind: random",
                                 pairs == PAIRS_INTER_POD ? "pod" : "rack");
        free(to);
    }
    members_fini(&m);
    return ok;
}

static bool permutation_generate(struct generator *g) { return deranged_generate(g, g->spec->pairs); }

static bool bijection_generate(struct generator *g) { return deranged_generate(g, pairs_apart(g->p)); }

static bool random_generate(struct generator *g) {
    struct members m;
    bool ok = members_init(&m, g->spec, g->p, pairs_apart(g->p), g->d);
    if (ok) {
        uint32_t *to = memory_get(m.n, sizeof *to);
        for (uint32_t i = 0; i < m.n; i++) {
            struct random_stream r;
            generator_stream(g, &r, RANDOM_PAIRS, m.host[i]);
            to[i] = member_draw(&m, i, &r);
        }
        ok = start_all(g, &m, to);
        free(to);
    }
    members_fini(&m);
    return ok;
}

/* Returns the number of members in the pod of the first member (in its rack in two tiers). */
static uint32_t default_offset(const struct population *p, const struct members *m) {
    bool pods = pairs_apart(p) == PAIRS_INTER_POD;
    uint32_t count = 0, leaf = p->host_leaf[m->host[0]];
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t other = p->host_leaf[m->host[i]];
        count += pods ? p->leaf_pod[other] == p->leaf_pod[leaf] : other == leaf;
    }
    return count;
}

static bool stride_generate(struct generator *g) {
    struct members m;
    bool ok = members_init(&m, g->spec, g->p, PAIRS_ANY, g->d);
    if (ok) {
        assert(m.n >= 2);
        uint32_t offset = stride_fields(g->spec)->offset ? stride_fields(g->spec)->offset : default_offset(g->p, &m);
        uint32_t *to = memory_get(m.n, sizeof *to);
        for (uint32_t i = 0; i < m.n; i++) to[i] = (uint32_t)(((uint64_t)i + offset) % m.n);
        ok = offset % m.n != 0
                 ? start_all(g, &m, to)
                 : generator_fail(g,
                                  "with an offset of %u every one of the %u hosts would send to itself; give "
                                  "offset: 1 to %u",
                                  offset, m.n, m.n - 1);
        free(to);
    }
    members_fini(&m);
    return ok;
}

/* ---- Shuffle ---- */

/* Adds the flows of one host: to each other host in the order of their numbers, task by task. */
static bool shuffle_from(struct generator *g, const struct members *m, uint32_t src) {
    const struct workload_spec *spec = g->spec;
    uint64_t tasks = shuffle_fields(spec)->tasks ? shuffle_fields(spec)->tasks : 1;
    struct random_stream starts, sizes;
    generator_stream(g, &starts, RANDOM_ARRIVALS, src);
    generator_stream(g, &sizes, RANDOM_SIZES, src);
    for (uint32_t i = 0; i < m->n; i++) {
        for (uint64_t k = 0; m->host[i] != src && k < tasks * tasks; k++) {
            time_ps at = spec->start;
            if (spec->within > 0) at += (span_ps)random_below(&starts, (uint64_t)spec->within);
            uint64_t bytes = (uint64_t)sizes_draw(spec->sizes, &sizes);
            if (!generator_add(g, at, src, m->host[i], bytes)) return false;
        }
    }
    return true;
}

/* Checks the number and the starts of the flows before their memory is allocated. */
static bool shuffle_fits(const struct generator *g, uint32_t hosts) {
    const struct workload_spec *spec = g->spec;
    uint128 flows = (uint128)hosts * (hosts - 1) * shuffle_fields(spec)->tasks * shuffle_fields(spec)->tasks;
    if (flows > FLOW_NONE) {
        return generator_fail(g, "tasks: %u on each of %u hosts make more than %u flows; lower it",
                              shuffle_fields(spec)->tasks, hosts, FLOW_NONE);
    }
    if (spec->start <= START_MAX && spec->within <= START_MAX - spec->start) return true;
    return generator_fail(g, "flows would start after more than 53 days; lower `start` or `within`");
}

static bool shuffle_generate(struct generator *g) {
    struct members m;
    bool ok = members_init(&m, g->spec, g->p, PAIRS_ANY, g->d) && shuffle_fits(g, m.n);
    for (uint32_t i = 0; ok && i < m.n; i++) ok = shuffle_from(g, &m, m.host[i]);
    members_fini(&m);
    return ok;
}

/* ---- Long flows ---- */

/* Adds the flow from src to dst. */
static bool long_add(struct generator *g, uint32_t src, uint32_t dst) {
    const struct workload_spec *spec = g->spec;
    struct random_stream starts, sizes;
    generator_stream(g, &starts, RANDOM_ARRIVALS, src);
    generator_stream(g, &sizes, RANDOM_SIZES, src);
    time_ps at = spec->start;
    if (spec->within > 0) at += (span_ps)random_below(&starts, (uint64_t)spec->within);
    uint64_t bytes = spec->sizes ? (uint64_t)sizes_draw(spec->sizes, &sizes) : UINT64_MAX;
    return generator_add(g, at, src, dst, bytes);
}

/* Checks that all flows of the entry start before it stops, and before the latest start that time_ps can hold. */
static bool long_starts_fit(const struct generator *g) {
    const struct workload_spec *spec = g->spec;
    if (spec->start > START_MAX || spec->within > START_MAX - spec->start) {
        return generator_fail(g, "flows would start after more than 53 days; lower `start` or `within`");
    }
    if (spec->stop > spec->start && spec->stop - spec->start > spec->within) return true;
    return generator_fail(g, spec->within > 0 ? "stop is not after start + within; give a later one"
                                              : "stop is not after start; give a later one");
}

static bool long_generate(struct generator *g) {
    const struct workload_spec *spec = g->spec;
    if (!long_starts_fit(g)) return false;
    if (spec->src == NODE_NONE && spec->dst == NODE_NONE) {
        if (spec->flows > 0) return generator_fail(g, "flows: give the src and dst of the first, or leave `flows` out");
        if (spec->within > 0) return generator_fail(g, "within: give src and dst, or leave `within` out");
        return deranged_generate(g, spec->pairs);
    }
    uint32_t n = g->p->n_hosts;
    if (spec->src >= n || spec->dst >= n) {
        return generator_fail(g, "give both a source and a destination, hosts numbered 0 to %u, or neither", n - 1);
    }
    if (spec->src == spec->dst)
        return generator_fail(g, "host %u would send to itself; give another destination", spec->src);
    uint64_t flows = spec->flows ? spec->flows : 1, room = n - (spec->src > spec->dst ? spec->src : spec->dst);
    if (flows > room) {
        return generator_fail(g, "flows: %llu, but from src and dst on there are hosts for %llu; write at most %llu",
                              (unsigned long long)flows, (unsigned long long)room, (unsigned long long)room);
    }
    bool ok = true;
    for (uint32_t k = 0; ok && k < flows; k++) ok = long_add(g, spec->src + k, spec->dst + k);
    return ok;
}

/* ---- the tables ---- */

uint64_t foresee_one_each(const struct workload_spec *spec, const struct population *p) {
    (void)spec;
    return p->n_hosts;
}

static const struct param *const permutation_keys[] = {WORKLOAD_SIZES, &workload_pairs, &workload_among,
                                                       &workload_gap,  &workload_start, NULL};

const struct workload_ops workload_permutation = {
    .name = "permutation",
    .paper = "SprayPass 4",
    .doc = "every host sends to one other, by a random derangement",
    .keys = permutation_keys,
    .generate = permutation_generate,
    .foresee = foresee_one_each,
};

static const struct param stride_offset = {
    .name = "offset",
    .type = PARAM_COUNT,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "host i sends to i + offset; 0: the hosts of a pod (of a rack in two tiers)",
    PARAM_OWN_IN(struct stride_fields, offset),
};
static const struct param *const stride_keys[] = {WORKLOAD_SIZES, &workload_among, &workload_gap,
                                                  &stride_offset, &workload_start, NULL};

const struct workload_ops workload_stride = {
    .name = "stride",
    .paper = "Expeditus, Figure 13",
    .doc = "host i sends to host i + offset",
    .keys = stride_keys,
    .fields_size = sizeof(struct stride_fields),
    .generate = stride_generate,
    .foresee = foresee_one_each,
};

static const struct param *const apart_keys[] = {WORKLOAD_SIZES, &workload_among, &workload_gap, &workload_start, NULL};

const struct workload_ops workload_bijection = {
    .name = "bijection",
    .paper = "Expeditus, Figure 13",
    .doc = "random receiver in another pod, one sender each",
    .keys = apart_keys,
    .generate = bijection_generate,
    .foresee = foresee_one_each,
};

const struct workload_ops workload_random = {
    .name = "random",
    .paper = "Expeditus, Figure 13",
    .doc = "random receiver in another pod, receivers may repeat",
    .keys = apart_keys,
    .generate = random_generate,
    .foresee = foresee_one_each,
};

/* Returns 0 for more flows than a list can hold, which shuffle_fits refuses. */
static uint64_t shuffle_foresee(const struct workload_spec *spec, const struct population *p) {
    flow_count hosts = p->n_hosts, tasks = shuffle_fields(spec)->tasks ? shuffle_fields(spec)->tasks : 1,
               n = hosts * (hosts - 1) * tasks * tasks;
    return n > FLOW_NONE ? 0 : (uint64_t)n;
}

static const struct param shuffle_tasks = {
    .name = "tasks",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "tasks of a host; each sends a flow to every task of every other host: tasks x tasks flows per pair",
    PARAM_OWN_IN(struct shuffle_fields, tasks),
};
static const struct param shuffle_within = {
    .name = "within",
    .type = PARAM_TIME,
    .text = "none",
    .without = PS_PER_MS,
    .max = WORKLOAD_TIME_MAX,
    .doc = "each flow starts at random in this time, uniformly; 0: all at once; none: 1ms",
    PARAM_IN(struct workload_spec, within),
};
static const struct param *const shuffle_keys[] = {WORKLOAD_SIZES,  &workload_among, &shuffle_tasks,
                                                   &shuffle_within, &workload_start, NULL};

const struct workload_ops workload_shuffle = {
    .name = "shuffle",
    .paper = "ExpressPass, Figure 8",
    .doc = "every task of a host sends to every task of every other host",
    .keys = shuffle_keys,
    .fields_size = sizeof(struct shuffle_fields),
    .generate = shuffle_generate,
    .foresee = shuffle_foresee,
};

static uint64_t long_foresee(const struct workload_spec *spec, const struct population *p) {
    return spec->src == NODE_NONE ? p->n_hosts : spec->flows ? spec->flows : 1;
}

static const char *long_endless(const struct workload_spec *spec, const char **key) {
    if (spec->sizes || spec->stop != TIME_NONE) return NULL;
    *key = "stop";
    return "these flows never end; give stop here or run.until";
}

static const struct param long_src = {
    .name = "src",
    .type = PARAM_HOST,
    .text = "none",
    .without = NODE_NONE,
    .doc = "one sender, by name or number; none: all, paired as `pairs` says",
    PARAM_IN(struct workload_spec, src),
};
static const struct param long_dst = {
    .name = "dst",
    .type = PARAM_HOST,
    .text = "none",
    .without = NODE_NONE,
    .doc = "its receiver",
    PARAM_IN(struct workload_spec, dst),
};
static const struct param *const long_keys[] = {
    WORKLOAD_SIZES,  &workload_pairs, &workload_among, &workload_flows, &workload_within,
    &workload_start, &workload_stop,  &long_src,       &long_dst,       NULL};

const struct workload_ops workload_long = {
    .name = "long",
    .paper = "ExpressPass, Figure 7",
    .doc = "flows with a start and a stop",
    .keys = long_keys,
    .generate = long_generate,
    .foresee = long_foresee,
    .endless = long_endless,
    .sizes_optional = true,
    .stops = true,
};
