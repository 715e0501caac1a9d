/* SPDX-License-Identifier: Apache-2.0 */
/* Fabrics from a file of nodes and links, in one of several formats (formats.h). Rates and delays that the file does
 * not give are the experiment's.
 *
 * A node without a tier is a host if it has one link, a leaf if it has hosts, an agg if it has a link to a leaf, and
 * otherwise a core. A host may have several links, each a NIC (fabric/nics.h), if the file gives it the tier host; it is
 * numbered after the first of its leaves without links to other switches (a scale-up switch: so the GPUs of a server follow
 * each other), or else after the first of its leaves. Pods are the connected parts of the fabric without its cores.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input_file.h"
#include "base/memory.h"
#include "fabric/fabric_build.h"
#include "fabric/formats.h"

struct shape {
    const char *path;
    struct file_lists lists;
    uint32_t *degree;    /* per node: number of its links */
    uint32_t *host_leaf; /* per host: its switch, of several the one it is numbered after */
    bool *has_uplink;    /* per switch: it is linked to another switch */
    uint32_t *distance;  /* per node: hops from the nearest leaf */
    uint32_t *group;     /* per node: its parent in a union-find forest of pods */
    uint32_t *pod;       /* per node: number of its pod */
    uint32_t *sorted;    /* nodes in the order of their final numbers */
    uint32_t *number;    /* per node: its final number */
    uint32_t count[TIER_COUNT];
    struct diag *d;
};

static bool shape_fail(struct shape *s, uint32_t node, const char *remedy) {
    const struct file_node *n = &s->lists.node[node];
    return diag_fail(s->d, s->path, n->line, n->col, "node %s %s", n->name, remedy);
}

/* ---- tiers ---- */

static void shape_count_links(struct shape *s) {
    for (uint32_t i = 0; i < s->lists.n_links; i++) {
        s->degree[s->lists.link[i].a]++;
        s->degree[s->lists.link[i].b]++;
    }
}

static bool shape_find_hosts(struct shape *s) {
    for (uint32_t i = 0; i < s->lists.n_nodes; i++) {
        struct file_node *n = &s->lists.node[i];
        if (s->degree[i] == 0) return shape_fail(s, i, "has no link; link it or remove it");
        if (n->tier == TIER_UNKNOWN && s->degree[i] == 1) n->tier = TIER_HOST;
    }
    return true;
}

/* A switch with hosts must be a leaf. */
static bool shape_attach_host(struct shape *s, uint32_t host, uint32_t other) {
    struct file_node *n = &s->lists.node[other];
    if (n->tier == TIER_HOST) return shape_fail(s, host, "is linked to another host; a host's link leads to a leaf");
    if (n->tier == TIER_UNKNOWN) n->tier = TIER_LEAF;
    if (n->tier != TIER_LEAF)
        return shape_fail(s, other, "has hosts but is no leaf; hosts hang on leaves only, give it tier leaf");
    return true;
}

static bool shape_attach_hosts(struct shape *s) {
    bool *serves = memory_get(s->lists.n_nodes, sizeof *serves), fine = true;
    for (uint32_t i = 0; fine && i < s->lists.n_links; i++) {
        uint32_t a = s->lists.link[i].a, b = s->lists.link[i].b;
        bool a_is_host = s->lists.node[a].tier == TIER_HOST, b_is_host = s->lists.node[b].tier == TIER_HOST;
        if (a_is_host)
            fine = shape_attach_host(s, a, b), serves[b] = true;
        else if (b_is_host)
            fine = shape_attach_host(s, b, a), serves[a] = true;
    }
    for (uint32_t i = 0; fine && i < s->lists.n_nodes; i++) {
        if (s->lists.node[i].tier == TIER_LEAF && !serves[i])
            fine = shape_fail(s, i, "is a leaf without hosts; give it hosts or tier agg");
    }
    free(serves);
    return fine;
}

