/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of SprayPass over one bottleneck (credit_world.h), four paths, base RTT 50 us, 10 Gbps. */
#include "credit_world.h"
#include "transport_rows.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define MB 1000000

/* Returns the extra delay of a path: each path is longer than the one before, for credits and data. */
static span_ps unequal_paths(struct credit_world *w, const struct packet *p) {
    (void)w;
    return p->path == PATH_NONE ? 0 : p->path * 3 * FULL_GAP / 4;
}

static bool dead_path(struct credit_world *w, const struct packet *p) { return p->path == 3 && w->now > PS_PER_MS / 2; }

/* Returns the share of the link that a flow used during 20 ms after the first millisecond, in thousandths. */
static uint64_t share_milli(struct credit_world *w, const struct world_flow *f) {
    world_run(w, PS_PER_MS);
    uint64_t before = f->tally.credits_used;
    world_run(w, 21 * PS_PER_MS);
    return (f->tally.credits_used - before) * 1000 / (20 * PS_PER_MS / FULL_GAP);
}

/* SP-6, SP-F5: credits on unequal paths arrive out of order. Feedback by numbers takes that for loss; feedback by marks
 * does not. */
static void feedback__sequence_free_against_sequence(void **state) {
    (void)state;
    uint64_t share[2], disorder[2];
    for (int sequence = 0; sequence < 2; sequence++) {
        struct credit_world *w = world_new("spraypass");
        world_set(w, "signal", sequence);
        world_set(w, "spray", SPRAY_RANDOM);
        w->delays = unequal_paths;
        struct world_flow *f = world_flow(w, UINT64_MAX, 0);
        share[sequence] = share_milli(w, f);
        disorder[sequence] = w->counters[CREDIT_OUT_OF_ORDER];
        assert_int_equal(f->tally.duplicate_pkts, 0);
        world_check_credits(w);
        world_free(w);
    }
    assert_in_range(share[0], 950, 1000);
    assert_true(disorder[0] > 1000 && disorder[1] > 1000);
    assert_true(share[1] < share[0] * 9 / 10);
}

/* SP-5, SP-24: paths differ, and the receiver restores the order of segments with a few held. */
static void reorder__a_few_held(void **state) {
    (void)state;
    struct credit_world *w = world_new("spraypass");
    w->delays = unequal_paths;
    struct world_flow *f = world_flow(w, MB, 0);
    world_run(w, 20 * PS_PER_MS);
    assert_int_equal(f->tally.received_bytes, MB);
    assert_int_equal(f->tally.retransmitted_pkts, 0);
    assert_in_range(f->tally.max_reorder_pkts, 1, 8);
    assert_true(f->tally.reordered_pkts > 0);
    uint64_t frames = 0;
    for (int k = CREDIT_REORDER_0; k <= CREDIT_REORDER_256; k++) frames += w->counters[k];
    assert_int_equal(frames, 685);
    world_check_credits(w);
    world_free(w);
}

/* SP-18: a path dies with its credits and data. It is excluded, lost segments are sent again, and the flow ends. */
static void dead_path__is_excluded(void **state) {
    (void)state;
    struct credit_world *w = world_new("spraypass");
    w->loses = dead_path;
    struct world_flow *f = world_flow(w, 4 * MB, 0);
    world_run(w, 50 * PS_PER_MS);
    assert_int_equal(f->tally.received_bytes, 4 * MB);
    assert_null(f->sender);
    assert_int_equal(w->counters[CREDIT_PATH_EXCLUSIONS], 1);
    assert_in_range(f->tally.retransmitted_pkts, 1, 100);
    assert_in_range(f->tally.finished_at, 3 * PS_PER_MS, 6 * PS_PER_MS);
    world_check_credits(w);
    world_free(w);
}

/* Without probing, credits continue to be lost on the dead path. */
static void dead_path__without_probing(void **state) {
    (void)state;
    uint64_t dropped[2];
    for (int probing = 0; probing < 2; probing++) {
        struct credit_world *w = world_new("spraypass");
        world_set(w, "probing", probing);
        w->loses = dead_path;
        world_flow(w, UINT64_MAX, 0);
        world_run(w, 5 * PS_PER_MS);
        dropped[probing] = w->credits_dropped;
        world_free(w);
    }
    assert_true(dropped[0] > 4 * dropped[1]);
}

