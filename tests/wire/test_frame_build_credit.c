/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of credit transports, byte by byte, and the headers that frame_build refuses. */
#include "golden_frame.h"

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
    p.ack = 0x00012345; /* AM-55: the flow's size, 74,565 segments */
    assert_frame(&p, NULL,
                 FROM_A "0800"
                        "| 45 60 0028 0000 4000 40 fd 2477 0a000001 0a000102"
                        "| 9c40 1389 00000000 00012345 01 00 ffff 15dc 0000"
                        "| 000000000000");
}

/* A credit is a minimum frame; a leaf has recorded its path in it (second choice 2, first 5). */
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
    p.window = 0xbeef; /* AM-37: its stamp */
    assert_frame(&p, NULL,
                 FROM_B "0800"
                        "| 45 02 0028 0000 4000 40 fd 24d5 0a000102 0a000001"
                        "| 1389 9c40 00000007 fffffffe 02 00 0205 7727 beef"
                        "| 000000000000");
}

/* The header carries the drawn size. A credit below 84 bytes still takes a minimum frame; a larger one is padded. */
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

/* A void credit admits no data and has no number. */
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

static size_t build_bytes(const struct packet *p) {
    uint8_t buf[2048];
    return frame_build(p, NULL, mac_a, mac_b, buf, sizeof buf);
}

/* AM-37: 1 ms, 3 ms and 100 ms in units of 2^20 ps; 100 ms is 95,367 units, and 29,831 modulo 2^16. */
static void stamp__of_a_time(void **state) {
    (void)state;
    assert_int_equal(credit_stamp(0), 0);
    assert_int_equal(credit_stamp(PS_PER_MS), 953);
    assert_int_equal(credit_stamp(3 * PS_PER_MS), 2861);
    assert_int_equal(credit_stamp(100 * PS_PER_MS), 29831);
}

/* The age of a stamp is right within half a unit, also where the stamps wrap, up to 68 ms. */
static void stamp__age_is_right_within_half_a_unit(void **state) {
    (void)state;
    for (time_ps sent = 0; sent < 200 * PS_PER_MS; sent += 1234567890)
        for (span_ps age = PS_PER_US; age < 68 * PS_PER_MS; age += age / 3) {
            span_ps found = credit_stamp_age(sent + age, credit_stamp(sent));
            assert_in_range(found - age + PS_PER_S, PS_PER_S - 524288, PS_PER_S + 524288);
        }
    assert_int_equal(credit_stamp_age(100, credit_stamp(100)), 1);
}

/* Only credits that admit data, and data that used one, have a stamp. */
static void build__credit_stamps(void **state) {
    (void)state;
    for (uint8_t kind = CREDIT_REQUEST; kind <= CREDIT_ANSWER; kind++) {
        const uint8_t flags[] = {0, CREDIT_VOID, CREDIT_UNSCHEDULED};
        for (size_t i = 0; i < sizeof flags; i++) {
            struct packet p = blank_packet(PROTO_CREDIT);
            uint8_t flag = flags[i] & credit_flags_allowed(kind);
            p.tcp_flags = kind | flag;
            p.shape = kind == CREDIT_GRANT ? SHAPE_CREDIT : 0;
            p.window = 1;
            bool may = (kind == CREDIT_GRANT || kind == CREDIT_DATA) && flag == 0;
            assert_int_equal(build_bytes(&p), may ? 60 : 0);
        }
    }
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

/* The shape is not on the wire: the parser derives it from the kind. A descriptor whose shape contradicts its kind
 * would change on the way, so frame_build refuses it. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(build__credit_request),
        UNIT(build__credit_grant),
        UNIT(build__credit_sizes),
        UNIT(build__credit_sizes_refused),
        UNIT(build__credit_void),
        UNIT(build__credit_data),
        UNIT(build__credit_stop_and_done),
        UNIT(build__credit_stamps),
        UNIT(stamp__of_a_time),
        UNIT(stamp__age_is_right_within_half_a_unit),
        UNIT(build__refuses_malformed_credit_headers),
        UNIT(build__credit_shape_and_kind_agree),
    };
    return RUN_UNITS(tests);
}
