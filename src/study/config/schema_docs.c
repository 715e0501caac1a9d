/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "base/units.h"
#include "study/config/catalogue.h"
#include "study/config/codes.h"
#include "study/config/markdown.h"
#include "study/config/needs.h"
#include "study/config/schema.h"
#include "study/config/schemes.h"

#include <stdlib.h>
#include <string.h>

/* Prints "a|b|c" as "a, b or c", which a narrow column can wrap. */
static void print_choices(FILE *out, const char *choices) {
    while (*choices) {
        size_t length = strcspn(choices, "|");
        bool last = choices[length] == '\0', next_last = !last && !strchr(choices + length + 1, '|');
        fprintf(out, "%.*s%s", (int)length, choices, last ? "" : next_last ? " or " : ", ");
        choices += last ? length : length + 1;
    }
}

static void range_text(const struct param *p, char *buf, size_t size) {
    static const char *const nouns[] = {[PARAM_COUNT] = "number",         [PARAM_TIME] = "time",
                                        [PARAM_BYTES] = "size",           [PARAM_RATE] = "rate",
                                        [PARAM_FRACTION] = "fraction",    [PARAM_FREQUENCY] = "frequency",
                                        [PARAM_QUEUE] = "size or frames", [PARAM_MOMENT] = "time"};
    char min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];
    if (p->type == PARAM_CHOICE) {
        FILE *out = text_stream_into(buf, size);
        print_choices(out, p->choices);
        fclose(out);
    } else if (p->type == PARAM_BOOL) {
        snprintf(buf, size, "true or false");
    } else if (p->type == PARAM_QUEUE) {
        snprintf(buf, size, "%s, at least %s or 1 frame", nouns[p->type],
                 units_print(p->type, p->min, min, sizeof min));
    } else if (p->type == PARAM_MOMENT) {
        snprintf(buf, size, "%s, %s to %s, or 0%% to 100%%", nouns[p->type],
                 units_print(p->type, p->min, min, sizeof min), units_print(p->type, p->max, max, sizeof max));
    } else if (p->max >= INT64_MAX / 2) {
        snprintf(buf, size, "%s, at least %s", nouns[p->type], units_print(p->type, p->min, min, sizeof min));
    } else {
        snprintf(buf, size, "%s, %s to %s", nouns[p->type], units_print(p->type, p->min, min, sizeof min),
                 units_print(p->type, p->max, max, sizeof max));
    }
}

static void word_text(const struct param *p, char *buf, size_t size) {
    size_t used = strlen(buf);
    if (p->word) snprintf(buf + used, size - used, ", or %s", p->word);
}

static void value_text(const struct key *k, char *buf, size_t size) {
    static const char *const words[] = {"", "name", "file", "name, size or file", "block", "list", ""};
    if (k->kind == KEY_VALUE) {
        range_text(&k->param, buf, size);
        word_text(&k->param, buf, size);
    } else {
        snprintf(buf, size, "%s", words[k->kind]);
    }
}

static void default_text(const struct key *k, char *buf, size_t size) {
    bool has_none = k->kind == KEY_MAP || k->kind == KEY_LIST || k->kind == KEY_ANY;
    if (k->def && k->def[0] == '=') {
        snprintf(buf, size, "as %s", k->def + 1);
    } else if (k->needed) {
        needs_text(k, buf, size);
    } else {
        snprintf(buf, size, "%s", k->def ? k->def : has_none ? "" : "required");
    }
}

/* Prints "KEY=a|b" as "KEY a or b". */
static void print_when(FILE *out, const char *when) {
    size_t length = strcspn(when, "=");
    fprintf(out, "%.*s", (int)length, when);
    if (!when[length]) return;
    fputc(' ', out);
    print_choices(out, when + length + 1);
}

/* Returns what the key means, when it applies, and its source. The caller frees it. */
static char *meaning_of(const struct key *k) {
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    fprintf(out, "%s", k->param.doc);
    if (k->when && !k->optional_block) {
        fprintf(out, " (with ");
        print_when(out, k->when);
        fprintf(out, ")");
    }
    char *paper = codes_linked(k->param.paper ? k->param.paper : "");
    if (paper[0]) fprintf(out, " [%s]", paper);
    free(paper);
    text_stream_end(out, &text);
    return text;
}

static void print_row(struct markdown_table *t, const struct key *k, const char *path, const char *def) {
    char value[512], *code = text_format("`%s`", path), *meaning = meaning_of(k);
    value_text(k, value, sizeof value);
    markdown_row(t, (const char *const[]){code, value, def, meaning});
    free(code);
    free(meaning);
}

