/* SPDX-License-Identifier: Apache-2.0 */
/* A host: start and stop of flows, the delay of its stack, deadlines, and frames after the end of a flow.
 * test_host_nic.c tests its NIC, test_host_voids.c void credits. */
#include "node/lan.h"

#include "mech/transport/tcp.h"

/* ---- start ---- */

static void start__at_its_time(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 1460, 123456);
    lan_flow(lan, 0, 1, 1460, 50 * US);
    lan_start(lan);
    assert_int_equal(host_next_timer(&lan->host[0]), 123456);
    assert_true(host_next_timer(&lan->host[1]) == TIME_NONE);
    lan_run(lan, MS);
    assert_int_equal(lan_frame(lan, 0, 0)->depart, 123456 + 90 * BYTE_PS); /* a SYN */
    assert_int_equal(lan_frame(lan, 1, 0)->depart, 50 * US + 90 * BYTE_PS);
    /* after a SYN and its answer */
    assert_true(lan->tally[0].first_data_at > 123456 + 2 * 90 * BYTE_PS);
    assert_true(lan->tally[0].first_data_at < lan->tally[0].finished_at);
    assert_int_equal(lan->shared.flows_done, 2);
    lan_end(lan);
}

static void start__two_at_one_instant(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 1460, US);
    lan_flow(lan, 0, 1, 1460, US);
    lan_start(lan);
    lan_run(lan, MS);
    assert_int_equal(lan_frame(lan, 0, 0)->depart, US + 90 * BYTE_PS);
    assert_int_equal(lan_frame(lan, 1, 0)->depart, US + 2 * 90 * BYTE_PS);
    lan_end(lan);
}

/* The host tells transports the base round trip of their pair: 4 x 10 ms, four times 5 us in the stacks, and frames of
 * 84 B over four links of 10 Gbps. A full frame takes 2 x 1,163.2 ns longer. The first timeout is twice that. */
static void far_pair__is_known_from_the_start(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    struct fabric_spec far = spec_star(2);
    fabric_destroy(lan->fabric);
    far.host_delay = 10 * MS;
    lan->fabric = made(far);
    lan->config.processing_delay = 5 * US;
    lan_flow(lan, 0, 1, 1460, 0);
    lan_start(lan);
    struct host_out out;
    host_timer(&lan->host[0], 0, &out);
    assert_int_equal(lan->sender[0]->env.trip_ps, 40 * MS + 20 * US + 4 * 84 * BYTE_PS);
    assert_int_equal(lan->sender[0]->env.full_frame_ns, 2327);
    time_ps nic = 5 * US; /* the SYN leaves its transport at 0 and reaches the NIC then */
    assert_in_range(host_next_timer(&lan->host[0]), 80 * MS, 80 * MS + 60 * US + nic);
    packet_put(&lan->pool, out.e[0].packet);
    lan_end(lan);
}

/* Between near hosts the round trip is needed only to judge a timeout, so it is filled in when one is due. */
static void near_pair__is_known_when_a_timeout_is_due(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 1460, 0);
    lan_start(lan);
    struct host_out out;
    host_timer(&lan->host[0], 0, &out);
    packet_put(&lan->pool, out.e[0].packet); /* the SYN is lost */
    assert_int_equal(lan->sender[0]->env.trip_ps, 0);
    assert_int_equal(host_next_timer(&lan->host[0]), 10 * MS);
    host_timer(&lan->host[0], 10 * MS, &out);
    assert_true(lan->sender[0]->env.trip_ps > 0);
    packet_put(&lan->pool, out.e[0].packet);
    lan_end(lan);
}

/* Serials count the frames of a host over all flows. */
static void frames__carry_addresses_class_and_identity(void **state) {
    (void)state;
    struct lan *lan = lan_new(3, "udp");
    lan_flow(lan, 0, 2, 1000, 0)->priority = 5;
    lan_start(lan);
    struct host_out out;
    host_timer(&lan->host[0], 0, &out);
    assert_int_equal(out.n, 1);
    const struct packet *p = packet_at(&lan->pool, out.e[0].packet);
    assert_int_equal(p->src_ip, fabric_host_ip(lan->fabric, 0));
    assert_int_equal(p->dst_ip, fabric_host_ip(lan->fabric, 2));
    assert_int_equal(p->src_port, lan->flow[0].src_port);
    assert_int_equal(p->dst_port, 80);
    assert_int_equal(p->proto, PROTO_UDP);
    assert_int_equal(p->tos >> 5, 5);
    assert_int_equal(p->origin, 0);
    assert_int_equal(p->serial, 0);
    assert_int_equal(p->payload_bytes, 1000);
    assert_int_equal(p->ext, EXT_NONE);
    assert_int_equal(p->path, PATH_NONE);
    assert_true(p->ttl >= 16);
    assert_int_equal(lan->host[0].serial, 1);
    packet_put(&lan->pool, out.e[0].packet);
    lan_end(lan);
}

