/* SPDX-License-Identifier: Apache-2.0 */
/* Pause frames: IEEE 802.3x PAUSE (802.3 annex 31B) and 802.1Qbb priority flow control, PFC (802.3 annex 31D).
 *
 *    01-80-C2-00-00-01 | src MAC 6 | EtherType 0x8808 | opcode 16 | ...
 *      PAUSE  opcode 0x0001 | time 16
 *      PFC    opcode 0x0101 | 0 (8) | classes 8 | time of class 0 (16) | ... | time of class 7 (16)
 *
 * padded with zeros to the minimum frame: wire_bytes is 84. A time counts quanta of 512 bit times of the link; 0
 * resumes the class. Bit k of `classes` names class k: its time is valid. 802.3x pauses the whole link: the descriptor
 * names all classes and has the time in quanta[0].
 *
 * The frame crosses one link and no more. It has no IP header: in the descriptor addresses, ports, proto and ttl are
 * 0, shape is SHAPE_PAUSE alone and the contents are in ext->pause. The source MAC is the sending port's, from the
 * caller of frame_build; the destination MAC of the caller is not used.
 *
 * A frame is refused if it has another destination (FRAME_PAUSE_ADDRESS), another opcode (FRAME_MAC_CONTROL), a
 * reserved byte that is not 0 (FRAME_PFC_RESERVED), or one of our tags before the EtherType (FRAME_PAUSE_TAGGED). As
 * the standard requires, the parser ignores times of classes that are not named, which become 0, and padding.
 */
#ifndef HEDDLE_WIRE_PAUSE_FRAME_H
#define HEDDLE_WIRE_PAUSE_FRAME_H

#include "wire/packet.h"

#define ETHERTYPE_MAC_CONTROL 0x8808u
#define PAUSE_OPCODE 0x0001u
#define PFC_OPCODE 0x0101u
#define PAUSE_ADDRESS                                                                                                  \
    { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 }
#define PAUSE_QUANTA_MAX UINT16_MAX
#define PAUSE_QUANTUM_BITS 512
#define PAUSE_WIRE_BYTES WIRE_MIN_BYTES

/* Bytes with contents behind the EtherType. */
enum { PAUSE_BODY_BYTES = 4, PFC_BODY_BYTES = 20 };

/* Returns the descriptor of a pause frame with its contents in the extension cell `ext`; it belongs to no flow. */
static inline struct packet pause_packet(uint32_t ext) {
    return (struct packet){.wire_bytes = PAUSE_WIRE_BYTES,
                           .shape = SHAPE_PAUSE,
                           .path = PATH_NONE,
                           .ext = ext,
                           .origin = NODE_NONE,
                           .flow = FLOW_NONE};
}

/* Returns contents of 802.3x: the whole link. */
static inline struct pause_fields pause_fields_link(uint16_t quanta) {
    return (struct pause_fields){.classes = 0xff, .quanta = {quanta}};
}

/* Returns contents of 802.1Qbb: `quanta` for the classes of `pause`, 0 for the classes of `release`. */
static inline struct pause_fields pause_fields_pfc(uint8_t pause, uint8_t release, uint16_t quanta) {
    struct pause_fields f = {.opcode_pfc = 1, .classes = pause | release};
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++)
        if (pause >> k & 1) f.quanta[k] = quanta;
    return f;
}

/* Returns the time of class k, which must be named. */
static inline uint16_t pause_fields_quanta(const struct pause_fields *f, uint32_t k) {
    return f->quanta[f->opcode_pfc ? k : 0];
}

/* Returns true if a frame can carry these contents so that parsing returns the same. */
static inline bool pause_fields_are_sound(const struct pause_fields *f) {
    if (f->opcode_pfc > 1 || (!f->opcode_pfc && f->classes != 0xff)) return false;
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++) {
        bool meant = f->opcode_pfc ? f->classes >> k & 1 : k == 0;
        if (!meant && f->quanta[k] != 0) return false;
    }
    return true;
}

#endif
