/* SPDX-License-Identifier: Apache-2.0 */
/* Pause thresholds that cannot work, or may lose frames, at the rates and delays of this fabric's links, and what to write
 * instead.
 *
 * A remedy is a change of a few keys. Each is tried on all links before it is named: the thresholds must work, and no
 * ingress queue may overflow with the classes that the workload fills. So a user who follows a remedy is not sent to
 * another one.
 *
 *     switch.headroom: exact               where the paper's headroom leaves out too much
 *     switch.pause_above, release_below    where the file sets thresholds
 *     scheme: detail-fast                  for `scheme: detail`; switch.pause_preset: by-rate for all others
 *     switch.islip.ingress                 the smallest queue that is enough
 *     switch.pause_classes                 as many classes as have room
 *
 * The last four are tried with the file's headroom first, then with `exact`.
 */
#include "study/assemble/parts.h"
#include "study/assemble/warner.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/config/pause_classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INGRESS_MOST (1LL << 40)      /* the key's maximum */
#define DETAIL_FAST_BPS 10000000000LL /* the scheme is for links of this rate and more */
#define REMEDIES_TEXT 512
#define CURES_MOST 3 /* alternatives that one line names */

/* ---- the classes in use ---- */

/* Returns how many classes that are paused on their own can be filled, of `classes`; 1 if pauses stop whole links.
 * Without flows all classes count. */
static uint32_t lanes_of(const struct assembly *a, const struct config *c, uint32_t classes) {
    if (!a->world.switches.flow.ops->by_class) return 1;
    return a->flows.n == 0 ? classes : classes_in_use(c, classes);
}

static uint32_t lanes_in_use(const struct assembly *a, const struct config *c) {
    return lanes_of(a, c, a->world.switches.port.classes);
}

/* ---- all links ---- */

/* One row for each rate and delay that ports of switches have. */
struct links {
    const struct assembly *a;
    struct place_port *kind; /* owned */
    uint32_t n;
};

static void links_add(struct links *l, const struct place_port *p) {
    for (uint32_t i = 0; i < l->n; i++)
        if (l->kind[i].rate_bps == p->rate_bps && l->kind[i].delay == p->delay) return;
    l->kind = memory_grow(l->kind, l->n + 1, sizeof *l->kind);
    l->kind[l->n++] = *p;
}

static void links_fill(struct links *l, const struct assembly *a) {
    const struct path_view *paths = &a->fabric->paths;
    l->a = a;
    for (uint32_t g = paths->first_port[a->fabric->n_hosts]; g < paths->first_port[a->fabric->n_nodes]; g++)
        links_add(l, &paths->port[g]);
}

static struct flowctl_params params_of(const struct links *l, uint32_t i, const struct flowctl_config *f) {
    return flowctl_params_at(f, l->kind[i].rate_bps, l->kind[i].delay);
}

/* Finds a link at which the thresholds cannot work, the one where most bytes arrive after a pause; l->n if there is
 * none. Fills *reason. */
static uint32_t refusing_link(const struct links *l, const struct flowctl_config *f, struct diag *reason) {
    uint32_t worst = l->n;
    int64_t most = -1;
    for (uint32_t i = 0; i < l->n; i++) {
        struct diag d = {0};
        struct flowctl_params p = params_of(l, i, f);
        struct flowctl_thresholds t = flowctl_thresholds_at(f, &p);
        if (flowctl_check(&p, &t, &d) || t.response_bytes <= most) continue;
        most = t.response_bytes, worst = i, *reason = d;
    }
    return worst;
}

struct worst {
    int64_t bytes, rate_bps;
};

/* Returns the link whose ingress queue can have to hold most. */
static struct worst worst_of(const struct links *l, const struct flowctl_config *f, uint32_t lanes) {
    struct worst worst = {0};
    for (uint32_t i = 0; i < l->n; i++) {
        struct flowctl_params p = params_of(l, i, f);
        struct flowctl_thresholds t = flowctl_thresholds_at(f, &p);
        int64_t bytes = flowctl_worst_bytes(&p, &t, lanes);
        if (bytes > worst.bytes) worst = (struct worst){bytes, p.rate_bps};
    }
    return worst;
}