/* ---- stacks take time ---- */

static void processing_delay__down_and_up(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan->config.processing_delay = 1 * US;
    lan_flow(lan, 0, 1, 1460, 0);
    lan_start(lan);
    lan_run(lan, MS);
    span_ps trip = 90 * BYTE_PS + lan->delay + 2 * US;
    assert_int_equal(lan_frame(lan, 0, 0)->depart, 1 * US + 90 * BYTE_PS);
    assert_int_equal(lan_frame(lan, FLOW_REVERSE, 0)->depart, trip + 1 * US + 90 * BYTE_PS);
    assert_int_equal(lan->tally[0].finished_at, 2 * trip + FULL * BYTE_PS + lan->delay + 2 * US);
    lan_end(lan);
}

/* The NIC pulls early enough that a processing delay costs no rate. */
static void processing_delay__full_rate(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    lan->config.processing_delay = 10 * US;
    lan_flow(lan, 0, 1, 50 * 1472, 0);
    lan_start(lan);
    lan_run(lan, MS);
    for (uint32_t i = 0; i < 50; i++) assert_int_equal(lan->sent[i].depart, 10 * US + (i + 1) * FULL * BYTE_PS);
    lan_end(lan);
}

/* ---- stop ---- */

static void stop__long_flow(void **state) {
    (void)state;
    static const char *const names[] = {"udp", "newreno"};
    for (int i = 0; i < 2; i++) {
        struct lan *lan = lan_new(2, names[i]);
        lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = 500 * US;
        lan_start(lan);
        lan_run(lan, 499 * US);
        assert_non_null(lan->sender[0]);
        assert_int_equal(lan->shared.flows_done, 0);
        lan_run(lan, 500 * US);
        assert_null(lan->sender[0]);
        assert_int_equal(lan->shared.flows_done, 1);
        uint32_t frames = lan_frames(lan, 0);
        assert_true(frames > 300);
        lan_run(lan, 20 * MS);
        assert_int_equal(lan_frames(lan, 0), frames); /* none since the stop */
        assert_true(lan_frame(lan, 0, frames - 1)->depart <= 500 * US + FULL * BYTE_PS);
        assert_int_equal(lan->shared.flows_done, 1);
        lan_end(lan);
    }
}

/* ---- after the end ---- */

static uint32_t to_lose;

static bool loses_last_ack(struct lan *lan, const struct packet *p) {
    bool after = lan->tally[p->flow & FLOW_MASK].finished_at != TIME_NONE && p->flow & FLOW_REVERSE;
    if (!after || to_lose == 0) return false;
    to_lose--;
    return true;
}

/* The receiver has closed and its last ACK is lost: the sender's timeouts are answered. */
static void after_end__what_comes_again_is_answered(void **state) {
    (void)state;
    for (uint32_t lost = 1; lost <= 3; lost++) {
        struct lan *lan = lan_new(2, "newreno");
        lan->loses = loses_last_ack;
        to_lose = lost;
        lan_flow(lan, 0, 1, 1460, 0);
        lan_start(lan);
        lan_run(lan, 1 * MS);
        assert_null(lan->receiver[0]);
        assert_non_null(lan->sender[0]);
        assert_false(lan_run(lan, PS_PER_S)); /* no event remains */
        assert_null(lan->sender[0]);
        assert_true(lan->tally[0].acked_at != TIME_NONE);
        assert_int_equal(lan->tally[0].data_timeouts, lost);
        assert_int_equal(lan->host[1].unclaimed, lost);
        assert_int_equal(lan->shared.flows_done, 1);
        lan_end(lan);
    }
}

/* ---- deadlines ---- */

static void deadlines__moved_later_do_nothing_when_they_come(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 20000000, 0); /* takes 17 ms, longer than its first deadline of 10 ms */
    lan_start(lan);
    while (lan->tally[0].finished_at == TIME_NONE) {
        lan_run(lan, lan->now + 100 * US);
        assert_true(lan->host[0].deadlines.n <= 1); /* one entry per end, however often it moves */
    }
    assert_true(lan->now > 15 * MS);
    assert_int_equal(lan->tally[0].data_timeouts, 0);
    lan_end(lan);
}

