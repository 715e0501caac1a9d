/* SPDX-License-Identifier: Apache-2.0 */
/* The format of our own: nodes and links in YAML (file.c says what they mean).
 *
 *   nodes: [{name: s1, tier: leaf}, ...]
 *   links: [{a: s1, b: h1, rate: 10Gbps, delay: 1us, loss: 0.1%}, ...]
 */
#include <stdio.h>
#include <string.h>

#include "fabric/fabric_build.h"
#include "fabric/formats.h"
#include "fabric/yaml_reader.h"

#define NODE_EXAMPLE "{name: s1, tier: leaf}"
#define LINK_EXAMPLE "{a: s1, b: h1, rate: 10Gbps, delay: 1us}"

/* ---- YAML ---- */

static bool key_unknown(struct yaml_reader *r, const yaml_node_t *at, const char *text, const char *const *key,
                        size_t n) {
    const char *near = diag_nearest(text, key, n);
    char known[128] = "";
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", key[i]);
    }
    if (near) return yaml_fail(r, at, "unknown key \"%.16s\"; did you mean \"%s\"?", text, near);
    return yaml_fail(r, at, "unknown key \"%.16s\"; known keys are %s", text, known);
}

/* Sets value[i] to the value of key[i] in the map, or NULL if it is missing. Refuses unknown and repeated keys. */
static bool fields_read(struct yaml_reader *r, const yaml_node_t *map, const char *const *key, size_t n,
                        yaml_node_t **value) {
    memset(value, 0, n * sizeof(yaml_node_t *));
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(&r->document, pair->key);
        const char *text = yaml_scalar(name);
        if (!text) return yaml_fail(r, name, "a key must be a plain word");
        size_t i = 0;
        while (i < n && strcmp(text, key[i]) != 0) i++;
        if (i == n) return key_unknown(r, name, text, key, n);
        if (value[i]) return yaml_fail(r, name, "\"%s\" is given twice; keep one", text);
        value[i] = yaml_document_get_node(&r->document, pair->value);
    }
    return true;
}

/* Checks that there is such a list and that it has items; sets *n to their number. */
static bool list_read(struct yaml_reader *r, const yaml_node_t *root, const yaml_node_t *list, const char *key,
                      const char *example, uint32_t *n) {
    if (!list) return yaml_fail(r, root, "there is no \"%s\"; add for example %s: [%s]", key, key, example);
    if (list->type != YAML_SEQUENCE_NODE)
        return yaml_fail(r, list, "\"%s\" must be a list; write %s: [%s]", key, key, example);
    *n = yaml_count(list);
    if (*n == 0) return yaml_fail(r, list, "\"%s\" is empty; add for example %s", key, example);
    return true;
}

/* ---- nodes ---- */

static bool name_read(struct yaml_reader *r, const yaml_node_t *map, const yaml_node_t *value, struct file_lists *l) {
    if (!value) return yaml_fail(r, map, "a node without name; write %s", NODE_EXAMPLE);
    if (value->type != YAML_SCALAR_NODE || value->data.scalar.length == 0)
        return yaml_fail(r, value, "a name must be a word; write %s", NODE_EXAMPLE);
    const struct file_place at = yaml_place(r, value);
    return lists_add_node(l, &at, (const char *)value->data.scalar.value, value->data.scalar.length);
}

static bool node_read(struct yaml_reader *r, const yaml_node_t *map, struct file_lists *l) {
    static const char *const key[] = {"name", "tier"};
    yaml_node_t *value[2];
    if (map->type != YAML_MAPPING_NODE) return yaml_fail(r, map, "a node must be a map; write %s", NODE_EXAMPLE);
    if (!fields_read(r, map, key, 2, value) || !name_read(r, map, value[0], l)) return false;
    if (!value[1]) return true;
    const struct file_place at = yaml_place(r, value[1]);
    const char *text = yaml_scalar(value[1]);
    return lists_set_tier(l, &at, text ? text : "");
}

static bool nodes_read(struct yaml_reader *r, const yaml_node_t *root, const yaml_node_t *list, struct file_lists *l) {
    uint32_t n = 0;
    const struct file_place file = yaml_place(r, root);
    if (!list_read(r, root, list, "nodes", NODE_EXAMPLE, &n)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!node_read(r, yaml_item(r, list, i), l)) return false;
    return lists_name_nodes(l, &file);
}

/* ---- links ---- */

