/* SPDX-License-Identifier: Apache-2.0 */
/* The header of credit transports (ExpressPass, SprayPass), 20 bytes behind IPv4 with protocol 253 (RFC 3692).
 *
 *      0  source port 16 | destination port 16
 *      4  data sequence 32
 *      8  credit sequence 32
 *     12  kind and flags 8 | size 8 | path 16
 *     16  checksum 16 | stamp 16
 *
 * As long as TCP's, so a full frame carries 1460 bytes and takes 1538 on the wire (XP-2, XP-3); a credit is a minimum
 * frame of 84. Ports as in TCP: a credit's source is the flow's receiver. Sequences by kind (DSN counts segments of
 * the flow, CSN counts credits; both wrap):
 *
 *     kind      data sequence (descriptor's seq)           credit sequence (descriptor's ack)
 *     REQUEST   first segment not yet acknowledged         number of segments of the flow; 0 = not told
 *     GRANT     next segment the receiver expects          number of the credit
 *     its VOID  0                                          0
 *     DATA      number of the segment                      number of the credit it used (SP-4)
 *     STOP      as REQUEST                                 0
 *     DONE      number of segments of the flow             0
 *     ANSWER    as the frame it answers                    likewise
 *
 * size: wire bytes of a credit that has not 84 (AM-20), tags apart, 64 to 104; 0 = 84, and in all other kinds. On
 * Ethernet a shorter credit is a minimum frame all the same, a longer one is padded to its size; what counts for links
 * and limiters is the size (wire/frame_size.h, credit_tagged_bytes).
 * path: the pinned choice per tier that data copies from its credit (SP-2, SP-3), 0xffff = none (the descriptor's
 * `path`). checksum: as TCP's, over pseudo header, header and payload. Payload of data: zeros.
 * stamp (the descriptor's `window`): when a credit left its receiver, in units of 2^20 ps (1.05 us) modulo 2^16 (69 ms);
 * data copies it from its credit, without reading it. So the first data that a receiver gets tells the round trip of its
 * own credit, whichever credits before it were lost (AM-37). 0 in all other kinds, in void credits and in unscheduled
 * data.
 * A request tells the flow's size with `credit_end: size` (AM-55), if the sender knows it and it is below 2^32 segments;
 * a flow until stopped has none. Every request of a flow tells it, so that a lost one does no harm.
 * A void credit answers traffic of any kind; its ports may be those of a TCP or UDP flow.
 * A frame is malformed (FRAME_CREDIT_KIND) if its kind is none of the six, or it has a flag or a stamp that it may
 * not have, (FRAME_CREDIT_PAYLOAD) if it carries payload and is not DATA, and (FRAME_CREDIT_SIZE) if its
 * size is none that its kind may have, or says 84, or the frame of a credit is not as long as its size says (a
 * trailer).
 */
#ifndef HEDDLE_WIRE_CREDIT_HEADER_H
#define HEDDLE_WIRE_CREDIT_HEADER_H

#include "wire/packet.h"

#define CREDIT_HEADER_BYTES 20
#define CREDIT_WIRE_BYTES WIRE_MIN_BYTES       /* XP-2: size of a credit on the wire */
#define CREDIT_SPREAD_MAX 20                   /* sizes lie within 84 +- 20 */
#define CREDIT_DATA_WIRE_BYTES FULL_WIRE_BYTES /* what a credit entitles to (XP-3) */

static inline uint8_t credit_kind(const struct packet *p) { return p->tcp_flags & CREDIT_KIND; }

/* Offsets of the fields that switches change or the parser checks. */
enum { CREDIT_AT_KIND = 12, CREDIT_AT_SIZE = 13, CREDIT_AT_PATH = 14, CREDIT_AT_CHECKSUM = 16, CREDIT_AT_STAMP = 18 };

#define CREDIT_STAMP_BITS 20 /* a unit of stamps is 2^20 ps */

/* Returns the stamp of a credit that leaves at `now`. */
static inline uint16_t credit_stamp(time_ps now) { return (uint16_t)((uint64_t)now >> CREDIT_STAMP_BITS); }

/* Returns the age of a stamp, at least 1: right within half a unit for ages below 2^16 units. */
static inline span_ps credit_stamp_age(time_ps now, uint16_t stamp) {
    uint64_t unit = 1ull << CREDIT_STAMP_BITS, units = (uint16_t)(credit_stamp(now) - stamp);
    span_ps age = (span_ps)(units * unit + ((uint64_t)now & (unit - 1))) - (span_ps)(unit / 2);
    return age > 1 ? age : 1;
}

static inline bool credit_size_is_sound(uint32_t size) {
    return size >= CREDIT_WIRE_BYTES - CREDIT_SPREAD_MAX && size <= CREDIT_WIRE_BYTES + CREDIT_SPREAD_MAX;
}

/* Returns the flags that a frame of this kind may have. */
static inline uint8_t credit_flags_allowed(uint8_t kind) {
    if (kind == CREDIT_GRANT) return CREDIT_VOID;
    return kind == CREDIT_DATA ? CREDIT_LAST | CREDIT_MARKED | CREDIT_UNSCHEDULED : 0;
}

/* Returns whether the frame may have a stamp. */
static inline bool credit_may_be_stamped(const struct packet *p) {
    uint8_t kind = credit_kind(p);
    if (kind == CREDIT_GRANT) return !(p->tcp_flags & CREDIT_VOID);
    return kind == CREDIT_DATA && !(p->tcp_flags & CREDIT_UNSCHEDULED);
}

/* Returns true for one of the six kinds with no flag or stamp but its own. */
static inline bool credit_kind_is_sound(const struct packet *p) {
    uint8_t kind = credit_kind(p);
    return kind >= CREDIT_REQUEST && kind <= CREDIT_ANSWER &&
           (p->tcp_flags & ~(CREDIT_KIND | credit_flags_allowed(kind))) == 0 &&
           (p->window == 0 || credit_may_be_stamped(p));
}

/* Returns true for a frame that no credit made room for: neither a credit nor data that used one. */
static inline bool credit_is_missing(const struct packet *p) {
    if (p->shape & SHAPE_CREDIT) return false;
    return p->proto != PROTO_CREDIT || credit_kind(p) != CREDIT_DATA || p->tcp_flags & CREDIT_UNSCHEDULED;
}

static inline bool credit_payload_is_sound(const struct packet *p) {
    return p->payload_bytes == 0 || credit_kind(p) == CREDIT_DATA;
}

#endif
