/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `collective`: one operation between ranks, over and over (collectives.h). */
#include "workload/collectives.h"

static const struct collective_fields *collective_fields(const struct workload_spec *spec) { return spec->fields; }

/* Fails unless the buffer can be cut into equal parts. */
static bool parts_check(const struct generator *g, const struct collective_fields *f, const struct collective_row *row,
                        uint32_t n) {
    unsigned long long bytes = f->bytes, parts = f->channels * collective_parts(row, n), rest = bytes % parts;
    if (!collective_fits(g, row, n)) return false;
    if (rest == 0) return true;
    return generator_fail(g,
                          "size: %llu bytes cannot be cut into %llu equal parts (ranks x channels); write size: %lluB",
                          bytes, parts, bytes - rest + parts);
}

static bool iteration(struct job_builder *b, const struct collective_fields *f, const struct collective_row *row) {
    const struct rank_group all = {.n = b->job.n_ranks, .stride = 1};
    jobs_iteration(b);
    for (uint32_t r = 0; b->iterations > 1 && r < all.n; r++) jobs_go_on(b, r, f->compute, JOB_AWAITED);
    return collective_carry(b, row, &all, f->bytes, 0, f->channels, JOB_AWAITED);
}

static bool collective_generate(struct generator *g) {
    const struct collective_fields *f = collective_fields(g->spec);
    const struct collective_row *row = collective_row(f->op, f->algorithm);
    if (!ranks_placement_check(g)) return false;
    if (!row) return collective_none(g, f->op, f->algorithm);
    if (f->window && !collective_has_window(row))
        return generator_fail(
            g, "window: with %s a rank sends one message at a time, so it would do nothing; leave it out",
            collective_algorithm_name(row));
    struct workload_job job = {.entry = g->spec->entry, .op = collective_op_name(f->op), .bytes = f->bytes};
    uint32_t n;
    if (!(job.rank = ranks_of(g, f->rank, f->n_names, g->spec->placement, &n))) return false;
    job.n_ranks = n;
    collective_bus(row, n, &job);
    struct job_builder b;
    jobs_init(&b, g, &job, f->window);
    bool ok = parts_check(g, f, row, n);
    for (uint32_t i = 0; ok && i < f->iterations; i++) ok = iteration(&b, f, row);
    return jobs_finish(&b, ok);
}

static uint64_t collective_foresee(const struct workload_spec *spec, const struct population *p) {
    const struct collective_fields *f = collective_fields(spec);
    const struct collective_row *row = collective_row(f->op, f->algorithm);
    uint32_t n = ranks_foreseen(f->rank, f->n_names, p);
    if (!row || n < 2) return 0;
    return count_limited(collective_messages(row, n) * f->iterations * f->channels);
}

static const struct param collective_op = {
    .name = "op",
    .type = PARAM_CHOICE,
    .def = OP_ALL_REDUCE,
    .choices = PARAM_CHOICES(COLLECTIVE_OPS),
    .doc = "the operation",
    PARAM_OWN_IN(struct collective_fields, op),
};
static const struct param collective_algorithm = {
    .name = "algorithm",
    .type = PARAM_CHOICE,
    .text = "none",
    .without = ALGORITHM_COUNT,
    .choices = PARAM_CHOICES(COLLECTIVE_ALGORITHMS),
    .doc = "how it is carried out; none: ring, or direct for all-to-all and send-recv",
    PARAM_OWN_IN(struct collective_fields, algorithm),
};
static const struct param collective_size = {
    .name = "size",
    .type = PARAM_BYTES,
    .text = PARAM_REQUIRED,
    .min = 1,
    .max = 1LL << 50,
    .doc = "of a rank's buffer, all shares together; it must be a multiple of ranks x channels",
    PARAM_OWN_IN(struct collective_fields, bytes),
};
static const struct param rank_items[] = {{.type = PARAM_TEXT, .doc = "a host, by name or number"}};
static const struct param collective_ranks = {
    .name = "ranks",
    .type = PARAM_LIST,
    .doc = "how many hosts take part (8), or which ones, in the order of their ranks ([host0.0, host1.0]); all if left "
           "out",
    .own = true,
    PARAM_LIST_IN(struct collective_fields, rank, n_names, rank_items),
};
static const struct param collective_channels = {
    .name = "channels",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = 1024,
    .doc = "parts of the buffer that are carried side by side, each over connections of its own",
    PARAM_OWN_IN(struct collective_fields, channels),
};
static const struct param collective_iterations = {
    .name = "iterations",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "how often; a rank begins the next when it has all of the one before",
    PARAM_OWN_IN(struct collective_fields, iterations),
};
static const struct param collective_compute = {
    .name = "compute",
    .type = PARAM_TIME,
    .max = WORKLOAD_TIME_MAX,
    .doc = "time that each rank computes between two iterations",
    .needs = "iterations>1",
    .lacks = "there is one iteration (iterations)",
    PARAM_OWN_IN(struct collective_fields, compute),
};
static const struct param collective_window = {
    .name = "window",
    .type = PARAM_COUNT,
    .max = WORKLOAD_COUNT_MAX,
    .doc =
        "messages that a rank sends at once where it sends to many (direct); the next leaves when one is acknowledged; "
        "0: all at once",
    PARAM_OWN_IN(struct collective_fields, window),
};
static const struct param *const collective_keys[] = {&collective_op,
                                                      &collective_algorithm,
                                                      &collective_size,
                                                      &collective_ranks,
                                                      &ranks_placement,
                                                      &collective_channels,
                                                      &collective_iterations,
                                                      &collective_compute,
                                                      &collective_window,
                                                      &workload_start,
                                                      NULL};

const struct workload_ops workload_collective = {
    .name = "collective",
    .paper = "NCCL, MPI",
    .doc = "an operation of a communication library between ranks: all-reduce, all-to-all, ...",
    .keys = collective_keys,
    .fields_size = sizeof(struct collective_fields),
    .generate = collective_generate,
    .foresee = collective_foresee,
    .makes_jobs = true,
};
