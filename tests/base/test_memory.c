/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include "huge_pages.h"
#include "unit.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 64

/* Returns how many pages of the memory are resident. */
static uint32_t resident(void *memory, size_t page) {
    unsigned char in[PAGES];
    assert_int_equal(mincore(memory, PAGES * page, in), 0);
    uint32_t n = 0;
    for (int i = 0; i < PAGES; i++) n += in[i] & 1;
    return n;
}

static void map__is_zeroed_and_aligned(void **state) {
    (void)state;
    for (size_t n = 1; n < 100000; n *= 7) {
        uint64_t *memory = memory_map(n, sizeof *memory, n % 2);
        assert_int_equal((uintptr_t)memory % CACHE_LINE, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(memory[i], 0);
        memset(memory, 1, n * sizeof *memory);
        memory_unmap(memory, n, sizeof *memory, n % 2);
    }
    assert_null(memory_map(0, 8, true));
    memory_unmap(NULL, 0, 8, true);
}

/* AddressSanitizer's memory is written when it is given. */
static void map__takes_only_pages_that_are_written(void **state) {
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = memory_map(PAGES, page, false);
    memory[3 * page] = memory[7 * page + 1] = 1;
#ifdef __SANITIZE_ADDRESS__
    (void)resident;
#else
    assert_int_equal(resident(memory, page), 2);
#endif
    memory_unmap(memory, PAGES, page, false);
}

/* A list that grows by one element is not copied at each: 100,000 of them would take minutes. */
static void grow__takes_large_blocks_in_steps(void **state) {
    (void)state;
    uint64_t *list = NULL;
    size_t had = 0, steps = 0;
    for (size_t n = 1; n <= 100000; n++) {
        list = memory_grow(list, n, sizeof *list);
        list[n - 1] = n;
        steps += malloc_usable_size(list) != had;
        had = malloc_usable_size(list);
    }
    for (size_t n = 1; n <= 100000; n++) assert_int_equal(list[n - 1], n);
#ifndef __SANITIZE_ADDRESS__
    assert_in_range(steps, 1, 600); /* below 4 KiB each second element is one */
    assert_in_range(had, 800000, 900000 + 64);
#endif
    free(list);
}

/* Large memory is on huge pages where the system has them, whoever gives it; small memory is not. */
static void large__asks_for_huge_pages(void **state) {
    (void)state;
    skip_without_huge_pages();
    char *small = memory_get(1, HUGE_PAGE / 2), *got = memory_get(8, HUGE_PAGE),
         *lined = memory_get_lines(8, HUGE_PAGE);
    char *grown = memory_grow(NULL, 8, HUGE_PAGE), *mapped = memory_map(8, HUGE_PAGE, true),
         *large = memory_get_large(HUGE_PAGE);
    assert_true(is_advised(got + 4 * HUGE_PAGE) && is_advised(lined + 4 * HUGE_PAGE) &&
                is_advised(grown + 4 * HUGE_PAGE));
    assert_true(is_advised(mapped + 4 * HUGE_PAGE) && is_advised(large + HUGE_PAGE / 2));
    assert_false(is_advised(small + HUGE_PAGE / 4));
#ifndef __SANITIZE_ADDRESS__
    char *sparse = memory_map(8, HUGE_PAGE, false);
    assert_false(is_advised(sparse + 4 * HUGE_PAGE));
    memory_unmap(sparse, 8, HUGE_PAGE, false);
#endif
    memory_unmap(mapped, 8, HUGE_PAGE, true);
    free(small), free(got), free(lined), free(grown), free(large);
}

/* A mapping as large as a huge page or larger begins at one and has whole ones, all of which are given back. */
static void map__whole_huge_pages(void **state) {
    (void)state;
    static const size_t bytes[] = {HUGE_PAGE, HUGE_PAGE + 1, 2 * HUGE_PAGE - 1, 5 * HUGE_PAGE + 4096};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        char *memory = memory_map(bytes[i], 1, true);
        memory[0] = memory[bytes[i] - 1] = 1;
#ifndef __SANITIZE_ADDRESS__
        unsigned char in[1];
        size_t whole = (bytes[i] + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        assert_int_equal((uintptr_t)memory % HUGE_PAGE, 0);
        assert_int_equal(mincore(memory + whole - 4096, 4096, in), 0);
        memory_unmap(memory, bytes[i], 1, true);
        assert_int_equal(mincore(memory, 4096, in), -1); /* nothing is mapped there any more */
        assert_int_equal(mincore(memory + whole - 4096, 4096, in), -1);
#else
        memory_unmap(memory, bytes[i], 1, true);
#endif
    }
}

#define BLOCKS 500
#define BLOCK_BYTES 50000

/* Returns how many of many small blocks are on huge pages. */
static uint32_t small_blocks_advised(void) {
    void *block[BLOCKS];
    uint32_t n = 0;
    for (int i = 0; i < BLOCKS; i++) block[i] = memory_get(1, BLOCK_BYTES);
    for (int i = 0; i < BLOCKS; i++) n += is_advised((char *)block[i] + BLOCK_BYTES / 2);
    for (int i = 0; i < BLOCKS; i++) free(block[i]);
    return n;
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
/* Skips under valgrind, whose malloc does not use the heap of the process. */
static void skip_without_heap(void) {
    char *small = malloc(64), *end = sbrk(0);
    bool is_there = small < end && end - small < 1 << 30;
    free(small);
    if (!is_there) skip();
}
#endif

/* A process that will take as much memory as a fabric of a thousand hosts has its small blocks on huge pages, too. The first
 * blocks may come from the heap as it was. */
static void prepare__small_blocks_on_huge_pages(void **state) {
    (void)state;
    skip_without_huge_pages();
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    skip_without_heap();
    void *end = sbrk(0);
    memory_prepare(16 << 20);
    memory_prepare(1ull << 40);
    assert_ptr_equal(sbrk(0), end);
    memory_prepare(64 << 20);
    assert_in_range((char *)sbrk(0) - (char *)end, 64 << 20, 128 << 20);
    assert_true(small_blocks_advised() > BLOCKS * 9 / 10);
    end = sbrk(0);
    memory_prepare(48 << 20);
    assert_ptr_equal(sbrk(0), end);
#else
    (void)small_blocks_advised;
#endif
}

static void *prepare_on_thread(void *bytes) {
    memory_prepare(*(uint64_t *)bytes);
    return NULL;
}

/* Runs that begin on several threads at once each say what they will take; ThreadSanitizer looks on. */
static void prepare__by_threads_at_once(void **state) {
    (void)state;
    uint64_t bytes[] = {65 << 20, 66 << 20, 67 << 20};
    enum { N = sizeof bytes / sizeof *bytes };
    pthread_t thread[N];
    for (int i = 0; i < N; i++) assert_int_equal(pthread_create(&thread[i], NULL, prepare_on_thread, &bytes[i]), 0);
    for (int i = 0; i < N; i++) pthread_join(thread[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(map__is_zeroed_and_aligned),  UNIT(map__takes_only_pages_that_are_written),
        UNIT(map__whole_huge_pages),       UNIT(grow__takes_large_blocks_in_steps),
        UNIT(large__asks_for_huge_pages),  UNIT(prepare__small_blocks_on_huge_pages),
        UNIT(prepare__by_threads_at_once),
    };
    return RUN_UNITS(tests);
}
