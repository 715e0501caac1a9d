/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/partition.h"

#include "base/memory.h"
#include "node/cioq.h"
#include "node/forward.h"
#include "sim/ahead.h"
#include "sim/arrivals.h"
#include "sim/audit.h"
#include "sim/digest.h"
#include "sim/observe.h"
#include "sim/sending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one node in one slot ---- */

static void switch_run_timers(struct partition *part, struct sim_node *n, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_next_timer(n->sw)) <= until && at != TIME_NONE;) {
        switch_timer(n->sw, at, &out);
        partition_carry_out(part, n, at, out.e, out.n);
    }
}

/* ---- switches that defer services ---- */

static inline void port_run_services(struct partition *part, struct sim_node *n, uint16_t port, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_service_of(n->sw, port)) <= until;) {
        switch_serve_one(n->sw, port, at, &out);
        partition_carry_out(part, n, at, out.e, out.n);
    }
}

static void ports_run_services(struct partition *part, struct sim_node *n, time_ps until) {
    for (uint16_t p = 0; p < n->sw->n_ports; p++) port_run_services(part, n, p, until);
}

/* Runs topology events up to `until`, each after the services before it. */
static void late_run_events(struct partition *part, struct sim_node *n, time_ps until) {
    while (n->sw->event < n->sw->event_end && n->sw->event->at <= until) {
        ports_run_services(part, n, n->sw->event->at - 1);
        switch_topology(n->sw);
    }
}

static void late_step(struct partition *part, struct sim_node *n, time_ps at, uint16_t in_port, uint32_t packet) {
    struct fabric_switch *sw = n->sw;
    struct packet *p = packet_at(&part->pool, packet);
    struct forward_rest rest;
    uint16_t port = 0;
    time_ps depart = 0;
    late_run_events(part, n, at);
    AUDIT_COUNT(part, arrived, n->first_port + in_port);
    part->digest += digest_frame(at, n->node, in_port, p, 0);
    if (__builtin_expect(!switch_route(sw, at, in_port, p, &port, &rest), 0)) {
        partition_finish(part, n, at, in_port, packet, &rest);
        return;
    }
    port_run_services(part, n, port, at);
    if (forward_queue(sw, at, p, &depart, &rest))
        partition_send(part, n->first_port + port, depart, packet);
    else if (rest.held != HELD_WAITS)
        partition_finish(part, n, at, in_port, packet, &rest);
}

static __attribute__((noinline)) void late_run(struct partition *part, struct batch *b, time_ps start, time_ps end) {
    for (uint32_t i = 0; i < b->n; i++)
        late_step(part, b->node, start + (time_ps)(b->arrival[i].key >> 16), (uint16_t)b->arrival[i].key,
                  b->arrival[i].packet);
    late_run_events(part, b->node, end - 1);
    ports_run_services(part, b->node, end - 1);
    switch_end_slot(b->node->sw);
}

/* Takes one frame through one switch; an observer, if there may be one, sees it arrive and leave. */
static inline __attribute__((always_inline)) void switch_step(struct partition *part, struct sim_node *n, time_ps at,
                                                              uint16_t port, uint32_t packet, const bool observed) {
    struct packet *p = packet_at(&part->pool, packet);
    struct forward_rest rest;
    uint16_t to = 0;
    time_ps depart = 0;
    if (__builtin_expect(switch_next_timer(n->sw) <= at, 0)) switch_run_timers(part, n, at);
    AUDIT_COUNT(part, arrived, n->first_port + port);
    part->digest += digest_frame(at, n->node, port, p, 0);
    if (observed && part->observer) observe_arrival(part->observer, part, n, at, port, packet);
    if (__builtin_expect(!switch_forward(n->sw, at, port, p, &to, &depart, &rest), 0)) {
        if (rest.held == HELD_WAITS) return;
        partition_finish(part, n, at, port, packet, &rest);
        return;
    }
    if (observed && part->observer) {
        struct emission e = {.depart = depart, .packet = packet, .port = to};
        observe_emission(part->observer, part, n, at, &e);
    }
    partition_send(part, n->first_port + to, depart, packet);
}