/* Sets the distance of every switch from the nearest leaf, breadth first. */
static void shape_measure(struct shape *s) {
    const struct file_lists *l = &s->lists;
    uint32_t *first = memory_get((size_t)l->n_nodes + 2, sizeof *first), *end = first + 1;
    uint32_t *neighbour = memory_get(2 * (size_t)l->n_links, sizeof *neighbour);
    uint32_t *queue = memory_get(l->n_nodes, sizeof *queue), n = 0;
    for (uint32_t i = 0; i < l->n_nodes; i++) end[i + 1] = end[i] + s->degree[i];
    for (uint32_t i = 0; i < l->n_links; i++) {
        neighbour[end[l->link[i].a]++] = l->link[i].b;
        neighbour[end[l->link[i].b]++] = l->link[i].a;
    }
    for (uint32_t i = 0; i < l->n_nodes; i++) {
        s->distance[i] = l->node[i].tier == TIER_LEAF ? 0 : UINT32_MAX;
        if (s->distance[i] == 0) queue[n++] = i;
    }
    for (uint32_t head = 0; head < n; head++) {
        for (uint32_t i = first[queue[head]]; i < first[queue[head] + 1]; i++) {
            if (s->distance[neighbour[i]] != UINT32_MAX) continue;
            s->distance[neighbour[i]] = s->distance[queue[head]] + 1;
            queue[n++] = neighbour[i];
        }
    }
    free(first);
    free(neighbour);
    free(queue);
}

static bool shape_settle_tiers(struct shape *s) {
    uint32_t a_core = NODE_NONE;
    for (uint32_t i = 0; i < s->lists.n_nodes; i++) {
        struct file_node *n = &s->lists.node[i];
        if (n->tier == TIER_UNKNOWN) n->tier = s->distance[i] == 1 ? TIER_AGG : TIER_CORE;
        if (n->tier == TIER_CORE && a_core == NODE_NONE) a_core = i;
        s->count[n->tier]++;
    }
    if (s->count[TIER_LEAF] == 0)
        return diag_fail(s->d, s->path, 1, 1,
                         "there is no switch with hosts; add hosts: nodes of tier host, or without a tier and with one "
                         "link");
    if (a_core != NODE_NONE && s->count[TIER_AGG] == 0)
        return shape_fail(s, a_core, "is a core in a fabric without aggs; give the tier above the leaves tier agg");
    return true;
}

/* ---- pods and numbers ---- */

