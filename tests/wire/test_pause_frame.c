/* SPDX-License-Identifier: Apache-2.0 */
/* Pause frames: golden bytes, the same fields after parsing, and every refusal. */
#include "wire/pause_frame.h"

#include "frames.h"

#include "wire/bytes.h"

#define TO_CONTROL "0180c2000001 020000000100 8808 "
#define ZEROS_26 "00000000000000000000000000000000000000000000000000 00"
#define ZEROS_42 ZEROS_26 "00000000000000000000000000000000"

struct pause_specimen {
    uint8_t bytes[128];
    size_t captured, original;
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
};

static struct pause_specimen specimen_of(struct pause_fields fields) {
    struct pause_specimen s = {0};
    struct packet p = pause_packet(EXT_NONE);
    struct packet_ext ext = {.pause = fields};
    s.captured = s.original = frame_build(&p, &ext, mac_a, mac_b, s.bytes, sizeof s.bytes);
    assert_int_equal(s.original, FRAME_MIN_BYTES);
    return s;
}

static struct pause_specimen pfc_specimen(void) { return specimen_of(pause_fields_pfc(0x81, 0x02, 0xffff)); }
static struct pause_specimen link_specimen(void) { return specimen_of(pause_fields_link(0xffff)); }

static enum frame_error parse(struct pause_specimen *s) {
    return frame_parse(s->bytes, s->captured, s->original, &s->p, &s->ext, &s->info);
}

static enum frame_error parse_cut(struct pause_specimen s, size_t captured, size_t original) {
    s.captured = captured;
    s.original = original;
    return parse(&s);
}

static void assert_same_fields(const struct pause_fields *a, const struct pause_fields *b) {
    assert_memory_equal(a, b, sizeof *a);
}

/* Asserts that the fields give these bytes and that the bytes parse back to them. */
static void assert_frame(struct pause_fields fields, const char *hex) {
    uint8_t expected[FRAME_MIN_BYTES];
    struct pause_specimen s = specimen_of(fields);
    struct packet p = pause_packet(EXT_NONE);
    assert_int_equal(from_hex(hex, expected), FRAME_MIN_BYTES);
    assert_memory_equal(s.bytes, expected, FRAME_MIN_BYTES);
    assert_int_equal(parse(&s), FRAME_OK);
    assert_memory_equal(&s.p, &p, sizeof p);
    assert_same_fields(&s.ext.pause, &fields);
    assert_int_equal(s.info.check, L4_ABSENT);
    assert_memory_equal(s.info.src_mac, mac_a, 6);
}

static void build__link_pause(void **state) {
    (void)state;
    assert_frame(pause_fields_link(0xffff), TO_CONTROL "0001 ffff" ZEROS_42);
    assert_frame(pause_fields_link(0), TO_CONTROL "0001 0000" ZEROS_42);
}

/* Classes 0 and 7 are paused; class 1 is enabled with time 0, which releases it. */
static void build__pfc(void **state) {
    (void)state;
    assert_frame(pause_fields_pfc(0x81, 0x02, 0x1234),
                 TO_CONTROL "0101 0083 1234 0000 0000 0000 0000 0000 0000 1234" ZEROS_26);
    assert_frame(pause_fields_pfc(0, 0, 9), TO_CONTROL "0101 0000 0000 0000 0000 0000 0000 0000 0000 0000" ZEROS_26);
}

static void build__small_buffer_makes_a_snap(void **state) {
    (void)state;
    struct pause_specimen s = pfc_specimen();
    struct packet p = pause_packet(EXT_NONE);
    struct packet_ext ext = {.pause = pause_fields_pfc(0x81, 0x02, 0xffff)};
    uint8_t buf[21] = {[20] = 0xee};
    assert_int_equal(frame_build(&p, &ext, mac_a, mac_b, buf, 20), FRAME_MIN_BYTES);
    assert_memory_equal(buf, s.bytes, 20);
    assert_int_equal(buf[20], 0xee);
}

static size_t built(struct packet p, struct pause_fields fields) {
    uint8_t buf[128];
    struct packet_ext ext = {.pause = fields};
    return frame_build(&p, &ext, mac_a, mac_b, buf, sizeof buf);
}

static void build__refuses_what_no_frame_can_say(void **state) {
    (void)state;
    struct packet p = pause_packet(EXT_NONE), tagged = p, tcp = p, loaded = p;
    struct pause_fields link = pause_fields_link(5), pfc = pause_fields_pfc(4, 0, 5);
    tagged.shape |= SHAPE_CONGA;
    tcp.proto = PROTO_TCP;
    loaded.payload_bytes = 1;
    assert_int_equal(built(p, link), FRAME_MIN_BYTES);
    assert_int_equal(built(tagged, link), 0);
    assert_int_equal(built(tcp, link), 0);
    assert_int_equal(built(loaded, link), 0);
    link.classes = 0x7f;
    assert_int_equal(built(p, link), 0);
    link = pause_fields_link(5);
    link.quanta[1] = 5;
    assert_int_equal(built(p, link), 0);
    pfc.quanta[3] = 1;
    assert_int_equal(built(p, pfc), 0);
    pfc = (struct pause_fields){.opcode_pfc = 2};
    assert_int_equal(built(p, pfc), 0);
}

static void size__is_the_minimum_frame(void **state) {
    (void)state;
    struct packet p = pause_packet(EXT_NONE);
    assert_int_equal(p.wire_bytes, 84);
    assert_int_equal(packet_computed_wire_bytes(&p, NULL), 84);
    assert_int_equal(packet_frame_bytes(&p), 64);
}

