/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/line_names.h"

#include "cmd/commands.h"
#include "cmd/experiment_request.h"
#include "cmd/lab_program.h"
#include "cmd/parse.h"

#include "base/memory.h"
#include "study/assemble/assemble.h"
#include "study/experiment/base_file.h"

#include <stdlib.h>
#include <string.h>

/* A command line with an experiment. */
struct line {
    struct experiment_request *experiment; /* part of the request, whose first member it is */
    uint32_t run;
};

static bool takes_experiment(const struct command *c) {
    return c->arguments && c->arguments[0].value.kind == VALUE_EXPERIMENT;
}

/* Returns the value of --run; 1 if the command has no such option. */
static uint32_t run_of(const struct command *c, const void *request) {
    for (const struct option_row *o = c->options; o && o->name; o++)
        if (strcmp(o->name, "run") == 0) return *(const uint32_t *)((const char *)request + o->value.field.offset);
    return 1;
}

/* Reads the line. Returns false after printing the error. Call line_free in any case. */
static bool line_read(struct line *l, const struct word_list *words) {
    size_t taken;
    const struct command *c = words->n ? command_of_words(words->item, words->n, &taken) : NULL;
    if (c && takes_experiment(c)) {
        l->experiment = memory_get(1, c->request_size);
        if (command_parse_begun(c, words->item + taken, words->n - taken, l->experiment) != PARSED) return false;
        l->run = run_of(c, l->experiment);
        if (l->experiment->file) return true;
    }
    exit_usage("there is no experiment; write what follows heddle, such as run FILE.yaml");
    return false;
}

static void line_free(struct line *l) { free(l->experiment); }

/* ---- profiles ---- */

static int profiles_print(const char *file) {
    struct diag d = {0};
    struct tree_node *root = base_read_file(file, &d);
    if (!root) return exit_diag(&d);
    const struct tree_node *profiles = tree_get(root, "profiles");
    for (size_t i = 0; profiles && profiles->kind == TREE_MAP && i < profiles->n; i++)
        printf("%s\n", profiles->key[i]->text);
    tree_free(root);
    return 0;
}

int line_names_profiles(const struct word_list *words) {
    struct line l = {0};
    int code = line_read(&l, words) ? profiles_print(l.experiment->file) : 2;
    line_free(&l);
    return code;
}

/* ---- switches ---- */

static int switches_of(const struct experiment *e, uint32_t run) {
    struct diag d = {0};
    char name[FABRIC_NODE_NAME_MAX];
    if (run > e->n_runs) return exit_no_run(run, e->n_runs);
    struct assembly *a = assembly_create_fabric(&e->run[run - 1].config, e->base_dir, &d);
    if (!a) return exit_diag(&d);
    for (uint32_t node = a->fabric->n_hosts; node < a->fabric->n_nodes; node++)
        printf("%s\n", fabric_node_name(a->fabric, node, name, sizeof name));
    assembly_free(a);
    return 0;
}

static int switches_print(struct line *l) {
    struct experiment *e = experiment_request_open(l->experiment);
    int code = e ? switches_of(e, l->run) : 2;
    experiment_free(e);
    return code;
}

int line_names_switches(const struct word_list *words) {
    struct line l = {0};
    int code = line_read(&l, words) ? switches_print(&l) : 2;
    line_free(&l);
    return code;
}

/* ---- labs ---- */

static void name_print(void *to, const char *name) {
    (void)to;
    printf("%s\n", name);
}

int line_names_labs(void) {
    char state[LAB_PATH_MAX];
    struct diag d = {0};
    if (!labs_folder(state, &d)) return exit_diag(&d);
    labs_each(state, name_print, NULL);
    return 0;
}

/* Whose names are printed. */
struct names_of {
    const char *state, *what;
};

static void lab_print(void *to, const char *name) {
    const struct names_of *of = to;
    struct diag none = {0};
    struct lab *lab = lab_find(of->state, name, &none);
    if (!lab) return;
    bool are_links = strcmp(of->what, "lab-links") == 0, are_hosts = strcmp(of->what, "lab-hosts") == 0;
    uint32_t first = strcmp(of->what, "lab-switches") == 0 ? lab->n_hosts : 0;
    for (uint32_t l = 0; are_links && l < lab->n_links; l++) printf("%s\n", lab->link[l].name);
    for (uint32_t n = first; !are_links && n < (are_hosts ? lab->n_hosts : lab->n_nodes); n++)
        printf("%s\n", lab->node[n].name);
    if (are_hosts) printf("switches\n");
    lab_free(lab);
}

/* Returns the value of --name; NULL if the line has none. Sets *has_option to whether its command has the option. */
static const char *lab_of_line(const struct word_list *words, bool *has_option) {
    size_t taken;
    const struct command *c = words->n ? command_of_words(words->item, words->n, &taken) : NULL;
    const char *name = NULL;
    *has_option = false;
    void *request = c ? memory_get(1, c->request_size) : NULL;
    if (c && command_parse_begun(c, words->item + taken, words->n - taken, request) == PARSED)
        for (const struct option_row *o = c->options; o && o->name; o++)
            if (o->value.kind == VALUE_LAB) {
                *has_option = true;
                name = *(const char *const *)((const char *)request + o->value.field.offset);
            }
    free(request);
    return name; /* one of the words */
}

int line_names_of_lab(const struct word_list *words, const char *what) {
    char state[LAB_PATH_MAX];
    struct diag d = {0};
    struct names_of of = {state, what};
    bool has_option;
    const char *name = lab_of_line(words, &has_option);
    if (!has_option) return exit_usage("there is no lab; write what follows heddle, such as lab exec --name LAB");
    if (!labs_folder(state, &d)) return exit_diag(&d);
    if (!name && strcmp(what, "lab-nodes") == 0)
        labs_each(state, lab_print, &of);
    else
        lab_print(&of, name ? name : LAB_DEFAULT);
    return 0;
}
