/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/frame_size.h"

#include "unit.h"

#include "wire/frame.h"

static void tcp_header_bytes__each_kind_of_segment(void **state) {
    (void)state;
    assert_int_equal(tcp_header_bytes(TCP_ACK, 0), 20);
    assert_int_equal(tcp_header_bytes(TCP_SYN, 0), 32);
    assert_int_equal(tcp_header_bytes(TCP_SYN | TCP_ACK, 0), 32);
    assert_int_equal(tcp_header_bytes(TCP_ACK, 1), 32);
    assert_int_equal(tcp_header_bytes(TCP_ACK, 3), 48);
    assert_int_equal(tcp_header_bytes(TCP_ACK, 4), 56);
}

static void tcp_window__scaled_unless_syn(void **state) {
    (void)state;
    assert_int_equal(tcp_window(2000000, TCP_ACK), 7812);
    assert_int_equal(tcp_window(UINT64_MAX, TCP_ACK), UINT16_MAX);
    assert_int_equal(tcp_window(2000000, TCP_SYN | TCP_ACK), 256);
    assert_int_equal(tcp_window(1000, TCP_SYN), 3);
}

static void wire_bytes__minimum_and_full_frame(void **state) {
    (void)state;
    struct packet p = {.proto = PROTO_TCP, .tcp_flags = TCP_ACK};
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 84);
    p.payload_bytes = 1460;
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1538);
    p.shape = SHAPE_CONGA;
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1542);
    p = (struct packet){.proto = PROTO_UDP, .payload_bytes = 1472};
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1538);
}

/* The kind of a credit equals the SYN flag (both are 2) but is not read as one: 84 bytes. A full data frame is as long
 * as TCP's. */
static void wire_bytes__credits(void **state) {
    (void)state;
    struct packet p = {.proto = PROTO_CREDIT, .tcp_flags = CREDIT_GRANT, .shape = SHAPE_CREDIT, .wire_bytes = 84};
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 84);
    packet_retag(&p, 0, 7);
    assert_int_equal(p.wire_bytes, 85);
    p = (struct packet){.proto = PROTO_CREDIT, .tcp_flags = CREDIT_DATA | CREDIT_LAST, .payload_bytes = 1460};
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1538);
}

/* Credits of every size get tags and lose them again; their size is the same afterwards. */
static void retag__credits_keep_their_size(void **state) {
    (void)state;
    for (uint32_t size = 64; size <= 104; size++)
        for (uint32_t a = 0; a < 24; a++)
            for (uint32_t b = 0; b < 24; b++) {
                struct packet p = {.proto = PROTO_CREDIT,
                                   .tcp_flags = CREDIT_GRANT,
                                   .shape = SHAPE_CREDIT,
                                   .wire_bytes = (uint16_t)size};
                packet_retag(&p, 0, a);
                assert_int_equal(p.wire_bytes, size + (size > 84 ? a : a > 6 ? a - 6 : 0));
                packet_retag(&p, a, b);
                packet_retag(&p, b, 0);
                assert_int_equal(p.wire_bytes, size);
            }
}

/* An ACK has 6 bytes of padding: a tag of 5 bytes fits into it, one of 7 makes the frame one byte longer. */
static void retag__fills_padding_first(void **state) {
    (void)state;
    struct packet p = {.proto = PROTO_TCP, .tcp_flags = TCP_ACK, .wire_bytes = 84};
    packet_retag(&p, 0, 5);
    assert_int_equal(p.wire_bytes, 84);
    packet_retag(&p, 5, 7);
    assert_int_equal(p.wire_bytes, 85);
    packet_retag(&p, 7, 6);
    assert_int_equal(p.wire_bytes, 84);
    packet_retag(&p, 6, 0);
    assert_int_equal(p.wire_bytes, 84);
}

static void retag__full_frame_grows(void **state) {
    (void)state;
    struct packet p = {.proto = PROTO_TCP, .tcp_flags = TCP_ACK, .wire_bytes = 1538, .payload_bytes = 1460};
    packet_retag(&p, 0, 6);
    assert_int_equal(p.wire_bytes, 1544);
    packet_retag(&p, 6, 0);
    assert_int_equal(p.wire_bytes, 1538);
}

/* A SYN with nothing but an MSS option: 58 bytes and 2 of padding. */
static void retag__foreign_header(void **state) {
    (void)state;
    struct packet p = {.proto = PROTO_TCP, .tcp_flags = TCP_SYN, .l4_foreign = 24, .wire_bytes = 84};
    packet_retag(&p, 0, 5);
    assert_int_equal(p.wire_bytes, 87);
    packet_retag(&p, 5, 0);
    assert_int_equal(p.wire_bytes, 84);
}

/* A full stamped frame of 1448 bytes is as long as a plain one of 1460. */
static void packet_l4_bytes__a_stamp_takes_twelve(void **state) {
    (void)state;
    struct packet p = {.proto = PROTO_TCP, .tcp_flags = TCP_ACK, .shape = SHAPE_STAMP, .payload_bytes = 1448};
    struct packet_ext ext = {.n_sack = 3};
    assert_int_equal(packet_l4_bytes(&p, NULL), 32);
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 1538);
    p.shape |= SHAPE_SACK;
    assert_int_equal(packet_l4_bytes(&p, &ext), 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tcp_header_bytes__each_kind_of_segment),
        UNIT(packet_l4_bytes__a_stamp_takes_twelve),
        UNIT(tcp_window__scaled_unless_syn),
        UNIT(wire_bytes__minimum_and_full_frame),
        UNIT(wire_bytes__credits),
        UNIT(retag__credits_keep_their_size),
        UNIT(retag__fills_padding_first),
        UNIT(retag__full_frame_grows),
        UNIT(retag__foreign_header),
    };
    return RUN_UNITS(tests);
}
