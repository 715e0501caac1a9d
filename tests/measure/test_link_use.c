/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/link_use.h"

#include "unit.h"

/* 1250 bytes in 1 us are 10 Gbps. */
static void link_share__of_a_rate(void **state) {
    (void)state;
    assert_int_equal(link_share_ppb(1250, 10000000000, PS_PER_US), PPB);
    assert_int_equal(link_share_ppb(625, 10000000000, PS_PER_US), PPB / 2);
    assert_int_equal(link_share_ppb(1250, 10000000000, 0), 0);
    assert_int_equal(link_share_ppb(1250000000000000, 400000000000, 50000 * PS_PER_S), PPB / 2);
}

/* Two links: one carries 80 % and 10 % in reverse, the other 60 %, a tenth of it credits, and nothing in reverse. */
static void link_use__mean_of_directions_least_of_links(void **state) {
    (void)state;
    const struct port_total t[] = {{.utilisation_ppb = 800, .data_ppb = 720},
                                   {.utilisation_ppb = 100, .data_ppb = 90},
                                   {.utilisation_ppb = 600, .data_ppb = 540},
                                   {.utilisation_ppb = 0}};
    struct link_sums s = {0};
    for (int i = 0; i < 4; i++) link_use_add(&s, &t[i]);
    link_use_least(&s, &t[0], &t[1]);
    link_use_least(&s, &t[3], &t[2]);
    struct link_use u = link_use_of(&s);
    assert_int_equal(u.n, 4);
    assert_int_equal(u.mean_ppb, 375);
    assert_int_equal(u.max_ppb, 800);
    assert_int_equal(u.min_ppb, 600);
    assert_int_equal(u.data_mean_ppb, 337);
    assert_int_equal(u.data_max_ppb, 720);
    assert_int_equal(u.data_min_ppb, 540);
}

static void link_use__of_none(void **state) {
    (void)state;
    struct link_sums s = {0};
    struct link_use u = link_use_of(&s);
    assert_int_equal(u.n, 0);
    assert_int_equal(u.max_ppb, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(link_share__of_a_rate),
        UNIT(link_use__mean_of_directions_least_of_links),
        UNIT(link_use__of_none),
    };
    return RUN_UNITS(tests);
}
