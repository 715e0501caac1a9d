/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations between ranks, as communication libraries carry them out: n ranks with a buffer of S bytes each.
 *
 * A row of `rows` for each operation and algorithm: into how many parts it cuts S, what it sends, and how much of S crosses
 * a rank's link at least (bus bandwidth; NVIDIA nccl-tests, doc/PERFORMANCE.md). job.h says what waits for what.
 *
 *     ring                an all-reduce takes 2 (n - 1) steps of S / n to the next rank: half of them add, half copy
 *     bidirectional-ring  two opposite rings of S / 2
 *     halving-doubling    partner r xor n/2, n/4, .. 1 with S/2, S/4, .. S/n, and back (Rabenseifner); a broadcast: a
 *                         binomial tree, in which the ranks that have the data double
 *     direct              S / n to every other rank, `window` of them at once; a broadcast: S from the first rank to each
 *
 * The buffer of a reduce-scatter and an all-gather is the whole one, n shares. send-recv sends S to the next rank.
 */
#include "workload/fields.h"
#include "workload/job.h"

#include "base/text.h"

#include <stdio.h>

static const struct collective_fields *collective_fields(const struct workload_spec *spec) { return spec->fields; }

/* ---- the algorithms: the stages of one lane, which carries `bytes` of each rank's buffer ---- */

struct lane {
    struct job_builder *b;
    uint32_t n;     /* ranks */
    uint64_t bytes; /* of the buffer */
    bool backwards; /* to the rank before, not the one after */
};

/* Adds steps in which every rank sends to the next one. */
static bool ring_steps(const struct lane *l, uint32_t steps, uint64_t bytes) {
    for (uint32_t k = 0; k < steps; k++) {
        jobs_stage(l->b);
        for (uint32_t r = 0; r < l->n; r++)
            if (!jobs_message(l->b, r, (r + (l->backwards ? l->n - 1 : 1)) % l->n, bytes)) return false;
    }
    return true;
}
static bool ring_all_reduce(const struct lane *l) { return ring_steps(l, 2 * (l->n - 1), l->bytes / l->n); }
static bool ring_half(const struct lane *l) { return ring_steps(l, l->n - 1, l->bytes / l->n); }
static bool ring_send_recv(const struct lane *l) { return ring_steps(l, 1, l->bytes); }

static bool ring_broadcast(const struct lane *l) {
    for (uint32_t k = 0; k + 1 < l->n; k++) {
        uint32_t from = l->backwards ? (l->n - k) % l->n : k, to = l->backwards ? l->n - k - 1 : k + 1;
        jobs_stage(l->b);
        if (!jobs_message(l->b, from, to, l->bytes)) return false;
    }
    return true;
}

/* Adds one exchange between ranks whose numbers differ by `distance`, which is a power of two. */
static bool exchange(const struct lane *l, uint32_t distance) {
    jobs_stage(l->b);
    for (uint32_t r = 0; r < l->n; r++)
        if (!jobs_message(l->b, r, r ^ distance, l->bytes / l->n * distance)) return false;
    return true;
}
static bool halving(const struct lane *l) {
    bool ok = true;
    for (uint32_t distance = l->n / 2; ok && distance > 0; distance /= 2) ok = exchange(l, distance);
    return ok;
}
static bool doubling(const struct lane *l) {
    bool ok = true;
    for (uint32_t distance = 1; ok && distance < l->n; distance *= 2) ok = exchange(l, distance);
    return ok;
}
static bool halving_doubling(const struct lane *l) { return halving(l) && doubling(l); }

static bool binomial_broadcast(const struct lane *l) {
    for (uint32_t have = 1; have < l->n; have *= 2) {
        jobs_stage(l->b);
        for (uint32_t r = 0; r < have && r + have < l->n; r++)
            if (!jobs_message(l->b, r, r + have, l->bytes)) return false;
    }
    return true;
}

/* Adds a stage in which every rank sends to every other, beginning with the next one. */
static bool direct_exchange(const struct lane *l) {
    jobs_stage(l->b);
    for (uint32_t d = 1; d < l->n; d++)
        for (uint32_t r = 0; r < l->n; r++)
            if (!jobs_message(l->b, r, (r + d) % l->n, l->bytes / l->n)) return false;
    return true;
}
static bool direct_all_reduce(const struct lane *l) { return direct_exchange(l) && direct_exchange(l); }

