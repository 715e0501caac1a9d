/* SPDX-License-Identifier: Apache-2.0 */
/* The path selection table (mech/balance/path_table.h): EXP-12..EXP-17, and both stores alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "mech/balance/path_table.h"
#include "table_rows.h"

#define TIMEOUT (100 * PS_PER_MS)

/* The four rows of EXP-14, on both stores. */
static void path_table_lookup__the_four_rows(void **state) {
    (void)state;
    static const struct {
        bool exists;
        uint8_t valid, pss;
        enum path_verdict verdict;
    } row[] = {
        {false, 0, 0, PATH_NEW}, {true, 1, 0, PATH_FORWARD}, {true, 1, 1, PATH_FORWARD},
        {true, 0, 1, PATH_NEW},  {true, 0, 0, PATH_WAIT},
    };
    for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
        struct path_table t;
        struct path_entry *e;
        size_t k = i / 2;
        path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, i % 2, NULL);
        if (row[k].exists) {
            e = path_table_put(&t, 0xf0a3, 5);
            e->port = 4;
            e->flags = (uint8_t)(PATH_EXISTS | (row[k].valid ? PATH_VALID : 0) | (row[k].pss ? PATH_PSS : 0));
        }
        assert_int_equal(path_table_lookup(&t, 0xf0a3, 10, &e), row[k].verdict);
        if (row[k].verdict == PATH_FORWARD) assert_int_equal(e->port, 4);
        if (!row[k].exists) assert_null(e);
        path_table_fini(&t);
    }
}

static void settle(struct path_table *t, uint32_t key, uint16_t port, time_ps now) {
    struct path_entry *e = path_table_put(t, key, now);
    e->port = port;
    e->flags = PATH_SETTLED;
}

static void begin(struct path_table *t, uint32_t key, time_ps now) { path_table_put(t, key, now)->flags = PATH_EXISTS; }

/* EXP-16: a packet at T - eps keeps the entry, at T it is gone. */
static void path_table_lookup__exact_timeout(void **state) {
    (void)state;
    struct path_table t;
    struct path_entry *e;
    path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, false, NULL);
    settle(&t, 1, 3, 0);
    assert_int_equal(path_table_lookup(&t, 1, TIMEOUT - 1, &e), PATH_FORWARD);
    assert_int_equal(path_table_lookup(&t, 1, 2 * TIMEOUT - 2, &e), PATH_FORWARD); /* each use restarts the timer */
    assert_int_equal(path_table_lookup(&t, 1, 3 * TIMEOUT - 2, &e), PATH_NEW);
    path_table_fini(&t);
}

/* One bit per entry and one timer: an entry lives between one and two timeouts. */
static void path_table_lookup__one_bit_timeout(void **state) {
    (void)state;
    static const struct {
        time_ps used, asked;
        enum path_verdict verdict;
    } row[] = {
        {0, 2 * TIMEOUT - 1, PATH_FORWARD}, /* used just after a tick: almost two periods */
        {0, 2 * TIMEOUT, PATH_NEW},
        {TIMEOUT - 1, 2 * TIMEOUT - 1, PATH_FORWARD}, /* used just before a tick: one period */
        {TIMEOUT - 1, 2 * TIMEOUT, PATH_NEW},
        {TIMEOUT, 3 * TIMEOUT - 1, PATH_FORWARD},
        {TIMEOUT, 10 * TIMEOUT, PATH_NEW},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct path_table t;
        struct path_entry *e;
        path_table_init(&t, TIMEOUT, PATH_AGE_ONE_BIT, false, NULL);
        settle(&t, 1, 3, row[i].used);
        assert_int_equal(path_table_lookup(&t, 1, row[i].asked, &e), row[i].verdict);
        path_table_fini(&t);
    }
}

/* EXP-17, X-2: a selection without a response is given up at the timeout and counted once. */
static void path_table_lookup__unfinished_selection_is_lost_at_timeout(void **state) {
    (void)state;
    struct path_table t;
    struct path_entry *e;
    uint64_t lost = 0;
    path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, false, &lost);
    begin(&t, 1, 0);
    assert_int_equal(path_table_lookup(&t, 1, TIMEOUT - 1, &e), PATH_WAIT);
    assert_int_equal(lost, 0);
    assert_int_equal(path_table_lookup(&t, 1, 2 * TIMEOUT - 1, &e), PATH_NEW);
    assert_int_equal(path_table_lookup(&t, 1, 2 * TIMEOUT, &e), PATH_NEW);
    assert_int_equal(lost, 1);
    path_table_fini(&t);
}

