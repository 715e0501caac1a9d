/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/line_names.h"

#include "cmd/commands.h"
#include "cmd/experiment_request.h"
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
    if (run > e->n_runs) return exit_usage("--run %u: there are %zu runs", run, e->n_runs);
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