static uint32_t group_root(uint32_t *group, uint32_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

/* Joins the nodes that links below the cores connect, and numbers these pods in the order of the file. Returns how
 * many. */
static uint32_t shape_find_pods(struct shape *s) {
    const struct file_lists *l = &s->lists;
    uint32_t n_pods = 0;
    for (uint32_t i = 0; i < l->n_nodes; i++) s->group[i] = i, s->pod[i] = NODE_NONE;
    for (uint32_t i = 0; i < l->n_links; i++) {
        uint32_t a = l->link[i].a, b = l->link[i].b;
        if (l->node[a].tier == TIER_CORE || l->node[b].tier == TIER_CORE) continue;
        s->group[group_root(s->group, a)] = group_root(s->group, b);
    }
    for (uint32_t i = 0; i < l->n_nodes; i++) {
        uint32_t root = group_root(s->group, i);
        if (l->node[i].tier == TIER_LEAF && s->pod[root] == NODE_NONE) s->pod[root] = n_pods++;
    }
    for (uint32_t i = 0; i < l->n_nodes; i++) {
        if (l->node[i].tier == TIER_CORE)
            s->pod[i] = 0; /* one plane */
        else
            s->pod[i] = s->pod[group_root(s->group, i)];
    }
    return n_pods;
}

static int switch_order(const void *pa, const void *pb, void *shape) {
    const struct shape *s = shape;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int tier_a = s->lists.node[a].tier, tier_b = s->lists.node[b].tier;
    if (tier_a != tier_b) return tier_a - tier_b;
    if (tier_a != TIER_HOST && s->pod[a] != s->pod[b]) return s->pod[a] < s->pod[b] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Returns whether leaf a comes before leaf b when a host of both is numbered. */
static bool leaf_is_before(const struct shape *s, uint32_t a, uint32_t b) {
    if (s->has_uplink[a] != s->has_uplink[b]) return !s->has_uplink[a];
    return s->number[a] < s->number[b];
}

/* Sets the leaf of each host. Switches have their numbers. */
static void shape_choose_leaves(struct shape *s) {
    const struct file_lists *l = &s->lists;
    for (uint32_t i = 0; i < l->n_nodes; i++) s->host_leaf[i] = NODE_NONE;
    for (uint32_t i = 0; i < l->n_links; i++) {
        uint32_t a = l->link[i].a, b = l->link[i].b;
        if (l->node[a].tier != TIER_HOST && l->node[b].tier != TIER_HOST) s->has_uplink[a] = s->has_uplink[b] = true;
    }
    for (uint32_t i = 0; i < l->n_links; i++) {
        uint32_t a = l->link[i].a, b = l->link[i].b;
        if (l->node[a].tier != TIER_HOST && l->node[b].tier != TIER_HOST) continue;
        uint32_t host = l->node[a].tier == TIER_HOST ? a : b, leaf = host == a ? b : a;
        if (s->host_leaf[host] == NODE_NONE || leaf_is_before(s, leaf, s->host_leaf[host])) s->host_leaf[host] = leaf;
    }
}

static int host_order(const void *pa, const void *pb, void *shape) {
    const struct shape *s = shape;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    uint32_t leaf_a = s->number[s->host_leaf[a]], leaf_b = s->number[s->host_leaf[b]];
    if (leaf_a != leaf_b) return leaf_a < leaf_b ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Numbers the nodes: hosts in leaf order, then leaves and aggs pod by pod, then cores. */
static void shape_number(struct shape *s) {
    uint32_t n = s->lists.n_nodes;
    for (uint32_t i = 0; i < n; i++) s->sorted[i] = i;
    qsort_r(s->sorted, n, sizeof *s->sorted, switch_order, s);
    for (uint32_t i = 0; i < n; i++) s->number[s->sorted[i]] = i;
    shape_choose_leaves(s);
    qsort_r(s->sorted, s->count[TIER_HOST], sizeof *s->sorted, host_order, s);
    for (uint32_t i = 0; i < s->count[TIER_HOST]; i++) s->number[s->sorted[i]] = i;
}

/* ---- the fabric ---- */

static void shape_fill_nodes(struct fabric *f, const struct shape *s) {
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        struct fabric_node *node = &f->node[i];
        const struct fabric_node *before = i > 0 ? &f->node[i - 1] : NULL;
        node->pod = s->pod[s->sorted[i]];
        if (node->tier == TIER_HOST) node->leaf = s->number[s->host_leaf[s->sorted[i]]] - f->n_hosts;
        bool first = !before || before->tier != node->tier || before->pod != node->pod ||
                     (node->tier == TIER_HOST && before->leaf != node->leaf);
        node->index = first ? 0 : before->index + 1;
    }
}

static void shape_fill_names(struct fabric *f, const struct shape *s) {
    struct fabric_store *store = f->store;
    store->name = fabric_own(f, f->n_nodes, sizeof *store->name);
    store->by_name = fabric_own(f, f->n_nodes, sizeof *store->by_name);
    char *text = fabric_own(f, f->n_nodes, FILE_NAME_MAX + 1);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        store->name[i] = text + (size_t)i * (FILE_NAME_MAX + 1);
        memcpy(store->name[i], s->lists.node[s->sorted[i]].name, FILE_NAME_MAX + 1);
        store->by_name[i] = s->number[s->lists.by_name[i]];
    }
}

static void shape_fill_links(struct fabric *f, const struct fabric_spec *spec, const struct shape *s) {
    const int64_t rate[] = {spec->host_bps, spec->uplink_bps, spec->core_bps, spec->core_bps};
    const span_ps delay[] = {spec->host_delay, spec->uplink_delay, spec->core_delay, spec->core_delay};
    for (uint32_t i = 0; i < s->lists.n_links; i++) {
        const struct file_link *l = &s->lists.link[i];
        uint32_t a = s->number[l->a], b = s->number[l->b];
        uint8_t tier = f->node[a < b ? a : b].tier;
        fabric_make_link(f, a, b, l->rate_bps ? l->rate_bps : rate[tier], l->delay >= 0 ? l->delay : delay[tier]);
        fabric_store(f)->link[i].loss_ppb = l->loss_ppb;
    }
}

static bool shape_understand(struct shape *s) {
    shape_count_links(s);
    if (!shape_find_hosts(s) || !shape_attach_hosts(s)) return false;
    shape_measure(s);
    return shape_settle_tiers(s);
}

static bool shape_build(struct shape *s, struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    if (!shape_understand(s)) return false;
    if (!fabric_fits(spec, s->count[TIER_HOST], s->count[TIER_LEAF], s->count[TIER_AGG], s->count[TIER_CORE],
                     s->lists.n_links, d) ||
        !fabric_need_speeds(spec, true, true, d))
        return false;
    f->n_pods = shape_find_pods(s);
    for (uint32_t i = 0; i < s->lists.n_nodes; i++) {
        if (s->pod[i] == NODE_NONE)
            return shape_fail(s, i, "is an agg with no leaf below; link it to a leaf or give it tier core");
    }
    f->n_planes = s->count[TIER_CORE] > 0;
    shape_number(s);
    fabric_make_nodes(f, s->count[TIER_HOST], s->count[TIER_LEAF], s->count[TIER_AGG], s->count[TIER_CORE]);
    shape_fill_nodes(f, s);
    shape_fill_names(f, s);
    shape_fill_links(f, spec, s);
    fabric_store(f)->roles = roles_text(f, s->path, &s->lists);
    return true;
}

/* Returns false. If the text looks like another format than the one it could not be read in, the error says so. */
static bool other_format_fail(const struct fabric_spec *spec, const char *text, size_t size, struct diag *d) {
    uint32_t looks = fabric_format_of(text, size);
    const char *is, *asked;
    if (looks == FORMAT_COUNT || looks == spec->format) return false;
    fabric_format(looks, &is);
    fabric_format(spec->format, &asked);
    return diag_fail(d, spec->path, 1, 1, "this looks like %s, not like %s; write format: %s beside the path", is,
                     asked, is);
}

bool file_build_text(struct fabric *f, const struct fabric_spec *spec, const char *text, size_t size, struct diag *d) {
    struct shape s = {.path = spec->path, .d = d};
    const char *name;
    bool fine = fabric_format(spec->format, &name)->read(spec->path, text, size, &s.lists, d) ||
                other_format_fail(spec, text, size, d);
    if (fine) {
        size_t n = s.lists.n_nodes;
        uint32_t **array[] = {&s.degree, &s.host_leaf, &s.distance, &s.group, &s.pod, &s.sorted, &s.number};
        uint32_t *all = memory_get(7 * n, sizeof *all);
        for (size_t i = 0; i < 7; i++) *array[i] = all + i * n;
        s.has_uplink = memory_get(n, sizeof *s.has_uplink);
        fine = shape_build(&s, f, spec, d);
        free(s.has_uplink);
        free(all);
    }
    file_lists_free(&s.lists);
    return fine;
}

/* Returns the text of the file; NULL after setting *why. */
static char *file_load(const char *path, size_t *size, const char **why) {
    FILE *file = input_open(path, why);
    if (!file) return NULL;
    char *text = NULL;
    size_t held = 0;
    *size = 0;
    do {
        held = held ? 2 * held : 65536;
        text = memory_grow(text, held, 1);
        *size += fread(text + *size, 1, held - *size, file);
    } while (*size == held);
    int problem = ferror(file) ? errno : 0;
    fclose(file);
    if (problem == 0) return text;
    free(text);
    *why = strerror(problem);
    return NULL;
}

static bool file_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    const struct diag *w = &spec->where;
    if (!spec->path)
        return diag_fail(d, w->file, w->line, w->col, "fabric.path is missing; name the file of nodes and links");
    size_t size;
    const char *why;
    char *text = file_load(spec->path, &size, &why);
    if (!text) return diag_fail(d, w->file, w->line, w->col, "cannot read %s: %s", spec->path, why);
    bool fine = file_build_text(f, spec, text, size, d);
    free(text);
    return fine;
}

