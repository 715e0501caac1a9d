/* SPDX-License-Identifier: Apache-2.0 */
/* Real frames: descriptors of wire/packet.h with the bytes of each frame.
 *
 *    uint8_t *at;
 *    uint32_t index = frames_take(&f, length, &at);         a port writes the frame to `at`
 *    enum frame_error error = frames_parse(&f, index, captured, length, &info);
 *    ... a switch works on the descriptor ...
 *    struct frame_bytes b = frames_emit(&f, index, mine, theirs);    the frame as it leaves, in place
 *    frames_parse(&f, index, b.captured, b.length) at the next switch of the process, or
 *    frames_release(&f, index);
 *
 * A cell has headroom for the tags that switches add, so the payload is never copied. A frame that a switch made itself
 * (Exp-responses, pause frames) has no bytes until frames_emit builds them.
 *
 * Cells stay with their descriptors and are reused; memory follows the largest number of frames held at once. All but the
 * bytes is there for 4,096 frames from the start. One thread owns a store.
 */
#ifndef HEDDLE_LIVE_FRAMES_H
#define HEDDLE_LIVE_FRAMES_H

#include "wire/frame.h"
#include "wire/packet_pool.h"

struct frame_cell {
    uint8_t *bytes; /* [FRAME_HEADROOM + room]; NULL: never used */
    uint32_t room;
    uint32_t begin; /* offset of the frame */
    bool is_parsed; /* info describes the frame in the cell */
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
/* Fills the descriptor from the `captured` bytes in its cell. The frame has `original` bytes and was taken or emitted.
 * After an error the caller still owns the descriptor and must release it. */
enum frame_error frames_parse(struct frames *f, uint32_t index, size_t captured, size_t original);
/* Call after FRAME_NOT_IPV4: makes the descriptor an opaque packet between two addresses, so that switches route the
 * frame. It leaves with its own MACs, EtherType and contents. */
void frames_bridge(struct frames *f, uint32_t index, uint32_t src_ip, uint32_t dst_ip);
/* Returns the parsed headers, without a check of the transport checksum (frame_parse_headers). NULL for a frame that a
 * switch made. */
const struct frame_info *frames_info(const struct frames *f, uint32_t index);

/* Returns the bytes of a frame as received, and its parsed headers; both also after FRAME_NOT_IPV4. */
const uint8_t *frames_bytes(const struct frames *f, uint32_t index, const struct frame_info **info);

/* The bytes of a frame as it leaves a port. */
struct frame_bytes {
    uint8_t *at;     /* in the cell, valid until it is released */
    size_t captured; /* bytes present */
    size_t length;   /* bytes of the frame; 0: it cannot be built (a tag too long for a frame) */
};
/* Writes tags, MACs, TOS and TTL of the descriptor into the frame's bytes, once. A bridged frame keeps its MACs. */
struct frame_bytes frames_emit(struct frames *f, uint32_t index, const uint8_t src_mac[6], const uint8_t dst_mac[6]);

/* Takes the descriptor back. */
void frames_release(struct frames *f, uint32_t index);

#endif
