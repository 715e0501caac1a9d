/* SPDX-License-Identifier: Apache-2.0 */
/* The report of core loads as fields and as bytes. */
#include "wire/core_loads.h"

#include "frames.h"
#include "wire/frame.h"

static struct packet report(uint8_t egress, uint8_t ingress) {
    struct packet p = blank_packet(PROTO_UDP);
    p.shape = SHAPE_CORE_LOADS;
    p.overlay = core_loads_pack(egress, ingress);
    p.wire_bytes = packet_computed_wire_bytes(&p, NULL);
    return p;
}

static size_t build(const struct packet *p, uint8_t *frame, size_t size) {
    return frame_build(p, NULL, mac_a, mac_b, frame, size);
}

static void pack__each_level_in_its_place(void **state) {
    (void)state;
    assert_int_equal(core_loads_pack(7, 0), 0x7000);
    assert_int_equal(core_loads_pack(0, 7), 0x0700);
    assert_int_equal(core_loads_pack(0x1f, 0xff), 0x7700); /* values are cut to their fields' widths */
    for (uint8_t e = 0; e < 8; e++)
        for (uint8_t i = 0; i < 8; i++) {
            assert_int_equal(core_loads_egress(core_loads_pack(e, i)), e);
            assert_int_equal(core_loads_ingress(core_loads_pack(e, i)), i);
            assert_int_equal(core_loads_pack(e, i) & CORE_LOADS_ZERO, 0);
        }
}

static void frame__a_report_is_a_minimum_frame(void **state) {
    (void)state;
    struct packet p = report(5, 2);
    uint8_t frame[256];
    assert_int_equal(p.wire_bytes, WIRE_MIN_BYTES);
    assert_int_equal(build(&p, frame, sizeof frame), FRAME_MIN_BYTES);
    static const uint8_t tag[6] = {0x99, 0x02, 0x52, 0x00, 0x08, 0x00};
    assert_memory_equal(frame + 12, tag, sizeof tag);
}

static void frame__comes_back_as_it_was(void **state) {
    (void)state;
    struct packet p = report(7, 3), back;
    struct packet_ext ext;
    struct frame_info info;
    uint8_t frame[256];
    size_t n = build(&p, frame, sizeof frame);
    assert_int_equal(frame_parse(frame, n, n, &back, &ext, &info), FRAME_OK);
    assert_int_equal(back.shape, SHAPE_CORE_LOADS);
    assert_int_equal(back.overlay, p.overlay);
    assert_int_equal(back.wire_bytes, p.wire_bytes);
    assert_int_equal(info.l2_bytes, ETHERNET_BYTES + CORE_LOADS_TAG_BYTES);
}

/* Each of the ten bits that must be zero, set alone. */
static void parse__a_reserved_bit_is_refused(void **state) {
    (void)state;
    struct packet p = report(7, 7), back;
    struct packet_ext ext;
    struct frame_info info;
    for (int bit = 0; bit < 16; bit++) {
        uint8_t frame[256];
        size_t n = build(&p, frame, sizeof frame);
        frame[14 + (15 - bit) / 8] |= (uint8_t)(1 << bit % 8);
        enum frame_error error = frame_parse(frame, n, n, &back, &ext, &info);
        assert_int_equal(error, CORE_LOADS_ZERO >> bit & 1 ? FRAME_CORE_LOADS_RESERVED : FRAME_OK);
    }
}

static void parse__a_cut_report_is_refused(void **state) {
    (void)state;
    struct packet p = report(1, 1), back;
    struct packet_ext ext;
    struct frame_info info;
    uint8_t frame[256];
    size_t n = build(&p, frame, sizeof frame);
    assert_int_equal(frame_parse(frame, 15, 15, &back, &ext, &info), FRAME_TRUNCATED);
    assert_int_equal(frame_parse(frame, 15, n, &back, &ext, &info), FRAME_SNAPPED);
}

/* CONGA's fields and a report share one field of the descriptor, so a frame carries only one of them. */
static void frame__not_beside_a_conga_tag(void **state) {
    (void)state;
    struct packet p = report(1, 1), back;
    struct packet_ext ext;
    struct frame_info info;
    uint8_t frame[256], twice[260];
    size_t n = build(&p, frame, sizeof frame);
    static const uint8_t conga[4] = {0x99, 0x01, 0, 0}, again[4] = {0x99, 0x02, 0, 0};
    memcpy(twice, frame, 12);
    memcpy(twice + 16, frame + 12, n - 12);
    memcpy(twice + 12, conga, 4);
    assert_int_equal(frame_parse(twice, n + 4, n + 4, &back, &ext, &info), FRAME_TAG_ORDER);
    memcpy(twice + 12, again, 4);
    assert_int_equal(frame_parse(twice, n + 4, n + 4, &back, &ext, &info), FRAME_TAG_ORDER);
    p.shape |= SHAPE_CONGA;
    assert_int_equal(build(&p, frame, sizeof frame), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(pack__each_level_in_its_place),  UNIT(frame__a_report_is_a_minimum_frame),
        UNIT(frame__comes_back_as_it_was),    UNIT(parse__a_reserved_bit_is_refused),
        UNIT(parse__a_cut_report_is_refused), UNIT(frame__not_beside_a_conga_tag),
    };
    return RUN_UNITS(tests);
}