static const struct param file_path = {
    .name = "path",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "the file of nodes and links",
    PARAM_IN(struct fabric_spec, path),
};
static const struct param file_format = {
    .name = "format",
    .type = PARAM_CHOICE,
    .choices = PARAM_CHOICES(FABRIC_FORMATS),
    .max = FORMAT_COUNT - 1,
    .doc = "its format: topology (nodes and links in YAML), or another program's",
    PARAM_IN(struct fabric_spec, format),
};
static const struct param file_routing = {
    .name = "routing",
    .type = PARAM_CHOICE,
    .choices = PARAM_CHOICES(FABRIC_ROUTINGS),
    .max = ROUTING_COUNT - 1,
    .doc =
        "up-down: shortest paths that go up the tiers first and then down; shortest: any shortest paths, for chains, "
        "rings, tori and other graphs without tiers",
    PARAM_IN(struct fabric_spec, routing),
};
static const struct param *const file_keys[] = {&file_path, &file_format, &file_routing, FABRIC_SPEEDS, NULL};

const struct fabric_ops fabric_file = {
    .name = "file",
    .paper = "ours",
    .doc = "nodes and links read from a file",
    .keys = file_keys,
    .build = file_build,
    .naming = NAMES_OWN,
    .either_uplinks = true,
    .arbitrary = true,
    .multihomed = true,
};
