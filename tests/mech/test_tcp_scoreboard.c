/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard against a literal reading of RFC 6675, segment by segment, on random histories. */
#include "base/random.h"
#include "mech/transport/scoreboard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 200
#define FAR 100000

struct literal {
    bool sacked[FAR];
    uint64_t una, nxt, high_rxt;
};

/* IsLost: at least `threshold` segments above are SACKed. */
static bool is_lost(const struct literal *l, uint64_t segment, uint32_t threshold) {
    uint32_t above = 0;
    for (uint64_t i = segment + 1; i < l->nxt; i++) above += l->sacked[i];
    return above >= threshold;
}

/* SetPipe: segments taken to be in flight. */
static uint32_t pipe_of(const struct literal *l, uint32_t threshold) {
    uint32_t pipe = 0;
    for (uint64_t i = l->una; i < l->nxt; i++) {
        if (l->sacked[i]) continue;
        pipe += !is_lost(l, i, threshold);
        pipe += i < l->high_rxt;
    }
    return pipe;
}

/* NextSeg, rule 1: returns the next lost segment, or nxt. */
static uint64_t next_lost(const struct literal *l, uint32_t threshold) {
    for (uint64_t i = l->high_rxt > l->una ? l->high_rxt : l->una; i < l->nxt; i++)
        if (!l->sacked[i] && is_lost(l, i, threshold)) return i;
    return l->nxt;
}

static void step(struct random_stream *r, struct scoreboard *b, struct literal *l) {
    uint64_t kind = random_below(r, 8), span = l->nxt - l->una;
    if (kind < 3 && span < WINDOW) {
        l->nxt++;
        scoreboard_on_sent(b);
    } else if (kind < 6 && span > 0) {
        uint64_t begin = l->una + 1 + random_below(r, span), end = begin + random_below(r, 6), news = 0;
        for (uint64_t i = begin; i < end && i < l->nxt; i++) {
            news += !l->sacked[i];
            l->sacked[i] = true;
        }
        assert_int_equal(scoreboard_on_sack(b, begin, end), news);
        scoreboard_mark_lost(b, 3);
    } else if (kind == 6) {
        uint64_t lost = next_lost(l, 3), found = scoreboard_next(b, b->lost_end);
        assert_int_equal(lost < l->nxt ? lost : 0, found < b->lost_end ? found : 0);
        if (lost == l->nxt) return;
        scoreboard_on_retransmit(b, lost);
        l->high_rxt = lost + 1;
    } else if (span > 0) {
        l->una += random_below(r, span < 8 ? span : 8);
        while (l->una < l->nxt && l->sacked[l->una]) l->una++;
        scoreboard_on_ack(b, l->una);
    }
}

static void random_history__pipe_loss_and_next_segment_as_in_the_rfc(void **state) {
    (void)state;
    struct literal *l = malloc(sizeof *l);
    struct scoreboard *b = malloc(scoreboard_bytes(WINDOW));
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct random_stream r;
        random_init(&r, seed, RANDOM_LOSS, 0);
        memset(l, 0, sizeof *l);
        memset(b, 0, scoreboard_bytes(WINDOW));
        l->una = l->nxt = l->high_rxt = 60 + seed;
        scoreboard_init(b, WINDOW, l->una, l->nxt);
        for (int i = 0; i < 3000; i++) {
            step(&r, b, l);
            assert_int_equal(b->pipe, pipe_of(l, 3));
            assert_int_equal(b->pipe, scoreboard_counted_pipe(b));
        }
        assert_true(l->una > 300); /* the ring has wrapped */
    }
    free(l);
    free(b);
}

static struct scoreboard *board_of(uint64_t una, uint64_t nxt) {
    struct scoreboard *b = calloc(1, scoreboard_bytes(WINDOW));
    scoreboard_init(b, WINDOW, una, nxt);
    return b;
}

/* Ten in flight, three SACKed above a missing one: pipe is 10 - 3 - 1, one more with its retransmission. */
static void three_sacked_above__one_is_lost(void **state) {
    (void)state;
    struct scoreboard *b = board_of(100, 110);
    assert_int_equal(scoreboard_on_sack(b, 101, 103), 2);
    scoreboard_mark_lost(b, 3);
    assert_int_equal(scoreboard_next(b, b->lost_end), b->lost_end); /* two are not enough */
    assert_int_equal(scoreboard_on_sack(b, 101, 104), 1);
    scoreboard_mark_lost(b, 3);
    assert_int_equal(b->pipe, 6);
    assert_int_equal(scoreboard_next(b, b->lost_end), 100);
    scoreboard_on_retransmit(b, 100);
    assert_int_equal(b->pipe, 7);
    assert_int_equal(scoreboard_next(b, b->lost_end), b->lost_end);
    free(b);
}