static void path_table_turn__sweep_counts_what_nobody_touches(void **state) {
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        struct path_table t;
        struct path_entry *e;
        uint64_t lost = 0;
        path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, flat, &lost);
        for (uint32_t i = 0; i < 1000; i++) begin(&t, i * 7, 0);
        for (uint32_t i = 0; i < 500; i++) settle(&t, 20000 + i, 1, 0);
        assert_int_equal(path_table_live(&t, 0), 1500);
        path_table_lookup(&t, 60000, 3 * TIMEOUT, &e);
        assert_int_equal(lost, 1000);
        assert_int_equal(t.used, 0);
        settle(&t, 1, 1, 3 * TIMEOUT + 1);
        path_table_lookup(&t, 60000, 4 * TIMEOUT, &e); /* the next sweep; the entry has one picosecond left */
        assert_int_equal(t.used, 1);
        path_table_lookup(&t, 60000, 5 * TIMEOUT - 1, &e);
        assert_int_equal(t.used, 1);
        path_table_lookup(&t, 60000, 5 * TIMEOUT, &e);
        assert_int_equal(t.used, 0);
        path_table_fini(&t);
    }
}

/* EXP-13: the table is indexed by 16 bits; flows with the same index share the entry, and it is marked as shared. */
static void path_table_lookup__flows_of_one_id_share_the_entry(void **state) {
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        struct path_table t;
        struct path_entry *e;
        path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, flat, NULL);
        settle(&t, 0x00019eb2, 4, 0);
        assert_int_equal(path_table_lookup(&t, 0x00029eb2, 1, &e), PATH_FORWARD);
        assert_int_equal(e->port, 4);
        assert_true(path_entry_is_shared(e, 0x00029eb2));
        assert_false(path_entry_is_shared(e, 0x00019eb2));
        path_table_fini(&t);
    }
}

static void path_table_put__all_65536_ids_live(void **state) {
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        struct path_table t;
        struct path_entry *e;
        path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, flat, NULL);
        for (uint32_t i = 0; i < PATH_TABLE_IDS; i++) settle(&t, i * 40503u & 0xffff, (uint16_t)i, 1);
        assert_int_equal(path_table_live(&t, 2), PATH_TABLE_IDS);
        for (uint32_t i = 0; i < PATH_TABLE_IDS; i++) {
            assert_int_equal(path_table_lookup(&t, i * 40503u & 0xffff, 2, &e), PATH_FORWARD);
            assert_int_equal(e->port, (uint16_t)i);
        }
        assert_int_equal(path_table_bytes(&t), (1 << 20) + (flat ? 8 << 10 : 0));
        path_table_fini(&t);
    }
}

static void path_table_put__live_ids_store_is_small(void **state) {
    (void)state;
    struct path_table t;
    struct path_entry *e;
    path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, false, NULL);
    assert_int_equal(path_table_bytes(&t), 256);
    for (uint32_t i = 0; i < 300; i++) settle(&t, i * 211, 1, 0);
    assert_int_equal(path_table_bytes(&t), 1024 * 16);
    path_table_lookup(&t, 0, 5 * TIMEOUT, &e); /* all entries expire: the store shrinks */
    assert_int_equal(path_table_bytes(&t), 256);
    path_table_fini(&t);
}

/* The first flow of a page must not wait for the kernel to find memory: a live switch's table has it from the start. */
static void path_table_init__flat_store_is_resident(void **state) {
    (void)state;
    struct path_table t;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), missing = 0;
    mallopt(M_PERTURB, 0); /* fresh memory, none that malloc or an earlier table wrote */
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    malloc_trim(0);
    path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, true, NULL);
    uintptr_t first = ((uintptr_t)t.entry + page - 1) / page * page, end = (uintptr_t)(t.entry + PATH_TABLE_IDS);
    for (uintptr_t at = first; at + page <= end; at += page) {
        unsigned char in;
        assert_int_equal(mincore((void *)at, page, &in), 0);
        missing += !(in & 1);
    }
    assert_int_equal(missing, 0);
    path_table_fini(&t);
}

/* Returns the processor time of a sweep of the flat store with n entries, on average. */
static int64_t sweep_ns(uint32_t n) {
    enum { SWEEPS = 200 };
    struct path_table t;
    path_table_init(&t, 1000 * PS_PER_S, PATH_AGE_EXACT, true, NULL);
    for (uint32_t k = 0; k < n; k++) settle(&t, k, 1, 0);
    int64_t begin = clock_thread_ns();
    for (int i = 1; i <= SWEEPS; i++) {
        t.next_sweep = 0;
        path_table_turn(&t, i);
    }
    int64_t each = (clock_thread_ns() - begin) / SWEEPS;
    assert_int_equal(t.used, n);
    path_table_fini(&t);
    return each;
}

