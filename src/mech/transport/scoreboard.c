/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/scoreboard.h"

#include "base/require.h"

#define HELD 0ull       /* for ring_next, ring_prev: look for segments in the set */
#define MISSING (~0ull) /* look for segments not in it */

static uint64_t lower(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t higher(uint64_t a, uint64_t b) { return a > b ? a : b; }

size_t scoreboard_bytes(uint64_t window_segments) {
    size_t head =
        sizeof(struct scoreboard) > sizeof(struct reassembly) ? sizeof(struct scoreboard) : sizeof(struct reassembly);
    return head + ring_bits(window_segments) / 8;
}

void scoreboard_init(struct scoreboard *b, uint64_t window_segments, uint64_t una, uint64_t nxt) {
    b->mask = ring_bits(window_segments) - 1;
    b->una = b->high_rxt = b->lost_end = b->fack = una;
    b->nxt = nxt;
    b->pipe = (uint32_t)(nxt - una);
}

static uint32_t missing(const struct scoreboard *b, uint64_t begin, uint64_t end) {
    return begin < end ? (uint32_t)(end - begin) - ring_count(b->sacked, b->mask, begin, end) : 0;
}

uint32_t scoreboard_counted_pipe(const struct scoreboard *b) {
    return missing(b, b->una, b->high_rxt) + missing(b, b->lost_end, b->nxt) - b->reno;
}

/* Removes the segments of [begin, end) that are not SACKed from the pipe: as originals and as retransmissions. */
static void take_from_pipe(struct scoreboard *b, uint64_t begin, uint64_t end) {
    b->pipe -= missing(b, begin, lower(end, b->high_rxt)) + missing(b, higher(begin, b->lost_end), end);
}

void scoreboard_on_sent(struct scoreboard *b) {
    b->nxt++;
    b->pipe++;
}

void scoreboard_on_retransmit(struct scoreboard *b, uint64_t segment) {
    REQUIRE(segment >= b->high_rxt && segment < b->nxt);
    b->high_rxt = segment + 1;
    b->pipe++;
}

/* Reduces `reno` when una moves. RFC 6582 deflates by the segments acknowledged, except one: the hole that was filled;
 * the others had caused duplicate ACKs. The rest stays below the flight, because the flight's first segment is
 * missing. */
static void forget_reno(struct scoreboard *b, uint64_t una) {
    uint64_t others = una - b->una - 1, flight = b->nxt - una;
    uint64_t left = b->reno > others ? b->reno - others : 0;
    if (flight > 0) left = lower(left, flight - 1);
    uint32_t back = b->reno - (uint32_t)(flight > 0 ? left : 0);
    b->reno -= back;
    b->pipe += back;
}

void scoreboard_on_ack(struct scoreboard *b, uint64_t una) {
    if (una <= b->una) return;
    forget_reno(b, una);
    take_from_pipe(b, b->una, una);
    b->n_sacked -= ring_count(b->sacked, b->mask, b->una, una);
    ring_clear(b->sacked, b->mask, b->una, una);
    b->una = una;
    b->high_rxt = higher(b->high_rxt, una);
    b->lost_end = higher(b->lost_end, una);
    b->fack = higher(b->fack, una);
}

uint32_t scoreboard_on_sack(struct scoreboard *b, uint64_t begin, uint64_t end) {
    begin = higher(begin, b->una);
    end = lower(end, b->nxt);
    begin = begin < end ? ring_next(b->sacked, b->mask, begin, end, MISSING) : end;
    if (begin >= end) return 0;
    uint32_t news = missing(b, begin, end);
    take_from_pipe(b, begin, end);
    ring_set(b->sacked, b->mask, begin, end);
    b->n_sacked += news;
    b->fack = higher(b->fack, end);
    return news;
}

void scoreboard_on_reno_dupack(struct scoreboard *b) {
    if (b->reno + 1 >= b->nxt - b->una) return; /* more than can have left the network */
    b->reno++;
    b->pipe--;
}

static void move_lost_end(struct scoreboard *b, uint64_t end) {
    if (end <= b->lost_end) return;
    b->pipe -= missing(b, b->lost_end, end);
    b->lost_end = end;
}

void scoreboard_mark_lost(struct scoreboard *b, uint32_t threshold) {
    if (b->n_sacked < threshold) return;
    uint64_t at = b->fack;
    for (uint32_t i = 0; i < threshold; i++) at = ring_prev(b->sacked, b->mask, b->una, at, HELD) - 1;
    move_lost_end(b, at);
}

void scoreboard_mark_first_lost(struct scoreboard *b) { move_lost_end(b, b->una + 1); }

void scoreboard_mark_all_lost(struct scoreboard *b) {
    if (b->una < b->nxt && ring_has(b->sacked, b->mask, b->una)) {
        ring_clear(b->sacked, b->mask, b->una, b->nxt);
        b->n_sacked = 0;
        b->fack = b->una;
    }
    b->high_rxt = b->una;
    b->lost_end = b->nxt;
    b->reno = 0;
    b->pipe = 0;
}

uint64_t scoreboard_next(const struct scoreboard *b, uint64_t limit) {
    return b->high_rxt < limit ? ring_next(b->sacked, b->mask, b->high_rxt, limit, MISSING) : limit;
}

uint64_t scoreboard_last_missing(const struct scoreboard *b) {
    return ring_prev(b->sacked, b->mask, b->una, b->nxt, MISSING) - 1;
}

void reassembly_init(struct reassembly *r, uint64_t window_segments, uint64_t next) {
    r->mask = ring_bits(window_segments) - 1;
    r->next = r->high = next;
}

bool reassembly_has(const struct reassembly *r, uint64_t segment) { return ring_has(r->held, r->mask, segment); }

/* Drops the recent blocks that lie inside [begin, end). */
static void forget_recent(struct reassembly *r, uint64_t begin, uint64_t end) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->n_recent; i++)
        if (r->recent[i].begin < begin || r->recent[i].end > end) r->recent[kept++] = r->recent[i];
    r->n_recent = kept;
}

static void push_recent(struct reassembly *r, uint64_t begin, uint64_t end) {
    forget_recent(r, begin, end);
    if (r->n_recent < REASSEMBLY_RECENT) r->n_recent++;
    for (uint32_t i = r->n_recent - 1; i > 0; i--) r->recent[i] = r->recent[i - 1];
    r->recent[0].begin = begin;
    r->recent[0].end = end;
}

void reassembly_add(struct reassembly *r, uint64_t segment) {
    ring_set(r->held, r->mask, segment, segment + 1);
    r->n_held++;
    r->high = higher(r->high, segment + 1);
    push_recent(r, ring_prev(r->held, r->mask, r->next, segment, MISSING),
                ring_next(r->held, r->mask, segment, r->high, MISSING));
}

uint64_t reassembly_advance(struct reassembly *r) {
    uint64_t end = ring_next(r->held, r->mask, r->next + 1, r->high, MISSING);
    if (end <= r->next) end = r->next + 1; /* nothing held above */
    ring_clear(r->held, r->mask, r->next, end);
    r->n_held -= (uint32_t)(end - r->next - 1);
    forget_recent(r, r->next, end);
    r->next = end;
    r->high = higher(r->high, end);
    if (r->n_held > 0 && r->n_recent == 0) {
        uint64_t begin = ring_next(r->held, r->mask, end, r->high, HELD);
        push_recent(r, begin, ring_next(r->held, r->mask, begin, r->high, MISSING));
    }
    return end;
}
