/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/config.h"
#include "study/config/catalogue.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "study/config/acts.h"
#include "study/config/config_check.h"
#include "study/config/config_index.h"
#include "study/config/needs.h"
#include "study/config/own_schemes.h"
#include "study/config/pause_classes.h"
#include "study/config/relations.h"
#include "study/config/schemes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- values in the tree ---- */

static const char *scalar_text(const struct tree_node *n) {
    return n && n->kind == TREE_SCALAR && !tree_is_null(n) ? n->text : NULL;
}

static const struct scheme *tree_preset(const struct tree_node *root) {
    size_t n;
    const struct scheme *table = fabric_presets(&n);
    return scheme_find(table, n, scalar_text(tree_at(root, "fabric.preset")));
}

/* Returns the node of "host.min_rto", the short form of "host.newreno.min_rto"; NULL if it is not there. Keys of the
 * hosts themselves (host.jitter) are no short form, even if a transport has a parameter of the same name. */
static const struct tree_node *short_form(const struct tree_node *root, const char *path) {
    char own[KEY_PATH_MAX];
    if (strncmp(path, "host.", 5) != 0) return NULL;
    const char *dot = strchr(path + 5, '.');
    if (!dot) return NULL;
    snprintf(own, sizeof own, "host%s", dot);
    return schema_find(own) ? NULL : tree_get(tree_get(root, "host"), dot + 1);
}

/* Returns the text that the blocks of a file, or of a scheme that it makes, give a key, and sets *at to its node; NULL if
 * they give none. */
static const char *block_text(const struct tree_node *blocks, const char *path, const struct tree_node **at) {
    const struct tree_node *n = tree_at(blocks, path);
    if (!scalar_text(n)) n = short_form(blocks, path);
    *at = n;
    return scalar_text(n);
}

/* Returns the text that the file, its scheme or its fabric preset gives a key, and sets *at to its node; NULL if none
 * does. */
static const char *given_text(const struct tree_node *root, const char *path, const struct tree_node **at) {
    const struct tree_node *own = own_scheme(root);
    const char *text = block_text(root, path, at);
    if (!text && own) text = block_text(own, path, at);
    if (text) return text;
    text = scheme_value(scheme_of_tree(root), path);
    *at = tree_get(root, "scheme");
    if (text) return text;
    *at = tree_at(root, "fabric.preset");
    return scheme_value(tree_preset(root), path);
}

static void sibling_path(const char *path, const char *name, char *out, size_t size) {
    const char *dot = strrchr(path, '.');
    snprintf(out, size, "%.*s%s", dot ? (int)(dot + 1 - path) : 0, path, name);
}

static const char *default_text(const struct config_input *in, const struct key *k, const char *path) {
    const char *needed = k->needed ? needed_text(in, k, path) : NULL;
    if (needed) return needed;
    if (!k->def || k->def[0] != '=') return k->def;
    char sibling[KEY_PATH_MAX];
    if (strchr(k->def, '.')) return config_input_text(in, k->def + 1);
    sibling_path(path, k->def + 1, sibling, sizeof sibling);
    return config_input_text(in, sibling);
}

/* Returns the value that the tree gives a key; NULL if it gives none, or `none` where that means the default. Sets *at. */
static const char *given_value(const struct tree_node *root, const char *path, const struct tree_node **at) {
    const char *text = given_text(root, path, at);
    const struct key *k = text && strcmp(text, "none") == 0 ? schema_find(path) : NULL;
    return k && text_is_default(k, text) ? NULL : text;
}

const char *config_input_text(const struct config_input *in, const char *path) {
    const struct tree_node *at;
    const char *text = given_value(in->root, path, &at);
    if (text) return text;
    const struct key *k = schema_find(path);
    return k ? default_text(in, k, path) : NULL;
}

bool config_input_given(const struct config_input *in, const char *path) {
    const struct tree_node *at;
    return given_value(in->root, path, &at) != NULL;
}

/* ---- resolving ---- */

struct resolver {
    struct config_input in;
    struct config *c;
    struct diag *d;
};

/* Returns the innermost block of the tree on the way to `path`: the place of a key that is missing. */
static const struct tree_node *block_of(const struct tree_node *root, const char *path) {
    char part[KEY_PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *dot = strrchr(part, '.'); dot; dot = strrchr(part, '.')) {
        *dot = '\0';
        const struct tree_node *n = tree_at(root, part);
        if (n) return n;
    }
    return root;
}

/* Returns true if the text is a host's name because the file has it in quotes. */
static bool is_quoted_host(const struct key *k, const char *text, const struct tree_node *at) {
    return k->param.type == PARAM_HOST && at && at->text == text && at->quoted;
}

