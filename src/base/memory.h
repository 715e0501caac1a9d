/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for pools and tables: either there, zeroed, or the program ends saying how much was wanted.
 *
 * What a run needs is foreseen before it starts (study checks it against the machine), so running out inside one is
 * a broken promise that nobody could handle: it says why, and the program ends with exit code 3.
 */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include "base/types.h"

#define CACHE_LINE 64

/* A function that only fetches lines ahead. It must be inlined where it is called: by itself it has no effect that gcc
 * knows of, and gcc 12 drops calls of such functions. */
#define PREFETCHING static inline __attribute__((always_inline)) void

void *memory_get(size_t n, size_t size);       /* n zeroed elements; free() returns them */
void *memory_get_lines(size_t n, size_t size); /* the same, aligned to a cache line */
/* Zeroed, a multiple of 2 MiB, on huge pages where the system has them: for what is touched at random. */
void *memory_get_large(size_t bytes);
void *memory_grow(void *old, size_t new_n, size_t size); /* realloc; what is new is undefined */

/* Ends the program because memory, addresses or threads ran out: with one line on standard error and exit code 3, or by
 * what memory_on_out set. `fmt`: what was wanted; the remedy. */
_Noreturn void memory_out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Sets who is told instead of standard error; it must not return. A run's process tells its parent. */
void memory_on_out(void (*tell)(const char *why));

#endif
