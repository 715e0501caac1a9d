/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/warner.h"

#include "base/units.h"
#include "study/assemble/overload.h"

#include <string.h>

struct diag *next_warning(struct warner *v) {
    return &v->warning[v->n < WARNINGS_MAX ? v->n++ : WARNINGS_MAX - 1];
}

/* ---- order ---- */

/* True if the transport takes late segments for lost and retransmits them. A threshold of PATIENT_DUPACKS duplicate
 * ACKs or more counts as never met. A row without the parameters that turn this off always does. */
#define PATIENT_DUPACKS 100
static bool is_impatient(const struct host_config *h, uint32_t i) {
    const struct transport_base *base = h->transport[i]->base;
    const int64_t *value = h->transport_params[i];
    if (base->tolerates_reordering) return false;
    if (base->fast_retransmit_param && !value[base->fast_retransmit_param]) return false;
    return !base->dupack_param || value[base->dupack_param] < PATIENT_DUPACKS;
}

static bool is_used(const struct assembly *a, uint32_t transport) {
    for (uint32_t i = 0; i < a->flows.n; i++)
        if (a->flows.flow[i].transport == transport) return true;
    return false;
}

/* Writes the key of a transport's parameter. */
static const char *transport_key(const struct transport_ops *t, uint16_t param, char key[KEY_PATH_MAX]) {
    snprintf(key, KEY_PATH_MAX, "host.%s.%s", t->name, transport_param(t, param).name);
    return key;
}

/* Where nothing is lost, a transport need not take anything for lost. */
static void warn_of_order_kept_lossless(struct warner *v, const struct transport_ops *t) {
    char key[KEY_PATH_MAX];
    transport_key(t, t->base->fast_retransmit_param, key);
    config_fail(v->c, next_warning(v), key,
                "%s: switch.balance: %s reorders packets, flow control loses none, and %s takes reordered packets "
                "for lost; write %s: false",
                key, v->a->world.switches.balance->name, t->name, key);
}

static void warn_of_order_lost(struct warner *v, const struct transport_ops *t) {
    char key[KEY_PATH_MAX], remedy[KEY_PATH_MAX + 32] = "";
    if (t->base->dupack_param)
        snprintf(remedy, sizeof remedy, "write %s: %d, or ", transport_key(t, t->base->dupack_param, key),
                 PATIENT_DUPACKS);
    config_fail(v->c, next_warning(v), "switch.balance",
                "switch.balance: %s reorders packets, and %s takes reordered packets for lost: it sends it again and "
                "slows down; %stake a transport that tolerates it",
                v->a->world.switches.balance->name, t->name, remedy);
}

/* Warns of transports in use that take what a balancer reorders for lost; names only parameters that they have. */
static void warn_of_order(struct warner *v) {
    const struct host_config *h = &v->a->world.hosts;
    if (!v->a->world.switches.balance->reorders) return;
    for (uint32_t i = 0; i < h->n_transports; i++) {
        const struct transport_ops *t = h->transport[i];
        if (!is_impatient(h, i) || !is_used(v->a, i)) continue;
        if (t->base->fast_retransmit_param && flowctl_is_on(&v->a->world.switches.flow))
            warn_of_order_kept_lossless(v, t);
        else
            warn_of_order_lost(v, t);
    }
}

/* ---- load ---- */

/* Returns the key of the first entry that says a load; of the first entry, if none does. */
static const char *load_key(const struct config *c, char key[KEY_PATH_MAX]) {
    unsigned i = 0;
    while (config_find(c, "workload.%u.kind", i) && !config_find(c, "workload.%u.load", i)) i++;
    if (!config_find(c, "workload.%u.kind", i)) return "workload.0.kind";
    snprintf(key, KEY_PATH_MAX, "workload.%u.load", i);
    return key;
}

/* Warns if a tier of links is offered more than it can carry. */
static void warn_of_load(struct warner *v) {
    struct offered_load load = offered_load(v->a);
    int worst = offered_load_worst(&load);
    if (load.share[worst] <= 1) return;
    char key[KEY_PATH_MAX];
    config_fail(
        v->c, next_warning(v), load_key(v->c, key),
        "workload: overload: %.2f of what the %s carry is offered, with headers, ACKs and credits; flows pile up "
        "as long as it lasts, and times depend on when the run ends: offer less",
        load.share[worst], load_tier_name(worst));
}

size_t assembly_warnings(const struct assembly *a, const struct config *c, struct diag warning[WARNINGS_MAX]) {
    struct warner v = {a, c, warning, 0};
    warn_of_load(&v);
    warn_of_rates(&v);
    warn_of_order(&v);
    warn_of_far_pairs(&v);
    if (!flowctl_is_on(&a->world.switches.flow)) return v.n;
    warn_of_headroom(&v);
    warn_of_classes(&v);
    return v.n;
}
