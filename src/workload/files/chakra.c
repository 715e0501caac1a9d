/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `chakra`: the execution traces of all ranks as one job (chakra.h). */
#include "workload/files/chakra.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "workload/fields.h"
#include "workload/files/columns.h"
#include "workload/jobs/job.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads the file of a rank, and frees what it takes to inflate it. */
static bool file_take(const char *path, struct chakra_file *file, struct diag *d) {
    size_t size;
    char *bytes = text_file_read(path, &size, d);
    if (!bytes) return false;
    file->bytes = chakra_inflate(bytes, size, path, &file->size, d);
    free(bytes);
    return file->bytes != NULL;
}

/* Returns whether there is a file for this rank. */
static bool rank_exists(const char *traces, uint32_t rank) {
    char *path = input_numbered(traces, rank);
    FILE *in = path ? input_open(path, NULL) : NULL;
    free(path);
    if (in) fclose(in);
    return in != NULL;
}

static void files_free(struct chakra_file *file, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) free(file[i].bytes);
    free(file);
}

/* Returns the files of all ranks, and sets *n to their number; NULL after filling *d. */
static struct chakra_file *files_take(const char *traces, uint32_t *n, struct diag *d) {
    *n = 1;
    while (*n < CHAKRA_RANKS_MAX && rank_exists(traces, *n)) ++*n;
    if (*n == 1) {
        diag_fail_in(
            d, traces,
            "there is a trace of one rank alone; name the file of rank 0, such as step.0.et, with step.1.et beside it");
        return NULL;
    }
    struct chakra_file *file = memory_get(*n, sizeof *file);
    bool ok = true;
    for (uint32_t i = 0; ok && i < *n; i++) {
        char *path = input_numbered(traces, i);
        ok = file_take(path, &file[i], d);
        free(path);
    }
    if (ok) return file;
    files_free(file, *n);
    return NULL;
}

static bool traces_read(struct operations *o, const char *traces, struct diag *d) {
    uint32_t n;
    struct chakra_file *file = files_take(traces, &n, d);
    bool ok = file && chakra_read(o, file, n, d);
    if (file) files_free(file, n);
    return ok;
}

static bool chakra_generate(struct generator *g) {
    const struct chakra_fields *f = g->spec->fields;
    struct operations o;
    if (!ranks_placement_check(g)) return false;
    operations_init(&o, f->traces);
    bool ok = traces_read(&o, f->traces, g->d);
    uint32_t *host = ok ? operations_hosts(g, &o, f->rank, f->n_names) : NULL;
    ok = host && operations_make(g, &o, host, "chakra");
    operations_fini(&o);
    return ok;
}

/* Counts sends: nothing in a trace says how many there are. */
static uint64_t chakra_foresee(const struct workload_spec *spec, const struct population *p) {
    const struct chakra_fields *f = spec->fields;
    struct operations o;
    struct diag d;
    uint64_t n = 0;
    (void)p;
    if (!f->traces) return 0;
    operations_init(&o, f->traces);
    bool ok = traces_read(&o, f->traces, &d);
    for (uint32_t i = 0; ok && i < o.n; i++) n += o.at[i].kind == OPERATION_SEND;
    operations_fini(&o);
    return n;
}

static const struct param chakra_traces = {
    .name = "traces",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "the execution trace of rank 0, step.0.et; those of the others, step.1.et and so on, lie beside it",
    .numbered = true,
    PARAM_OWN_IN(struct chakra_fields, traces),
};
static const struct param chakra_rank_items[] = {{.type = PARAM_TEXT, .doc = "a host, by name or number"}};
static const struct param chakra_ranks = {
    .name = "ranks",
    .type = PARAM_LIST,
    .doc = "the hosts of its ranks, in their order; left out: as many hosts as there are traces",
    .own = true,
    PARAM_LIST_IN(struct chakra_fields, rank, n_names, chakra_rank_items),
};
static const struct param *const chakra_keys[] = {&chakra_traces, &chakra_ranks, &ranks_placement, &workload_start,
                                                  NULL};

const struct workload_ops workload_chakra = {
    .name = "chakra",
    .paper = "MLCommons Chakra",
    .doc = "execution traces of Chakra, of all ranks: computations, messages, collectives, and what each waits for",
    .keys = chakra_keys,
    .fields_size = sizeof(struct chakra_fields),
    .generate = chakra_generate,
    .foresee = chakra_foresee,
    .makes_jobs = true,
};
