/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "base/units.h"
#include "study/config/catalogue.h"
#include "study/config/codes.h"
#include "study/config/schema.h"
#include "study/config/schemes.h"

#include <stdlib.h>
#include <string.h>

/* Returns the length of the longest name of a family. */
static int name_width(const char *family) {
    size_t n, most = 0;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(item[i].family, family) == 0 && strlen(item[i].name) > most) most = strlen(item[i].name);
    return (int)most;
}

static const struct scheme *scheme_of(const struct catalogue_item *item) {
    size_t n;
    const struct scheme *table = schemes(&n);
    return strcmp(item->family, "schemes") == 0 ? scheme_find(table, n, item->name) : NULL;
}

static const char scheme_legend[] =
    "  take: the one of its family for your own network; compare: what that one is compared with;\n"
    "  figure: for figures of its paper; reading: another reading of what its paper leaves open.\n";

enum { QUESTION_WIDTH = 49, TAKE_WIDTH = 35 };

/* Prints a cell of the table of questions without its backticks. */
static void print_bare(const char *text, int width) {
    for (; *text; text++)
        if (*text != '`') width -= putchar(*text) != EOF;
    printf("%*s", width > 0 ? width : 0, "");
}

/* Prints the table of questions, as docs/guide.md has it. */
static void print_answers(void) {
    size_t n;
    const struct scheme_answer *a = scheme_answers(&n);
    printf("\n  %-*s %-*s %s\n", QUESTION_WIDTH, "which scheme for", TAKE_WIDTH, "take", "compare with");
    for (size_t i = 0; i < n; i++) {
        printf("  ");
        print_bare(a[i].question, QUESTION_WIDTH + 1);
        print_bare(a[i].take, TAKE_WIDTH + 1);
        print_bare(a[i].compare, 0);
        putchar('\n');
    }
    printf("\n  docs/guide.md, \"Which scheme\", says more, docs/choices.md what papers leave open,\n"
           "  docs/mechanisms.md where each mechanism is in the code.\n");
}

static void print_family(const struct catalogue_family *f) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    int width = name_width(f->name);
    printf("%s (%s: NAME): %s\n", f->name, f->key, f->doc);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(item[i].family, f->name) != 0) continue;
        const char *paper = item[i].paper ? item[i].paper : "";
        const struct scheme *s = scheme_of(&item[i]);
        printf("  %-*s ", width, item[i].name);
        if (s) printf("%-7s ", scheme_use_word(s->use));
        printf("%s%s%s%s\n", item[i].doc, paper[0] ? " [" : "", paper, paper[0] ? "]" : "");
    }
    if (strcmp(f->name, "schemes") != 0) return;
    printf("%s", scheme_legend);
    print_answers();
}

/* Returns whether a word names a family, in the singular or in the plural. */
static bool names_family(const char *word, const char *family) {
    size_t n = strlen(word), m = strlen(family);
    n -= n > 1 && word[n - 1] == 's';
    m -= m > 1 && family[m - 1] == 's';
    return n == m && strncmp(word, family, n) == 0;
}