/* Runs a slot of a switch with a crossbar. It has so many events of its own that it runs the slot by itself, unless
 * there is an observer. */
static __attribute__((noinline)) void crossbar_run(struct partition *part, struct batch *b, time_ps start,
                                                   time_ps end) {
    struct sim_node *n = b->node;
    struct cioq_slot slot = {.arrival = b->arrival, .n = b->n, .start = start, .end = end};
    for (uint32_t i = 0; i < b->n; i++) {
        const struct arrival *a = &b->arrival[i];
        uint16_t port = (uint16_t)a->key;
        AUDIT_COUNT(part, arrived, n->first_port + port);
        part->digest +=
            digest_frame(start + (time_ps)(a->key >> 16), n->node, port, packet_at(&part->pool, a->packet), 0);
    }
    const struct cioq *c = n->sw->cioq;
    while (cioq_run(n->sw, &slot)) partition_carry_out(part, n, slot.now, c->sent, c->n_sent);
    for (const struct emission *e = c->sent, *last = e + c->n_sent; e < last; e++)
        partition_send(part, n->first_port + e->port, e->depart, e->packet);
}

static inline __attribute__((always_inline)) void switch_steps(struct partition *part, struct batch *b, time_ps start,
                                                               time_ps end, const bool observed) {
    for (uint32_t i = 0; i < b->n; i++)
        switch_step(part, b->node, start + (time_ps)(b->arrival[i].key >> 16), (uint16_t)b->arrival[i].key,
                    b->arrival[i].packet, observed);
    if (__builtin_expect(switch_next_timer(b->node->sw) < end, 0)) switch_run_timers(part, b->node, end - 1);
}

static __attribute__((noinline)) void plain_run(struct partition *part, struct batch *b, time_ps start, time_ps end) {
    switch_steps(part, b, start, end, false);
}

static __attribute__((noinline)) void switch_run(struct partition *part, struct batch *b, time_ps start, time_ps end) {
    if (__builtin_expect(b->node->sw->cioq && !part->observer, 0)) {
        crossbar_run(part, b, start, end);
        return;
    }
    if (b->node->sw->late) {
        late_run(part, b, start, end);
        return;
    }
    if (b->node->ahead && switch_next_timer(b->node->sw) >= end && !part->observer) {
        ahead_run(part, b, start);
        return;
    }
    switch_steps(part, b, start, end, true);
}

static void host_run_timers(struct partition *part, struct sim_node *n, time_ps until) {
    struct host_out out;
    for (time_ps at; (at = host_next_timer(n->host)) <= until && at != TIME_NONE;) {
        host_timer(n->host, at, &out);
        partition_carry_out(part, n, at, out.e, out.n);
    }
}

static __attribute__((noinline)) void host_run(struct partition *part, struct batch *b, time_ps start, time_ps end) {
    struct sim_node *n = b->node;
    struct host_out out;
    span_ps stack = part->shared.config->processing_delay;
    for (uint32_t i = 0; i < b->n; i++) {
        time_ps at = start + (time_ps)(b->arrival[i].key >> 16);
        uint32_t packet = b->arrival[i].packet;
        if (host_next_timer(n->host) <= at) host_run_timers(part, n, at);
        const struct packet *p = packet_at(&part->pool, packet);
        part->digest += digest_frame(at - stack, n->node, 0, p, 0);
        if (__builtin_expect(part->observer != NULL, 0)) observe_arrival(part->observer, part, n, at, 0, packet);
        host_receive(n->host, at, p, &out);
        frame_ended(part, p, &part->delivered);
        AUDIT_COUNT(part, arrived, n->first_port);
        AUDIT_COUNT(part, consumed, n->node);
        packet_put(&part->pool, packet);
        partition_carry_out(part, n, at, out.e, out.n);
    }
    if (host_next_timer(n->host) < end) host_run_timers(part, n, end - 1);
}

static time_ps node_next_timer(const struct sim_node *n) {
    return n->is_host ? host_next_timer(n->host) : switch_next_timer(n->sw);
}

