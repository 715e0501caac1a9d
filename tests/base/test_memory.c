/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include "unit.h"

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
        uint64_t *memory = memory_map(n, sizeof *memory);
        assert_int_equal((uintptr_t)memory % CACHE_LINE, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(memory[i], 0);
        memset(memory, 1, n * sizeof *memory);
        memory_unmap(memory, n, sizeof *memory);
    }
    assert_null(memory_map(0, 8));
    memory_unmap(NULL, 0, 8);
}

/* AddressSanitizer's memory is written when it is given. */
static void map__takes_only_pages_that_are_written(void **state) {
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = memory_map(PAGES, page);
    memory[3 * page] = memory[7 * page + 1] = 1;
#ifdef __SANITIZE_ADDRESS__
    (void)resident;
#else
    assert_int_equal(resident(memory, page), 2);
#endif
    memory_unmap(memory, PAGES, page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(map__is_zeroed_and_aligned),
        UNIT(map__takes_only_pages_that_are_written),
    };
    return RUN_UNITS(tests);
}
