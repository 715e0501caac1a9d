/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/config_check.h"

#include "base/memory.h"
#include "base/units.h"
#include "mech/transport/transport.h"
#include "study/config/key_place.h"
#include "study/config/needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool node_check(const struct config_input *in, struct tree_node **slot, const struct key *k, const char *path,
                       struct diag *d);

static const struct key *transport_param_find(const char *path, const char *transport) {
    char block[KEY_PATH_MAX], full[KEY_PATH_MAX];
    return schema_find(path_join(full, path_join(block, "host", transport), path + strlen("host.")));
}

/* Returns the key of a transport's parameter that is written directly under `host`: that of the transport in use, else
 * of the first transport that has it. NULL if none has. */
static const struct key *host_param_find(const struct config_input *in, const char *path) {
    if (strncmp(path, "host.", 5) != 0 || strchr(path + 5, '.')) return NULL;
    const char *used = config_input_text(in, "host.transport");
    const struct key *k = used ? transport_param_find(path, used) : NULL;
    size_t n;
    const struct transport_ops *const *t = transports(&n);
    for (size_t i = 0; !k && i < n; i++) k = transport_param_find(path, t[i]->name);
    return k;
}

/* Returns the names of the keys that may stand in a block, each once. Parameters of transports count as keys of `host`.
 * The caller frees the list. */
static const char **names_in(const char *parent, size_t *n_names) {
    size_t n;
    const struct key *k = schema_keys(&n);
    const char **names = memory_get(n, sizeof *names);
    bool host = strcmp(parent, "host") == 0;
    *n_names = 0;
    for (size_t i = 0; i < n; i++) {
        bool transport_param =
            host && k[i].optional_block && k[i].kind == KEY_VALUE && strncmp(k[i].path, "host.", 5) == 0;
        bool skip = !transport_param && !key_is_child(&k[i], parent);
        for (size_t j = 0; !skip && j < *n_names; j++) skip = strcmp(names[j], key_name(&k[i])) == 0;
        if (!skip) names[(*n_names)++] = key_name(&k[i]);
    }
    return names;
}

/* Keys of earlier versions, each with the key in its place. */
static const struct {
    const char *path, *now;
} moved[] = {
    {"clairvoyant", "switch.clairvoyant.epoch"},
};
#define N_MOVED (sizeof moved / sizeof *moved)

void moved_keys_remove(struct tree_node *root) {
    for (size_t i = 0; i < N_MOVED; i++) tree_remove(root, moved[i].path);
}

/* Writes the path of the only key whose last part is `name`, with the first item of a list; false if there are several or
 * none. */
static bool short_for(const char *name, char path[KEY_PATH_MAX]) {
    size_t n, found = 0;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key_name(&k[i]), name) != 0 || (found && strcmp(k[i].path, path) == 0)) continue;
        if (++found > 1) return false;
        snprintf(path, KEY_PATH_MAX, "%s", k[i].path);
    }
    for (char *item = strchr(path, '#'); found && item; item = strchr(item, '#')) *item = '0';
    return found > 0;
}

/* Words of other programs for keys of ours. */
static const struct {
    const char *word, *name;
} elsewhere[] = {
    {"file", "path"},
    {"filename", "path"},
    {"bandwidth", "rate"},
    {"capacity", "rate"},
    {"speed", "rate"},
    {"latency", "delay"},
    {"propagation", "delay"},
    {"mtu", "mss"},
    {"topology", "fabric"},
    {"network", "fabric"},
    {"traffic", "workload"},
    {"load_balancer", "balance"},
    {"lb", "balance"},
    {"routing", "balance"},
    {"congestion_control", "transport"},
    {"cc", "transport"},
    {"tcp", "transport"},
    {"queue", "buffer"},
    {"queue_size", "buffer"},
    {"duration", "until"},
    {"initial_cwnd", "initial_window"},
    {"rto", "min_rto"},
    {"distribution", "sizes"},
    {"type", "kind"},
    {"assert", "expect"},
    {"plot", "figure"},
    {"servers", "hosts"},
    {"tors", "leaves"},
    {"ecn", "ecn_threshold"},
};

/* Returns the key of the block that somebody means by a word of another program; NULL if there is none. */
static const char *elsewhere_called(const char *word, const char *const *names, size_t n) {
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        for (size_t k = 0; strcmp(word, elsewhere[i].word) == 0 && k < n; k++)
            if (strcmp(names[k], elsewhere[i].name) == 0) return names[k];
    return NULL;
}