static bool direct_broadcast(const struct lane *l) {
    jobs_stage(l->b);
    for (uint32_t r = 1; r < l->n; r++)
        if (!jobs_message(l->b, 0, r, l->bytes)) return false;
    return true;
}

/* ---- the table ---- */

/* S crosses a rank's link BUS_TWICE: 2 (n - 1) / n times, BUS_ONCE: (n - 1) / n times, BUS_WHOLE: once. */
enum bus { BUS_TWICE, BUS_ONCE, BUS_WHOLE };

struct row {
    enum collective_op op;
    enum collective_algorithm algorithm; /* the first of an operation is its own */
    bool (*stages)(const struct lane *l);
    enum bus bus;
    bool cuts;       /* the buffer is cut into a part for each rank */
    bool powers;     /* the number of ranks must be a power of two */
    bool both_ways;  /* two lanes, one in each direction, of half of the buffer */
    bool has_window; /* a rank may send to many at once */
};
static const struct row rows[] = {
    {OP_ALL_REDUCE, ALGORITHM_RING, ring_all_reduce, BUS_TWICE, .cuts = true},
    {OP_ALL_REDUCE, ALGORITHM_BIDIRECTIONAL_RING, ring_all_reduce, BUS_TWICE, .cuts = true, .both_ways = true},
    {OP_ALL_REDUCE, ALGORITHM_HALVING_DOUBLING, halving_doubling, BUS_TWICE, .cuts = true, .powers = true},
    {OP_ALL_REDUCE, ALGORITHM_DIRECT, direct_all_reduce, BUS_TWICE, .cuts = true, .has_window = true},
    {OP_REDUCE_SCATTER, ALGORITHM_RING, ring_half, BUS_ONCE, .cuts = true},
    {OP_REDUCE_SCATTER, ALGORITHM_BIDIRECTIONAL_RING, ring_half, BUS_ONCE, .cuts = true, .both_ways = true},
    {OP_REDUCE_SCATTER, ALGORITHM_HALVING_DOUBLING, halving, BUS_ONCE, .cuts = true, .powers = true},
    {OP_REDUCE_SCATTER, ALGORITHM_DIRECT, direct_exchange, BUS_ONCE, .cuts = true, .has_window = true},
    {OP_ALL_GATHER, ALGORITHM_RING, ring_half, BUS_ONCE, .cuts = true},
    {OP_ALL_GATHER, ALGORITHM_BIDIRECTIONAL_RING, ring_half, BUS_ONCE, .cuts = true, .both_ways = true},
    {OP_ALL_GATHER, ALGORITHM_HALVING_DOUBLING, doubling, BUS_ONCE, .cuts = true, .powers = true},
    {OP_ALL_GATHER, ALGORITHM_DIRECT, direct_exchange, BUS_ONCE, .cuts = true, .has_window = true},
    {OP_ALL_TO_ALL, ALGORITHM_DIRECT, direct_exchange, BUS_ONCE, .cuts = true, .has_window = true},
    {OP_BROADCAST, ALGORITHM_RING, ring_broadcast, BUS_WHOLE, .cuts = false},
    {OP_BROADCAST, ALGORITHM_BIDIRECTIONAL_RING, ring_broadcast, BUS_WHOLE, .both_ways = true},
    {OP_BROADCAST, ALGORITHM_HALVING_DOUBLING, binomial_broadcast, BUS_WHOLE, .cuts = false},
    {OP_BROADCAST, ALGORITHM_DIRECT, direct_broadcast, BUS_WHOLE, .has_window = true},
    {OP_SEND_RECV, ALGORITHM_DIRECT, ring_send_recv, BUS_WHOLE, .cuts = false},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static const char *const op_name[] = {
#define OP_NAME(id, text) text,
    COLLECTIVE_OPS(OP_NAME)};
static const char *const algorithm_name[] = {COLLECTIVE_ALGORITHMS(OP_NAME)};

/* Returns the row of an entry; NULL if its operation has no such algorithm. */
static const struct row *row_of(const struct collective_fields *f) {
    for (size_t i = 0; i < N_ROWS; i++) {
        bool fits = f->algorithm == ALGORITHM_COUNT || rows[i].algorithm == f->algorithm;
        if (rows[i].op == f->op && fits) return &rows[i];
    }
    return NULL;
}

static bool no_such_algorithm(const struct generator *g, const struct collective_fields *f) {
    char list[200] = "";
    FILE *out = text_stream_into(list, sizeof list);
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].op == f->op) fprintf(out, "%s%s", ftell(out) ? ", " : "", algorithm_name[rows[i].algorithm]);
    fclose(out);
    return generator_fail(g, "algorithm: %s has no %s; it has %s", op_name[f->op], algorithm_name[f->algorithm], list);
}

