/* SPDX-License-Identifier: Apache-2.0 */
/* The Expeditus tag as bytes (Expeditus 4.1; EXP-18 to EXP-22).
 *
 * A tag between source MAC and EtherType, in the manner of 802.1Q; the frame's own EtherType follows it.
 *
 *     TPID 0x9900 (16)   SF (1)   NoE (7)   NoE times CD (4): zero (1), load (3)
 *
 * SF is the stage: 0 Exp-request, 1 Exp-response. A request is the first frame of a flow. A response is a frame of its
 * own, or the SYN-ACK (switch.expeditus.carry); its tag does not tell which. Two CD lie in a byte, the first in the high
 * nibble; an odd count is padded with a zero nibble: 3 + ceil(NoE / 2) bytes. NoE has 7 bits, so 127 is the most (the paper's "at most 128"
 * does not fit, X-3).
 *
 * We are strict where the paper says nothing: a first bit of a CD, or a padding nibble, that is not zero makes the tag
 * malformed. Encoding a decoded tag gives the same bytes.
 */
#ifndef HEDDLE_WIRE_EXPEDITUS_TAG_H
#define HEDDLE_WIRE_EXPEDITUS_TAG_H

#include "wire/packet.h"

#define EXPEDITUS_TPID 0x9900u
#define EXPEDITUS_LOAD_MAX 7u
#define EXPEDITUS_TAG_MAX_BYTES (3 + (TAG_MAX_ENTRIES + 1) / 2)

enum tag_error {
    TAG_OK,
    TAG_ABSENT,   /* the TPID is another */
    TAG_SHORT,    /* fewer bytes than TPID, SF and NoE need */
    TAG_NOE,      /* NoE claims more entries than there are bytes */
    TAG_RESERVED, /* the first bit of an entry is set */
    TAG_PADDING,  /* the nibble after an odd count is not zero */
};

/* Writes the tag. Returns its bytes; 0 if it has more than 127 entries, a load over 7, a stage over 1, or needs more
 * than `size` bytes. */
size_t expeditus_tag_encode(const struct expeditus_tag *tag, uint8_t *buf, size_t size);

/* Reads a tag from `size` bytes at buf. TAG_OK: fills *tag up to `entries`; the tag took
 * expeditus_tag_bytes(tag->entries) bytes. TAG_NOE: tag->entries is the number that the tag claims. */
enum tag_error expeditus_tag_decode(const uint8_t *buf, size_t size, struct expeditus_tag *tag);

const char *tag_error_name(enum tag_error error);

#endif
