/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that runs the NIC of a real host, between two rings. */
#include "nic_stand.h"

#include "live/idle.h"
#include "live/lab/run.h"
#include "live/netns.h"
#include "mech/flowctl/flowctls.h"

#include <poll.h>
#include <time.h>

struct wire {
    struct stand *stand;
    struct live_port *stack, *link; /* the ends of the stack and of the link */
    struct nicd *nicd;
    struct frames frames;
};

/* Starts a NIC; `link` is its port to the link, `far` the other end of that. */
static struct wire *wire_at(const struct flowctl_ops *flow, uint32_t queue_frames, const char *link, const char *far) {
    struct wire *w = calloc(1, sizeof *w);
    struct diag d = {0};
    w->stand = stand_of(flow, 8, queue_frames, NEVER_LATE);
    const struct nicd_setup setup = {.nic = {.fabric = w->stand->fabric, .config = &w->stand->config, .host = HOST},
                                     .stack = "ring:stack",
                                     .link = link};
    w->stack = live_port_open("ring:stack", &d);
    w->link = live_port_open(far, &d);
    w->nicd = nicd_start(&setup, &d);
    assert_non_null(w->nicd);
    frames_init(&w->frames);
    return w;
}

static struct wire *wire_new(const struct flowctl_ops *flow, uint32_t queue_frames) {
    return wire_at(flow, queue_frames, "ring:link", "ring:link");
}

static void wire_end(struct wire *w) {
    live_port_close(w->stack);
    live_port_close(w->link);
    frames_fini(&w->frames);
    stand_end(w->stand);
    free(w);
}

static void wire_send(struct wire *w, uint32_t class, uint32_t number) {
    uint8_t frame[2048];
    size_t n = datagram(frame, class, number, PAYLOAD);
    live_port_send(w->stack, &(struct port_bytes){frame, (uint32_t)n}, 1);
}

static void wire_pause(struct wire *w, struct pause_fields fields) {
    uint8_t frame[2048];
    size_t n = pause_frame(frame, fields);
    live_port_send(w->link, &(struct port_bytes){frame, (uint32_t)n}, 1);
}

