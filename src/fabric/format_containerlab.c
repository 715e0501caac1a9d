/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies of containerlab, in YAML.
 *
 *   name: lab
 *   topology:
 *     kinds: {linux: {image: IMAGE}}
 *     nodes:
 *       s1: {kind: linux, labels: {tier: leaf}}
 *     links:
 *       - endpoints: ["s1:eth1", "h1:eth1"]
 *         vars: {rate: 10Gbps, delay: 1us, loss: 0.1%}
 *
 * A node gives its name and the label `tier`, all else is left out; a label may also stand in the node's group or kind, or in the
 * defaults, as containerlab merges them. A link is of the brief form above, or of the long form with `type: veth` and a
 * node and an interface at each end. Its `vars`, which containerlab keeps for other programs, hold what containerlab does
 * not know: rate, delay and loss. Links of other types lead out of the lab and are refused. All other keys (images,
 * startup configurations, management networks) say nothing about the fabric and are not read.
 *
 * The writer names the interface of port i eth(i+1), since eth0 is the management network's. The image of its nodes is
 * a word to be replaced: no container has a switch of ours in it.
 */
#include <stdio.h>
#include <string.h>

#include "fabric/fabric_build.h"
#include "fabric/formats.h"
#include "fabric/yaml_reader.h"

#define NODES_EXAMPLE "nodes: {s1: {kind: linux, labels: {tier: leaf}}}"
#define LINK_EXAMPLE "endpoints: [\"s1:eth1\", \"h1:eth1\"]"

struct reader {
    struct yaml_reader y;
    const yaml_node_t *topology;
    struct file_lists *lists;
};

static bool map_check(struct reader *r, const yaml_node_t *root, const yaml_node_t *map, const char *key,
                      const char *example) {
    if (!map) return yaml_fail(&r->y, root, "there is no \"%s\"; add for example %s", key, example);
    if (map->type != YAML_MAPPING_NODE) return yaml_fail(&r->y, map, "\"%s\" must be a map; write %s", key, example);
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(&r->y.document, pair->key);
        if (yaml_scalar(name) && strcmp(yaml_scalar(name), "<<") == 0)
            return yaml_fail(&r->y, name, "merge keys (<<) are not supported; repeat the keys");
    }
    return true;
}

/* ---- nodes ---- */

static yaml_node_t *label_of(struct reader *r, const yaml_node_t *of) {
    return yaml_get(&r->y, yaml_get(&r->y, of, "labels"), "tier");
}

/* Returns the label `tier` of a node's group or kind: of the entry of `list` that the node, or the defaults, name under
 * `key`. */
static yaml_node_t *label_from(struct reader *r, const yaml_node_t *node, const char *key, const char *list) {
    const char *name = yaml_scalar(yaml_get(&r->y, node, key));
    if (!name) name = yaml_scalar(yaml_get(&r->y, yaml_get(&r->y, r->topology, "defaults"), key));
    return name ? label_of(r, yaml_get(&r->y, yaml_get(&r->y, r->topology, list), name)) : NULL;
}

static yaml_node_t *tier_of(struct reader *r, const yaml_node_t *node) {
    yaml_node_t *tier = label_of(r, node);
    if (!tier) tier = label_from(r, node, "group", "groups");
    if (!tier) tier = label_from(r, node, "kind", "kinds");
    return tier ? tier : label_of(r, yaml_get(&r->y, r->topology, "defaults"));
}

static bool node_read(struct reader *r, const yaml_node_t *name, const yaml_node_t *node) {
    if (name->type != YAML_SCALAR_NODE || name->data.scalar.length == 0)
        return yaml_fail(&r->y, name, "a name must be a word; write %s", NODES_EXAMPLE);
    struct file_place at = yaml_place(&r->y, name);
    if (!lists_add_node(r->lists, &at, (const char *)name->data.scalar.value, name->data.scalar.length)) return false;
    const yaml_node_t *tier = tier_of(r, node);
    if (!tier) return true;
    at = yaml_place(&r->y, tier);
    return lists_set_tier(r->lists, &at, yaml_scalar(tier) ? yaml_scalar(tier) : "");
}

static bool nodes_read(struct reader *r) {
    const yaml_node_t *nodes = yaml_get(&r->y, r->topology, "nodes");
    if (!map_check(r, r->topology, nodes, "nodes", NODES_EXAMPLE)) return false;
    if (yaml_count(nodes) == 0) return yaml_fail(&r->y, nodes, "\"nodes\" is empty; add for example %s", NODES_EXAMPLE);
    for (yaml_node_pair_t *pair = nodes->data.mapping.pairs.start; pair < nodes->data.mapping.pairs.top; pair++) {
        if (!node_read(r, yaml_document_get_node(&r->y.document, pair->key),
                       yaml_document_get_node(&r->y.document, pair->value)))
            return false;
    }
    const struct file_place file = yaml_place(&r->y, r->topology);
    return lists_name_nodes(r->lists, &file);
}

/* ---- links ---- */

/* Finds the node of an end in the brief form, NODE:INTERFACE; the name of a node may have colons. */
static bool brief_end_read(struct reader *r, const yaml_node_t *end, uint32_t *node) {
    const char *text = yaml_scalar(end), *colon = text ? strrchr(text, ':') : NULL;
    if (!colon || colon == text || !colon[1])
        return yaml_fail(&r->y, end, "an end of a link is NODE:INTERFACE; write %s", LINK_EXAMPLE);
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    const struct file_place at = yaml_place(&r->y, end);
    return lists_find_node(r->lists, &at, name, node);
}

