/* SPDX-License-Identifier: Apache-2.0 */
/* host.jitter: each frame waits for a random time before the NIC, and frames keep their order (AM-32). */
#include "node/jitter.h"
#include "node/lan.h"

#define DRAWS 20000

/* ---- the delays ---- */

static void delay__uniform_up_to_its_most(void **state) {
    (void)state;
    struct jitter j;
    uint32_t tenth[10] = {0};
    jitter_init(&j, 999, 1, 0);
    for (uint32_t i = 0; i < DRAWS; i++) {
        time_ps now = (time_ps)i * MS; /* far apart, so frames do not wait for each other */
        span_ps delay = jitter_next(&j, now) - now;
        assert_in_range(delay, 0, 999);
        tenth[delay / 100]++;
    }
    for (uint32_t k = 0; k < 10; k++) assert_in_range(tenth[k], DRAWS / 10 - 200, DRAWS / 10 + 200);
}

static void delay__nobody_overtakes(void **state) {
    (void)state;
    struct jitter j;
    jitter_init(&j, US, 1, 0);
    time_ps before = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        time_ps now = (time_ps)i * 10 * PS_PER_NS, at = jitter_next(&j, now);
        assert_true(at >= before && at >= now && at <= now + US);
        before = at;
    }
}

static void delay__streams_of_hosts_and_seeds_differ(void **state) {
    (void)state;
    struct jitter j[3];
    uint32_t same_host = 0, same_seed = 0;
    jitter_init(&j[0], MS, 1, 0);
    jitter_init(&j[1], MS, 1, 1);
    jitter_init(&j[2], MS, 2, 0);
    for (uint32_t i = 0; i < 100; i++) {
        time_ps now = i * 10 * MS, at = jitter_next(&j[0], now);
        same_seed += at == jitter_next(&j[1], now);
        same_host += at == jitter_next(&j[2], now);
    }
    assert_true(same_seed < 3 && same_host < 3);
}

static void line__first_in_first_out(void **state) {
    (void)state;
    struct jitter j;
    jitter_init(&j, 50 * US, 1, 0);
    assert_true(jitter_due(&j) == TIME_NONE);
    uint32_t in = 0, out = 0;
    for (time_ps now = 0; out < 1000; now += US) { /* holds about 25 */
        while (jitter_due(&j) <= now) assert_int_equal(jitter_take(&j), out++);
        if (in < 1000) jitter_push(&j, now, in++, 100);
        assert_int_equal(j.bytes, 100 * (in - out));
    }
    assert_int_equal(j.n, 0);
    free(j.line);
}

/* ---- at a host ---- */

enum kind { PULL, FIFO, FRAMES, CLASSES, KINDS };

static struct lan *datagrams(enum kind kind, span_ps jitter) {
    struct lan *lan = lan_new(2, "udp");
    lan->config.nic = kind == PULL ? NIC_PULL : NIC_FIFO;
    lan->config.nic_queue_bytes = 15180;
    lan->config.nic_queue_frames = kind == FRAMES ? 10 : 0;
    lan->config.classes = kind == CLASSES ? 2 : 1;
    lan->config.jitter = jitter;
    lan_flow(lan, 0, 1, 200 * 1472, 0);
    lan_start(lan);
    lan_run(lan, 5 * MS);
    assert_int_equal(lan->n_sent, 200);
    return lan;
}

/* Frames leave late and in order, none is lost in the NIC's queue, and none is faster than the wire. */
static void host__frames_are_late_and_in_order(void **state) {
    (void)state;
    for (enum kind kind = PULL; kind < KINDS; kind++) {
        struct lan *lan = datagrams(kind, 5 * US);
        assert_true(lan->sent[0].depart > FULL * BYTE_PS && lan->sent[0].depart <= 5 * US + FULL * BYTE_PS);
        for (uint32_t i = 1; i < 200; i++) {
            assert_int_equal(lan->sent[i].drop, DROP_NONE);
            assert_true(lan->sent[i].seq > lan->sent[i - 1].seq);
            assert_true(lan->sent[i].depart >= lan->sent[i - 1].depart + FULL * BYTE_PS);
        }
        lan_end(lan);
    }
}

/* The NIC pulls so early that a host with enough to send fills its wire. */
static void host__full_rate(void **state) {
    (void)state;
    for (enum kind kind = PULL; kind < KINDS; kind++) {
        struct lan *lan = datagrams(kind, 5 * US);
        assert_true(lan->sent[199].depart <= 5 * US + 201 * FULL * BYTE_PS);
        lan_end(lan);
    }
}

static void host__without_jitter_nothing_waits(void **state) {
    (void)state;
    struct lan *lan = datagrams(PULL, 0);
    for (uint32_t i = 0; i < 200; i++) assert_int_equal(lan->sent[i].depart, (i + 1) * FULL * BYTE_PS);
    lan_end(lan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(delay__uniform_up_to_its_most),
        UNIT(delay__nobody_overtakes),
        UNIT(delay__streams_of_hosts_and_seeds_differ),
        UNIT(line__first_in_first_out),
        UNIT(host__frames_are_late_and_in_order),
        UNIT(host__full_rate),
        UNIT(host__without_jitter_nothing_waits),
    };
    return RUN_UNITS(tests);
}
