#include "sim/arrivals.h"

#define BUCKET_BITS 8
#define BUCKETS (1u << BUCKET_BITS)

/* No comparison that could go either way decides where a frame goes; after that a port has hardly two frames in a
 * bucket, and insertion finds little to do. */
void arrivals_spread(const struct arrival *from, struct arrival *to, uint32_t n, span_ps span) {
    uint32_t place[BUCKETS + 1] = {0}; /* of the next one of bucket k */
    uint32_t bits = 64 - (uint32_t)__builtin_clzll((uint64_t)span << 16), shift = bits - BUCKET_BITS;
    for (uint32_t i = 0; i < n; i++) place[(from[i].key >> shift) + 1]++;
    for (uint32_t k = 1; k < BUCKETS; k++) place[k] += place[k - 1];
    for (uint32_t i = 0; i < n; i++) to[place[from[i].key >> shift]++] = from[i];
    arrivals_insert(to, n);
}
