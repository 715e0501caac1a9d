/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `collective`: one operation between ranks, over and over (collectives.h). */
#include "workload/jobs/collectives.h"

static const struct collective_fields *collective_fields(const struct workload_spec *spec) { return spec->fields; }

/* ---- one algorithm for all ranks ---- */

/* Returns into how many chunks the smallest messages are cut. */
static uint64_t chunks_of(const struct collective_fields *f, const struct collective_row *row, uint32_t n) {
    uint64_t part = f->bytes / (f->channels * collective_parts(row, n));
    return f->chunk ? (part + f->chunk - 1) / f->chunk : 1;
}

/* Fails unless the buffer can be cut into equal parts. */
static bool parts_check(const struct generator *g, const struct collective_fields *f, const struct collective_row *row,
                        uint32_t n) {
    unsigned long long chunks = chunks_of(f, row, n), bytes = f->bytes;
    unsigned long long parts = f->channels * collective_parts(row, n) * (chunks ? chunks : 1), rest = bytes % parts;
    if (!collective_fits(g, row, n)) return false;
    if (chunks > WORKLOAD_COUNT_MAX) return generator_fail(g, "chunk: %llu in a message are too many", chunks);
    if (rest == 0) return true;
    return generator_fail(
        g, "size: %llu bytes cannot be cut into %llu equal parts (ranks x channels%s); write size: %lluB", bytes, parts,
        f->chunk ? " x chunks" : "", bytes - rest + parts);
}

static bool plain_iteration(struct job_builder *b, const struct collective_fields *f,
                            const struct collective_row *row) {
    const struct rank_group all = {.n = b->job.n_ranks, .stride = 1};
    struct skew skew = {.exponent_ppb = f->skew_ppb};
    const struct lane_plan lanes = {.channels = f->channels,
                                    .chunks = (uint32_t)chunks_of(f, row, all.n),
                                    .wait = JOB_AWAITED,
                                    .skew = f->skew_ppb ? &skew : NULL};
    if (lanes.skew) skew_draw(&skew, all.n, b->g->seed, collective_skew_number(b, 0));
    bool ok = collective_carry(b, row, &all, f->bytes, &lanes);
    skew_fini(&skew);
    return ok;
}

/* ---- hierarchical: servers, and a rail for each place in them ----
 *
 * An all-reduce of S in servers of g ranks, which follow each other: each rank has a share S / g after a reduce-scatter in
 * its server; those of the same place, one of each server, all-reduce their share over their rail; the shares are gathered
 * in the servers. All are rings. With a scale-up rate, what is inside of servers takes its ideal time there. */

static const struct collective_row *part_row(enum collective_op op) { return collective_row(op, ALGORITHM_RING); }

static bool is_scaled_up(const struct collective_fields *f) { return f->scale_up_bps > 0; }

static void all_compute(struct job_builder *b, span_ps compute) { jobs_all_go_on(b, compute, JOB_AWAITED); }

static bool in_servers(struct job_builder *b, const struct collective_fields *f, enum collective_op op) {
    const struct lane_plan lanes = {.channels = f->channels, .chunks = 1, .wait = JOB_AWAITED};
    all_compute(b, is_scaled_up(f) ? collective_scale_up_time(op, f->bytes, f->group, f->scale_up_bps) : 0);
    for (uint32_t r = 0; !is_scaled_up(f) && r < b->job.n_ranks; r += f->group) {
        const struct rank_group server = {.n = f->group, .first = r, .stride = 1};
        if (!collective_carry(b, part_row(op), &server, f->bytes, &lanes)) return false;
    }
    return true;
}

static bool over_rails(struct job_builder *b, const struct collective_fields *f) {
    const struct lane_plan lanes = {.channels = f->channels, .chunks = 1, .wait = JOB_AWAITED};
    all_compute(b, 0);
    for (uint32_t place = 0; place < f->group; place++) {
        const struct rank_group rail = {.n = b->job.n_ranks / f->group, .first = place, .stride = f->group};
        if (!collective_carry(b, part_row(OP_ALL_REDUCE), &rail, f->bytes / f->group, &lanes)) return false;
    }
    return true;
}

static bool hierarchical_iteration(struct job_builder *b, const struct collective_fields *f) {
    jobs_phase(b, "scatter");
    if (!in_servers(b, f, OP_REDUCE_SCATTER)) return false;
    jobs_phase(b, "rails");
    if (!over_rails(b, f)) return false;
    jobs_phase(b, "gather");
    return in_servers(b, f, OP_ALL_GATHER);
}

static bool hierarchical_check(const struct generator *g, const struct collective_fields *f, uint32_t n) {
    if (f->group < 2 || n % f->group || n / f->group < 2)
        return generator_fail(g, "group: %u ranks in a server do not divide %u ranks into two servers or more",
                              f->group, n);
    unsigned long long bytes = f->bytes, parts = (unsigned long long)f->channels * n, rest = bytes % parts;
    if (f->chunk) return generator_fail(g, "chunk: hierarchical has none; leave it out");
    if (rest == 0) return true;
    return generator_fail(g,
                          "size: %llu bytes cannot be cut into %llu equal parts (ranks x channels); write size: %lluB",
                          bytes, parts, bytes - rest + parts);
}

