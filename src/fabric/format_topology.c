/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/file_lists.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

struct reader {
    const char *path;
    yaml_document_t document;
    struct file_lists *lists;
    struct diag *d;
};

static bool reader_fail(struct reader *r, const yaml_node_t *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool reader_fail(struct reader *r, const yaml_node_t *at, const char *fmt, ...) {
    char text[sizeof r->d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return diag_fail(r->d, r->path, (int)at->start_mark.line + 1, (int)at->start_mark.column + 1, "%s", text);
}

/* ---- YAML ---- */

static const char *scalar_text(const yaml_node_t *n) {
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static bool key_unknown(struct reader *r, const yaml_node_t *at, const char *text, const char *const *key, size_t n) {
    const char *near = diag_nearest(text, key, n);
    char known[128] = "";
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", key[i]);
    }
    if (near) return reader_fail(r, at, "unknown key \"%.40s\"; did you mean \"%s\"?", text, near);
    return reader_fail(r, at, "unknown key \"%.40s\"; known keys are %s", text, known);
}

/* Sets value[i] to the value of key[i] in the map, or NULL if it is missing. Refuses unknown and repeated keys. */
static bool fields_read(struct reader *r, const yaml_node_t *map, const char *const *key, size_t n,
                        yaml_node_t **value) {
    memset(value, 0, n * sizeof(yaml_node_t *));
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(&r->document, pair->key);
        const char *text = scalar_text(name);
        if (!text) return reader_fail(r, name, "a key must be a plain word");
        size_t i = 0;
        while (i < n && strcmp(text, key[i]) != 0) i++;
        if (i == n) return key_unknown(r, name, text, key, n);
        if (value[i]) return reader_fail(r, name, "\"%s\" is given twice; keep one", text);
        value[i] = yaml_document_get_node(&r->document, pair->value);
    }
    return true;
}

/* Checks that there is such a list and that it has items; sets *n to their number. */
static bool list_read(struct reader *r, const yaml_node_t *root, const yaml_node_t *list, const char *key,
                      const char *example, uint32_t *n) {
    if (!list) return reader_fail(r, root, "there is no \"%s\"; add for example %s: [%s]", key, key, example);
    if (list->type != YAML_SEQUENCE_NODE)
        return reader_fail(r, list, "\"%s\" must be a list; write %s: [%s]", key, key, example);
    *n = (uint32_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    if (*n == 0) return reader_fail(r, list, "\"%s\" is empty; add for example %s", key, example);
    return true;
}

static yaml_node_t *list_item(struct reader *r, const yaml_node_t *list, uint32_t i) {
    return yaml_document_get_node(&r->document, list->data.sequence.items.start[i]);
}

/* ---- nodes ---- */

#define NODE_EXAMPLE "{name: s1, tier: leaf}"
#define LINK_EXAMPLE "{a: s1, b: h1, rate: 10Gbps, delay: 1us}"

static bool name_read(struct reader *r, const yaml_node_t *map, const yaml_node_t *value, struct file_node *node) {
    const char *text = value ? scalar_text(value) : NULL;
    if (!value) return reader_fail(r, map, "a node without name; write %s", NODE_EXAMPLE);
    if (!text || !text[0]) return reader_fail(r, value, "a name must be a word; write %s", NODE_EXAMPLE);
    if (strlen(text) > FILE_NAME_MAX)
        return reader_fail(r, value, "the name has %zu bytes; at most %d are allowed, so shorten it", strlen(text),
                           FILE_NAME_MAX);
    if (value->data.scalar.length != strlen(text) || text[strcspn(text, "#*?/ \t\r\n")])
        return reader_fail(r, value, "a name must not have blanks, #, *, ? or / in it; rename the node");
    memcpy(node->name, text, strlen(text) + 1);
    node->line = (int)value->start_mark.line + 1;
    node->col = (int)value->start_mark.column + 1;
    return true;
}

#define TIER_NAMES "host|leaf|agg|core"
_Static_assert(TIER_HOST == 0 && TIER_LEAF == 1 && TIER_AGG == 2 && TIER_CORE == 3, "as TIER_NAMES names them");

static bool node_read(struct reader *r, const yaml_node_t *map, struct file_node *node) {
    static const char *const key[] = {"name", "tier"};
    yaml_node_t *value[2];
    if (map->type != YAML_MAPPING_NODE) return reader_fail(r, map, "a node must be a map; write %s", NODE_EXAMPLE);
    if (!fields_read(r, map, key, 2, value) || !name_read(r, map, value[0], node)) return false;
    node->tier = TIER_UNKNOWN;
    node->inferred = !value[1];
    if (node->inferred) return true;
    const char *text = scalar_text(value[1]);
    node->tier = text ? (int)choice_index(TIER_NAMES, text) : TIER_UNKNOWN;
    if (node->tier >= 0) return true;
    return reader_fail(r, value[1], "unknown tier \"%.40s\"; it is one of host, leaf, agg, core", text ? text : "");
}

static int by_name_order(const void *pa, const void *pb, void *nodes) {
    const struct file_node *node = nodes;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int order = strcmp(node[a].name, node[b].name);
    return order ? order : a < b ? -1 : a > b;
}

static bool names_sort(struct reader *r) {
    struct file_lists *l = r->lists;
    l->by_name = memory_get(l->n_nodes, sizeof *l->by_name);
    for (uint32_t i = 0; i < l->n_nodes; i++) l->by_name[i] = i;
    qsort_r(l->by_name, l->n_nodes, sizeof *l->by_name, by_name_order, l->node);
    for (uint32_t i = 1; i < l->n_nodes; i++) {
        const struct file_node *a = &l->node[l->by_name[i - 1]], *b = &l->node[l->by_name[i]];
        if (strcmp(a->name, b->name) == 0)
            return diag_fail(r->d, r->path, b->line, b->col, "node \"%s\" is there already, in line %d; rename one",
                             b->name, a->line);
    }
    return true;
}

static bool nodes_read(struct reader *r, const yaml_node_t *root, const yaml_node_t *list) {
    struct file_lists *l = r->lists;
    uint32_t n = 0;
    if (!list_read(r, root, list, "nodes", NODE_EXAMPLE, &n)) return false;
    l->node = memory_get(n, sizeof *l->node);
    for (l->n_nodes = 0; l->n_nodes < n; l->n_nodes++) {
        if (!node_read(r, list_item(r, list, l->n_nodes), &l->node[l->n_nodes])) return false;
    }
    return names_sort(r);
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

static bool node_unknown(struct reader *r, const yaml_node_t *at, const char *name) {
    const struct file_lists *l = r->lists;
    const char **known = memory_get(l->n_nodes, sizeof *known);
    for (uint32_t i = 0; i < l->n_nodes; i++) known[i] = l->node[i].name;
    const char *near = diag_nearest(name, known, l->n_nodes);
    free(known);
    if (near) return reader_fail(r, at, "unknown node \"%.64s\"; did you mean \"%s\"?", name, near);
    return reader_fail(r, at, "unknown node \"%.64s\"; add it to nodes", name);
}

static bool link_end_read(struct reader *r, const yaml_node_t *map, const yaml_node_t *value, const char *key,
                          uint32_t *node) {
    const char *text = value ? scalar_text(value) : NULL;
    if (!value) return reader_fail(r, map, "a link without \"%s\"; write %s", key, LINK_EXAMPLE);
    if (!text) return reader_fail(r, value, "\"%s\" must be the name of a node; write %s", key, LINK_EXAMPLE);
    *node = node_by_name(r->lists, text);
    return *node != NODE_NONE || node_unknown(r, value, text);
}

static bool quantity_read(struct reader *r, const yaml_node_t *value, const char *key, enum param_type type,
                          int64_t least, int64_t most, int64_t *out) {
    char why[200];
    if (!value) return true;
    const char *text = scalar_text(value);
    if (!text) return reader_fail(r, value, "\"%s\" must be one quantity; write %s", key, LINK_EXAMPLE);
    if (!units_parse(type, text, out, why, sizeof why)) return reader_fail(r, value, "%s: %s", key, why);
    if (*out >= least && *out <= most) return true;
    char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];
    return reader_fail(r, value, "%s is out of range; give %s to %s", key, units_print(type, least, a, sizeof a),
                       units_print(type, most, b, sizeof b));
}

static bool link_read(struct reader *r, const yaml_node_t *map, struct file_link *link) {
    static const char *const key[] = {"a", "b", "rate", "delay", "loss"};
    yaml_node_t *value[5];
    int64_t loss = 0;
    if (map->type != YAML_MAPPING_NODE) return reader_fail(r, map, "a link must be a map; write %s", LINK_EXAMPLE);
    *link =
        (struct file_link){.delay = -1, .line = (int)map->start_mark.line + 1, .col = (int)map->start_mark.column + 1};
    if (!fields_read(r, map, key, 5, value) || !link_end_read(r, map, value[0], "a", &link->a) ||
        !link_end_read(r, map, value[1], "b", &link->b) ||
        !quantity_read(r, value[2], "rate", PARAM_RATE, 1, 10 * PS_PER_S, &link->rate_bps) ||
        !quantity_read(r, value[3], "delay", PARAM_TIME, 0, 100 * PS_PER_S, &link->delay) ||
        !quantity_read(r, value[4], "loss", PARAM_FRACTION, 0, PPB, &loss))
        return false;
    link->loss_ppb = (uint32_t)loss;
    if (link->a == link->b)
        return reader_fail(r, map, "%s is linked to itself; name two nodes", r->lists->node[link->a].name);
    return true;
}

static bool links_read(struct reader *r, const yaml_node_t *root, const yaml_node_t *list) {
    struct file_lists *l = r->lists;
    uint32_t n = 0;
    if (!list_read(r, root, list, "links", LINK_EXAMPLE, &n)) return false;
    l->link = memory_get(n, sizeof *l->link);
    for (l->n_links = 0; l->n_links < n; l->n_links++) {
        if (!link_read(r, list_item(r, list, l->n_links), &l->link[l->n_links])) return false;
    }
    return true;
}

/* ---- the file ---- */

static bool document_read(struct reader *r) {
    static const char *const key[] = {"nodes", "links"};
    yaml_node_t *root = yaml_document_get_root_node(&r->document), *value[2];
    if (!root) return diag_fail(r->d, r->path, 1, 1, "the file is empty; it needs nodes and links");
    if (root->type != YAML_MAPPING_NODE)
        return reader_fail(r, root, "the file must be a map with the keys nodes and links");
    return fields_read(r, root, key, 2, value) && nodes_read(r, root, value[0]) && links_read(r, root, value[1]);
}

bool file_read(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d) {
    struct reader r = {.path = path, .lists = lists, .d = d};
    yaml_parser_t parser;
    memset(lists, 0, sizeof *lists);
    if (!yaml_parser_initialize(&parser)) return diag_fail(d, path, 0, 0, "no memory to read the file");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool loaded = yaml_parser_load(&parser, &r.document);
    bool fine = false;
    if (loaded) {
        fine = document_read(&r);
        yaml_document_delete(&r.document);
    } else {
        const yaml_mark_t at = parser.problem_mark;
        bool tab = text_tab_at(text, size, at.line, at.column);
        diag_fail(d, path, (int)at.line + 1, (int)at.column + 1, "this is not YAML: %s",
                  tab              ? "a tab; write blanks in its place"
                  : parser.problem ? parser.problem
                                   : "unreadable");
    }
    yaml_parser_delete(&parser);
    return fine;
}

void file_lists_free(struct file_lists *lists) {
    free(lists->node);
    free(lists->link);
    free(lists->by_name);
}
