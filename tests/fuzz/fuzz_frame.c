/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as a frame. A frame that parses can be built and rewritten, and parses again to the same descriptor.
 * Input: 2 bytes for how much a capture cut off, 1 byte for what the switch does, then the frame. */
#include <stdlib.h>
#include <string.h>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEND_CHECKSUM = 1, TOGGLE_TAG = 2, TOGGLE_CONGA = 4, MARK = 8, TAKE_PATH = 16, TOGGLE_REPORT = 32 };

static uint8_t out[1 << 17];
static const uint8_t mac_a[6] = {2, 0, 0, 0, 0, 1}, mac_b[6] = {2, 0, 0, 0, 0, 2};

static void require(bool condition) {
    if (!condition) abort();
}

/* Corrects the checksum of an untagged frame, since random bytes rarely have a correct one. */
static void mend(uint8_t *frame, size_t n) {
    if (n < ETHERNET_BYTES + IPV4_BYTES) return;
    uint8_t *ip = frame + ETHERNET_BYTES;
    put_be16(ip + 10, 0);
    put_be16(ip + 10, checksum_finish(checksum_add(0, ip, IPV4_BYTES)));
}

static bool same_ext(const struct packet *p, const struct packet_ext *a, const struct packet_ext *b) {
    if ((p->shape & SHAPE_SACK) &&
        (a->n_sack != b->n_sack || memcmp(a->sack, b->sack, a->n_sack * sizeof a->sack[0]) != 0))
        return false;
    if ((p->shape & SHAPE_STAMP) && a->stamp != b->stamp) return false;
    if (p->shape & SHAPE_PAUSE) return memcmp(&a->pause, &b->pause, sizeof a->pause) == 0;
    if (!(p->shape & SHAPE_EXPEDITUS)) return true;
    return a->tag.stage == b->tag.stage && a->tag.entries == b->tag.entries &&
           memcmp(a->tag.load, b->tag.load, a->tag.entries) == 0;
}

/* Aborts unless the frame in `out` parses to *p and *ext. */
static void require_back(const struct packet *p, const struct packet_ext *ext, size_t captured, size_t original,
                         enum l4_check *check) {
    struct packet back;
    struct packet_ext back_ext;
    struct frame_info info;
    require(frame_parse(out, captured, original, &back, &back_ext, &info) == FRAME_OK);
    require(memcmp(&back, p, sizeof back) == 0 && same_ext(p, &back_ext, ext));
    require(captured < original || info.check != L4_UNKNOWN);
    *check = info.check;
}

static void check_build(struct packet p, const struct packet_ext *ext) {
    enum l4_check check;
    if (!(p.shape & SHAPE_CREDIT)) p.wire_bytes = packet_computed_wire_bytes(&p, ext);
    size_t n = frame_build(&p, ext, mac_a, mac_b, out, sizeof out);
    require(n == packet_ethernet_bytes(&p, ext) - FRAME_UNSEEN_BYTES);
    require_back(&p, ext, n, n, &check);
    require(check == ((p.shape & (SHAPE_PAUSE | SHAPE_OPAQUE)) ? L4_ABSENT : L4_GOOD));
}

/* Checks a pause frame, which is not forwarded. */
static void check_pause(const uint8_t *frame, const struct frame_info *info, const struct packet *p,
                        const struct packet_ext *ext) {
    size_t written;
    require(frame_rewrite(frame, info, p, ext, mac_a, mac_b, out, sizeof out, &written) == 0 && written == 0);
}

/* Rewrites the frame in a cell of the least permitted size and compares it with the rewritten copy in `out`. */
static void check_in_place(const uint8_t *frame, const struct frame_info *info, const struct packet *p,
                           const struct packet_ext *ext, size_t n, size_t written) {
    size_t least = FRAME_MIN_BYTES + FRAME_HEADROOM, here;
    uint8_t *cell = malloc(FRAME_HEADROOM + (info->captured > least ? info->captured : least)), *begin;
    require(cell != NULL);
    memcpy(cell + FRAME_HEADROOM, frame, info->captured);
    require(frame_rewrite_in_place(cell + FRAME_HEADROOM, info, p, ext, mac_a, mac_b, &begin, &here) == n);
    require(here == written && memcmp(begin, out, here) == 0);
    free(cell);
}

static void check_rewrite(const uint8_t *frame, const struct frame_info *info, struct packet p, struct packet_ext ext,
                          uint8_t deed) {
    uint32_t before = packet_tag_bytes(p.shape, ext.tag.entries);
    enum l4_check after;
    if (deed & TOGGLE_TAG) p.shape ^= SHAPE_EXPEDITUS;
    if (deed & TOGGLE_CONGA) p.shape = (p.shape ^ SHAPE_CONGA) & (uint8_t)~SHAPE_CORE_LOADS;
    if (deed & TOGGLE_REPORT) p.shape = (p.shape ^ SHAPE_CORE_LOADS) & (uint8_t)~SHAPE_CONGA;
    if (deed & MARK) p.tos |= ECN_CE;
    if ((deed & TAKE_PATH) && p.proto == PROTO_CREDIT && !(p.shape & SHAPE_OPAQUE))
        p.path = (uint16_t)(deed << 8 | p.ttl);
    if (!(p.shape & (SHAPE_CONGA | SHAPE_CORE_LOADS))) p.overlay = 0;
    p.overlay &= (uint16_t) ~((p.shape & SHAPE_CORE_LOADS) ? CORE_LOADS_ZERO : CONGA_OVERLAY_SPARE);
    if ((deed & TOGGLE_TAG) && (p.shape & SHAPE_EXPEDITUS))
        ext.tag = (struct expeditus_tag){.entries = deed >> 1, .load = {deed & 7, 3, 7}};
    p.ttl--;
    packet_retag(&p, before, packet_tag_bytes(p.shape, ext.tag.entries));
    size_t written, n = frame_rewrite(frame, info, &p, &ext, mac_a, mac_b, out, sizeof out, &written);
    if (n == 0) {
        require(info->original + 2 * EXPEDITUS_TAG_MAX_BYTES > FRAME_MAX_BYTES);
        return;
    }
    require(n == packet_ethernet_bytes(&p, &ext) - FRAME_UNSEEN_BYTES);
    require(written <= n);
    require_back(&p, &ext, written, n, &after);
    require(p.proto != PROTO_CREDIT || after == info->check);
    check_in_place(frame, info, &p, &ext, n, written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    if (size < 3) return 0;
    size_t captured = size - 3, original = captured + get_be16(data);
    uint8_t deed = data[2],
            *frame = malloc(captured ? captured : 1); /* its exact size lets the sanitizer see reads beyond it */
    require(frame != NULL);
    memcpy(frame, data + 3, captured);
    if (deed & MEND_CHECKSUM) mend(frame, captured);
    enum frame_error error = frame_parse(frame, captured, original, &p, &ext, &info);
    require(frame_error_name(error)[0] && frame_error_key(error)[0]);
    if (error == FRAME_OK) {
        check_build(p, &ext);
        if (p.shape & SHAPE_PAUSE)
            check_pause(frame, &info, &p, &ext);
        else
            check_rewrite(frame, &info, p, ext, deed);
    }
    free(frame);
    return 0;
}
