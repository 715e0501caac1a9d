/* SPDX-License-Identifier: Apache-2.0 */
/* TCP and UDP headers: lengths, checksums, and the options of other senders. */
#include "specimen.h"

/* ---- lengths ---- */

static void parse__l4_length(void **state) {
    (void)state;
    assert_int_equal(parse_with_ip_byte(3, 39), FRAME_L4_LENGTH);
    struct specimen s = udp_specimen();
    s.bytes[IP + 3] = 27;
    mend_ip_checksum(&s);
    assert_int_equal(parse(&s), FRAME_L4_LENGTH);
}

static void parse__tcp_header_length(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    s.bytes[L4 + 12] = 4 << 4;
    assert_int_equal(parse(&s), FRAME_TCP_HEADER_LENGTH);
    s.bytes[L4 + 12] = 6 << 4;
    s.bytes[IP + 3] = 43;
    mend_ip_checksum(&s);
    assert_int_equal(parse(&s), FRAME_TCP_HEADER_LENGTH);
    s.bytes[IP + 3] = 44;
    mend_ip_checksum(&s);
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.payload_bytes, 0);
}

static void parse__udp_length(void **state) {
    (void)state;
    struct specimen s = udp_specimen();
    put_be16(s.bytes + L4 + 4, 7);
    assert_int_equal(parse(&s), FRAME_UDP_LENGTH);
    put_be16(s.bytes + L4 + 4, 109);
    assert_int_equal(parse(&s), FRAME_UDP_LENGTH);
    put_be16(s.bytes + L4 + 4, 8); /* bytes behind the datagram count as payload */
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.payload_bytes, 100);
}

/* ---- checksums ---- */

static void parse__l4_checksum_is_flagged(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    s.bytes[L4 + 50]++;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.info.check, L4_BAD);
    s = udp_specimen();
    put_be16(s.bytes + L4 + 6, 0);
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.info.check, L4_ABSENT);
}

/* frame_parse_headers, which switches use, does not check the payload; every other result is the same. */
static void parse_headers__leaves_the_payload_alone(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    s.bytes[L4 + 50]++;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(frame_parse_headers(s.bytes, s.captured, s.original, &p, &ext, &info), FRAME_OK);
    assert_int_equal(info.check, L4_UNKNOWN);
    info.check = s.info.check;
    assert_memory_equal(&info, &s.info, sizeof info);
    assert_memory_equal(&p, &s.p, sizeof p);
    s.bytes[IP + 10]++;
    assert_int_equal(frame_parse_headers(s.bytes, s.captured, s.original, &p, &ext, &info), FRAME_IP_CHECKSUM);
}

/* Bytes behind the datagram are not covered by its checksum. */
static void parse__udp_checksum_ends_with_the_datagram(void **state) {
    (void)state;
    struct specimen s = udp_specimen();
    put_be16(s.bytes + L4 + 4, UDP_HEADER_BYTES + 40);
    put_be16(s.bytes + L4 + 6, 0);
    uint32_t sum = checksum_pseudo(IP_A, IP_B, PROTO_UDP, UDP_HEADER_BYTES + 40);
    put_be16(s.bytes + L4 + 6, checksum_finish(checksum_add(sum, s.bytes + L4, UDP_HEADER_BYTES + 40)));
    for (size_t i = L4 + UDP_HEADER_BYTES + 40; i < s.captured; i++) s.bytes[i] = (uint8_t)i;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.info.check, L4_GOOD);
    s.bytes[L4 + UDP_HEADER_BYTES + 39] ^= 1;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.info.check, L4_BAD);
}

/* ---- options ---- */

/* A SYN of Linux: timestamps, scale 7, window 64,240, and an IP-ID. */
static void parse__foreign_syn(void **state) {
    (void)state;
    struct specimen s = {0};
    s.captured = s.original =
        from_hex("020000000200 020000000100 0800 4500 003c b1e6 4000 4006 73d4 0a000001 0a000102"
                 "9c40 0050 00000001 00000000 a002 faf0 0000 0000 020405b4 0402 080a 11111111 00000000 01 030307",
                 s.bytes);
    mend_ip_checksum(&s);
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.l4_foreign, 40);
    assert_int_equal(s.p.shape, 0);
    assert_int_equal(s.p.window, 251); /* 64,240 / 256, rounded up */
    assert_int_equal(s.p.payload_bytes, 0);
    assert_int_equal(s.p.wire_bytes, 98);
    assert_int_equal(packet_computed_wire_bytes(&s.p, &s.ext), 98);
}