/* Returns whether the thresholds work at all links and nothing is lost. */
static bool holds(const struct links *l, const struct flowctl_config *f, uint32_t lanes) {
    struct diag reason;
    return refusing_link(l, f, &reason) == l->n && worst_of(l, f, lanes).bytes <= f->params.buffer_bytes;
}

/* ---- remedies ---- */

struct cure {
    const struct links *l;
    const struct config *c;
    uint32_t lanes;
    char *text; /* remedies so far: "A: 1, or B: 2" */
    size_t size, n;
};

/* Adds a remedy if it works: with the headroom of *f, or else with `exact`. Returns whether it does. */
static bool cure_try(struct cure *q, struct flowctl_config f, uint32_t lanes, const char *change) {
    if (q->n == CURES_MOST) return false;
    bool paper = f.params.headroom == HEADROOM_PAPER && !f.high_bytes, works = holds(q->l, &f, lanes), exact = false;
    if (!works && paper) {
        f.params.headroom = HEADROOM_EXACT;
        works = exact = holds(q->l, &f, lanes);
    }
    if (!works) return false;
    size_t used = strlen(q->text);
    snprintf(q->text + used, q->size - used, "%s%s%s", q->n++ ? ", or " : "", change,
             exact ? " and switch.headroom: exact" : "");
    return true;
}

static bool cure_by_headroom(struct cure *q, struct flowctl_config f) {
    if (f.high_bytes || f.params.headroom == HEADROOM_EXACT) return false;
    f.params.headroom = HEADROOM_EXACT;
    return cure_try(q, f, q->lanes, "switch.headroom: exact");
}

/* Pauses above the least of what all links allow with the classes in use. */
static void cure_by_pause_above(struct cure *q, struct flowctl_config f) {
    char change[80], bytes[UNITS_TEXT_MAX];
    int64_t least = INT64_MAX;
    if (!f.high_bytes) return;
    for (uint32_t i = 0; i < q->l->n; i++) {
        struct flowctl_params p = params_of(q->l, i, &f);
        p.headroom = HEADROOM_EXACT;
        p.classes = q->lanes;
        least = min_i64(least, flowctl_thresholds_of(&p).high_bytes);
    }
    if (least < 1) return;
    f.high_bytes = least;
    snprintf(change, sizeof change, "switch.pause_above: %s", units_print(PARAM_BYTES, least, bytes, sizeof bytes));
    cure_try(q, f, q->lanes, change);
}

static void cure_by_release_below(struct cure *q, struct flowctl_config f) {
    char change[80], bytes[UNITS_TEXT_MAX];
    int64_t least = INT64_MAX;
    if (!f.low_bytes) return;
    for (uint32_t i = 0; i < q->l->n; i++) {
        struct flowctl_params p = params_of(q->l, i, &f);
        least = min_i64(least, flowctl_thresholds_at(&f, &p).high_bytes);
    }
    if (least < 1) return;
    f.low_bytes = least;
    snprintf(change, sizeof change, "switch.release_below: %s", units_print(PARAM_BYTES, least, bytes, sizeof bytes));
    cure_try(q, f, q->lanes, change);
}

static int64_t fastest_bps(const struct links *l) {
    int64_t most = 0;
    for (uint32_t i = 0; i < l->n; i++) most = max_i64(most, l->kind[i].rate_bps);
    return most;
}

/* Tries ingress queues sized by the links' rates, for so many classes. */
static bool cure_with_preset(struct cure *q, struct flowctl_config f, uint32_t classes, uint32_t lanes,
                             const char *change) {
    f.preset = PAUSE_PRESET_BY_RATE;
    f.params.classes = classes;
    f.params.buffer_bytes = assemble_preset_ingress(q->l->a, &f);
    return cure_try(q, f, lanes, change);
}

/* The preset has fewer classes for fast links unless the file says how many. For DeTail it is part of a scheme of its
 * own, with two classes of ports. */
