/* SPDX-License-Identifier: Apache-2.0 */
/* The TCP options of our segments as bytes (wire/tcp_header.h has their lengths and layout). */
#ifndef HEDDLE_WIRE_TCP_OPTIONS_H
#define HEDDLE_WIRE_TCP_OPTIONS_H

#include "wire/packet.h"

enum { TCP_OPTIONS_MAX = 40 };

/* Writes the options of a segment with these flags: a stamp and SACK blocks (four at most, three with a stamp) if
 * `shape` says so, for which alone *ext is read. Returns their bytes, a multiple of 4. */
size_t tcp_options_encode(uint8_t flags, uint8_t shape, const struct packet_ext *ext, uint8_t *buf);

/* True if these n bytes are what tcp_options_encode writes for these flags and some stamp and blocks: *ext has them,
 * *shape says which. */
bool tcp_options_decode(uint8_t flags, const uint8_t *buf, size_t n, struct packet_ext *ext, uint8_t *shape);

#endif
