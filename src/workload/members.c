/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/generate.h"

#include "base/memory.h"

#include <stdlib.h>

enum pairs pairs_apart(const struct population *p) {
    return p->has_tier[TIER_AGG] ? PAIRS_INTER_POD : PAIRS_INTER_RACK;
}

static bool spec_fail(const struct workload_spec *spec, struct diag *d, const char *text) {
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "%s", text);
}

bool *among_flags(const struct workload_spec *spec, const struct population *p, uint32_t *n, struct diag *d) {
    bool pods = p->has_tier[TIER_AGG];
    *n = pods ? p->n_pods : p->n_leaves;
    bool *in = memory_get(*n, sizeof *in);
    for (uint32_t i = 0; i < *n; i++) in[i] = !spec->among;
    for (uint32_t i = 0; spec->among && i < spec->n_among; i++) {
        if (spec->among[i] >= *n) {
            diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                      "among: there is no %s %u; they are numbered 0 to %u", pods ? "pod" : "rack", spec->among[i],
                      *n - 1);
            free(in);
            return NULL;
        }
        in[spec->among[i]] = true;
    }
    return in;
}

static uint32_t group_of(const struct population *p, enum pairs pairs, uint32_t host) {
    if (pairs == PAIRS_ANY) return host;
    uint32_t leaf = p->host_leaf[host];
    return pairs == PAIRS_INTER_RACK ? leaf : p->leaf_pod[leaf];
}

struct member {
    uint32_t group, host;
};

static int member_compare(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->host > y->host) - (x->host < y->host);
}

static void members_fill(struct members *m, const struct member *sorted) {
    m->host = memory_get(m->n, sizeof *m->host);
    m->group = memory_get(m->n, sizeof *m->group);
    m->first = memory_get(m->n, sizeof *m->first);
    m->count = memory_get(m->n, sizeof *m->count);
    for (uint32_t from = 0, to; from < m->n; from = to) {
        for (to = from; to < m->n && sorted[to].group == sorted[from].group; to++) continue;
        for (uint32_t i = from; i < to; i++) {
            m->host[i] = sorted[i].host;
            m->group[i] = sorted[i].group;
            m->first[i] = from;
            m->count[i] = to - from;
        }
    }
}

bool members_init(struct members *m, const struct workload_spec *spec, const struct population *p, enum pairs pairs,
                  struct diag *d) {
    *m = (struct members){0};
    uint32_t n_flags;
    bool *in = among_flags(spec, p, &n_flags, d);
    if (!in) return false;
    struct member *list = memory_get(p->n_hosts, sizeof *list);
    for (uint32_t h = 0; h < p->n_hosts; h++) {
        uint32_t leaf = p->host_leaf[h];
        if (in[p->has_tier[TIER_AGG] ? p->leaf_pod[leaf] : leaf])
            list[m->n++] = (struct member){group_of(p, pairs, h), h};
    }
    free(in);
    if (m->n > 1) qsort(list, m->n, sizeof *list, member_compare);
    members_fill(m, list);
    free(list);
    if (m->n < 2) return spec_fail(spec, d, "fewer than two hosts take part; widen `among` or the fabric");
    if (m->count[0] < m->n) return true;
    return spec_fail(spec, d,
                     pairs == PAIRS_INTER_POD
                         ? "no pair of hosts lies in different pods; use pairs: inter-rack or any, or more pods"
                         : "no pair of hosts lies in different racks; use pairs: any, or more racks");
}

void members_fini(struct members *m) {
    free(m->host);
    free(m->group);
    free(m->first);
    free(m->count);
    *m = (struct members){0};
}

uint32_t member_draw(const struct members *m, uint32_t i, struct random_stream *r) {
    uint32_t at = (uint32_t)random_below(r, m->n - m->count[i]);
    return at < m->first[i] ? at : at + m->count[i];
}