static void cure_by_rate(struct cure *q, struct flowctl_config f) {
    char change[80];
    int64_t fastest = fastest_bps(q->l);
    uint32_t own = f.params.classes, preset = own;
    bool detail = q->c->scheme && strcmp(q->c->scheme, "detail") == 0;
    if (f.preset == PAUSE_PRESET_BY_RATE || f.high_bytes || config_given(q->c, "switch.islip.ingress")) return;
    if (detail) {
        f.params.headroom = HEADROOM_EXACT;
        if (fastest >= DETAIL_FAST_BPS) cure_with_preset(q, f, 2, lanes_of(q->l->a, q->c, 2), "scheme: detail-fast");
        return;
    }
    if (!config_given(q->c, "switch.pause_classes") && f.ops->by_class)
        preset = (uint32_t)min_i64(flowctl_preset_classes(fastest), own);
    if (cure_with_preset(q, f, preset, q->lanes, "switch.pause_preset: by-rate") || preset == own) return;
    snprintf(change, sizeof change, "switch.pause_preset: by-rate and switch.pause_classes: %u", own);
    cure_with_preset(q, f, own, q->lanes, change);
}

/* Makes ingress queues as large as they must be, by bisection; `too` is a change that *f has beside it, or "". */
static void cure_by_ingress(struct cure *q, struct flowctl_config f, const char *too) {
    char change[160], bytes[UNITS_TEXT_MAX];
    int64_t below = f.params.buffer_bytes, enough = INGRESS_MOST;
    if (f.preset == PAUSE_PRESET_BY_RATE) return;
    struct flowctl_config largest = f;
    largest.params.buffer_bytes = INGRESS_MOST;
    bool exact = !holds(q->l, &largest, q->lanes);
    while (enough - below > 1) {
        struct flowctl_config at = f;
        at.params.buffer_bytes = below + (enough - below) / 2;
        if (exact) at.params.headroom = HEADROOM_EXACT;
        *(holds(q->l, &at, q->lanes) ? &enough : &below) = at.params.buffer_bytes;
    }
    f.params.buffer_bytes = units_rounded_up(enough);
    snprintf(change, sizeof change, "%s%sswitch.islip.ingress: %s", too, *too ? " and " : "",
             units_print(PARAM_BYTES, f.params.buffer_bytes, bytes, sizeof bytes));
    cure_try(q, f, q->lanes, change);
}

/* Shares the queue among fewer classes, as many as have room. */
static void cure_by_classes(struct cure *q, struct flowctl_config f) {
    for (uint32_t k = f.params.classes - 1; k >= q->lanes && k >= 1; k--) {
        char change[80];
        if (f.high_bytes) continue;
        struct flowctl_config at = f;
        at.params.classes = k;
        if (f.preset == PAUSE_PRESET_BY_RATE) at.params.buffer_bytes = assemble_preset_ingress(q->l->a, &at);
        snprintf(change, sizeof change, "switch.pause_classes: %u", k);
        if (cure_try(q, at, q->lanes, change)) return;
    }
}

/* Writes the remedies that work, the best first; returns false if none does. */
static bool cures_write(const struct links *l, const struct config *c, char *text, size_t size) {
    const struct flowctl_config *f = &l->a->world.switches.flow;
    struct cure q = {.l = l, .c = c, .lanes = lanes_in_use(l->a, c), .text = text, .size = size};
    text[0] = '\0';
    if (cure_by_headroom(&q, *f)) return true; /* nothing else changes, so nothing else is worth a word */
    cure_by_pause_above(&q, *f);
    cure_by_release_below(&q, *f);
    cure_by_rate(&q, *f);
    cure_by_ingress(&q, *f, "");
    cure_by_classes(&q, *f);
    return q.n > 0;
}

/* ---- fewer classes than are used ---- */

/* Fails if the thresholds divide the queue among fewer classes than the workload fills: with room for one, frames of the
 * second are lost (AM-50: 17 of Priority+PFC in Figure 12). The remedy is the number of classes, and a larger queue if
 * they need one. */
