/* The TCP options of our segments as bytes (wire/tcp_header.h has their lengths). */
#ifndef HEDDLE_WIRE_TCP_OPTIONS_H
#define HEDDLE_WIRE_TCP_OPTIONS_H

#include "wire/packet.h"

enum { TCP_OPTIONS_MAX = 40 };

/* Writes the options of a segment with these flags and blocks (at most four); returns their bytes, a multiple of 4. */
size_t tcp_options_encode(uint8_t flags, const struct sack_block *sack, uint8_t n_sack, uint8_t *buf);

/* True if these n bytes are what tcp_options_encode writes for these flags and some blocks; sack[4] and *n_sack are
 * filled. */
bool tcp_options_decode(uint8_t flags, const uint8_t *buf, size_t n, struct sack_block *sack, uint8_t *n_sack);

#endif
