/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before the C library, and before LeakSanitizer where there is one: blocks of memory have guarded ends.
 *
 *    head | n bytes that were asked for | 16 bytes of poison
 *
 * A program that reads beyond a block reads poison, not zeros; one that wrote there is aborted when the block is freed. New and
 * freed bytes are poison too. Programs that a test starts are not guarded. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POISON 0xa5
#define POISONED_MOST ((size_t)1 << 16) /* bytes of a new or freed block: more cost too much */
#define END_BYTES 16

struct head {
    uint32_t mark, before; /* HEAD_MARK; bytes of the library's block in front of this one */
    size_t n;
};
#define HEAD_MARK 0x48454144u

static struct {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t n, size_t size);
    void *(*realloc)(void *old, size_t bytes);
    void *(*memalign)(size_t alignment, size_t bytes);
    void (*free)(void *block);
} next;

/* What dlsym allocates while `next` is being filled; it is never freed. */
static _Alignas(16) char early[4096];
static size_t early_used;

static void *early_get(size_t bytes) {
    void *block = early + early_used;
    early_used += (bytes + 15) & ~(size_t)15;
    if (early_used > sizeof early) abort();
    return block;
}

static int is_early(const void *block) {
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static void find(const char *name, void *function) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

/* Returns whether allocations have a library behind them; false while it is being looked for. */
static int is_ready(void) {
    static int looking;
    if (next.free) return 1;
    if (looking) return 0;
    looking = 1;
    find("malloc", &next.malloc);
    find("calloc", &next.calloc);
    find("realloc", &next.realloc);
    find("memalign", &next.memalign);
    find("free", &next.free);
    return 1;
}

__attribute__((constructor)) static void begin(void) { unsetenv("LD_PRELOAD"); }

/* Writes both ends of a block of n bytes, `before` bytes into a block of the library; NULL is allowed. */
static void *guarded(char *block, size_t before, size_t n) {
    if (!block) return NULL;
    block += before;
    ((struct head *)block)[-1] = (struct head){HEAD_MARK, (uint32_t)before, n};
    memset(block + n, POISON, END_BYTES);
    return block;
}

/* Returns the head of a block, after aborting where an end was overwritten. */
static const struct head *head_of(const void *block) {
    static const char overrun[] = "guard: an end of a block of memory was overwritten\n";
    const struct head *h = (const struct head *)block - 1;
    const unsigned char *end = (const unsigned char *)block + h->n;
    int good = h->mark == HEAD_MARK;
    for (size_t i = 0; good && i < END_BYTES; i++) good = end[i] == POISON;
    if (good) return h;
    if (write(STDERR_FILENO, overrun, sizeof overrun - 1) < 0) _exit(1);
    abort();
}

#define BLOCK_BYTES(n) (sizeof(struct head) + (n) + END_BYTES)

static void poison(void *block, size_t n) {
    if (block) memset(block, POISON, n < POISONED_MOST ? n : POISONED_MOST);
}

static int is_too_much(size_t bytes) {
    if (bytes <= PTRDIFF_MAX - BLOCK_BYTES(0)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) {
    if (!is_ready()) return early_get(bytes);
    void *block = is_too_much(bytes) ? NULL : guarded(next.malloc(BLOCK_BYTES(bytes)), sizeof(struct head), bytes);
    poison(block, bytes);
    return block;
}

void *calloc(size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) bytes = SIZE_MAX;
    if (!is_ready()) return early_get(bytes);
    return is_too_much(bytes) ? NULL : guarded(next.calloc(1, BLOCK_BYTES(bytes)), sizeof(struct head), bytes);
}

void free(void *block) {
    if (!block || is_early(block)) return;
    struct head h = *head_of(block);
    poison(block, h.n);
    next.free((char *)block - h.before);
}

static void *moved(void *old, size_t old_bytes, size_t bytes) {
    void *block = malloc(bytes);
    if (!block) return NULL;
    memcpy(block, old, old_bytes < bytes ? old_bytes : bytes);
    free(old);
    return block;
}

/* A block always moves, and pointers into the old one lead to poison. Large ones are left to the library. */
void *realloc(void *old, size_t bytes) {
    if (!old) return malloc(bytes);
    if (is_early(old) || is_too_much(bytes)) return NULL;
    struct head h = *head_of(old);
    if (h.n <= POISONED_MOST || h.before != sizeof h) return moved(old, h.n, bytes);
    return guarded(next.realloc((char *)old - h.before, BLOCK_BYTES(bytes)), h.before, bytes);
}

void *reallocarray(void *old, size_t n, size_t size) {
    size_t bytes;
    return realloc(old, __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    size_t before = alignment > sizeof(struct head) ? alignment : sizeof(struct head);
    if (!is_ready() || is_too_much(bytes) || is_too_much(bytes + before)) return NULL;
    void *block = guarded(next.memalign(alignment, before + bytes + END_BYTES), before, bytes);
    poison(block, bytes);
    return block;
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    *block = memalign(alignment, bytes);
    return *block ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *block) { return block ? head_of(block)->n : 0; }
