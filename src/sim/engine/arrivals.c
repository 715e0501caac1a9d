/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/arrivals.h"

#include <string.h>

/* At least twice as many buckets as frames, within bounds: in one slot, short frames on fast links arrive in thousands. */
#define LEAST_BITS 7
#define MOST_BITS 12

/* Sorts by buckets of time, without unpredictable comparisons. After that a bucket has hardly two frames of a port, and
 * insertion has little left to do. */
bool arrivals_spread(const struct arrival *from, struct arrival *to, uint32_t n, span_ps span) {
    uint32_t place[(1u << MOST_BITS) + 1]; /* place of the next arrival of bucket k */
    uint32_t bits = LEAST_BITS, key_bits = 64 - (uint32_t)__builtin_clzll((uint64_t)span << 16);
    while (bits < MOST_BITS && 2 * n >> bits) bits++;
    uint32_t buckets = 1u << bits, shift = key_bits - bits;
    memset(place, 0, (buckets + 1) * sizeof *place);
    for (uint32_t i = 0; i < n; i++) place[(from[i].key >> shift) + 1]++;
    for (uint32_t k = 1; k < buckets; k++) place[k] += place[k - 1];
    for (uint32_t i = 0; i < n; i++) to[place[from[i].key >> shift]++] = from[i];
    return arrivals_insert(to, n);
}

/* Returns whether a goes before b: by rank, then by port. Frames of one port are equal and keep their order. */
static bool arrival_is_before(const struct arrival *a, const struct arrival *b) {
    return a->rank < b->rank || (a->rank == b->rank && a->key < b->key);
}

/* Sorts every `gap`-th arrival by insertion. */
static void arrivals_sort_gap(struct arrival *a, uint32_t n, uint32_t gap) {
    for (uint32_t i = gap; i < n; i++) {
        struct arrival x = a[i];
        uint32_t j = i;
        for (; j >= gap && arrival_is_before(&x, &a[j - gap]); j -= gap) a[j] = a[j - gap];
        a[j] = x;
    }
}

/* Sorts the arrivals of one instant by rank, by Shell's sort. That does not keep the order of equals: if a port has
 * several frames in one instant (no link of ours does that), insertion alone is used. Returns the index of the first
 * arrival after that instant. */
static uint32_t arrivals_break_tie(struct arrival *a, uint32_t first, uint32_t n, const struct tie_place *place) {
    static const uint32_t gaps[] = {701, 132, 23};
    uint32_t end = first + 1;
    bool repeats = false;
    time_ps at = place->start + (time_ps)(a[first].key >> 16);
    for (; end < n && (a[end].key ^ a[first].key) >> 16 == 0; end++) repeats |= a[end].key == a[end - 1].key;
    for (uint32_t i = first; i < end; i++)
        a[i].rank = tie_rank(place->key, at, place->first_port + (a[i].key & 0xffff));
    for (uint32_t g = 0; !repeats && g < sizeof gaps / sizeof *gaps; g++)
        if (gaps[g] < end - first) arrivals_sort_gap(a + first, end - first, gaps[g]);
    arrivals_sort_gap(a + first, end - first, 1);
    return end;
}

void arrivals_break_ties(struct arrival *a, uint32_t n, const struct tie_place *place) {
    for (uint32_t i = 1; i < n; i++)
        if (arrivals_are_tied(a[i - 1].key, a[i].key)) i = arrivals_break_tie(a, i - 1, n, place);
}
