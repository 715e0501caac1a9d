/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"
#include "study/config/catalogue.h"
#include "study/config/needs.h"
#include "study/config/schema.h"

#include <string.h>

/* Escapes |, which would end a cell of a Markdown table. */
static void print_cell(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text, out);
    }
}

static void range_text(const struct param *p, char *buf, size_t size) {
    static const char *const nouns[] = {"number", "time", "size",      "rate",          "fraction",
                                        "",       "",     "frequency", "size or frames"}; /* by enum param_type */
    char min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];
    if (p->type == PARAM_CHOICE) {
        snprintf(buf, size, "%s", p->choices);
    } else if (p->type == PARAM_BOOL) {
        snprintf(buf, size, "true or false");
    } else if (p->type == PARAM_QUEUE) {
        snprintf(buf, size, "%s, at least %s or 1 frame", nouns[p->type],
                 units_print(p->type, p->min, min, sizeof min));
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

static void print_key(FILE *out, const struct key *k) {
    char value[512], def[128];
    value_text(k, value, sizeof value);
    default_text(k, def, sizeof def);
    fprintf(out, "| `%s` | ", k->path);
    print_cell(out, value);
    fprintf(out, " | %s | %s", def, k->param.doc);
    if (k->when && !k->optional_block) {
        fprintf(out, " (with ");
        print_cell(out, k->when);
        fprintf(out, ")");
    }
    fprintf(out, "%s%s%s |\n", k->param.paper && k->param.paper[0] ? " [" : "", k->param.paper ? k->param.paper : "",
            k->param.paper && k->param.paper[0] ? "]" : "");
}

static void print_section(FILE *out, const char *top) {
    size_t n, length = strlen(top);
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        bool within = strncmp(k[i].path, top, length) == 0 && (k[i].path[length] == '\0' || k[i].path[length] == '.');
        if (within) print_key(out, &k[i]);
    }
}

static void print_keys(FILE *out) {
    size_t n;
    const struct key *k = schema_keys(&n);
    fprintf(out,
            "## Keys\n\n`#` is the number of an item of a list, from 0; a list of one item may stand without the list. "
            "`none` means left out. [choices.md](choices.md) and [mechanisms.md](mechanisms.md) explain codes in "
            "brackets, such as "
            "AM-36 and XP-17.\n");
    for (size_t i = 0; i < n; i++) {
        if (strchr(k[i].path, '.')) continue;
        fprintf(out, "\n### %s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", k[i].path);
        print_section(out, k[i].path);
    }
}

static void print_counters(FILE *out, const struct catalogue_item *item) {
    for (size_t i = 0; i < item->n_counters; i++) {
        fprintf(out, "| `counters.%s` | %s | %s |\n", item->counters[i].name, item->name, item->counters[i].doc);
    }
}

void schema_print_docs(FILE *out) {
    size_t n_families, n;
    const struct catalogue_family *f = catalogue_families(&n_families);
    const struct catalogue_item *item = catalogue_items(&n);
    fprintf(out, "# Keys and names\n\nWritten by `heddle docs` from the tables that the program itself uses.\n\n");
    print_keys(out);
    fprintf(out, "\n## Names\n");
    for (size_t i = 0; i < n_families; i++) {
        fprintf(out, "\n### %s\n\n`%s`: %s.\n\n| name | meaning | from |\n|---|---|---|\n", f[i].name, f[i].key,
                f[i].doc);
        for (size_t k = 0; k < n; k++) {
            if (strcmp(item[k].family, f[i].name) != 0) continue;
            fprintf(out, "| `%s` | %s | %s |\n", item[k].name, item[k].doc, item[k].paper ? item[k].paper : "");
        }
    }
    fprintf(out, "\n## Counters of mechanisms\n\n| metric | of | meaning |\n|---|---|---|\n");
    for (size_t k = 0; k < n; k++) print_counters(out, &item[k]);
}
