/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/jobs/collectives.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the algorithms: the stages of one lane, which carries `bytes` of each rank's buffer ---- */

struct lane {
    struct job_builder *b;
    const struct rank_group *group;
    uint32_t n;     /* ranks */
    uint64_t bytes; /* of the buffer */
    const struct skew *skew;
    bool backwards; /* to the rank before, not the one after */
};

/* Adds a message between two members of the group. */
static bool message(const struct lane *l, uint32_t from, uint32_t to, uint64_t bytes) {
    const struct rank_group *g = l->group;
    return jobs_message(l->b, g->first + from * g->stride, g->first + to * g->stride, bytes);
}

/* Adds steps in which every rank sends to the next one. */
static bool ring_steps(const struct lane *l, uint32_t steps, uint64_t bytes) {
    for (uint32_t k = 0; k < steps; k++) {
        jobs_stage(l->b);
        for (uint32_t r = 0; r < l->n; r++)
            if (!message(l, r, (r + (l->backwards ? l->n - 1 : 1)) % l->n, bytes)) return false;
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
        if (!message(l, from, to, l->bytes)) return false;
    }
    return true;
}

/* Adds one exchange between ranks whose numbers differ by `distance`, which is a power of two. */
static bool exchange(const struct lane *l, uint32_t distance) {
    jobs_stage(l->b);
    for (uint32_t r = 0; r < l->n; r++)
        if (!message(l, r, r ^ distance, l->bytes / l->n * distance)) return false;
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
            if (!message(l, r, r + have, l->bytes)) return false;
    }
    return true;
}

/* Adds a stage in which every rank sends to every other, beginning with the next one. share[m]: what all others send to rank m,
 * or, on the way back, what rank m sends to all others; NULL: the n-th part of the buffer. */
static bool exchange_shares(const struct lane *l, const uint64_t *share) {
    jobs_stage(l->b);
    for (uint32_t d = 1; d < l->n; d++) {
        for (uint32_t r = 0; r < l->n; r++) {
            uint32_t to = (r + d) % l->n;
            if (!message(l, r, to, share ? share[l->skew->back ? r : to] : l->bytes / l->n)) return false;
        }
    }
    return true;
}
static bool direct_exchange(const struct lane *l) {
    uint64_t *share = l->skew ? skew_shares(l->skew, l->bytes) : NULL;
    bool ok = exchange_shares(l, share);
    free(share);
    return ok;
}
static bool direct_all_reduce(const struct lane *l) { return direct_exchange(l) && direct_exchange(l); }

static bool direct_broadcast(const struct lane *l) {
    jobs_stage(l->b);
    for (uint32_t r = 1; r < l->n; r++)
        if (!message(l, 0, r, l->bytes)) return false;
    return true;
}

/* ---- two trees ----
 *
 * Nodes have numbers from 1 to n; the level of a node is the lowest bit of its number. The parent of a node is on a higher
 * level, so that of n = 6 is: 1 and 3 below 2, 5 below 6, 2 and 6 below 4. Ranks are nodes in order in the first tree; in
 * the second one in reverse, or, if n is odd, moved on by one: what is even there, and has children, is odd here. */

static uint32_t tree_level(uint32_t node) { return node & -node; }

/* Returns 0 for the root. */
static uint32_t tree_parent(uint32_t node, uint32_t n) {
    uint32_t rest = node ^ tree_level(node), parent = rest | tree_level(node) << 1;
    return parent <= n ? parent : rest;
}

static uint32_t tree_rank(const struct lane *l, uint32_t node) {
    if (!l->backwards) return node - 1;
    return l->n % 2 ? node % l->n : l->n - node;
}

/* Adds a stage in which all nodes of a level send to their parents. */
static bool tree_up(const struct lane *l, uint32_t level) {
    jobs_stage(l->b);
    for (uint32_t node = level; node <= l->n; node += 2 * level) {
        uint32_t parent = tree_parent(node, l->n);
        if (parent && !message(l, tree_rank(l, node), tree_rank(l, parent), l->bytes)) return false;
    }
    return true;
}

/* Adds a stage in which all nodes of a level send to their children. */
static bool tree_down(const struct lane *l, uint32_t level) {
    jobs_stage(l->b);
    for (uint32_t node = level; level > 1 && node <= l->n; node += 2 * level) {
        uint32_t right = level / 2;
        if (!message(l, tree_rank(l, node), tree_rank(l, node - level / 2), l->bytes)) return false;
        while (right && node + right > l->n) right /= 2;
        if (right && !message(l, tree_rank(l, node), tree_rank(l, node + right), l->bytes)) return false;
    }
    return true;
}

static bool tree_all_reduce(const struct lane *l) {
    uint32_t level = 1;
    bool ok = true;
    for (; ok && 2 * level <= l->n; level *= 2) ok = tree_up(l, level);
    for (; ok && level > 1; level /= 2) ok = tree_down(l, level);
    return ok;
}

/* ---- the table ---- */

/* S crosses a rank's link BUS_TWICE: 2 (n - 1) / n times, BUS_ONCE: (n - 1) / n times, BUS_WHOLE: once. */
enum bus { BUS_TWICE, BUS_ONCE, BUS_WHOLE };