static bool end_read(struct reader *r, const yaml_node_t *end, uint32_t *node) {
    if (end->type != YAML_MAPPING_NODE) return brief_end_read(r, end, node);
    const yaml_node_t *value = yaml_get(&r->y, end, "node");
    const char *name = yaml_scalar(value);
    if (!name) return yaml_fail(&r->y, end, "an end without \"node\"; write {node: s1, interface: eth1}");
    const struct file_place at = yaml_place(&r->y, value);
    return lists_find_node(r->lists, &at, name, node);
}

static bool ends_read(struct reader *r, const yaml_node_t *link, struct file_link *to) {
    const yaml_node_t *type = yaml_get(&r->y, link, "type"), *ends = yaml_get(&r->y, link, "endpoints");
    const char *word = yaml_scalar(type);
    if (type && (!word || strcmp(word, "veth") != 0))
        return yaml_fail(&r->y, type, "a link of type %.16s leads out of the lab; remove it, or make it a veth",
                         word ? word : "?");
    if (!ends || ends->type != YAML_SEQUENCE_NODE || yaml_count(ends) != 2)
        return yaml_fail(&r->y, ends ? ends : link, "a link has two ends; write %s", LINK_EXAMPLE);
    return end_read(r, yaml_item(&r->y, ends, 0), &to->a) && end_read(r, yaml_item(&r->y, ends, 1), &to->b);
}

/* Reads rate, delay and loss. Other variables are another program's. */
static bool vars_read(struct reader *r, const yaml_node_t *vars, struct file_link *link) {
    static const struct {
        const char *key;
        bool (*set)(struct file_link *link, const struct file_place *at, const char *text);
    } row[] = {{"rate", link_set_rate}, {"delay", link_set_delay}, {"loss", link_set_loss}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const yaml_node_t *value = yaml_get(&r->y, vars, row[i].key);
        if (!value) continue;
        const char *text = yaml_scalar(value);
        const struct file_place at = yaml_place(&r->y, value);
        if (!text)
            return place_fail(&at, "\"%s\" must be one quantity; write vars: {rate: 10Gbps, delay: 1us}", row[i].key);
        if (!row[i].set(link, &at, text)) return false;
    }
    return true;
}

static bool link_read(struct reader *r, const yaml_node_t *map) {
    if (map->type != YAML_MAPPING_NODE) return yaml_fail(&r->y, map, "a link must be a map; write %s", LINK_EXAMPLE);
    if (!map_check(r, map, map, "link", LINK_EXAMPLE)) return false;
    const struct file_place at = yaml_place(&r->y, map);
    struct file_link link = link_at(&at);
    return ends_read(r, map, &link) && vars_read(r, yaml_get(&r->y, map, "vars"), &link) &&
           lists_add_link(r->lists, &link, &at);
}

static bool links_read(struct reader *r) {
    const yaml_node_t *links = yaml_get(&r->y, r->topology, "links");
    if (!links || links->type != YAML_SEQUENCE_NODE || yaml_count(links) == 0)
        return yaml_fail(&r->y, links ? links : r->topology, "there are no \"links\"; add for example links: [{%s}]",
                         LINK_EXAMPLE);
    for (uint32_t i = 0; i < yaml_count(links); i++)
        if (!link_read(r, yaml_item(&r->y, links, i))) return false;
    return true;
}

/* ---- the file ---- */

static bool document_read(struct reader *r) {
    yaml_node_t *root = yaml_document_get_root_node(&r->y.document);
    if (!root) return diag_fail(r->y.d, r->y.path, 1, 1, "the file is empty; it needs a topology with nodes and links");
    r->topology = yaml_get(&r->y, root, "topology");
    return map_check(r, root, r->topology, "topology", "topology: {" NODES_EXAMPLE "}") && nodes_read(r) &&
           links_read(r);
}

static bool containerlab_read(const char *path, const char *text, size_t size, struct file_lists *lists,
                              struct diag *d) {
    struct reader r = {.lists = lists};
    if (!yaml_reader_open(&r.y, path, text, size, d)) return false;
    bool fine = document_read(&r);
    yaml_reader_close(&r.y);
    return fine;
}

/* Writes NODE:ethN in quotes. */
static void end_write(FILE *out, const char *name, uint16_t port) {
    char end[FABRIC_NODE_NAME_MAX + 16];
    snprintf(end, sizeof end, "%s:eth%u", name, port + 1);
    format_yaml(out, end);
}

static bool containerlab_write(const struct fabric *f, FILE *out, struct diag *d) {
    char name[FABRIC_NODE_NAME_MAX];
    (void)d;
    fprintf(out, "name: heddle\n"
                 "topology:\n"
                 "  kinds:\n"
                 "    linux: {image: IMAGE} # of the nodes; containerlab makes the links, vars are for heddle\n"
                 "  nodes:\n");
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        fprintf(out, "    ");
        format_yaml(out, fabric_node_name(f, i, name, sizeof name));
        fprintf(out, ": {kind: linux, labels: {tier: %s}}\n", format_tier(f->node[i].tier));
    }
    fprintf(out, "  links:\n");
    for (uint32_t i = 0; i < format_links(f); i++) {
        struct format_link l;
        format_link(f, i, &l);
        fprintf(out, "    - endpoints: [");
        end_write(out, l.a, l.a_port);
        fprintf(out, ", ");
        end_write(out, l.b, l.b_port);
        fprintf(out, "]\n      vars: {rate: %s, delay: %s%s%s}\n", l.rate, l.delay, l.loss[0] ? ", loss: " : "",
                l.loss);
    }
    return true;
}

static bool containerlab_looks(const char *text, size_t size) { return format_has_key(text, size, "topology"); }

const struct fabric_format format_containerlab = {
    .doc = "a lab of containerlab; rate, delay and loss are vars of its links",
    .read = containerlab_read,
    .write = containerlab_write,
    .looks = containerlab_looks,
};
