/* SPDX-License-Identifier: Apache-2.0 */
/* Rail-optimised fabrics for GPUs: in each server GPUs are joined by a scale-up switch, and GPU r of all servers of a segment
 * by one ToR, rail r. All ToRs are linked to all spines.
 *
 * A GPU is a host with two ports: one to its scale-up switch, one (its NIC) to its rail. Frames take the nearest ports
 * (fabric/nics.h): between GPUs of a server the scale-up ports, on one rail the ToR alone, else a spine. Nothing is sent through
 * another GPU. Names: host3.4 (server, GPU), scaleup3, tor0.4 (segment, rail), spine1. GPUs are numbered server by server, so
 * ranks that are packed fill a server after the other. For workloads a rack is a server.
 * Rates and delays: host_rate and host_link_delay are those of NICs. The defaults of scale-up are those of the topology
 * templates of SimAI.
 */
#include "fabric/fabric_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAILS_SEGMENTS, RAILS_SERVERS, RAILS_GPUS, RAILS_SCALE_UP_RATE, RAILS_SCALE_UP_DELAY };

struct rails_size {
    uint32_t segments, servers, gpus, spines; /* servers of all segments */
    uint32_t hosts, tors;
};

/* ---- names ---- */

static void rails_name(const struct rails_size *n, uint32_t node, char *out, size_t size) {
    if (node < n->hosts)
        snprintf(out, size, "host%u.%u", node / n->gpus, node % n->gpus);
    else if ((node -= n->hosts) < n->servers)
        snprintf(out, size, "scaleup%u", node);
    else if ((node -= n->servers) < n->tors)
        snprintf(out, size, "tor%u.%u", node / n->gpus, node % n->gpus);
    else
        snprintf(out, size, "spine%u", node - n->tors);
}

static int rails_name_order(const void *pa, const void *pb, void *names) {
    char *const *name = names;
    return strcmp(name[*(const uint32_t *)pa], name[*(const uint32_t *)pb]);
}

#define RAILS_NAME_MAX 40

static void rails_fill_names(struct fabric *f, const struct rails_size *n) {
    struct fabric_store *store = f->store;
    char *text = fabric_own(f, f->n_nodes, RAILS_NAME_MAX);
    store->name = fabric_own(f, f->n_nodes, sizeof *store->name);
    store->by_name = fabric_own(f, f->n_nodes, sizeof *store->by_name);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        store->name[i] = text + (size_t)i * RAILS_NAME_MAX;
        store->by_name[i] = i;
        rails_name(n, i, store->name[i], RAILS_NAME_MAX);
    }
    qsort_r(store->by_name, f->n_nodes, sizeof *store->by_name, rails_name_order, store->name);
}

/* ---- nodes and links ---- */

static void rails_link_hosts(struct fabric *f, const struct fabric_spec *spec, const struct rails_size *n) {
    uint32_t per_segment = n->servers / n->segments;
    for (uint32_t h = 0; h < n->hosts; h++) {
        uint32_t server = h / n->gpus, rail = h % n->gpus, tor = server / per_segment * n->gpus + rail;
        f->node[h].leaf = server;
        f->node[h].index = rail;
        fabric_make_link(f, h, n->hosts + server, spec->own[RAILS_SCALE_UP_RATE], spec->own[RAILS_SCALE_UP_DELAY]);
        fabric_make_link(f, h, n->hosts + n->servers + tor, spec->host_bps, spec->host_delay);
    }
}

static void rails_assemble(struct fabric *f, const struct fabric_spec *spec, const struct rails_size *n) {
    uint32_t first_tor = n->hosts + n->servers, first_spine = first_tor + n->tors;
    fabric_make_nodes(f, n->hosts, n->servers + n->tors, n->spines, 0);
    f->n_pods = 1;
    rails_link_hosts(f, spec, n);
    for (uint32_t i = 0; i < f->n_leaves; i++) f->node[n->hosts + i].index = i;
    for (uint32_t s = 0; s < n->spines; s++) f->node[first_spine + s].index = s;
    for (uint32_t t = 0; t < n->tors; t++)
        for (uint32_t s = 0; s < n->spines; s++)
            fabric_make_link(f, first_tor + t, first_spine + s, spec->uplink_bps, spec->uplink_delay);
    rails_fill_names(f, n);
}