/* ---- an entry ---- */

/* Fails unless the buffer can be cut into equal parts. */
static bool parts_check(const struct generator *g, const struct collective_fields *f, const struct row *row,
                        uint32_t n) {
    unsigned long long bytes = f->bytes, parts = (uint64_t)f->channels * (row->both_ways ? 2 : 1) * (row->cuts ? n : 1),
                       rest = bytes % parts;
    if (row->powers && (n & (n - 1)))
        return generator_fail(g, "algorithm: halving-doubling needs 2, 4, 8, ... ranks, and here are %u; use ring", n);
    if (rest == 0) return true;
    return generator_fail(g,
                          "size: %llu bytes cannot be cut into %llu equal parts (ranks x channels); write size: %lluB",
                          bytes, parts, bytes - rest + parts);
}

/* Adds the lanes of one iteration. */
static bool iteration(struct job_builder *b, const struct collective_fields *f, const struct row *row) {
    uint32_t ways = row->both_ways ? 2 : 1;
    struct lane l = {.b = b, .n = b->job.n_ranks, .bytes = f->bytes / f->channels / ways};
    jobs_iteration(b);
    for (uint32_t k = 0; k < f->channels * ways; k++) {
        l.backwards = k % ways;
        jobs_lane(b);
        if (!row->stages(&l)) return false;
    }
    return true;
}

static bool collective_generate(struct generator *g) {
    const struct collective_fields *f = collective_fields(g->spec);
    const struct row *row = row_of(f);
    if (g->spec->placement < PLACEMENT_OF_RANKS)
        return generator_fail(
            g, "placement: it says where clients and servers are; ranks have packed, round-robin or random");
    if (!row) return no_such_algorithm(g, f);
    if (f->window && !row->has_window)
        return generator_fail(
            g, "window: with %s a rank sends one message at a time, so it would do nothing; leave it out",
            algorithm_name[row->algorithm]);
    struct workload_job job = {.entry = g->spec->entry, .op = op_name[f->op], .bytes = f->bytes};
    uint32_t n;
    if (!(job.rank = ranks_of(g, f->rank, f->n_names, g->spec->placement, &n))) return false;
    job.n_ranks = n;
    job.bus = row->bus == BUS_WHOLE ? 1 : (row->bus == BUS_TWICE ? 2 : 1) * (n - 1);
    job.bus_per = row->bus == BUS_WHOLE ? 1 : n;
    struct job_builder b;
    jobs_init(&b, g, &job, row->has_window ? f->window : 0, f->compute);
    bool ok = parts_check(g, f, row, n);
    for (uint32_t i = 0; ok && i < f->iterations; i++) ok = iteration(&b, f, row);
    return jobs_finish(&b, ok);
}

/* Returns the messages of one lane. */
static flow_count messages_of(const struct row *row, uint32_t n) {
    uint32_t steps = n - 1;
    if (row->bus == BUS_WHOLE) return row->op == OP_SEND_RECV ? n : n - 1;
    if (row->powers) steps = 31 - (uint32_t)__builtin_clz(n);
    return (flow_count)n * steps * (row->bus == BUS_TWICE ? 2 : 1);
}

static uint64_t collective_foresee(const struct workload_spec *spec, const struct population *p) {
    const struct collective_fields *f = collective_fields(spec);
    const struct row *row = row_of(f);
    uint32_t n = ranks_foreseen(f->rank, f->n_names, p);
    if (!row || n < 2) return 0;
    return count_limited(messages_of(row, n) * f->iterations * f->channels * (row->both_ways ? 2 : 1));
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
static const struct param collective_placement = {
    .name = "placement",
    .type = PARAM_CHOICE,
    .text = "none",
    .without = PLACEMENT_PACKED,
    .choices = PARAM_CHOICES(PLACEMENTS),
    .doc =
        "where the ranks are, unless their hosts are named; packed: on the first hosts, rack by rack; round-robin: one "
        "rack after the other; random; none: packed",
    PARAM_IN(struct workload_spec, placement),
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
                                                      &collective_placement,
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
