/* SPDX-License-Identifier: Apache-2.0 */
/* Frames for the tests of wire/: bytes from hex, the addresses of the golden frames, and random descriptors. */
#ifndef HEDDLE_TESTS_WIRE_FRAMES_H
#define HEDDLE_TESTS_WIRE_FRAMES_H

#include "unit.h"

#include <ctype.h>
#include <string.h>

#include "base/random.h"
#include "wire/frame.h"

#define IP_A 0x0a000001u /* 10.0.0.1 */
#define IP_B 0x0a000102u /* 10.0.1.2 */

static const uint8_t mac_a[6] = {2, 0, 0, 0, 1, 0}, mac_b[6] = {2, 0, 0, 0, 2, 0};

/* Converts hex digits to bytes and skips all other characters. Returns the number of bytes. */
static inline size_t from_hex(const char *hex, uint8_t *out) {
    size_t digits = 0;
    for (; *hex; hex++) {
        if (!isxdigit((unsigned char)*hex)) continue;
        uint8_t value = (uint8_t)(isdigit((unsigned char)*hex) ? *hex - '0' : tolower((unsigned char)*hex) - 'a' + 10);
        if (digits % 2 == 0)
            out[digits / 2] = (uint8_t)(value << 4);
        else
            out[digits / 2] |= value;
        digits++;
    }
    return digits / 2;
}

/* Returns an empty descriptor of a packet from A to B. */
static inline struct packet blank_packet(uint8_t proto) {
    return (struct packet){.src_ip = IP_A,
                           .dst_ip = IP_B,
                           .src_port = 40000,
                           .dst_port = 5001,
                           .proto = proto,
                           .wire_bytes = WIRE_MIN_BYTES,
                           .ttl = 64,
                           .path = PATH_NONE,
                           .ext = EXT_NONE,
                           .origin = NODE_NONE,
                           .flow = FLOW_NONE};
}

static inline void random_tag(struct random_stream *r, struct packet_ext *ext) {
    ext->tag.stage = (uint8_t)random_below(r, 2);
    ext->tag.entries = (uint8_t)random_below(r, TAG_MAX_ENTRIES + 1);
    for (uint8_t i = 0; i < ext->tag.entries; i++) ext->tag.load[i] = (uint8_t)random_below(r, 8);
}

static inline void random_stamp(struct random_stream *r, struct packet *p, struct packet_ext *ext) {
    p->shape |= SHAPE_STAMP;
    ext->stamp = (int64_t)random_u64(r);
}

static inline void random_sack(struct random_stream *r, struct packet *p, struct packet_ext *ext) {
    p->shape |= SHAPE_SACK;
    ext->n_sack = (uint8_t)(1 + random_below(r, p->shape & SHAPE_STAMP ? TCP_STAMPED_SACK_MAX : TCP_SACK_MAX));
    for (uint8_t i = 0; i < ext->n_sack; i++)
        ext->sack[i] = (struct sack_block){.begin = random_u32(r), .end = random_u32(r)};
}

/* Returns the flags that a frame of this kind of a credit transport may not have, as wire/credit_header.h says. */
static inline unsigned not_of(unsigned kind) { return kind == CREDIT_DATA ? 0x88 : kind == CREDIT_GRANT ? 0x78 : 0xf8; }

/* Fills in the fields that only credit transports use. */
static inline void random_credit(struct random_stream *r, struct packet *p) {
    uint8_t kind = (uint8_t)(CREDIT_REQUEST + random_below(r, CREDIT_DONE)), flags = (uint8_t)random_u32(r);
    p->tcp_flags = (uint8_t)(kind | (flags & credit_flags_allowed(kind)));
    p->ack = random_u32(r);
    p->path = (uint16_t)random_u32(r);
    if (credit_may_be_stamped(p)) p->window = (uint16_t)random_u32(r);
    if (kind == CREDIT_GRANT) p->shape |= SHAPE_CREDIT;
    if (kind != CREDIT_DATA) p->payload_bytes = 0;
}

