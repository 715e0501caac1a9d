/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies in blocks: what they hold while flows wait, run, and have ended. */
#include "base/tallies.h"

#include "base/random.h"
#include "unit.h"

#include <string.h>

#define FLOWS 150 /* two whole blocks and a part of one */

struct works {
    struct flow flow[FLOWS];
    struct flow_tally was[FLOWS];
    bool ended[FLOWS];
    struct tallies t;
    struct tally_work work;
};

static void begin(struct works *w) {
    memset(w, 0, sizeof *w);
    for (uint32_t i = 0; i < FLOWS; i++) w->flow[i] = (struct flow){.start = TIME_NONE, .bytes = 1000 + i};
    w->flow[3].start = 17;
    tallies_init(&w->t, w->flow, FLOWS, true);
    tally_work_init(&w->work, &w->t);
}

static void finish(struct works *w) {
    tally_work_fini(&w->work);
    tallies_fini(&w->t);
}

/* Writes a tally whose fields all have values of their own. */
static void flow_runs(struct works *w, uint32_t flow, struct random_stream *r) {
    struct flow_tally *t = tallies_at(&w->work, flow);
    uint8_t *byte = (uint8_t *)t;
    for (size_t i = 0; i < sizeof *t; i++) byte[i] = (uint8_t)random_below(r, 256);
    memset(&t->synack_spurious + 1, 0, 4); /* what no field has */
    memset(&t->credits_wasted + 1, 0, 4);
    if (flow % 5 == 0) t->finished_at = t->acked_at = TIME_NONE;
    if (flow % 7 == 0) t->credits_sent = UINT64_MAX, t->unfilled_bytes = 0, t->started_at = 0;
    w->was[flow] = *t;
}

static void assert_tally(const struct works *w, uint32_t flow) {
    const struct flow_tally *was = &w->was[flow];
    struct flow_tally is = tally_of(w->t, flow);
    assert_memory_equal(&is, was, sizeof is);
    assert_true(tally_started_at(w->t, flow) == was->started_at);
    assert_true(tally_finished_at(w->t, flow) == was->finished_at);
    assert_true(tally_acked_at(w->t, flow) == was->acked_at);
    assert_true(tally_first_data_at(w->t, flow) == was->first_data_at);
    assert_true(tally_received_bytes(w->t, flow) == was->received_bytes);
}

static bool has_ended(const void *context, uint32_t flow) { return ((const struct works *)context)->ended[flow]; }

static void look(struct works *w) { tallies_look(&w->work, has_ended, w); }

static void tally__of_a_flow_that_waits(void **state) {
    (void)state;
    struct works w;
    begin(&w);
    assert_true(tally_started_at(w.t, 3) == 17 && tally_of(w.t, 3).started_at == 17);
    assert_true(tally_started_at(w.t, 4) == TIME_NONE && tally_finished_at(w.t, 4) == TIME_NONE);
    assert_true(tally_acked_at(w.t, 4) == TIME_NONE && tally_first_data_at(w.t, 4) == TIME_NONE);
    assert_int_equal(tally_received_bytes(w.t, 4), 0);
    assert_null(tallies_near(&w.t, 4));
    tallies_at(&w.work, 70)->started_at = 5; /* the next block */
    assert_null(tallies_near(&w.t, 4));
    assert_true(tally_started_at(w.t, 70) == 5 && tally_started_at(w.t, 71) == TIME_NONE);
    finish(&w);
}

/* A block is packed when all its flows have ended, in whatever order; the others stay as they are. */
static void look__packs_blocks_that_have_ended(void **state) {
    (void)state;
    struct works w;
    begin(&w);
    struct random_stream r;
    random_init(&r, 1, RANDOM_PAIRS, 2);
    for (uint32_t i = 0; i < FLOWS; i++) flow_runs(&w, i, &r);
    for (uint32_t i = FLOWS; i-- > 1;) w.ended[i] = true;
    look(&w);
    assert_non_null(tallies_near(&w.t, 0));
    assert_non_null(tallies_near(&w.t, 63));
    assert_null(tallies_near(&w.t, 64));
    assert_null(tallies_near(&w.t, FLOWS - 1)); /* of a block with room for more */
    for (uint32_t i = 0; i < FLOWS; i++) assert_tally(&w, i);
    w.ended[0] = true;
    look(&w);
    assert_null(tallies_near(&w.t, 0));
    for (uint32_t i = 0; i < FLOWS; i++) assert_tally(&w, i);
    finish(&w);
}

/* At the end of a run all blocks are packed, also those of flows that have not ended. */
static void pack__takes_what_has_not_ended(void **state) {
    (void)state;
    struct works w;
    begin(&w);
    struct random_stream r;
    random_init(&r, 3, RANDOM_PAIRS, 4);
    for (uint32_t i = 64; i < 128; i++) flow_runs(&w, i, &r);
    tallies_pack(&w.t);
    assert_null(tallies_near(&w.t, 64));
    for (uint32_t i = 64; i < 128; i++) assert_tally(&w, i);
    assert_true(tally_started_at(w.t, 3) == 17);
    finish(&w);
}

/* Flows as a job has them: 64 messages of a rank, one after the other, take 25 bytes each at most. */
static void packed__is_small(void **state) {
    (void)state;
    struct works w;
    begin(&w);
    struct random_stream r;
    random_init(&r, 5, RANDOM_PAIRS, 6);
    for (uint32_t i = 0; i < 64; i++) {
        time_ps start = PS_PER_S + (time_ps)i * 100 * PS_PER_US, takes = (time_ps)random_below(&r, 50 * PS_PER_US);
        *tallies_at(&w.work, i) = (struct flow_tally){.started_at = start,
                                                      .first_data_at = start,
                                                      .finished_at = start + takes,
                                                      .acked_at = start + takes + 3 * PS_PER_US,
                                                      .received_bytes = (int64_t)w.flow[i].bytes,
                                                      .sent_pkts = 1 + i % 9,
                                                      .cwnd_bytes = 14600 + 1000 * i};
    }
    tallies_pack(&w.t);
    assert_in_range(tally_block_bytes(&w.t.block[0]), 64, 64 * 25);
    assert_true(tallies_bytes(&w.t) == tally_block_bytes(&w.t.block[0]) + 3 * sizeof(struct tally_block));
    finish(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tally__of_a_flow_that_waits),
        UNIT(look__packs_blocks_that_have_ended),
        UNIT(pack__takes_what_has_not_ended),
        UNIT(packed__is_small),
    };
    return RUN_UNITS(tests);
}
