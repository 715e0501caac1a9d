/* SPDX-License-Identifier: Apache-2.0 */
/* CONGA's fields of a frame (CONGA 3.3, figure 6), as `packet.overlay` holds them and as the wire carries them.
 *
 * CONGA puts them into the VXLAN header of its overlay. We carry no VXLAN: with 50 more bytes per frame a comparison
 * with schemes that need no overlay would measure the overlay. They travel in an Ethernet tag of our own instead,
 * between source MAC and EtherType (behind an Expeditus tag, should a frame have both):
 *
 *     TPID 0x9901 (16)  LBTag (4)  CE (3)  FB_LBTag (4)  FB_Metric (3)  FB_Valid (1)  zero (1)
 *
 * The last bit must be zero. FB_Valid is ours: the paper has no way to say that a frame feeds nothing back.
 */
#ifndef HEDDLE_WIRE_CONGA_OVERLAY_H
#define HEDDLE_WIRE_CONGA_OVERLAY_H

#include "wire/packet.h"

#define CONGA_TPID 0x9901u
#define CONGA_OVERLAY_SPARE 1u /* the bit that must be zero */

struct conga_overlay {
    uint8_t lbtag;     /* uplink of the source leaf: 0 .. 15 */
    uint8_t ce;        /* highest load on the path so far: 0 .. 7 */
    uint8_t fb_lbtag;  /* feedback: uplink of the leaf that receives this frame */
    uint8_t fb_metric; /* load of the path by that uplink */
    bool fb_valid;
};

static inline uint8_t conga_lbtag(uint16_t overlay) { return (uint8_t)(overlay >> 12 & 15); }
static inline uint8_t conga_ce(uint16_t overlay) { return (uint8_t)(overlay >> 9 & 7); }
static inline uint8_t conga_fb_lbtag(uint16_t overlay) { return (uint8_t)(overlay >> 5 & 15); }
static inline uint8_t conga_fb_metric(uint16_t overlay) { return (uint8_t)(overlay >> 2 & 7); }
static inline bool conga_fb_valid(uint16_t overlay) { return overlay >> 1 & 1; }

/* Packs the fields. Values beyond a field's width are truncated to it. */
static inline uint16_t conga_overlay_pack(struct conga_overlay f) {
    return (uint16_t)((f.lbtag & 15u) << 12 | (f.ce & 7u) << 9 | (f.fb_lbtag & 15u) << 5 | (f.fb_metric & 7u) << 2 |
                      (f.fb_valid ? 2u : 0u));
}

static inline struct conga_overlay conga_overlay_unpack(uint16_t overlay) {
    return (struct conga_overlay){.lbtag = conga_lbtag(overlay),
                                  .ce = conga_ce(overlay),
                                  .fb_lbtag = conga_fb_lbtag(overlay),
                                  .fb_metric = conga_fb_metric(overlay),
                                  .fb_valid = conga_fb_valid(overlay)};
}

static inline uint16_t conga_with_ce(uint16_t overlay, uint8_t ce) {
    return (uint16_t)((overlay & ~(7u << 9)) | (ce & 7u) << 9);
}

static inline uint16_t conga_with_feedback(uint16_t overlay, uint8_t lbtag, uint8_t metric) {
    return (uint16_t)((overlay & 0xfe00u) | (lbtag & 15u) << 5 | (metric & 7u) << 2 | 2u);
}

#endif