static bool link_end_read(struct yaml_reader *r, const yaml_node_t *map, const yaml_node_t *value, const char *key,
                          const struct file_lists *l, uint32_t *node) {
    if (!value) return yaml_fail(r, map, "a link without \"%s\"; write %s", key, LINK_EXAMPLE);
    const char *text = yaml_scalar(value);
    if (!text) return yaml_fail(r, value, "\"%s\" must be the name of a node; write %s", key, LINK_EXAMPLE);
    const struct file_place at = yaml_place(r, value);
    return lists_find_node(l, &at, text, node);
}

typedef bool (*link_setter)(struct file_link *link, const struct file_place *at, const char *text);

static bool quantity_read(struct yaml_reader *r, const yaml_node_t *value, const char *key, link_setter set,
                          struct file_link *link) {
    if (!value) return true;
    const char *text = yaml_scalar(value);
    if (!text) return yaml_fail(r, value, "\"%s\" must be one quantity; write %s", key, LINK_EXAMPLE);
    const struct file_place at = yaml_place(r, value);
    return set(link, &at, text);
}

static bool link_read(struct yaml_reader *r, const yaml_node_t *map, struct file_lists *l) {
    static const char *const key[] = {"a", "b", "rate", "delay", "loss"};
    yaml_node_t *value[5];
    if (map->type != YAML_MAPPING_NODE) return yaml_fail(r, map, "a link must be a map; write %s", LINK_EXAMPLE);
    const struct file_place at = yaml_place(r, map);
    struct file_link link = link_at(&at);
    return fields_read(r, map, key, 5, value) && link_end_read(r, map, value[0], "a", l, &link.a) &&
           link_end_read(r, map, value[1], "b", l, &link.b) &&
           quantity_read(r, value[2], "rate", link_set_rate, &link) &&
           quantity_read(r, value[3], "delay", link_set_delay, &link) &&
           quantity_read(r, value[4], "loss", link_set_loss, &link) && lists_add_link(l, &link, &at);
}

static bool links_read(struct yaml_reader *r, const yaml_node_t *root, const yaml_node_t *list, struct file_lists *l) {
    uint32_t n = 0;
    if (!list_read(r, root, list, "links", LINK_EXAMPLE, &n)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!link_read(r, yaml_item(r, list, i), l)) return false;
    return true;
}

/* ---- the file ---- */

static bool document_read(struct yaml_reader *r, struct file_lists *l) {
    static const char *const key[] = {"nodes", "links"};
    yaml_node_t *root = yaml_document_get_root_node(&r->document), *value[2];
    if (!root) return diag_fail(r->d, r->path, 1, 1, "the file is empty; it needs nodes and links");
    if (root->type != YAML_MAPPING_NODE)
        return yaml_fail(r, root, "the file must be a map with the keys nodes and links");
    return fields_read(r, root, key, 2, value) && nodes_read(r, root, value[0], l) && links_read(r, root, value[1], l);
}

static bool topology_read(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d) {
    struct yaml_reader r;
    if (!yaml_reader_open(&r, path, text, size, d)) return false;
    bool fine = document_read(&r, lists);
    yaml_reader_close(&r);
    return fine;
}

static bool topology_write(const struct fabric *f, FILE *out, struct diag *d) {
    char name[FABRIC_NODE_NAME_MAX];
    (void)d;
    fprintf(out, "nodes:\n");
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        fprintf(out, "  - {name: ");
        format_yaml(out, fabric_node_name(f, i, name, sizeof name));
        fprintf(out, ", tier: %s}\n", format_tier(f->node[i].tier));
    }
    fprintf(out, "links:\n");
    for (uint32_t i = 0; i < format_links(f); i++) {
        struct format_link l;
        format_link(f, i, &l);
        fprintf(out, "  - {a: ");
        format_yaml(out, l.a);
        fprintf(out, ", b: ");
        format_yaml(out, l.b);
        fprintf(out, ", rate: %s, delay: %s%s%s}\n", l.rate, l.delay, l.loss[0] ? ", loss: " : "", l.loss);
    }
    return true;
}

static bool topology_looks(const char *text, size_t size) {
    return format_has_key(text, size, "nodes") && format_has_key(text, size, "links") &&
           !format_has_key(text, size, "fabric");
}

const struct fabric_format format_topology = {
    .doc = "heddle's own: nodes and links in YAML",
    .read = topology_read,
    .write = topology_write,
    .looks = topology_looks,
};
