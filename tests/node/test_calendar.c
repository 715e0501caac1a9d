/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines in buckets: buckets come out in order of time, each with all of its deadlines, however distant others
 * are. */
#include "node/calendar.h"
#include "node/ports.h"

#include "node/host.h"

#define MANY 2000
#define PLACE_AT offsetof(struct connection, heap_place)

static struct connection conn[MANY + 1];

static struct deadline due(uint32_t i, time_ps at) {
    conn[i] = (struct connection){.flow = i, .timer_at = at, .heap_place = PLACE_NONE};
    return (struct deadline){at, &conn[i]};
}

/* Empties the calendar. Returns the number of deadlines; asserts that each bucket holds times of its own range. */
static uint32_t drain(struct calendar *c) {
    uint32_t n = 0;
    for (time_ps from = INT64_MIN; c->n; from = c->from) {
        struct bucket *b = calendar_take(c);
        assert_true(b->n > 0);
        for (uint32_t i = 0; i < b->n; i++) assert_true(b->entry[i].at >= from && b->entry[i].at < c->from);
        n += b->n;
        calendar_taken(c, b);
    }
    return n;
}

static struct calendar *calendar_of(uint32_t n, span_ps apart) {
    static struct deadline d[MANY];
    struct calendar *c = calendar_create(PLACE_AT);
    for (uint32_t i = 0; i < n; i++) d[i] = due(i, 1000 + (time_ps)(i * 7919ull % n) * apart);
    calendar_spread(c, d, n);
    return c;
}

static void spread__over_all_buckets(void **state) {
    (void)state;
    struct calendar *c = calendar_of(MANY, 5000);
    uint32_t filled = (uint32_t)__builtin_popcountll(c->filled);
    assert_true(filled >= CALENDAR_BUCKETS / 2);
    assert_int_equal(c->n, MANY);
    assert_true(calendar_bytes(c) >= sizeof *c + MANY * sizeof(struct deadline));
    assert_int_equal(drain(c), MANY);
    calendar_destroy(c);
}

static void spread__all_at_one_time(void **state) {
    (void)state;
    struct calendar *c = calendar_of(MANY, 0);
    struct bucket *b = calendar_take(c);
    assert_int_equal(b->n, MANY);
    calendar_taken(c, b);
    assert_int_equal(c->n, 0);
    calendar_destroy(c);
}

/* Deadlines beyond the buckets come out in order, also while nearer ones are added. */
static void beyond__comes_in_its_turn(void **state) {
    (void)state;
    struct calendar *c = calendar_of(100, 1000);
    uint32_t n = 100, taken = 0;
    time_ps from = INT64_MIN;
    calendar_add(c, due(n++, 1000 + 2000000));
    calendar_add(c, due(n++, 1000 + 3000000));
    assert_int_equal(c->bucket[CALENDAR_BUCKETS].n, 2);
    while (c->n) {
        struct bucket *b = calendar_take(c);
        for (uint32_t i = 0; i < b->n; i++) assert_true(b->entry[i].at >= from && b->entry[i].at < c->from);
        from = c->from;
        taken += b->n;
        calendar_taken(c, b);
        if (n < MANY) calendar_add(c, due(n++, c->from + 20000));
    }
    assert_int_equal(taken, MANY);
    calendar_destroy(c);
}

static void remove__leaves_the_others(void **state) {
    (void)state;
    struct calendar *c = calendar_of(MANY, 5000);
    calendar_add(c, due(MANY, 1000 + 50000000));
    calendar_remove(c, conn[MANY].heap_place); /* the only one beyond */
    for (uint32_t i = 1; i < MANY; i += 2) calendar_remove(c, conn[i].heap_place);
    for (uint32_t b = 0; b < CALENDAR_BUCKETS; b++) {
        assert_int_equal(c->filled >> b & 1, c->bucket[b].n > 0);
        for (uint32_t i = 0; i < c->bucket[b].n; i++)
            assert_int_equal(c->bucket[b].entry[i].of->heap_place, PLACE_IN_CALENDAR | b << 24 | i);
    }
    assert_int_equal(drain(c), MANY / 2);
    calendar_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(spread__over_all_buckets),
        UNIT(spread__all_at_one_time),
        UNIT(beyond__comes_in_its_turn),
        UNIT(remove__leaves_the_others),
    };
    return RUN_UNITS(tests);
}
