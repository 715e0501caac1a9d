/* SPDX-License-Identifier: Apache-2.0 */
/* Credits that end with the flow (AM-55): both ends over one bottleneck (credit_world.h), with random losses. */
#include "credit_world.h"
#include "unit.h"

#include <stdlib.h>

#define SEGMENT 1460

struct losses {
    uint32_t credits, others; /* percent */
    bool sized;
};
static struct losses losses;
static struct random_stream draws;

static uint64_t data_flying(const struct credit_world *w) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < w->n_frames; i++)
        n += credit_kind(&w->frame[i].p) == CREDIT_DATA && !(w->frame[i].p.tcp_flags & CREDIT_UNSCHEDULED);
    return n;
}

/* Asserts, as a credit leaves, that no more are outstanding than segments are missing, plus spare ones: by what the
 * receiver knows, and so by what is truly under way. The loss of data whose credit counted leaves the latter out. */
static void check_outstanding(const struct credit_world *w) {
    const struct world_flow *f = &w->flow[0];
    const struct credit_receiver *r = f->receiver;
    uint64_t segments = credit_segments(&f->env[SIDE_SENDER]), spare = (uint64_t)w->params[CREDIT_PARAM_SPARE];
    uint64_t missing = segments - r->rcv_nxt - (r->reorder ? r->reorder->n_held : 0);
    uint64_t most = missing + spare > 0 ? missing + spare : 1;
    assert_true(r->outstanding.n <= most);
    uint64_t held = f->sender ? w->ops->sender->credits_held(f->sender) : 0;
    assert_true(w->credits_flying + held + data_flying(w) + 1 <= r->outstanding.n);
}

static bool lose_at_random(struct credit_world *w, const struct packet *p) {
    bool credit = credit_kind(p) == CREDIT_GRANT;
    if (credit && losses.sized) check_outstanding(w);
    return random_below(&draws, 100) < (credit ? losses.credits : losses.others);
}

static struct credit_world *world_sized(const char *transport, uint32_t spare) {
    struct credit_world *w = world_new(transport);
    world_set(w, "credit_end", CREDIT_END_SIZE);
    world_set(w, "credit_spare", spare);
    w->loses = lose_at_random;
    return w;
}

static const char *const transports_of[] = {"expresspass", "spraypass"};

/* Without losses a flow costs its segments and the spare credits, no more, whatever its size. */
static void end__without_losses(void **state) {
    (void)state;
    losses = (struct losses){.sized = true};
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t segments = 1; segments < 400; segments += segments / 3 + 1)
            for (uint32_t spare = 0; spare < 4; spare++) {
                struct credit_world *w = world_sized(transports_of[t], spare);
                struct world_flow *f = world_flow(w, segments * SEGMENT - 7, 0);
                world_run(w, 20 * PS_PER_MS);
                assert_null(f->sender);
                assert_int_equal(f->tally.received_bytes, segments * SEGMENT - 7);
                assert_int_equal(f->tally.credits_used, segments);
                assert_in_range(f->tally.credits_wasted, 0, spare);
                assert_int_equal(w->requests, 1);
                world_check_credits(w);
                world_free(w);
            }
}

/* The size costs a flow alone no time: its last data arrives when it does without it. */
static void end__costs_no_time(void **state) {
    (void)state;
    losses = (struct losses){0};
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t segments = 1; segments < 1000; segments += segments + 1) {
            time_ps ends[2];
            for (int sized = 0; sized < 2; sized++) {
                struct credit_world *w = world_sized(transports_of[t], 2);
                world_set(w, "credit_end", sized ? CREDIT_END_SIZE : CREDIT_END_LAST_DATA);
                struct world_flow *f = world_flow(w, segments * SEGMENT, 0);
                world_run(w, 20 * PS_PER_MS);
                ends[sized] = f->tally.finished_at;
                if (!sized) assert_true(f->tally.credits_wasted > 10);
                world_free(w);
            }
            assert_int_equal(ends[0], ends[1]);
        }
}

