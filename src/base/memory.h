/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for pools and tables. Every function returns the memory, or ends the program with the size that was wanted.
 *
 * study estimates a run's memory before it starts and compares it with the machine. So no caller needs a way out for a
 * run that still runs out of memory: the program says why and ends with exit code 3.
 */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include "base/types.h"

#define CACHE_LINE 64
#define HUGE_PAGE ((size_t)2097152) /* bytes, on x86-64 */

/* Declares a function that only prefetches cache lines. It must be inlined into its caller: gcc sees no effect in it,
 * and gcc 12 drops calls of such functions. */
#define PREFETCHING static inline __attribute__((always_inline)) void

/* From 4 MiB on, memory is on huge pages where the system has them. */
void *memory_get(size_t n, size_t size);       /* n zeroed elements; free() returns them */
#define memory_one(size) memory_get(1, (size)) /* one zeroed element */
void *memory_get_lines(size_t n, size_t size); /* n zeroed elements, aligned to a cache line */
/* Returns n zeroed elements, aligned to a page. Pages that nobody writes take no memory. `dense`: nearly all will be written,
 * so from 2 MiB on they begin at a huge page, and pages are huge where the system has them. memory_unmap returns the elements. */
void *memory_map(size_t n, size_t size, bool dense);
void memory_unmap(void *memory, size_t n, size_t size, bool dense); /* as given to memory_map; NULL: does nothing */
/* Returns zeroed memory on huge pages where the system has them, for data in random access. `bytes`: a multiple of
 * HUGE_PAGE. */
void *memory_get_large(size_t bytes);
/* Tells the heap that the process will need about `bytes`. From 32 to 160 MiB the heap then grows by that much at once, on huge
 * pages where the system has them, so that small blocks lie on huge pages too. Pages that nobody writes take no memory.
 * Threads may call it at the same time. */
void memory_prepare(uint64_t bytes);
/* Asks for huge pages for memory that begins and ends at one; a refusal does no harm. They serve what is written from now on,
 * or, `written`, also what was written before (from Linux 6.1 on). */
void memory_ask_for_huge_pages(void *memory, size_t bytes, bool written);
/* Gives the system back the whole pages of these bytes, which nobody reads again. The memory stays allocated, and reads as any
 * bytes. */
void memory_give_back(void *memory, size_t bytes);
/* realloc; the new elements are undefined. A large block gets up to an eighth more than asked, so that a list that grows by one
 * element at a time is copied a few times only. */
void *memory_grow(void *old, size_t new_n, size_t size);

/* Returns bytes that are not zeroed, for libraries that take their memory from a function: their callers then need no way
 * out either. free() returns them. */
void *memory_for_library(size_t bytes);

/* Ends the program because memory, addresses or threads ran out: with one line on standard error and exit code 3, or
 * through the function that memory_on_out set. `fmt` says what was wanted, and the remedy. */
_Noreturn void memory_out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Sets the function that memory_out calls instead; it must not return. A run's process sends the line to its parent. */
void memory_on_out(void (*tell)(const char *why));

#endif
