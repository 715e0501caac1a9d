/* SPDX-License-Identifier: Apache-2.0 */
/* Makes frames that hosts and other switches might send, and damages them as errors or attackers might.
 *
 *     struct choices c = {.random = &stream};                  or {.data = input, .n = size}
 *     struct mutant m;
 *     mutant_make(&m, &(struct maker){.fabric = f, .c = &c, .from = host, .usually = make_tcp});
 *
 * A frame starts as one of the templates below and is changed in up to eight places. Half of the frames then get
 * correct lengths and checksums, so that the changes get past the parser. Every decision is a choice from struct
 * choices, so the bytes of a fuzzer drive the same code as a random stream. The header does not need cmocka.
 */
#ifndef HEDDLE_TESTS_LIVE_MUTATIONS_H
#define HEDDLE_TESTS_LIVE_MUTATIONS_H

#include <string.h>

#include "base/random.h"
#include "fabric/fabric.h"
#include "live/answer.h"
#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/frame.h"

/* ---- choices ---- */

struct choices {
    struct random_stream *random; /* NULL: data chooses */
    const uint8_t *data;          /* [n] bytes left; after them every choice is 0 */
    size_t n;
};

/* Returns a number below `below`, which is at least 1. */
static inline uint32_t choose(struct choices *c, uint32_t below) {
    if (c->random) return (uint32_t)random_below(c->random, below);
    uint32_t value = 0;
    for (uint32_t most = below - 1; most > 0 && c->n > 0; most >>= 8, c->n--) value = value << 8 | *c->data++;
    return value % below;
}

/* Returns true once in `times`; false when no bytes are left. */
static inline bool chance(struct choices *c, uint32_t times) { return choose(c, times) == times - 1; }

/* ---- templates ---- */

enum { MUTANT_ROOM = FRAME_MAX_BYTES + 512, MUTANT_TEMPLATE_MAX = 2048 };

struct mutant {
    uint8_t bytes[MUTANT_ROOM];
    size_t length, captured;
};

struct maker;
typedef size_t mutant_template(const struct maker *m, uint8_t *out); /* returns the frame's length */

struct maker {
    const struct fabric *fabric;
    struct choices *c;
    uint32_t from;            /* host that sends, or for which a switch forwards */
    uint32_t hot;             /* host that receives many of the frames */
    mutant_template *usually; /* template of a third of the frames */
};

static inline uint32_t maker_host(const struct maker *m) { return choose(m->c, m->fabric->n_hosts); }

/* Returns a destination: mostly a host, sometimes a switch or an unused address. */
static inline uint32_t maker_address(const struct maker *m) {
    uint32_t kind = choose(m->c, 16), host = maker_host(m);
    if (kind < 8) return fabric_host_ip(m->fabric, m->hot);
    if (kind == 13) return fabric_switch_ip(m->fabric, m->fabric->n_hosts + choose(m->c, m->fabric->n_switches));
    if (kind == 14) return 0x0a000000u | choose(m->c, 1u << 24);
    if (kind == 15) return choose(m->c, UINT32_MAX);
    return fabric_host_ip(m->fabric, host);
}

/* Returns a packet of one of a few flows, so that later frames meet the state that switches keep of it. */
static inline struct packet maker_packet(const struct maker *m, uint8_t proto) {
    return (struct packet){.src_ip = fabric_host_ip(m->fabric, chance(m->c, 8) ? maker_host(m) : m->from),
                           .dst_ip = maker_address(m),
                           .src_port = (uint16_t)(40000 + choose(m->c, 8)),
                           .dst_port = (uint16_t)(5001 + choose(m->c, 4)),
                           .seq = choose(m->c, UINT32_MAX),
                           .ack = choose(m->c, UINT32_MAX),
                           .window = 8192,
                           .tcp_flags = TCP_ACK,
                           .proto = proto,
                           .tos = (uint8_t)choose(m->c, 256),
                           .ttl = (uint8_t)(chance(m->c, 8) ? choose(m->c, 5) : 64),
                           .path = PATH_NONE,
                           .ext = EXT_NONE,
                           .origin = NODE_NONE,
                           .flow = FLOW_NONE};
}