static void timeout__all_but_what_is_sacked_is_lost(void **state) {
    (void)state;
    struct scoreboard *b = board_of(0, 6);
    scoreboard_on_sack(b, 1, 3);
    scoreboard_on_sack(b, 4, 5);
    scoreboard_mark_all_lost(b);
    assert_int_equal(b->pipe, 0);
    static const uint64_t again[] = {0, 3, 5};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scoreboard_next(b, b->lost_end), again[i]);
        scoreboard_on_retransmit(b, again[i]);
    }
    assert_int_equal(b->pipe, 3);
    free(b);
}

/* RFC 2018, 8: a receiver may drop SACKed data; if una is SACKed at a timeout, no SACK counts any more. */
static void timeout__with_una_sacked_nothing_counts(void **state) {
    (void)state;
    struct scoreboard *b = board_of(0, 4);
    scoreboard_on_sack(b, 1, 3);
    scoreboard_on_ack(b, 1);
    scoreboard_mark_all_lost(b);
    assert_int_equal(scoreboard_next(b, b->lost_end), 1);
    assert_int_equal(b->n_sacked, 0);
    assert_int_equal(b->pipe, scoreboard_counted_pipe(b));
    free(b);
}

/* RFC 6582: each duplicate takes one segment out of the pipe; a partial ACK of four segments takes back three of
 * them. */
static void without_sack__duplicates_leave_the_pipe(void **state) {
    (void)state;
    struct scoreboard *b = board_of(0, 10);
    for (int i = 0; i < 5; i++) scoreboard_on_reno_dupack(b);
    scoreboard_mark_first_lost(b);
    scoreboard_on_retransmit(b, 0);
    assert_int_equal(b->pipe, 5);
    scoreboard_on_ack(b, 4);
    scoreboard_mark_first_lost(b);
    assert_int_equal(b->pipe, 3); /* 6 in flight, 2 duplicates left, 1 lost */
    assert_int_equal(scoreboard_next(b, b->lost_end), 4);
    for (int i = 0; i < 20; i++) scoreboard_on_reno_dupack(b);
    assert_int_equal(b->pipe, 0);
    free(b);
}

static void ring__finds_over_word_and_ring_ends(void **state) {
    (void)state;
    uint64_t bits[2] = {0};
    ring_set(bits, 127, 250, 260); /* across the end of the ring at 256 */
    assert_int_equal(ring_count(bits, 127, 200, 300), 10);
    assert_int_equal(ring_next(bits, 127, 200, 300, 0), 250);
    assert_int_equal(ring_next(bits, 127, 252, 300, ~0ull), 260);
    assert_int_equal(ring_next(bits, 127, 261, 300, 0), 300);
    assert_int_equal(ring_prev(bits, 127, 200, 300, 0), 260);
    assert_int_equal(ring_prev(bits, 127, 200, 260, ~0ull), 250);
    assert_int_equal(ring_prev(bits, 127, 200, 250, 0), 200);
    ring_clear(bits, 127, 251, 259);
    assert_int_equal(ring_count(bits, 127, 200, 300), 2);
    assert_int_equal(ring_bits(65), 128);
    assert_int_equal(ring_bits(1), 64);
}

/* Nine duplicates for ten in flight, then a partial ACK of one. The remaining flight begins with a hole, so at most
 * eight of its nine can have sent duplicates. */
static void without_sack__partial_ack_leaves_the_hole_in_the_pipe(void **state) {
    (void)state;
    struct scoreboard *b = board_of(0, 10);
    for (int i = 0; i < 9; i++) scoreboard_on_reno_dupack(b);
    assert_int_equal(b->pipe, 1);
    scoreboard_on_ack(b, 1);
    assert_int_equal(b->pipe, 1);
    assert_int_equal(b->pipe, scoreboard_counted_pipe(b));
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_history__pipe_loss_and_next_segment_as_in_the_rfc),
        cmocka_unit_test(three_sacked_above__one_is_lost),
        cmocka_unit_test(timeout__all_but_what_is_sacked_is_lost),
        cmocka_unit_test(timeout__with_una_sacked_nothing_counts),
        cmocka_unit_test(without_sack__duplicates_leave_the_pipe),
        cmocka_unit_test(ring__finds_over_word_and_ring_ends),
        cmocka_unit_test(without_sack__partial_ack_leaves_the_hole_in_the_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
