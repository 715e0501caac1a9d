/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `simai`: training steps from a workload file of SimAI (simai.h). */
#include "workload/files/simai.h"

#include "workload/files/columns.h"
#include "workload/jobs/collectives.h"
#include "workload/jobs/job.h"

#include <stdio.h>
#include <stdlib.h>

static const char phase_forward[] = "forward", phase_backward[] = "backward", phase_gradients[] = "gradients",
                  phase_update[] = "update";

struct maker {
    struct generator *g;
    const struct simai_fields *f;
    struct simai_model m;
    struct job_builder b;
    uint32_t ranks;
};

/* A group of ranks: how many, and how far apart they are. */
struct group {
    uint32_t n, stride;
};

static struct group group_of(const struct simai_model *m, uint32_t ranks, enum simai_group group) {
    uint32_t data = ranks / m->tensor;
    switch (group) {
    case SIMAI_TENSOR: return (struct group){m->tensor, 1};
    case SIMAI_DATA: return (struct group){data, m->tensor};
    case SIMAI_EXPERT: return (struct group){m->expert, m->tensor};
    default: return (struct group){data / m->expert, m->tensor * m->expert};
    }
}

/* Returns how a collective is carried out; NULL if it has no such algorithm. */
static const struct collective_row *row_of(const struct simai_fields *f, enum collective_op op) {
    return collective_row(op, op == OP_ALL_TO_ALL ? ALGORITHM_COUNT : f->algorithm);
}

/* Returns whether the collectives of a group stay inside of servers, where they take their ideal time. */
static bool is_inside(const struct maker *k, enum simai_group group) {
    return group == SIMAI_TENSOR && k->f->scale_up_bps > 0;
}

/* Adds a collective in every group of its ranks. Sizes are rounded up to what the group can divide. */
static bool exchange(struct maker *k, const struct simai_part *p, uint32_t channel, enum job_wait wait) {
    const struct group of = group_of(&k->m, k->ranks, p->group);
    if (p->op == OP_COUNT || of.n == 1) return true;
    if (is_inside(k, p->group)) {
        jobs_all_go_on(&k->b, collective_scale_up_time(p->op, p->bytes, of.n, k->f->scale_up_bps), JOB_AWAITED);
        return true;
    }
    const struct collective_row *row = row_of(k->f, p->op);
    const struct lane_plan lanes = {.channel = channel, .channels = k->f->channels, .chunks = 1, .wait = wait};
    uint64_t parts = k->f->channels * collective_parts(row, of.n), bytes = (p->bytes + parts - 1) / parts * parts;
    for (uint32_t r = 0; r < k->ranks; r++) {
        const struct rank_group group = {.n = of.n, .first = r, .stride = of.stride};
        bool is_first = r / of.stride % of.n == 0;
        if (is_first && !collective_carry(&k->b, row, &group, bytes, &lanes)) return false;
    }
    return true;
}

/* ---- a step ---- */

static bool step_make(struct maker *k) {
    uint32_t beside = collective_lanes(row_of(k->f, OP_ALL_REDUCE), k->f->channels);
    span_ps update = 0;
    jobs_iteration(&k->b);
    jobs_phase(&k->b, phase_forward);
    for (uint32_t i = 0; i < k->m.n_layers; i++) {
        const struct simai_part *p = &k->m.layer[i].part[SIMAI_FORWARD];
        jobs_all_go_on(&k->b, p->compute, JOB_AWAITED);
        if (!exchange(k, p, 0, JOB_AWAITED)) return false;
    }
    for (uint32_t i = k->m.n_layers; i-- > 0;) {
        const struct simai_layer *l = &k->m.layer[i];
        jobs_phase(&k->b, phase_backward);
        jobs_all_go_on(&k->b, l->part[SIMAI_INPUTS].compute, JOB_AWAITED);
        if (!exchange(k, &l->part[SIMAI_INPUTS], 0, JOB_AWAITED)) return false;
        jobs_all_go_on(&k->b, l->part[SIMAI_WEIGHTS].compute, JOB_AWAITED);
        jobs_phase(&k->b, phase_gradients);
        if (!exchange(k, &l->part[SIMAI_WEIGHTS], beside, JOB_BACKGROUND)) return false;
        update += l->update;
    }
    jobs_phase(&k->b, phase_update);
    jobs_all_go_on(&k->b, update, JOB_ALL);
    return true;
}

/* ---- checks ---- */

static bool part_check(const struct maker *k, const struct simai_part *p) {
    const struct group of = group_of(&k->m, k->ranks, p->group);
    if (p->op == OP_COUNT || of.n == 1 || is_inside(k, p->group)) return true;
    const struct collective_row *row = row_of(k->f, p->op);
    return row ? collective_fits(k->g, row, of.n) : collective_none(k->g, p->op, k->f->algorithm);
}

static bool model_check(const struct maker *k) {
    const struct simai_model *m = &k->m;
    if (k->ranks % m->tensor || k->ranks / m->tensor % m->expert)
        return generator_fail(
            k->g,
            "path: tensor groups of %u ranks and expert groups of %u do not divide %u ranks; take another number of "
            "ranks",
            m->tensor, m->expert, k->ranks);
    if (!row_of(k->f, OP_ALL_REDUCE)) return collective_none(k->g, OP_ALL_REDUCE, k->f->algorithm);
    for (uint32_t i = 0; i < m->n_layers; i++)
        for (int pass = 0; pass < SIMAI_PASSES; pass++)
            if (!part_check(k, &m->layer[i].part[pass])) return false;
    return true;
}

