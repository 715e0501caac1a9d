/* SPDX-License-Identifier: Apache-2.0 */
/* The Internet checksum (RFC 1071) and its incremental update (RFC 1624). */
#ifndef HEDDLE_WIRE_CHECKSUM_H
#define HEDDLE_WIRE_CHECKSUM_H

#include "base/types.h"

/* Adds n bytes to a running sum, as 16-bit words in network order. Start from 0. An odd last byte is padded with zero,
 * so only the last piece of a message may be odd. The sum cannot overflow for messages of up to 64 KiB. */
uint32_t checksum_add(uint32_t sum, const uint8_t *bytes, size_t n);

/* Returns the sum of a pseudo header of RFC 9293 and RFC 768: addresses, protocol, and length of header and payload. */
uint32_t checksum_pseudo(uint32_t src_ip, uint32_t dst_ip, uint8_t proto, uint32_t l4_bytes);

/* Returns the checksum field: the complement of the folded sum. It is zero over a message with a correct checksum. */
uint16_t checksum_finish(uint32_t sum);

/* Returns the checksum after a change of one 16-bit word: HC' = ~(~HC + ~m + m') (RFC 1624, equation 3). */
static inline uint16_t checksum_update(uint16_t checksum, uint16_t old_word, uint16_t new_word) {
    uint32_t sum = (uint16_t)~checksum + (uint32_t)(uint16_t)~old_word + new_word;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

#endif
