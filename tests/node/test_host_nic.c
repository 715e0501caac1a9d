/* SPDX-License-Identifier: Apache-2.0 */
/* The NIC of a host: the order of flows, the NIC as a queue, classes, and failures of its link. */
#include "node/lan.h"

/* ---- the NIC asks flows for frames ---- */

static void pull__round_robin(void **state) {
    (void)state;
    struct lan *lan = lan_new(4, "udp");
    for (uint32_t f = 0; f < 3; f++) lan_flow(lan, 0, 1 + f, 100 * 1472, 0);
    lan_start(lan);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 300);
    /* Flow 0 found the NIC idle and joined the line again behind the others. */
    for (uint32_t i = 1; i < 298; i++) assert_int_equal(lan->sent[i].flow, (i - 1) % 3);
    for (uint32_t i = 0; i < 300; i++) assert_int_equal(lan->sent[i].depart, (i + 1) * FULL * BYTE_PS); /* never idle */
    lan_end(lan);
}

static span_ps mouse_waits(struct lan *lan) {
    const time_ps start = 300 * US;
    lan_flow(lan, 0, 1, 3000000, 0);
    lan_flow(lan, 0, 2, 1000, start);
    lan_start(lan);
    lan_run(lan, 5 * MS);
    span_ps waited = lan_frame(lan, 1, 0)->depart - start;
    lan_end(lan);
    return waited;
}

/* A mouse waits for at most the frame on the wire and one more of an elephant with a large window. */
static void pull__mice_do_not_wait_behind_a_window(void **state) {
    (void)state;
    assert_true(mouse_waits(lan_new(3, "newreno")) <= (2 * FULL + 90) * BYTE_PS);
}

static void pull__wakes_only_while_more_is_waiting(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    lan_flow(lan, 0, 1, 1472, 0);
    lan_start(lan);
    struct host_out out;
    host_timer(&lan->host[0], 0, &out);
    assert_true(host_next_timer(&lan->host[0]) == TIME_NONE);
    packet_put(&lan->pool, out.e[0].packet);
    lan_end(lan);
}

/* A flow may stop first, in the middle or last in the line for the NIC: the others keep their turns, and a flow that
 * joins later gets its own. 50 us are 40 frames for three flows; 150 us are 122, also for three. */
static void stop__in_line_for_the_nic(void **state) {
    (void)state;
    for (uint32_t stopped = 0; stopped < 3; stopped++) {
        struct lan *lan = lan_new(2, "udp");
        for (uint32_t f = 0; f < 3; f++) lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = f == stopped ? 50 * US : 200 * US;
        lan_flow(lan, 0, 1, UINT64_MAX, 50 * US + 1)->stop = 200 * US;
        lan_start(lan);
        lan_run(lan, MS);
        for (uint32_t f = 0; f < 4; f++) {
            uint32_t fair = f == stopped ? 13 : f == 3 ? 40 : 54;
            assert_in_range(lan_frames(lan, f), fair - 2, fair + 2);
        }
        lan_end(lan);
    }
}

/* ---- the NIC as a queue ---- */

static struct lan *lan_fifo(uint32_t hosts, const char *transport, int64_t frames) {
    struct lan *lan = lan_new(hosts, transport);
    lan->config.nic = NIC_FIFO;
    lan->config.nic_queue_bytes = frames * 1518;
    return lan;
}

/* The mouse waits behind the frames of the elephant in the queue. */
static void fifo__mice_wait_behind_what_is_queued(void **state) {
    (void)state;
    span_ps waited = mouse_waits(lan_fifo(3, "udp", 100));
    assert_true(waited >= 99 * FULL * BYTE_PS && waited <= 102 * FULL * BYTE_PS);
}

static void fifo__holds_no_more_than_its_queue_and_drops_nothing(void **state) {
    (void)state;
    struct lan *lan = lan_fifo(2, "udp", 10);
    lan_flow(lan, 0, 1, 200 * 1472, 0);
    lan_start(lan);
    lan_run(lan, 1);
    assert_int_equal(lan->n_sent, 10);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 200);
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(lan->sent[i].drop, DROP_NONE);
        assert_int_equal(lan->sent[i].depart, (i + 1) * FULL * BYTE_PS);
    }
    assert_true(port_max_queue_bytes(&lan->port[0], &lan->view[0], &lan->extra[0]) <= 10 * 1518);
    lan_end(lan);
}

static uint32_t lan_waiting(const struct lan *lan, time_ps now) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) n += lan->sent[i].depart > now;
    return n;
}

/* The queue holds the same number of frames while its link is slower and after it is fast again. */
static void fifo__the_same_queue_at_another_rate(void **state) {
    (void)state;
    const struct fabric_event events[] = {{.at = 50 * US, .kind = EVENT_RATE, .value = GBPS},
                                          {.at = 500 * US, .kind = EVENT_RATE, .value = 10 * GBPS}};
    struct lan *lan = lan_fifo(2, "udp", 10);
    lan_flow(lan, 0, 1, 200 * 1472, 0);
    lan_start(lan);
    lan->host[0].event = events;
    lan->host[0].event_end = events + 2;
    lan_run(lan, 40 * US);
    assert_int_equal(lan_waiting(lan, 40 * US), 10);
    lan_run(lan, 450 * US);
    assert_int_equal(lan_waiting(lan, 450 * US), 10);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 200);
    for (uint32_t i = 0; i < 200; i++) assert_int_equal(lan->sent[i].drop, DROP_NONE);
    lan_end(lan);
}