/* Returns the hosts of the ranks: those named, as many as `ranks` says, or as many as the file has. NULL after filling *d. */
static uint32_t *hosts_of(struct maker *k) {
    char text[16];
    const char *count = text, *const *names = k->f->rank;
    snprintf(text, sizeof text, "%u", k->m.ranks);
    bool of_file = k->f->n_names == 0 && k->m.ranks > 0;
    uint32_t *host =
        ranks_of(k->g, of_file ? &count : names, of_file ? 1 : k->f->n_names, k->g->spec->placement, &k->ranks);
    if (!host || k->m.ranks == 0 || k->ranks == k->m.ranks) return host;
    generator_fail(k->g, "ranks: there are %u, but the file has all_gpus: %u; name as many, or leave it out", k->ranks,
                   k->m.ranks);
    free(host);
    return NULL;
}

static bool job_make(struct maker *k) {
    struct workload_job job = {.entry = k->g->spec->entry, .op = "simai", .computes = true};
    if (!(job.rank = hosts_of(k))) return false;
    job.n_ranks = k->ranks;
    jobs_init(&k->b, k->g, &job, 0);
    uint32_t first = k->g->list->n;
    bool ok = model_check(k);
    for (uint32_t i = 0; ok && i < k->f->iterations; i++) ok = step_make(k);
    if (ok && k->g->list->n == first)
        ok = generator_fail(k->g, "path: no rank sends anything over the fabric; a job has messages");
    return jobs_finish(&k->b, ok);
}

bool simai_make(struct generator *g, const struct simai_fields *f, const char *text, size_t size) {
    struct maker k = {.g = g, .f = f};
    bool ok = simai_read(&k.m, f->path, text, size, g->d) && job_make(&k);
    free(k.m.layer);
    return ok;
}

/* ---- the table ---- */

static bool simai_generate(struct generator *g) {
    const struct simai_fields *f = g->spec->fields;
    size_t size;
    struct diag d;
    if (!ranks_placement_check(g)) return false;
    char *text = text_file_read(f->path, &size, &d);
    if (!text) return generator_fail(g, "%s", d.text);
    bool ok = simai_make(g, f, text, size);
    free(text);
    return ok;
}

/* Returns the messages of one part in all its groups. */
static flow_count part_messages(const struct maker *k, const struct simai_part *p) {
    const struct group of = group_of(&k->m, k->ranks, p->group);
    const struct collective_row *row = p->op == OP_COUNT ? NULL : row_of(k->f, p->op);
    if (!row || of.n <= 1 || is_inside(k, p->group)) return 0;
    return collective_messages(row, of.n) * k->f->channels * (k->ranks / of.n);
}

static uint64_t simai_foresee(const struct workload_spec *spec, const struct population *p) {
    struct maker k = {.f = spec->fields};
    struct diag d;
    size_t size;
    flow_count n = 0;
    char *text = k.f->path ? text_file_read(k.f->path, &size, &d) : NULL;
    bool ok = text && simai_read(&k.m, k.f->path, text, size, &d);
    k.ranks = k.f->n_names || k.m.ranks == 0 ? ranks_foreseen(k.f->rank, k.f->n_names, p) : k.m.ranks;
    ok = ok && k.ranks % k.m.tensor == 0 && k.ranks / k.m.tensor % k.m.expert == 0;
    for (uint32_t i = 0; ok && i < k.m.n_layers; i++)
        for (int pass = 0; pass < SIMAI_PASSES; pass++) n += part_messages(&k, &k.m.layer[i].part[pass]);
    free(k.m.layer);
    free(text);
    return count_limited(n * k.f->iterations);
}

static const struct param simai_path = {
    .name = "path",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "a workload file of SimAI",
    PARAM_OWN_IN(struct simai_fields, path),
};
static const struct param simai_algorithm = COLLECTIVE_ALGORITHM_KEY(
    struct simai_fields, "how its collectives are carried out; none: ring; all-to-alls are direct");
static const struct param simai_scale_up = COLLECTIVE_SCALE_UP_KEY(struct simai_fields);
static const struct param simai_channels = {
    .name = "channels",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = 1024,
    .doc = "parts of each collective, carried side by side over connections of their own",
    PARAM_OWN_IN(struct simai_fields, channels),
};
static const struct param simai_iterations = {
    .name = "iterations",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "steps",
    PARAM_OWN_IN(struct simai_fields, iterations),
};
static const struct param simai_rank_items[] = {{.type = PARAM_TEXT, .doc = "a host, by name or number"}};
static const struct param simai_ranks = {
    .name = "ranks",
    .type = PARAM_LIST,
    .doc = "the hosts of its ranks, in their order; left out: as many hosts as all_gpus says, or all",
    .own = true,
    PARAM_LIST_IN(struct simai_fields, rank, n_names, simai_rank_items),
};
static const struct param *const simai_keys[] = {&simai_path,       &simai_scale_up,  &simai_algorithm,
                                                 &simai_ranks,      &ranks_placement, &simai_channels,
                                                 &simai_iterations, &workload_start,  NULL};

const struct workload_ops workload_simai = {
    .name = "simai",
    .paper = "SimAI, AICB",
    .doc = "training steps from a workload file of SimAI: layers with computations and collectives",
    .keys = simai_keys,
    .fields_size = sizeof(struct simai_fields),
    .generate = simai_generate,
    .foresee = simai_foresee,
    .makes_jobs = true,
};