static bool loses_all(struct lan *lan, const struct packet *p) {
    (void)lan;
    (void)p;
    return true;
}

static void deadlines__come_when_due(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan->loses = loses_all;
    lan_flow(lan, 0, 1, 1460, 0);
    lan_flow(lan, 0, 1, 1460, 3 * MS);
    lan_start(lan);
    lan_run(lan, 100 * MS);
    static const int64_t at_ms[] = {0, 10, 30, 70}; /* 10 ms, then doubled */
    for (uint32_t n = 0; n < 4; n++)
        for (uint32_t f = 0; f < 2; f++)
            assert_int_equal(lan_frame(lan, f, n)->depart, lan->flow[f].start + at_ms[n] * MS + 90 * BYTE_PS);
    lan_end(lan);
}

/* Short flows of datagrams end long before their stop. Their deadlines leave the middle of the heap, and all others
 * still come when due. */
static void deadlines__taken_out_of_the_midst(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    struct random_stream r;
    random_init(&r, 7, RANDOM_HOST, 0);
    lan->params[0][0] = 100; /* payload */
    for (uint32_t f = 0; f < 300; f++) {
        struct flow *flow = lan_flow(lan, 0, 1, 100 * (1 + random_below(&r, 20)), f * 3 * US);
        flow->rate_bps = 800000000 / (int64_t)(50 + random_below(&r, 500)); /* a datagram every 50 to 550 us */
        flow->stop = 20 * MS + (time_ps)random_below(&r, 20 * MS);
    }
    lan_start(lan);
    lan_run(lan, 50 * MS);
    for (uint32_t f = 0; f < 300; f++) {
        const struct flow *flow = &lan->flow[f];
        uint32_t n = (uint32_t)(flow->bytes / 100);
        assert_int_equal(lan_frames(lan, f), n);
        time_ps due = flow->start + (n - 1) * (800 * PS_PER_S / flow->rate_bps);
        assert_in_range(lan_frame(lan, f, n - 1)->depart, due, due + 20 * US);
    }
    assert_int_equal(lan->host[0].deadlines.n, 0);
    lan_end(lan);
}

/* ---- many flows ---- */

static bool loses_some(struct lan *lan, const struct packet *p) { return (lan->n_sent * 31 + p->seq) % 61 == 0; }

static void many__all_finish_and_give_everything_back(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        if (row[i]->base != &tcp_base) continue;
        struct lan *lan = lan_new(8, row[i]->name);
        struct random_stream r;
        random_init(&r, 2, RANDOM_HOST, 0);
        lan->loses = loses_some;
        for (uint32_t f = 0; f < 200; f++) {
            uint32_t src = (uint32_t)random_below(&r, 8), dst = (uint32_t)((src + 1 + random_below(&r, 7)) % 8);
            lan_flow(lan, src, dst, 1 + random_below(&r, 60000), f * 5 * US)->priority = (uint8_t)random_below(&r, 8);
        }
        lan_start(lan);
        assert_false(lan_run(lan, 10 * PS_PER_S));
        assert_int_equal(lan->shared.flows_started, 200);
        assert_int_equal(lan->shared.flows_done, 200);
        for (uint32_t f = 0; f < 200; f++) {
            assert_true(lan->tally[f].finished_at != TIME_NONE);
            assert_int_equal(lan->tally[f].received_bytes, lan->flow[f].bytes);
            assert_null(lan->sender[f]);
            assert_null(lan->receiver[f]);
        }
        for (uint32_t h = 0; h < 8; h++) assert_int_equal(lan->host[h].deadlines.n, 0);
        assert_int_equal(lan->pool.in_use, 0);
        assert_int_equal(lan->pool.ext_in_use, 0);
        for (int k = 0; k < 2; k++) assert_int_equal(lan->shared.ends[k].in_use, 0);
        assert_int_equal(lan->shared.cells[0].in_use, 0);
        lan_end(lan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(start__at_its_time),
        UNIT(start__two_at_one_instant),
        UNIT(far_pair__is_known_from_the_start),
        UNIT(near_pair__is_known_when_a_timeout_is_due),
        UNIT(frames__carry_addresses_class_and_identity),
        UNIT(processing_delay__down_and_up),
        UNIT(processing_delay__full_rate),
        UNIT(stop__long_flow),
        UNIT(after_end__what_comes_again_is_answered),
        UNIT(deadlines__moved_later_do_nothing_when_they_come),
        UNIT(deadlines__come_when_due),
        UNIT(many__all_finish_and_give_everything_back),
        UNIT(deadlines__taken_out_of_the_midst),
    };
    return RUN_UNITS(tests);
}
