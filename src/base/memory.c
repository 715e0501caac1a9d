#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE 2097152

static void *memory_or_abort(void *memory, size_t n, size_t size) {
    if (memory || n == 0 || size == 0) return memory;
    fprintf(stderr, "heddle: error: out of memory (%zu x %zu bytes wanted)\n", n, size);
    abort();
}

void *memory_get(size_t n, size_t size) { return memory_or_abort(calloc(n, size), n, size); }

void *memory_get_lines(size_t n, size_t size) {
    size_t bytes;
    void *memory = NULL;
    if (!__builtin_mul_overflow(n, size, &bytes) && bytes <= SIZE_MAX - CACHE_LINE) {
        bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
        memory = aligned_alloc(CACHE_LINE, bytes);
    }
    memory = memory_or_abort(memory, n, size);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void *memory_get_large(size_t bytes) {
    void *memory = memory_or_abort(aligned_alloc(HUGE_PAGE, bytes), 1, bytes);
    madvise(memory, bytes, MADV_HUGEPAGE); /* a wish: without huge pages it is memory all the same */
    memset(memory, 0, bytes);
    return memory;
}

void *memory_grow(void *old, size_t new_n, size_t size) {
    return memory_or_abort(reallocarray(old, new_n, size), new_n, size);
}
