/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of all that happened in a run (DESIGN section 2): the sum of digest_frame over all frames that arrived or were
 * dropped. A sum has no order, so it is the same for any number of threads and ranks.
 */
#ifndef HEDDLE_SIM_ENGINE_DIGEST_H
#define HEDDLE_SIM_ENGINE_DIGEST_H

#include "base/types.h"
#include "wire/packet.h"

static inline uint64_t digest_mix(uint64_t a, uint64_t b) {
    uint128 m = (uint128)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xd1b54a32d192ed03ull);
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Returns the hash of a frame that arrived at a port of a node at that time; drop: why it was dropped, 0: it was not. */
static inline uint64_t digest_frame(time_ps at, uint32_t node, uint16_t port, const struct packet *p, uint8_t drop) {
    uint64_t where = (uint64_t)node << 40 | (uint64_t)port << 24 | (uint64_t)drop << 16 | p->wire_bytes;
    uint64_t who = (uint64_t)p->origin << 32 | p->serial;
    return digest_mix((uint64_t)at + where * 0x9fb21c651e98df25ull, who);
}

#endif
