/* SPDX-License-Identifier: Apache-2.0 */
/* Every way a frame can be refused, and what frames of others yield. */
#include "wire/frame.h"

#include "frames.h"

#include "wire/bytes.h"
#include "wire/checksum.h"

/* A frame under the knife: built right, then changed byte by byte. */
struct specimen {
    uint8_t bytes[512];
    size_t captured, original;
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
};

enum { IP = ETHERNET_BYTES, L4 = ETHERNET_BYTES + IPV4_BYTES };

static struct specimen specimen_of(const struct packet *p, const struct packet_ext *ext) {
    struct specimen s = {0};
    s.captured = s.original = frame_build(p, ext, mac_a, mac_b, s.bytes, sizeof s.bytes);
    return s;
}

static struct specimen tcp_specimen(void) {
    struct packet p = blank_packet(PROTO_TCP);
    p.tcp_flags = TCP_ACK;
    p.payload_bytes = 100;
    return specimen_of(&p, NULL);
}

static struct specimen udp_specimen(void) {
    struct packet p = blank_packet(PROTO_UDP);
    p.payload_bytes = 100;
    p.seq = 99;
    return specimen_of(&p, NULL);
}

/* A request whose tag stands at byte 12: TPID, SF and NoE at 14, loads from 15. */
static struct specimen tagged_specimen(uint8_t entries) {
    struct packet p = blank_packet(PROTO_TCP);
    struct packet_ext ext = {.tag.entries = entries};
    p.shape = SHAPE_EXPEDITUS;
    p.payload_bytes = 100;
    return specimen_of(&p, &ext);
}

static struct specimen credit_specimen(uint8_t kind, uint16_t payload_bytes) {
    struct packet p = blank_packet(PROTO_CREDIT);
    p.tcp_flags = kind;
    p.shape = kind == CREDIT_GRANT ? SHAPE_CREDIT : 0;
    p.payload_bytes = payload_bytes;
    p.path = 0x0102;
    return specimen_of(&p, NULL);
}

static enum frame_error parse(struct specimen *s) {
    return frame_parse(s->bytes, s->captured, s->original, &s->p, &s->ext, &s->info);
}

static void mend_ip_checksum(struct specimen *s) {
    put_be16(s->bytes + IP + 10, 0);
    put_be16(s->bytes + IP + 10, checksum_finish(checksum_add(0, s->bytes + IP, IPV4_BYTES)));
}

/* Sets a byte of the IPv4 header, mends its checksum and parses. */
static enum frame_error parse_with_ip_byte(size_t at, uint8_t value) {
    struct specimen s = tcp_specimen();
    s.bytes[IP + at] = value;
    mend_ip_checksum(&s);
    return parse(&s);
}

static enum frame_error parse_cut(struct specimen s, size_t captured, size_t original) {
    s.captured = captured;
    s.original = original;
    return parse(&s);
}

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

/* A snap is fine down to the last header byte, and never more. */
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

/* The tags of a frame, then IPv4 of a good frame behind them. */
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

/* Sets a byte of the IPv4 header and mends its checksum: what is behind the 20 bytes is not read, but all of it counts.
 */
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
    expect_opaque(6, 0x20); /* the first fragment: its ports would tell it from the others */
    expect_opaque(7, 1);    /* a later one */
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
    put_be16(s.bytes + L4 + 4, 8); /* bytes behind the datagram: counted as payload */
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.payload_bytes, 100);
}

/* The kind and its flags: refused unless the header's manual allows them. */
static void parse__credit_kinds(void **state) {
    (void)state;
    for (unsigned flags = 0; flags < 256; flags++) {
        unsigned kind = flags & CREDIT_KIND, own = flags & ~(unsigned)CREDIT_KIND;
        bool sound = kind >= 1 && kind <= 6 && (own & not_of(kind)) == 0;
        struct specimen s = credit_specimen(CREDIT_DONE, 0);
        s.bytes[L4 + 12] = (uint8_t)flags;
        assert_int_equal(parse(&s), sound ? FRAME_OK : FRAME_CREDIT_KIND);
        if (sound) assert_int_equal(s.p.shape, kind == CREDIT_GRANT ? SHAPE_CREDIT : 0);
    }
}

static void parse__credit_reserved_bytes(void **state) {
    (void)state;
    const size_t reserved[] = {18, 19};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        struct specimen s = credit_specimen(CREDIT_GRANT, 0);
        s.bytes[L4 + reserved[i]] = 1;
        assert_int_equal(parse(&s), FRAME_CREDIT_KIND);
    }
}

