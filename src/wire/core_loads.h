/* SPDX-License-Identifier: Apache-2.0 */
/* The report of core loads as bytes, sent by an agg to a ToR below it: an extension of ours to Expeditus
 * (docs/expeditus-extensions.md). `packet.overlay` holds its fields, and the wire carries them in a tag of its own
 * between source MAC and EtherType, behind an Expeditus tag if a frame has both:
 *
 *    TPID 0x9902 (16)  zero (1)  egress (3)  zero (1)  ingress (3)  zero (8)
 *
 * Egress is the load, in eighths, of the agg's least loaded link to a core; ingress that of its least loaded link from
 * a core. A tag is malformed if a zero bit is set, or if a CONGA tag stands beside it.
 *
 * The frame of a report is UDP without payload from port 0 to port 0, from and to the first address of the ToR's rack:
 * 84 bytes on the wire. A ToR consumes the report if it came from above; hosts never see it.
 */
#ifndef HEDDLE_WIRE_CORE_LOADS_H
#define HEDDLE_WIRE_CORE_LOADS_H

#include "wire/packet.h"

#define CORE_LOADS_TPID 0x9902u
#define CORE_LOADS_ZERO 0x88ffu /* the bits that must be zero */

static inline uint8_t core_loads_egress(uint16_t overlay) { return (uint8_t)(overlay >> 12 & 7); }
static inline uint8_t core_loads_ingress(uint16_t overlay) { return (uint8_t)(overlay >> 8 & 7); }

/* Returns the fields of a report; levels beyond 7 are cut to three bits. */
static inline uint16_t core_loads_pack(uint8_t egress, uint8_t ingress) {
    return (uint16_t)((egress & 7u) << 12 | (ingress & 7u) << 8);
}

#endif
