/* Clos fabrics: three tiers (EXP-1), fat-trees, and two tiers (leaf-spine). */
#include "fabric/fabric_build.h"

static void clos_number_hosts(struct fabric *f, uint32_t per_leaf, uint32_t leaves_per_pod) {
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        uint32_t leaf = h / per_leaf;
        f->node[h].leaf = leaf;
        f->node[h].pod = leaf / leaves_per_pod;
        f->node[h].index = h % per_leaf;
    }
}

/* `count` switches from node `first` on, `per_group` of them in each pod or plane. */
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

/* Every ToR of a pod to every agg of it. */
static void clos_link_pods(struct fabric *f, const struct fabric_spec *spec, uint32_t pods, uint32_t tors,
                           uint32_t aggs) {
    uint32_t first_tor = f->n_hosts, first_agg = first_tor + pods * tors;
    for (uint32_t t = 0; t < pods * tors; t++) {
        for (uint32_t a = 0; a < aggs; a++)
            fabric_make_link(f, first_tor + t, first_agg + t / tors * aggs + a, spec->uplink_bps, spec->uplink_delay);
    }
}

/* Agg i of every pod to every core of plane i, and to no other plane. */
static void clos_link_planes(struct fabric *f, const struct fabric_spec *spec, uint32_t pods, uint32_t aggs,
                             uint32_t cores) {
    uint32_t first_agg = f->n_hosts + f->n_leaves, first_core = first_agg + pods * aggs;
    for (uint32_t a = 0; a < pods * aggs; a++) {
        for (uint32_t c = 0; c < cores; c++)
            fabric_make_link(f, first_agg + a, first_core + a % aggs * cores + c, spec->core_bps, spec->core_delay);
    }
}

/* Three tiers; two of one pod when there are no cores. */
static void clos_assemble(struct fabric *f, const struct fabric_spec *spec, uint32_t pods, uint32_t tors, uint32_t aggs,
                          uint32_t cores, uint32_t hosts) {
    struct fabric_store *store = f->store;
    fabric_make_nodes(f, pods * tors * hosts, pods * tors, pods * aggs, aggs * cores);
    f->n_pods = pods;
    f->n_planes = cores > 0 ? aggs : 0;
    store->pod_tors = tors;
    store->pod_aggs = aggs;
    store->plane_cores = cores;
    clos_number_hosts(f, hosts, tors);
    uint32_t first_tor = f->n_hosts, first_agg = first_tor + f->n_leaves, first_core = first_agg + pods * aggs;
    clos_number_switches(f, first_tor, pods * tors, tors);
    clos_number_switches(f, first_agg, pods * aggs, aggs);
    if (cores > 0) clos_number_switches(f, first_core, aggs * cores, cores);
    clos_link_hosts(f, spec);
    clos_link_pods(f, spec, pods, tors, aggs);
    clos_link_planes(f, spec, pods, aggs, cores);
}

/* Sizes of 2^24 and more are refused one by one, so that no product below can overflow 64 bits unseen. */
static bool clos_small(const struct fabric_spec *spec, const char *key, uint32_t value, struct diag *d) {
    if (value < FABRIC_MAX_NODES) return true;
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "fabric.%s is %u; at most %u make sense",
                     key, value, FABRIC_MAX_NODES - 1);
}

static bool clos_checked(struct fabric *f, const struct fabric_spec *spec, uint64_t pods, uint64_t tors, uint64_t aggs,
                         uint64_t cores, uint64_t hosts, struct diag *d) {
    uint64_t leaves = pods * tors;
    if (leaves >= FABRIC_MAX_NODES || pods * aggs >= FABRIC_MAX_NODES)
        return fabric_fits(spec, 2, FABRIC_MAX_NODES, 1, 0, 0, d);
    uint64_t links = leaves * hosts + leaves * aggs + pods * aggs * cores;
    if (!fabric_fits(spec, leaves * hosts, leaves, pods * aggs, aggs * cores, links, d)) return false;
    if (!fabric_need_speeds(spec, true, cores > 0, d)) return false;
    clos_assemble(f, spec, (uint32_t)pods, (uint32_t)tors, (uint32_t)aggs, (uint32_t)cores, (uint32_t)hosts);
    return true;
}

bool clos_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint32_t least_cores = spec->pods > 1 ? 1 : 0; /* one pod alone needs none */
    return fabric_need(spec, "pods", spec->pods, 1, d) && fabric_need(spec, "tors", spec->tors, 1, d) &&
           fabric_need(spec, "aggs", spec->aggs, 1, d) && fabric_need(spec, "cores", spec->cores, least_cores, d) &&
           fabric_need(spec, "hosts", spec->hosts, 1, d) && clos_small(spec, "pods", spec->pods, d) &&
           clos_small(spec, "tors", spec->tors, d) && clos_small(spec, "aggs", spec->aggs, d) &&
           clos_small(spec, "cores", spec->cores, d) && clos_small(spec, "hosts", spec->hosts, d) &&
           clos_checked(f, spec, spec->pods, spec->tors, spec->aggs, spec->cores, spec->hosts, d);
}

bool leaf_spine_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    return fabric_need(spec, "leaves", spec->tors, 1, d) && fabric_need(spec, "spines", spec->aggs, 1, d) &&
           fabric_need(spec, "hosts", spec->hosts, 1, d) && clos_small(spec, "leaves", spec->tors, d) &&
           clos_small(spec, "spines", spec->aggs, d) && clos_small(spec, "hosts", spec->hosts, d) &&
           clos_checked(f, spec, 1, spec->tors, spec->aggs, 0, spec->hosts, d);
}

bool fat_tree_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    if (spec->k < 2 || spec->k % 2 != 0)
        return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                         "fabric.k is %u; a fat-tree needs an even number, 2 or more", spec->k);
    uint32_t half = spec->k / 2;
    return clos_small(spec, "k", spec->k, d) && clos_checked(f, spec, spec->k, half, half, half, half, d);
}
