/* SPDX-License-Identifier: Apache-2.0 */
/* TCP frames: handshake, data, ACKs with SACK blocks and stamps, byte by byte. */
#include "golden_frame.h"

static void build__syn(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    p.tcp_flags = TCP_SYN;
    p.seq = 0x01020304;
    p.window = tcp_window(2000000, TCP_SYN);
    p.tos = ECN_ECT0;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 02 0034 0000 4000 40 06 25c0 0a000001 0a000102"
                        "| 9c40 1389 01020304 00000000 80 02 ffff a047 0000"
                        "| 020405b4 0402 030308 000000");
}

static void build__syn_ack(void **state) {
    (void)state;
    struct packet p = from_b_to_a();
    p.tcp_flags = TCP_SYN | TCP_ACK;
    p.seq = 0x11223344;
    p.ack = 0x01020305;
    p.window = tcp_window(2000000, TCP_SYN);
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 00 0034 0000 4000 40 06 25c2 0a000102 0a000001"
                        "| 1389 9c40 11223344 01020305 80 12 ffff 5bd0 0000"
                        "| 020405b4 0402 030308 000000");
}

/* A response on its SYN-ACK (switch.expeditus.carry: handshake): SF 1 and two loads, before the EtherType. */
static void build__syn_ack_with_a_response(void **state) {
    (void)state;
    struct packet p = from_b_to_a();
    struct packet_ext ext = {.tag = {.stage = 1, .entries = 2, .load = {4, 0}}};
    p.tcp_flags = TCP_SYN | TCP_ACK;
    p.seq = 0x11223344;
    p.ack = 0x01020305;
    p.window = tcp_window(2000000, TCP_SYN);
    p.shape = SHAPE_EXPEDITUS;
    assert_frame(&p, &ext,
                 FROM_B "9900 82 40 0800"
                        "| 45 00 0034 0000 4000 40 06 25c2 0a000102 0a000001"
                        "| 1389 9c40 11223344 01020305 80 12 ffff 5bd0 0000"
                        "| 020405b4 0402 030308 000000");
}

static void build__data(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    p.tcp_flags = TCP_ACK;
    p.seq = 0x01020305;
    p.ack = 0x11223345;
    p.window = 8192;
    p.tos = ECN_ECT0;
    p.ttl = 63;
    p.payload_bytes = 10;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 02 0032 0000 4000 3f 06 26c2 0a000001 0a000102"
                        "| 9c40 1389 01020305 11223345 50 10 2000 8290 0000"
                        "| 00000000000000000000");
}

static void build__ack_is_padded(void **state) {
    (void)state;
    struct packet p = from_b_to_a();
    p.tcp_flags = TCP_ACK;
    p.seq = 0x11223345;
    p.ack = 0x01020305;
    p.window = 8192;
    p.ttl = 62;
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 00 0028 0000 4000 3e 06 27ce 0a000102 0a000001"
                        "| 1389 9c40 11223345 01020305 50 10 2000 829a 0000"
                        "| 000000000000");
}

static void build__ack_with_sack(void **state) {
    (void)state;
    struct packet p = from_b_to_a();
    struct packet_ext ext = {.n_sack = 2, .sack = {{0x010208b9, 0x01020e6d}, {0xfffffff0, 0x10}}};
    p.tcp_flags = TCP_ACK | TCP_ECE;
    p.shape = SHAPE_SACK;
    p.seq = 0x11223345;
    p.ack = 0x01020305;
    p.window = 8192;
    p.ttl = 62;
    assert_frame(&p, &ext,
                 FROM_B "0800"
                        "| 45 00 003c 0000 4000 3e 06 27ba 0a000102 0a000001"
                        "| 1389 9c40 11223345 01020305 a0 50 2000 1308 0000"
                        "| 01 01 05 12 010208b9 01020e6d fffffff0 00000010");
}

static void build__stamped_data(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.stamp = 0x0102030405060708};
    p.tcp_flags = TCP_ACK;
    p.shape = SHAPE_STAMP;
    p.seq = 0x01020305;
    p.ack = 0x11223345;
    p.window = 8192;
    p.tos = ECN_ECT0;
    p.ttl = 63;
    p.payload_bytes = 10;
    assert_frame(&p, &ext,
                 FROM_A "0800"
                        "| 45 02 003e 0000 4000 3f 06 26b6 0a000001 0a000102"
                        "| 9c40 1389 01020305 11223345 80 10 2000 010b 0000"
                        "| fd 0c 4458 0102030405060708"
                        "| 00000000000000000000");
}

/* The clocks of hosts may differ, so a one-way delay may be negative: -5000 ps. */
static void build__stamped_ack_with_sack(void **state) {
    (void)state;
    struct packet p = from_b_to_a();
    struct packet_ext ext = {.stamp = -5000, .n_sack = 1, .sack = {{0x010208b9, 0x01020e6d}}};
    p.tcp_flags = TCP_ACK;
    p.shape = SHAPE_SACK | SHAPE_STAMP;
    p.seq = 0x11223345;
    p.ack = 0x01020305;
    p.window = 8192;
    p.ttl = 62;
    assert_frame(&p, &ext,
                 FROM_B "0800"
                        "| 45 00 0040 0000 4000 3e 06 27b6 0a000102 0a000001"
                        "| 1389 9c40 11223345 01020305 b0 10 2000 d56e 0000"
                        "| fd 0c 4458 ffffffffffffec78"
                        "| 01 01 05 0a 010208b9 01020e6d");
}

static void build__foreign_options_become_nops(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    p.tcp_flags = TCP_SYN;
    p.l4_foreign = 24;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 00 002c 0000 4000 40 06 25ca 0a000001 0a000102"
                        "| 9c40 1389 00000000 00000000 60 02 0000 d910 0000 | 01010101 | 0000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(build__syn),
        UNIT(build__syn_ack),
        UNIT(build__syn_ack_with_a_response),
        UNIT(build__data),
        UNIT(build__ack_is_padded),
        UNIT(build__ack_with_sack),
        UNIT(build__stamped_data),
        UNIT(build__stamped_ack_with_sack),
        UNIT(build__foreign_options_become_nops),
    };
    return RUN_UNITS(tests);
}