/* Fills in a packet of a protocol that switches do not read; heddle answers such a request with one (EXP-26). */
static inline void random_opaque(struct random_stream *r, struct packet *p) {
    const uint8_t protos[] = {1, 47, 50};
    p->proto = protos[random_below(r, 3)];
    p->shape = SHAPE_OPAQUE;
    p->src_port = p->dst_port = 0;
}

/* Returns a random descriptor of any frame that heddle itself may send. */
static inline struct packet random_packet(struct random_stream *r, struct packet_ext *ext) {
    const uint8_t protos[] = {PROTO_TCP, PROTO_TCP, PROTO_UDP, PROTO_CREDIT};
    struct packet p = blank_packet(protos[random_below(r, 4)]);
    memset(ext, 0, sizeof *ext);
    p.src_ip = random_u32(r);
    p.dst_ip = random_u32(r);
    p.src_port = (uint16_t)random_u32(r);
    p.dst_port = (uint16_t)random_u32(r);
    p.tos = (uint8_t)random_u32(r);
    p.ttl = (uint8_t)(1 + random_below(r, 255));
    p.payload_bytes = (uint16_t)random_below(r, random_below(r, 2) ? 1461 : 12);
    if (random_below(r, 8) == 0) random_opaque(r, &p);
    if (p.proto == PROTO_CREDIT) random_credit(r, &p);
    if (!(p.shape & SHAPE_OPAQUE) && (p.proto != PROTO_UDP || p.payload_bytes >= 4)) p.seq = random_u32(r);
    if (p.proto == PROTO_TCP) {
        p.ack = random_u32(r);
        p.tcp_flags = (uint8_t)random_u32(r);
        p.window = tcp_window(random_u32(r), p.tcp_flags);
        if (!(p.tcp_flags & TCP_SYN) && random_below(r, 4) == 0) random_stamp(r, &p, ext);
        if (!(p.tcp_flags & TCP_SYN) && random_below(r, 2)) random_sack(r, &p, ext);
    }
    if (random_below(r, 2)) {
        p.shape |= SHAPE_EXPEDITUS;
        random_tag(r, ext);
    }
    if (random_below(r, 3) == 0) {
        p.shape |= SHAPE_CONGA;
        p.overlay = (uint16_t)(random_u32(r) & 0xfffe);
    } else if (random_below(r, 4) == 0) {
        p.shape |= SHAPE_CORE_LOADS;
        p.overlay = core_loads_pack((uint8_t)random_below(r, 8), (uint8_t)random_below(r, 8));
    }
    p.wire_bytes = packet_computed_wire_bytes(&p, ext);
    if (p.shape & SHAPE_CREDIT) {
        uint32_t size = CREDIT_WIRE_BYTES - CREDIT_SPREAD_MAX + (uint32_t)random_below(r, 2 * CREDIT_SPREAD_MAX + 1);
        p.wire_bytes = (uint16_t)credit_tagged_bytes(size, packet_tag_bytes(p.shape, ext->tag.entries));
    }
    return p;
}

static inline void assert_same_tag(const struct expeditus_tag *a, const struct expeditus_tag *b) {
    assert_int_equal(a->stage, b->stage);
    assert_int_equal(a->entries, b->entries);
    assert_memory_equal(a->load, b->load, a->entries);
}

static inline void assert_same_ext(const struct packet *p, const struct packet_ext *a, const struct packet_ext *b) {
    if (p->shape & SHAPE_EXPEDITUS) assert_same_tag(&a->tag, &b->tag);
    if (p->shape & SHAPE_STAMP) assert_true(a->stamp == b->stamp);
    if (!(p->shape & SHAPE_SACK)) return;
    assert_int_equal(a->n_sack, b->n_sack);
    assert_memory_equal(a->sack, b->sack, a->n_sack * sizeof a->sack[0]);
}

#endif
