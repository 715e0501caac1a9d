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
        UNIT(priority__the_highest_class_first),
        UNIT(link__down_up_and_slow),
        UNIT(stop__in_line_for_the_nic),
        UNIT(link__dies_again_after_its_repair),
    };
    return RUN_UNITS(tests);
}