static bool classes_check(const struct links *l, const struct config *c, struct diag *d) {
    struct flowctl_config f = l->a->world.switches.flow;
    uint32_t own = f.params.classes, used = classes_in_use(c, l->a->world.switches.port.classes);
    char remedy[REMEDIES_TEXT] = "", change[80];
    struct cure q = {.l = l, .c = c, .lanes = used, .text = remedy, .size = sizeof remedy};
    if (f.high_bytes || own >= used) return true;
    snprintf(change, sizeof change, "switch.pause_classes: %u", used);
    f.params.classes = used;
    if (f.preset == PAUSE_PRESET_BY_RATE) f.params.buffer_bytes = assemble_preset_ingress(l->a, &f);
    if (!cure_try(&q, f, used, change)) cure_by_ingress(&q, f, change);
    return config_fail(
        c, d, "switch.pause_classes",
        "switch.pause_classes: room for %u class%s, and the workload uses %u: frames would be lost despite "
        "flow control; write %s",
        own, own == 1 ? "" : "es", used, q.n ? remedy : "fewer priorities");
}

/* ---- links that are too long ---- */

static bool has_delay(const struct config *c, const char *path, span_ps delay) {
    const struct setting *s = config_given(c, path);
    return s && s->value == delay;
}

/* Writes the key that gives links this delay. */
static void key_of_delay(const struct config *c, span_ps delay, char path[KEY_PATH_MAX]) {
    static const char *const keys[] = {"fabric.host_link_delay", "fabric.uplink_delay", "fabric.core_delay",
                                       "fabric.delay"};
    for (size_t i = 0; i < config_count(c, "fabric.links"); i++) {
        char item[KEY_PATH_MAX];
        if (has_delay(c, path_join(path, path_item(item, "fabric.links", i), "delay"), delay)) return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(path, KEY_PATH_MAX, "%s", keys[i]);
        if (has_delay(c, path, delay)) return;
    }
    snprintf(path, KEY_PATH_MAX, "fabric.path");
}

/* Writes "KEY: at, and KEY: at" for the keys that give the links of *l longer delays than they may have. Each
 * gets the least that any of these links may have. */
static void lengths_write(const struct links *l, const struct config *c, span_ps least, char *text, size_t size) {
    const struct flowctl_config *f = &l->a->world.switches.flow;
    char key[KEY_PATH_MAX], delay[UNITS_TEXT_MAX];
    text[0] = '\0';
    units_print(PARAM_TIME, least / PS_PER_NS * PS_PER_NS, delay, sizeof delay);
    for (uint32_t i = 0; i < l->n; i++) {
        struct flowctl_params p = params_of(l, i, f);
        if (p.propagation <= flowctl_longest_link(&p)) continue;
        key_of_delay(c, l->kind[i].delay, key);
        size_t used = strlen(text);
        if (!strstr(text, key)) snprintf(text + used, size - used, "%s%s: %s", used ? " and " : "", key, delay);
    }
}

/* Adds the ingress queue that such links need, if they need a larger one: they are as long as links can be. */
static void lengths_need_ingress(const struct links *l, const struct config *c, span_ps least, char *text,
                                 size_t size) {
    const struct flowctl_config *f = &l->a->world.switches.flow;
    struct links cut = {.a = l->a};
    char ingress[REMEDIES_TEXT / 4] = "";
    for (uint32_t i = 0; i < l->n; i++) {
        struct flowctl_params p = params_of(l, i, f);
        struct place_port kind = l->kind[i];
        if (p.propagation > flowctl_longest_link(&p)) kind.delay = least / PS_PER_NS * PS_PER_NS;
        links_add(&cut, &kind);
    }
    struct cure q = {.l = &cut, .c = c, .lanes = lanes_in_use(l->a, c), .text = ingress, .size = sizeof ingress};
    if (!holds(&cut, f, q.lanes)) cure_by_ingress(&q, *f, "");
    free(cut.kind);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", q.n ? " and " : "", ingress);
}

