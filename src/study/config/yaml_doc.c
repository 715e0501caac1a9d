/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/yaml_doc.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* ---- errors ---- */

bool tree_fail(struct diag *d, const struct tree_node *n, const char *fmt, ...) {
    char text[sizeof d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return diag_fail(d, n ? n->file : "", n ? n->line : 0, n ? n->col : 0, "%s", text);
}

const char *tree_intern(const char *name) {
    static char **names;
    static size_t n;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0) return names[i];
    }
    names = memory_grow(names, n + 1, sizeof *names);
    names[n] = text_copy(name);
    return names[n++];
}

/* ---- nodes ---- */

static struct tree_node *node_new(enum tree_kind kind, const char *file, int line, int col) {
    struct tree_node *n = memory_get(1, sizeof *n);
    *n = (struct tree_node){.kind = kind, .file = file, .line = line, .col = col};
    return n;
}

struct tree_node *tree_map(const struct tree_node *where) {
    return node_new(TREE_MAP, where ? where->file : "", where ? where->line : 0, where ? where->col : 0);
}

void tree_free(struct tree_node *n) {
    if (!n) return;
    for (size_t i = 0; i < n->n; i++) {
        tree_free(n->item[i]);
        if (n->key) tree_free(n->key[i]);
    }
    free(n->item);
    free(n->key);
    free(n->text);
    free(n);
}

/* Appends an item and owns it and its key (NULL in lists). */
static void node_append(struct tree_node *n, struct tree_node *key, struct tree_node *item) {
    n->item = memory_grow(n->item, n->n + 1, sizeof *n->item);
    n->item[n->n] = item;
    if (n->kind == TREE_MAP) {
        n->key = memory_grow(n->key, n->n + 1, sizeof *n->key);
        n->key[n->n] = key;
    }
    n->n++;
}

struct tree_node *tree_copy(const struct tree_node *n) {
    struct tree_node *copy = node_new(n->kind, n->file, n->line, n->col);
    copy->quoted = n->quoted;
    if (n->text) copy->text = text_copy(n->text);
    for (size_t i = 0; i < n->n; i++) node_append(copy, n->key ? tree_copy(n->key[i]) : NULL, tree_copy(n->item[i]));
    return copy;
}

static size_t node_count(const struct tree_node *n) {
    size_t count = 1;
    for (size_t i = 0; i < n->n; i++) count += node_count(n->item[i]) + (n->key ? 1 : 0);
    return count;
}

static size_t node_depth(const struct tree_node *n) {
    size_t deepest = 0;
    for (size_t i = 0; i < n->n; i++) {
        size_t depth = node_depth(n->item[i]);
        if (depth > deepest) deepest = depth;
    }
    return deepest + 1;
}

/* ---- reading ---- */

struct anchor {
    char *name;
    const struct tree_node *node;
};

struct reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the current one */
    const char *file;
    const char *text;
    size_t size;
    struct diag *d;
    size_t nodes;
    struct anchor *anchor;
    size_t n_anchors;
};

static bool reader_fail(struct reader *r, yaml_mark_t mark, const char *text) {
    return diag_fail(r->d, r->file, (int)mark.line + 1, (int)mark.column + 1, "%s", text);
}

static bool next_event(struct reader *r) {
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event)) return true;
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        memory_out("memory ran out: none to read %s; raise the limit (ulimit -v)", r->file);
    yaml_mark_t mark = p->problem_mark;
    if (p->error == YAML_READER_ERROR) mark = p->mark;
    if (text_tab_at(r->text, r->size, mark.line, mark.column))
        return reader_fail(r, mark, "not YAML: a tab; write blanks in its place");
    char text[256];
    snprintf(text, sizeof text, "not YAML: %s%s%s; check indentation, colons and brackets here",
             p->problem ? p->problem : "unreadable", p->context ? " " : "", p->context ? p->context : "");
    return reader_fail(r, mark, text);
}

static struct tree_node *read_node(struct reader *r, int depth);

