#include "sim/arrivals.h"

#include <string.h>

/* As many buckets as frames, within bounds: a slot of short frames on fast links brings thousands. */
#define LEAST_BITS 8
#define MOST_BITS 12

/* No comparison that could go either way decides where a frame goes; after that a port has hardly two frames in a
 * bucket, and insertion finds little to do. */
void arrivals_spread(const struct arrival *from, struct arrival *to, uint32_t n, span_ps span) {
    uint32_t place[(1u << MOST_BITS) + 1]; /* of the next one of bucket k */
    uint32_t bits = LEAST_BITS, key_bits = 64 - (uint32_t)__builtin_clzll((uint64_t)span << 16);
    while (bits < MOST_BITS && n >> bits) bits++;
    uint32_t buckets = 1u << bits, shift = key_bits - bits;
    memset(place, 0, (buckets + 1) * sizeof *place);
    for (uint32_t i = 0; i < n; i++) place[(from[i].key >> shift) + 1]++;
    for (uint32_t k = 1; k < buckets; k++) place[k] += place[k - 1];
    for (uint32_t i = 0; i < n; i++) to[place[from[i].key >> shift]++] = from[i];
    arrivals_insert(to, n);
}
