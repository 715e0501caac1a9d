/* SPDX-License-Identifier: Apache-2.0 */
/* Dual ToR: every host has a link to both ToRs of its rack (Alibaba HPN, SIGCOMM 2024).
 *
 * Rack r has the leaves 2r and 2r + 1, and its hosts are named after the first of them: host4.0 is the first host of rack 2.
 * Without planes each leaf is linked to each spine. With dual_plane the first leaves of all racks are linked to the first
 * half of the spines, the second leaves to the other half: a flow stays in the plane in which it starts, and which of its
 * two NICs it uses decides that (fabric/nics.h).
 */
#include "fabric/fabric_build.h"

enum { DUAL_RACKS, DUAL_PLANE };

/* Returns whether a leaf is linked to a spine. */
static bool dual_linked(const struct fabric_spec *spec, uint32_t leaf, uint32_t spine) {
    return !spec->own[DUAL_PLANE] || leaf % 2 == (spine >= spec->aggs / 2);
}

static void dual_assemble(struct fabric *f, const struct fabric_spec *spec, uint32_t racks) {
    uint32_t leaves = 2 * racks, hosts = racks * spec->hosts;
    fabric_make_nodes(f, hosts, leaves, spec->aggs, 0);
    f->n_pods = 1;
    fabric_store(f)->pod_tors = leaves;
    fabric_store(f)->pod_aggs = spec->aggs;
    for (uint32_t h = 0; h < hosts; h++) {
        f->node[h].leaf = 2 * (h / spec->hosts);
        f->node[h].index = h % spec->hosts;
        for (uint32_t i = 0; i < 2; i++)
            fabric_make_link(f, h, hosts + f->node[h].leaf + i, spec->host_bps, spec->host_delay);
    }
    for (uint32_t l = 0; l < leaves; l++) {
        f->node[hosts + l].index = l;
        for (uint32_t s = 0; s < spec->aggs; s++)
            if (dual_linked(spec, l, s))
                fabric_make_link(f, hosts + l, hosts + leaves + s, spec->uplink_bps, spec->uplink_delay);
    }
    for (uint32_t s = 0; s < spec->aggs; s++) f->node[hosts + leaves + s].index = s;
}

static bool dual_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint64_t racks = (uint64_t)spec->own[DUAL_RACKS], links = racks * 2 * spec->hosts;
    links += spec->own[DUAL_PLANE] ? racks * spec->aggs : racks * 2 * spec->aggs;
    if (!fabric_need(spec, "racks", racks, 1, d) || !fabric_need(spec, "spines", spec->aggs, 1, d) ||
        !fabric_need(spec, "hosts", spec->hosts, 1, d) || !fabric_need_speeds(spec, true, false, d))
        return false;
    if (spec->own[DUAL_PLANE] && spec->aggs % 2)
        return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                         "fabric.spines is %u; with dual_plane half of them are of each plane, so write an even number",
                         spec->aggs);
    if (!fabric_fits(spec, racks * spec->hosts, 2 * racks, spec->aggs, 0, links, d)) return false;
    dual_assemble(f, spec, (uint32_t)racks);
    return true;
}

static const struct param dual_params[] = {
    [DUAL_RACKS] = {.name = "racks",
                    .type = PARAM_COUNT,
                    .text = PARAM_REQUIRED,
                    .min = 1,
                    .max = FABRIC_COUNT_MAX,
                    .doc = "racks, each of two ToRs that share its hosts"},
    [DUAL_PLANE] = {.name = "dual_plane",
                    .type = PARAM_BOOL,
                    .max = 1,
                    .doc = "each ToR of a rack has half of the spines, and a frame never changes between these planes",
                    .paper = "HPN (SIGCOMM 2024)"},
};
static const struct param *const dual_keys[] = {&fabric_spines, &fabric_hosts, FABRIC_SPEEDS_UPLINKS, NULL};

const struct fabric_ops fabric_dual_tor = {
    .name = "dual-tor",
    .paper = "HPN (SIGCOMM 2024)",
    .doc = "two tiers, every host with a link to both ToRs of its rack",
    .keys = dual_keys,
    .params = dual_params,
    .n_params = sizeof dual_params / sizeof *dual_params,
    .build = dual_build,
    .uplinks = LINKS_LEAF_SPINE,
    .planes = true,
    .multihomed = true,
};
