/* SPDX-License-Identifier: Apache-2.0 */
/* Small fabrics for studies of one bottleneck: star, dumbbell, parking lot. All their switches are leaves of one pod.
 */
#include "fabric/fabric_build.h"

static void simple_node(struct fabric *f, uint32_t node, uint32_t leaf, uint32_t index) {
    f->node[node].leaf = leaf;
    f->node[node].index = index;
}

/* Makes leaves in a row with `per_leaf` hosts each; a link of uplink rate joins adjacent leaves. */
static void simple_row(struct fabric *f, const struct fabric_spec *spec, uint32_t leaves, uint32_t per_leaf) {
    fabric_make_nodes(f, leaves * per_leaf, leaves, 0, 0);
    f->n_pods = 1;
    fabric_store(f)->pod_tors = leaves;
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        simple_node(f, h, h / per_leaf, h % per_leaf);
        fabric_make_link(f, h, f->n_hosts + h / per_leaf, spec->host_bps, spec->host_delay);
    }
    for (uint32_t l = 0; l < leaves; l++) {
        simple_node(f, f->n_hosts + l, l, l);
        if (l > 0) fabric_make_link(f, f->n_hosts + l - 1, f->n_hosts + l, spec->uplink_bps, spec->uplink_delay);
    }
}

static bool star_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    if (!fabric_need(spec, "hosts", spec->hosts, 2, d) || !fabric_need_speeds(spec, false, false, d) ||
        !fabric_fits(spec, spec->hosts, 1, 0, 0, spec->hosts, d))
        return false;
    simple_row(f, spec, 1, spec->hosts);
    return true;
}

static bool dumbbell_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint64_t pairs = spec->pairs;
    if (!fabric_need(spec, "pairs", pairs, 1, d) || !fabric_need_speeds(spec, true, false, d) ||
        !fabric_fits(spec, 2 * pairs, 2, 0, 0, 2 * pairs + 1, d))
        return false;
    simple_row(f, spec, 2, spec->pairs);
    return true;
}

/* Builds a row of leaves with two hosts each. Leaf 0: the long flow's sender, the sender of bottleneck 0. Leaf i: the
 * receiver of bottleneck i - 1, the sender of bottleneck i. Last leaf: the last bottleneck's and the long flow's
 * receivers. */
static bool parking_lot_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint64_t leaves = (uint64_t)spec->bottlenecks + 1;
    if (!fabric_need(spec, "bottlenecks", spec->bottlenecks, 1, d) || !fabric_need_speeds(spec, true, false, d) ||
        !fabric_fits(spec, 2 * leaves, leaves, 0, 0, 3 * leaves - 1, d))
        return false;
    simple_row(f, spec, (uint32_t)leaves, 2);
    return true;
}

/* ---- the tables ---- */

static const struct param *const star_keys[] = {&fabric_hosts, FABRIC_SPEEDS, NULL};

const struct fabric_ops fabric_star = {
    .name = "star",
    .paper = "ours",
    .doc = "one switch",
    .keys = star_keys,
    .build = star_build,
    .either_uplinks = true,
};

static const struct param dumbbell_pairs = {
    .name = "pairs",
    .type = PARAM_COUNT,
    .text = PARAM_REQUIRED,
    .min = 1,
    .max = FABRIC_COUNT_MAX,
    .doc = "senders on the left, receivers on the right",
    PARAM_IN(struct fabric_spec, pairs),
};
static const struct param *const dumbbell_keys[] = {&dumbbell_pairs, FABRIC_SPEEDS_UPLINKS, NULL};

const struct fabric_ops fabric_dumbbell = {
    .name = "dumbbell",
    .paper = "ours",
    .doc = "two switches, pairs of hosts across their link",
    .keys = dumbbell_keys,
    .build = dumbbell_build,
    .either_uplinks = true,
};

static const struct param parking_lot_bottlenecks = {
    .name = "bottlenecks",
    .type = PARAM_COUNT,
    .text = PARAM_REQUIRED,
    .min = 1,
    .max = FABRIC_COUNT_MAX,
    .doc = "links between switches in a row",
    PARAM_IN(struct fabric_spec, bottlenecks),
};
static const struct param *const parking_lot_keys[] = {&parking_lot_bottlenecks, FABRIC_SPEEDS_UPLINKS, NULL};

const struct fabric_ops fabric_parking_lot = {
    .name = "parking-lot",
    .paper = "ExpressPass, Figure 3",
    .doc = "switches in a row, a long path and a pair for every bottleneck",
    .keys = parking_lot_keys,
    .build = parking_lot_build,
    .either_uplinks = true,
};
