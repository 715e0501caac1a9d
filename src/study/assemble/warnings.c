/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/warner.h"

#include "base/memory.h"
#include "base/time_text.h"
#include "base/units.h"
#include "study/assemble/outside.h"
#include "study/assemble/overload.h"

#include <stdlib.h>
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

/* ---- the SYN that a balancer waits for ---- */

static bool begins_with_syn(const struct assembly *a, const struct flow *f) {
    return a->world.hosts.transport[f->transport]->begins_with_syn && !(f->flags & FLOW_ESTABLISHED);
}

/* Warns if the balancer gives paths only to flows that begin with a SYN, and no flow does. */
static void warn_of_no_syn(struct warner *v) {
    const struct switch_config *w = &v->a->world.switches;
    const struct balancer_ops *b = w->balance;
    if (!b->can_need_syn || w->balance_params[b->syn_param] != b->syn_value) return;
    for (uint32_t i = 0; i < v->a->flows.n; i++)
        if (begins_with_syn(v->a, &v->a->flows.flow[i])) return;
    if (v->a->flows.n == 0) return;
    char key[KEY_PATH_MAX], value[KEY_PATH_MAX];
    const struct param *p = &b->params[b->syn_param];
    snprintf(key, sizeof key, "switch.%s.%s", b->name, p->name);
    config_fail(v->c, next_warning(v), key,
                "%s: %s: no flow begins with a SYN, so all go by ECMP; leave it out, or take a transport of TCP", key,
                param_print(p, b->syn_value, value, sizeof value));
}

/* ---- load ---- */

/* Returns the key of the first entry that says a load; of the first entry, if none does. */
static const char *load_key(const struct assembly *a, char key[KEY_PATH_MAX]) {
    size_t i = 0;
    while (i < a->n_workload && a->workload[i].kind->load != LOAD_RATE) i++;
    if (i == a->n_workload) return "workload.0.kind";
    snprintf(key, KEY_PATH_MAX, "workload.%zu.load", i);
    return key;
}

/* Warns if a tier of links is offered more than it can carry. */
static void warn_of_load(struct warner *v) {
    struct offered_load load = offered_load(v->a);
    int worst = offered_load_worst(&load);
    if (load.share[worst] <= 1) return;
    char key[KEY_PATH_MAX];
    config_fail(
        v->c, next_warning(v), load_key(v->a, key),
        "workload: overload: %.2f of what the %s carry is offered, with headers, ACKs and credits; flows pile up "
        "as long as it lasts, and times depend on when the run ends: offer less",
        load.share[worst], load_tier_name(worst));
}

/* Warns if failures leave a switch less than is offered to it. */
static void warn_of_load_after_failures(struct warner *v) {
    if (v->a->fabric->n_events == 0) return;
    struct offered_load load = offered_load(v->a);
    struct load_after_failures after[3];
    offered_load_after(v->a, &load, after);
    for (int t = 0; t < 3; t++) {
        if (after[t].share <= 1 || load.share[t] > 1) continue;
        char name[FABRIC_NODE_NAME_MAX], at[UNITS_TEXT_MAX];
        const char *key = v->a->fabric_spec.n_failed ? "fabric.failed" : "fabric.fail_random";
        config_fail(
            v->c, next_warning(v), key,
            "%s: from %s on %.2f of what the %s of %s carry is offered (%.2f before): flows pile up there until "
            "it is repaired; offer less, or fail fewer links",
            key, time_text(after[t].at, at), after[t].share, load_tier_name(t),
            fabric_node_name(v->a->fabric, after[t].node, name, sizeof name), load.share[t]);
    }
}

/* ---- rounds ---- */

