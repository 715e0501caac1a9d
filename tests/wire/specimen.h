/* SPDX-License-Identifier: Apache-2.0 */
/* A specimen: a frame that frame_build made, for a test to change byte by byte and to parse. */
#ifndef HEDDLE_TESTS_WIRE_SPECIMEN_H
#define HEDDLE_TESTS_WIRE_SPECIMEN_H

#include "wire/frame.h"

#include "frames.h"

#include "wire/bytes.h"
#include "wire/checksum.h"

/* A frame that frame_build made, and the result of parsing it after a test has changed its bytes. */
struct specimen {
    uint8_t bytes[512];
    size_t captured, original;
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
};

enum { IP = ETHERNET_BYTES, L4 = ETHERNET_BYTES + IPV4_BYTES };

static inline struct specimen specimen_of(const struct packet *p, const struct packet_ext *ext) {
    struct specimen s = {0};
    s.captured = s.original = frame_build(p, ext, mac_a, mac_b, s.bytes, sizeof s.bytes);
    return s;
}

static inline struct specimen tcp_specimen(void) {
    struct packet p = blank_packet(PROTO_TCP);
    p.tcp_flags = TCP_ACK;
    p.payload_bytes = 100;
    return specimen_of(&p, NULL);
}

static inline struct specimen udp_specimen(void) {
    struct packet p = blank_packet(PROTO_UDP);
    p.payload_bytes = 100;
    p.seq = 99;
    return specimen_of(&p, NULL);
}

static inline struct specimen credit_specimen(uint8_t kind, uint16_t payload_bytes) {
    struct packet p = blank_packet(PROTO_CREDIT);
    p.tcp_flags = kind;
    p.shape = kind == CREDIT_GRANT ? SHAPE_CREDIT : 0;
    p.payload_bytes = payload_bytes;
    p.path = 0x0102;
    return specimen_of(&p, NULL);
}

static inline enum frame_error parse(struct specimen *s) {
    return frame_parse(s->bytes, s->captured, s->original, &s->p, &s->ext, &s->info);
}

static inline enum frame_error parse_cut(struct specimen s, size_t captured, size_t original) {
    s.captured = captured;
    s.original = original;
    return parse(&s);
}

static inline void mend_ip_checksum(struct specimen *s) {
    put_be16(s->bytes + IP + 10, 0);
    put_be16(s->bytes + IP + 10, checksum_finish(checksum_add(0, s->bytes + IP, IPV4_BYTES)));
}

/* Sets a byte of the IPv4 header, updates its checksum and parses. */
static inline enum frame_error parse_with_ip_byte(size_t at, uint8_t value) {
    struct specimen s = tcp_specimen();
    s.bytes[IP + at] = value;
    mend_ip_checksum(&s);
    return parse(&s);
}

#endif
