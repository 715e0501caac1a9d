/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/file_lists.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

bool place_fail(const struct file_place *at, const char *fmt, ...) {
    char text[sizeof at->d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return diag_fail(at->d, at->path, at->line, at->col, "%s", text);
}

/* ---- nodes ---- */

/* Returns whether a name without blanks has control characters, which text_clean makes blanks. */
static bool has_control(const char *name, size_t length) {
    char *clean = text_clean(text_copy_part(name, length));
    bool any = strchr(clean, ' ') != NULL;
    free(clean);
    return any;
}

bool lists_add_node(struct file_lists *l, const struct file_place *at, const char *name, size_t length) {
    if (length > FILE_NAME_MAX)
        return place_fail(at, "the name has %zu bytes; at most %d are allowed, so shorten it", length, FILE_NAME_MAX);
    if (strnlen(name, length) != length || strcspn(name, "#*?/ \t\r\n") < length)
        return place_fail(at, "a name must not have blanks, #, *, ? or / in it; rename the node");
    if (has_control(name, length))
        return place_fail(at, "a name must not have control characters in it; rename the node");
    if (l->n_nodes == l->nodes_held) {
        l->nodes_held = l->nodes_held ? 2 * l->nodes_held : 64;
        l->node = memory_grow(l->node, l->nodes_held, sizeof *l->node);
    }
    struct file_node *node = &l->node[l->n_nodes++];
    *node = (struct file_node){.tier = TIER_UNKNOWN, .inferred = true, .line = at->line, .col = at->col};
    memcpy(node->name, name, length);
    return true;
}

_Static_assert(TIER_HOST == 0 && TIER_LEAF == 1 && TIER_AGG == 2 && TIER_CORE == 3, "as TIER_NAMES names them");

bool lists_set_tier(struct file_lists *l, const struct file_place *at, const char *text) {
    struct file_node *node = &l->node[l->n_nodes - 1];
    node->tier = (int)choice_index(TIER_NAMES, text);
    node->inferred = false;
    return node->tier >= 0 || place_fail(at, "unknown tier \"%.16s\"; it is one of host, leaf, agg, core", text);
}

static int by_name_order(const void *pa, const void *pb, void *nodes) {
    const struct file_node *node = nodes;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int order = strcmp(node[a].name, node[b].name);
    return order ? order : a < b ? -1 : a > b;
}

bool lists_name_nodes(struct file_lists *l, const struct file_place *file) {
    l->by_name = memory_get(l->n_nodes, sizeof *l->by_name);
    for (uint32_t i = 0; i < l->n_nodes; i++) l->by_name[i] = i;
    if (l->n_nodes > 1) qsort_r(l->by_name, l->n_nodes, sizeof *l->by_name, by_name_order, l->node);
    for (uint32_t i = 1; i < l->n_nodes; i++) {
        const struct file_node *a = &l->node[l->by_name[i - 1]], *b = &l->node[l->by_name[i]];
        if (strcmp(a->name, b->name) == 0)
            return diag_fail(file->d, file->path, b->line, b->col,
                             "node \"%s\" is there already, in line %d; rename one", b->name, a->line);
    }
    return true;
}

/* ---- links ---- */

static uint32_t node_by_name(const struct file_lists *l, const char *name) {
    uint32_t low = 0, high = l->n_nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(name, l->node[l->by_name[middle]].name);
        if (order == 0) return l->by_name[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NODE_NONE;
}

bool lists_find_node(const struct file_lists *l, const struct file_place *at, const char *name, uint32_t *node) {
    *node = node_by_name(l, name);
    if (*node != NODE_NONE) return true;
    const char **known = memory_get(l->n_nodes, sizeof *known);
    for (uint32_t i = 0; i < l->n_nodes; i++) known[i] = l->node[i].name;
    const char *near = diag_nearest(name, known, l->n_nodes);
    free(known);
    if (near) return place_fail(at, "unknown node \"%.64s\"; did you mean \"%s\"?", name, near);
    return place_fail(at, "unknown node \"%.64s\"; add it to nodes", name);
}

struct file_link link_at(const struct file_place *at) {
    return (struct file_link){.a = NODE_NONE, .b = NODE_NONE, .delay = -1, .line = at->line, .col = at->col};
}

static bool quantity_set(const struct file_place *at, const char *text, const char *key, const struct param *p,
                         int64_t *out) {
    char why[200], a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];
    if (!units_parse(p->type, text, out, why, sizeof why)) return place_fail(at, "%s: %s", key, why);
    if (*out >= p->min && *out <= p->max) return true;
    return place_fail(at, "%s is out of range; give %s to %s", key, units_print(p->type, p->min, a, sizeof a),
                      units_print(p->type, p->max, b, sizeof b));
}

bool link_set_rate(struct file_link *link, const struct file_place *at, const char *text) {
    const struct param range = {.type = PARAM_RATE, .min = 1, .max = 100 * PS_PER_S};
    return quantity_set(at, text, "rate", &range, &link->rate_bps);
}

bool link_set_delay(struct file_link *link, const struct file_place *at, const char *text) {
    const struct param range = {.type = PARAM_TIME, .min = 0, .max = 1000 * PS_PER_S};
    return quantity_set(at, text, "delay", &range, &link->delay);
}

bool link_set_loss(struct file_link *link, const struct file_place *at, const char *text) {
    const struct param range = {.type = PARAM_FRACTION, .min = 0, .max = PPB};
    int64_t loss = 0;
    bool fine = quantity_set(at, text, "loss", &range, &loss);
    if (fine) link->loss_ppb = (uint32_t)loss;
    return fine;
}

bool lists_add_link(struct file_lists *l, const struct file_link *link, const struct file_place *at) {
    if (link->a == link->b) return place_fail(at, "%s is linked to itself; name two nodes", l->node[link->a].name);
    if (l->n_links == l->links_held) {
        l->links_held = l->links_held ? 2 * l->links_held : 64;
        l->link = memory_grow(l->link, l->links_held, sizeof *l->link);
    }
    l->link[l->n_links++] = *link;
    return true;
}

void file_lists_free(struct file_lists *lists) {
    free(lists->node);
    free(lists->link);
    free(lists->by_name);
}