/* A file of nodes and links is a topology, which somebody took for an experiment. */
static bool is_of_topology(const char *key) { return strcmp(key, "nodes") == 0 || strcmp(key, "links") == 0; }

static bool unknown_key(const struct tree_node *key, const char *parent, const char *block, struct diag *d) {
    size_t n_names;
    if (!parent[0] && is_of_topology(key->text))
        return tree_fail(d, key,
                         "'%s' is no key of an experiment, but of a topology; an experiment names it with "
                         "fabric: {kind: file, path: FILE}",
                         key->text);
    for (size_t i = 0; !parent[0] && i < N_MOVED; i++)
        if (strcmp(key->text, moved[i].path) == 0)
            return tree_fail(d, key, "'%s' is no key any more; write %s", key->text, moved[i].now);
    const char **names = names_in(parent, &n_names), *nearest = elsewhere_called(key->text, names, n_names);
    if (!nearest) nearest = diag_nearest(key->text, names, n_names);
    const char *in = block[0] ? " in " : "";
    char list[320], path[KEY_PATH_MAX];
    diag_names(names, n_names, list, sizeof list);
    free(names);
    if (parent[0] == '\0' && short_for(key->text, path))
        return tree_fail(d, key, "unknown key '%.40s'; did you mean '%s'?", key->text, path);
    if (nearest) return tree_fail(d, key, "unknown key '%.40s'%s%s; did you mean '%s'?", key->text, in, block, nearest);
    return tree_fail(d, key, "unknown key '%.40s'%s%s; known are: %s", key->text, in, block, list);
}

/* ---- when a key applies ---- */

/* Writes the full path of the key that decides whether `path` applies. A name without a dot is a sibling of `path`. */
static void deciding_path(const char *when, const char *path, char *out, size_t size) {
    int length = (int)strcspn(when, "=");
    const char *dot = strrchr(path, '.');
    if (memchr(when, '.', (size_t)length) || !dot) {
        snprintf(out, size, "%.*s", length, when);
    } else {
        snprintf(out, size, "%.*s.%.*s", (int)(dot - path), path, length, when);
    }
}

/* Replaces workload.N.transport by host.transport if the entry names no transport: the entry then uses the hosts'. */
static void transport_inherit(const struct config_input *in, char *deciding, size_t size) {
    if (strncmp(deciding, "workload.", 9) != 0 || strcmp(strrchr(deciding, '.'), ".transport") != 0) return;
    if (!config_input_given(in, deciding)) snprintf(deciding, size, "host.transport");
}

/* Writes the path of the key that decides about a mechanism's block and its parameters. It stands beside the block:
 * host.transport, switch.balance. */
static void block_path(const struct key *k, const char *path, char *out, size_t size) {
    const char *dot = strchr(path, '.');
    snprintf(out, size, "%.*s.%.*s", (int)(dot - path), path, (int)strcspn(k->when, "="), k->when);
}

bool key_applies(const struct config_input *in, const struct key *k, const char *path) {
    if (!k->when) return true;
    char deciding[KEY_PATH_MAX];
    if (k->optional_block) {
        block_path(k, path, deciding, sizeof deciding);
    } else {
        deciding_path(k->when, path, deciding, sizeof deciding);
        transport_inherit(in, deciding, sizeof deciding);
    }
    const char *wanted = strchr(k->when, '=') + 1;
    const char *text = config_input_text(in, deciding);
    if (text && choice_index(wanted, text) >= 0) return true;
    return k->optional_block && strcmp(deciding, "host.transport") == 0 && transport_in_use(in, wanted);
}

static bool is_swept(const struct config_input *in, const char *path) {
    for (size_t i = 0; i < in->n_swept; i++) {
        const char *s = in->swept[i];
        size_t length = strlen(s);
        bool within = strncmp(s, path, length) == 0 && (path[length] == '\0' || path[length] == '.');
        if (within || strcmp(s, "scheme") == 0 || strcmp(s, "fabric.preset") == 0) return true;
    }
    return false;
}

static bool applies_check(const struct config_input *in, const struct key *k, const char *path,
                          const struct tree_node *at, struct diag *d) {
    if (k->optional_block || key_applies(in, k, path)) return true;
    char deciding[KEY_PATH_MAX];
    deciding_path(k->when, path, deciding, sizeof deciding);
    if (is_swept(in, deciding)) return true;
    transport_inherit(in, deciding, sizeof deciding);
    if (is_swept(in, deciding)) return true;
    const char *text = config_input_text(in, deciding);
    const struct key *decides = schema_find(deciding);
    if (!text && decides && !decides->def)
        return tree_fail(d, at, "'%s' is missing; give %s (%s)", deciding, key_name(decides), decides->param.doc);
    return tree_fail(d, at, "'%s' does not apply to %s %s; it belongs to %s", path, deciding, text ? text : "none",
                     strchr(k->when, '=') + 1);
}