static flow_count hierarchical_messages(const struct collective_fields *f, uint32_t n) {
    if (f->group < 2 || n % f->group || n / f->group < 2) return 0;
    flow_count inside = 2 * collective_messages(part_row(OP_ALL_GATHER), f->group) * (n / f->group);
    return (is_scaled_up(f) ? 0 : inside) + collective_messages(part_row(OP_ALL_REDUCE), n / f->group) * f->group;
}

/* ---- the kind ---- */

static bool is_hierarchical(const struct collective_fields *f) {
    return f->op == OP_ALL_REDUCE && f->algorithm == ALGORITHM_HIERARCHICAL;
}

static bool keys_check(const struct generator *g, const struct collective_fields *f, const struct collective_row *row) {
    if (!is_hierarchical(f) && (f->group || is_scaled_up(f)))
        return generator_fail(g, "%s: only algorithm: hierarchical has servers; leave it out",
                              f->group ? "group" : "scale_up");
    if (f->window && !collective_has_window(row))
        return generator_fail(
            g, "window: with %s a rank sends one message at a time, so it would do nothing; leave it out",
            collective_algorithm_name(row));
    if (f->skew_ppb && f->op != OP_ALL_TO_ALL)
        return generator_fail(g, "skew: with %s all shares are alike, so it would do nothing; leave it out",
                              collective_op_name(f->op));
    if (f->skew_ppb && f->chunk)
        return generator_fail(g, "chunk: the messages of a skewed all-to-all differ; leave out chunk or skew");
    if (f->window && f->chunk)
        return generator_fail(g, "chunk: every chunk would have a window of its own; leave out chunk or window");
    return true;
}

static bool iterations(struct job_builder *b, const struct collective_fields *f, const struct collective_row *row) {
    for (uint32_t i = 0; i < f->iterations; i++) {
        jobs_iteration(b);
        if (i > 0) all_compute(b, f->compute);
        if (!(is_hierarchical(f) ? hierarchical_iteration(b, f) : plain_iteration(b, f, row))) return false;
    }
    return true;
}

static bool collective_generate(struct generator *g) {
    const struct collective_fields *f = collective_fields(g->spec);
    const struct collective_row *row = is_hierarchical(f) ? part_row(f->op) : collective_row(f->op, f->algorithm);
    if (!ranks_placement_check(g)) return false;
    if (!row) return collective_none(g, f->op, f->algorithm);
    if (!keys_check(g, f, row)) return false;
    struct workload_job job = {
        .entry = g->spec->entry, .op = collective_op_name(f->op), .bytes = f->bytes, .computes = is_scaled_up(f)};
    uint32_t n;
    if (!(job.rank = ranks_of(g, f->rank, f->n_names, g->spec->placement, &n))) return false;
    job.n_ranks = n;
    collective_bus(row, n, &job);
    struct job_builder b;
    jobs_init(&b, g, &job, f->window);
    bool ok = is_hierarchical(f) ? hierarchical_check(g, f, n) : parts_check(g, f, row, n);
    return jobs_finish(&b, ok && iterations(&b, f, row));
}

static uint64_t collective_foresee(const struct workload_spec *spec, const struct population *p) {
    const struct collective_fields *f = collective_fields(spec);
    const struct collective_row *row = collective_row(f->op, f->algorithm);
    uint32_t n = ranks_foreseen(f->rank, f->n_names, p);
    if (n < 2) return 0;
    if (is_hierarchical(f)) return count_limited(hierarchical_messages(f, n) * f->iterations * f->channels);
    if (!row) return 0;
    return count_limited(collective_messages(row, n) * chunks_of(f, row, n) * f->iterations * f->channels);
}

static const struct param collective_op = {
    .name = "op",
    .type = PARAM_CHOICE,
    .def = OP_ALL_REDUCE,
    .choices = PARAM_CHOICES(COLLECTIVE_OPS),
    .doc = "the operation",
    PARAM_OWN_IN(struct collective_fields, op),
};
static const struct param collective_algorithm = COLLECTIVE_ALGORITHM_KEY(
    struct collective_fields, "how it is carried out; none: ring, or direct for all-to-all and send-recv");
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
static const struct param collective_chunk = {
    .name = "chunk",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 50,
    .doc = "the smallest messages are cut into equal pieces of at most this size, which follow each other; none: whole",
    PARAM_OWN_IN(struct collective_fields, chunk),
};
static const struct param collective_group = {
    .name = "group",
    .type = PARAM_COUNT,
    .text = "none",
    .min = 2,
    .max = WORKLOAD_COUNT_MAX,
    .doc = "ranks of a server, which follow each other (algorithm: hierarchical)",
    PARAM_OWN_IN(struct collective_fields, group),
};
static const struct param collective_scale_up = COLLECTIVE_SCALE_UP_KEY(struct collective_fields);
static const struct param collective_skew = COLLECTIVE_SKEW_KEY(struct collective_fields);
static const struct param *const collective_keys[] = {
    &collective_op,     &collective_scale_up, &collective_algorithm, &collective_size,       &collective_group,
    &collective_ranks,  &ranks_placement,     &collective_channels,  &collective_iterations, &collective_compute,
    &collective_window, &collective_chunk,    &collective_skew,      &workload_start,        NULL,
};

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