/* Marks slow two flows over one bottleneck down, so most credits survive. */
static void marks__slow_flows_down(void **state) {
    (void)state;
    struct credit_world *w = world_new("spraypass");
    world_flow(w, UINT64_MAX, 0);
    world_flow(w, UINT64_MAX, 0);
    world_run(w, 10 * PS_PER_MS);
    assert_true(w->counters[CREDIT_RATE_FALLS] > 10);
    uint64_t sent = 0, left = 0;
    for (int i = 0; i < 2; i++) {
        sent += w->flow[i].tally.credits_sent;
        left += w->flow[i].tally.credits_used;
    }
    assert_in_range(left * 1000 / sent, 700, 1000);
    world_check_credits(w);
    world_free(w);
}

/* SP-12: an application at a tenth of the link keeps a bounded number of credits, and each segment leaves as soon as it
 * is written. */
static void slow_application__keeps_credits(void **state) {
    (void)state;
    struct credit_world *w = world_new("spraypass");
    struct world_flow *f = world_flow(w, UINT64_MAX, 0);
    f->env[SIDE_SENDER].rate_bps = 900000000;
    world_run(w, 20 * PS_PER_MS);
    assert_in_range(f->tally.sent_pkts, 20 * PS_PER_MS / 12977778 - 10, 20 * PS_PER_MS / 12977778 + 1);
    assert_in_range(w->ops->sender->credits_held(f->sender), 1, 64);
    assert_true(f->tally.credits_wasted > 0);
    assert_int_equal(w->counters[CREDIT_STOPS], 0);
    world_check_credits(w);
    world_free(w);
}

/* With one segment per millisecond STOP follows each segment and a request comes before each. */
static void slow_application__stops_and_asks(void **state) {
    (void)state;
    struct credit_world *w = world_new("spraypass");
    struct world_flow *f = world_flow(w, 20 * 1460, 0);
    f->env[SIDE_SENDER].rate_bps = 1460 * 8 * 1000;
    world_run(w, 30 * PS_PER_MS);
    assert_int_equal(f->tally.received_bytes, 20 * 1460);
    assert_int_equal(f->tally.finished_at, 19 * PS_PER_MS + 75 * PS_PER_US);
    assert_int_equal(w->stops, 19);
    assert_int_equal(w->requests, 20);
    world_check_credits(w);
    world_free(w);
}

/* ---- any mixture of trouble ---- */

/* Loses up to a tenth of all frames. */
static bool trouble_loses(struct credit_world *w, const struct packet *p) {
    (void)p;
    return random_below(&w->random, 1000) < w->script % 100;
}

static span_ps trouble_delays(struct credit_world *w, const struct packet *p) {
    (void)p;
    return (span_ps)random_below(&w->random, 1 + w->script / 100 * PS_PER_US);
}

static void trouble_param(struct credit_world *w, const char *name) {
    size_t at;
    if (!row_param(w->ops, name, &at)) return;
    struct param p = transport_param(w->ops, at);
    world_set(w, name, p.min + (int64_t)random_below(&w->random, (uint64_t)(p.max - p.min + 1)));
}

static void trouble(uint64_t seed) {
    struct credit_world *w = world_new(seed % 2 ? "spraypass" : "expresspass");
    random_init(&w->random, seed, RANDOM_MARK, 1);
    w->script = (uint32_t)random_below(&w->random, 2000);
    w->loses = trouble_loses;
    w->delays = trouble_delays;
    static const char *const any[] = {"feedback", "reading", "signal", "spray", "probing", "expire", "jitter"};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) trouble_param(w, any[i]);
    world_set(w, "reorder_window", random_below(&w->random, 2) ? 64 : 4096);
    world_set(w, "unscheduled", (int64_t)random_below(&w->random, 2) * 30000);
    for (uint32_t i = 0; i < 3; i++) {
        struct world_flow *f = world_flow(w, 1 + random_below(&w->random, 300000), i * PS_PER_MS);
        f->env[SIDE_SENDER].rate_bps = random_below(&w->random, 2) ? 0 : 100000000ll << random_below(&w->random, 6);
    }
    world_run(w, 3 * PS_PER_S);
    for (uint32_t i = 0; i < 3; i++) {
        const struct world_flow *f = &w->flow[i];
        if (f->sender || f->receiver) fail_msg("seed %d: flow %u did not end", (int)seed, i);
        assert_int_equal(f->tally.received_bytes, f->env[0].bytes);
    }
    uint64_t used = 0;
    for (uint32_t i = 0; i < 3; i++) used += w->flow[i].tally.credits_used;
    assert_int_equal(w->data_sent, used + w->counters[CREDIT_UNSCHEDULED_PKTS]); /* XP-3 */
    world_check_credits(w);
    world_free(w);
}