void partition_mark_timer(struct partition *part, struct sim_node *n) {
    time_ps at = node_next_timer(n);
    if (at == TIME_NONE) return;
    int64_t slot = max_i64(wheel_slot_of(&part->wheel, at), part->wheel.slot);
    if (slot >= n->timer_slot) return;
    n->timer_slot = slot;
    wheel_mark_slot(&part->wheel, slot, n->timer_input);
}

/* ---- order within the slot ---- */

static void batch_room(struct batch *b, uint32_t n) {
    if (n <= b->size) return;
    b->size = 2 * n;
    b->arrival = memory_grow(b->arrival, b->size, sizeof *b->arrival);
}

static bool batch_spread(struct partition *part, struct batch *b, span_ps span) {
    struct batch gathered = *b;
    batch_room(&part->spare, b->n);
    bool tied = arrivals_spread(b->arrival, part->spare.arrival, b->n, span);
    b->arrival = part->spare.arrival;
    b->size = part->spare.size;
    part->spare.arrival = gathered.arrival;
    part->spare.size = gathered.size;
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
    if (b->node->plain)
        plain_run(part, b, start, end);
    else if (b->node->is_host)
        host_run(part, b, start, end);
    else
        switch_run(part, b, start, end);
    if (node_next_timer(b->node) != TIME_NONE) partition_mark_timer(part, b->node);
}

/* ---- gathering the arrivals of the slot at each node ---- */

/* Marks the slot of a frame that is left on its link, where its bit is not set: an epoch cuts the present slot, or the
 * frame was beyond the wheel's reach when it was sent. */
static inline void batch_leave(struct partition *part, uint32_t *entry, uint32_t input, uint32_t slot) {
    if (__builtin_expect((*entry & LINK_SLOT) != slot && !(*entry & LINK_FAR), 1)) return;
    time_ps at = packet_at(&part->pool, *entry & LINK_FRAME)->at;
    if (at >= part->slot_end && !(*entry & LINK_FAR)) return;
    *entry &= ~LINK_FAR;
    wheel_mark(&part->wheel, at, input);
}

static inline void batch_gather(struct partition *part, struct batch *b, struct link *in, uint32_t input, uint32_t slot,
                                time_ps start, time_ps end) {
    const struct packet *const cell = part->pool.cell;
    const uint64_t port = in->port;
    const uint32_t tail = in->tail, mask = (1u << in->bits) - 1;
    uint32_t *const ring = in->ring;
    uint32_t head = in->head, n = b->n;
    for (; head != tail; head++) {
        uint32_t entry = ring[head & mask], packet = entry & LINK_FRAME;
        if ((entry & LINK_SLOT) != slot || cell[packet].at >= end) break;
        if (__builtin_expect(n == b->size, 0)) batch_room(b, n + 1);
        struct arrival *a = &b->arrival[n++];
        a->key = (uint64_t)(cell[packet].at - start) << 16 | port;
        a->packet = packet;
    }
    in->head = head;
    b->n = n;
    if (head != tail)
        batch_leave(part, &ring[head & mask], input, slot);
    else if (__builtin_expect(in->bits != LINK_SMALL_BITS, 0))
        link_shrink(in);
}

/* Prefetches the ports and links of a node, while another node is processed. */
PREFETCHING node_prefetch(const struct partition *part, const struct sim_node *n) {
    if (n->is_host) {
        for (size_t at = 0; at < HOST_HOT; at += CACHE_LINE) __builtin_prefetch((const char *)n->host + at, 1);
        return;
    }
    const char *sw = (const char *)n->sw;
    for (size_t at = 0; at < 192; at += 64) __builtin_prefetch(sw + at);
    if (n->ahead) return; /* ahead_route knows the ports and links that are used */
    uint32_t ports = n->sw->n_ports;
    for (uint32_t p = 0; p < ports; p++) {
        __builtin_prefetch(&part->port[n->first_port + p], 1);
        if (n->sw->metered) __builtin_prefetch(&part->view[n->first_port + p], 1);
        __builtin_prefetch(&part->in[part->to[n->first_port + p] & ~TO_OTHER], 1);
    }
}

