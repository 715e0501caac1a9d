/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/fill.h"

#include "base/memory.h"
#include "study/assemble/moments.h"
#include "study/config/measure_keys.h"
#include "study/config/part_names.h"
#include "study/config/query_classes.h"
#include "study/config/size_classes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- links by name ---- */

/* True if the egress `port` of `node` fits the patterns `from` and `to`. All parallel links fit unless `to` has a #. */
static bool egress_fits(const struct fabric *f, uint32_t node, uint16_t port, const char *from, const char *to) {
    char here[FABRIC_NODE_NAME_MAX], there[FABRIC_PORT_NAME_MAX];
    fabric_node_name(f, node, here, sizeof here);
    fabric_port_name(f, node, port, there, sizeof there);
    if (!strchr(to, '#')) there[strcspn(there, "#")] = '\0';
    return fnmatch(from, here, 0) == 0 && fnmatch(to, there, 0) == 0;
}

/* True if the link fits "A-B". Node names may contain '-', so each '-' is tried as the one between the names. */
static bool link_fits(const struct fabric *f, uint32_t node, uint16_t port, const char *pattern) {
    char from[128];
    for (const char *dash = strchr(pattern, '-'); dash; dash = strchr(dash + 1, '-')) {
        snprintf(from, sizeof from, "%.*s", (int)(dash - pattern), pattern);
        if (egress_fits(f, node, port, from, dash + 1)) return true;
    }
    return false;
}

static bool direction_fits(const struct fabric *f, uint32_t node, uint16_t port, const char *pattern,
                           const char *arrow) {
    char from[128];
    snprintf(from, sizeof from, "%.*s", (int)(arrow - pattern), pattern);
    return egress_fits(f, node, port, from, arrow + 2);
}

static bool is_watched(const struct watched_link *list, uint32_t n, uint32_t g, bool both, uint32_t peer) {
    for (uint32_t i = 0; i < n; i++)
        if (list[i].both == both && (list[i].port == g || (both && list[i].port == peer))) return true;
    return false;
}

/* Adds the links that a pattern names, unless they are in the list. Returns whether it names any. */
static bool pattern_add(const struct fabric *f, const char *pattern, struct watched_link *list, uint32_t *n) {
    const char *arrow = strstr(pattern, "->");
    bool any = false;
    for (uint32_t g = 0; g < f->paths.first_port[f->n_nodes]; g++) {
        const struct place_port *p = &f->paths.port[g];
        bool fits =
            arrow ? direction_fits(f, p->node, p->port, pattern, arrow) : link_fits(f, p->node, p->port, pattern);
        any |= fits;
        if (fits && !is_watched(list, *n, g, !arrow, p->peer)) list[(*n)++] = (struct watched_link){g, !arrow};
    }
    return any;
}

static bool watch_fill(const struct fill *f, const struct measure_keys *k, struct measure_config *m) {
    const struct fabric *fabric = f->a->fabric;
    if (k->n_watch == 0) return true;
    struct watched_link *list = assembly_own(f->a, 2 * (size_t)fabric->paths.first_port[fabric->n_nodes], sizeof *list);
    for (uint32_t i = 0; i < k->n_watch; i++) {
        const char *pattern = k->watch[i];
        char why[sizeof f->d->text], path[KEY_PATH_MAX];
        path_item(path, "measure.watch", i);
        if (!fabric_link_is_clear(fabric, pattern, why, sizeof why)) return config_fail(f->c, f->d, path, "%s", why);
        if (pattern_add(fabric, pattern, list, &m->n_watch)) continue;
        char first[FABRIC_NODE_NAME_MAX], port[FABRIC_PORT_NAME_MAX];
        uint32_t leaf = fabric->n_hosts;
        return config_fail(f->c, f->d, path,
                           "'%s' names no link; write NODE-NODE or, for one direction, NODE->NODE, with * and ?: %s-%s",
                           pattern, fabric_node_name(fabric, leaf, first, sizeof first),
                           fabric_port_name(fabric, leaf, 0, port, sizeof port));
    }
    m->watch = list;
    return true;
}