static inline uint16_t maker_payload(const struct maker *m) {
    return (uint16_t)(chance(m->c, 2) ? 1460 : choose(m->c, 1461));
}

static inline size_t maker_build(const struct maker *m, struct packet p, const struct packet_ext *ext, uint8_t *out) {
    uint8_t src[6], dst[6];
    fabric_port_mac(m->from, 0, src);
    fabric_port_mac(maker_host(m), 0, dst);
    if (!(p.shape & (SHAPE_CREDIT | SHAPE_PAUSE))) p.wire_bytes = packet_computed_wire_bytes(&p, ext);
    return frame_build(&p, ext, src, dst, out, MUTANT_TEMPLATE_MAX);
}

static inline size_t make_tcp(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_TCP);
    p.payload_bytes = maker_payload(m);
    return maker_build(m, p, NULL, out);
}

static inline size_t make_ack(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_TCP);
    struct packet_ext ext = {.stamp = choose(m->c, UINT32_MAX)};
    p.shape = chance(m->c, 2) ? SHAPE_SACK | SHAPE_STAMP : SHAPE_SACK;
    ext.n_sack = (uint8_t)(1 + choose(m->c, p.shape & SHAPE_STAMP ? TCP_STAMPED_SACK_MAX : TCP_SACK_MAX));
    return maker_build(m, p, &ext, out);
}

static inline size_t make_syn(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_TCP);
    p.tcp_flags = (uint8_t)(TCP_SYN | (chance(m->c, 2) ? TCP_ACK : 0));
    p.window = 256;
    return maker_build(m, p, NULL, out);
}

static inline size_t make_udp(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_UDP);
    p.payload_bytes = maker_payload(m);
    return maker_build(m, p, NULL, out);
}

/* Makes a segment with an Exp-request or Exp-response; one in four has a second tag. */
static inline size_t make_expeditus(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_TCP);
    struct packet_ext ext = {.tag.stage = (uint8_t)choose(m->c, 2)};
    ext.tag.entries = (uint8_t)(chance(m->c, 8) ? choose(m->c, TAG_MAX_ENTRIES + 1) : choose(m->c, 5));
    for (uint8_t i = 0; i < ext.tag.entries; i++) ext.tag.load[i] = (uint8_t)choose(m->c, 8);
    p.shape = SHAPE_EXPEDITUS;
    if (chance(m->c, 4)) p.shape |= chance(m->c, 2) ? SHAPE_CONGA : SHAPE_CORE_LOADS;
    if (chance(m->c, 2)) p.payload_bytes = maker_payload(m);
    return maker_build(m, p, &ext, out);
}

static inline size_t make_conga(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_TCP);
    p.shape = SHAPE_CONGA;
    p.overlay = (uint16_t)(choose(m->c, 1u << 15) << 1);
    p.payload_bytes = maker_payload(m);
    return maker_build(m, p, NULL, out);
}

static inline size_t make_core_loads(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_UDP);
    p.shape = SHAPE_CORE_LOADS;
    p.overlay = core_loads_pack((uint8_t)choose(m->c, 8), (uint8_t)choose(m->c, 8));
    if (chance(m->c, 2)) p.src_port = p.dst_port = 0, p.src_ip = p.dst_ip = fabric_host_ip(m->fabric, m->from);
    return maker_build(m, p, NULL, out);
}

static inline size_t make_credit(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_CREDIT);
    uint8_t kind = (uint8_t)(chance(m->c, 2) ? CREDIT_GRANT : CREDIT_REQUEST + choose(m->c, CREDIT_ANSWER));
    p.tcp_flags = (uint8_t)(kind | (choose(m->c, 256) & credit_flags_allowed(kind)));
    if (chance(m->c, 2)) p.path = (uint16_t)choose(m->c, UINT16_MAX);
    p.window = credit_may_be_stamped(&p) && chance(m->c, 2) ? (uint16_t)choose(m->c, UINT16_MAX) : 0;
    if (kind == CREDIT_DATA) p.payload_bytes = maker_payload(m);
    if (kind != CREDIT_GRANT) return maker_build(m, p, NULL, out);
    p.shape = SHAPE_CREDIT;
    p.wire_bytes = (uint16_t)(CREDIT_WIRE_BYTES - CREDIT_SPREAD_MAX + choose(m->c, 2 * CREDIT_SPREAD_MAX + 1));
    return maker_build(m, p, NULL, out);
}

