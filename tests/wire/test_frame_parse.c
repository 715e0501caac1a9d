/* SPDX-License-Identifier: Apache-2.0 */
/* The frame, its tags and its IPv4 header: lengths, snaps, and every way frame_parse refuses them. */
#include "specimen.h"

/* A request with its tag at byte 12: TPID, SF and NoE at 14, loads from 15. */
static struct specimen tagged_specimen(uint8_t entries) {
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.tag.entries = entries};
    p.shape = SHAPE_EXPEDITUS;
    p.payload_bytes = 100;
    return specimen_of(&p, &ext);
}

/* ---- length and snaps ---- */

static void parse__truncated(void **state) {
    (void)state;
    assert_int_equal(parse_cut(tcp_specimen(), 0, 0), FRAME_TRUNCATED);
    assert_int_equal(parse_cut(tcp_specimen(), 13, 13), FRAME_TRUNCATED);
    assert_int_equal(parse_cut(tcp_specimen(), 33, 33), FRAME_TRUNCATED);
    assert_int_equal(parse_cut(tagged_specimen(4), 14, 14), FRAME_TRUNCATED);
}

static void parse__truncated_behind_ip_is_a_wrong_ip_length(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    assert_int_equal(parse_cut(s, s.original - 1, s.original - 1), FRAME_IP_LENGTH);
    assert_int_equal(parse_cut(s, 40, 40), FRAME_IP_LENGTH);
}

/* A snap that holds all headers parses; one byte less is FRAME_SNAPPED. */
static void parse__snap(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    for (size_t captured = 0; captured <= s.original; captured++)
        assert_int_equal(parse_cut(s, captured, s.original), captured < L4 + 20 ? FRAME_SNAPPED : FRAME_OK);
    s = udp_specimen();
    for (size_t captured = 0; captured <= s.original; captured++)
        assert_int_equal(parse_cut(s, captured, s.original), captured < L4 + 8 ? FRAME_SNAPPED : FRAME_OK);
    s = credit_specimen(CREDIT_DATA, 100);
    for (size_t captured = 0; captured <= s.original; captured++)
        assert_int_equal(parse_cut(s, captured, s.original), captured < L4 + 20 ? FRAME_SNAPPED : FRAME_OK);
    s = tagged_specimen(64);
    for (size_t captured = 0; captured <= s.original; captured++)
        assert_int_equal(parse_cut(s, captured, s.original), captured < L4 + 35 + 20 ? FRAME_SNAPPED : FRAME_OK);
}

static void parse__snap_keeps_sizes(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    s.captured = 64;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.payload_bytes, 100);
    assert_int_equal(s.p.wire_bytes, 154 + FRAME_UNSEEN_BYTES);
    assert_int_equal(s.info.captured, 64);
    assert_int_equal(s.info.original, 154);
    assert_int_equal(s.info.check, L4_UNKNOWN);
}

static void parse__too_long(void **state) {
    (void)state;
    assert_int_equal(parse_cut(tcp_specimen(), 154, FRAME_MAX_BYTES), FRAME_OK);
    assert_int_equal(parse_cut(tcp_specimen(), 154, FRAME_MAX_BYTES + 1), FRAME_TOO_LONG);
}

/* Captures on a sender show frames without their padding; the size rule counts them as padded. */
static void parse__unpadded_frame_counts_as_padded(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    struct specimen s = specimen_of(&p, NULL);
    s.captured = s.original = 54;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.wire_bytes, WIRE_MIN_BYTES);
}

/* ---- tags ---- */

static void parse__bad_expeditus_tags(void **state) {
    (void)state;
    struct specimen s = tagged_specimen(4);
    s.bytes[14] = 0x7f; /* 127 entries reach to byte 79 */
    assert_int_equal(parse_cut(s, 78, 78), FRAME_TAG_NOE);
    assert_int_equal(parse_cut(s, 78, 79), FRAME_SNAPPED);
    s = tagged_specimen(4);
    s.bytes[16] = 0x08;
    assert_int_equal(parse(&s), FRAME_TAG_RESERVED);
    s = tagged_specimen(3);
    s.bytes[16] = 0x01;
    assert_int_equal(parse(&s), FRAME_TAG_PADDING);
}

static void parse__bad_conga_tags(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_UDP);
    p.shape = SHAPE_CONGA;
    struct specimen s = specimen_of(&p, NULL);
    assert_int_equal(parse(&s), FRAME_OK);
    s.bytes[15] = 1;
    assert_int_equal(parse(&s), FRAME_OVERLAY_RESERVED);
    assert_int_equal(parse_cut(s, 15, 15), FRAME_TRUNCATED);
    assert_int_equal(parse_cut(s, 15, 60), FRAME_SNAPPED);
}

/* Parses a frame with these bytes as its tags and a good IPv4 packet behind them. */
static enum frame_error parse_with_tags(const char *hex) {
    struct specimen good = tcp_specimen(), s = good;
    size_t n = from_hex(hex, s.bytes + 12);
    memcpy(s.bytes + 12 + n, good.bytes + 12, good.original - 12);
    s.captured = s.original = good.original + n;
    return parse(&s);
}