/* ---- keys that several rows of a family share ---- */

/* Returns the item of the catalogue in whose block the key stands; NULL if it stands in none. */
static const struct catalogue_item *item_of(const struct key *k) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        size_t length = item[i].block ? strlen(item[i].block) : 0;
        if (length && strncmp(k->path, item[i].block, length) == 0 && k->path[length] == '.') return &item[i];
    }
    return NULL;
}

static bool is_same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

/* Returns whether both keys are one parameter of two rows of a family; their defaults may differ. */
static bool is_shared(const struct key *a, const struct key *b) {
    const struct catalogue_item *x = item_of(a), *y = item_of(b);
    const struct param *p = &a->param, *q = &b->param;
    return x && y && strcmp(x->family, y->family) == 0 && strcmp(p->name, q->name) == 0 && p->type == q->type &&
           p->min == q->min && p->max == q->max && strcmp(p->doc, q->doc) == 0 && is_same_text(p->paper, q->paper) &&
           is_same_text(p->choices, q->choices) && is_same_text(p->word, q->word);
}

/* Returns the names of all rows that have the key: "newreno, cubic"; NULL if only one has it. The caller frees it. */
static char *sharers_of(const struct key *key) {
    char *text = NULL;
    size_t size, n, found = 0;
    const struct key *k = schema_keys(&n);
    if (!item_of(key)) return NULL;
    FILE *out = text_stream(&text, &size);
    for (size_t i = 0; i < n; i++)
        if (is_shared(key, &k[i])) fprintf(out, "%s%s", found++ ? ", " : "", item_of(&k[i])->name);
    text_stream_end(out, &text);
    if (found > 1) return text;
    free(text);
    return NULL;
}

/* Returns whether no row before the key's own has it. */
static bool is_first(const struct key *key) {
    const struct key *k = schema_keys(&(size_t){0});
    for (; k != key; k++)
        if (is_shared(key, k)) return false;
    return true;
}

/* Returns the default of a shared key, with the rows that have another: "false; true with dctcp, hull". The caller frees
 * it. */
static char *shared_default(const struct key *key) {
    char first[128], def[128], last[128] = "", *text = NULL;
    size_t size, n;
    const struct key *k = schema_keys(&n);
    FILE *out = text_stream(&text, &size);
    default_text(key, first, sizeof first);
    fprintf(out, "%s", first);
    for (size_t i = 0; i < n; i++) {
        default_text(&k[i], def, sizeof def);
        if (!is_shared(key, &k[i]) || strcmp(def, first) == 0) continue;
        if (strcmp(def, last) == 0)
            fprintf(out, ", %s", item_of(&k[i])->name);
        else
            fprintf(out, "; %s with %s", def, item_of(&k[i])->name);
        snprintf(last, sizeof last, "%s", def);
    }
    text_stream_end(out, &text);
    return text;
}

/* ---- sections ---- */

static const char *const key_heads[] = {"key", "value", "default", "meaning"};

static bool is_within(const struct key *k, const char *top) {
    size_t length = strlen(top);
    return strncmp(k->path, top, length) == 0 && (k->path[length] == '\0' || k->path[length] == '.');
}

static void print_shared_row(struct markdown_table *t, const struct key *k) {
    char *path = text_format("%.*s.NAME.%s", (int)strcspn(k->path, "."), k->path, k->param.name);
    char *def = shared_default(k);
    print_row(t, k, path, def);
    free(path);
    free(def);
}

/* Prints the keys of a section that exactly the rows named by `sharers` have. */
static void print_shared_table(FILE *out, const char *top, const char *family, const char *sharers) {
    size_t n;
    const struct key *k = schema_keys(&n);
    struct markdown_table t;
    fprintf(out, "\n#### %s %s\n\nEach of these names, in place of NAME, has these keys.\n\n", family, sharers);
    markdown_begin(&t, out, key_heads, 4);
    for (size_t i = 0; i < n; i++) {
        if (!is_within(&k[i], top) || !item_of(&k[i]) || !is_first(&k[i])) continue;
        char *own = sharers_of(&k[i]);
        if (own && strcmp(own, sharers) == 0) print_shared_row(&t, &k[i]);
        free(own);
    }
    markdown_end(&t);
}

/* Returns whether a key of the section that comes before `key` has the same sharers. */
static bool was_printed(const char *top, const struct key *key, const char *sharers) {
    for (const struct key *k = schema_keys(&(size_t){0}); k != key; k++) {
        char *own = is_within(k, top) ? sharers_of(k) : NULL;
        bool same = own && strcmp(own, sharers) == 0;
        free(own);
        if (same) return true;
    }
    return false;
}