/* Prefetches, for the frames of a host, the places that name their flows. A host meets another flow with each frame. */
PREFETCHING batch_prefetch_names(const struct partition *part, const struct batch *b) {
    if (!b->node || !b->node->is_host) return;
    host_prefetch_parts(b->node->host);
    for (uint32_t i = 0; i < b->n; i++)
        host_prefetch_names(&part->shared, packet_at(&part->pool, b->arrival[i].packet));
}

/* Prefetches all cache lines of the connections of those flows, one step later. */
PREFETCHING batch_prefetch_ends(const struct partition *part, const struct batch *b) {
    if (!b->node || !b->node->is_host) return;
    for (uint32_t i = 0; i < b->n; i++) host_prefetch_end(&part->shared, packet_at(&part->pool, b->arrival[i].packet));
}

/* Prefetches the first frames of the inputs of a word, before they are gathered; in a large fabric the second ones too,
 * if they are due. */
PREFETCHING word_prefetch(const struct partition *part, uint32_t word, uint64_t bits, uint32_t slot) {
    const bool two = part->prefetches;
    for (; bits; bits &= bits - 1) {
        const struct link *in = &part->in[64 * word + (uint32_t)__builtin_ctzll(bits)];
        __builtin_prefetch(packet_at(&part->pool, link_frame(in, in->head)), 1);
        if (!two) continue;
        uint32_t second = *link_entry(in, in->head + 1);
        const void *also =
            (second & LINK_SLOT) == slot ? packet_at(&part->pool, second & LINK_FRAME) : (const void *)in;
        __builtin_prefetch(also, 1);
    }
}

/* The words of a slot that have bits set, one after the other; reading a word clears it. */
struct slot_words {
    uint64_t *words, *summary, groups;
    uint32_t group, n_groups;
};

static void slot_words_begin(struct slot_words *s, struct wheel *w, int64_t slot, uint32_t n_groups) {
    uint32_t at = (uint32_t)slot & (WHEEL_SLOTS - 1);
    *s = (struct slot_words){.words = &w->bits[(size_t)at * w->words],
                             .summary = &w->summary[(size_t)at * w->summary_words],
                             .n_groups = n_groups};
    w->occupied[at >> 6] &= ~(1ull << (at & 63));
}

static inline bool slot_words_next(struct slot_words *s, uint32_t *word, uint64_t *bits) {
    while (!s->groups) {
        if (s->group == s->n_groups) return false;
        s->groups = s->summary[s->group];
        s->summary[s->group++] = 0;
    }
    *word = 64 * (s->group - 1) + (uint32_t)__builtin_ctzll(s->groups);
    s->groups &= s->groups - 1;
    *bits = s->words[*word];
    s->words[*word] = 0;
    return true;
}

/* Nodes that have been gathered and wait to be processed: one, or three where prefetching pays. */
struct batch_line {
    struct batch *of[BATCHES - 1]; /* of[n - 1] is the next to be processed */
    uint32_t n;
};

static struct batch *batch_line_begin(struct batch_line *line, struct partition *part) {
    line->n = part->shared.prefetches ? BATCHES - 1 : 1;
    for (uint32_t i = 0; i < line->n; i++) {
        line->of[i] = &part->batch[i];
        line->of[i]->node = NULL;
        line->of[i]->n = 0;
    }
    return &part->batch[BATCHES - 1];
}

static __attribute__((noinline)) struct batch *batch_line_prefetch(struct batch_line *line,
                                                                   const struct partition *part, struct batch *filled) {
    struct batch *next = line->of[line->n - 1];
    batch_prefetch_ends(part, line->of[0]);
    batch_prefetch_names(part, filled);
    for (uint32_t i = line->n - 1; i; i--) line->of[i] = line->of[i - 1];
    line->of[0] = filled;
    return next;
}

