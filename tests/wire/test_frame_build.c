/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of every protocol: full ones, snaps, what frame_build refuses, and random descriptors that come back. */
#include "golden_frame.h"

/* 1,460 B of payload: the 1,538 B of a full frame on the wire (SC-1, XP-2). */
static void build__full_frame(void **state) {
    (void)state;
    uint8_t buf[2048];
    struct packet p = blank_packet(PROTO_TCP);
    p.payload_bytes = 1460;
    assert_int_equal(frame_build(&p, NULL, mac_a, mac_b, buf, sizeof buf), 1514);
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1538);
    p.proto = PROTO_CREDIT;
    p.tcp_flags = CREDIT_DATA;
    assert_int_equal(frame_build(&p, NULL, mac_a, mac_b, buf, sizeof buf), 1514);
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1538);
}

static void build__small_buffer_makes_a_snap(void **state) {
    (void)state;
    uint8_t whole[2048], snap[2048];
    struct packet p = blank_packet(PROTO_TCP);
    p.payload_bytes = 1000;
    assert_int_equal(frame_build(&p, NULL, mac_a, mac_b, whole, sizeof whole), 1054);
    for (size_t size = 0; size < 130; size++) {
        memset(snap, 0xee, sizeof snap);
        assert_int_equal(frame_build(&p, NULL, mac_a, mac_b, snap, size), 1054);
        assert_memory_equal(snap, whole, size);
        assert_int_equal(snap[size], 0xee);
    }
}

static void build__udp_checksum_is_never_zero(void **state) {
    (void)state;
    uint8_t buf[64];
    struct packet p = small_udp();
    p.seq = 7 + 0x3aff; /* makes the sum ffff and its complement 0 */
    frame_build(&p, NULL, mac_a, mac_b, buf, sizeof buf);
    assert_int_equal(buf[40] << 8 | buf[41], 0xffff);
}

static void build__refuses_what_no_frame_can_say(void **state) {
    (void)state;
    uint8_t buf[256];
    struct packet p = blank_packet(1);
    struct packet_ext ext = {.n_sack = 5};
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p = blank_packet(PROTO_TCP);
    p.shape = SHAPE_SACK;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p.shape = SHAPE_SACK | SHAPE_STAMP;
    ext.n_sack = TCP_SACK_MAX; /* 48 bytes of options */
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p.shape = SHAPE_STAMP;
    p.tcp_flags = TCP_SYN;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p.tcp_flags = 0;
    p.proto = PROTO_UDP;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p.shape = SHAPE_OPAQUE | SHAPE_STAMP;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p.proto = PROTO_TCP;
    p.shape = 0;
    p.l4_foreign = 22;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p.l4_foreign = 0;
    p.payload_bytes = FRAME_MAX_BYTES - 54;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), FRAME_MAX_BYTES);
    p.payload_bytes++;
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
    p = small_udp();
    p.shape = SHAPE_EXPEDITUS;
    ext.tag = (struct expeditus_tag){.entries = 1, .load = {8}};
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), 0);
}

/* frame_parse undoes frame_build for any descriptor, and the length of the frame follows the size rule. */
static void build__any_descriptor_comes_back(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 3, RANDOM_HASH, 0);
    for (int i = 0; i < 10000; i++) {
        uint8_t buf[2048];
        struct packet_ext ext;
        struct packet p = random_packet(&r, &ext);
        size_t n = frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf);
        assert_int_equal(n, packet_ethernet_bytes(&p, &ext) - FRAME_UNSEEN_BYTES);
        assert_parses_to(buf, n, &p, &ext);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(build__full_frame),
        UNIT(build__small_buffer_makes_a_snap),
        UNIT(build__udp_checksum_is_never_zero),
        UNIT(build__refuses_what_no_frame_can_say),
        UNIT(build__any_descriptor_comes_back),
    };
    return RUN_UNITS(tests);
}
