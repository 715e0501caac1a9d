/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of credit transports: kinds and their flags, stamps, sizes and payload. */
#include "specimen.h"

/* A combination of kind and flags is refused unless wire/credit_header.h allows it. */
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

/* AM-37: a stamp is refused in all kinds but credits that admit data and data that used one. */
static void parse__credit_stamps(void **state) {
    (void)state;
    for (unsigned flags = 0; flags < 256; flags++) {
        unsigned kind = flags & CREDIT_KIND, own = flags & ~(unsigned)CREDIT_KIND;
        bool may = (kind == CREDIT_GRANT && own == 0) || (kind == CREDIT_DATA && (own & ~0x30u) == 0);
        struct specimen s = credit_specimen(CREDIT_DONE, 0);
        s.bytes[L4 + 12] = (uint8_t)flags;
        s.bytes[L4 + 18] = 0xbe;
        s.bytes[L4 + 19] = 0xef;
        assert_int_equal(parse(&s), may ? FRAME_OK : FRAME_CREDIT_KIND);
        if (may) assert_int_equal(s.p.window, 0xbeef);
    }
}

/* AM-55: a request tells its flow's size in segments, any number of 32 bits. */
static void parse__credit_request_with_a_size(void **state) {
    (void)state;
    static const uint32_t segments[] = {0, 1, 74565, UINT32_MAX};
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        struct specimen s = credit_specimen(CREDIT_REQUEST, 0);
        put_be32(s.bytes + L4 + 8, segments[i]);
        assert_int_equal(parse(&s), FRAME_OK);
        assert_int_equal(s.p.ack, segments[i]);
    }
}

/* Only credits carry a size, and the length of their frame must agree with it: a trailer would come back as another
 * size. */
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
    for (size_t n = 60; n < 100; n++) { /* without a size the frame has 60 bytes, with size 90 it has 66 */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(parse__credit_kinds), UNIT(parse__credit_stamps),  UNIT(parse__credit_request_with_a_size),
        UNIT(parse__credit_size),  UNIT(parse__credit_payload), UNIT(parse__credit_l4_length),
    };
    return RUN_UNITS(tests);
}
