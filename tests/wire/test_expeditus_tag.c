/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/expeditus_tag.h"

#include "frames.h"

static struct expeditus_tag counting_tag(uint8_t entries) {
    struct expeditus_tag tag = {.entries = entries};
    for (uint8_t i = 0; i < entries; i++) tag.load[i] = i % 8;
    return tag;
}

static void assert_encodes(const struct expeditus_tag *tag, const char *hex) {
    uint8_t expected[EXPEDITUS_TAG_MAX_BYTES], buf[EXPEDITUS_TAG_MAX_BYTES];
    size_t n = from_hex(hex, expected);
    assert_int_equal(expeditus_tag_encode(tag, buf, sizeof buf), n);
    assert_memory_equal(buf, expected, n);
}

static enum tag_error decode_hex(const char *hex, struct expeditus_tag *tag) {
    uint8_t buf[EXPEDITUS_TAG_MAX_BYTES];
    return expeditus_tag_decode(buf, from_hex(hex, buf), tag);
}

/* EXP-19 to EXP-22, written out: TPID, SF and NoE, then two loads a byte, the first in the high nibble. */
static void encode__golden(void **state) {
    (void)state;
    struct expeditus_tag none = counting_tag(0), one = counting_tag(1), four = counting_tag(4), six = counting_tag(6);
    assert_encodes(&none, "9900 00");
    one.load[0] = 5;
    assert_encodes(&one, "9900 01 50");
    assert_encodes(&four, "9900 04 01 23");
    assert_encodes(&six, "9900 06 01 23 45");
    six.stage = 1;
    assert_encodes(&six, "9900 86 01 23 45");
}

static void encode__golden_64(void **state) {
    (void)state;
    struct expeditus_tag tag = counting_tag(64);
    assert_encodes(&tag, "9900 40 01234567 01234567 01234567 01234567 01234567 01234567 01234567 01234567");
}

static void encode__golden_127_is_the_most(void **state) {
    (void)state;
    struct expeditus_tag tag = counting_tag(127);
    tag.stage = 1;
    assert_encodes(&tag, "9900 ff 01234567 01234567 01234567 01234567 01234567 01234567 01234567 01234567"
                         "        01234567 01234567 01234567 01234567 01234567 01234567 01234567 01234560");
}

static void encode__refuses_128(void **state) {
    (void)state;
    uint8_t buf[100];
    struct expeditus_tag tag = {.entries = 128};
    assert_int_equal(expeditus_tag_encode(&tag, buf, sizeof buf), 0);
}

static void encode__refuses_wide_load_stage_and_small_buffer(void **state) {
    (void)state;
    uint8_t buf[EXPEDITUS_TAG_MAX_BYTES];
    struct expeditus_tag tag = counting_tag(6);
    assert_int_equal(expeditus_tag_encode(&tag, buf, 5), 0);
    assert_int_equal(expeditus_tag_encode(&tag, buf, 6), 6);
    tag.load[3] = 8;
    assert_int_equal(expeditus_tag_encode(&tag, buf, sizeof buf), 0);
    tag = counting_tag(2);
    tag.stage = 2;
    assert_int_equal(expeditus_tag_encode(&tag, buf, sizeof buf), 0);
}

static void bytes__three_and_half_a_byte_each(void **state) {
    (void)state;
    const uint8_t noe[] = {0, 1, 4, 6, 64, 127}, bytes[] = {3, 4, 5, 6, 35, 67};
    for (size_t i = 0; i < sizeof noe; i++) assert_int_equal(expeditus_tag_bytes(noe[i]), bytes[i]);
    assert_int_equal(EXPEDITUS_TAG_MAX_BYTES, 67);
}

static void decode__undoes_encode(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 2, RANDOM_HASH, 0);
    for (int i = 0; i < 5000; i++) {
        struct packet_ext ext;
        struct expeditus_tag back;
        uint8_t buf[EXPEDITUS_TAG_MAX_BYTES];
        random_tag(&r, &ext);
        size_t n = expeditus_tag_encode(&ext.tag, buf, sizeof buf);
        assert_int_equal(expeditus_tag_decode(buf, n, &back), TAG_OK);
        assert_same_tag(&ext.tag, &back);
    }
}

static void decode__each_malformation_its_error(void **state) {
    (void)state;
    struct expeditus_tag tag;
    assert_int_equal(decode_hex("", &tag), TAG_SHORT);
    assert_int_equal(decode_hex("99", &tag), TAG_SHORT);
    assert_int_equal(decode_hex("9900", &tag), TAG_SHORT);
    assert_int_equal(decode_hex("8100 04 01 23", &tag), TAG_ABSENT);
    assert_int_equal(decode_hex("9900 04 01", &tag), TAG_NOE);
    assert_int_equal(tag.entries, 4);
    assert_int_equal(decode_hex("9900 7f", &tag), TAG_NOE);
    assert_int_equal(decode_hex("9900 02 81", &tag), TAG_RESERVED);
    assert_int_equal(decode_hex("9900 02 18", &tag), TAG_RESERVED);
    assert_int_equal(decode_hex("9900 03 12 31", &tag), TAG_PADDING);
    assert_int_equal(decode_hex("9900 03 12 38", &tag), TAG_PADDING);
}

static void decode__ignores_what_follows(void **state) {
    (void)state;
    struct expeditus_tag tag;
    assert_int_equal(decode_hex("9900 81 70 0800 ffff", &tag), TAG_OK);
    assert_int_equal(tag.stage, 1);
    assert_int_equal(tag.entries, 1);
    assert_int_equal(tag.load[0], 7);
}

static void error_name__names_all(void **state) {
    (void)state;
    assert_string_equal(tag_error_name(TAG_OK), "ok");
    assert_string_equal(tag_error_name(TAG_NOE), "NoE beyond the frame");
    assert_string_equal(tag_error_name(TAG_PADDING), "padding not zero");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(encode__golden),
        UNIT(encode__golden_64),
        UNIT(encode__golden_127_is_the_most),
        UNIT(encode__refuses_128),
        UNIT(encode__refuses_wide_load_stage_and_small_buffer),
        UNIT(bytes__three_and_half_a_byte_each),
        UNIT(decode__undoes_encode),
        UNIT(decode__each_malformation_its_error),
        UNIT(decode__ignores_what_follows),
        UNIT(error_name__names_all),
    };
    return RUN_UNITS(tests);
}