static void parse__tag_order(void **state) {
    (void)state;
    assert_int_equal(parse_with_tags("9900 01 50"), FRAME_OK);
    assert_int_equal(parse_with_tags("9900 01 50 9901 0000"), FRAME_OK);
    assert_int_equal(parse_with_tags("9901 0000 9900 01 50"), FRAME_TAG_ORDER);
    assert_int_equal(parse_with_tags("9900 01 50 9900 01 50"), FRAME_TAG_ORDER);
    assert_int_equal(parse_with_tags("9901 0000 9901 0000"), FRAME_TAG_ORDER);
}

/* ---- IPv4 ---- */

static void parse__not_ipv4(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    put_be16(s.bytes + 12, 0x0806);
    assert_int_equal(parse(&s), FRAME_NOT_IPV4);
    assert_int_equal(s.info.ether_type, 0x0806);
    assert_int_equal(parse_with_tags("8100 0001"), FRAME_NOT_IPV4);
}

static void parse__bad_ipv4(void **state) {
    (void)state;
    assert_int_equal(parse_with_ip_byte(0, 0x65), FRAME_IP_VERSION);
    assert_int_equal(parse_with_ip_byte(0, 0x44), FRAME_IP_HEADER_LENGTH);
    assert_int_equal(parse_with_ip_byte(3, 19), FRAME_IP_LENGTH);
    assert_int_equal(parse_with_ip_byte(3, 140), FRAME_OK);
    assert_int_equal(parse_with_ip_byte(3, 141), FRAME_IP_LENGTH);
}

/* Sets a byte of the IPv4 header and updates its checksum. The frame parses as opaque: everything behind the 20 bytes
 * counts as payload. */
static void expect_opaque(size_t at, uint8_t value) {
    struct specimen s = tcp_specimen();
    s.bytes[IP + at] = value;
    mend_ip_checksum(&s);
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.shape, SHAPE_OPAQUE);
    assert_int_equal(s.p.src_ip, IP_A);
    assert_int_equal(s.p.dst_ip, IP_B);
    assert_int_equal(s.p.src_port, 0);
    assert_int_equal(s.p.dst_port, 0);
    assert_int_equal(s.p.payload_bytes, 120);
    assert_int_equal(s.p.wire_bytes, 154 + FRAME_UNSEEN_BYTES);
    assert_int_equal(s.info.l4_bytes, 0);
    assert_int_equal(s.info.check, L4_ABSENT);
}

static void parse__what_is_no_whole_tcp_udp_or_credit_packet_is_opaque(void **state) {
    (void)state;
    expect_opaque(9, 1);    /* ICMP */
    expect_opaque(6, 0x20); /* first fragment: its ports would give it another flow than the later ones */
    expect_opaque(7, 1);    /* later fragment */
}

static void parse__ip_options(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    s.bytes[IP] = 0x46;
    memset(s.bytes + L4, 1, 4); /* NOP */
    put_be16(s.bytes + IP + 10, 0);
    put_be16(s.bytes + IP + 10, checksum_finish(checksum_add(0, s.bytes + IP, 24)));
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.shape, SHAPE_OPAQUE);
    assert_int_equal(s.p.proto, PROTO_TCP);
    assert_int_equal(s.p.payload_bytes, 120);
    assert_int_equal(parse_cut(s, IP + 23, s.original), FRAME_SNAPPED);
    s.bytes[L4]++; /* the checksum covers options */
    assert_int_equal(parse(&s), FRAME_IP_CHECKSUM);
    s = tcp_specimen();
    s.bytes[IP] = 0x4f;
    s.bytes[IP + 3] = 59; /* one byte less than the header */
    s.bytes[IP + 2] = 0;
    put_be16(s.bytes + IP + 10, 0);
    put_be16(s.bytes + IP + 10, checksum_finish(checksum_add(0, s.bytes + IP, 60)));
    assert_int_equal(parse(&s), FRAME_IP_HEADER_LENGTH);
}

static void parse__ip_checksum(void **state) {
    (void)state;
    struct specimen s = tcp_specimen();
    s.bytes[IP + 8]--;
    assert_int_equal(parse(&s), FRAME_IP_CHECKSUM);
}

static void error__names_and_keys(void **state) {
    (void)state;
    assert_string_equal(frame_error_key(FRAME_TAG_NOE), "tag_noe");
    assert_string_equal(frame_error_name(FRAME_TAG_NOE), "Expeditus tag: NoE beyond the frame");
    assert_string_equal(frame_error_key(FRAME_CREDIT_PAYLOAD), "credit_payload");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(parse__truncated),
        UNIT(parse__truncated_behind_ip_is_a_wrong_ip_length),
        UNIT(parse__snap),
        UNIT(parse__snap_keeps_sizes),
        UNIT(parse__too_long),
        UNIT(parse__bad_expeditus_tags),
        UNIT(parse__bad_conga_tags),
        UNIT(parse__tag_order),
        UNIT(parse__not_ipv4),
        UNIT(parse__bad_ipv4),
        UNIT(parse__what_is_no_whole_tcp_udp_or_credit_packet_is_opaque),
        UNIT(parse__ip_options),
        UNIT(parse__ip_checksum),
        UNIT(parse__unpadded_frame_counts_as_padded),
        UNIT(error__names_and_keys),
    };
    return RUN_UNITS(tests);
}