static struct tree_node *read_scalar(struct reader *r) {
    const yaml_event_t *e = &r->event;
    size_t length = e->data.scalar.length;
    if (memchr(e->data.scalar.value, 0, length)) {
        reader_fail(r, e->start_mark, "a value holds a zero byte; remove it");
        return NULL;
    }
    struct tree_node *n = node_new(TREE_SCALAR, r->file, (int)e->start_mark.line + 1, (int)e->start_mark.column + 1);
    n->text = text_clean(text_copy_part((const char *)e->data.scalar.value, length));
    n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return n;
}

static bool read_items(struct reader *r, struct tree_node *list, int depth) {
    for (;;) {
        if (!next_event(r)) return false;
        if (r->event.type == YAML_SEQUENCE_END_EVENT) return true;
        struct tree_node *item = read_node(r, depth + 1);
        if (!item) return false;
        node_append(list, NULL, item);
    }
}

static bool key_check(struct reader *r, const struct tree_node *map, const struct tree_node *key) {
    if (strcmp(key->text, "<<") == 0) return tree_fail(r->d, key, "merge keys (<<) are not supported; repeat the keys");
    if (map->n == YAML_MAX_KEYS)
        return tree_fail(r->d, key, "more than %d keys in one block; this is no experiment file", YAML_MAX_KEYS);
    for (size_t i = 0; i < map->n; i++) {
        if (strcmp(map->key[i]->text, key->text) == 0) {
            return tree_fail(r->d, key, "'%.40s' appears twice, first in line %d; remove one", key->text,
                             map->key[i]->line);
        }
    }
    return true;
}

static bool read_pairs(struct reader *r, struct tree_node *map, int depth) {
    for (;;) {
        if (!next_event(r)) return false;
        if (r->event.type == YAML_MAPPING_END_EVENT) return true;
        if (r->event.type != YAML_SCALAR_EVENT)
            return reader_fail(r, r->event.start_mark, "a key must be a plain word");
        struct tree_node *key = read_scalar(r), *item = NULL;
        if (key && key_check(r, map, key) && next_event(r)) item = read_node(r, depth + 1);
        if (!item) {
            tree_free(key);
            return false;
        }
        r->nodes++;
        node_append(map, key, item);
    }
}

static struct tree_node *read_alias(struct reader *r, int depth) {
    const char *name = (const char *)r->event.data.alias.anchor;
    for (size_t i = r->n_anchors; i-- > 0;) {
        const struct tree_node *node = r->anchor[i].node;
        if (strcmp(r->anchor[i].name, name) != 0) continue;
        r->nodes += node_count(node);
        if (r->nodes > YAML_MAX_NODES || depth + node_depth(node) > YAML_MAX_DEPTH) {
            reader_fail(r, r->event.start_mark, "aliases make the file too large; write it out more simply");
            return NULL;
        }
        return tree_copy(node);
    }
    reader_fail(r, r->event.start_mark, "this alias names no complete anchor above it");
    return NULL;
}

static void anchor_add(struct reader *r, char *name, const struct tree_node *node) {
    r->anchor = memory_grow(r->anchor, r->n_anchors + 1, sizeof *r->anchor);
    r->anchor[r->n_anchors++] = (struct anchor){name, node};
}

static struct tree_node *read_collection(struct reader *r, int depth, bool map) {
    yaml_mark_t at = r->event.start_mark;
    struct tree_node *n = node_new(map ? TREE_MAP : TREE_LIST, r->file, (int)at.line + 1, (int)at.column + 1);
    if (map ? read_pairs(r, n, depth) : read_items(r, n, depth)) return n;
    tree_free(n);
    return NULL;
}