static void parse__undoes_build(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 4, RANDOM_HASH, 0);
    for (int i = 0; i < 5000; i++) {
        struct pause_fields f = pause_fields_link((uint16_t)random_u32(&r));
        if (random_below(&r, 4)) {
            f = (struct pause_fields){.opcode_pfc = 1, .classes = (uint8_t)random_u32(&r)};
            for (uint32_t k = 0; k < PAUSE_CLASSES; k++)
                if (f.classes >> k & 1) f.quanta[k] = (uint16_t)random_u32(&r);
        }
        struct packet p = pause_packet(EXT_NONE);
        struct pause_specimen s = specimen_of(f);
        assert_int_equal(parse(&s), FRAME_OK);
        assert_memory_equal(&s.p, &p, sizeof p);
        assert_same_fields(&s.ext.pause, &f);
    }
}

static void parse__opcode_and_address(void **state) {
    (void)state;
    struct pause_specimen s = link_specimen();
    for (uint32_t opcode = 0; opcode <= UINT16_MAX; opcode++) {
        put_be16(s.bytes + ETHERNET_BYTES, (uint16_t)opcode);
        bool sound = opcode == PAUSE_OPCODE || opcode == PFC_OPCODE;
        s.bytes[ETHERNET_BYTES + 2] = opcode == PFC_OPCODE ? 0 : 0xff;
        assert_int_equal(parse(&s), sound ? FRAME_OK : FRAME_MAC_CONTROL);
    }
    for (size_t i = 0; i < 6; i++) {
        s = link_specimen();
        s.bytes[i] ^= 2;
        assert_int_equal(parse(&s), FRAME_PAUSE_ADDRESS);
    }
}

static void parse__reserved_byte(void **state) {
    (void)state;
    struct pause_specimen s = pfc_specimen();
    s.bytes[ETHERNET_BYTES + 2] = 0x80;
    assert_int_equal(parse(&s), FRAME_PFC_RESERVED);
}

/* Class 2 is not enabled, so its time does not count; padding may hold anything. */
static void parse__ignores_what_the_standard_ignores(void **state) {
    (void)state;
    struct pause_specimen s = pfc_specimen(), plain = s;
    put_be16(s.bytes + ETHERNET_BYTES + 8, 0xbeef);
    memset(s.bytes + ETHERNET_BYTES + PFC_BODY_BYTES, 0xaa, 26);
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(parse(&plain), FRAME_OK);
    assert_same_fields(&s.ext.pause, &plain.ext.pause);
}

static void parse__no_tags(void **state) {
    (void)state;
    struct pause_specimen s = {0};
    s.captured = s.original = from_hex("0180c2000001 020000000100 9901 0000 8808 0001 ffff" ZEROS_42, s.bytes);
    assert_int_equal(parse(&s), FRAME_PAUSE_TAGGED);
    s.captured = s.original = from_hex("0180c2000001 020000000100 9900 01 50 8808 0001 ffff" ZEROS_42, s.bytes);
    assert_int_equal(parse(&s), FRAME_PAUSE_TAGGED);
}

/* Frames that the capture cut, or that are too short for their fields. */
static void parse__short_frames(void **state) {
    (void)state;
    for (size_t n = 0; n <= FRAME_MIN_BYTES; n++) {
        bool link = n >= ETHERNET_BYTES + PAUSE_BODY_BYTES, pfc = n >= ETHERNET_BYTES + PFC_BODY_BYTES;
        assert_int_equal(parse_cut(link_specimen(), n, FRAME_MIN_BYTES), link ? FRAME_OK : FRAME_SNAPPED);
        assert_int_equal(parse_cut(pfc_specimen(), n, FRAME_MIN_BYTES), pfc ? FRAME_OK : FRAME_SNAPPED);
        assert_int_equal(parse_cut(link_specimen(), n, n), link ? FRAME_OK : FRAME_TRUNCATED);
        assert_int_equal(parse_cut(pfc_specimen(), n, n), pfc ? FRAME_OK : FRAME_TRUNCATED);
    }
}

static void rewrite__refuses_a_frame_that_goes_no_further(void **state) {
    (void)state;
    struct pause_specimen s = link_specimen();
    uint8_t out[256];
    size_t written = 9;
    assert_int_equal(parse(&s), FRAME_OK);
    assert_int_equal(frame_rewrite(s.bytes, &s.info, &s.p, &s.ext, mac_a, mac_b, out, sizeof out, &written), 0);
    assert_int_equal(written, 0);
}

static void error__names_and_keys(void **state) {
    (void)state;
    assert_string_equal(frame_error_key(FRAME_PAUSE_ADDRESS), "pause_address");
    assert_string_equal(frame_error_name(FRAME_MAC_CONTROL), "MAC control: neither 802.3x pause nor PFC");
    assert_string_equal(frame_error_key(FRAME_ERROR_COUNT - 1), "pfc_reserved");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(build__link_pause),
        UNIT(build__pfc),
        UNIT(build__small_buffer_makes_a_snap),
        UNIT(build__refuses_what_no_frame_can_say),
        UNIT(size__is_the_minimum_frame),
        UNIT(parse__undoes_build),
        UNIT(parse__opcode_and_address),
        UNIT(parse__reserved_byte),
        UNIT(parse__ignores_what_the_standard_ignores),
        UNIT(parse__no_tags),
        UNIT(parse__short_frames),
        UNIT(rewrite__refuses_a_frame_that_goes_no_further),
        UNIT(error__names_and_keys),
    };
    return RUN_UNITS(tests);
}
