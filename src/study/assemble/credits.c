/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/credits.h"

#include "base/units.h"
#include "fabric/symmetry.h"
#include "study/assemble/round_trip.h"
#include "study/config/catalogue.h"

#include <stdlib.h>

/* Returns the first transport with credits; NULL if there is none. */
static const struct transport_ops *credit_transport(const struct assembly *a) {
    const struct host_config *h = &a->world.hosts;
    for (uint32_t i = 0; i < h->n_transports; i++)
        if (h->transport[i]->needs.credit) return h->transport[i];
    return NULL;
}

/* ---- paths ---- */

static bool choices_check(const struct assembly *a, const struct config *c, const char *transport, struct diag *d) {
    struct fabric_asymmetry first;
    char rack[96], other[96];
    if (fabric_is_symmetric(a->fabric, &first)) return true;
    const uint32_t *leaf = a->fabric->paths.leaf_node;
    return config_fail(
        c, d, "fabric.kind",
        "%s needs data to go back over the links of its credits, but %s and %s have different choices of "
        "path for each other; give both the same uplinks and no parallel links, or use another transport",
        transport, fabric_node_name(a->fabric, leaf[first.rack], rack, sizeof rack),
        fabric_node_name(a->fabric, leaf[first.other], other, sizeof other));
}

static bool has_choice(const struct assembly *a) {
    return a->fabric->paths_inter_pod > 1 || a->fabric->paths_intra_pod > 1;
}

/* Fails if the balancer chooses for each direction on its own, as most do. */
static bool balancer_check(const struct assembly *a, const struct config *c, const struct transport_ops *t,
                           struct diag *d) {
    const struct switch_config *s = &a->world.switches;
    if (s->balance->can_be_symmetric || s->record_path || t->chooses_paths || !has_choice(a)) return true;
    char *others = catalogue_names("balance", "symmetric");
    config_fail(c, d, "switch.balance",
                "switch.balance: %s chooses for data and credits apart, but %s needs data to go back over the "
                "links of its credits; write switch.record_path: true, or balance: %s",
                s->balance->name, t->name, others);
    free(others);
    return false;
}

static bool symmetry_check(const struct assembly *a, const struct config *c, const char *transport, struct diag *d) {
    const struct switch_config *s = &a->world.switches;
    const struct balancer_ops *b = s->balance;
    if (!b->can_be_symmetric || s->record_path || !has_choice(a)) return true;
    const struct param *p = &b->params[b->symmetric_param];
    int64_t value = s->balance_params[b->symmetric_param];
    char path[KEY_PATH_MAX], is[UNITS_TEXT_MAX], right[UNITS_TEXT_MAX];
    if (value == b->symmetric_value) return true;
    snprintf(path, sizeof path, "switch.%s.%s", b->name, p->name);
    return config_fail(
        c, d, path,
        "%s: %s, but %s needs data to go back over the links of its credits; write %s, or switch.record_path: true",
        path, param_print(p, value, is, sizeof is), transport, param_print(p, b->symmetric_value, right, sizeof right));
}

bool credits_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct host_config *h = &a->world.hosts;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        const struct transport_ops *t = h->transport[i];
        bool ok = !t->needs.symmetric_paths ||
                  (choices_check(a, c, t->name, d) && balancer_check(a, c, t, d) && symmetry_check(a, c, t->name, d));
        if (!ok) return false;
    }
    return true;
}

/* ---- queues ---- */

/* Returns the longest time that a sender keeps a credit (SP-12). */
static span_ps longest_hold(const struct assembly *a) {
    const struct host_config *h = &a->world.hosts;
    struct round_trip trip;
    span_ps longest = 0;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        const struct transport_ops *t = h->transport[i];
        span_ps hold = t->credit_hold ? t->credit_hold(h->transport_params[i]) : 0;
        if (hold == CREDIT_HOLD_TRIP) hold = round_trip_of(a, &trip) ? trip.full_frame : 0;
        longest = max_i64(longest, hold);
    }
    return longest;
}

struct credit_bound *credits_bound(const struct assembly *a) {
    const struct credit_config *s = &a->world.switches.credit;
    struct credit_bound_spec spec = {
        .credit_queue = s->queue,
        .credit_spread = s->spread,
        .share_ppb = s->share_ppb,
        .burst_bytes = s->burst_bytes,
        .processing_delay = a->world.hosts.processing_delay,
        .hold = longest_hold(a) + 2 * a->world.hosts.jitter, /* jitter of the credit, and of the frame it admits */
    };
    return credit_transport(a) ? credit_bound_create(a->fabric, &spec) : NULL;
}