static void trouble__every_flow_ends_and_every_credit_is_somewhere(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) trouble(seed);
}

/* ---- frames of nobody ---- */

static struct packet noise_frame(struct random_stream *s) {
    uint32_t near = (uint32_t)random_below(s, 200);
    return (struct packet){.tcp_flags = (uint8_t)random_u32(s),
                           .seq = random_below(s, 8) ? near : random_u32(s),
                           .ack = random_below(s, 8) ? near : random_u32(s),
                           .path = (uint16_t)(random_below(s, 4) ? random_below(s, 4) : random_u32(s)),
                           .tos = (uint8_t)random_u32(s),
                           .payload_bytes = (uint16_t)random_below(s, 1461),
                           .wire_bytes = 1538,
                           .serial = random_u32(s)};
}

/* Asks an end for all that its host may ask after a frame. */
static void noise_ask(struct credit_world *w, void *end, enum transport_side side, struct flow_env *env) {
    struct packet p = {.ext = EXT_NONE, .path = PATH_NONE};
    bool promised = transport_end_of(w->ops, side)->has_output(end, env, w->now);
    assert_int_equal(promised, transport_end_of(w->ops, side)->poll_transmit(end, env, w->now, &p));
    if (transport_end_of(w->ops, side)->next_timer(end) <= w->now)
        transport_end_of(w->ops, side)->on_timer(end, env, w->now);
    if (side == SIDE_RECEIVER && w->ops->receiver->next_credit(end) <= w->now)
        w->ops->receiver->poll_credit(end, env, w->now, &p);
}

static void noise(const char *transport, uint64_t seed) {
    struct credit_world *w = world_new(transport);
    random_init(&w->random, seed, RANDOM_MARK, 2);
    struct world_flow *f = world_flow(w, random_below(&w->random, 2) ? UINT64_MAX : 100000, 0);
    f->env[SIDE_SENDER].rate_bps = seed % 3 ? 0 : 500000000;
    f->sender = calloc(1, sizeof *f->sender);
    f->receiver = calloc(1, sizeof *f->receiver);
    w->ops->sender->open(f->sender, &f->env[SIDE_SENDER], 0);
    w->ops->receiver->open(f->receiver, &f->env[SIDE_RECEIVER], 0);
    for (int i = 0; i < 3000; i++) {
        struct packet p = noise_frame(&w->random);
        enum transport_side side = random_below(&w->random, 2) ? SIDE_SENDER : SIDE_RECEIVER;
        void *end = side == SIDE_SENDER ? (void *)f->sender : f->receiver;
        w->now += (span_ps)random_below(&w->random, 20 * PS_PER_US);
        transport_end_of(w->ops, side)->on_packet(end, &f->env[side], w->now, &p);
        noise_ask(w, end, side, &f->env[side]);
        assert_true(f->sender->una <= f->sender->nxt && f->sender->nxt <= f->sender->n_segments);
        assert_true(f->receiver->rcv_nxt <= f->receiver->high || f->receiver->high == 0);
    }
    world_free(w);
}

static void noise__breaks_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) noise(seed % 2 ? "spraypass" : "expresspass", seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(feedback__sequence_free_against_sequence),
        UNIT(reorder__a_few_held),
        UNIT(dead_path__is_excluded),
        UNIT(dead_path__without_probing),
        UNIT(marks__slow_flows_down),
        UNIT(slow_application__keeps_credits),
        UNIT(slow_application__stops_and_asks),
        UNIT(noise__breaks_nothing),
        UNIT(trouble__every_flow_ends_and_every_credit_is_somewhere),
    };
    return RUN_UNITS(tests);
}