static void setting_add(struct resolver *r, const struct key *k, const char *path, const char *text, int64_t value,
                        bool given, const struct tree_node *at) {
    struct config *c = r->c;
    char canonical[UNITS_TEXT_MAX * 2];
    bool quoted = is_quoted_host(k, text, at), none = !quoted && text_is_none(k, text);
    if (!none && k->kind == KEY_VALUE) text = param_print(&k->param, value, canonical, sizeof canonical);
    c->setting = memory_grow(c->setting, c->n + 1, sizeof *c->setting);
    c->setting[c->n++] = (struct setting){.path = text_copy(path),
                                          .key = k,
                                          .text = text_copy(text),
                                          .value = value,
                                          .none = none,
                                          .quoted = quoted,
                                          .given = given,
                                          .file = at->file,
                                          .line = at->line,
                                          .col = at->col};
}

static bool missing(struct resolver *r, const struct key *k, const char *path) {
    return tree_fail(r->d, block_of(r->in.root, path), "'%s' is missing; give %s (%s)", path, key_name(k),
                     k->param.doc);
}

static bool resolve_value(struct resolver *r, const struct key *k, const char *path) {
    const struct tree_node *at;
    const char *text = given_value(r->in.root, path, &at);
    bool given = text != NULL;
    if (!given) {
        text = default_text(&r->in, k, path);
        at = block_of(r->in.root, path);
    }
    if (!text) return missing(r, k, path);
    int64_t value = 0;
    if (!text_is_none(k, text) && !value_parse(k, path, text, at, &value, r->d)) return false;
    setting_add(r, k, path, text, value, given, at);
    return true;
}

static bool resolve_children(struct resolver *r, const char *pattern, const char *path);

static bool resolve_list(struct resolver *r, const struct key *k, const char *path) {
    const struct tree_node *list = tree_at(r->in.root, path);
    char pattern[KEY_PATH_MAX], item[KEY_PATH_MAX];
    path_join(pattern, k->path, "#");
    const struct key *scalar = schema_find(pattern);
    bool of_scalars = scalar && strcmp(scalar->path, pattern) == 0;
    for (size_t i = 0; list && i < list->n; i++) {
        path_item(item, path, i);
        if (!(of_scalars ? resolve_value(r, scalar, item) : resolve_children(r, pattern, item))) return false;
    }
    return true;
}

bool config_block_is_outside(const char *path) {
    static const char *const blocks[] = {"title",  "base",    "sweep", "profiles", "expect",
                                         "figure", "schemes", "table", "lab"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        size_t length = strlen(blocks[i]);
        if (strncmp(path, blocks[i], length) == 0 && (path[length] == '\0' || path[length] == '.')) return true;
    }
    return false;
}

bool config_key_is_outside(const struct key *k) {
    bool names_parts = strcmp(k->path, "scheme") == 0 || strcmp(k->path, "fabric.preset") == 0;
    return names_parts || config_block_is_outside(k->path);
}

static bool resolve_children(struct resolver *r, const char *pattern, const char *path) {
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        if (!key_is_child(&k[i], pattern) || config_key_is_outside(&k[i])) continue;
        char child[KEY_PATH_MAX];
        path_join(child, path, key_name(&k[i]));
        if (!key_applies(&r->in, &k[i], child)) continue;
        bool ok = k[i].kind == KEY_MAP    ? resolve_children(r, k[i].path, child)
                  : k[i].kind == KEY_LIST ? resolve_list(r, &k[i], child)
                                          : resolve_value(r, &k[i], child);
        if (!ok) return false;
    }
    return true;
}

static bool preset_check(const struct tree_node *root, struct diag *d) {
    size_t n;
    const struct scheme *table = fabric_presets(&n);
    const struct tree_node *at = tree_at(root, "fabric.preset");
    const char *text = scalar_text(at);
    if (!text || strcmp(text, "none") == 0 || scheme_find(table, n, text)) return true;
    const char **names = memory_get(n, sizeof *names);
    for (size_t i = 0; i < n; i++) names[i] = table[i].name;
    const char *nearest = diag_nearest(text, names, n);
    free(names);
    return tree_fail(d, at, "unknown preset '%.40s'; %s%s%s", text,
                     nearest ? "did you mean '" : "see `heddle list presets", nearest ? nearest : "",
                     nearest ? "'?" : "`");
}

bool config_check(struct tree_node *root, const char *const *swept, size_t n_swept, struct diag *d) {
    const struct config_input in = {root, swept, n_swept};
    return tree_check(&in, root, d) && own_schemes_check(&in, d) && scheme_name_check(root, d) && preset_check(root, d);
}