static inline size_t make_pause(const struct maker *m, uint8_t *out) {
    uint16_t quanta = (uint16_t)(chance(m->c, 4) ? choose(m->c, UINT16_MAX) : choose(m->c, 64));
    struct packet_ext ext = {.pause = pause_fields_link(quanta)};
    if (chance(m->c, 2)) {
        uint8_t classes = (uint8_t)choose(m->c, 256);
        ext.pause = pause_fields_pfc(classes, (uint8_t)(choose(m->c, 256) & ~classes), quanta);
    }
    return maker_build(m, pause_packet(EXT_NONE), &ext, out);
}

/* Writes MACs and EtherType of a frame from the host to another host or to broadcast. */
static inline uint8_t *make_ethernet(const struct maker *m, uint8_t *out, uint16_t ether_type) {
    memset(out, 0, MUTANT_TEMPLATE_MAX);
    if (chance(m->c, 4))
        memset(out, 0xff, 6);
    else
        fabric_port_mac(maker_host(m), 0, out);
    fabric_port_mac(m->from, 0, out + 6);
    put_be16(out + 12, ether_type);
    return out + ETHERNET_BYTES;
}

static inline size_t make_arp(const struct maker *m, uint8_t *out) {
    static const uint8_t head[7] = {0, 1, 8, 0, 6, 4, 0};
    uint8_t *arp = make_ethernet(m, out, ETHERTYPE_ARP);
    memcpy(arp, head, sizeof head);
    arp[7] = (uint8_t)(1 + choose(m->c, 2)); /* request or reply */
    fabric_port_mac(m->from, 0, arp + 8);
    put_be32(arp + 14, fabric_host_ip(m->fabric, m->from));
    put_be32(arp + 24, maker_address(m));
    return chance(m->c, 2) ? FRAME_MIN_BYTES : ETHERNET_BYTES + 28;
}

static inline size_t make_ipv6(const struct maker *m, uint8_t *out) {
    uint8_t *ip = make_ethernet(m, out, 0x86dd);
    uint16_t payload = (uint16_t)choose(m->c, 1461);
    ip[0] = 0x60;
    put_be16(ip + 4, payload);
    ip[6] = PROTO_UDP;
    ip[7] = 64;
    return ETHERNET_BYTES + 40 + (size_t)payload;
}

/* Writes an IPv4 header with `options` bytes of NOPs and `bytes` of payload; `fragment` is flags and offset. Returns
 * the frame's length. */
static inline size_t make_ipv4(const struct maker *m, uint8_t *out, uint8_t proto, uint8_t options, uint16_t fragment,
                               size_t bytes) {
    struct packet p = maker_packet(m, proto);
    size_t header = IPV4_BYTES + (size_t)options;
    uint8_t *ip = out + ETHERNET_BYTES;
    ip[0] = (uint8_t)(0x40 | header / 4);
    ip[1] = p.tos;
    put_be16(ip + 2, (uint16_t)(header + bytes));
    put_be16(ip + 6, fragment);
    ip[8] = p.ttl;
    ip[9] = proto;
    put_be32(ip + 12, p.src_ip);
    put_be32(ip + 16, p.dst_ip);
    memset(ip + IPV4_BYTES, 1, options);
    put_be16(ip + 10, checksum_finish(checksum_add(0, ip, header)));
    return ETHERNET_BYTES + header + bytes;
}

/* Makes an echo request, sometimes an ICMP error. */
static inline size_t make_icmp(const struct maker *m, uint8_t *out) {
    size_t bytes = 8 + choose(m->c, chance(m->c, 8) ? 1473 : 64);
    uint8_t *icmp = make_ethernet(m, out, ETHERTYPE_IPV4) + IPV4_BYTES;
    icmp[0] = (uint8_t)(chance(m->c, 4) ? choose(m->c, 20) : 8);
    put_be16(icmp + 2, checksum_finish(checksum_add(0, icmp, bytes)));
    return make_ipv4(m, out, 1, 0, 0, bytes);
}

