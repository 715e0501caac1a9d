/* SPDX-License-Identifier: Apache-2.0 */
/* The length of a frame, and its change when a switch adds, resizes or removes a tag.
 *
 * `shape` determines the bytes between the MACs and the EtherType: an Expeditus tag (EXP-22), and CONGA's overlay tag
 * (wire/conga_overlay.h) or a report of core loads (wire/core_loads.h). A short frame is padded to the minimum, so a
 * tag may replace padding: never add its length to `wire_bytes` by hand, call `packet_retag`.
 */
#ifndef HEDDLE_WIRE_FRAME_SIZE_H
#define HEDDLE_WIRE_FRAME_SIZE_H

#include "wire/credit_header.h"
#include "wire/tcp_header.h"

#define CONGA_TAG_BYTES 4u      /* TPID and fields, two bytes each */
#define CORE_LOADS_TAG_BYTES 4u /* likewise */
#define UDP_HEADER_BYTES 8u
#define CREDIT_PADDING_BYTES 6u /* padding of a credit in a minimum frame */

/* Returns the tag bytes of a frame of this shape; `entries` is the Expeditus tag's NoE. */
static inline uint32_t packet_tag_bytes(uint8_t shape, uint8_t entries) {
    uint32_t bytes = (shape & SHAPE_EXPEDITUS) ? expeditus_tag_bytes(entries) : 0;
    bytes += (shape & SHAPE_CONGA) ? CONGA_TAG_BYTES : 0;
    return bytes + ((shape & SHAPE_CORE_LOADS) ? CORE_LOADS_TAG_BYTES : 0);
}

/* Returns the bytes of the transport header; 0 for an opaque packet. `ext` is read only if the frame has SACK
 * blocks. */
static inline uint32_t packet_l4_bytes(const struct packet *p, const struct packet_ext *ext) {
    if (p->shape & SHAPE_OPAQUE) return 0;
    if (p->proto == PROTO_UDP) return UDP_HEADER_BYTES;
    if (p->proto == PROTO_CREDIT) return CREDIT_HEADER_BYTES;
    if (p->l4_foreign) return p->l4_foreign;
    return tcp_header_bytes(p->tcp_flags, (p->shape & SHAPE_SACK) ? ext->n_sack : 0) +
           ((p->shape & SHAPE_STAMP) ? TCP_STAMP_BYTES : 0);
}

/* Returns wire_bytes as the frame's fields imply it; for a credit the default of 84 bytes. `ext` may be NULL if shape
 * has neither EXPEDITUS nor SACK. */
static inline uint16_t packet_computed_wire_bytes(const struct packet *p, const struct packet_ext *ext) {
    uint32_t tags = packet_tag_bytes(p->shape, (p->shape & SHAPE_EXPEDITUS) ? ext->tag.entries : 0);
    return packet_wire_bytes(tags, packet_l4_bytes(p, ext), p->payload_bytes);
}

/* Returns the wire bytes of a credit with tags; credit_size_bytes is the inverse. In a credit of 84 bytes or less,
 * tags replace up to six bytes of padding on Ethernet. A longer credit grows by all tag bytes, as any frame over the
 * minimum does. */
static inline uint32_t credit_tagged_bytes(uint32_t size, uint32_t tags) {
    if (size > CREDIT_WIRE_BYTES) return size + tags;
    return size + (tags > CREDIT_PADDING_BYTES ? tags - CREDIT_PADDING_BYTES : 0);
}
static inline uint32_t credit_size_bytes(uint32_t wire_bytes, uint32_t tags) {
    if (wire_bytes > CREDIT_WIRE_BYTES + tags) return wire_bytes - tags;
    return wire_bytes - (tags > CREDIT_PADDING_BYTES ? tags - CREDIT_PADDING_BYTES : 0);
}

/* Returns the wire bytes of the frame on Ethernet: wire_bytes, or a minimum frame for a shorter credit. */
static inline uint32_t packet_ethernet_bytes(const struct packet *p, const struct packet_ext *ext) {
    if (!(p->shape & SHAPE_CREDIT)) return p->wire_bytes;
    uint32_t least = packet_computed_wire_bytes(p, ext);
    return p->wire_bytes > least ? p->wire_bytes : least;
}

/* Returns the bytes of the transport header in a frame at the minimum: it has no SYN options, SACK blocks or stamp of
 * ours, as each makes 66 bytes or more. */
static inline uint32_t packet_minimum_l4_bytes(const struct packet *p) {
    if (p->shape & SHAPE_OPAQUE) return 0;
    if (p->proto == PROTO_UDP) return UDP_HEADER_BYTES;
    return p->l4_foreign ? p->l4_foreign : TCP_BASE_BYTES;
}

/* Sets wire_bytes for tags of `new_tags` bytes in place of `old_tags` (both by packet_tag_bytes). For a frame at the
 * minimum the true length counts, for a longer one wire_bytes (a foreign frame may have a trailer). */
static inline void packet_retag(struct packet *p, uint32_t old_tags, uint32_t new_tags) {
    uint32_t bytes = p->wire_bytes;
    if (p->shape & SHAPE_CREDIT) {
        p->wire_bytes = (uint16_t)credit_tagged_bytes(credit_size_bytes(bytes, old_tags), new_tags);
        return;
    }
    if (bytes <= WIRE_MIN_BYTES) {
        bytes = 8 + 14 + old_tags + 20 + packet_minimum_l4_bytes(p) + p->payload_bytes + 4 + 12;
    }
    bytes = bytes - old_tags + new_tags;
    p->wire_bytes = (uint16_t)(bytes < WIRE_MIN_BYTES ? WIRE_MIN_BYTES : bytes);
}

#endif
