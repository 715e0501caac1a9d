/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/slots.h"

#include "base/memory.h"
#include "sim/engine/arrivals.h"

/* ---- order within the slot ---- */

static bool batch_spread(struct partition *part, struct batch *b, span_ps span) {
    if (b->n > part->n_spare) {
        part->n_spare = 2 * b->n;
        part->spare = memory_grow(part->spare, part->n_spare, sizeof *part->spare);
    }
    bool tied = arrivals_spread(b->arrival, part->spare, b->n, span);
    b->arrival = part->spare;
    return tied;
}

static __attribute__((noinline)) void batch_break_ties(const struct partition *part, struct batch *b, time_ps start) {
    struct tie_place place = {.key = part->tie_key, .start = start, .first_port = b->node->first_port};
    arrivals_break_ties(b->arrival, b->n, &place);
}

static inline __attribute__((always_inline)) void batch_run(struct partition *part, struct batch *b, time_ps start,
                                                            time_ps end) {
    part->hops += b->n;
    bool tied = b->n > ARRIVALS_FEW ? batch_spread(part, b, end - start) : arrivals_insert(b->arrival, b->n);
    if (__builtin_expect(tied, 0)) batch_break_ties(part, b, start);
    time_ps next = part->run[b->node->way](part, b, start, end);
    if (next != TIME_NONE) partition_mark_timer(part, b->node, next);
}

/* ---- the nodes of a slot, one after the other ---- */

/* Prefetches what leads to the rest of a node: a host's lines, a switch's first ones. */
PREFETCHING node_prefetch(const struct sim_node *n) {
    const char *first = n->is_host ? (const char *)n->host : (const char *)n->sw;
    for (size_t at = 0; at < HOST_HOT; at += CACHE_LINE) __builtin_prefetch(first + at, 1);
}

/* Prefetches the balancer of a switch, and all its ports. Switches that route ahead prefetch the ports that their frames use. */
PREFETCHING switch_prefetch_parts(const struct partition *part, const struct sim_node *n) {
    __builtin_prefetch(n->sw->balance_state);
    if (way_is_ahead(n->way)) return;
    for (uint32_t p = n->first_port; p < n->first_port + n->sw->n_ports; p++) {
        __builtin_prefetch(&part->port[p], 1);
        if (n->sw->metered) __builtin_prefetch(&part->view[p], 1);
    }
}

/* Prefetches, for the frames of a host, the places that name their flows; a host meets another flow with each frame. For a
 * switch, its ports. */
PREFETCHING batch_prefetch_names(const struct partition *part, const struct batch *b) {
    if (!b->node) return;
    if (!b->node->is_host) {
        switch_prefetch_parts(part, b->node);
        return;
    }
    host_prefetch_parts(b->node->host);
    __builtin_prefetch(&part->hop[b->node->first_port]);
    for (uint32_t i = 0; i < b->n; i++)
        host_prefetch_names(&part->shared, packet_at(&part->pool, b->arrival[i].packet));
}

/* Prefetches all cache lines of the connections of those flows, one step later. */
PREFETCHING batch_prefetch_ends(const struct partition *part, const struct batch *b) {
    if (!b->node || !b->node->is_host) return;
    host_prefetch_ready(b->node->host);
    for (uint32_t i = 0; i < b->n; i++) host_prefetch_end(&part->shared, packet_at(&part->pool, b->arrival[i].packet));
}

/* Prefetches the scoreboards of those ends, one step later again. */
PREFETCHING batch_prefetch_cells(const struct partition *part, const struct batch *b) {
    if (!b->node || !b->node->is_host) return;
    host_prefetch_ready_cell(b->node->host);
    for (uint32_t i = 0; i < b->n; i++) host_prefetch_cell(&part->shared, packet_at(&part->pool, b->arrival[i].packet));
}

/* Nodes that wait to be processed: one; in large fabrics, where prefetching pays, three; in huge ones four. */
#define WAITING_LARGE 3
#define WAITING_HUGE 4
#define NODES_AHEAD 32 /* nodes between the one that is found and the one whose entry is prefetched */
struct batch_line {
    struct batch of[WAITING_HUGE]; /* of[n - 1] is the next to be processed */
    uint32_t n;
};

static uint32_t batches_waiting(const struct partition *part) {
    if (part->scale == SCALE_HUGE) return WAITING_HUGE;
    return part->scale == SCALE_LARGE || part->shared.prefetches ? WAITING_LARGE : 1;
}

static __attribute__((noinline)) void batch_line_prefetch(struct batch_line *line, const struct partition *part) {
    if (line->n == WAITING_HUGE) batch_prefetch_cells(part, &line->of[2]);
    batch_prefetch_ends(part, &line->of[1]);
    batch_prefetch_names(part, &line->of[0]);
    for (uint32_t i = line->n - 1; i; i--) line->of[i] = line->of[i - 1];
}