/* ---- values ---- */

bool value_parse(const struct key *k, const char *path, const char *text, const struct tree_node *at, int64_t *value,
                 struct diag *d) {
    char why[384];
    *value = 0;
    if (k->kind != KEY_VALUE) return true;
    if (param_parse(&k->param, text, value, why, sizeof why)) return true;
    return tree_fail(d, at, "%s: %s", path, why);
}

bool text_is_none(const struct key *k, const char *text) {
    bool own_choice =
        k->kind == KEY_VALUE && k->param.type == PARAM_CHOICE && choice_index(k->param.choices, "none") >= 0;
    return k->def && strcmp(k->def, "none") == 0 && strcmp(text, "none") == 0 && !own_choice;
}

bool text_is_default(const struct key *k, const char *text) {
    return k->def && k->def[0] == '=' && strchr(k->def, '.') && strcmp(text, "none") == 0;
}

static bool scalar_check(const struct tree_node *n, const struct key *k, const char *path, struct diag *d) {
    if (n->kind == TREE_MAP) return tree_fail(d, n, "%s is one value, not a block", path);
    if (n->kind == TREE_LIST)
        return tree_fail(d, n, "%s is one value, not a list; sweep: {%s: [...]} in the file makes a run of each", path,
                         path);
    if (tree_is_null(n) || text_is_none(k, n->text) || text_is_default(k, n->text)) return true;
    if (k->kind != KEY_VALUE && !n->text[0])
        return tree_fail(d, n, "%s is empty; leave it out or name something", path);
    int64_t value;
    return value_parse(k, path, n->text, n, &value, d);
}

static bool map_check(const struct config_input *in, struct tree_node *n, const char *pattern, const char *path,
                      struct diag *d) {
    if (tree_is_null(n)) return true;
    if (n->kind != TREE_MAP)
        return tree_fail(d, n, "%s holds keys; write %s: {KEY: VALUE}", path[0] ? path : "the file", path);
    for (size_t i = 0; i < n->n; i++) {
        const char *name = n->key[i]->text;
        char child[KEY_PATH_MAX], child_pattern[KEY_PATH_MAX];
        path_join(child, path, name);
        path_join(child_pattern, pattern, name);
        const struct key *k = strpbrk(name, ".#") ? NULL : schema_find(child_pattern);
        if (k && strcmp(k->path, child_pattern) != 0) k = NULL;
        if (!k) k = host_param_find(in, child);
        if (!k) return unknown_key(n->key[i], pattern, path, d);
        if (!node_check(in, &n->item[i], k, child, d) || !applies_check(in, k, child, n->key[i], d)) return false;
    }
    return true;
}

static bool list_check(const struct config_input *in, struct tree_node **slot, const struct key *k, const char *path,
                       struct diag *d) {
    if ((*slot)->kind != TREE_LIST) list_wrap(slot, k);
    struct tree_node *list = *slot;
    char item_pattern[KEY_PATH_MAX], child[KEY_PATH_MAX];
    path_join(item_pattern, k->path, "#");
    const struct key *scalar = schema_find(item_pattern);
    if (scalar && strcmp(scalar->path, item_pattern) != 0) scalar = NULL;
    for (size_t i = 0; i < list->n; i++) {
        path_item(child, path, i);
        bool ok = scalar ? node_check(in, &list->item[i], scalar, child, d)
                         : map_check(in, list->item[i], item_pattern, child, d);
        if (!ok) return false;
    }
    return true;
}

static bool node_check(const struct config_input *in, struct tree_node **slot, const struct key *k, const char *path,
                       struct diag *d) {
    switch (k->kind) {
    case KEY_ANY: return true;
    case KEY_LIST: return list_check(in, slot, k, path, d);
    case KEY_MAP:
        if (strcmp(path, "sweep") == 0 || strcmp(path, "profiles") == 0 || strcmp(path, "schemes") == 0) return true;
        return map_check(in, *slot, k->path, path, d);
    default: return scalar_check(*slot, k, path, d);
    }
}

bool tree_check(const struct config_input *in, struct tree_node *root, struct diag *d) {
    return map_check(in, root, "", "", d);
}

bool block_check(const struct config_input *in, struct tree_node *block, const char *pattern, const char *path,
                 struct diag *d) {
    return map_check(in, block, pattern, path, d);
}