static inline size_t make_fragment(const struct maker *m, uint8_t *out) {
    make_ethernet(m, out, ETHERTYPE_IPV4);
    return make_ipv4(m, out, PROTO_UDP, 0, (uint16_t)(choose(m->c, 2) << 13 | choose(m->c, 1u << 13)),
                     choose(m->c, 1481));
}

static inline size_t make_options(const struct maker *m, uint8_t *out) {
    make_ethernet(m, out, ETHERTYPE_IPV4);
    return make_ipv4(m, out, PROTO_TCP, (uint8_t)(4 + 4 * choose(m->c, 10)), 0, 20 + choose(m->c, 1401));
}

/* Makes a segment with TCP options that heddle does not send. */
static inline size_t make_foreign(const struct maker *m, uint8_t *out) {
    struct packet p = maker_packet(m, PROTO_TCP);
    p.l4_foreign = (uint8_t)(24 + 4 * choose(m->c, 10));
    p.payload_bytes = (uint16_t)choose(m->c, 1401);
    return maker_build(m, p, NULL, out);
}

static mutant_template *const mutant_templates[] = {
    make_tcp,    make_ack,   make_syn, make_udp,  make_expeditus, make_conga,    make_core_loads, make_credit,
    make_credit, make_pause, make_arp, make_ipv6, make_icmp,      make_fragment, make_options,    make_foreign,
};
#define MUTANT_TEMPLATES (sizeof mutant_templates / sizeof *mutant_templates)

/* ---- mutations ---- */

/* Returns the offset of a change, mostly within the headers. */
static inline size_t mutant_place(const struct mutant *x, struct choices *c) {
    size_t within = x->length < 96 || chance(c, 4) ? x->length : 96;
    return choose(c, (uint32_t)within);
}

static inline void mutate_word(struct mutant *x, struct choices *c) {
    static const uint16_t word[] = {
        EXPEDITUS_TPID, CONGA_TPID, CORE_LOADS_TPID, ETHERTYPE_IPV4, ETHERTYPE_MAC_CONTROL, ETHERTYPE_ARP,
        0x8100,         0,          UINT16_MAX,      0x7fff};
    size_t at = chance(c, 2) ? 12 : mutant_place(x, c);
    if (at + 2 <= x->length) put_be16(x->bytes + at, word[choose(c, sizeof word / sizeof *word)]);
}

/* Inserts a tag of heddle, valid or not, before the EtherType or the present tags. */
static inline void mutate_insert(struct mutant *x, struct choices *c) {
    size_t bytes = chance(c, 2) ? 4 : 2 + (size_t)choose(c, EXPEDITUS_TAG_MAX_BYTES);
    if (x->length < 12 || x->length + bytes > MUTANT_ROOM) return;
    memmove(x->bytes + 12 + bytes, x->bytes + 12, x->length - 12);
    memset(x->bytes + 12, 0, bytes);
    put_be16(x->bytes + 12, (uint16_t)(EXPEDITUS_TPID + choose(c, 3)));
    for (size_t i = 2; i < bytes; i++) x->bytes[12 + i] = (uint8_t)(choose(c, 256) & (chance(c, 2) ? 0x77 : 0xff));
    if (get_be16(x->bytes + 12) == EXPEDITUS_TPID && bytes > 2) x->bytes[14] = (uint8_t)(2 * (bytes - 3));
    x->length += bytes;
}

static inline void mutate_remove(struct mutant *x, struct choices *c) {
    size_t at = chance(c, 2) ? 12 : mutant_place(x, c), bytes = 1 + (size_t)choose(c, 8);
    if (at + bytes >= x->length) return; /* a frame keeps at least one byte */
    memmove(x->bytes + at, x->bytes + at + bytes, x->length - at - bytes);
    x->length -= bytes;
}

