/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/checksum.h"

#include "unit.h"

#include "base/random.h"
#include "wire/bytes.h"

/* The example of RFC 1071, section 3: 0001 f203 f4f5 f6f7 sum to ddf2. */
static const uint8_t rfc_1071[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

static void checksum__rfc_1071_example(void **state) {
    (void)state;
    assert_int_equal(checksum_add(0, rfc_1071, 8), 0x2ddf0);
    assert_int_equal(checksum_finish(checksum_add(0, rfc_1071, 8)), 0xffff - 0xddf2);
}

static void checksum__odd_length_is_padded_with_zero(void **state) {
    (void)state;
    const uint8_t padded[] = {0x00, 0x01, 0xf2, 0x00};
    assert_int_equal(checksum_add(0, rfc_1071, 3), checksum_add(0, padded, 4));
}

/* RFC 1071, section 2 (A): the sum of parts is the sum of the whole. */
static void checksum__parts_add_up(void **state) {
    (void)state;
    uint32_t parts = checksum_add(checksum_add(0, rfc_1071, 2), rfc_1071 + 2, 6);
    assert_int_equal(checksum_finish(parts), checksum_finish(checksum_add(0, rfc_1071, 8)));
}

/* RFC 1624, section 4: HC = dd2f, m = 5555 becomes 3285, new HC = 0000. */
static void checksum_update__rfc_1624_example(void **state) {
    (void)state;
    assert_int_equal(checksum_update(0xdd2f, 0x5555, 0x3285), 0x0000);
}

static void checksum_update__equals_full_computation(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 1, RANDOM_HASH, 0);
    for (int i = 0; i < 20000; i++) {
        uint8_t words[20];
        for (int k = 0; k < 20; k++) words[k] = (uint8_t)random_u32(&r);
        words[0] = 0x45; /* a header is never all zeros, the only case in which the two forms of zero would differ */
        uint16_t before = checksum_finish(checksum_add(0, words, 20));
        uint16_t old = get_be16(words + 8), new_word = random_below(&r, 4) ? (uint16_t)random_u32(&r) : 0xffff;
        put_be16(words + 8, new_word);
        assert_int_equal(checksum_update(before, old, new_word), checksum_finish(checksum_add(0, words, 20)));
    }
}

static void checksum_pseudo__equals_its_bytes(void **state) {
    (void)state;
    const uint8_t pseudo[] = {10, 0, 0, 1, 10, 0, 1, 2, 0, 6, 0x05, 0xc8};
    assert_int_equal(checksum_finish(checksum_pseudo(0x0a000001, 0x0a000102, 6, 1480)),
                     checksum_finish(checksum_add(0, pseudo, sizeof pseudo)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(checksum__rfc_1071_example),
        UNIT(checksum__odd_length_is_padded_with_zero),
        UNIT(checksum__parts_add_up),
        UNIT(checksum_update__rfc_1624_example),
        UNIT(checksum_update__equals_full_computation),
        UNIT(checksum_pseudo__equals_its_bytes),
    };
    return RUN_UNITS(tests);
}
