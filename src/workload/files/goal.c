/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `goal`: a schedule in GOAL as one job (goal.h). */
#include "workload/files/goal.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "workload/fields.h"
#include "workload/files/columns.h"
#include "workload/jobs/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool goal_make(struct generator *g, const char *text, size_t size) {
    const struct goal_fields *f = g->spec->fields;
    struct operations o;
    operations_init(&o, f->path);
    bool ok =
        goal_is_binary(text, size) ? goal_binary_read(&o, text, size, g->d) : goal_text_read(&o, text, size, g->d);
    uint32_t *host = ok ? operations_hosts(g, &o, f->rank, f->n_names) : NULL;
    ok = host && operations_make(g, &o, host, "goal");
    operations_fini(&o);
    return ok;
}

static bool goal_generate(struct generator *g) {
    const struct goal_fields *f = g->spec->fields;
    size_t size;
    struct diag d;
    if (!ranks_placement_check(g)) return false;
    char *text = text_file_read(f->path, &size, &d);
    if (!text) return generator_fail(g, "%s", d.text);
    bool ok = goal_make(g, text, size);
    free(text);
    return ok;
}

/* Counts sends: nothing in the head of a schedule says how many there are. */
static uint64_t goal_foresee(const struct workload_spec *spec, const struct population *p) {
    const struct goal_fields *f = spec->fields;
    struct operations o;
    struct diag d;
    size_t size;
    uint64_t n = 0;
    (void)p;
    char *text = f->path ? text_file_read(f->path, &size, &d) : NULL;
    if (!text) return 0;
    operations_init(&o, f->path);
    bool ok = goal_is_binary(text, size) ? goal_binary_read(&o, text, size, &d) : goal_text_read(&o, text, size, &d);
    for (uint32_t i = 0; ok && i < o.n; i++) n += o.at[i].kind == OPERATION_SEND;
    operations_fini(&o);
    free(text);
    return n;
}

static const struct param goal_path = {
    .name = "path",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "a schedule in GOAL, as text or binary",
    PARAM_OWN_IN(struct goal_fields, path),
};
static const struct param goal_rank_items[] = {{.type = PARAM_TEXT, .doc = "a host, by name or number"}};
static const struct param goal_ranks = {
    .name = "ranks",
    .type = PARAM_LIST,
    .doc = "the hosts of its ranks, in their order; left out: as many hosts as it has ranks",
    .own = true,
    PARAM_LIST_IN(struct goal_fields, rank, n_names, goal_rank_items),
};
static const struct param *const goal_keys[] = {&goal_path, &goal_ranks, &ranks_placement, &workload_start, NULL};

const struct workload_ops workload_goal = {
    .name = "goal",
    .paper = "LogGOPSim, ATLAHS",
    .doc = "a schedule in GOAL: sends, receives and computations of ranks, and what each waits for",
    .keys = goal_keys,
    .fields_size = sizeof(struct goal_fields),
    .generate = goal_generate,
    .foresee = goal_foresee,
    .makes_jobs = true,
};