/* ---- a NIC that drops what does not fit ---- */

/* 20 datagrams at once, every 100 us; none of them waits for the NIC. */
static struct lan *lan_of_bursts(int64_t frames, uint32_t datagrams) {
    struct lan *lan = lan_fifo(2, "udp", frames);
    lan->config.nic_full = NIC_FULL_DROP;
    struct flow *f = lan_flow(lan, 0, 1, 2ull * datagrams * 1472, 0);
    f->burst_bytes = datagrams * 1472ull;
    f->rate_bps = (int64_t)datagrams * 1472 * 8 * 10000; /* a burst in 100 us */
    return lan;
}

static uint32_t lan_dropped(const struct lan *lan, enum drop_cause cause) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) n += lan->sent[i].drop == cause;
    return n;
}

/* The queue of 10 frames, of which one is on the wire, takes the first ten of each burst. */
static void drop__frames_that_do_not_fit(void **state) {
    (void)state;
    struct lan *lan = lan_of_bursts(10, 20);
    lan_start(lan);
    lan_run(lan, 0);
    assert_int_equal(lan->n_sent, 20);
    for (uint32_t i = 0; i < 20; i++) assert_int_equal(lan->sent[i].drop, i < 10 ? DROP_NONE : DROP_NIC);
    for (uint32_t i = 0; i < 10; i++) assert_int_equal(lan->sent[i].depart, (i + 1) * FULL * BYTE_PS);
    lan_run(lan, MS);
    assert_int_equal(lan->n_sent, 40);
    assert_int_equal(lan_frame(lan, 0, 20)->depart, 100 * US + FULL * BYTE_PS);
    assert_int_equal(lan_dropped(lan, DROP_NIC), 20);
    assert_int_equal(port_dropped(&lan->port[0], &lan->extra[0], DROP_NIC), 20);
    assert_int_equal(port_dropped_all(&lan->port[0], &lan->extra[0]), 20);
    assert_int_equal(lan->host[0].created, 40);
    lan_end(lan);
}

/* A queue of 10 frames, whatever their size, stands beside the frame on the wire. */
static void drop__frames_beyond_a_number(void **state) {
    (void)state;
    struct lan *lan = lan_of_bursts(0, 20);
    lan->config.nic_queue_frames = 10;
    lan_start(lan);
    lan_run(lan, 99 * US);
    assert_int_equal(lan->n_sent, 20);
    assert_int_equal(lan_dropped(lan, DROP_NIC), 9);
    assert_int_equal(port_dropped(&lan->port[0], &lan->extra[0], DROP_NIC), 9);
    assert_true(port_queue_is_sound(&lan->extra[0], &lan->pool));
    lan_end(lan);
}

/* A burst of more frames than a host hands over at once is still made at one instant. */
static void drop__a_burst_is_made_at_one_instant(void **state) {
    (void)state;
    for (int queues = 0; queues < 2; queues++) {
        struct lan *lan = lan_of_bursts(10, 500);
        if (queues) lan->config.nic_queue_frames = 10;
        lan_start(lan);
        lan_run(lan, 0);
        assert_int_equal(lan_dropped(lan, DROP_NIC), queues ? 489 : 490);
        lan_end(lan);
    }
}

/* The rate changes, the frames that fit do not. */
static void drop__the_same_queue_at_another_rate(void **state) {
    (void)state;
    const struct fabric_event slow[] = {{.at = 50 * US, .kind = EVENT_RATE, .value = GBPS}};
    struct lan *lan = lan_of_bursts(10, 20);
    lan_start(lan);
    lan->host[0].event = slow;
    lan->host[0].event_end = slow + 1;
    lan_run(lan, MS);
    assert_int_equal(lan_dropped(lan, DROP_NIC), 20);
    lan_end(lan);
}

/* The full queue of class 0 leaves class 7 its own; delayed frames count before they reach the queue. */
static void drop__each_class_for_itself(void **state) {
    (void)state;
    for (int delayed = 0; delayed < 2; delayed++) {
        struct lan *lan = lan_of_bursts(10, 20);
        lan->config.classes = 8;
        lan->config.jitter = delayed ? US : 0;
        struct flow *f = lan_flow(lan, 0, 1, 5 * 1472, US);
        f->priority = 7;
        f->burst_bytes = 5 * 1472;
        f->rate_bps = GBPS;
        lan_start(lan);
        lan_run(lan, 50 * US);
        uint32_t wire = delayed ? 0 : 1; /* while all are delayed no frame is on the wire */
        assert_int_equal(lan_dropped(lan, DROP_NIC), 20 - 10 - wire);
        for (uint32_t i = 0; i < 5; i++) assert_int_equal(lan_frame(lan, 1, i)->drop, DROP_NONE);
        lan_end(lan);
    }
}