/* Options that differ from heddle's in one byte are foreign, whatever the byte. */
static void parse__almost_our_options_are_foreign(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.n_sack = 1, .sack = {{5, 9}}};
    p.tcp_flags = TCP_ACK;
    p.shape = SHAPE_SACK;
    for (size_t at = 20; at < 24; at++) {
        struct specimen s = specimen_of(&p, &ext);
        s.bytes[L4 + at] ^= 2;
        assert_int_equal(parse(&s), FRAME_OK);
        assert_int_equal(s.p.l4_foreign, 32);
        assert_int_equal(s.p.shape, 0);
    }
    p.shape = 0;
    p.tcp_flags = TCP_SYN;
    for (size_t at = 20; at < 32; at++) {
        struct specimen s = specimen_of(&p, &ext);
        s.bytes[L4 + at] ^= 1;
        assert_int_equal(parse(&s), FRAME_OK);
        assert_int_equal(s.p.l4_foreign, 32);
    }
}

/* An option with another kind, length or ExID is not heddle's stamp; neither is a stamp behind SACK blocks, nor a
 * second one. */
static void parse__almost_our_stamp_is_foreign(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.stamp = 77};
    p.tcp_flags = TCP_ACK;
    p.shape = SHAPE_STAMP;
    for (size_t at = 20; at < 32; at++) {
        struct specimen s = specimen_of(&p, &ext);
        s.bytes[L4 + at] ^= 1;
        assert_int_equal(parse(&s), FRAME_OK);
        assert_int_equal(s.p.l4_foreign, at < 24 ? 32 : 0);
        assert_int_equal(s.p.shape, at < 24 ? 0 : SHAPE_STAMP);
    }
    p.shape = SHAPE_STAMP | SHAPE_SACK;
    ext.n_sack = 1;
    struct specimen twice = specimen_of(&p, &ext), swapped = twice;
    memcpy(twice.bytes + L4 + 32, twice.bytes + L4 + 20, 12);
    memcpy(swapped.bytes + L4 + 20, swapped.bytes + L4 + 32, 12);
    memcpy(swapped.bytes + L4 + 32, twice.bytes + L4 + 20, 12);
    assert_int_equal(parse(&twice), FRAME_OK);
    assert_int_equal(twice.p.l4_foreign, 44);
    assert_int_equal(parse(&swapped), FRAME_OK);
    assert_int_equal(swapped.p.l4_foreign, 44);
    assert_int_equal(swapped.p.shape, 0);
}

/* A stamp that the header length cuts short is foreign. */
static void parse__a_cut_stamp_is_foreign(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.stamp = 77};
    p.tcp_flags = TCP_ACK;
    p.shape = SHAPE_STAMP;
    p.payload_bytes = 100;
    struct specimen s = specimen_of(&p, &ext);
    s.bytes[L4 + 12] = 7 << 4;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.l4_foreign, 28);
    assert_int_equal(s.p.payload_bytes, 104);
    assert_int_equal(s.p.shape, 0);
}

/* The window of a SYN that heddle built does not change when the frame is parsed. */
static void parse__syn_window_is_stable(void **state) {
    (void)state;
    const uint64_t windows[] = {0, 1, 255, 256, 65280, 65535, 65536, 2000000};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        struct packet p = blank_packet(PROTO_TCP);
        p.tcp_flags = TCP_SYN;
        p.window = tcp_window(windows[i], TCP_SYN);
        struct specimen s = specimen_of(&p, NULL);
        assert_int_equal(parse(&s), FRAME_OK);
        assert_int_equal(s.p.window, p.window);
        assert_int_equal(get_be16(s.bytes + L4 + 14), windows[i] >= 65536 ? 65535 : windows[i] / 256 * 256);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(parse__l4_length),
        UNIT(parse__tcp_header_length),
        UNIT(parse__udp_length),
        UNIT(parse__l4_checksum_is_flagged),
        UNIT(parse_headers__leaves_the_payload_alone),
        UNIT(parse__foreign_syn),
        UNIT(parse__almost_our_options_are_foreign),
        UNIT(parse__almost_our_stamp_is_foreign),
        UNIT(parse__a_cut_stamp_is_foreign),
        UNIT(parse__syn_window_is_stable),
        UNIT(parse__udp_checksum_ends_with_the_datagram),
    };
    return RUN_UNITS(tests);
}