bool config_resolve(struct tree_node *root, const char *const *swept, size_t n_swept, struct config *c,
                    struct diag *d) {
    *c = (struct config){0};
    const struct scheme *scheme = scheme_of_tree(root);
    if (scheme) c->scheme = scheme->name;
    if (own_scheme(root)) c->own_scheme = tree_intern(scalar_text(tree_get(root, "scheme")));
    struct resolver r = {.in = {root, swept, n_swept}, .c = c, .d = d};
    bool ok = config_check(root, swept, n_swept, d) && resolve_children(&r, "", "");
    if (ok) c->index = config_index_make(c);
    ok = ok && relations_check(c, d);
    if (ok)
        pause_classes_count(c);
    else
        config_free(c);
    return ok;
}

void config_free(struct config *c) {
    for (size_t i = 0; i < c->n; i++) {
        free(c->setting[i].path);
        free(c->setting[i].text);
    }
    free(c->setting);
    config_index_free(c->index);
    *c = (struct config){0};
}

/* ---- lookup ---- */

static const struct setting *find(const struct config *c, const char *path) {
    const struct config_range r = config_range(c, path);
    for (size_t i = r.first; i < r.end; i++) {
        if (strcmp(c->setting[i].path, path) == 0) return &c->setting[i];
    }
    return NULL;
}

static const struct setting *find_formatted(const struct config *c, const char *fmt, va_list args) {
    char path[KEY_PATH_MAX];
    vsnprintf(path, sizeof path, fmt, args);
    return find(c, path);
}

const struct setting *config_find(const struct config *c, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const struct setting *s = find_formatted(c, fmt, args);
    va_end(args);
    return s;
}

int64_t config_value(const struct config *c, int64_t otherwise, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const struct setting *s = find_formatted(c, fmt, args);
    va_end(args);
    return s && !s->none ? s->value : otherwise;
}

const char *config_text(const struct config *c, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const struct setting *s = find_formatted(c, fmt, args);
    va_end(args);
    return s && !s->none ? s->text : NULL;
}

/* Items of a list follow each other in its order, so the last one found has the largest number. */
static size_t count_items(const struct config *c, const char *path) {
    const struct config_range r = config_range(c, path);
    size_t length = strlen(path);
    for (size_t i = r.end; i-- > r.first;) {
        const char *p = c->setting[i].path;
        if (strncmp(p, path, length) == 0 && p[length] == '.') return strtoul(p + length + 1, NULL, 10) + 1;
    }
    return 0;
}

const struct setting *config_given(const struct config *c, const char *path) {
    const struct setting *s = find(c, path);
    return s && s->given && !s->none ? s : NULL;
}

const void *config_row(const struct config *c, const char *family, const char *path) {
    const struct setting *s = find(c, path);
    const struct catalogue_item *item = s && !s->none ? catalogue_find(family, s->text) : NULL;
    return item ? item->row : NULL;
}

size_t config_numbers(const struct config *c, const char *list, int64_t *value, size_t room) {
    size_t n = count_items(c, list);
    for (size_t i = 0; i < n && i < room; i++) {
        char path[KEY_PATH_MAX];
        const struct setting *s = find(c, path_item(path, list, i));
        value[i] = s && !s->none ? s->value : 0;
    }
    return n;
}

int64_t *config_list(const struct config *c, const char *list, size_t *n) {
    *n = count_items(c, list);
    int64_t *value = memory_get(*n, sizeof *value);
    config_numbers(c, list, value, *n);
    return value;
}

size_t config_count(const struct config *c, const char *path) { return count_items(c, path); }