/* Reads the node that begins with the current event; NULL after filling the diag. */
static struct tree_node *read_node(struct reader *r, int depth) {
    if (++r->nodes > YAML_MAX_NODES || depth > YAML_MAX_DEPTH) {
        reader_fail(r, r->event.start_mark,
                    depth > YAML_MAX_DEPTH ? "nested too deeply for an experiment"
                                           : "too many values for an experiment");
        return NULL;
    }
    const yaml_char_t *anchor = NULL;
    bool map = false;
    switch (r->event.type) {
    case YAML_ALIAS_EVENT: return read_alias(r, depth);
    case YAML_SCALAR_EVENT: anchor = r->event.data.scalar.anchor; break;
    case YAML_SEQUENCE_START_EVENT: anchor = r->event.data.sequence_start.anchor; break;
    case YAML_MAPPING_START_EVENT:
        anchor = r->event.data.mapping_start.anchor;
        map = true;
        break;
    default: reader_fail(r, r->event.start_mark, "a value is missing here"); return NULL;
    }
    if (anchor && r->n_anchors == YAML_MAX_ANCHORS) {
        reader_fail(r, r->event.start_mark, "too many anchors for an experiment; write the values out");
        return NULL;
    }
    char *name = anchor ? text_copy((const char *)anchor) : NULL;
    struct tree_node *n = r->event.type == YAML_SCALAR_EVENT ? read_scalar(r) : read_collection(r, depth, map);
    if (name && n) {
        anchor_add(r, name, n);
    } else {
        free(name);
    }
    return n;
}

static struct tree_node *read_document(struct reader *r) {
    if (!next_event(r) || !next_event(r)) return NULL; /* start of stream, start of document */
    if (r->event.type == YAML_STREAM_END_EVENT) return node_new(TREE_MAP, r->file, 1, 1);
    if (!next_event(r)) return NULL;
    struct tree_node *root = read_node(r, 1);
    if (!root) return NULL;
    if (next_event(r) && next_event(r)) { /* end of document, end of stream */
        if (r->event.type == YAML_STREAM_END_EVENT) return root;
        reader_fail(r, r->event.start_mark, "a second document begins here; one experiment a file");
    }
    tree_free(root);
    return NULL;
}

