/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/fabric_build.h"

void *fabric_own(struct fabric *f, size_t n, size_t size) {
    struct fabric_store *store = f->store;
    if (store->n_blocks == store->blocks_held) {
        store->blocks_held = store->blocks_held ? 2 * store->blocks_held : 32;
        store->block = memory_grow(store->block, store->blocks_held, sizeof *store->block);
    }
    void *block = memory_get(n ? n : 1, size);
    store->block[store->n_blocks++] = block;
    store->bytes += (uint64_t)n * size;
    return block;
}

void fabric_make_nodes(struct fabric *f, uint32_t hosts, uint32_t leaves, uint32_t aggs, uint32_t cores) {
    f->n_hosts = hosts;
    f->n_leaves = leaves;
    f->n_switches = leaves + aggs + cores;
    f->n_nodes = hosts + f->n_switches;
    f->tiers = cores > 0 ? 3 : aggs > 0 ? 2 : 1;
    f->node = fabric_own(f, f->n_nodes, sizeof *f->node);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        struct fabric_node *node = &f->node[i];
        node->leaf = NODE_NONE;
        if (i < hosts) {
            node->tier = TIER_HOST;
        } else if (i < hosts + leaves) {
            node->tier = TIER_LEAF;
            node->leaf = i - hosts;
        } else {
            node->tier = i < hosts + leaves + aggs ? TIER_AGG : TIER_CORE;
        }
    }
}

void fabric_make_link(struct fabric *f, uint32_t a, uint32_t b, int64_t rate_bps, span_ps delay) {
    struct fabric_store *store = f->store;
    if (store->n_links == store->links_held) {
        store->links_held = store->links_held ? 2 * store->links_held : 64;
        store->link = memory_grow(store->link, store->links_held, sizeof *store->link);
    }
    uint32_t lower = a < b ? a : b; /* nodes are numbered tier by tier */
    store->link[store->n_links++] = (struct fabric_link){
        .lower = lower,
        .upper = a < b ? b : a,
        .tier = f->node[lower].tier,
        .rate_bps = rate_bps,
        .delay = delay,
    };
}

static bool fabric_error(const struct fabric_spec *spec, struct diag *d, const char *text) {
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "%s", text);
}

bool fabric_need(const struct fabric_spec *spec, const char *key, uint64_t value, uint64_t least, struct diag *d) {
    if (value >= least) return true;
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                     "fabric.%s is %llu; this fabric needs at least %llu", key, (unsigned long long)value,
                     (unsigned long long)least);
}

bool fabric_fits(const struct fabric_spec *spec, uint64_t hosts, uint64_t leaves, uint64_t aggs, uint64_t cores,
                 uint64_t links, struct diag *d) {
    uint64_t switches = leaves + aggs + cores;
    if (hosts < 2) return fabric_error(spec, d, "the fabric has fewer than two hosts; give it at least two");
    if (hosts > FABRIC_MAX_NODES || switches > FABRIC_MAX_NODES || hosts + switches > FABRIC_MAX_NODES)
        return fabric_error(spec, d, "the fabric has more than 16777216 nodes; make it smaller");
    if (links > FABRIC_MAX_LINKS)
        return fabric_error(spec, d, "the fabric has more than 8388608 links; make it smaller");
    if (switches * leaves > FABRIC_MAX_ROUTES)
        return fabric_error(spec, d,
                            "the fabric has more than 536870912 pairs of switch and rack to route between; "
                            "make it smaller");
    uint64_t bytes = 2 * links * spec->port_bytes + switches * leaves * 2;
    if (spec->memory_bytes == 0 || bytes <= spec->memory_bytes) return true;
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                     "a fabric of %llu hosts, %llu switches and %llu links needs about %llu MB of memory, but this "
                     "machine has %llu MB; make it smaller, or go on with --force",
                     (unsigned long long)hosts, (unsigned long long)switches, (unsigned long long)links,
                     (unsigned long long)bytes / 1000000, (unsigned long long)spec->memory_bytes / 1000000);
}

bool fabric_need_speeds(const struct fabric_spec *spec, bool uplinks, bool cores, struct diag *d) {
    const struct {
        bool used;
        int64_t rate;
        span_ps delay;
        const char *rate_key, *delay_key;
    } tier[] = {
        {true, spec->host_bps, spec->host_delay, "host_rate", "host_link_delay"},
        {uplinks, spec->uplink_bps, spec->uplink_delay, "uplink_rate", "uplink_delay"},
        {cores, spec->core_bps, spec->core_delay, "core_rate", "core_delay"},
    };
    for (size_t i = 0; i < 3; i++) {
        if (!tier[i].used) continue;
        if (tier[i].rate <= 0)
            return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                             "fabric.%s must be above 0; write for example 10Gbps", tier[i].rate_key);
        if (tier[i].delay < 0)
            return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                             "fabric.%s must not be negative; write for example 2us", tier[i].delay_key);
    }
    return true;
}

static bool fabric_build_kind(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    return spec->kind ? spec->kind->build(f, spec, d) : fabric_error(spec, d, "the fabric is of no kind");
}

static struct fabric *fabric_empty(const struct fabric_spec *spec) {
    struct fabric *f = memory_get(1, sizeof *f);
    f->kind = spec->kind;
    f->store = memory_get(1, sizeof(struct fabric_store));
    return f;
}

static struct fabric *fabric_finish(struct fabric *f, const struct fabric_spec *spec, bool built, struct diag *d) {
    if (built && ports_build(f, spec, d) && timeline_build(f, spec, d)) return f;
    fabric_destroy(f);
    return NULL;
}

struct fabric *fabric_create(const struct fabric_spec *spec, struct diag *d) {
    struct fabric *f = fabric_empty(spec);
    return fabric_finish(f, spec, fabric_build_kind(f, spec, d), d);
}

struct fabric *fabric_create_text(const struct fabric_spec *spec, const char *text, size_t size, struct diag *d) {
    struct fabric *f = fabric_empty(spec);
    return fabric_finish(f, spec, file_build_text(f, spec, text, size, d), d);
}

void fabric_destroy(struct fabric *f) {
    if (!f) return;
    struct fabric_store *store = f->store;
    for (size_t i = 0; i < store->n_blocks; i++) free(store->block[i]);
    free(store->block);
    free(store->link);
    free(store);
    free(f);
}

uint64_t fabric_memory_bytes(const struct fabric *f) {
    const struct fabric_store *store = f->store;
    return sizeof *f + sizeof *store + store->bytes + (uint64_t)store->links_held * sizeof *store->link +
           store->blocks_held * sizeof *store->block;
}

void fabric_scale(const struct fabric *f, struct fabric_scale *s) {
    uint32_t n = 0, m = 0; /* most uplinks of a leaf, of an agg */
    for (uint32_t i = 0; i < f->n_switches; i++) {
        const struct place *place = &f->place[i];
        uint32_t uplinks = place->n_ports - place->first_uplink;
        if (place->tier == TIER_LEAF && uplinks > n) n = uplinks;
        if (place->tier == TIER_AGG && uplinks > m) m = uplinks;
    }
    bool three = f->tiers == 3;
    uint64_t paths = three ? (uint64_t)n * m : n;
    *s = (struct fabric_scale){
        .per_path_state = paths * f->n_leaves,
        .concurrent_flows_pathlet = paths,
        .switches_asked = f->tiers == 1 ? 1
                          : three       ? 2 * n + 2
                                        : n + 2,
        .expeditus_tor_state = 2 * n,
        .expeditus_agg_state = 2 * m,
        .links = fabric_store(f)->n_links,
    };
}