/* A sweep delays the frame that finds it due. A live switch of few flows must not walk its whole table for it. */
static void path_table_turn__flat_sweep_costs_what_is_in_use(void **state) {
    (void)state;
    assert_true(20 * sweep_ns(10) < sweep_ns(PATH_TABLE_IDS));
}

/* Performs random operations on both stores and asserts equal answers. */
static void check_contract(enum path_age age, span_ps timeout, uint64_t ids, uint64_t seed) {
    struct path_table t[2];
    uint64_t lost[2] = {0, 0};
    struct random_stream r;
    random_init(&r, seed, RANDOM_HOST, 1);
    for (int k = 0; k < 2; k++) path_table_init(&t[k], timeout, age, k, &lost[k]);
    time_ps now = 0;
    for (int i = 0; i < 40000; i++) {
        now += (time_ps)random_below(&r, (uint64_t)timeout / (i % 1000 < 10 ? 1 : 500));
        uint32_t key = (uint32_t)(random_below(&r, ids) * 2654435761u);
        uint64_t what = random_below(&r, 10);
        uint8_t flags = (uint8_t)(PATH_EXISTS | (random_u32(&r) & (PATH_VALID | PATH_PSS)));
        struct path_entry *e[2];
        enum path_verdict verdict[2];
        for (int k = 0; k < 2; k++) {
            if (what < 3) {
                e[k] = path_table_put(&t[k], key, now);
                e[k]->flags = flags;
                e[k]->port = (uint16_t)i;
            }
            verdict[k] = path_table_lookup(&t[k], key, now, &e[k]);
        }
        assert_int_equal(verdict[0], verdict[1]);
        assert_int_equal(lost[0], lost[1]);
        assert_int_equal(e[0] == NULL, e[1] == NULL);
        if (e[0]) assert_memory_equal(e[0], e[1], sizeof *e[0]);
        assert_int_equal(t[0].used, t[1].used);
        if (i % 5000 == 0) assert_int_equal(path_table_live(&t[0], now), path_table_live(&t[1], now));
    }
    for (int k = 0; k < 2; k++) path_table_fini(&t[k]);
}

static void path_table__both_stores_answer_alike(void **state) {
    (void)state;
    check_contract(PATH_AGE_EXACT, TIMEOUT, 300, 1);
    check_contract(PATH_AGE_EXACT, 500 * PS_PER_US, 3000, 2);
    check_contract(PATH_AGE_ONE_BIT, TIMEOUT, 300, 3);
    check_contract(PATH_AGE_ONE_BIT, 500 * PS_PER_US, 100000, 4);
}

/* What heddle status shows of a table: entries in use, with their ports, their flags and how long they were unused. */
static void path_table_rows__entries_in_use(void **state) {
    (void)state;
    char text[1024];
    struct path_table t;
    struct balance_rows rows = table_rows_into(text);
    path_table_init(&t, TIMEOUT, PATH_AGE_EXACT, true, NULL);
    settle(&t, 7, 3, 0);
    begin(&t, 9, TIMEOUT - 5 * PS_PER_US);
    struct path_entry *e = path_table_put(&t, 4, TIMEOUT - 2 * PS_PER_US);
    e->port = 2, e->flags = PATH_EXISTS | PATH_VALID;
    path_table_rows(&t, TIMEOUT - PS_PER_US, &rows);
    assert_string_equal(text, "paths: id 4, port 2, valid 1, settled 0, idle_us 1\n"
                              "paths: id 7, port 3, valid 1, settled 1, idle_us 99999\n"
                              "paths: id 9, port 0, valid 0, settled 0, idle_us 4\n");
    text[0] = '\0';
    path_table_rows(&t, TIMEOUT, &rows); /* the oldest has expired */
    assert_null(strstr(text, "id 7,"));
    assert_non_null(strstr(text, "id 9, port 0, valid 0, settled 0, idle_us 5\n"));
    path_table_fini(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_table_lookup__the_four_rows),
        cmocka_unit_test(path_table_rows__entries_in_use),
        cmocka_unit_test(path_table_lookup__exact_timeout),
        cmocka_unit_test(path_table_lookup__one_bit_timeout),
        cmocka_unit_test(path_table_lookup__unfinished_selection_is_lost_at_timeout),
        cmocka_unit_test(path_table_turn__sweep_counts_what_nobody_touches),
        cmocka_unit_test(path_table_lookup__flows_of_one_id_share_the_entry),
        cmocka_unit_test(path_table_put__all_65536_ids_live),
        cmocka_unit_test(path_table_put__live_ids_store_is_small),
        cmocka_unit_test(path_table_init__flat_store_is_resident),
        cmocka_unit_test(path_table_turn__flat_sweep_costs_what_is_in_use),
        cmocka_unit_test(path_table__both_stores_answer_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
