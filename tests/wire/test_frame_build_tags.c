/* SPDX-License-Identifier: Apache-2.0 */
/* UDP datagrams and the tags of Expeditus and CONGA before them, byte by byte. */
#include "golden_frame.h"

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

/* The Exp-response to a fragment has no transport header. It is sent as the first of several fragments, so that the
 * next switch does not look for the header. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(build__udp_begins_with_its_number),
        UNIT(build__conga_tag),
        UNIT(build__exp_request),
        UNIT(build__expeditus_before_conga),
        UNIT(build__opaque_of_a_known_protocol_is_a_fragment),
    };
    return RUN_UNITS(tests);
}
