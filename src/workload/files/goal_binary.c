/* SPDX-License-Identifier: Apache-2.0 */
/* Binary schedules, little endian and without padding:
 *
 *   u64 4223; u32 ranks; u8 highest cpu; u8 highest nic; per rank: u64 begin, u64 end, counted from byte 8
 *   rank: u32 nodes, u32 roots, u32 root[]; per node 39 bytes: u32 dependencies, u8 kind (1 send, 2 recv, 3 calc), u32 peer,
 *         u64 size or nanoseconds, u32 tag, u8 cpu, u8 nic, u32 count and u32 place of its dependants, the same of its
 *         start-dependants; then u32 node[], which the places are in
 */
#include "workload/files/goal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 4223
#define MAGIC_UNFINISHED 2342
#define HEAD_BYTES 14 /* ranks and highest numbers end here */
#define NODE_BYTES 39
#define ANY UINT32_MAX

struct reader {
    struct operations *o;
    const uint8_t *at;
    uint64_t size;
    struct diag *d;
};

/* The part of a rank. */
struct part {
    uint32_t rank, n;
    uint64_t node, list; /* first bytes of its nodes, and of the list behind them */
    uint64_t end;
    uint32_t first; /* its first operation */
};

static uint64_t number_at(const struct reader *r, uint64_t at, int bytes) {
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | r->at[at + (uint64_t)i];
    return value;
}

static bool file_fail(const struct reader *r, uint64_t at, const char *why) {
    return diag_fail_in(r->d, r->o->path, "byte %" PRIu64 ": %s; write the schedule again", at, why);
}

bool goal_is_binary(const char *bytes, size_t size) {
    const struct reader r = {.at = (const uint8_t *)bytes};
    if (size < 8) return false;
    uint64_t magic = number_at(&r, 0, 8);
    return magic == MAGIC || magic == MAGIC_UNFINISHED;
}

/* ---- a node ---- */

static bool node_check(const struct reader *r, const struct operation *op, uint32_t nic) {
    if (op->kind == OPERATION_CALC)
        return op->size <= (uint64_t)WORKLOAD_TIME_MAX ||
               operation_fail(r->o, op, r->d, "it computes for more than 1000 s");
    if (op->peer == ANY || op->tag == ANY)
        return operation_fail(
            r->o, op, r->d, "it receives from any rank, or with any tag, which is not known before the run; name both");
    if (op->peer >= r->o->n_ranks) return operation_fail(r->o, op, r->d, "there is no rank %u", op->peer);
    if (op->peer == op->rank)
        return operation_fail(r->o, op, r->d, "the other end is the same rank; write calc in its place");
    if (op->size > INT64_MAX) return operation_fail(r->o, op, r->d, "its size is too large");
    return nic == 0 || operation_fail(r->o, op, r->d, "it uses NIC %u, but a host has one here; write nic 0", nic);
}

static bool node_read(const struct reader *r, const struct part *p, uint32_t i) {
    uint64_t at = p->node + (uint64_t)i * NODE_BYTES, kind = number_at(r, at + 4, 1), size = number_at(r, at + 9, 8);
    if (kind < 1 || kind > 3) return file_fail(r, at + 4, "a node is no send, receive or computation");
    struct operation op = {.kind = kind == 1   ? OPERATION_SEND
                                   : kind == 2 ? OPERATION_RECV
                                               : OPERATION_CALC,
                           .rank = p->rank,
                           .peer = (uint32_t)number_at(r, at + 5, 4),
                           .tag = (uint32_t)number_at(r, at + 17, 4),
                           .cpu = (uint32_t)number_at(r, at + 21, 1),
                           .size = size,
                           .number = i};
    if (op.kind == OPERATION_CALC)
        op.size = size > (uint64_t)WORKLOAD_TIME_MAX / PS_PER_NS ? UINT64_MAX : size * PS_PER_NS;
    else if (size == 0)
        op.size = 1;
    if (!node_check(r, &op, (uint32_t)number_at(r, at + 22, 1))) return false;
    operations_add(r->o, &op);
    return true;
}

