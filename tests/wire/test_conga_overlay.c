/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/conga_overlay.h"

#include "unit.h"

static void pack__every_field_in_its_place(void **state) {
    (void)state;
    assert_int_equal(conga_overlay_pack((struct conga_overlay){.lbtag = 15}), 0xf000);
    assert_int_equal(conga_overlay_pack((struct conga_overlay){.ce = 7}), 0x0e00);
    assert_int_equal(conga_overlay_pack((struct conga_overlay){.fb_lbtag = 15}), 0x01e0);
    assert_int_equal(conga_overlay_pack((struct conga_overlay){.fb_metric = 7}), 0x001c);
    assert_int_equal(conga_overlay_pack((struct conga_overlay){.fb_valid = true}), 0x0002);
}

static void pack__cuts_to_width(void **state) {
    (void)state;
    struct conga_overlay wide = {.lbtag = 0x1f, .ce = 0xff, .fb_lbtag = 0x10, .fb_metric = 8};
    assert_int_equal(conga_overlay_pack(wide), 0xfe00);
}

static void unpack__undoes_pack_for_every_value(void **state) {
    (void)state;
    for (uint32_t v = 0; v <= 0xfffe; v += 2)
        assert_int_equal(conga_overlay_pack(conga_overlay_unpack((uint16_t)v)), v);
}

static void with__changes_only_its_fields(void **state) {
    (void)state;
    struct conga_overlay f = {.lbtag = 9, .ce = 2, .fb_lbtag = 5, .fb_metric = 3, .fb_valid = false};
    struct conga_overlay ce = conga_overlay_unpack(conga_with_ce(conga_overlay_pack(f), 6));
    assert_int_equal(ce.ce, 6);
    assert_int_equal(ce.lbtag, 9);
    assert_int_equal(ce.fb_lbtag, 5);
    assert_int_equal(ce.fb_metric, 3);
    assert_false(ce.fb_valid);
    struct conga_overlay fb = conga_overlay_unpack(conga_with_feedback(conga_overlay_pack(f), 12, 1));
    assert_int_equal(fb.ce, 2);
    assert_int_equal(fb.lbtag, 9);
    assert_int_equal(fb.fb_lbtag, 12);
    assert_int_equal(fb.fb_metric, 1);
    assert_true(fb.fb_valid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(pack__every_field_in_its_place),
        UNIT(pack__cuts_to_width),
        UNIT(unpack__undoes_pack_for_every_value),
        UNIT(with__changes_only_its_fields),
    };
    return RUN_UNITS(tests);
}