/* Fails if a pause cannot last over some link. */
static bool lengths_check(const struct links *l, const struct config *c, struct diag *d) {
    const struct flowctl_config *f = &l->a->world.switches.flow;
    char remedy[REMEDIES_TEXT], key[KEY_PATH_MAX];
    struct diag reason = {0};
    span_ps least = TIME_NONE;
    for (uint32_t i = 0; i < l->n; i++) {
        struct flowctl_params p = params_of(l, i, f);
        struct flowctl_thresholds t = flowctl_thresholds_at(f, &p);
        span_ps longest = flowctl_longest_link(&p);
        if (p.propagation <= longest) continue;
        if (longest - 2 * f->transceiver < least)
            flowctl_check(&p, &t, &reason), key_of_delay(c, l->kind[i].delay, key);
        least = min_i64(least, longest - 2 * f->transceiver);
    }
    if (least == TIME_NONE) return true;
    if (least < 0)
        return config_fail(c, d, "switch.transceiver_delay",
                           "switch.transceiver_delay: %s; make it or switch.pause_reaction shorter", reason.text);
    lengths_write(l, c, least, remedy, sizeof remedy);
    lengths_need_ingress(l, c, least, remedy, sizeof remedy);
    return config_fail(c, d, key, "%s: %s; write %s", key, reason.text, remedy);
}

/* ---- errors and warnings ---- */

/* Returns the key to name in the error if thresholds do not fit. */
static const char *threshold_key(const struct flowctl_config *f, const struct config *c) {
    if (f->high_bytes) return "switch.pause_above";
    if (f->low_bytes) return "switch.release_below";
    const struct setting *s = config_given(c, "switch.pause_classes");
    return s && !s->counted ? "switch.pause_classes" : "switch.flowctl";
}

bool assemble_headroom_check(const struct assembly *a, const struct config *c, struct diag *d) {
    const struct flowctl_config *f = &a->world.switches.flow;
    char remedy[REMEDIES_TEXT];
    struct diag reason = {0};
    struct links l = {0};
    if (!flowctl_is_on(f)) return true;
    links_fill(&l, a);
    bool ok = lengths_check(&l, c, d) && classes_check(&l, c, d);
    if (ok && refusing_link(&l, f, &reason) < l.n) {
        const char *key = threshold_key(f, c);
        bool any = cures_write(&l, c, remedy, sizeof remedy);
        ok = config_fail(c, d, key, "%s: %s; %s%s", key, reason.text, any ? "write " : "take slower or shorter links",
                         remedy);
    }
    free(l.kind);
    return ok;
}

void warn_of_headroom(struct warner *v) {
    const struct flowctl_config *f = &v->a->world.switches.flow;
    uint32_t lanes = lanes_in_use(v->a, v->c);
    char rate[UNITS_TEXT_MAX], remedy[REMEDIES_TEXT];
    struct links l = {0};
    links_fill(&l, v->a);
    struct worst worst = worst_of(&l, f, lanes);
    if (worst.bytes > f->params.buffer_bytes) {
        const char *key = f->high_bytes                          ? "switch.pause_above"
                          : f->params.headroom == HEADROOM_PAPER ? "switch.headroom"
                                                                 : threshold_key(f, v->c);
        bool any = cures_write(&l, v->c, remedy, sizeof remedy);
        config_fail(v->c, next_warning(v), key,
                    "%s: frames may be lost despite flow control: with %u class%s in use as many as %lld B may come "
                    "into an ingress queue of %lld B at %s; %s%s",
                    key, lanes, lanes == 1 ? "" : "es", (long long)worst.bytes, (long long)f->params.buffer_bytes,
                    units_print(PARAM_RATE, worst.rate_bps, rate, sizeof rate), any ? "write " : "use fewer classes",
                    remedy);
    }
    free(l.kind);
}

void warn_of_classes(struct warner *v) {
    const struct flowctl_config *f = &v->a->world.switches.flow;
    const struct setting *s = config_given(v->c, "switch.pause_classes");
    uint32_t lanes = lanes_in_use(v->a, v->c);
    bool own = !f->high_bytes && s && !s->counted && f->ops->by_class && f->params.headroom == HEADROOM_EXACT;
    if (!own || lanes >= f->params.classes) return;
    config_fail(v->c, next_warning(v), "switch.pause_classes",
                "switch.pause_classes: room is kept for %u classes, the workload uses %u, so they are paused earlier "
                "than they need be; write %u, or give flows a priority",
                f->params.classes, lanes, lanes);
}