/* Waits for a frame at `port`, for ten seconds at most. Returns its index; the caller releases it. */
static uint32_t wire_receive(struct wire *w, struct live_port *port, struct port_arrival *a) {
    for (int tries = 0; tries < 1000; tries++) {
        if (live_port_receive(port, &w->frames, a, 1)) return a->index;
        struct pollfd p = {.fd = port->fd, .events = POLLIN};
        if (live_port_idle(port)) poll(&p, 1, 10);
    }
    fail_msg("nothing came");
    return 0;
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void nicd__carries_both_ways_at_the_rate_of_the_link(void **state) {
    (void)state;
    enum { FRAMES = 400 };
    struct wire *w = wire_new(&flowctl_pfc, 100);
    struct port_arrival a;
    struct nicd_reading r;
    uint8_t frame[2048];
    size_t n = datagram(frame, 0, 7, 100);
    double start = now_s();
    for (uint32_t i = 0; i < FRAMES; i++)
        wire_send(w, 0, i); /* the ring holds the frames that the NIC does not take yet */
    for (uint32_t i = 0; i < FRAMES; i++) {
        uint32_t index = wire_receive(w, w->link, &a);
        assert_int_equal(frames_parse(&w->frames, index, a.captured, a.length), FRAME_OK);
        assert_int_equal(packet_at(&w->frames.pool, index)->seq, i);
        frames_release(&w->frames, index);
    }
    double took = now_s() - start, least = FRAMES * (double)FULL_PS / PS_PER_S;
    assert_true(took >= least - 2 * (double)FULL_PS / PS_PER_S);
    assert_true(took < least + 5);
    live_port_send(w->link, &(struct port_bytes){frame, (uint32_t)n}, 1);
    frames_release(&w->frames, wire_receive(w, w->stack, &a));
    assert_int_equal(a.length, n);
    nicd_read(w->nicd, &r);
    assert_int_equal(r.nic.count.left, FRAMES);
    assert_int_equal(r.nic.count.passed, 1);
    assert_true(r.nic.count.held_back > 0);
    assert_int_equal(nicd_stop(w->nicd), 0);
    wire_end(w);
}

/* A paused NIC keeps its frames; when it is told to stop, it waits for the end of the pause and sends them. */
static void nicd__obeys_and_lets_go(void **state) {
    (void)state;
    struct wire *w = wire_new(&flowctl_pfc, 100);
    struct port_arrival a;
    struct nicd_reading r;
    wire_pause(w, pause_fields_pfc(0xff, 0, PAUSE_QUANTA_MAX)); /* a third of a second */
    do nicd_read(w->nicd, &r);
    while (r.nic.count.pauses == 0);
    for (uint32_t i = 0; i < 50; i++) wire_send(w, i % 8, i);
    do nicd_read(w->nicd, &r);
    while (r.nic.count.taken < 50);
    assert_in_range(r.nic.count.left, 0, 2); /* within the reaction time */
    assert_int_equal(r.nic.paused, 0xff);
    assert_in_range(r.frames_peak, 48, 51);  /* all frames that have not left, and a pause frame */
    assert_int_equal(nicd_stop(w->nicd), 0); /* the pause ends before its patience does */
    for (uint32_t i = 0; i < 50; i++) frames_release(&w->frames, wire_receive(w, w->link, &a));
    wire_end(w);
}

/* The interface of the link is deleted and made again: the NIC takes up the new one by its name. */
static void nicd__follows_the_name_of_its_link(void **state) {
    (void)state;
    netns_enter();
    netns_veth("n0", "n1", 1500);
    struct wire *w = wire_at(&flowctl_pfc, 100, "n0", "n1");
    struct port_arrival a;
    struct diag d = {0};
    for (int round = 0; round < 3; round++) {
        wire_send(w, 0, (uint32_t)round);
        frames_release(&w->frames, wire_receive(w, w->link, &a));
        live_port_close(w->link);
        netns_ip("link del n0");
        usleep(150000);
        netns_veth("n0", "n1", 1500);
        w->link = live_port_open("n1", &d);
        usleep(300000); /* it looks ten times a second */
    }
    assert_int_equal(nicd_stop(w->nicd), 0);
    wire_end(w);
    netns_ip("link del n0");
}

/* A NIC without frames leaves the processor to others, and so does one that is paused. */
static void nicd__waits_when_it_is_idle(void **state) {
    (void)state;
    struct wire *w = wire_new(&flowctl_pfc, 100);
    struct port_arrival a;
    struct nicd_reading r;
    assert_others_wait();
    nicd_read(w->nicd, &r);
    assert_int_equal(r.held, 0);
    assert_true(r.now > 0);
    wire_send(w, 0, 1);
    frames_release(&w->frames, wire_receive(w, w->link, &a));
    wire_pause(w, pause_fields_pfc(0xff, 0, 20000)); /* a tenth of a second */
    do nicd_read(w->nicd, &r);
    while (r.nic.count.pauses == 0);
    wire_send(w, 0, 2);
    long before = idle_waits();
    frames_release(&w->frames, wire_receive(w, w->link, &a));
    assert_true(idle_waits() > before);
    nicd_read(w->nicd, &r);
    assert_int_equal(r.link.tx_frames, 2);
    assert_int_equal(r.link.rx_frames, 1);
    assert_int_equal(r.stack.rx_frames, 2);
    assert_int_equal(r.held, 0);
    assert_int_equal(nicd_stop(w->nicd), 0);
    wire_end(w);
    assert_int_equal(nicd_stop(NULL), 0);
}

/* The queues of the stack's device are made before the NIC runs. A device or a port that is missing is refused. */
static void nicd__has_a_gate_at_the_device_of_the_stack(void **state) {
    (void)state;
    netns_enter();
    struct stand *stand = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    struct diag d = {0};
    struct nicd_setup setup = {.nic = {.fabric = stand->fabric, .config = &stand->config, .host = HOST},
                               .stack = "tap:n9",
                               .device = "n9",
                               .link = "ring:link"};
    struct nicd *s = program_lookup("tc") == 0 ? nicd_start(&setup, &d) : NULL;
    if (!s) {
        stand_end(stand);
        print_message("needs TAP devices and tc\n");
        skip();
    }
    struct nicd_reading r;
    assert_int_equal(system("tc class show dev n9 | grep -q 'class htb 1:8 .* ceil 200Mbit'"), 0);
    assert_others_wait();
    nicd_read(s, &r);
    assert_int_equal(r.gate.halvings + r.gate.refused, 0);
    assert_int_equal(nicd_stop(s), 0);
    setup.device = "none";
    assert_null(nicd_start(&setup, &d));
    assert_non_null(strstr(d.text, "tc: "));
    setup.link = "no:link";
    assert_null(nicd_start(&setup, &d));
    assert_non_null(strstr(d.text, "no:link"));
    stand_end(stand);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(nicd__carries_both_ways_at_the_rate_of_the_link),
        UNIT(nicd__obeys_and_lets_go),
        UNIT(nicd__follows_the_name_of_its_link),
        UNIT(nicd__waits_when_it_is_idle),
        UNIT(nicd__has_a_gate_at_the_device_of_the_stack),
    };
    return RUN_UNITS(tests);
}