/* Extends the frame: by a few bytes, to a jumbo frame, or to more than a descriptor can hold. */
static inline void mutate_extend(struct mutant *x, struct choices *c) {
    uint32_t kind = choose(c, 64);
    size_t length = x->length + 1 + choose(c, 64);
    if (kind >= 48) length = 1500 + choose(c, 7501);
    if (kind == 63) length = FRAME_MAX_BYTES - 128 + choose(c, 256);
    if (length <= x->length || length > MUTANT_ROOM) return;
    memset(x->bytes + x->length, (int)choose(c, 256), length - x->length);
    x->length = length;
}

static inline void mutate(struct mutant *x, struct choices *c) {
    switch (choose(c, 8)) {
    case 0: x->bytes[mutant_place(x, c)] ^= (uint8_t)(1u << choose(c, 8)); break;
    case 1: x->bytes[mutant_place(x, c)] ^= (uint8_t)(1u << choose(c, 8)); break;
    case 2: x->bytes[mutant_place(x, c)] = (uint8_t)choose(c, 256); break;
    case 3: mutate_word(x, c); break;
    case 4: mutate_insert(x, c); break;
    case 5: mutate_remove(x, c); break;
    case 6: x->length = 1 + (size_t)choose(c, (uint32_t)x->length); break;
    default: mutate_extend(x, c);
    }
}

/* ---- mending ---- */

/* Returns the offset of the EtherType behind the tags of heddle; 0 if there is none. */
static inline size_t mend_ether_type(const struct mutant *x) {
    size_t at = 12;
    while (at + 4 <= x->length) {
        uint16_t type = get_be16(x->bytes + at);
        if (type == EXPEDITUS_TPID)
            at += expeditus_tag_bytes(x->bytes[at + 2] & 0x7f);
        else if (type == CONGA_TPID || type == CORE_LOADS_TPID)
            at += 4;
        else
            return at;
    }
    return 0;
}

/* Returns the offset of the checksum in a transport header; 0 for protocols whose checksum stays as it is. */
static inline size_t mend_checksum_at(uint8_t proto) {
    return proto == PROTO_TCP || proto == PROTO_CREDIT ? 16 : proto == PROTO_UDP ? 6 : proto == 1 ? 2 : 0;
}

static inline void mend_l4(uint8_t *ip, uint8_t *l4, size_t bytes) {
    uint8_t proto = ip[9];
    size_t at = mend_checksum_at(proto);
    if (at == 0 || at + 2 > bytes) return;
    if (proto == PROTO_UDP) put_be16(l4 + 4, (uint16_t)bytes);
    put_be16(l4 + at, 0);
    uint32_t sum = proto == 1 ? 0 : checksum_pseudo(get_be32(ip + 12), get_be32(ip + 16), proto, (uint32_t)bytes);
    put_be16(l4 + at, checksum_finish(checksum_add(sum, l4, bytes)));
}

/* Corrects the lengths and checksums of an IPv4 packet for the frame that holds it. */
static inline void mutant_mend(struct mutant *x) {
    size_t type = mend_ether_type(x);
    if (type == 0 || get_be16(x->bytes + type) != ETHERTYPE_IPV4) return;
    uint8_t *ip = x->bytes + type + 2;
    size_t there = x->length - type - 2, header = there ? (size_t)(ip[0] & 15) * 4 : 0;
    if (header < IPV4_BYTES || header > there) return;
    if (get_be16(ip + 2) > there || x->length > FRAME_MIN_BYTES) put_be16(ip + 2, (uint16_t)there);
    if (get_be16(ip + 2) > header) mend_l4(ip, ip + header, get_be16(ip + 2) - header);
    put_be16(ip + 10, 0);
    put_be16(ip + 10, checksum_finish(checksum_add(0, ip, header)));
}

/* ---- a frame ---- */

static inline void mutant_make(struct mutant *x, const struct maker *m) {
    struct choices *c = m->c;
    uint32_t changes = chance(c, 2) ? 0 : 1 + choose(c, 8);
    mutant_template *make = chance(c, 3) ? m->usually : mutant_templates[choose(c, MUTANT_TEMPLATES)];
    x->length = make(m, x->bytes);
    for (uint32_t i = 0; i < changes; i++) mutate(x, c);
    if (changes > 0 && chance(c, 2)) mutant_mend(x);
    x->captured = chance(c, 32) ? choose(c, (uint32_t)x->length) : x->length;
}

#endif
