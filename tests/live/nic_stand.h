/* SPDX-License-Identifier: Apache-2.0 */
/* The NIC of a real host under a virtual clock: the stack sends frames, the link delivers frames, and tests check which
 * frame leaves at which time. */
#ifndef HEDDLE_TESTS_NIC_STAND_H
#define HEDDLE_TESTS_NIC_STAND_H

#include "live/nicd.h"

#include "fabric/fabric_test.h"
#include "wire/frames.h"

#include <stdlib.h>

#define MBPS 1000000LL
#define RATE (100 * MBPS)
#define DELAY (2 * US)
#define PAYLOAD 1472u
#define FULL_PS (1538 * 8 * PS_PER_S / RATE) /* serialization of a full frame: 123.04 us */
#define QUANTUM (512 * PS_PER_S / RATE)      /* 5.12 us */
#define HOST 1
#define NEVER_LATE PS_PER_S

struct stand {
    struct fabric *fabric;
    struct host_config config;
    struct nic *nic;
    uint32_t next; /* number of the next datagram */
};

static inline struct stand *stand_of(const struct flowctl_ops *flow, uint32_t classes, uint32_t queue_frames,
                                     span_ps make_up) {
    struct stand *x = calloc(1, sizeof *x);
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    spec.host_bps = RATE;
    spec.host_delay = DELAY;
    x->fabric = made(spec);
    x->config = (struct host_config){.classes = classes, .nic_queue_frames = queue_frames, .flow.ops = flow};
    x->nic = nic_create(
        &(struct nic_setup){.fabric = x->fabric, .config = &x->config, .host = HOST, .seed = 1, .make_up = make_up});
    return x;
}

static inline void stand_end(struct stand *x) {
    nic_destroy(x->nic);
    fabric_destroy(x->fabric);
    free(x);
}

/* Writes a datagram of a class with a number; returns its length. */
static inline size_t datagram(uint8_t *frame, uint32_t class, uint32_t number, uint32_t payload) {
    struct packet p = blank_packet(PROTO_UDP);
    p.tos = (uint8_t)(class << 5);
    p.seq = number;
    p.payload_bytes = (uint16_t)payload;
    return frame_build(&p, NULL, mac_a, mac_b, frame, 2048);
}

static inline void put(struct stand *x, time_ps now, const uint8_t *frame, size_t n) {
    uint8_t *at;
    uint32_t index = frames_take(nic_frames(x->nic), n, &at);
    memcpy(at, frame, n);
    nic_send(x->nic, now, index, n, n);
}

/* Sends `n` full frames of a class at once; fails the test if the NIC does not take them. */
static inline void put_full(struct stand *x, time_ps now, uint32_t class, uint32_t n) {
    uint8_t frame[2048];
    for (; n > 0; n--) {
        assert_true(nic_takes(x->nic));
        put(x, now, frame, datagram(frame, class, x->next++, PAYLOAD));
    }
}

static inline bool receive(struct stand *x, time_ps now, const uint8_t *frame, size_t n) {
    uint8_t *at;
    uint32_t index = frames_take(nic_frames(x->nic), n, &at);
    memcpy(at, frame, n);
    bool passes = nic_receive(x->nic, now, index, n, n);
    if (passes) frames_release(nic_frames(x->nic), index);
    return passes;
}

static inline size_t pause_frame(uint8_t *frame, struct pause_fields fields) {
    struct packet p = pause_packet(0);
    struct packet_ext ext = {.pause = fields};
    return frame_build(&p, &ext, mac_b, mac_a, frame, 2048);
}

static inline void pause_comes(struct stand *x, time_ps now, struct pause_fields fields) {
    uint8_t frame[2048];
    assert_false(receive(x, now, frame, pause_frame(frame, fields)));
}

/* Class and number of a datagram that left. */
struct sent {
    uint32_t class, number;
};

static inline struct sent sent_of(const struct port_bytes *b) {
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    assert_int_equal(frame_parse(b->at, b->bytes, b->bytes, &p, &ext, &info), FRAME_OK);
    assert_int_equal(info.check, L4_GOOD);
    return (struct sent){p.tos >> 5, p.seq};
}

/* Runs until `until` and removes the first frame that has arrived at the far end by then. Returns false if there is
 * none. */
static inline bool departs(struct stand *x, time_ps until, struct sent *sent) {
    struct port_bytes out;
    nic_until(x->nic, until);
    if (nic_departing_burst(x->nic, until, &out, 1) == 0) return false;
    *sent = sent_of(&out);
    nic_departed(x->nic);
    return true;
}

/* Fails the test unless the next frame arrives exactly at `at` and has this class and number. */
static inline void assert_departs(struct stand *x, time_ps at, uint32_t class, uint32_t number) {
    struct sent sent;
    assert_false(departs(x, at - 1, &sent));
    assert_true(departs(x, at, &sent));
    assert_int_equal(sent.class, class);
    assert_int_equal(sent.number, number);
}

#endif