/* Every flow completes under any loss of credits, and later also of requests, data and DONEs. */
static void lossy_flows(uint32_t others, span_ps until) {
    uint64_t lost = 0;
    for (uint32_t round = 0; round < 240; round++) {
        random_init(&draws, 11, RANDOM_MARK, round);
        losses = (struct losses){.credits = random_below(&draws, 60), .others = others, .sized = true};
        struct credit_world *w = world_sized(transports_of[round % 2], random_below(&draws, 4));
        w->gap = FULL_GAP * (1 + random_below(&draws, 3));
        w->queue = 8; /* at most 31 us: no credit that is under way expires, after two round trips */
        uint32_t segments = 1 + random_below(&draws, round % 3 ? 12 : 300);
        struct world_flow *f = world_flow(w, segments * SEGMENT, 0);
        world_run(w, until);
        if (f->sender || f->receiver) fail_msg("round %u: %u segments did not arrive", round, segments);
        assert_int_equal(f->tally.received_bytes, segments * SEGMENT);
        lost += w->credits_dropped;
        world_check_credits(w);
        world_free(w);
    }
    assert_true(lost > 1000);
}

static void end__with_lost_credits(void **state) {
    (void)state;
    lossy_flows(0, 100 * PS_PER_MS);
}

static void end__with_lost_frames_of_any_kind(void **state) {
    (void)state;
    lossy_flows(10, 3 * PS_PER_S);
}

/* Flows that share the bottleneck, some paced by their application, complete with fewer credits than without sizes. */
static void end__flows_that_share(void **state) {
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        uint64_t wasted[2] = {0, 0};
        for (int sized = 0; sized < 2; sized++) {
            random_init(&draws, 12, RANDOM_MARK, t);
            losses = (struct losses){.credits = 10};
            struct credit_world *w = world_sized(transports_of[t], 2);
            world_set(w, "credit_end", sized ? CREDIT_END_SIZE : CREDIT_END_LAST_DATA);
            for (uint32_t i = 0; i < WORLD_FLOWS; i++) {
                struct world_flow *f = world_flow(w, (1 + i * i * 9) * SEGMENT, i * 30 * PS_PER_US);
                if (i % 4 == 3) f->env[SIDE_SENDER].rate_bps = 1000000000;
            }
            world_run(w, 200 * PS_PER_MS);
            for (uint32_t i = 0; i < WORLD_FLOWS; i++) {
                assert_null(w->flow[i].sender);
                assert_int_equal(w->flow[i].tally.received_bytes, (1 + i * i * 9) * SEGMENT);
                if (i % 4 != 3) wasted[sized] += w->flow[i].tally.credits_wasted;
            }
            world_check_credits(w);
            world_free(w);
        }
        assert_true(wasted[1] <= 2 * (WORLD_FLOWS - 2));
        assert_true(wasted[0] > 5 * wasted[1]);
    }
}

/* A flow without an end tells no size, and its credits go on. */
static void end__flows_without_an_end(void **state) {
    (void)state;
    losses = (struct losses){0};
    uint64_t used[2];
    for (int sized = 0; sized < 2; sized++) {
        struct credit_world *w = world_sized("expresspass", 2);
        world_set(w, "credit_end", sized ? CREDIT_END_SIZE : CREDIT_END_LAST_DATA);
        struct world_flow *f = world_flow(w, UINT64_MAX, 0);
        world_run(w, 5 * PS_PER_MS);
        if (sized) assert_int_equal(f->receiver->told, 0);
        used[sized] = f->tally.credits_used;
        world_free(w);
    }
    assert_true(used[0] > 3000);
    assert_int_equal(used[0], used[1]);
}

/* A frame of any kind that is late by up to 100 us, so that orders are lost, keeps no flow from its end. */
static span_ps late_at_random(struct credit_world *w, const struct packet *p) {
    (void)w, (void)p;
    return random_below(&draws, 4) == 0 ? (span_ps)random_below(&draws, 100 * PS_PER_US) : 0;
}

static void end__with_reordering(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 60; round++) {
        random_init(&draws, 13, RANDOM_MARK, round);
        losses = (struct losses){.credits = random_below(&draws, 30)};
        struct credit_world *w = world_sized(transports_of[round % 2], random_below(&draws, 3));
        w->delays = late_at_random;
        uint32_t segments = 1 + random_below(&draws, 200);
        struct world_flow *f = world_flow(w, segments * SEGMENT, 0);
        world_run(w, PS_PER_S);
        assert_null(f->sender);
        assert_int_equal(f->tally.received_bytes, segments * SEGMENT);
        world_check_credits(w);
        world_free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(end__without_losses),    UNIT(end__costs_no_time),
        UNIT(end__with_lost_credits), UNIT(end__with_lost_frames_of_any_kind),
        UNIT(end__flows_that_share),  UNIT(end__flows_without_an_end),
        UNIT(end__with_reordering),
    };
    return RUN_UNITS(tests);
}
