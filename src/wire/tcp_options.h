/* SPDX-License-Identifier: Apache-2.0 */
/* The TCP options of our segments as bytes; lengths and layout are in wire/tcp_header.h. */
#ifndef HEDDLE_WIRE_TCP_OPTIONS_H
#define HEDDLE_WIRE_TCP_OPTIONS_H

#include "wire/packet.h"

enum { TCP_OPTIONS_MAX = 40 };

/* Writes the options of a segment with these flags: a stamp and SACK blocks (at most four, three with a stamp) if
 * `shape` has them; *ext is read only then. Returns their bytes, a multiple of 4. */
size_t tcp_options_encode(uint8_t flags, uint8_t shape, const struct packet_ext *ext, uint8_t *buf);

/* Returns true if these n bytes are what tcp_options_encode writes for these flags and some stamp and blocks. Sets *ext
 * and *shape to them. */
bool tcp_options_decode(uint8_t flags, const uint8_t *buf, size_t n, struct packet_ext *ext, uint8_t *shape);

#endif
