/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/catalogue.h"

#include "base/memory.h"
#include "base/text.h"
#include "fabric/fabric.h"
#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/crossbar/crossbar.h"
#include "mech/flowctl/flowctl.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"
#include "study/config/schemes.h"
#include "workload/sizes.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct catalogue_item *items;
static size_t n_items;

static void add(struct catalogue_item item) {
    items = memory_grow(items, n_items + 1, sizeof *items);
    items[n_items++] = item;
}

static const char *text_of(const char *fmt, const char *a, const char *b) {
    char *text = NULL;
    text = text_format(fmt, a, b);
    return text;
}

/* ---- the rows of each table ---- */

/* The fields of an item that every row has under the same names. */
#define ABOUT(family_, r_) .family = (family_), .name = (r_)->name, .paper = (r_)->paper, .doc = (r_)->doc, .row = (r_)

static void schemes_add(const char *family, const struct scheme *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){.family = family, .name = s[i].name, .paper = s[i].paper, .doc = s[i].doc});
}

static void combinations_add(const char *family) {
    size_t n;
    const struct scheme *s = schemes(&n);
    schemes_add(family, s, n);
}

static void presets_add(const char *family) {
    size_t n;
    const struct scheme *s = fabric_presets(&n);
    schemes_add(family, s, n);
}

static void balancers_add(const char *family) {
    size_t n;
    const struct balancer_ops *const *b = balancers(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){ABOUT(family, b[i]), .params = b[i]->params, .n_params = b[i]->n_params,
                                    .counters = b[i]->counters, .n_counters = b[i]->n_counters,
                                    .block = text_of("%s.%s", "switch", b[i]->name)});
}

/* Returns all parameters of a transport in one array, those of its base first. The catalogue keeps the array. */
static const struct param *transport_params(const struct transport_ops *t) {
    size_t n = transport_n_params(t);
    struct param *p = memory_get(n, sizeof *p);
    for (size_t i = 0; i < n; i++) p[i] = transport_param(t, i);
    return p;
}

static const struct counter *transport_counters(const struct transport_ops *t) {
    size_t n = transport_n_counters(t);
    struct counter *c = memory_get(n, sizeof *c);
    for (size_t i = 0; i < n; i++) c[i] = *transport_counter(t, i);
    return c;
}

static void transports_add(const char *family) {
    size_t n;
    const struct transport_ops *const *t = transports(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){ABOUT(family, t[i]), .params = transport_params(t[i]),
                                    .n_params = transport_n_params(t[i]), .counters = transport_counters(t[i]),
                                    .n_counters = transport_n_counters(t[i]),
                                    .block = text_of("%s.%s", "host", t[i]->name), .needed = t[i]->needed});
}

static void admissions_add(const char *family) {
    size_t n;
    const struct admit_ops *const *a = admissions(&n);
    for (size_t i = 0; i < n; i++) add((struct catalogue_item){ABOUT(family, a[i]), .keys = a[i]->keys});
}

static void schedules_add(const char *family) {
    size_t n;
    const struct schedule_ops *const *s = schedules(&n);
    for (size_t i = 0; i < n; i++) add((struct catalogue_item){ABOUT(family, s[i]), .keys = s[i]->keys});
}

static void flowctls_add(const char *family) {
    size_t n;
    const struct flowctl_ops *const *f = flowctls(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){ABOUT(family, f[i]), .keys = f[i]->keys, .needed = f[i]->needed});
}

static void crossbars_add(const char *family) {
    size_t n;
    const struct crossbar_ops *const *x = crossbars(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){ABOUT(family, x[i]), .params = x[i]->params, .n_params = x[i]->n_params,
                                    .block = text_of("%s.%s", "switch", x[i]->name)});
}

static void fabrics_add(const char *family) {
    size_t n;
    const struct fabric_ops *const *f = fabrics(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){ABOUT(family, f[i]), .keys = f[i]->keys, .params = f[i]->params,
                                    .n_params = f[i]->n_params});
}

static void workloads_add(const char *family) {
    size_t n;
    const struct workload_ops *const *w = workloads(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){ABOUT(family, w[i]), .keys = w[i]->keys, .params = w[i]->params,
                                    .n_params = w[i]->n_params});
}

