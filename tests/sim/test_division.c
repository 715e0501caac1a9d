/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank has which part, and how long its windows are. */
#include "sim/division.h"

#include "sim/epoch.h"
#include "sim/fixture.h"

#include "unit.h"

static struct lab *lab_of(struct fabric_spec spec) {
    struct lab *l = lab_new(spec);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    return l;
}

/* A minimum frame on 10 Gbps. */
#define LEAST_PS 67200

static void assert_adjacent(const struct lab *l, uint32_t ranks, uint32_t threads) {
    struct division v;
    division_make(&v, &l->config, ranks, threads);
    assert_int_equal(v.first[0], 0);
    assert_int_equal(v.first[ranks], v.parts);
    uint32_t seen = 0;
    for (uint32_t r = 0; r < ranks; r++) assert_true(v.first[r] < v.first[r + 1]);
    for (uint32_t n = 0; n < l->fabric->n_nodes; n++) {
        uint32_t rank = division_rank(&v, n);
        assert_in_range(v.part[n], v.first[rank], v.first[rank + 1] - 1);
        seen |= 1u << rank;
    }
    assert_int_equal(seen, (1u << ranks) - 1);
    division_free(&v);
}

static void make__ranks_have_adjacent_parts(void **state) {
    (void)state;
    struct lab *l = lab_of(spec_fat_tree(8)), *racks = lab_of(spec_leaf_spine(8, 2, 1));
    for (uint32_t ranks = 1; ranks <= 8; ranks++)
        for (uint32_t threads = 1; ranks * threads <= 8; threads++) assert_adjacent(l, ranks, threads);
    assert_adjacent(racks, 3, 3); /* eight racks: the ranks have unequal numbers of parts */
    assert_adjacent(racks, 5, 2);
    lab_end(l);
    lab_end(racks);
}

static void make__a_window_is_the_shortest_way_between_parts(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_link(l, "leaf*-spine*", 0, 5 * US, -1);
    lab_link(l, "host0.0-*", 0, 300 * PS_PER_NS, -1);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    struct division v;
    division_make(&v, &l->config, 2, 1);
    assert_int_equal(v.slot, 300 * PS_PER_NS + LEAST_PS);
    assert_int_equal(v.window, (5 * US + LEAST_PS) / v.slot * v.slot);
    division_free(&v);
    division_make(&v, &l->config, 1, 1);
    assert_int_equal(v.window, TIME_NONE);
    division_free(&v);
    lab_end(l);
}

/* The links of the core are longer. Slots become shorter where windows would lose more than a fourth. */
static void make__a_window_has_whole_slots(void **state) {
    (void)state;
    static const struct {
        span_ps core, slot;
    } of[] = {
        {4 * US, (4 * US + LEAST_PS) / 2},     /* 1.97 slots of 2 us */
        {3 * US, (3 * US + LEAST_PS) / 2},     /* 1.5 */
        {2600 * PS_PER_NS, 2 * US + LEAST_PS}, /* 1.3: a fifth is left out */
        {2 * US, 2 * US + LEAST_PS},           /* 1 */
        {20 * US, 2 * US + LEAST_PS},          /* 9.7: a fourteenth */
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct lab *l = lab_new(spec_clos(4, 2, 2, 2, 2));
        struct division v;
        lab_link(l, "agg*-core*", 0, of[i].core, -1);
        l->config.fabric = lab_fabric(l);
        l->config.flows = &l->flows;
        division_make(&v, &l->config, 2, 1);
        assert_int_equal(v.slot, of[i].slot);
        assert_int_equal(v.window, (of[i].core + LEAST_PS) / v.slot * v.slot);
        division_free(&v);
        lab_end(l);
    }
}

/* A reduced rate does not count: the link may be repaired. */
static void make__a_window_holds_for_every_rate(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 1, 2));
    lab_slow(l, "leaf0-spine0", GBPS, 0, 10 * US);
    lab_slow(l, "leaf1-spine0", GBPS, 0, 10 * US);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    struct division v;
    division_make(&v, &l->config, 2, 1);
    assert_int_equal(v.window, 2 * US + LEAST_PS);
    division_free(&v);
    lab_end(l);
}

