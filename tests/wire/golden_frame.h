/* SPDX-License-Identifier: Apache-2.0 */
/* Golden frames: a descriptor, and its frame written out byte by byte. */
#ifndef HEDDLE_TESTS_WIRE_GOLDEN_FRAME_H
#define HEDDLE_TESTS_WIRE_GOLDEN_FRAME_H

#include "wire/frame.h"

#include "frames.h"

#define FROM_A "020000000200 020000000100 "
#define FROM_B "020000000100 020000000200 "

static inline struct packet from_b_to_a(void) {
    struct packet p = blank_packet(PROTO_TCP);
    p.src_ip = IP_B;
    p.dst_ip = IP_A;
    p.src_port = 5001;
    p.dst_port = 40000;
    return p;
}

static inline struct packet small_udp(void) {
    struct packet p = blank_packet(PROTO_UDP);
    p.payload_bytes = 6;
    p.seq = 7;
    return p;
}

static inline void assert_parses_to(const uint8_t *frame, size_t n, const struct packet *p,
                                    const struct packet_ext *ext) {
    struct packet back;
    struct packet_ext back_ext;
    struct frame_info info;
    assert_int_equal(frame_parse(frame, n, n, &back, &back_ext, &info), FRAME_OK);
    assert_memory_equal(&back, p, sizeof back);
    if (ext) assert_same_ext(p, &back_ext, ext);
    assert_int_equal(info.check, p->shape & SHAPE_OPAQUE ? L4_ABSENT : L4_GOOD);
    assert_int_equal(info.original, n);
}

/* Asserts that frame_build gives these bytes and that they parse back. Sets p->wire_bytes by the size rule, which must
 * agree with the bytes. */
static inline void assert_frame(struct packet *p, const struct packet_ext *ext, const char *hex) {
    uint8_t expected[2048], buf[2048];
    size_t n = from_hex(hex, expected);
    bool from_a = p->src_ip == IP_A;
    if (!(p->shape & SHAPE_CREDIT)) p->wire_bytes = packet_computed_wire_bytes(p, ext);
    assert_int_equal(frame_build(p, ext, from_a ? mac_a : mac_b, from_a ? mac_b : mac_a, buf, sizeof buf), n);
    assert_memory_equal(buf, expected, n);
    assert_int_equal(packet_ethernet_bytes(p, ext), n + FRAME_UNSEEN_BYTES);
    assert_parses_to(buf, n, p, ext);
}

#endif