struct tree_node *tree_parse(const char *text, size_t size, const char *file, struct diag *d) {
    static const char store[] = "SQLite format 3";
    if (size > sizeof store && memcmp(text, store, sizeof store) == 0) {
        diag_fail_in(d, file, "this is a results store, not an experiment file; heddle report reads it");
        return NULL;
    }
    if (size > YAML_MAX_BYTES) {
        diag_fail_in(d, file, "larger than %d bytes; this is no experiment file", YAML_MAX_BYTES);
        return NULL;
    }
    struct reader r = {.file = tree_intern(file), .text = text, .size = size, .d = d};
    if (!yaml_parser_initialize(&r.parser))
        memory_out("memory ran out: none to read %s; raise the limit (ulimit -v)", file);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
    struct tree_node *root = read_document(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    for (size_t i = 0; i < r.n_anchors; i++) free(r.anchor[i].name);
    free(r.anchor);
    return root;
}

struct tree_node *tree_read_file(const char *path, struct diag *d) {
    const char *why;
    FILE *f = input_open(path, &why);
    char *text = NULL;
    size_t size = 0;
    if (f) {
        text = memory_get(YAML_MAX_BYTES + 2, 1);
        size = fread(text, 1, YAML_MAX_BYTES + 1, f);
    }
    if (f && ferror(f)) why = strerror(errno);
    if (f) fclose(f);
    struct tree_node *root = NULL;
    if (why) {
        diag_fail_in(d, path, "cannot read it: %s; name an experiment file", why);
    } else {
        root = tree_parse(text, size, path, d);
    }
    free(text);
    return root;
}

/* ---- lookup and changes ---- */

static size_t map_find(const struct tree_node *n, const char *key, size_t length) {
    for (size_t i = 0; i < n->n; i++) {
        if (strncmp(n->key[i]->text, key, length) == 0 && n->key[i]->text[length] == '\0') return i;
    }
    return SIZE_MAX;
}

struct tree_node *tree_get(const struct tree_node *n, const char *key) {
    if (!n || n->kind != TREE_MAP) return NULL;
    size_t i = map_find(n, key, strlen(key));
    return i == SIZE_MAX ? NULL : n->item[i];
}

/* Returns the index that the first `length` characters of `part` spell; SIZE_MAX if they are no index. */
static size_t index_parse(const char *part, size_t length) {
    size_t index = 0;
    if (length == 0 || length > 6) return SIZE_MAX;
    for (size_t i = 0; i < length; i++) {
        if (part[i] < '0' || part[i] > '9') return SIZE_MAX;
        index = index * 10 + (size_t)(part[i] - '0');
    }
    return index;
}

/* Returns the slot of the child of `n` that a part of a path names; NULL if there is none. */
static struct tree_node **child_slot(const struct tree_node *n, const char *part, size_t length) {
    size_t i = SIZE_MAX;
    if (n->kind == TREE_MAP) i = map_find(n, part, length);
    if (n->kind == TREE_LIST) i = index_parse(part, length);
    return i < n->n ? &n->item[i] : NULL;
}

struct tree_node **tree_slot(const struct tree_node *root, const char *path) {
    const struct tree_node *n = root;
    for (;;) {
        size_t length = strcspn(path, ".");
        struct tree_node **slot = child_slot(n, path, length);
        if (!slot || !path[length]) return slot;
        n = *slot;
        path += length + 1;
    }
}

struct tree_node *tree_at(const struct tree_node *root, const char *path) {
    struct tree_node **slot = root ? tree_slot(root, path) : NULL;
    return slot ? *slot : NULL;
}

/* Appends an empty map named `part` to n and returns its slot; NULL if n cannot take a child of that name. */
static struct tree_node **child_make(struct tree_node *n, const char *part, size_t length,
                                     const struct tree_node *like) {
    if (length == 0 || n->kind == TREE_SCALAR) return NULL;
    if (n->kind == TREE_LIST && index_parse(part, length) != n->n) return NULL;
    struct tree_node *key = NULL;
    if (n->kind == TREE_MAP) {
        key = node_new(TREE_SCALAR, like->file, like->line, like->col);
        key->text = text_copy_part(part, length);
    }
    node_append(n, key, tree_map(like));
    return &n->item[n->n - 1];
}

bool tree_place(struct tree_node *root, const char *path, struct tree_node *value, struct diag *d) {
    struct tree_node *n = root;
    const char *part = path;
    for (;;) {
        size_t length = strcspn(part, ".");
        struct tree_node **slot = child_slot(n, part, length);
        if (!slot) slot = child_make(n, part, length, value);
        if (!slot) {
            tree_fail(d, value, "'%s' leads nowhere at '%.*s'; %s", path, (int)length, part,
                      n->kind == TREE_LIST ? "write the number of an item of the list, counted from 0"
                                           : "there is a plain value before it");
            tree_free(value);
            return false;
        }
        if (!part[length]) {
            tree_free(*slot);
            *slot = value;
            return true;
        }
        n = *slot;
        part += length + 1;
    }
}

void tree_remove(struct tree_node *map, const char *key) {
    size_t i = map_find(map, key, strlen(key));
    if (i == SIZE_MAX) return;
    tree_free(map->key[i]);
    tree_free(map->item[i]);
    memmove(map->key + i, map->key + i + 1, (map->n - i - 1) * sizeof *map->key);
    memmove(map->item + i, map->item + i + 1, (map->n - i - 1) * sizeof *map->item);
    map->n--;
}

void tree_append(struct tree_node *list, struct tree_node *item) {
    list->item = memory_grow(list->item, list->n + 1, sizeof(struct tree_node *));
    list->item[list->n++] = item;
}

void tree_put(struct tree_node *map, size_t at, const struct tree_node *key, const struct tree_node *value) {
    struct tree_node *new_key = tree_copy(key), *new_item = tree_copy(value);
    size_t i = map_find(map, key->text, strlen(key->text));
    if (i != SIZE_MAX) {
        tree_free(map->key[i]);
        tree_free(map->item[i]);
    } else {
        i = at < map->n ? at : map->n;
        node_append(map, NULL, NULL);
        memmove(map->key + i + 1, map->key + i, (map->n - 1 - i) * sizeof *map->key);
        memmove(map->item + i + 1, map->item + i, (map->n - 1 - i) * sizeof *map->item);
    }
    map->key[i] = new_key;
    map->item[i] = new_item;
}

void tree_merge(struct tree_node *base, const struct tree_node *over) {
    for (size_t i = 0; i < over->n; i++) {
        const char *key = over->key[i]->text;
        size_t at = map_find(base, key, strlen(key));
        if (at == SIZE_MAX) {
            node_append(base, tree_copy(over->key[i]), tree_copy(over->item[i]));
        } else if (base->item[at]->kind == TREE_MAP && over->item[i]->kind == TREE_MAP) {
            tree_merge(base->item[at], over->item[i]);
        } else {
            tree_free(base->item[at]);
            base->item[at] = tree_copy(over->item[i]);
        }
    }
}

bool tree_is_null(const struct tree_node *n) {
    if (n->kind != TREE_SCALAR || n->quoted) return false;
    return !n->text[0] || strcmp(n->text, "null") == 0 || strcmp(n->text, "~") == 0;
}

bool tree_equal(const struct tree_node *a, const struct tree_node *b) {
    if (a->kind != b->kind || a->n != b->n) return false;
    if (tree_is_null(a) || tree_is_null(b)) return tree_is_null(a) && tree_is_null(b);
    if (a->kind == TREE_SCALAR) return strcmp(a->text, b->text) == 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct tree_node *other = a->kind == TREE_MAP ? tree_get(b, a->key[i]->text) : b->item[i];
        if (!other || !tree_equal(a->item[i], other)) return false;
    }
    return true;
}

