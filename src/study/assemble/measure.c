/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/parts.h"

#include "base/memory.h"
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

static bool watch_fill(struct assembly *a, const struct config *c, struct diag *d) {
    size_t n = config_count(c, "measure.watch");
    if (n == 0) return true;
    const struct fabric *f = a->fabric;
    struct watched_link *list = assembly_own(a, 2 * (size_t)f->paths.first_port[f->n_nodes], sizeof *list);
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const char *pattern = config_text(c, "measure.watch.%zu", i);
        char why[sizeof d->text];
        if (!fabric_link_is_clear(f, pattern, why, sizeof why))
            return config_fail(c, d, path_item((char[KEY_PATH_MAX]){0}, "measure.watch", i), "%s", why);
        if (pattern_add(f, pattern, list, &found)) continue;
        char path[KEY_PATH_MAX], first[FABRIC_NODE_NAME_MAX], port[FABRIC_PORT_NAME_MAX];
        uint32_t leaf = f->n_hosts;
        return config_fail(c, d, path_item(path, "measure.watch", i),
                           "'%s' names no link; write NODE-NODE or, for one direction, NODE->NODE, with * and ?: %s-%s",
                           pattern, fabric_node_name(f, leaf, first, sizeof first),
                           fabric_port_name(f, leaf, 0, port, sizeof port));
    }
    a->world.measure.watch = list;
    a->world.measure.n_watch = found;
    return true;
}

/* ---- the rest ---- */

static bool fairness_fill(struct measure_config *m, const struct config *c, struct diag *d) {
    size_t n = config_count(c, "measure.jain");
    if (n > FAIRNESS_MAX) return config_fail(c, d, "measure.jain", "measure.jain: at most %d intervals", FAIRNESS_MAX);
    m->n_jain = (uint32_t)n;
    for (size_t i = 0; i < n; i++) m->jain[i] = config_value(c, 0, "measure.jain.%zu", i);
    return true;
}

static bool timelines_fill(struct assembly *a, const struct config *c, struct diag *d) {
    size_t n = config_count(c, "measure.flow");
    uint32_t *flow = assembly_own(a, n, sizeof *flow);
    for (size_t i = 0; i < n; i++) {
        flow[i] = (uint32_t)config_value(c, 0, "measure.flow.%zu", i);
        if (flow[i] < a->flows.n) continue;
        char path[KEY_PATH_MAX];
        return config_fail(c, d, path_item(path, "measure.flow", i), "there is no flow %u; they are numbered 0 to %u",
                           flow[i], a->flows.n - 1);
    }
    a->world.measure.flow = flow;
    a->world.measure.n_flow = (uint32_t)n;
    return true;
}

static bool captures_fill(struct assembly *a, const struct config *c, struct diag *d) {
    size_t n = config_count(c, "measure.pcap");
    uint32_t *node = assembly_own(a, n, sizeof *node);
    for (size_t i = 0; i < n; i++) {
        const char *name = config_text(c, "measure.pcap.%zu", i);
        node[i] = fabric_node_find(a->fabric, name);
        if (node[i] != NODE_NONE) continue;
        char path[KEY_PATH_MAX], first[FABRIC_NODE_NAME_MAX];
        return config_fail(c, d, path_item(path, "measure.pcap", i), "there is no node '%s'; the first switch is %s",
                           name, fabric_node_name(a->fabric, a->fabric->n_hosts, first, sizeof first));
    }
    a->world.measure.pcap_node = node;
    a->world.measure.n_pcap = (uint32_t)n;
    return true;
}

static bool starts_fill(struct measure_config *m, const struct config *c, struct diag *d) {
    size_t n = config_count(c, "measure.starts");
    m->starts_from_ppb = config_value(c, 0, "measure.starts.0");
    m->starts_to_ppb = config_value(c, PPB, "measure.starts.1");
    if ((n == 0 || n == 2) && m->starts_from_ppb < m->starts_to_ppb) return true;
    return config_fail(c, d, "measure.starts", "measure.starts: write two shares of the arrivals, [20%%, 80%%]");
}

bool assemble_measure(struct assembly *a, const struct config *c, struct diag *d) {
    struct measure_config *m = &a->world.measure;
    m->from = config_value(c, 0, "measure.from");
    m->queues = config_value(c, 0, "measure.queues");
    m->links = config_value(c, 0, "measure.links");
    m->pauses = config_value(c, 0, "measure.pauses");
    m->imbalance = config_value(c, 0, "measure.imbalance");
    m->imbalance_min_ppb = config_value(c, 0, "measure.imbalance_min_load");
    m->snap_bytes = (uint32_t)config_value(c, 0, "measure.snap");
    m->max_samples = (uint64_t)config_value(c, 0, "measure.max_samples");
    m->goodput = config_value(c, 0, "measure.goodput");
    m->converge = config_value(c, 0, "measure.convergence.interval");
    m->converge_band_ppb = config_value(c, 0, "measure.convergence.band");
    return starts_fill(m, c, d) && size_classes_read(c, &m->sizes, d) && query_classes_read(c, &m->query_classes, d) &&
           fairness_fill(m, c, d) && watch_fill(a, c, d) && timelines_fill(a, c, d) && captures_fill(a, c, d);
}
