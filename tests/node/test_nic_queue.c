/* SPDX-License-Identifier: Apache-2.0 */
/* The queues of a NIC (host.nic: fifo, AM-14): one per class of the switches, higher classes first, sized in
 * bytes or frames. A full queue holds the transports back and drops nothing. */
#include "node/lan.h"

#include "mech/transport/tcp.h"
#include "transport_rows.h"

static struct lan *lan_queues(uint32_t hosts, const char *transport, uint32_t classes, int64_t bytes, uint32_t frames) {
    struct lan *lan = lan_new(hosts, transport);
    lan->config.nic = NIC_FIFO;
    lan->config.classes = classes;
    lan->config.nic_queue_bytes = bytes;
    lan->config.nic_queue_frames = frames;
    return lan;
}

/* Returns the number of frames queued behind the one on the wire. */
static uint32_t queued(const struct lan *lan, uint32_t host, uint32_t class) {
    return lan->host[host].queued_frames[class];
}

/* ---- how much ---- */

static void frames__as_many_as_given_whatever_their_size(void **state) {
    (void)state;
    static const uint32_t payload[] = {100, 1472};
    for (int i = 0; i < 2; i++) {
        struct lan *lan = lan_queues(2, "udp", 1, 0, 100);
        for (uint32_t f = 0; f < 300; f++) lan_flow(lan, 0, 1, payload[i], 0);
        lan_start(lan);
        lan_run(lan, 1);
        assert_int_equal(lan->n_sent, 1);
        assert_int_equal(queued(lan, 0, 0), 100);
        lan_run(lan, 10 * MS);
        assert_int_equal(lan->n_sent, 300);
        assert_int_equal(queued(lan, 0, 0), 0);
        for (uint32_t n = 0; n < 300; n++) assert_int_equal(lan->sent[n].drop, DROP_NONE);
        lan_end(lan);
    }
}

static void bytes__hold_more_small_frames(void **state) {
    (void)state;
    struct lan *lan = lan_queues(2, "udp", 2, 5 * 1518, 0);
    for (uint32_t f = 0; f < 200; f++) lan_flow(lan, 0, 1, 100, 0);
    lan_start(lan);
    lan_run(lan, 1);
    assert_in_range(queued(lan, 0, 0), (4 * 1518) / 146, (5 * 1518) / 146);
    lan_end(lan);
}

/* A queue has room for the largest frame of the transports, so larger frames close it earlier. */
static void bytes__leave_room_for_the_largest_frame(void **state) {
    (void)state;
    struct lan *lan = lan_queues(2, "udp", 2, 20000, 0);
    lan->config.frame_bytes = 9018;
    lan_flow(lan, 0, 1, 200 * 1472, 0);
    lan_start(lan);
    lan_run(lan, 1);
    assert_int_equal(queued(lan, 0, 0), (20000 - 9018) / 1518 + 1);
    lan_end(lan);
}

/* ---- classes ---- */

/* Each class has a queue of the given size; the higher class goes first and passes queued frames of the lower. */
static void classes__a_queue_each_the_higher_first(void **state) {
    (void)state;
    struct lan *lan = lan_queues(2, "udp", 8, 0, 10);
    lan_flow(lan, 0, 1, 100 * 1472, 0)->priority = 1;
    lan_flow(lan, 0, 1, 30 * 1472, 20 * US)->priority = 7;
    lan_start(lan);
    lan_run(lan, 20 * US);
    assert_int_equal(queued(lan, 0, 1), 10);
    assert_int_equal(queued(lan, 0, 7), 10);
    lan_run(lan, 10 * MS);
    assert_int_equal(lan->n_sent, 130);
    uint32_t first = 0;
    while (lan->sent[first].flow == 0) first++;
    assert_true(lan->sent[first].depart <= 20 * US + 2 * FULL * BYTE_PS);
    for (uint32_t i = 0; i < 30; i++) assert_int_equal(lan->sent[first + i].flow, 1);
    lan_end(lan);
}

/* As in a switch with two classes, priorities 1 to 7 share the upper one. */
static void classes__as_the_switch_has_them(void **state) {
    (void)state;
    struct lan *lan = lan_queues(2, "udp", 2, 0, 50);
    for (uint32_t f = 0; f < 3; f++) lan_flow(lan, 0, 1, 40 * 1472, 0)->priority = (uint8_t)(3 * f);
    lan_start(lan);
    lan_run(lan, 1);
    assert_int_equal(queued(lan, 0, 0), 40 - 1);
    assert_int_equal(queued(lan, 0, 1), 50);
    lan_end(lan);
}

/* ---- a full queue ---- */

/* A full queue holds TCP's window back, but a FIN of a finished flow still enters. */
static void full__holds_the_transport_and_drops_nothing(void **state) {
    (void)state;
    for (uint32_t classes = 1; classes <= 8; classes += 7) {
        struct lan *lan = lan_queues(3, "newreno", classes, classes > 1 ? 0 : 3 * 1518, classes > 1 ? 3 : 0);
        assert_true(row_set(lan->config.transport[0], lan->params[0], "fin", 1));
        for (uint32_t f = 0; f < 40; f++) lan_flow(lan, 0, 1 + f % 2, 50000, f * US);
        lan_start(lan);
        lan_run(lan, 20 * MS);
        for (uint32_t f = 0; f < 40; f++) assert_true(lan->tally[f].finished_at != TIME_NONE);
        for (uint32_t n = 0; n < lan->n_sent; n++) assert_int_equal(lan->sent[n].drop, DROP_NONE);
        lan_end(lan);
    }
}

/* Frames are stamped when they enter the queue, so the sender's round trip includes its own queue. */
static void rtt__counts_the_queue(void **state) {
    (void)state;
    span_ps first[2];
    for (int fifo = 0; fifo < 2; fifo++) {
        struct lan *lan = lan_queues(3, "newreno", 1, 0, 100);
        lan->config.nic = fifo ? NIC_FIFO : NIC_PULL;
        lan_transport(lan, "udp");
        lan_flow(lan, 0, 1, 400 * 1472, 0)->transport = 1;
        lan_flow(lan, 0, 2, 1460, 300 * US);
        lan_start(lan);
        lan_run(lan, 10 * MS);
        first[fifo] = lan->tally[1].finished_at - 300 * US;
        lan_end(lan);
    }
    /* SYN and data each wait for 100 full frames, 123 us */
    assert_true(first[0] < 30 * US);
    assert_in_range(first[1], 123 * US, 260 * US);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(frames__as_many_as_given_whatever_their_size),
        UNIT(bytes__hold_more_small_frames),
        UNIT(bytes__leave_room_for_the_largest_frame),
        UNIT(classes__a_queue_each_the_higher_first),
        UNIT(classes__as_the_switch_has_them),
        UNIT(full__holds_the_transport_and_drops_nothing),
        UNIT(rtt__counts_the_queue),
    };
    return RUN_UNITS(tests);
}