/* The size of a credit is its own, and its frame as long as that says: a trailer would come back as another size. Only
 * credits have one. */
static void parse__credit_size(void **state) {
    (void)state;
    for (unsigned size = 0; size < 256; size++) {
        struct specimen s = credit_specimen(CREDIT_GRANT, 0);
        bool short_ = size >= 64 && size < 84;
        s.bytes[L4 + 13] = (uint8_t)size;
        assert_int_equal(parse(&s), size == 0 || short_ ? FRAME_OK : FRAME_CREDIT_SIZE);
        if (short_) assert_int_equal(s.p.wire_bytes, size);
        s = credit_specimen(CREDIT_DATA, 0);
        s.bytes[L4 + 13] = (uint8_t)size;
        assert_int_equal(parse(&s), size == 0 ? FRAME_OK : FRAME_CREDIT_SIZE);
    }
    for (size_t n = 60; n < 100; n++) { /* without a size it is 84; with 90 it has 66 bytes here */
        struct specimen s = credit_specimen(CREDIT_GRANT, 0);
        s.captured = s.original = n;
        assert_int_equal(parse(&s), n == 60 ? FRAME_OK : FRAME_CREDIT_SIZE);
        s.bytes[L4 + 13] = 90;
        assert_int_equal(parse(&s), n == 66 ? FRAME_OK : FRAME_CREDIT_SIZE);
    }
}

static void parse__credit_payload(void **state) {
    (void)state;
    for (uint8_t kind = CREDIT_REQUEST; kind <= CREDIT_ANSWER; kind++) {
        struct specimen s = credit_specimen(CREDIT_DATA, 1);
        s.bytes[L4 + 12] = kind;
        assert_int_equal(parse(&s), kind == CREDIT_DATA ? FRAME_OK : FRAME_CREDIT_PAYLOAD);
        assert_int_equal(s.p.payload_bytes, 1);
    }
}

static void parse__credit_l4_length(void **state) {
    (void)state;
    struct specimen s = credit_specimen(CREDIT_GRANT, 0);
    s.bytes[IP + 3] = 39;
    mend_ip_checksum(&s);
    assert_int_equal(parse(&s), FRAME_L4_LENGTH);
}

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

/* A switch looks at the headers alone: a payload that was changed is not noticed, all else is the same. */
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

/* A SYN as Linux sends it: timestamps, scale 7, window 64,240, and an IP-ID. */
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

/* Options that differ from ours in one byte are foreign, whatever they say. */
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

/* A stamp with another kind, length or ExID is an option of someone else; so is ours behind SACK blocks or twice. */
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

/* The header length may cut the stamp. */
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

/* Captures on a sender show frames before they are padded. */
static void parse__unpadded_frame_counts_as_padded(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_TCP);
    struct specimen s = specimen_of(&p, NULL);
    s.captured = s.original = 54;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(s.p.wire_bytes, WIRE_MIN_BYTES);
}

/* What a SYN announces does not change on the way through a descriptor that ours are built from. */
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

static void error__names_and_keys(void **state) {
    (void)state;
    assert_string_equal(frame_error_key(FRAME_TAG_NOE), "tag_noe");
    assert_string_equal(frame_error_name(FRAME_TAG_NOE), "Expeditus tag: NoE beyond the frame");
    assert_string_equal(frame_error_key(FRAME_CREDIT_PAYLOAD), "credit_payload");
}

/* What stands behind the datagram in the packet is not under its checksum. */
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
        UNIT(parse__l4_length),
        UNIT(parse__tcp_header_length),
        UNIT(parse__udp_length),
        UNIT(parse__credit_kinds),
        UNIT(parse__credit_reserved_bytes),
        UNIT(parse__credit_size),
        UNIT(parse__credit_payload),
        UNIT(parse__credit_l4_length),
        UNIT(parse__l4_checksum_is_flagged),
        UNIT(parse_headers__leaves_the_payload_alone),
        UNIT(parse__foreign_syn),
        UNIT(parse__almost_our_options_are_foreign),
        UNIT(parse__almost_our_stamp_is_foreign),
        UNIT(parse__a_cut_stamp_is_foreign),
        UNIT(parse__unpadded_frame_counts_as_padded),
        UNIT(parse__syn_window_is_stable),
        UNIT(error__names_and_keys),
        UNIT(parse__udp_checksum_ends_with_the_datagram),
    };
    return RUN_UNITS(tests);
}