/* Appends the filled batch to the line and processes the first one; returns it empty. */
static inline struct batch *batch_line_turn(struct batch_line *line, struct partition *part, struct batch *filled,
                                            time_ps start, time_ps end) {
    struct batch *next = line->of[0];
    if (__builtin_expect(line->n > 1, 0))
        next = batch_line_prefetch(line, part, filled);
    else
        line->of[0] = filled;
    if (next->node) batch_run(part, next, start, end);
    next->n = 0;
    return next;
}

/* Runs a slot, of the first n_groups x WHEEL_GROUP inputs. Not inline, because its loop needs the registers. */
static __attribute__((noinline)) void slot_run(struct partition *part, int64_t slot, time_ps start, time_ps end,
                                               uint32_t n_groups) {
    struct slot_words next;
    struct batch_line line;
    uint32_t word = 0, word_after = 0, filling_node = NODE_NONE;
    uint64_t bits = 0, bits_after = 0;
    struct batch *filling = batch_line_begin(&line, part);
    filling->node = NULL;
    filling->n = 0;
    slot_words_begin(&next, &part->wheel, slot, n_groups);
    bool more = slot_words_next(&next, &word, &bits);
    if (more) word_prefetch(part, word, bits, link_slot(slot));
    while (more) {
        more = slot_words_next(&next, &word_after, &bits_after);
        if (more) word_prefetch(part, word_after, bits_after, link_slot(slot));
        for (; bits; bits &= bits - 1) {
            uint32_t input = 64 * word + (uint32_t)__builtin_ctzll(bits);
            struct link *in = &part->in[input];
            struct sim_node *node = &part->nodes[in->node];
            if (in->node != filling_node) {
                filling = batch_line_turn(&line, part, filling, start, end);
                filling->node = node;
                filling_node = in->node;
                if (part->prefetches) node_prefetch(part, node);
            }
            if (in->is_timer)
                node->timer_slot = SLOT_NONE;
            else
                batch_gather(part, filling, in, input, link_slot(slot), start, end);
        }
        word = word_after;
        bits = bits_after;
    }
    for (uint32_t i = 0; i <= line.n; i++) {
        filling = batch_line_turn(&line, part, filling, start, end);
        filling->node = NULL;
    }
}

/* Marks an input again whose far mark has come near, at the time of its first frame or timer. */
static void partition_due(void *context, uint32_t input) {
    struct partition *part = context;
    struct link *in = &part->in[input];
    struct sim_node *n = &part->nodes[in->node];
    if (in->is_timer) {
        n->timer_slot = SLOT_NONE;
        partition_mark_timer(part, n);
        return;
    }
    if (link_length(in)) wheel_mark(&part->wheel, packet_at(&part->pool, link_frame(in, in->head))->at, input);
}

void partition_run(struct partition *part, time_ps limit) {
    struct wheel *w = &part->wheel;
    int64_t last = wheel_slot_of(w, limit - 1);
    part->limit = limit;
    for (int64_t slot; (slot = wheel_advance(w, last, partition_due, part)) != SLOT_NONE;) {
        time_ps end = wheel_slot_end(w, slot);
        part->slot_end = end;
        slot_run(part, slot, wheel_slot_end(w, slot - 1), min_i64(end, limit), w->summary_words);
        if (end > limit) return;
    }
}

void partition_run_border(struct partition *part, time_ps limit) {
    struct wheel *w = &part->wheel;
    int64_t first = SLOT_NONE, last = wheel_slot_of(w, limit - 1);
    part->limit = limit;
    for (int64_t slot; (slot = wheel_advance(w, last, partition_due, part)) != SLOT_NONE;) {
        time_ps end = wheel_slot_end(w, slot);
        part->slot_end = end;
        first = min_i64(first, slot);
        slot_run(part, slot, wheel_slot_end(w, slot - 1), min_i64(end, limit), part->border_groups);
        if (end > limit) break;
    }
    if (first != SLOT_NONE) wheel_rewind(w, first); /* to what the other nodes have to do */
}

time_ps partition_next(const struct partition *part) {
    int64_t slot = wheel_next(&part->wheel);
    return slot == SLOT_NONE ? TIME_NONE : wheel_slot_end(&part->wheel, slot - 1);
}
