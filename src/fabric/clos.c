/* SPDX-License-Identifier: Apache-2.0 */
/* Clos fabrics: three tiers (EXP-1), fat-trees, and two tiers (leaf-spine). */
#include "fabric/fabric_build.h"

/* Number of pods, ToRs and aggs per pod, cores per plane, hosts per ToR. */
struct clos_size {
    uint32_t pods, tors, aggs, cores, hosts;
};

static void clos_number_hosts(struct fabric *f, const struct clos_size *n) {
    struct fabric_node *host = f->node;
    for (uint32_t leaf = 0; leaf < n->pods * n->tors; leaf++) {
        for (uint32_t i = 0; i < n->hosts; i++, host++) {
            host->leaf = leaf;
            host->pod = leaf / n->tors;
            host->index = i;
        }
    }
}

/* Numbers `count` switches from node `first` on, `per_group` in each pod or plane. */
static void clos_number_switches(struct fabric *f, uint32_t first, uint32_t count, uint32_t per_group) {
    for (uint32_t i = 0; i < count; i++) {
        f->node[first + i].pod = i / per_group;
        f->node[first + i].index = i % per_group;
    }
}

static void clos_link_hosts(struct fabric *f, const struct fabric_spec *spec) {
    for (uint32_t h = 0; h < f->n_hosts; h++)
        fabric_make_link(f, h, f->n_hosts + f->node[h].leaf, spec->host_bps, spec->host_delay);
}

/* Links every ToR to every agg of its pod. */
static void clos_link_pods(struct fabric *f, const struct fabric_spec *spec, const struct clos_size *n) {
    uint32_t first_tor = f->n_hosts, first_agg = first_tor + f->n_leaves;
    for (uint32_t t = 0; t < f->n_leaves; t++) {
        for (uint32_t a = 0; a < n->aggs; a++)
            fabric_make_link(f, first_tor + t, first_agg + t / n->tors * n->aggs + a, spec->uplink_bps,
                             spec->uplink_delay);
    }
}

/* Links agg i of every pod to every core of plane i. */
static void clos_link_planes(struct fabric *f, const struct fabric_spec *spec, const struct clos_size *n) {
    uint32_t first_agg = f->n_hosts + f->n_leaves, first_core = first_agg + n->pods * n->aggs;
    for (uint32_t a = 0; a < n->pods * n->aggs; a++) {
        for (uint32_t c = 0; c < n->cores; c++)
            fabric_make_link(f, first_agg + a, first_core + a % n->aggs * n->cores + c, spec->core_bps,
                             spec->core_delay);
    }
}

/* Makes nodes and links: three tiers, or two tiers of a single pod if there are no cores. */
static void clos_assemble(struct fabric *f, const struct fabric_spec *spec, const struct clos_size *n) {
    struct fabric_store *store = f->store;
    uint32_t tors = n->pods * n->tors, aggs = n->pods * n->aggs, cores = n->aggs * n->cores;
    fabric_make_nodes(f, tors * n->hosts, tors, aggs, cores);
    f->n_pods = n->pods;
    f->n_planes = n->cores > 0 ? n->aggs : 0;
    store->pod_tors = n->tors;
    store->pod_aggs = n->aggs;
    store->plane_cores = n->cores;
    clos_number_hosts(f, n);
    clos_number_switches(f, f->n_hosts, tors, n->tors);
    clos_number_switches(f, f->n_hosts + tors, aggs, n->aggs);
    clos_number_switches(f, f->n_hosts + tors + aggs, cores, n->cores);
    clos_link_hosts(f, spec);
    clos_link_pods(f, spec, n);
    clos_link_planes(f, spec, n);
}

/* Refuses a size of 2^24 or more, so that no product of sizes below overflows 64 bits. */
static bool clos_small(const struct fabric_spec *spec, const char *key, uint32_t value, struct diag *d) {
    if (value < FABRIC_MAX_NODES) return true;
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "fabric.%s is %u; at most %u make sense",
                     key, value, FABRIC_MAX_NODES - 1);
}

/* Checks the totals and builds the fabric. All sizes are below 2^24 and above 0; only cores may be 0. */
static bool clos_checked(struct fabric *f, const struct fabric_spec *spec, struct clos_size n, struct diag *d) {
    uint64_t tors = (uint64_t)n.pods * n.tors, aggs = (uint64_t)n.pods * n.aggs, cores = (uint64_t)n.aggs * n.cores;
    if (tors >= FABRIC_MAX_NODES || aggs >= FABRIC_MAX_NODES || cores >= FABRIC_MAX_NODES)
        return fabric_fits(spec, 2, FABRIC_MAX_NODES, 1, 0, 0, d);
    uint64_t links = tors * n.hosts + tors * n.aggs + aggs * n.cores;
    if (!fabric_fits(spec, tors * n.hosts, tors, aggs, cores, links, d)) return false;
    if (!fabric_need_speeds(spec, true, n.cores > 0, d)) return false;
    clos_assemble(f, spec, &n);
    return true;
}