/* Adds the edges to one list of dependants of a node: its count stands at byte `at`. */
static bool edges_read(const struct reader *r, const struct part *p, uint32_t i, uint64_t at, bool on_begin) {
    uint64_t n = number_at(r, at, 4), place = number_at(r, at + 4, 4), room = (p->end - p->list) / 4;
    if (n > 0 && (place > room || n > room - place))
        return file_fail(r, at, "a list of dependants lies outside of its rank");
    for (uint64_t k = 0; k < n; k++) {
        uint64_t after = number_at(r, p->list + (place + k) * 4, 4);
        if (after >= p->n) return file_fail(r, p->list + (place + k) * 4, "a dependant is no node of its rank");
        operations_edge(r->o, p->first + i, p->first + (uint32_t)after, on_begin);
    }
    return true;
}

/* Fails if a node has not as many edges before it as it says. */
static bool counts_check(const struct reader *r, const struct part *p, uint32_t first_edge) {
    uint32_t *found = memory_get((size_t)p->n + 1, sizeof *found);
    uint32_t i = 0;
    for (uint32_t k = first_edge; k < r->o->n_edges; k++) found[r->o->edge[k].after - p->first]++;
    while (i < p->n && found[i] == number_at(r, p->node + (uint64_t)i * NODE_BYTES, 4)) i++;
    free(found);
    return i == p->n ||
           file_fail(r, p->node + (uint64_t)i * NODE_BYTES, "a node waits for more, or less, than names it");
}

/* ---- ranks ---- */

static bool part_find(const struct reader *r, struct part *p) {
    uint64_t at = HEAD_BYTES + 16 * (uint64_t)p->rank, begin = number_at(r, at, 8);
    p->end = number_at(r, at + 8, 8);
    if (begin > r->size - 8 || p->end > r->size - 8 || p->end < begin || p->end - begin < 8)
        return file_fail(r, at, "the part of a rank lies outside of the file");
    begin += 8, p->end += 8;
    uint64_t n = number_at(r, begin, 4), roots = number_at(r, begin + 4, 4), room = p->end - begin - 8;
    if (roots > room / 4 || n > (room - 4 * roots) / NODE_BYTES)
        return file_fail(r, begin, "the nodes of a rank lie outside of its part");
    p->n = (uint32_t)n;
    p->node = begin + 8 + 4 * roots;
    p->list = p->node + n * NODE_BYTES;
    return true;
}

static bool rank_read(const struct reader *r, uint32_t rank) {
    struct part p = {.rank = rank, .first = r->o->n};
    uint32_t first_edge = r->o->n_edges;
    if (!part_find(r, &p)) return false;
    for (uint32_t i = 0; i < p.n; i++)
        if (!node_read(r, &p, i)) return false;
    for (uint32_t i = 0; i < p.n; i++) {
        uint64_t at = p.node + (uint64_t)i * NODE_BYTES;
        if (!edges_read(r, &p, i, at + 23, false) || !edges_read(r, &p, i, at + 31, true)) return false;
        if (r->o->n_edges > r->size) return file_fail(r, at, "lists of dependants overlap");
    }
    return counts_check(r, &p, first_edge);
}

bool goal_binary_read(struct operations *o, const char *bytes, size_t size, struct diag *d) {
    struct reader r = {o, (const uint8_t *)bytes, size, d};
    if (size < HEAD_BYTES) return file_fail(&r, size, "the file ends in its head");
    if (number_at(&r, 0, 8) == MAGIC_UNFINISHED)
        return file_fail(&r, 0, "the program that wrote this file did not finish it");
    uint64_t ranks = number_at(&r, 8, 4);
    if (ranks < 2 || ranks > GOAL_RANKS_MAX || ranks > (size - HEAD_BYTES) / 16)
        return file_fail(&r, 8, "it has fewer than 2 ranks, or more than it has bytes for");
    o->n_ranks = (uint32_t)ranks;
    for (uint32_t i = 0; i < ranks; i++)
        if (!rank_read(&r, i)) return false;
    return true;
}
