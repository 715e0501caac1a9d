/* SPDX-License-Identifier: Apache-2.0 */
/* Golden frames, written out byte by byte. Every one is also parsed back to the descriptor it came from. */
#include "wire/frame.h"

#include "frames.h"

#define FROM_A "020000000200 020000000100 "
#define FROM_B "020000000100 020000000200 "

static struct packet from_b_to_a(void) {
    struct packet p = blank_packet(PROTO_TCP);
    p.src_ip = IP_B;
    p.dst_ip = IP_A;
    p.src_port = 5001;
    p.dst_port = 40000;
    return p;
}

static void assert_parses_to(const uint8_t *frame, size_t n, const struct packet *p, const struct packet_ext *ext) {
    struct packet back;
    struct packet_ext back_ext;
    struct frame_info info;
    assert_int_equal(frame_parse(frame, n, n, &back, &back_ext, &info), FRAME_OK);
    assert_memory_equal(&back, p, sizeof back);
    if (ext) assert_same_ext(p, &back_ext, ext);
    assert_int_equal(info.check, p->shape & SHAPE_OPAQUE ? L4_ABSENT : L4_GOOD);
    assert_int_equal(info.original, n);
}

/* p->wire_bytes is set by the size rule and must be what the bytes say. */
static void assert_frame(struct packet *p, const struct packet_ext *ext, const char *hex) {
    uint8_t expected[2048], buf[2048];
    size_t n = from_hex(hex, expected);
    bool from_a = p->src_ip == IP_A;
    if (!(p->shape & SHAPE_CREDIT)) p->wire_bytes = packet_computed_wire_bytes(p, ext);
    assert_int_equal(frame_build(p, ext, from_a ? mac_a : mac_b, from_a ? mac_b : mac_a, buf, sizeof buf), n);
    assert_memory_equal(buf, expected, n);
    assert_int_equal(packet_ethernet_bytes(p, ext), n + FRAME_UNSEEN_BYTES);
    assert_parses_to(buf, n, p, ext);
}

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

/* Clocks may differ, so a one-way delay may be negative: -5000 ps. */
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

static struct packet small_udp(void) {
    struct packet p = blank_packet(PROTO_UDP);
    p.payload_bytes = 6;
    p.seq = 7;
    return p;
}

#define UDP_REST                                                                                                       \
    "| 45 00 0022 0000 4000 40 11 25c9 0a000001 0a000102"                                                              \
    "| 9c40 1389 000e 3aff | 00000007 0000"

static void build__udp_begins_with_its_number(void **state) {
    (void)state;
    struct packet p = small_udp();
    assert_frame(&p, NULL, FROM_A "0800" UDP_REST "| 000000000000 000000000000");
}

static void build__conga_tag(void **state) {
    (void)state;
    struct packet p = small_udp();
    p.shape = SHAPE_CONGA; /* 1010 011 0101 101 1 0 = a6b6 */
    p.overlay = conga_overlay_pack(
        (struct conga_overlay){.lbtag = 10, .ce = 3, .fb_lbtag = 5, .fb_metric = 5, .fb_valid = true});
    assert_frame(&p, NULL, FROM_A "9901 a6b6 0800" UDP_REST "| 0000000000000000");
}

static void assert_request(uint8_t entries, const char *hex) {
    struct packet p = small_udp();
    struct packet_ext ext = {.tag.entries = entries};
    for (uint8_t i = 0; i < entries; i++) ext.tag.load[i] = i % 8;
    p.shape = SHAPE_EXPEDITUS;
    assert_frame(&p, &ext, hex);
}

static void build__exp_request(void **state) {
    (void)state;
    assert_request(0, FROM_A "9900 00 0800" UDP_REST "| 000000000000 000000");
    assert_request(1, FROM_A "9900 01 00 0800" UDP_REST "| 000000000000 0000");
    assert_request(4, FROM_A "9900 04 0123 0800" UDP_REST "| 000000000000 00");
    assert_request(6, FROM_A "9900 06 012345 0800" UDP_REST "| 000000000000");
    assert_request(64, FROM_A "9900 40 01234567 01234567 01234567 01234567 01234567 01234567 01234567 01234567"
                              "0800" UDP_REST);
    assert_request(127, FROM_A "9900 7f 01234567 01234567 01234567 01234567 01234567 01234567 01234567 01234567"
                               "01234567 01234567 01234567 01234567 01234567 01234567 01234567 01234560"
                               "0800" UDP_REST);
}

