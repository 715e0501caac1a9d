/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before the C library: the n-th allocation of a process fails.
 *
 * FAILING_AT is n, from 1; without it nothing fails. FAILING_CHILD set: the count is that of forked processes, otherwise that
 * of the first one. FAILING_COUNTS names a file that receives both counts, as two native integers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static long unshared[2], *count = unshared, at;
static int in_child;
static pid_t first;

__attribute__((constructor)) static void begin(void) {
    const char *counts = getenv("FAILING_COUNTS"), *n = getenv("FAILING_AT");
    int fd = counts ? open(counts, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0 && ftruncate(fd, sizeof unshared) == 0) {
        void *shared = mmap(NULL, sizeof unshared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (shared != MAP_FAILED) count = shared;
    }
    if (fd >= 0) close(fd);
    at = n ? atol(n) : 0;
    in_child = getenv("FAILING_CHILD") != NULL;
    first = getpid();
}

static int fails(void) {
    if (first == 0) return 0; /* before `begin` */
    int is_child = getpid() != first;
    long n = __atomic_add_fetch(&count[is_child], 1, __ATOMIC_RELAXED);
    if (n != at || is_child != in_child) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t bytes) { return fails() ? NULL : __libc_realloc(old, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }

void *reallocarray(void *old, size_t n, size_t size) {
    size_t bytes;
    if (!__builtin_mul_overflow(n, size, &bytes)) return realloc(old, bytes);
    errno = ENOMEM;
    return NULL;
}
