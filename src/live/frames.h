/* SPDX-License-Identifier: Apache-2.0 */
/* Real frames: descriptors of wire/packet.h, and the bytes that each stands for.
 *
 *     uint8_t *at;
 *     uint32_t index = frames_take(&f, length, &at);         a port writes the frame to `at`
 *     enum frame_error error = frames_parse(&f, index, captured, length, &info);
 *     ... a switch works on the descriptor ...
 *     struct frame_bytes b = frames_emit(&f, index, mine, theirs);    the frame as it leaves, in place
 *     frames_parse(&f, index, b.captured, b.length) at the next switch of the process, or
 *     frames_release(&f, index);
 *
 * A cell has headroom for the tags that switches add, so no byte of the payload is copied on the way. A frame that a
 * switch made itself (Exp-responses, pause frames) has no bytes until frames_emit builds them.
 *
 * Cells are kept with their descriptors and used again; memory follows the most frames that were held at once. One
 * thread owns a store.
 */
#ifndef HEDDLE_LIVE_FRAMES_H
#define HEDDLE_LIVE_FRAMES_H

#include "wire/frame.h"
#include "wire/packet_pool.h"

struct frame_cell {
    uint8_t *bytes; /* [FRAME_HEADROOM + room]; NULL: never used */
    uint32_t room;
    uint32_t begin; /* of the frame in it */
    bool is_parsed; /* info is of the frame in the cell */
    struct frame_info info;
};

struct frames {
    struct packet_pool pool;
    struct frame_cell *cell; /* [n_cells] by descriptor */
    uint32_t n_cells;
};

void frames_init(struct frames *f);
void frames_fini(struct frames *f);

/* Returns a descriptor with undefined contents; *at has room for `bytes` of the frame. */
uint32_t frames_take(struct frames *f, size_t bytes, uint8_t **at);
/* Fills the descriptor from `captured` bytes in its cell, of a frame of `original` bytes that was taken or emitted.
 * After an error the descriptor is still the caller's, to be released. */
enum frame_error frames_parse(struct frames *f, uint32_t index, size_t captured, size_t original);
/* After FRAME_NOT_IPV4: makes the descriptor that of an opaque packet from one address to the other, so that switches
 * route the frame. It leaves with its own MACs, EtherType and contents. */
void frames_bridge(struct frames *f, uint32_t index, uint32_t src_ip, uint32_t dst_ip);
/* What was parsed, without a look at the transport checksum (frame_parse_headers); NULL for a frame that a switch
 * made. */
const struct frame_info *frames_info(const struct frames *f, uint32_t index);

/* The bytes of a frame as it came in, with what its headers told; both also after FRAME_NOT_IPV4. */
const uint8_t *frames_bytes(const struct frames *f, uint32_t index, const struct frame_info **info);

/* The bytes of a frame as it leaves a port. */
struct frame_bytes {
    uint8_t *at;     /* in the cell, until it is released */
    size_t captured; /* how many there are */
    size_t length;   /* of the frame; 0: it cannot be said (a tag too long for a frame) */
};
/* Writes tags, MACs, TOS and TTL of the descriptor into the frame's bytes, once; a bridged frame keeps its MACs. */
struct frame_bytes frames_emit(struct frames *f, uint32_t index, const uint8_t src_mac[6], const uint8_t dst_mac[6]);

/* Takes the descriptor back. */
void frames_release(struct frames *f, uint32_t index);

#endif