static void build__expeditus_before_conga(void **state) {
    (void)state;
    struct packet p = small_udp();
    struct packet_ext ext = {.tag = {.stage = 1, .entries = 1, .load = {7}}};
    p.shape = SHAPE_EXPEDITUS | SHAPE_CONGA;
    p.overlay = 0xa6b6;
    assert_frame(&p, &ext, FROM_A "9900 81 70 9901 a6b6 0800" UDP_REST "| 00000000");
}

/* The Exp-response to a fragment has no transport header: it is the first of several fragments, or the next switch would
 * look for the header. */
static void build__opaque_of_a_known_protocol_is_a_fragment(void **state) {
    (void)state;
    const uint8_t protos[] = {PROTO_TCP, PROTO_UDP, PROTO_CREDIT};
    for (int i = 0; i < 3; i++) {
        struct packet p = blank_packet(protos[i]);
        struct packet_ext ext = {.tag.stage = 1};
        uint8_t buf[128];
        p.src_port = p.dst_port = 0;
        p.shape = SHAPE_OPAQUE | SHAPE_EXPEDITUS;
        assert_parses_to(buf, frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf), &p, &ext);
    }
    struct packet p = blank_packet(PROTO_UDP);
    p.src_port = p.dst_port = 0;
    p.shape = SHAPE_OPAQUE;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 00 0014 0000 2000 40 11 45d7 0a000001 0a000102"
                        "| 000000000000 000000000000 000000000000 000000000000 0000");
}

static struct packet credit_from_b(uint8_t kind) {
    struct packet p = from_b_to_a();
    p.proto = PROTO_CREDIT;
    p.tcp_flags = kind;
    return p;
}

static void build__credit_request(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_CREDIT);
    p.tcp_flags = CREDIT_REQUEST;
    p.tos = 3 << 5;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 60 0028 0000 4000 40 fd 2477 0a000001 0a000102"
                        "| 9c40 1389 00000000 00000000 01 00 ffff 3922 0000"
                        "| 000000000000");
}

/* A credit: a minimum frame whose way a leaf has recorded (second choice 2, first 5). */
static void build__credit_grant(void **state) {
    (void)state;
    struct packet p = credit_from_b(CREDIT_GRANT);
    p.shape = SHAPE_CREDIT;
    p.seq = 0x00000007;
    p.ack = 0xfffffffe;
    p.path = 0x0205;
    p.tos = ECN_ECT0;
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 02 0028 0000 4000 40 fd 24d5 0a000102 0a000001"
                        "| 1389 9c40 00000007 fffffffe 02 00 0205 3617 0000"
                        "| 000000000000");
    assert_int_equal(p.wire_bytes, CREDIT_WIRE_BYTES);
}

/* A drawn size stands in the header. Below 84 the frame is a minimum frame all the same, above it is padded. */
static void build__credit_sizes(void **state) {
    (void)state;
    struct packet p = credit_from_b(CREDIT_GRANT);
    p.shape = SHAPE_CREDIT;
    p.wire_bytes = 76;
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 00 0028 0000 4000 40 fd 24d7 0a000102 0a000001"
                        "| 1389 9c40 00000000 00000000 02 4c ffff 37d6 0000"
                        "| 000000000000");
    p.wire_bytes = 88;
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 00 0028 0000 4000 40 fd 24d7 0a000102 0a000001"
                        "| 1389 9c40 00000000 00000000 02 58 ffff 37ca 0000"
                        "| 00000000000000000000");
}

static void build__credit_sizes_refused(void **state) {
    (void)state;
    uint8_t buf[256];
    for (uint16_t bytes = 0; bytes < 200; bytes++) {
        struct packet p = credit_from_b(CREDIT_GRANT);
        p.shape = SHAPE_CREDIT;
        p.wire_bytes = bytes;
        size_t n = frame_build(&p, NULL, mac_a, mac_b, buf, sizeof buf);
        assert_int_equal(n, bytes < 64 || bytes > 104 ? 0 : bytes < 84 ? 60 : bytes - 24);
    }
}

/* Admits nothing, and has no number. */
static void build__credit_void(void **state) {
    (void)state;
    struct packet p = credit_from_b(CREDIT_GRANT | CREDIT_VOID);
    p.shape = SHAPE_CREDIT;
    p.tos = ECN_ECT0;
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 02 0028 0000 4000 40 fd 24d5 0a000102 0a000001"
                        "| 1389 9c40 00000000 00000000 82 00 ffff b821 0000"
                        "| 000000000000");
}

