/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what a cache line at random costs on this machine, in nanoseconds, by the size of the memory it lies in.
 *
 *   bench_lines [--rounds N] [--json]
 *
 *   listed  addresses that lie in an array, each prefetched 32 lines before it is read: as many lines are on their way
 *           as the core allows
 *   many    addresses that are computed one after the other, without prefetches: as many lines are on their way as the
 *           core finds in the instructions it looks at
 *   one     each address depends on the line before
 *
 * The lines that a hop of a large fabric misses, at `listed`, say what its memory costs if all of them are fetched in time
 * (docs/notebook). The memory is mapped with ordinary pages, as that of a run; the report has the median and the best
 * round.
 */
#include "base/memory.h"
#include "tor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 2000000u
#define ONE 300000u
#define AHEAD 32u

static const uint32_t size_mb[] = {1, 4, 16, 64, 256, 1024};
#define SIZES (sizeof size_mb / sizeof *size_mb)

struct row {
    double listed[ROUNDS_MAX], many[ROUNDS_MAX], one[ROUNDS_MAX];
};

/* Marsaglia's xorshift: an address costs less than any line. */
static inline uint64_t next_random(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    return *x ^= *x << 17;
}

static inline uint64_t line_of(uint64_t random, uint64_t lines) { return (uint64_t)((uint128)random * lines >> 64); }

static double measure_many(const uint64_t *at, uint64_t lines, uint64_t *random, uint64_t *sum) {
    int64_t begin = bench_ns();
    for (uint32_t i = 0; i < MANY; i++) *sum += at[8 * line_of(next_random(random), lines)];
    return (double)(bench_ns() - begin) / MANY;
}

/* list: [MANY + AHEAD], filled here. */
static double measure_listed(const uint64_t *at, const uint64_t **list, uint64_t lines, uint64_t *random,
                             uint64_t *sum) {
    for (uint32_t i = 0; i < MANY + AHEAD; i++) list[i] = &at[8 * line_of(next_random(random), lines)];
    int64_t begin = bench_ns();
    for (uint32_t i = 0; i < MANY; i++) {
        __builtin_prefetch(list[i + AHEAD]);
        *sum += *list[i];
    }
    return (double)(bench_ns() - begin) / MANY;
}

static double measure_one(const uint64_t *at, uint64_t lines, uint64_t *random, uint64_t *sum) {
    int64_t begin = bench_ns();
    for (uint32_t i = 0; i < ONE; i++) *sum += at[8 * line_of(next_random(random) + *sum, lines)];
    return (double)(bench_ns() - begin) / ONE;
}

static void measure_round(const uint64_t *at, const uint64_t **list, struct row *row, uint32_t round, uint64_t *random,
                          uint64_t *sum) {
    for (size_t i = 0; i < SIZES; i++) {
        uint64_t lines = ((uint64_t)size_mb[i] << 20) / CACHE_LINE;
        measure_many(at, lines, random, sum); /* fills the caches */
        row[i].listed[round] = measure_listed(at, list, lines, random, sum);
        row[i].many[round] = measure_many(at, lines, random, sum);
        row[i].one[round] = measure_one(at, lines, random, sum);
    }
}

static void print_json(const struct row *row, uint32_t rounds) {
    printf("{");
    for (size_t i = 0; i < SIZES; i++)
        printf("%s\"%u\": {\"listed_ns\": %.2f, \"many_ns\": %.2f, \"many_best_ns\": %.2f, \"one_ns\": %.1f}",
               i ? ", " : "", size_mb[i], row[i].listed[rounds / 2], row[i].many[rounds / 2], row[i].many[0],
               row[i].one[rounds / 2]);
    printf("}\n");
}

static void print_table(const struct row *row, uint32_t rounds) {
    printf("ns per cache line at random, median of %u rounds\n\n%10s %10s %10s %10s\n", rounds, "memory", "listed",
           "many", "one");
    for (size_t i = 0; i < SIZES; i++)
        printf("%7u MB %10.2f %10.2f %10.1f\n", size_mb[i], row[i].listed[rounds / 2], row[i].many[rounds / 2],
               row[i].one[rounds / 2]);
}

static void usage(void) {
    fprintf(stderr, "usage: bench_lines [--rounds 1..%d] [--json]\n", ROUNDS_MAX);
    exit(2);
}

int main(int argc, char **argv) {
    static struct row row[SIZES];
    uint32_t rounds = 11;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            usage();
    }
    if (rounds < 1 || rounds > ROUNDS_MAX) usage();
    uint64_t random = 88172645463325252u, sum = 0, lines = ((uint64_t)size_mb[SIZES - 1] << 20) / CACHE_LINE;
    uint64_t *at = memory_map(lines, CACHE_LINE, false);
    memset(at, 1, lines * CACHE_LINE); /* a page that nobody wrote is the common page of zeros */
    const uint64_t **list = memory_get(MANY + AHEAD, sizeof *list);
    for (uint32_t r = 0; r < rounds; r++) measure_round(at, list, row, r, &random, &sum);
    for (size_t i = 0; i < SIZES; i++) {
        bench_sort(row[i].listed, rounds);
        bench_sort(row[i].many, rounds);
        bench_sort(row[i].one, rounds);
    }
    if (json)
        print_json(row, rounds);
    else
        print_table(row, rounds);
    free(list);
    memory_unmap(at, lines, CACHE_LINE, false);
    return sum == 1; /* so that no load is left out */
}
