/* Small fabrics for studies of one bottleneck: star, dumbbell, parking lot. All their switches are leaves of one pod.
 */
#include "fabric/fabric_build.h"

static void simple_node(struct fabric *f, uint32_t node, uint32_t leaf, uint32_t index) {
    f->node[node].leaf = leaf;
    f->node[node].index = index;
}

/* Leaves in a row, `per_leaf` hosts on each, neighbours joined by a link of core rate. */
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
        if (l > 0) fabric_make_link(f, f->n_hosts + l - 1, f->n_hosts + l, spec->core_bps, spec->core_delay);
    }
}

bool star_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    if (!fabric_need(spec, "hosts", spec->hosts, 2, d) || !fabric_need_speeds(spec, false, false, d) ||
        !fabric_fits(spec, spec->hosts, 1, 0, 0, spec->hosts, d))
        return false;
    simple_row(f, spec, 1, spec->hosts);
    return true;
}

bool dumbbell_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint64_t pairs = spec->pairs;
    if (!fabric_need(spec, "pairs", pairs, 1, d) || !fabric_need_speeds(spec, false, true, d) ||
        !fabric_fits(spec, 2 * pairs, 2, 0, 0, 2 * pairs + 1, d))
        return false;
    simple_row(f, spec, 2, spec->pairs);
    return true;
}

/* Two hosts on each leaf. Leaf 0: the long flow's sender, then the sender of bottleneck 0. Leaf i: the receiver of
 * bottleneck i - 1, then the sender of bottleneck i. Last leaf: the last receiver, then the long flow's. */
bool parking_lot_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint64_t leaves = (uint64_t)spec->bottlenecks + 1;
    if (!fabric_need(spec, "bottlenecks", spec->bottlenecks, 1, d) || !fabric_need_speeds(spec, false, true, d) ||
        !fabric_fits(spec, 2 * leaves, leaves, 0, 0, 3 * leaves - 1, d))
        return false;
    simple_row(f, spec, (uint32_t)leaves, 2);
    return true;
}