static void build__credit_data(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_CREDIT);
    p.tcp_flags = CREDIT_DATA | CREDIT_LAST | CREDIT_MARKED | CREDIT_UNSCHEDULED;
    p.seq = 0x01020304;
    p.ack = 0x11223344;
    p.path = 0x0205;
    p.tos = ECN_ECT0;
    p.payload_bytes = 9;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 02 0031 0000 4000 40 fd 24cc 0a000001 0a000102"
                        "| 9c40 1389 01020304 11223344 73 00 0205 7ca7 0000"
                        "| 000000000000000000");
}

static void build__credit_stop_and_done(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_CREDIT);
    p.tcp_flags = CREDIT_STOP;
    p.seq = 686;
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 00 0028 0000 4000 40 fd 24d7 0a000001 0a000102"
                        "| 9c40 1389 000002ae 00000000 04 00 ffff 3374 0000"
                        "| 000000000000");
    p = credit_from_b(CREDIT_DONE);
    p.seq = 686;
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 00 0028 0000 4000 40 fd 24d7 0a000102 0a000001"
                        "| 1389 9c40 000002ae 00000000 05 00 ffff 3274 0000"
                        "| 000000000000");
}

static size_t build_bytes(const struct packet *p) {
    uint8_t buf[2048];
    return frame_build(p, NULL, mac_a, mac_b, buf, sizeof buf);
}

static void build__refuses_malformed_credit_headers(void **state) {
    (void)state;
    for (unsigned flags = 0; flags < 256; flags++) {
        struct packet p = blank_packet(PROTO_CREDIT);
        unsigned kind = flags & CREDIT_KIND, own = flags & ~(unsigned)CREDIT_KIND;
        bool sound = kind >= 1 && kind <= 6 && (own & not_of(kind)) == 0;
        p.tcp_flags = (uint8_t)flags;
        p.shape = kind == CREDIT_GRANT ? SHAPE_CREDIT : 0;
        assert_int_equal(build_bytes(&p), sound ? 60 : 0);
        p.payload_bytes = 1;
        assert_int_equal(build_bytes(&p), sound && kind == CREDIT_DATA ? 60 : 0);
    }
}

/* The shape is not on the wire but follows from the kind: a descriptor that says otherwise would come back changed. */
static void build__credit_shape_and_kind_agree(void **state) {
    (void)state;
    struct packet p = blank_packet(PROTO_CREDIT);
    p.tcp_flags = CREDIT_GRANT;
    assert_int_equal(build_bytes(&p), 0);
    p.shape = SHAPE_CREDIT;
    assert_int_equal(build_bytes(&p), 60);
    p.tcp_flags = CREDIT_DATA;
    assert_int_equal(build_bytes(&p), 0);
    p.proto = PROTO_TCP;
    p.tcp_flags = TCP_ACK;
    assert_int_equal(build_bytes(&p), 0);
}

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
    p.seq = 7 + 0x3aff; /* brings the sum to ffff and its complement to 0 */
    frame_build(&p, NULL, mac_a, mac_b, buf, sizeof buf);
    assert_int_equal(buf[40] << 8 | buf[41], 0xffff);
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

/* parse undoes build, and what the size rule says is what is built. */
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
        UNIT(build__syn),
        UNIT(build__syn_ack),
        UNIT(build__data),
        UNIT(build__ack_is_padded),
        UNIT(build__ack_with_sack),
        UNIT(build__stamped_data),
        UNIT(build__stamped_ack_with_sack),
        UNIT(build__udp_begins_with_its_number),
        UNIT(build__conga_tag),
        UNIT(build__exp_request),
        UNIT(build__expeditus_before_conga),
        UNIT(build__opaque_of_a_known_protocol_is_a_fragment),
        UNIT(build__credit_request),
        UNIT(build__credit_grant),
        UNIT(build__credit_sizes),
        UNIT(build__credit_sizes_refused),
        UNIT(build__credit_void),
        UNIT(build__credit_data),
        UNIT(build__credit_stop_and_done),
        UNIT(build__refuses_malformed_credit_headers),
        UNIT(build__credit_shape_and_kind_agree),
        UNIT(build__full_frame),
        UNIT(build__small_buffer_makes_a_snap),
        UNIT(build__udp_checksum_is_never_zero),
        UNIT(build__foreign_options_become_nops),
        UNIT(build__refuses_what_no_frame_can_say),
        UNIT(build__any_descriptor_comes_back),
    };
    return RUN_UNITS(tests);
}