static void sizes_add(const char *family) {
    size_t n;
    const char *const *names = sizes_names(&n);
    for (size_t i = 0; i < n; i++) {
        struct diag d;
        struct sizes *s = sizes_create(names[i], ".", 0, &d);
        char *doc = NULL;
        doc = text_format("%s, mean %lld B", sizes_doc(names[i]), s ? (long long)s->mean_bytes : 0LL);
        add((struct catalogue_item){.family = family, .name = names[i], .paper = sizes_source(names[i]), .doc = doc});
        sizes_destroy(s);
    }
}

/* ---- the families ---- */

#define FEATURE(name_, type_, field_)                                                                                  \
    { name_, offsetof(type_, field_) }
static const struct catalogue_feature balance_features[] = {FEATURE("symmetric", struct balancer_ops, can_be_symmetric),
                                                            {0}};
static const struct catalogue_feature schedule_features[] = {FEATURE("classes", struct schedule_ops, classes), {0}};
static const struct catalogue_feature flowctl_features[] = {FEATURE("pauses", struct flowctl_ops, pauses), {0}};
static const struct catalogue_feature crossbar_features[] = {FEATURE("queues", struct crossbar_ops, queues), {0}};
static const struct catalogue_feature transport_features[] = {
    FEATURE("credits", struct transport_ops, needs.credit),
    FEATURE("symmetry", struct transport_ops, needs.symmetric_paths),
    FEATURE("marked-credits", struct transport_ops, needs.credit_marking),
    FEATURE("rates", struct transport_ops, takes_rate),
    FEATURE("bursts", struct transport_ops, takes_bursts),
    FEATURE("syn", struct transport_ops, begins_with_syn),
    {0}};

static const struct catalogue_feature fabric_features[] = {FEATURE("nics", struct fabric_ops, multihomed), {0}};

static const struct catalogue_family families[] = {
    {"schemes", "scheme", "named combinations of mechanisms", .add = combinations_add},
    {"balance", "switch.balance", "choice among equal-cost next hops", .add = balancers_add,
     .features = balance_features},
    {"admit", "switch.admit", "admission of frames to the queue of a port", .add = admissions_add},
    {"schedule", "switch.schedule", "order in which classes leave a port", .add = schedules_add,
     .features = schedule_features},
    {"flowctl", "switch.flowctl", "flow control between neighbours", .add = flowctls_add, .features = flowctl_features},
    {"crossbar", "switch.crossbar", "path of frames from ingress to egress", .add = crossbars_add,
     .features = crossbar_features, .strict = true},
    {"transports", "host.transport", "transports of flows", .add = transports_add, .features = transport_features},
    {"fabrics", "fabric.kind", "topologies", .add = fabrics_add, .features = fabric_features},
    {"presets", "fabric.preset", "fabrics of the papers", .add = presets_add},
    {"workloads", "workload.#.kind", "traffic patterns", .add = workloads_add},
    {"sizes", "workload.#.sizes", "flow size distributions", .add = sizes_add},
};
#define N_FAMILIES (sizeof families / sizeof *families)

const struct catalogue_family *catalogue_families(size_t *n) {
    *n = N_FAMILIES;
    return families;
}

const struct catalogue_family *catalogue_family_of(const char *key) {
    for (size_t i = 0; i < N_FAMILIES; i++)
        if (strcmp(families[i].key, key) == 0) return &families[i];
    return NULL;
}

const struct catalogue_item *catalogue_items(size_t *n) {
    bool empty = items == NULL;
    for (size_t i = 0; empty && i < N_FAMILIES; i++) families[i].add(families[i].name);
    *n = n_items;
    return items;
}

const struct catalogue_item *catalogue_find(const char *family, const char *name) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(item[i].family, family) == 0 && strcmp(item[i].name, name) == 0) return &item[i];
    return NULL;
}

bool catalogue_has(const struct catalogue_item *item, const char *feature) {
    for (size_t i = 0; i < N_FAMILIES; i++) {
        const struct catalogue_feature *f = families[i].features;
        if (strcmp(families[i].name, item->family) != 0) continue;
        for (; f && f->name; f++)
            if (strcmp(f->name, feature) == 0) return *(const bool *)((const char *)item->row + f->at);
    }
    return false;
}

char *catalogue_names(const char *family, const char *feature) {
    char *text = NULL;
    size_t size = 0, n, found = 0;
    FILE *out = text_stream(&text, &size);
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(item[i].family, family) != 0 || (feature && !catalogue_has(&item[i], feature))) continue;
        fprintf(out, "%s%s", found++ ? "|" : "", item[i].name);
    }
    text_stream_end(out, &text);
    return text;
}