/* Appends a node to the line and processes the first one. */
static inline void batch_line_turn(struct batch_line *line, struct partition *part, const struct batch *found,
                                   const struct slot_part *s) {
    struct batch next = line->of[line->n - 1];
    if (__builtin_expect(line->n > 1, 0)) batch_line_prefetch(line, part);
    line->of[0] = *found;
    if (next.node) batch_run(part, &next, s->start, s->end);
}

/* Prefetches the frames of a node's arrivals. Where lists carry frames, prefetches those of arrivals further on, and copies the
 * node's own to descriptors, unless its way reads them where they lie. */
static inline void batch_frames(struct partition *part, const struct batch *b) {
    struct flights *f = &part->flights;
    if (!f->carries) {
        for (uint32_t i = 0; i < b->n; i++) __builtin_prefetch(packet_at(&part->pool, b->arrival[i].packet), 1);
        return;
    }
    flights_fetch(f, b->n);
    if (b->node->way != WAY_AHEAD_CARRIED) flights_unload(f, &part->pool, b->arrival, b->n);
}

/* Prefetches the entry of a node further on, and the number of its arrivals. */
PREFETCHING nodes_prefetch(const struct partition *part, uint32_t node) {
    if (node + NODES_AHEAD >= part->n_nodes) return;
    __builtin_prefetch(&part->nodes[node + NODES_AHEAD], 1);
    __builtin_prefetch(&part->flights.end[node + NODES_AHEAD], 1);
}

/* Finds the next arrivals of a node, and prefetches what they need first. */
static inline struct batch batch_find(struct partition *part, uint32_t node, uint32_t *done, int64_t slot) {
    struct flights *f = &part->flights;
    struct batch b = {.node = &part->nodes[node], .arrival = &f->sorted[*done], .n = f->end[node] - *done};
    *done = f->end[node];
    f->end[node] = 0;
    if (b.node->timer_slot <= slot) b.node->timer_slot = SLOT_NONE;
    if (part->scale != SCALE_SMALL) {
        nodes_prefetch(part, node);
        node_prefetch(b.node);
    }
    batch_frames(part, &b);
    return b;
}

/* Runs part of a slot. Not inline, because its loop needs the registers. */
static __attribute__((noinline)) void slot_run(struct partition *part, const struct slot_part *s) {
    struct batch_line line = {.n = batches_waiting(part)};
    struct wheel_words words;
    uint32_t word, done = 0;
    uint64_t bits;
    flights_sort(&part->flights, &part->wheel, s);
    if (part->flights.carries) flights_fetch(&part->flights, FETCH_AHEAD);
    wheel_words_begin(&words, &part->wheel, s->slot, s->n_nodes);
    while (wheel_words_next(&words, &word, &bits, true))
        for (; bits; bits &= bits - 1) {
            struct batch b = batch_find(part, 64 * word + (uint32_t)__builtin_ctzll(bits), &done, s->slot);
            batch_line_turn(&line, part, &b, s);
        }
    for (uint32_t i = 0; i < line.n; i++) batch_line_turn(&line, part, &(struct batch){0}, s);
    flights_leave(&part->flights);
}

/* Marks the timers of a node again whose far mark has come near. */
static void partition_due(void *context, uint32_t node) {
    struct partition *part = context;
    part->nodes[node].timer_slot = SLOT_NONE;
    partition_mark_next(part, &part->nodes[node]);
}

/* Goes to the next slot with work, at most `last`; SLOT_NONE: there is none. */
static int64_t partition_advance(struct partition *part, int64_t last) {
    struct flights *f = &part->flights;
    for (;;) {
        int64_t slot = wheel_advance(&part->wheel, min_i64(last, f->far_slot), partition_due, part);
        if (f->far_slot > last || slot < f->far_slot) return slot;
        part->wheel.slot = f->far_slot;
        flights_drain(f, &part->wheel, &part->pool);
    }
}

/* Runs the first n_nodes nodes up to `limit`. Returns the first slot that was run; SLOT_NONE: none. */
static int64_t nodes_run(struct partition *part, time_ps limit, uint32_t n_nodes) {
    struct wheel *w = &part->wheel;
    int64_t first = SLOT_NONE, last = wheel_slot_of(w, limit - 1);
    for (int64_t slot; (slot = partition_advance(part, last)) != SLOT_NONE;) {
        time_ps end = wheel_slot_end(w, slot);
        first = min_i64(first, slot);
        struct slot_part s = {.slot = slot,
                              .start = wheel_slot_end(w, slot - 1),
                              .end = min_i64(end, limit),
                              .is_cut = end > limit,
                              .n_nodes = n_nodes};
        slot_run(part, &s);
        if (s.is_cut) break;
    }
    return first;
}

void partition_run(struct partition *part, time_ps limit) { nodes_run(part, limit, part->n_nodes); }

void partition_run_border(struct partition *part, time_ps limit) {
    int64_t first = nodes_run(part, limit, part->n_border);
    if (first != SLOT_NONE) wheel_rewind(&part->wheel, first); /* to what the other nodes have to do */
}
