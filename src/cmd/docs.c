/* SPDX-License-Identifier: Apache-2.0 */
/* heddle docs: prints everything made from the tables of the program: references, man pages, completions. The build
 * uses it. */
#include "cmd/commands.h"
#include "cmd/complete.h"
#include "cmd/line_names.h"
#include "cmd/man.h"
#include "study/config/catalogue.h"
#include "study/config/schema.h"
#include "study/metrics/columns.h"

#include <string.h>

struct docs_request {
    const char *what;
    struct word_list words; /* for man: a command; for profiles and switches: a command line */
};
#define T struct docs_request

static int too_many(const char *word) {
    return exit_usage("'%s' is one argument too many; see heddle docs --help", word);
}

static int print_man(const struct word_list *words) {
    size_t taken = 0;
    const struct command_group *g = words->n == 1 ? command_group_find(words->item[0]) : NULL;
    if (g) {
        man_print_group(g, stdout);
        return 0;
    }
    const struct command *c = words->n ? command_of_words(words->item, words->n, &taken) : NULL;
    if (words->n && !c) return 2;
    if (taken < words->n) return too_many(words->item[taken]);
    if (c)
        man_print_command(c, stdout);
    else
        man_print_program(stdout);
    return 0;
}

/* ---- names for completions, each once ---- */

static int print_families(void) {
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    for (size_t i = 0; i < n; i++) printf("%s\n", f[i].name);
    return 0;
}

static int print_names(void) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        while (strcmp(item[before].name, item[i].name) != 0) before++;
        if (before == i) printf("%s\n", item[i].name);
    }
    return 0;
}

/* Prints "switch.balance=ecmp" for each choice of a key, and "fabric.rate=" for a key without choices. For a list it
 * prints the first item. */
static void print_setting(const char *path, const char *choices) {
    do {
        for (const char *c = path; *c; c++) putchar(*c == '#' ? '0' : *c);
        size_t length = choices ? strcspn(choices, "|") : 0;
        printf("=%.*s\n", (int)length, choices ? choices : "");
        choices = choices && choices[length] ? choices + length + 1 : NULL;
    } while (choices);
}

static int print_settings(void) {
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        bool is_value = k[i].kind == KEY_VALUE;
        if (k[i].kind == KEY_MAP || (k[i].kind == KEY_LIST && strchr(k[i].path, '#'))) continue;
        print_setting(k[i].path, is_value && k[i].param.type == PARAM_CHOICE ? k[i].param.choices
                                 : is_value && k[i].param.type == PARAM_BOOL ? "true|false"
                                                                             : NULL);
    }
    return 0;
}

/* ---- dispatch ---- */

/* Returns how many words may follow. */
static size_t most_words(const char *what) {
    if (strcmp(what, "profiles") == 0 || strcmp(what, "switches") == 0) return SIZE_MAX;
    if (strncmp(what, "lab", 3) == 0) return SIZE_MAX;
    return strcmp(what, "man") == 0 ? 2 : 0;
}

static int docs_run(void *request) {
    const struct docs_request *q = request;
    const char *what = q->what ? q->what : "keys";
    size_t most = most_words(what);
    if (q->words.n > most) return too_many(q->words.item[most]);
    if (strcmp(what, "man") == 0) return print_man(&q->words);
    if (strcmp(what, "families") == 0) return print_families();
    if (strcmp(what, "names") == 0) return print_names();
    if (strcmp(what, "settings") == 0) return print_settings();
    if (strcmp(what, "profiles") == 0) return line_names_profiles(&q->words);
    if (strcmp(what, "switches") == 0) return line_names_switches(&q->words);
    if (strcmp(what, "labs") == 0) return line_names_labs();
    if (strncmp(what, "lab-", 4) == 0) return line_names_of_lab(&q->words, what);
    if (strcmp(what, "keys") == 0) schema_print_docs(stdout);
    if (strcmp(what, "schema") == 0) schema_print_json(stdout);
    if (strcmp(what, "schemes") == 0) schema_print_schemes(stdout);
    if (strcmp(what, "results") == 0) metrics_print_docs(stdout);
    if (strcmp(what, "columns") == 0) metric_columns_print_docs(stdout);
    if (strcmp(what, "bash") == 0) complete_print_bash(stdout);
    if (strcmp(what, "zsh") == 0) complete_print_zsh(stdout);
    if (strcmp(what, "fish") == 0) complete_print_fish(stdout);
    return 0;
}

const struct command command_docs = {
    .name = "docs",
    .purpose = "print references, man pages and completions",
    .about =
        "Prints what is made from the tables of the program: the reference of all keys, names and counters in "
        "Markdown (keys), that of all metrics (results) and of the columns of tables (columns), a JSON Schema of "
        "experiment files for editors (schema), the "
        "table of questions that "
        "schemes answer (schemes), a "
        "man page, the completion for a shell, or the names that completions ask for. Profiles and switches are those "
        "of "
        "the experiment of a command that follows, as far as it is written, and lab-hosts, lab-switches, lab-links and "
        "lab-nodes those of its lab.",
    .arguments =
        (const struct argument[]){
            {.value = {.name = "WHAT",
                       .kind = VALUE_CHOICE,
                       .field = FIELD(T, what),
                       .choices =
                           "keys|results|columns|schema|schemes|man|bash|zsh|fish|families|names|settings|profiles|"
                           "switches|labs|lab-hosts|"
                           "lab-switches|lab-links|lab-nodes"},
             .doc = "what is printed; keys if left out"},
            ARGUMENT_OPTIONAL(T, words, "COMMAND", VALUE_COMMAND,
                              "the man page of this one; heddle(1) if left out. With profiles and switches a command "
                              "on an experiment, with lab-* one on a lab, with -- before it if it has options"),
            {0}},
    .exits = EXITS_PLAIN,
    .examples =
        (const struct example_row[]){
            {"docs bash >~/.local/share/bash-completion/completions/heddle", "installs the completion for one user"},
            {"docs man run | man -l -", "shows a man page that is not installed"},
            {"docs switches replay first.yaml", "lists the switches of an experiment"},
            {"docs schema >heddle.schema.json", "an editor with it completes and checks experiment files"},
            {0}},
    .request_size = sizeof(T),
    .run = docs_run,
};