/* Returns false after filling *d if a size is 0, or servers and GPUs are so many that their product is no number of nodes. */
static bool rails_sizes_fit(const struct fabric_spec *spec, struct diag *d) {
    const uint64_t segments = (uint64_t)spec->own[RAILS_SEGMENTS], servers = (uint64_t)spec->own[RAILS_SERVERS],
                   gpus = (uint64_t)spec->own[RAILS_GPUS];
    if (!fabric_need(spec, "segments", segments, 1, d) || !fabric_need(spec, "servers", servers, 1, d) ||
        !fabric_need(spec, "gpus", gpus, 1, d) || !fabric_need(spec, "spines", spec->aggs, 1, d) ||
        !fabric_need_speeds(spec, true, false, d))
        return false;
    uint64_t hosts = segments * servers * gpus, tors = segments * gpus;
    if (hosts > FABRIC_MAX_NODES || tors > FABRIC_MAX_NODES) hosts = tors = FABRIC_MAX_NODES;
    return fabric_fits(spec, hosts, segments * servers + tors, spec->aggs, 0, 2 * hosts + tors * spec->aggs, d);
}

static bool rails_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    if (!rails_sizes_fit(spec, d)) return false;
    struct rails_size n = {.segments = (uint32_t)spec->own[RAILS_SEGMENTS],
                           .servers = (uint32_t)(spec->own[RAILS_SEGMENTS] * spec->own[RAILS_SERVERS]),
                           .gpus = (uint32_t)spec->own[RAILS_GPUS],
                           .spines = spec->aggs};
    n.hosts = n.servers * n.gpus;
    n.tors = n.segments * n.gpus;
    rails_assemble(f, spec, &n);
    return true;
}

/* ---- the table ---- */

#define RAILS_COUNT(name_, text_, def_, doc_)                                                                          \
    {                                                                                                                  \
        .name = (name_), .type = PARAM_COUNT, .text = (text_), .def = (def_), .min = 1, .max = FABRIC_COUNT_MAX,       \
        .doc = (doc_)                                                                                                  \
    }
static const struct param rails_params[] = {
    [RAILS_SEGMENTS] = RAILS_COUNT("segments", NULL, 1, "segments, each with a ToR for each rail"),
    [RAILS_SERVERS] = RAILS_COUNT("servers", PARAM_REQUIRED, 0, "servers per segment"),
    [RAILS_GPUS] = RAILS_COUNT("gpus", NULL, 8, "GPUs per server, each a host on a rail of its own"),
    [RAILS_SCALE_UP_RATE] = {.name = "scale_up_rate",
                             .type = PARAM_RATE,
                             .def = 2880000000000LL,
                             .min = 1000,
                             .max = 100000000000000LL,
                             .doc = "rate of a GPU's port to the scale-up switch of its server"},
    [RAILS_SCALE_UP_DELAY] = {.name = "scale_up_delay",
                              .type = PARAM_TIME,
                              .def = 25 * PS_PER_NS,
                              .max = 1000 * PS_PER_S,
                              .doc = "propagation delay of that link"},
};
static const struct param *const rails_keys[] = {&fabric_spines, FABRIC_SPEEDS_UPLINKS, NULL};

const struct fabric_ops fabric_rails = {
    .name = "rails",
    .paper = "SimAI (NSDI 2025)",
    .doc = "rail-optimised: servers of GPUs with a scale-up switch, a ToR per rail, spines",
    .keys = rails_keys,
    .params = rails_params,
    .n_params = sizeof rails_params / sizeof *rails_params,
    .build = rails_build,
    .naming = NAMES_OWN,
    .uplinks = LINKS_LEAF_SPINE,
    .planes = true,
    .multihomed = true,
};
