/* SPDX-License-Identifier: Apache-2.0 */
/* Rings of lanes that wait for each other. */
#include "mech/flowctl/pause_ring.h"

#include "base/random.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Returns the rings as text, each from its lowest lane on: "0>1>2 4>5". */
static const char *rings_of(const char *waits, uint32_t n_lanes) {
    static char text[256];
    struct pause_wait wait[64];
    size_t n = 0;
    for (const char *at = waits; *at; at += *at == ' ') {
        int used;
        assert_int_equal(sscanf(at, "%u>%u%n", &wait[n].of, &wait[n].on, &used), 2);
        at += used;
        n++;
    }
    struct pause_rings r;
    pause_rings_find(&r, wait, n, n_lanes);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t k = 0; k < r.n; k++)
        for (uint32_t i = r.start[k]; i < r.start[k + 1]; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u",
                                     i > r.start[k] ? ">"
                                     : k            ? " "
                                                    : "",
                                     r.lane[i]);
    pause_rings_fini(&r);
    return text;
}

static void find__nothing_where_nobody_waits(void **state) {
    (void)state;
    assert_string_equal(rings_of("", 0), "");
    assert_string_equal(rings_of("", 3), "");
}

static void find__a_chain_ends_somewhere(void **state) {
    (void)state;
    assert_string_equal(rings_of("0>1 1>2 2>3", 4), "");
    assert_string_equal(rings_of("0>1 0>2 1>3 2>3", 4), "");
}

static void find__a_ring_from_its_lowest_lane(void **state) {
    (void)state;
    assert_string_equal(rings_of("3>1 1>2 2>3", 4), "1>2>3");
    assert_string_equal(rings_of("0>4 4>2 2>0 3>4", 5), "0>4>2");
}

static void find__a_lane_that_waits_for_itself(void **state) {
    (void)state;
    assert_string_equal(rings_of("1>1", 2), "1");
}

/* A lane that waits for a ring is no part of it, in either order of search. */
static void find__a_tail_is_no_part(void **state) {
    (void)state;
    assert_string_equal(rings_of("0>1 1>2 2>3 3>2", 4), "2>3");
    assert_string_equal(rings_of("0>1 1>0 1>2", 3), "0>1");
}

static void find__two_rings_apart(void **state) {
    (void)state;
    assert_string_equal(rings_of("0>1 1>0 2>3 3>4 4>2", 5), "0>1 2>3>4");
}

static void find__a_way_out_does_not_hide_the_ring(void **state) {
    (void)state;
    assert_string_equal(rings_of("0>5 0>1 1>5 1>2 2>0 2>5", 6), "0>1>2");
}

/* In random graphs each ring found is a ring, no lane is in two rings, and one is found whenever a lane can reach
 * itself. */
static void find__a_ring_if_and_only_if_there_is_one(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_PAIRS, 4);
    uint32_t with = 0;
    for (int round = 0; round < 2000; round++) {
        enum { N = 8 };
        struct pause_wait wait[12];
        bool reach[N][N] = {{0}}, direct[N][N] = {{0}}, any = false;
        size_t n = (size_t)random_below(&s, 12) + 1;
        for (size_t i = 0; i < n; i++) {
            wait[i] = (struct pause_wait){(uint32_t)random_below(&s, N), (uint32_t)random_below(&s, N)};
            reach[wait[i].of][wait[i].on] = direct[wait[i].of][wait[i].on] = true;
        }
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) reach[i][j] |= reach[i][k] && reach[k][j];
        for (int i = 0; i < N; i++) any |= reach[i][i];
        struct pause_rings r;
        pause_rings_find(&r, wait, n, N);
        assert_int_equal(r.n > 0, any);
        bool used[N] = {0};
        for (uint32_t k = 0; k < r.n; k++)
            for (uint32_t i = r.start[k]; i < r.start[k + 1]; i++) {
                uint32_t next = i + 1 < r.start[k + 1] ? i + 1 : r.start[k];
                assert_true(direct[r.lane[i]][r.lane[next]]);
                assert_false(used[r.lane[i]]);
                used[r.lane[i]] = true;
            }
        with += any;
        pause_rings_fini(&r);
    }
    assert_in_range(with, 200, 1900);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(find__nothing_where_nobody_waits),
        UNIT(find__a_chain_ends_somewhere),
        UNIT(find__a_ring_from_its_lowest_lane),
        UNIT(find__a_lane_that_waits_for_itself),
        UNIT(find__a_tail_is_no_part),
        UNIT(find__two_rings_apart),
        UNIT(find__a_way_out_does_not_hide_the_ring),
        UNIT(find__a_ring_if_and_only_if_there_is_one),
    };
    return RUN_UNITS(tests);
}
