/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the keys that come from the tables of mechanisms, topologies and kinds of workloads. */
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "study/config/catalogue.h"
#include "study/config/schema_rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const char *fmt, const char *a, const char *b) {
    char *text = NULL;
    text = text_format(fmt, a, b);
    return text;
}

/* Ends the program: a row of a table cannot be as it stands. */
__attribute__((format(printf, 1, 2))) static _Noreturn void table_refuse(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "heddle: internal error: ");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
    abort();
}

/* ---- from a parameter to a key ---- */

static enum key_kind kind_of(enum param_type type) {
    switch (type) {
    case PARAM_FILE: return KEY_FILE;
    case PARAM_SIZES: return KEY_SIZES;
    case PARAM_LIST: return KEY_LIST;
    case PARAM_TEXT:
    case PARAM_HOST:
    case PARAM_GROUP: return KEY_TEXT;
    default: return KEY_VALUE;
    }
}

static const char *default_of(const struct param *p) {
    char buf[128];
    if (p->text) return p->text[0] ? p->text : NULL;
    return kind_of(p->type) == KEY_VALUE ? text_copy(param_print(p, p->def, buf, sizeof buf)) : NULL;
}

struct key schema_param_key(const char *path, const struct param *p, const char *when) {
    return (struct key){.path = path, .kind = kind_of(p->type), .param = *p, .def = default_of(p), .when = when};
}

void schema_add_param(const char *block, const struct param *p, const char *when) {
    const char *path =
        p->name ? text_of("%s.%s", block, p->name) : text_copy(block); /* never freed: the key keeps it */
    schema_add(schema_param_key(path, p, p->when ? schema_when(p->when, path) : when));
    if (p->type != PARAM_LIST) return;
    char *item = text_of("%s.%s", path, "#");
    for (size_t i = 0; i < p->n_items; i++) schema_add_param(item, &p->items[i], NULL);
    free(item);
}

/* ---- when ---- */

/* Returns the family whose rows `key` names. A key without a dot is a sibling of `path`; an entry's transport has the
 * family of host.transport. */
static const struct catalogue_family *family_deciding(const char *key, size_t length, const char *path) {
    char full[KEY_PATH_MAX];
    const char *dot = strrchr(path, '.');
    bool sibling = !memchr(key, '.', length) && dot;
    snprintf(full, sizeof full, "%.*s%.*s", sibling ? (int)(dot + 1 - path) : 0, path, (int)length, key);
    const struct catalogue_family *f = catalogue_family_of(full);
    if (!f && strcmp(full, "workload.#.transport") == 0) f = catalogue_family_of("host.transport");
    return f;
}

const char *schema_when(const char *when, const char *path) {
    size_t length = when ? strcspn(when, "=:") : 0;
    if (!when || when[length] == '=') return when;
    const struct catalogue_family *f = family_deciding(when, length, path);
    char *key = text_copy_part(when, length), *names = f ? catalogue_names(f->name, when + length + 1) : NULL;
    if (!names) table_refuse("%s: no row has the feature of its condition \"%s\"", path, when);
    const char *text = text_of("%s=%s", key, names);
    free(key);
    free(names);
    return text;
}

/* ---- keys beside the key that names a row ---- */

/* A key of a family, with the rows that have it; each key of the family has one. */
struct shared {
    const struct param *param;
    bool *has;    /* [rows] true if the row has the key */
    bool *before; /* [keys] true if that key stands just before this one in some row */
    bool placed;  /* added to the table of keys */
};

struct merge {
    const struct catalogue_item **row;
    size_t n_rows;
    struct shared *key;
    size_t n_keys, room; /* room: items of `key`, at least the number of different keys */
};

static size_t keys_of(const struct catalogue_item *item) {
    size_t n = 0;
    while (item->keys && item->keys[n]) n++;
    return n + (item->block ? 0 : item->n_params);
}

/* Returns the i-th key of a row: first the keys it shares, then its own parameters. */
static const struct param *key_at(const struct catalogue_item *item, size_t i) {
    size_t shared = 0;
    while (item->keys && item->keys[shared]) shared++;
    return i < shared ? item->keys[i] : &item->params[i - shared];
}

