/* SPDX-License-Identifier: Apache-2.0 */
/* Length of the TCP header of each kind of segment.
 *
 * Transports size their frames and wire/frame.c builds them by this one rule:
 *
 *    SYN, SYN-ACK      32 bytes: MSS (4), SACK-permitted (2), window scale 8 (3), end of options and padding (3)
 *    n SACK blocks     20 + 2 NOP + 2 + 8 n bytes (RFC 2018), n <= 4
 *    a stamp           12 bytes more, before SACK blocks, which are then at most 3
 *    all others        20 bytes (timestamps are off)
 *
 * A SYN carries neither SACK blocks nor a stamp. The stamp is an experimental option (RFC 6994): kind 253, length 12,
 * ExID 0x4458 ("DX"), and 64 bits of picoseconds. In data it is the clock of the sender at departure. In an ACK it is
 * the one-way delay that its receiver measured, in two's complement, since clocks may differ (mech/transport/dx.h).
 *
 * Window rule (RFC 7323): `packet.window` counts 256 B. A segment without SYN carries this value, as the scale is 8.
 * The field of a SYN is never scaled, so a SYN announces at most 65,535 B. `tcp_window` returns the descriptor's value
 * for both, and building and parsing preserve it.
 */
#ifndef HEDDLE_WIRE_TCP_HEADER_H
#define HEDDLE_WIRE_TCP_HEADER_H

#include "wire/packet.h"

enum { TCP_BASE_BYTES = 20, TCP_SYN_OPTION_BYTES = 12, TCP_WINDOW_SCALE = 8, TCP_MSS = 1460, TCP_SACK_MAX = 4 };
enum { TCP_STAMP_KIND = 253, TCP_STAMP_EXID = 0x4458, TCP_STAMP_BYTES = 12, TCP_STAMPED_SACK_MAX = 3 };

/* Returns the TCP header bytes of a segment with these flags and this many SACK blocks. */
static inline uint32_t tcp_header_bytes(uint8_t flags, uint8_t n_sack) {
    if (flags & TCP_SYN) return TCP_BASE_BYTES + TCP_SYN_OPTION_BYTES;
    return n_sack ? TCP_BASE_BYTES + 4u + 8u * n_sack : TCP_BASE_BYTES;
}

/* Returns a receive window in the units of `packet.window`, rounded down; on a SYN 256 stands for 65,535 B. */
static inline uint16_t tcp_window(uint64_t bytes, uint8_t flags) {
    uint64_t units = bytes >> TCP_WINDOW_SCALE, most = (flags & TCP_SYN) ? 256 : UINT16_MAX;
    return (uint16_t)(units < most ? units : most);
}

#endif
