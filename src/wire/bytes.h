/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in network byte order, at any alignment. */
#ifndef HEDDLE_WIRE_BYTES_H
#define HEDDLE_WIRE_BYTES_H

#include "base/types.h"

static inline uint16_t get_be16(const uint8_t *b) { return (uint16_t)(b[0] << 8 | b[1]); }
static inline uint32_t get_be32(const uint8_t *b) { return (uint32_t)get_be16(b) << 16 | get_be16(b + 2); }

static inline void put_be16(uint8_t *b, uint16_t v) {
    b[0] = (uint8_t)(v >> 8);
    b[1] = (uint8_t)v;
}

static inline void put_be32(uint8_t *b, uint32_t v) {
    put_be16(b, (uint16_t)(v >> 16));
    put_be16(b + 2, (uint16_t)v);
}

#endif