/* The window of ten segments meets a queue of four frames: a transport that is not held loses six of them, and repairs
 * it. ACKs have room. */
static void drop__tcp_repairs_what_its_own_nic_dropped(void **state) {
    (void)state;
    for (int drops = 0; drops < 2; drops++) {
        struct lan *lan = lan_fifo(2, "newreno", 4);
        lan->config.nic_full = drops ? NIC_FULL_DROP : NIC_FULL_BLOCK;
        lan_flow(lan, 0, 1, 10 * 1460, 0);
        lan_start(lan);
        lan_run(lan, 30 * US);
        assert_int_equal(lan_dropped(lan, DROP_NIC), drops ? 6 : 0);
        lan_run(lan, 100 * MS);
        assert_true(lan->tally[0].finished_at != TIME_NONE);
        assert_int_equal(lan->tally[0].retransmitted_pkts, lan_dropped(lan, DROP_NIC));
        lan_end(lan);
    }
}

/* ---- classes ---- */

static void priority__the_highest_class_first(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    lan_flow(lan, 0, 1, 100 * 1472, 0)->priority = 1;
    lan_flow(lan, 0, 1, 30 * 1472, 20 * US)->priority = 7;
    lan_flow(lan, 0, 1, 30 * 1472, 20 * US)->priority = 3;
    lan_start(lan);
    lan_run(lan, 10 * MS);
    uint32_t first = 0;
    while (lan->sent[first].flow == 0) first++;
    assert_true(lan->sent[first].depart <= 20 * US + 2 * FULL * BYTE_PS);
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(lan->sent[first + i].flow, 1);
        assert_int_equal(lan->sent[first + 30 + i].flow, 2);
    }
    assert_int_equal(lan->sent[first + 60].flow, 0);
    lan_end(lan);
}

/* ---- the host's own link ---- */

static void link__down_up_and_slow(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    const struct fabric_event events[] = {{.at = 100 * US, .kind = EVENT_LINK_DOWN},
                                          {.at = 200 * US, .kind = EVENT_LINK_UP},
                                          {.at = 300 * US, .kind = EVENT_RATE, .value = GBPS}};
    lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = 400 * US;
    lan_start(lan);
    port_set_failure(&lan->port[0], &lan->extra[0], 100 * US);
    lan->host[0].event = events;
    lan->host[0].event_end = events + 3;
    lan_run(lan, 10 * MS);
    uint32_t lost = 0, slow = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) {
        const struct lan_sent *s = &lan->sent[i];
        bool down = s->depart > 100 * US && s->depart - FULL * BYTE_PS < 200 * US;
        assert_int_equal(s->drop, down ? DROP_LINK_DOWN : DROP_NONE);
        lost += down;
        slow += s->depart > 302 * US;
    }
    assert_true(lost > 75 && lost < 85);
    assert_true(slow >= 7 && slow <= 9); /* 12.3 us each */
    lan_end(lan);
}

static void link__dies_again_after_its_repair(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    const struct fabric_event events[] = {{.at = 100 * US, .kind = EVENT_LINK_DOWN},
                                          {.at = 200 * US, .kind = EVENT_LINK_UP},
                                          {.at = 300 * US, .kind = EVENT_LINK_DOWN},
                                          {.at = 400 * US, .kind = EVENT_LINK_UP},
                                          {.at = 500 * US, .kind = EVENT_LINK_DOWN}};
    lan_flow(lan, 0, 1, UINT64_MAX, 0)->stop = 600 * US;
    lan_start(lan);
    port_set_failure(&lan->port[0], &lan->extra[0], 100 * US);
    lan->host[0].event = events;
    lan->host[0].event_end = events + 5;
    lan_run(lan, MS);
    for (uint32_t i = 0; i < lan->n_sent; i++) {
        time_ps sent_at = lan->sent[i].depart - FULL * BYTE_PS, hundreds = lan->sent[i].depart / (100 * US);
        if (sent_at / (100 * US) != hundreds) continue; /* across a change */
        assert_int_equal(lan->sent[i].drop, hundreds % 2 ? DROP_LINK_DOWN : DROP_NONE);
    }
    lan_end(lan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(pull__round_robin),
        UNIT(pull__mice_do_not_wait_behind_a_window),
        UNIT(pull__wakes_only_while_more_is_waiting),
        UNIT(fifo__mice_wait_behind_what_is_queued),
        UNIT(fifo__holds_no_more_than_its_queue_and_drops_nothing),
        UNIT(fifo__the_same_queue_at_another_rate),
        UNIT(drop__frames_that_do_not_fit),
        UNIT(drop__frames_beyond_a_number),
        UNIT(drop__a_burst_is_made_at_one_instant),
        UNIT(drop__the_same_queue_at_another_rate),
        UNIT(drop__each_class_for_itself),
        UNIT(drop__tcp_repairs_what_its_own_nic_dropped),
        UNIT(priority__the_highest_class_first),
        UNIT(link__down_up_and_slow),
        UNIT(stop__in_line_for_the_nic),
        UNIT(link__dies_again_after_its_repair),
    };
    return RUN_UNITS(tests);
}
