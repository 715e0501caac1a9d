/* SPDX-License-Identifier: Apache-2.0 */
/* Packet spraying in a fabric: flows are reordered, links are loaded evenly, and TCP still delivers everything. */
#include "sim/fixture.h"

static struct lab *run(const char *balance, int mode) {
    struct lab *l = lab_new(spec_leaf_spine(2, 4, 4));
    lab_balance(l, balance);
    if (mode) lab_balance_param(l, "mode", mode);
    for (uint32_t host = 0; host < 4; host++) lab_flow(l, host, 4 + (host + 1) % 4, 3000000, host * 7 * US);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, 4);
    return l;
}

/* Finds the least and the most bytes that leaf 0 sent to a spine. */
static void uplinks(const struct lab *l, uint64_t *least, uint64_t *most) {
    static const char *const spine[] = {"spine0", "spine1", "spine2", "spine3"};
    *least = UINT64_MAX, *most = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t sent = lab_sent(l, "leaf0", spine[i]);
        *least = sent < *least ? sent : *least;
        *most = sent > *most ? sent : *most;
    }
}

static void ecmp__keeps_the_order(void **state) {
    (void)state;
    struct lab *l = run("ecmp", 0);
    assert_int_equal(l->r.packets.reordered, 0);
    lab_end(l);
}

static void spray__reorders(void **state) {
    (void)state;
    struct lab *l = run("spray", 0);
    assert_true(l->r.packets.reordered > 100);
    lab_end(l);
}

static void spray__loads_all_uplinks_evenly(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct lab *l = run("spray", mode);
        uint64_t least, most;
        uplinks(l, &least, &most);
        assert_true(least > 2900000);
        if (mode) /* round robin: spines differ by about a frame of each size, and by retransmissions */
            assert_true(most - least < 30000);
        else
            assert_true(most - least < 400000);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(ecmp__keeps_the_order),
        UNIT(spray__reorders),
        UNIT(spray__loads_all_uplinks_evenly),
    };
    return RUN_UNITS(tests);
}