/* ---- the rest ---- */

static bool fairness_fill(const struct fill *f, const struct measure_keys *k, struct measure_config *m) {
    if (k->n_jain > FAIRNESS_MAX)
        return config_fail(f->c, f->d, "measure.jain", "measure.jain: at most %d intervals", FAIRNESS_MAX);
    m->n_jain = k->n_jain;
    for (uint32_t i = 0; i < k->n_jain; i++) m->jain[i] = k->jain[i];
    return true;
}

static bool timelines_check(const struct fill *f, const struct measure_config *m) {
    for (uint32_t i = 0; i < m->n_flow; i++) {
        if (m->flow[i] < f->a->flows.n) continue;
        char path[KEY_PATH_MAX];
        return config_fail(f->c, f->d, path_item(path, "measure.flow", i),
                           "there is no flow %u; they are numbered 0 to %u", m->flow[i], f->a->flows.n - 1);
    }
    return true;
}

static bool captures_fill(const struct fill *f, const struct measure_keys *k, struct measure_config *m) {
    const struct fabric *fabric = f->a->fabric;
    uint32_t *node = assembly_own(f->a, k->n_pcap, sizeof *node);
    for (uint32_t i = 0; i < k->n_pcap; i++) {
        node[i] = fabric_node_find(fabric, k->pcap[i]);
        if (node[i] != NODE_NONE) continue;
        char path[KEY_PATH_MAX], first[FABRIC_NODE_NAME_MAX];
        return config_fail(f->c, f->d, path_item(path, "measure.pcap", i),
                           "there is no node '%s'; the first switch is %s", k->pcap[i],
                           fabric_node_name(fabric, fabric->n_hosts, first, sizeof first));
    }
    m->pcap_node = node;
    m->n_pcap = k->n_pcap;
    return true;
}

static bool starts_fill(const struct fill *f, const struct measure_keys *k, struct measure_config *m) {
    m->arrivals.starts_from_ppb = k->n_starts ? k->starts[0] : 0;
    m->arrivals.starts_to_ppb = k->n_starts > 1 ? k->starts[1] : PPB;
    if ((k->n_starts == 0 || k->n_starts == 2) && m->arrivals.starts_from_ppb < m->arrivals.starts_to_ppb) return true;
    return config_fail(f->c, f->d, "measure.starts", "measure.starts: write two shares of the arrivals, [20%%, 80%%]");
}

/* Names the entries of the workload in the results. */
static bool entries_fill(const struct fill *f, struct measure_config *m) {
    struct part_names names;
    if (!entry_names_read(f->c, &names, f->d)) return false;
    part_names_free(&names);
    const char **name = assembly_own(f->a, f->a->n_workload, sizeof *name);
    for (size_t i = 0; i < f->a->n_workload; i++) name[i] = f->a->workload[i].name;
    m->entry_name = name;
    m->n_entries = (uint32_t)f->a->n_workload;
    return true;
}

bool assemble_measure(struct assembly *a, const struct config *c, struct diag *d) {
    const struct fill f = {.a = a, .c = c, .base_dir = "", .d = d};
    struct measure_keys k = {0};
    struct measure_config *m = &a->world.measure;
    if (!fill_params(&f, "measure", measure_keys, &k) ||
        !fill_params(&f, "measure.convergence", convergence_keys, &k) || !fill_params(&f, "measure", capture_keys, &k))
        return false;
    *m = k.plain;
    return phases_fill(a, c, d) && entries_fill(&f, m) && starts_fill(&f, &k, m) &&
           size_classes_read(c, &m->sizes, d) && query_classes_read(c, &m->query_classes, d) &&
           fairness_fill(&f, &k, m) && watch_fill(&f, &k, m) && timelines_check(&f, m) && captures_fill(&f, &k, m);
}