struct collective_row {
    enum collective_op op;
    enum collective_algorithm algorithm; /* the first of an operation is its own */
    bool (*stages)(const struct lane *l);
    enum bus bus;
    bool cuts;       /* the buffer is cut into a part for each rank */
    bool powers;     /* the number of ranks must be a power of two */
    bool both_ways;  /* two lanes, one in each direction or tree, of half of the buffer */
    bool has_window; /* a rank may send to many at once */
};
static const struct collective_row rows[] = {
    {OP_ALL_REDUCE, ALGORITHM_RING, ring_all_reduce, BUS_TWICE, .cuts = true},
    {OP_ALL_REDUCE, ALGORITHM_BIDIRECTIONAL_RING, ring_all_reduce, BUS_TWICE, .cuts = true, .both_ways = true},
    {OP_ALL_REDUCE, ALGORITHM_HALVING_DOUBLING, halving_doubling, BUS_TWICE, .cuts = true, .powers = true},
    {OP_ALL_REDUCE, ALGORITHM_DIRECT, direct_all_reduce, BUS_TWICE, .cuts = true, .has_window = true},
    {OP_ALL_REDUCE, ALGORITHM_DOUBLE_TREE, tree_all_reduce, BUS_TWICE, .both_ways = true},
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

const struct collective_row *collective_row(enum collective_op op, enum collective_algorithm algorithm) {
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].op == op && (algorithm == ALGORITHM_COUNT || rows[i].algorithm == algorithm)) return &rows[i];
    return NULL;
}

const char *collective_op_name(enum collective_op op) { return op_name[op]; }
const char *collective_algorithm_name(const struct collective_row *row) { return algorithm_name[row->algorithm]; }
bool collective_has_window(const struct collective_row *row) { return row->has_window; }
uint32_t collective_lanes(const struct collective_row *row, uint32_t channels) {
    return channels * (row->both_ways ? 2 : 1);
}
uint64_t collective_parts(const struct collective_row *row, uint32_t n) {
    return (uint64_t)collective_lanes(row, 1) * (row->cuts ? n : 1);
}

bool collective_none(const struct generator *g, enum collective_op op, enum collective_algorithm algorithm) {
    char list[200] = "";
    FILE *out = text_stream_into(list, sizeof list);
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].op == op) fprintf(out, "%s%s", ftell(out) ? ", " : "", algorithm_name[rows[i].algorithm]);
    fclose(out);
    return generator_fail(g, "algorithm: %s has no %s; it has %s", op_name[op], algorithm_name[algorithm], list);
}

bool collective_fits(const struct generator *g, const struct collective_row *row, uint32_t n) {
    if (!row->powers || (n & (n - 1)) == 0) return true;
    return generator_fail(g, "algorithm: halving-doubling needs 2, 4, 8, ... ranks, and here are %u; use ring", n);
}

void collective_bus(const struct collective_row *row, uint32_t n, struct workload_job *job) {
    job->bus = row->bus == BUS_WHOLE ? 1 : (row->bus == BUS_TWICE ? 2 : 1) * (n - 1);
    job->bus_per = row->bus == BUS_WHOLE ? 1 : n;
}

span_ps collective_scale_up_time(enum collective_op op, uint64_t bytes, uint32_t n, int64_t rate_bps) {
    struct workload_job job;
    collective_bus(collective_row(op, ALGORITHM_COUNT), n, &job);
    uint128 bits = (uint128)bytes * 8 * job.bus / job.bus_per;
    return (span_ps)(bits * PS_PER_S / (uint128)rate_bps);
}

/* Returns the messages of one lane. */
static flow_count lane_messages(const struct collective_row *row, uint32_t n) {
    uint32_t steps = n - 1;
    if (row->bus == BUS_WHOLE) return row->op == OP_SEND_RECV ? n : n - 1;
    if (row->algorithm == ALGORITHM_DOUBLE_TREE) return 2ull * (n - 1);
    if (row->powers) steps = 31 - (uint32_t)__builtin_clz(n);
    return (flow_count)n * steps * (row->bus == BUS_TWICE ? 2 : 1);
}
flow_count collective_messages(const struct collective_row *row, uint32_t n) {
    return lane_messages(row, n) * collective_lanes(row, 1);
}

uint64_t collective_skew_number(const struct job_builder *b, uint32_t layer) {
    return (uint64_t)b->g->spec->entry << 44 | (uint64_t)b->iterations << 22 | layer;
}

bool collective_carry(struct job_builder *b, const struct collective_row *row, const struct rank_group *group,
                      uint64_t bytes, const struct lane_plan *plan) {
    uint32_t lanes = collective_lanes(row, plan->channels);
    struct lane l = {.b = b, .group = group, .n = group->n, .bytes = bytes / lanes / plan->chunks, .skew = plan->skew};
    for (uint32_t k = 0; k < lanes * plan->chunks; k++) {
        uint32_t lane = k % lanes;
        l.backwards = row->both_ways && lane % 2;
        jobs_lane(b, plan->channel + lane, plan->wait);
        if (!row->stages(&l)) return false;
    }
    return true;
}