static void print_shared(FILE *out, const char *top) {
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        char *sharers = is_within(&k[i], top) ? sharers_of(&k[i]) : NULL;
        if (sharers && !was_printed(top, &k[i], sharers)) print_shared_table(out, top, item_of(&k[i])->family, sharers);
        free(sharers);
    }
}

static void print_own(FILE *out, const char *top) {
    size_t n;
    const struct key *k = schema_keys(&n);
    struct markdown_table t;
    char def[128];
    markdown_begin(&t, out, key_heads, 4);
    for (size_t i = 0; i < n; i++) {
        char *sharers = sharers_of(&k[i]);
        default_text(&k[i], def, sizeof def);
        if (!sharers && is_within(&k[i], top)) print_row(&t, &k[i], k[i].path, def);
        free(sharers);
    }
    markdown_end(&t);
}

static void print_keys(FILE *out) {
    size_t n;
    const struct key *k = schema_keys(&n);
    fprintf(out,
            "## Keys\n\n`#` is the number of an item of a list, from 0; a list of one item may stand without the list. "
            "`none` means left out. Where a paper leaves something open, brackets link to the choice. Keys that "
            "several transports share stand once, in tables of their own. "
            "A cell that ends in ... goes on in the list under its table.\n");
    for (size_t i = 0; i < n; i++) {
        if (strchr(k[i].path, '.')) continue;
        fprintf(out, "\n### %s\n\n", k[i].path);
        print_own(out, k[i].path);
        print_shared(out, k[i].path);
    }
}

/* ---- names and counters ---- */

static void print_names(FILE *out, const struct catalogue_family *f) {
    static const char *const heads[] = {"name", "meaning", "from"};
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    struct markdown_table t;
    fprintf(out, "\n### %s\n\n`%s`: %s.\n\n", f->name, f->key, f->doc);
    markdown_begin(&t, out, heads, 3);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(item[i].family, f->name) != 0) continue;
        char *name = text_format("`%s`", item[i].name);
        char *paper = codes_linked(item[i].paper ? item[i].paper : "");
        markdown_row(&t, (const char *const[]){name, item[i].doc, paper});
        free(paper);
        free(name);
    }
    markdown_end(&t);
}

/* Returns whether the item has a counter of the same name and meaning. */
static bool has_counter(const struct catalogue_item *item, const struct counter *c) {
    for (size_t i = 0; i < item->n_counters; i++)
        if (strcmp(item->counters[i].name, c->name) == 0 && strcmp(item->counters[i].doc, c->doc) == 0) return true;
    return false;
}

/* Prints a counter of item `first` with all items that have it, unless an earlier one has it. */
static void print_counter(struct markdown_table *t, size_t first, const struct counter *c) {
    size_t n, size, found = 0;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < first; i++)
        if (has_counter(&item[i], c)) return;
    char *name = text_format("`counters.%s`", c->name), *of = NULL;
    FILE *out = text_stream(&of, &size);
    for (size_t i = first; i < n; i++)
        if (has_counter(&item[i], c)) fprintf(out, "%s%s", found++ ? ", " : "", item[i].name);
    text_stream_end(out, &of);
    markdown_row(t, (const char *const[]){name, of, c->doc});
    free(name);
    free(of);
}

static void print_counters(FILE *out) {
    static const char *const heads[] = {"metric", "of", "meaning"};
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    struct markdown_table t;
    fprintf(out, "\n## Counters of mechanisms\n\n");
    markdown_begin(&t, out, heads, 3);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < item[i].n_counters; k++) print_counter(&t, i, &item[i].counters[k]);
    markdown_end(&t);
}

void schema_print_schemes(FILE *out) {
    static const char *const heads[] = {"my question", "take", "compare with"};
    size_t n;
    const struct scheme_answer *a = scheme_answers(&n);
    struct markdown_table t;
    markdown_begin(&t, out, heads, 3);
    for (size_t i = 0; i < n; i++) markdown_row(&t, (const char *const[]){a[i].question, a[i].take, a[i].compare});
    markdown_end(&t);
}

void schema_print_docs(FILE *out) {
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    fprintf(out, "# Keys and names\n\nWritten by `heddle docs` from the tables that the program itself uses.\n\n");
    print_keys(out);
    fprintf(out, "\n## Names\n");
    for (size_t i = 0; i < n; i++) print_names(out, &f[i]);
    print_counters(out);
}