static int family_unknown(const char *name, const char *const *known, size_t n) {
    if (names_family(name, "metrics"))
        return exit_usage("there is no family '%s'; heddle docs results lists the metrics", name);
    const char *nearest = diag_nearest(name, known, n);
    return exit_usage("there is no family '%s'%s%s%s", name, nearest ? "; did you mean '" : "; see heddle list",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

struct list_request {
    const char *family;
};
#define T struct list_request

static int list_run(void *request) {
    const char *name = ((const struct list_request *)request)->family;
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    const char *known[32];
    for (size_t i = 0; i < n; i++) {
        known[i] = f[i].name;
        if (!name) print_family(&f[i]);
        if (name && names_family(name, f[i].name)) {
            print_family(&f[i]);
            return 0;
        }
    }
    return name ? family_unknown(name, known, n) : 0;
}

const struct command command_list = {
    .name = "list",
    .purpose = "list the mechanisms, fabrics and workloads there are",
    .about =
        "Prints the families (balancers, transports, fabrics, workloads, flow sizes and others) and their names, a "
        "line each, with the paper that a name comes from. The key of an experiment file that takes the name stands "
        "beside the family, and what a scheme is for beside its name. heddle list schemes ends in a table of "
        "questions: which scheme to take for each, and what to compare it with.",
    .arguments =
        (const struct argument[]){
            ARGUMENT_OPTIONAL(T, family, "FAMILY", VALUE_FAMILY,
                              "only this family, such as balance or transports, in the singular or the plural"),
            {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"list balance", "the load balancers"},
                                             {"list schemes", "which scheme for which question"},
                                             {0}},
    .see = "show check",
    .request_size = sizeof(T),
    .run = list_run,
};
#undef T

/* ---- heddle show ---- */

static void print_params(const struct catalogue_item *item) {
    if (item->n_params == 0 || !item->block) return;
    printf("\nparameters, under %s:\n", item->block);
    for (size_t i = 0; i < item->n_params; i++) {
        const struct param *p = &item->params[i];
        char def[128], min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];
        printf("  %-22s %-14s ", p->name, param_print(p, p->def, def, sizeof def));
        if (p->type == PARAM_CHOICE) {
            printf("%s", p->choices);
        } else if (p->type == PARAM_BOOL) {
            printf("false|true");
        } else {
            printf("%s .. %s", units_print(p->type, p->min, min, sizeof min),
                   p->max == INT64_MAX ? "any" : units_print(p->type, p->max, max, sizeof max));
        }
        char *paper = codes_left_out(p->paper ? p->paper : "");
        printf("\n  %-22s %s%s%s%s\n", "", p->doc, paper[0] ? " [" : "", paper, paper[0] ? "]" : "");
        free(paper);
    }
}

/* Returns true if the key belongs to the value `name` of `choosing` (fabric.kind, workload.#.kind, switch.admit). */
static bool key_belongs(const struct key *k, const char *choosing, const char *name) {
    if (!k->when || k->optional_block) return false;
    size_t length = strcspn(k->when, "="), parent = (size_t)(strrchr(choosing, '.') - choosing) + 1;
    if (strncmp(k->path, choosing, parent) != 0 || strchr(k->path + parent, '.')) return false;
    if (strlen(choosing + parent) != length || strncmp(choosing + parent, k->when, length) != 0) return false;
    return choice_index(k->when + length + 1, name) >= 0;
}

static const char *default_of(const struct key *k, char *buf, size_t size) {
    if (k->def && k->def[0] == '=')
        snprintf(buf, size, "as %s", k->def + 1);
    else
        snprintf(buf, size, "%s", k->def ? k->def : k->kind == KEY_LIST ? "" : "required");
    return buf;
}

/* Prints the keys that apply only to this choice. */
static void print_keys(const struct catalogue_item *item) {
    size_t n, n_families, printed = 0;
    const struct key *k = schema_keys(&n);
    const struct catalogue_family *f = catalogue_families(&n_families);
    while (strcmp(f->name, item->family) != 0) f++;
    if (!strchr(f->key, '.')) return;
    for (size_t i = 0; i < n; i++) {
        if (!key_belongs(&k[i], f->key, item->name)) continue;
        if (printed++ == 0) printf("\nkeys that come with it:\n");
        char def[128];
        printf("  %-34s %-14s %s\n", k[i].path, default_of(&k[i], def, sizeof def), k[i].param.doc);
    }
}

/* Prints the keys that this choice sets unless the experiment sets them. */
static void print_needed(const struct catalogue_item *item) {
    if (item->needed && item->needed->key) printf("\nneeds, unless the experiment says otherwise:\n");
    for (const struct need *n = item->needed; n && n->key; n++) printf("  %s: %s\n", n->key, n->value);
}

static void print_parts(const struct catalogue_item *item) {
    bool scheme = strcmp(item->family, "schemes") == 0;
    if (!scheme && strcmp(item->family, "presets") != 0) return;
    size_t n;
    const struct scheme *table = scheme ? schemes(&n) : fabric_presets(&n), *s = scheme_find(table, n, item->name);
    printf("\nthe same as:\n");
    for (size_t i = 0; i < sizeof s->part / sizeof *s->part && s->part[i].path; i++)
        printf("  %s: %s\n", s->part[i].path, s->part[i].value);
}

static void print_item(const struct catalogue_item *item) {
    const char *paper = item->paper ? item->paper : "";
    printf("%s (%s): %s\n", item->name, item->family, item->doc);
    if (paper[0]) printf("from: %s\n", paper);
    if (scheme_of(item)) printf("use: %s (heddle list schemes)\n", scheme_use_word(scheme_of(item)->use));
    print_parts(item);
    print_needed(item);
    print_keys(item);
    print_params(item);
    if (item->n_counters) printf("\ncounters, under \"counters\" of the results:\n");
    for (size_t i = 0; i < item->n_counters; i++) printf("  %-22s %s\n", item->counters[i].name, item->counters[i].doc);
}

struct show_request {
    const char *name;
};
#define T struct show_request

static int show_run(void *request) {
    const char *name = ((const struct show_request *)request)->name;
    size_t n, found = 0;
    const struct catalogue_item *item = catalogue_items(&n);
    const char *known[256];
    for (size_t i = 0; i < n && i < 256; i++) {
        known[i] = item[i].name;
        if (strcmp(item[i].name, name) != 0) continue;
        if (found++) printf("\n");
        print_item(&item[i]);
    }
    if (found) return 0;
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return exit_usage("there is no mechanism '%s'; it is a command: heddle %s --help", name, name);
    const char *nearest = diag_nearest(name, known, n < 256 ? n : 256);
    return exit_usage("there is no '%s'%s%s%s", name, nearest ? "; did you mean '" : "; see heddle list",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

const struct command command_show = {
    .name = "show",
    .purpose = "print the parameters and counters of one mechanism",
    .about = "Prints what the name stands for, the keys and parameters that come with it, with range and default, and "
             "the counters that it adds to the results.",
    .arguments =
        (const struct argument[]){
            ARGUMENT(T, name, "NAME", VALUE_NAME, "a name that heddle list prints, such as expeditus or dctcp"), {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"show expeditus", "its parameters, defaults and counters"}, {0}},
    .see = "list check",
    .request_size = sizeof(T),
    .run = show_run,
};
