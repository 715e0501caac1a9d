/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <limits.h>
#include <linux/mman.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void (*on_out)(const char *why);

void memory_on_out(void (*tell)(const char *why)) { on_out = tell; }

/* Allocates no memory itself. */
void memory_out(const char *fmt, ...) {
    char why[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    if (on_out) on_out(why);
    fprintf(stderr, "heddle: error: %s\n", why);
    _exit(3);
}

static void *memory_or_abort(void *memory, size_t n, size_t size) {
    if (memory || n == 0 || size == 0) return memory;
    memory_out(
        "memory ran out: %zu x %zu bytes wanted; lower --jobs, raise the limit (ulimit -v) or make the experiment "
        "smaller",
        n, size);
}

void memory_ask_for_huge_pages(void *memory, size_t bytes, bool written) {
    madvise(memory, bytes, MADV_HUGEPAGE);
#ifdef MADV_COLLAPSE
    if (written) madvise(memory, bytes, MADV_COLLAPSE);
#endif
}

void memory_give_back(void *memory, size_t bytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = ((uintptr_t)memory + page - 1) / page * page,
              end = ((uintptr_t)memory + bytes) / page * page;
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED); /* a refusal does no harm */
}

/* Asks for huge pages where large memory has whole ones; returns it. */
static void *memory_advise(void *memory, size_t bytes) {
    if (bytes < 2 * HUGE_PAGE) return memory;
    uintptr_t first = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)memory + bytes) & ~(HUGE_PAGE - 1);
    memory_ask_for_huge_pages((void *)first, end - first, false);
    return memory;
}

#ifdef __SANITIZE_ADDRESS__
void memory_prepare(uint64_t bytes) { (void)bytes; } /* AddressSanitizer has a heap of its own */
#else
/* Measured (docs/notebook): k = 16, with less, and k = 64, with more, gained nothing. Large blocks are on huge pages anyway. */
#define PREPARED_LEAST (32u << 20)
#define PREPARED_MOST (160u << 20)
#define PIECES 4
#define PIECE_BYTES (16u << 20)

/* Lets the heap grow by that much at once: until its end moves, by blocks that are given back. */
static void heap_extend(uint64_t bytes) {
    void *piece[PIECES] = {NULL}, *end = sbrk(0);
    mallopt(M_TOP_PAD, (int)bytes);
    for (int i = 0; i < PIECES && sbrk(0) == end; i++) piece[i] = malloc(PIECE_BYTES);
    for (int i = 0; i < PIECES; i++) free(piece[i]);
    mallopt(M_TOP_PAD, 128 << 10); /* as it was */
}

static void heap_prepare(uint64_t bytes) {
    mallopt(M_MMAP_THRESHOLD, 2 * PIECE_BYTES); /* blocks below it are of the heap; with 1 MiB k = 32 became slower */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);         /* which stays as large as it is */
    mallopt(M_ARENA_MAX, 1);                    /* for all threads */
    uintptr_t first = ((uintptr_t)sbrk(0) + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    heap_extend(bytes);
    uintptr_t end = (uintptr_t)sbrk(0) & ~(HUGE_PAGE - 1);
    if (end > first) memory_ask_for_huge_pages((void *)first, end - first, false);
}

void memory_prepare(uint64_t bytes) {
    static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER; /* the heap is that of the process */
    static uint64_t prepared;
    if (bytes < PREPARED_LEAST || bytes > PREPARED_MOST) return;
    pthread_mutex_lock(&alone);
    if (bytes > prepared) heap_prepare(bytes);
    prepared = bytes > prepared ? bytes : prepared;
    pthread_mutex_unlock(&alone);
}
#endif

void *memory_get(size_t n, size_t size) { return memory_advise(memory_or_abort(calloc(n, size), n, size), n * size); }

void *memory_for_library(size_t bytes) { return memory_or_abort(malloc(bytes ? bytes : 1), 1, bytes ? bytes : 1); }

void *memory_get_lines(size_t n, size_t size) {
    size_t bytes;
    void *memory = NULL;
    if (!__builtin_mul_overflow(n, size, &bytes) && bytes <= SIZE_MAX - CACHE_LINE) {
        bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
        memory = aligned_alloc(CACHE_LINE, bytes);
    }
    memory = memory_or_abort(memory, n, size);
    if (memory) memset(memory_advise(memory, bytes), 0, bytes);
    return memory;
}

#ifdef __SANITIZE_ADDRESS__
/* AddressSanitizer sees the ends of what malloc gives, not of mappings. */
void *memory_map(size_t n, size_t size, bool dense) {
    size_t bytes;
    if (dense && !__builtin_mul_overflow(n, size, &bytes) && bytes >= HUGE_PAGE && bytes <= SIZE_MAX - HUGE_PAGE)
        return memory_get_large((bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    return n && size ? memory_get_lines(n, size) : NULL;
}
void memory_unmap(void *memory, size_t n, size_t size, bool dense) { (void)n, (void)size, (void)dense, free(memory); }
#else
/* Returns the bytes that a mapping takes: whole huge pages, if it is dense and larger than one. */
static size_t map_bytes(size_t n, size_t size, bool dense) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - 2 * HUGE_PAGE) return SIZE_MAX;
    return !dense || bytes < HUGE_PAGE ? bytes : (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static void *map_new(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Maps a huge page more than `bytes`, and gives back what lies before the first whole one and behind the last. */
static void *map_huge(size_t bytes) {
    char *range = map_new(bytes + HUGE_PAGE);
    if (!range) return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)range % HUGE_PAGE) % HUGE_PAGE;
    if (before) munmap(range, before);
    munmap(range + before + bytes, HUGE_PAGE - before);
    memory_ask_for_huge_pages(range + before, bytes, false);
    return range + before;
}

void *memory_map(size_t n, size_t size, bool dense) {
    size_t bytes = map_bytes(n, size, dense);
    if (bytes == 0) return NULL;
    if (bytes == SIZE_MAX) return memory_or_abort(NULL, n, size);
    return memory_or_abort(dense && bytes >= HUGE_PAGE ? map_huge(bytes) : map_new(bytes), n, size);
}
void memory_unmap(void *memory, size_t n, size_t size, bool dense) {
    if (memory) munmap(memory, map_bytes(n, size, dense));
}
#endif

void *memory_get_large(size_t bytes) {
    void *memory = memory_or_abort(aligned_alloc(HUGE_PAGE, bytes), 1, bytes);
    memory_ask_for_huge_pages(memory, bytes, false);
    memset(memory, 0, bytes);
    return memory;
}

#define EXACT_MOST 4096 /* bytes of a block that is as large as asked */

/* Returns the bytes that a growing block takes: large ones in steps of an eighth of their power of two. */
static size_t grown_bytes(size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
    return bytes; /* AddressSanitizer sees what is used beyond the block's end */
#endif
    if (bytes <= EXACT_MOST) return bytes;
    size_t step = (size_t)1 << (8 * sizeof bytes - 4 - (size_t)__builtin_clzl(bytes));
    return bytes > SIZE_MAX - step ? bytes : (bytes + step - 1) / step * step;
}

void *memory_grow(void *old, size_t new_n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(new_n, size, &bytes)) return memory_or_abort(NULL, new_n, size);
    return memory_advise(memory_or_abort(realloc(old, grown_bytes(bytes)), new_n, size), bytes);
}
