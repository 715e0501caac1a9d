/* SPDX-License-Identifier: Apache-2.0 */
/* The hosts of a job's ranks. */
#include "workload/fields.h"
#include "workload/jobs/job.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- by placement ---- */

/* Orders hosts so that one of each rack comes after the other: the first of all racks, then the second ones. */
static void round_robin(const struct population *p, uint32_t *host) {
    uint32_t *in_rack = memory_get(p->n_leaves, sizeof *in_rack), *place = memory_get(p->n_hosts, sizeof *place), n = 0;
    for (uint32_t h = 0; h < p->n_hosts; h++) place[h] = in_rack[p->host_leaf[h]]++;
    for (uint32_t k = 0; n < p->n_hosts; k++)
        for (uint32_t h = 0; h < p->n_hosts; h++)
            if (place[h] == k) host[n++] = h;
    free(in_rack);
    free(place);
}

static void shuffle(const struct generator *g, uint32_t *host, uint32_t n) {
    struct random_stream r;
    generator_stream(g, &r, RANDOM_PAIRS, NODE_NONE);
    for (uint32_t i = n; i-- > 1;) {
        uint32_t k = (uint32_t)random_below(&r, i + 1), swap = host[i];
        host[i] = host[k];
        host[k] = swap;
    }
}

/* Returns all hosts in the order of the placement. */
static uint32_t *placed(const struct generator *g, enum placement placement) {
    uint32_t *host = memory_get(g->p->n_hosts, sizeof *host);
    for (uint32_t h = 0; h < g->p->n_hosts; h++) host[h] = h;
    if (placement == PLACEMENT_ROUND_ROBIN) round_robin(g->p, host);
    if (placement == PLACEMENT_RANDOM) shuffle(g, host, g->p->n_hosts);
    return host;
}

/* Returns the number that a text is, 0 if it is none. */
static uint32_t count_in(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return text[digits] == '\0' && digits > 0 && digits < 10 ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static uint32_t *ranks_counted(const struct generator *g, const char *text, enum placement placement, uint32_t *n) {
    *n = text ? count_in(text) : g->p->n_hosts;
    if (*n < 2) {
        generator_fail(g, "ranks: %s is not how many take part; give a number from 2, or a list of hosts",
                       text ? text : "1");
        return NULL;
    }
    if (*n > g->p->n_hosts) {
        generator_fail(g, "ranks: %u, but the fabric has %u hosts; write at most %u", *n, g->p->n_hosts, g->p->n_hosts);
        return NULL;
    }
    return placed(g, placement);
}

/* ---- by name ---- */

static bool is_among(const uint32_t *host, uint32_t n, uint32_t wanted) {
    for (uint32_t i = 0; i < n; i++)
        if (host[i] == wanted) return true;
    return false;
}

static uint32_t *ranks_named(const struct generator *g, const char *const *name, uint32_t n) {
    uint32_t *host = memory_get(n, sizeof *host);
    char why[200] = "";
    for (uint32_t i = 0; i < n; i++) {
        bool found = g->spec->host_find(g->spec->host_context, name[i], false, &host[i], why, sizeof why);
        if (found && !is_among(host, i, host[i])) continue;
        if (found)
            generator_fail(g, "ranks: %s stands there twice; name each host once", name[i]);
        else
            generator_fail(g, "ranks: %s", why);
        free(host);
        return NULL;
    }
    return host;
}

uint32_t *ranks_of(const struct generator *g, const char *const *rank, uint32_t n_names, enum placement placement,
                   uint32_t *n) {
    *n = n_names;
    if (n_names > 1 && placement != PLACEMENT_PACKED) {
        generator_fail(g, "placement: the hosts of the ranks are named, so it would do nothing; leave it out");
        return NULL;
    }
    return n_names > 1 ? ranks_named(g, rank, n_names) : ranks_counted(g, n_names ? rank[0] : NULL, placement, n);
}

uint32_t ranks_foreseen(const char *const *rank, uint32_t n_names, const struct population *p) {
    return n_names > 1 ? n_names : n_names ? count_in(rank[0]) : p->n_hosts;
}

bool ranks_placement_check(const struct generator *g) {
    if (g->spec->placement >= PLACEMENT_OF_RANKS) return true;
    return generator_fail(g,
                          "placement: it says where clients and servers are; ranks have packed, round-robin or random");
}

const struct param ranks_placement = {
    .name = "placement",
    .type = PARAM_CHOICE,
    .text = "none",
    .without = PLACEMENT_PACKED,
    .choices = PARAM_CHOICES(PLACEMENTS),
    .doc =
        "where the ranks are, unless their hosts are named; packed: on the first hosts, rack by rack; round-robin: one "
        "rack after the other; random; none: packed",
    PARAM_IN(struct workload_spec, placement),
};