/* Returns how long a receiver's link carries a round of an entry, frames and headers included. */
static double round_seconds(const struct assembly *a, uint32_t entry, uint32_t *senders, int64_t *rate_bps) {
    const struct workload_spec *spec = &a->workload[entry];
    bool *receives = memory_get(a->fabric->n_hosts, sizeof *receives);
    uint64_t bytes = 0, flows = 0, receivers = 0;
    for (uint32_t i = 0; i < a->flows.n; i++) {
        const struct flow *f = &a->flows.flow[i];
        if (f->entry != entry) continue;
        bytes += f->bytes;
        flows++;
        receivers += !receives[f->dst];
        receives[f->dst] = true;
        *rate_bps = a->fabric->population.host_bps[f->dst];
    }
    free(receives);
    if (receivers == 0) return 0;
    *senders = (uint32_t)(flows / spec->rounds / receivers);
    double wire = (double)bytes * spec->wire_full_bytes / spec->payload_full_bytes / (double)receivers;
    return *rate_bps > 0 ? wire / spec->rounds * 8 / (double)*rate_bps : 0;
}

/* Warns of rounds that begin by the clock before the round before can have arrived. */
static void warn_of_rounds(struct warner *v, uint32_t entry) {
    const struct workload_spec *spec = &v->a->workload[entry];
    char key[KEY_PATH_MAX], takes[UNITS_TEXT_MAX], gap[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX];
    uint32_t senders = 0;
    int64_t rate_bps = 0;
    if (!workload_has_timed_rounds(spec)) return;
    double seconds = round_seconds(v->a, entry, &senders, &rate_bps);
    if (seconds * (double)PS_PER_S <= (double)spec->gap) return;
    time_ps least = ((time_ps)(seconds * 1e6) + 1) * PS_PER_US;
    snprintf(key, sizeof key, "workload.%u.gap", entry);
    config_fail(v->c, next_warning(v), key,
                "%s: rounds overlap: %u senders fill %s for %s, and the next round begins after %s; raise it above "
                "%s, or give request: then each round waits for the one before",
                key, senders, units_print(PARAM_RATE, rate_bps, rate, sizeof rate),
                time_text(units_rounded_up(least), takes), time_text(spec->gap, gap), takes);
}

/* ---- traces ---- */

#define TRACE_LONG                                                                                                     \
    (600 * PS_PER_S)      /* a trace may be sparse; of a shorter one nobody wonders why its run ends so late */
#define TRACE_SPARSE 1000 /* times as long as a host's link needs for all its flows */

/* Warns of a trace that lasts as if its microseconds had been read as seconds. */
static void warn_of_trace(struct warner *v, uint32_t entry) {
    const struct assembly *a = v->a;
    time_ps last = 0;
    double seconds = 0;
    if (a->workload[entry].kind->load != LOAD_FLOWS) return;
    for (uint32_t i = 0; i < a->flows.n; i++) {
        const struct flow *f = &a->flows.flow[i];
        if (f->entry != entry) continue;
        last = max_i64(last, f->start);
        seconds += (double)f->bytes * 8 / (double)a->fabric->population.host_bps[f->src];
    }
    if (last < TRACE_LONG || seconds * TRACE_SPARSE > (double)last / (double)PS_PER_S) return;
    char key[KEY_PATH_MAX], at[UNITS_TEXT_MAX], needed[UNITS_TEXT_MAX];
    snprintf(key, sizeof key, "workload.%u.path", entry);
    config_fail(
        v->c, next_warning(v), key,
        "%s: the last flow of this trace starts at %s, and all its flows together fill a host's link for %s; plain "
        "numbers under `start` are seconds: name the column start_us if they are microseconds",
        key, time_text(last, at), time_text((time_ps)(seconds * (double)PS_PER_S), needed));
}

size_t assembly_warnings(const struct assembly *a, const struct config *c, struct diag warning[WARNINGS_MAX]) {
    struct warner v = {a, c, warning, 0};
    warn_of_load(&v);
    warn_of_load_after_failures(&v);
    warn_of_rates(&v);
    for (uint32_t i = 0; i < a->n_workload; i++) warn_of_rounds(&v, i);
    for (uint32_t i = 0; i < a->n_workload; i++) warn_of_trace(&v, i);
    warn_of_order(&v);
    warn_of_no_syn(&v);
    warn_of_marking(&v);
    warn_of_far_pairs(&v);
    v.n += outside_warnings(a, c, warning + v.n, WARNINGS_MAX - v.n);
    if (!flowctl_is_on(&a->world.switches.flow)) return v.n;
    warn_of_headroom(&v);
    warn_of_classes(&v);
    warn_of_rings(&v);
    return v.n;
}
