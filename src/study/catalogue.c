#include "study/catalogue.h"

#include "base/memory.h"
#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/crossbar/crossbar.h"
#include "mech/flowctl/flowctl.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"
#include "study/schemes.h"
#include "workload/sizes.h"

#include <stdio.h>
#include <stdlib.h>

static const struct catalogue_family families[] = {
    {"schemes", "scheme", "named combinations of mechanisms"},
    {"balance", "switch.balance", "which of the equal-cost next hops a frame takes"},
    {"admit", "switch.admit", "what a port takes in"},
    {"schedule", "switch.schedule", "in which order classes leave a port"},
    {"flowctl", "switch.flowctl", "flow control between neighbours"},
    {"crossbar", "switch.crossbar", "how frames get from ingress to egress"},
    {"transports", "host.transport", "how flows are carried"},
    {"fabrics", "fabric.kind", "topologies"},
    {"presets", "fabric.preset", "fabrics of the papers"},
    {"workloads", "workload.#.kind", "who sends to whom, and when"},
    {"sizes", "workload.#.sizes", "flow size distributions"},
};

static const struct catalogue_item fabrics[] = {
    {.family = "fabrics",
     .name = "clos",
     .paper = "Expeditus EXP-1",
     .doc = "three tiers: pods of ToRs and aggs, a plane of cores per agg"},
    {.family = "fabrics",
     .name = "leaf-spine",
     .paper = "Expeditus EXP-39",
     .doc = "two tiers: every leaf to every spine"},
    {.family = "fabrics",
     .name = "fat-tree",
     .paper = "Expeditus EXP-SIM",
     .doc = "three tiers of k-port switches, k^3/4 hosts"},
    {.family = "fabrics", .name = "star", .paper = "", .doc = "one switch"},
    {.family = "fabrics", .name = "dumbbell", .paper = "", .doc = "two switches, pairs of hosts across their link"},
    {.family = "fabrics",
     .name = "parking-lot",
     .paper = "",
     .doc = "switches in a row, a long path and a pair for every bottleneck"},
    {.family = "fabrics", .name = "file", .paper = "", .doc = "nodes and links read from a file"},
};

static const struct catalogue_item workloads[] = {
    {.family = "workloads",
     .name = "poisson",
     .paper = "Expeditus EXP-SIM",
     .doc = "random arrivals at a load of a tier, sizes from a distribution"},
    {.family = "workloads",
     .name = "permutation",
     .paper = "",
     .doc = "every host sends to one other, by a random derangement"},
    {.family = "workloads", .name = "stride", .paper = "Expeditus EXP-F13", .doc = "host i sends to host i + offset"},
    {.family = "workloads",
     .name = "bijection",
     .paper = "Expeditus EXP-F13",
     .doc = "random receiver in another pod, one sender each"},
    {.family = "workloads",
     .name = "random",
     .paper = "Expeditus EXP-F13",
     .doc = "random receiver in another pod, receivers may repeat"},
    {.family = "workloads", .name = "incast", .paper = "", .doc = "many senders to one receiver, in rounds"},
    {.family = "workloads", .name = "long", .paper = "", .doc = "flows with a start and a stop"},
    {.family = "workloads", .name = "trace", .paper = "", .doc = "flows read from a CSV file"},
    {.family = "workloads",
     .name = "shuffle",
     .paper = "ExpressPass XP-F8",
     .doc = "every task of a host sends to every task of every other host"},
};

const struct catalogue_family *catalogue_families(size_t *n) {
    *n = sizeof families / sizeof *families;
    return families;
}

static struct catalogue_item *items;
static size_t n_items;

static void add(struct catalogue_item item) {
    items = memory_grow(items, n_items + 1, sizeof *items);
    items[n_items++] = item;
}

static const char *block_name(const char *parent, const char *name) {
    char *text = NULL;
    if (asprintf(&text, "%s.%s", parent, name) < 0) abort();
    return text;
}

static void schemes_add(const char *family, const struct scheme *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){.family = family, .name = s[i].name, .paper = s[i].paper, .doc = s[i].doc});
}

static void balancers_add(void) {
    size_t n;
    const struct balancer_ops *const *b = balancers(&n);
    for (size_t i = 0; i < n; i++) {
        add((struct catalogue_item){"balance", b[i]->name, b[i]->paper, b[i]->doc, b[i]->params, b[i]->n_params,
                                    b[i]->counters, b[i]->n_counters, block_name("switch", b[i]->name)});
    }
}

static void transports_add(void) {
    size_t n;
    const struct transport_ops *const *t = transports(&n);
    for (size_t i = 0; i < n; i++) {
        add((struct catalogue_item){"transports", t[i]->name, t[i]->paper, t[i]->doc, t[i]->params, t[i]->n_params,
                                    t[i]->counters, t[i]->n_counters, block_name("host", t[i]->name)});
    }
}

static void port_parts_add(void) {
    size_t n;
    const struct admit_ops *const *a = admissions(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){.family = "admit", .name = a[i]->name, .paper = a[i]->paper, .doc = a[i]->doc});
    const struct schedule_ops *const *s = schedules(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){.family = "schedule", .name = s[i]->name, .paper = s[i]->paper, .doc = s[i]->doc});
    const struct flowctl_ops *const *f = flowctls(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){.family = "flowctl", .name = f[i]->name, .paper = f[i]->paper, .doc = f[i]->doc});
    const struct crossbar_ops *const *x = crossbars(&n);
    for (size_t i = 0; i < n; i++)
        add((struct catalogue_item){.family = "crossbar", .name = x[i]->name, .paper = x[i]->paper, .doc = x[i]->doc});
}

static void rows_add(const struct catalogue_item *rows, size_t n) {
    for (size_t i = 0; i < n; i++) add(rows[i]);
}

static void sizes_add(void) {
    size_t n;
    const char *const *names = sizes_names(&n);
    for (size_t i = 0; i < n; i++) {
        struct diag d;
        struct sizes *s = sizes_create(names[i], ".", 0, &d);
        char *doc = NULL;
        if (asprintf(&doc, "mean %lld B", s ? (long long)s->mean_bytes : 0LL) < 0) abort();
        add((struct catalogue_item){.family = "sizes", .name = names[i], .paper = "", .doc = doc});
        sizes_destroy(s);
    }
}

const struct catalogue_item *catalogue_items(size_t *n) {
    if (!items) {
        size_t count;
        const struct scheme *s = schemes(&count);
        schemes_add("schemes", s, count);
        balancers_add();
        port_parts_add();
        transports_add();
        rows_add(fabrics, sizeof fabrics / sizeof *fabrics);
        s = fabric_presets(&count);
        schemes_add("presets", s, count);
        rows_add(workloads, sizeof workloads / sizeof *workloads);
        sizes_add();
    }
    *n = n_items;
    return items;
}