/* Between two ranks are the links of the core; what threads of one rank send each other has no border then. Without other ranks
 * the border is that between threads. */
static void make__the_border_has_links_to_other_ranks(void **state) {
    (void)state;
    struct lab *l = lab_of(spec_fat_tree(4));
    struct division v;
    const struct fabric *f = l->fabric;
    division_make(&v, &l->config, 2, 2);
    uint32_t found = 0;
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        bool other = false;
        for (uint32_t g = f->paths.first_port[n]; g < f->paths.first_port[n + 1]; g++)
            other |= division_rank(&v, f->paths.port[g].neighbour) != division_rank(&v, n);
        assert_int_equal(v.border[n], other);
        found += v.border[n];
    }
    assert_in_range(found, 4, 4 + 8); /* the cores, and aggs that have a core in the other rank */
    division_free(&v);
    division_make(&v, &l->config, 1, 4);
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        bool other = false;
        for (uint32_t g = f->paths.first_port[n]; g < f->paths.first_port[n + 1]; g++)
            other |= v.part[f->paths.port[g].neighbour] != v.part[n];
        assert_int_equal(v.border[n], other);
    }
    division_free(&v);
    lab_end(l);
}

static int64_t windows_in(const struct world_config *c, span_ps window, span_ps lasts) {
    struct epoch_windows w = epoch_windows_of(c, window);
    return lasts / w.period * w.each;
}

static void windows__epochs_end_them_too(void **state) {
    (void)state;
    struct lab *l = lab_of(spec_leaf_spine(2, 2, 2));
    assert_int_equal(windows_in(&l->config, 2 * US, 1 * MS), 500);
    assert_int_equal(windows_in(&l->config, 99 * US, 1 * MS), 20);
    assert_int_equal(windows_in(&l->config, 300 * US, 1 * MS), 10);
    lab_balance(l, "clairvoyant");
    assert_int_equal(windows_in(&l->config, 2 * US, 1 * MS), 1000);
    lab_end(l);
}

static time_ps window_after(span_ps slot, span_ps lookahead, time_ps start, time_ps epoch) {
    struct world w = {.n_partitions = 2, .slot = slot, .lookahead = lookahead};
    struct wheel wheel;
    wheel_init(&wheel, 1, slot);
    time_ps end = window_end(&w, &wheel, start, epoch);
    wheel_fini(&wheel);
    return end;
}

/* A window that begins within a slot is short, so that the next ones are whole slots. */
static void windows__end_with_a_slot(void **state) {
    (void)state;
    assert_int_equal(window_after(1000, 1000, 0, MS), 1000);
    assert_int_equal(window_after(1000, 1000, 1300, MS), 2000);
    assert_int_equal(window_after(1000, 3000, 1300, MS), 4000);
    assert_int_equal(window_after(1000, 4999, 3000, MS), 7000); /* a fifth shorter */
    assert_int_equal(window_after(1000, 1000, 1300, 1900), 1900);
    assert_int_equal(window_after(1000, 1000, 1300, 2100), 2100); /* a meeting fewer */
}

/* No window is longer than the lookahead, wherever it begins, and none is empty. */
static void windows__never_longer_than_frames_take(void **state) {
    (void)state;
    span_ps slot = 1067200;
    for (time_ps start = 0; start < 300 * slot; start += 777777) {
        time_ps end = window_after(slot, slot, start, INT64_MAX);
        assert_in_range(end - start, 1, slot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(make__ranks_have_adjacent_parts),     UNIT(make__a_window_is_the_shortest_way_between_parts),
        UNIT(make__a_window_holds_for_every_rate), UNIT(make__the_border_has_links_to_other_ranks),
        UNIT(windows__epochs_end_them_too),        UNIT(windows__end_with_a_slot),
        UNIT(make__a_window_has_whole_slots),      UNIT(windows__never_longer_than_frames_take),
    };
    return RUN_UNITS(tests);
}
