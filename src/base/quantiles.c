/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quantiles.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int value_compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

#define FEW 48 /* with fewer values qsort is faster */
#define DIGITS 8

/* Returns byte number `digit`, 0 being the least significant; the sign bit is inverted so that negative values sort
 * first. */
static uint8_t digit_of(int64_t value, int digit) {
    return (uint8_t)(((uint64_t)value ^ ((uint64_t)1 << 63)) >> (8 * digit));
}

/* Sorts by one digit; values with equal digits keep their order. */
static void digit_sort(const int64_t *from, int64_t *to, size_t n, int digit) {
    size_t at[257] = {0}; /* per digit, number of values with a lower digit; then the place of its next value */
    for (size_t i = 0; i < n; i++) at[digit_of(from[i], digit) + 1]++;
    for (int i = 1; i < 256; i++) at[i] += at[i - 1];
    for (size_t i = 0; i < n; i++) to[at[digit_of(from[i], digit)]++] = from[i];
}

/* Sorts by the digits in which the values differ, from the least significant (LSD radix sort). Results have a summary
 * per class of flows and part of their times; with qsort these sorts would be a tenth of a run of short flows. */
static void values_sort(int64_t *values, size_t n) {
    int64_t *other = memory_get(n, sizeof *other), *from = values, *to = other;
    uint64_t differ = 0;
    for (size_t i = 1; i < n; i++) differ |= (uint64_t)(values[i] ^ values[0]);
    for (int d = 0; d < DIGITS; d++) {
        if (!(differ >> (8 * d) & 255)) continue;
        digit_sort(from, to, n, d);
        int64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != values) memcpy(values, from, n * sizeof *values);
    free(other);
}

struct quantiles quantiles_of(int64_t *values, size_t n) {
    if (n >= FEW)
        values_sort(values, n);
    else if (n > 1)
        qsort(values, n, sizeof *values, value_compare);
    return (struct quantiles){.sorted = values, .n = n};
}

bool quantiles_at(const struct quantiles *q, int64_t p_ppb, int64_t *value) {
    if (q->n == 0) return false;
    uint128 share = (uint128)q->n * (uint64_t)p_ppb;
    size_t rank = (size_t)((share + PPB - 1) / PPB);
    *value = q->sorted[rank > 0 ? rank - 1 : 0];
    return true;
}