static bool text_is(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* True if a file's values of the two are read alike. Their fields may differ, and so may what those hold without a
 * value. */
static bool reads_alike(const struct param *a, const struct param *b) {
    return a->type == b->type && a->def == b->def && a->min == b->min && a->max == b->max &&
           text_is(a->choices, b->choices) && text_is(a->text, b->text);
}

/* Returns the key of this name. The first row that has it says how values are read. */
static struct shared *merge_key(struct merge *m, size_t row, const struct param *p) {
    for (size_t i = 0; i < m->n_keys; i++) {
        if (strcmp(m->key[i].param->name, p->name) != 0) continue;
        if (reads_alike(m->key[i].param, p)) return &m->key[i];
        table_refuse(
            "%s: another of the %s has a key \"%s\" with another range or default; take another name, or share it",
            m->row[row]->name, m->row[row]->family, p->name);
    }
    struct shared *s = &m->key[m->n_keys++];
    s->param = p;
    s->has = memory_get(m->n_rows, sizeof *s->has);
    s->before = memory_get(m->room, sizeof *s->before);
    return s;
}

static void merge_row(struct merge *m, size_t row) {
    struct shared *before = NULL;
    for (size_t i = 0; i < keys_of(m->row[row]); i++) {
        struct shared *s = merge_key(m, row, key_at(m->row[row], i));
        s->has[row] = true;
        if (before) s->before[before - m->key] = true;
        before = s;
    }
}

static struct merge merge_of(const char *family) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    struct merge m = {.row = memory_get(n, sizeof *m.row)};
    for (size_t i = 0; i < n; i++) {
        if (strcmp(item[i].family, family) != 0) continue;
        m.row[m.n_rows++] = &item[i];
        m.room += keys_of(&item[i]);
    }
    m.key = memory_get(m.room, sizeof *m.key);
    for (size_t i = 0; i < m.n_rows; i++) merge_row(&m, i);
    return m;
}

static void merge_free(struct merge *m) {
    for (size_t i = 0; i < m->n_keys; i++) {
        free(m->key[i].has);
        free(m->key[i].before);
    }
    free(m->key);
    free(m->row);
}

/* Returns the first key whose predecessors are all placed. Aborts if rows order their keys in contradictory ways. */
static struct shared *merge_next(struct merge *m) {
    for (size_t i = 0; i < m->n_keys; i++) {
        bool free_to_go = !m->key[i].placed;
        for (size_t k = 0; free_to_go && k < m->n_keys; k++) free_to_go = !m->key[i].before[k] || m->key[k].placed;
        if (free_to_go) return &m->key[i];
    }
    table_refuse("rows of %s have the keys that they share in contradictory orders", m->row[0]->family);
}

/* Returns "kind=clos|leaf-spine", the rows that have the key; NULL if all rows have it. */
static const char *when_of(const struct merge *m, const struct shared *s, const char *deciding) {
    char *text = NULL;
    size_t size = 0, found = 0;
    FILE *out = text_stream(&text, &size);
    for (size_t i = 0; i < m->n_rows; i++)
        if (s->has[i]) fprintf(out, "%s%s", found++ ? "|" : "", m->row[i]->name);
    text_stream_end(out, &text);
    const char *when = found < m->n_rows ? text_of("%s=%s", deciding, text) : NULL;
    free(text);
    return when;
}

static const struct catalogue_family *family_named(const char *name) {
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    while (strcmp(f->name, name) != 0) f++;
    return f;
}

void schema_add_keys_of(const char *family) {
    const char *key = family_named(family)->key, *dot = strrchr(key, '.');
    char *block = text_copy_part(key, (size_t)(dot - key));
    struct merge m = merge_of(family);
    for (size_t i = 0; i < m.n_keys; i++) {
        struct shared *s = merge_next(&m);
        s->placed = true;
        schema_add_param(block, s->param, s->param->when ? NULL : when_of(&m, s, dot + 1));
    }
    merge_free(&m);
    free(block);
}

/* ---- blocks ---- */

/* Adds the block of a row and its parameters. Optional blocks (transports, balancers) are ignored while another row is
 * in use. */
static void block_add(const struct catalogue_item *item, const char *deciding, bool optional) {
    const char *when = text_of("%s=%s", deciding, item->name);
    schema_add((struct key){
        .path = item->block, .kind = KEY_MAP, .param.doc = item->doc, .when = when, .optional_block = optional});
    for (size_t i = 0; i < item->n_params; i++) {
        struct key k = schema_param_key(text_of("%s.%s", item->block, item->params[i].name), &item->params[i], when);
        k.optional_block = optional;
        schema_add(k);
    }
}

void schema_add_blocks_of(const char *family) {
    const struct catalogue_family *f = family_named(family);
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(item[i].family, family) != 0 || item[i].n_params == 0) continue;
        bool optional = !f->strict;
        block_add(&item[i], optional ? strrchr(f->key, '.') + 1 : f->key, optional);
    }
}