/* ---- printing ---- */

struct printer {
    char *buf;
    size_t size, used;
};

static void put(struct printer *p, const char *text) {
    for (; *text; text++, p->used++) {
        if (p->used + 1 < p->size) p->buf[p->used] = *text;
    }
}

/* True if the text without quotes would be read back as something else. */
static bool needs_quotes(const char *text) {
    if (!text[0] || strcmp(text, "~") == 0 || strcmp(text, "null") == 0) return true;
    if (strchr("-?:", text[0]) && (!text[1] || text[1] == ' ')) return true;
    return strpbrk(text, "\n\t\\\"'#{}[],&*!|>@`") || strstr(text, ": ") || text[0] == ' ' || text[0] == '%' ||
           text[strlen(text) - 1] == ' ' || text[strlen(text) - 1] == ':';
}

static void put_scalar(struct printer *p, const struct tree_node *n) {
    if (tree_is_null(n)) {
        put(p, "null");
        return;
    }
    if (!needs_quotes(n->text)) {
        put(p, n->text);
        return;
    }
    put(p, "\"");
    for (const char *c = n->text; *c; c++) {
        char one[8] = {*c};
        if (*c == '"' || *c == '\\') snprintf(one, sizeof one, "\\%c", *c);
        if ((unsigned char)*c < ' ') snprintf(one, sizeof one, "\\x%02x", (unsigned)*c);
        put(p, one);
    }
    put(p, "\"");
}

static void put_flow(struct printer *p, const struct tree_node *n) {
    if (n->kind == TREE_SCALAR) {
        put_scalar(p, n);
        return;
    }
    put(p, n->kind == TREE_LIST ? "[" : "{");
    for (size_t i = 0; i < n->n; i++) {
        if (i) put(p, ", ");
        if (n->kind == TREE_MAP) {
            put_scalar(p, n->key[i]);
            put(p, ": ");
        }
        put_flow(p, n->item[i]);
    }
    put(p, n->kind == TREE_LIST ? "]" : "}");
}

size_t tree_print_flow(const struct tree_node *n, char *buf, size_t size) {
    struct printer p = {buf, size, 0};
    put_flow(&p, n);
    if (size) buf[p.used < size ? p.used : size - 1] = '\0';
    return p.used;
}