static bool clos_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    struct clos_size n = {spec->pods, spec->tors, spec->aggs, spec->cores, spec->hosts};
    uint32_t least_cores = spec->pods > 1 ? 1 : 0; /* a single pod needs no cores */
    return fabric_need(spec, "pods", n.pods, 1, d) && fabric_need(spec, "tors", n.tors, 1, d) &&
           fabric_need(spec, "aggs", n.aggs, 1, d) && fabric_need(spec, "cores", n.cores, least_cores, d) &&
           fabric_need(spec, "hosts", n.hosts, 1, d) && clos_small(spec, "pods", n.pods, d) &&
           clos_small(spec, "tors", n.tors, d) && clos_small(spec, "aggs", n.aggs, d) &&
           clos_small(spec, "cores", n.cores, d) && clos_small(spec, "hosts", n.hosts, d) &&
           clos_checked(f, spec, n, d);
}

static bool leaf_spine_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    struct clos_size n = {1, spec->tors, spec->aggs, 0, spec->hosts};
    return fabric_need(spec, "leaves", n.tors, 1, d) && fabric_need(spec, "spines", n.aggs, 1, d) &&
           fabric_need(spec, "hosts", n.hosts, 1, d) && clos_small(spec, "leaves", n.tors, d) &&
           clos_small(spec, "spines", n.aggs, d) && clos_small(spec, "hosts", n.hosts, d) &&
           clos_checked(f, spec, n, d);
}

static bool fat_tree_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    if (spec->k < 2 || spec->k % 2 != 0)
        return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                         "fabric.k is %u; a fat-tree needs an even number, 2 or more", spec->k);
    uint32_t half = spec->k / 2;
    struct clos_size n = {spec->k, half, half, half, half};
    return clos_small(spec, "k", spec->k, d) && clos_checked(f, spec, n, d);
}

/* ---- the tables ---- */

#define SIZE(name_, field_, doc_)                                                                                      \
    {                                                                                                                  \
        .name = (name_), .type = PARAM_COUNT, .text = PARAM_REQUIRED, .min = 1, .max = FABRIC_COUNT_MAX,               \
        .doc = (doc_), PARAM_IN(struct fabric_spec, field_)                                                            \
    }
static const struct param clos_pods = SIZE("pods", pods, "pods");
static const struct param clos_tors = SIZE("tors", tors, "ToRs per pod");
static const struct param clos_aggs = SIZE("aggs", aggs, "aggs per pod; as many core planes");
static const struct param clos_cores = SIZE("cores", cores, "cores per plane");
static const struct param *const clos_keys[] = {&clos_pods,    &clos_tors,          &clos_aggs, &clos_cores,
                                                &fabric_hosts, FABRIC_SPEEDS_CORES, NULL};

const struct fabric_ops fabric_clos = {
    .name = "clos",
    .paper = "Expeditus",
    .doc = "three tiers: pods of ToRs and aggs, a plane of cores per agg",
    .keys = clos_keys,
    .build = clos_build,
    .naming = NAMES_PODS,
    .uplinks = LINKS_TOR_AGG,
    .planes = true,
};

static const struct param leaf_spine_leaves = SIZE("leaves", tors, "leaf switches");
static const struct param *const leaf_spine_keys[] = {&leaf_spine_leaves, &fabric_spines, &fabric_hosts,
                                                      FABRIC_SPEEDS_UPLINKS, NULL};

const struct fabric_ops fabric_leaf_spine = {
    .name = "leaf-spine",
    .paper = "Expeditus",
    .doc = "two tiers: every leaf to every spine",
    .keys = leaf_spine_keys,
    .build = leaf_spine_build,
    .uplinks = LINKS_LEAF_SPINE,
    .planes = true,
};

static const struct param fat_tree_k = {
    .name = "k",
    .type = PARAM_COUNT,
    .text = PARAM_REQUIRED,
    .min = 2,
    .max = 1024,
    .doc = "ports of every switch, an even number",
    PARAM_IN(struct fabric_spec, k),
};
static const struct param *const fat_tree_keys[] = {&fat_tree_k, FABRIC_SPEEDS_CORES, NULL};

const struct fabric_ops fabric_fat_tree = {
    .name = "fat-tree",
    .paper = "Expeditus 6.1",
    .doc = "three tiers of k-port switches, k^3/4 hosts",
    .keys = fat_tree_keys,
    .build = fat_tree_build,
    .naming = NAMES_PODS,
    .uplinks = LINKS_TOR_AGG,
    .planes = true,
};