bool config_fail(const struct config *c, struct diag *d, const char *path, const char *fmt, ...) {
    char text[sizeof d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const struct setting *s = find(c, path);
    size_t length = strlen(path);
    const struct config_range r = config_range(c, path);
    for (size_t i = r.first; !s && i < r.end; i++) {
        if (strncmp(c->setting[i].path, path, length) == 0 && c->setting[i].path[length] == '.') s = &c->setting[i];
    }
    return diag_fail(d, s ? s->file : "", s ? s->line : 0, s ? s->col : 0, "%s", text);
}

/* ---- printing ---- */

/* Returns the number of leading parts that two paths share, and sets *at to where they end in `path`. */
static int parts_shared(const char *before, const char *path, size_t *at) {
    int depth = 0;
    *at = 0;
    for (size_t i = 0; path[i] && path[i] == before[i]; i++) {
        if (path[i] != '.') continue;
        *at = i + 1;
        depth++;
    }
    return depth;
}

/* Writes the parts of `path` that `before` does not share: keys that open blocks, and "- " where a list item begins. The
 * last part gets `mark` before it. */
static void print_path(FILE *out, const char *before, const char *path, const char *mark) {
    size_t same;
    int depth = parts_shared(before, path, &same);
    bool dash = false;
    for (const char *part = path + same; *part;) {
        size_t length = strcspn(part, ".");
        bool item = strspn(part, "0123456789") == length, last = part[length] == '\0';
        if (!dash) fprintf(out, "%*s", 2 * depth, "");
        if (item) {
            fprintf(out, "- ");
        } else {
            fprintf(out, "%s%.*s:%s", last ? mark : "", (int)length, part, last ? " " : "\n");
        }
        dash = item;
        depth++;
        part += length + !last;
    }
}

/* Returns true if the name of a host would be read back as a number or a word without its quotes. */
static bool keeps_quotes(const struct setting *s) {
    const char *choices = s->key->param.choices;
    return s->quoted && (s->text[strspn(s->text, "0123456789")] == '\0' || strcmp(s->text, "none") == 0 ||
                         (choices && choice_index(choices, s->text) >= 0));
}

static void print_text(FILE *out, const struct setting *s) {
    if (keeps_quotes(s)) {
        fprintf(out, "\"%s\"", s->text);
        return;
    }
    struct tree_node n = {.kind = TREE_SCALAR, .text = s->text, .quoted = true};
    char small[256];
    size_t length = tree_print_flow(&n, small, sizeof small);
    if (length < sizeof small) {
        fputs(small, out);
        return;
    }
    char *large = memory_get(length + 1, 1);
    tree_print_flow(&n, large, length + 1);
    fputs(large, out);
    free(large);
}

/* True if the setting takes the value of the key beside it that its default names. */
static bool is_heir(const struct setting *s) {
    return !s->given && s->key->def && s->key->def[0] == '=' && !strchr(s->key->def, '.');
}

/* Writes the reason why a setting is printed as a comment; returns false if it is not. Written out, a value that comes
 * from another key would overrule that key. */
static bool comment_of(const struct config *c, const struct setting *s, char *why, size_t size) {
    char lacks[LACKS_MAX];
    if (setting_lacks(c, s, lacks, sizeof lacks))
        snprintf(why, size, "no effect: %s", lacks);
    else if (is_heir(s))
        snprintf(why, size, "as %s", s->key->def + 1);
    else
        return false;
    return true;
}

char *config_print(const struct config *c) {
    char *text = NULL, why[LACKS_MAX + 16];
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    const char *before = "";
    for (size_t i = 0; i < c->n; i++) {
        const struct setting *s = &c->setting[i];
        bool comment = comment_of(c, s, why, sizeof why);
        print_path(out, before, s->path, comment ? "# " : "");
        print_text(out, s);
        if (comment) fprintf(out, "  (%s)", why);
        fputc('\n', out);
        before = s->path;
    }
    text_stream_end(out, &text);
    return text;
}

/* Returns the text of the static default of a key, as a setting would have it. */
static const char *canonical_default(const struct key *k, char *out, size_t size) {
    int64_t value;
    char why[384];
    if (k->kind != KEY_VALUE || text_is_none(k, k->def)) return k->def;
    return param_parse(&k->param, k->def, &value, why, sizeof why) ? param_print(&k->param, value, out, size) : k->def;
}

/* True if leaving the setting out says the same: it is the default of its key, which no row in use may change. */
static bool goes_without_saying(const struct config *c, const struct setting *s) {
    const struct key *k = s->key;
    if (!k->def || k->needed || s->counted) return false;
    char text[UNITS_TEXT_MAX * 2], path[KEY_PATH_MAX];
    if (k->def[0] != '=') return strcmp(s->text, canonical_default(k, text, sizeof text)) == 0;
    if (strchr(k->def, '.'))
        snprintf(path, sizeof path, "%s", k->def + 1);
    else
        sibling_path(s->path, k->def + 1, path, sizeof path);
    const struct setting *from = find(c, path);
    return from ? strcmp(s->text, from->text) == 0 : !s->given;
}

/* True if `path` begins an item of a list: `before`, the setting before it, is not in that item. */
static bool begins_item(const char *before, const char *path) {
    size_t same;
    parts_shared(before, path, &same);
    for (const char *part = path + same; *part; part += strcspn(part, "."), part += *part == '.')
        if (strspn(part, "0123456789") == strcspn(part, ".")) return true;
    return false;
}

char *config_acting(const struct config *c) {
    char *text = NULL, why[LACKS_MAX];
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    const char *before = "";
    for (size_t i = 0; i < c->n; i++) {
        const struct setting *s = &c->setting[i];
        bool first = begins_item(before, s->path);
        before = s->path;
        if (!first && goes_without_saying(c, s)) continue;
        if (setting_lacks(c, s, why, sizeof why)) continue;
        fprintf(out, "%s: ", s->path);
        print_text(out, s);
        fputc('\n', out);
    }
    text_stream_end(out, &text);
    return text;
}
