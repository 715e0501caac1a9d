/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/frame.h"
#include "wire/tcp_options.h"

enum { UDP_NUMBER_BYTES = 4, IP_DF = 0x4000, IP_MF = 0x2000, TCP_OPTION_NOP = 1 };

size_t frame_put_l2(uint8_t *buf, const struct packet *p, const struct packet_ext *ext, const uint8_t src_mac[6],
                    const uint8_t dst_mac[6]) {
    memcpy(buf, dst_mac, 6);
    memcpy(buf + 6, src_mac, 6);
    size_t n = 12;
    if (p->shape & SHAPE_EXPEDITUS) {
        size_t tag = expeditus_tag_encode(&ext->tag, buf + n, EXPEDITUS_TAG_MAX_BYTES);
        if (tag == 0) return 0;
        n += tag;
    }
    if (p->shape & SHAPE_CONGA) {
        put_be16(buf + n, CONGA_TPID);
        put_be16(buf + n + 2, p->overlay & (uint16_t)~CONGA_OVERLAY_SPARE);
        n += CONGA_TAG_BYTES;
    }
    if (p->shape & SHAPE_CORE_LOADS) {
        if (p->shape & SHAPE_CONGA) return 0; /* both use `overlay` */
        put_be16(buf + n, CORE_LOADS_TPID);
        put_be16(buf + n + 2, p->overlay & (uint16_t)~CORE_LOADS_ZERO);
        n += CORE_LOADS_TAG_BYTES;
    }
    put_be16(buf + n, ETHERTYPE_IPV4);
    return n + 2;
}

/* Marks an opaque packet of a protocol that we parse as the first of several fragments; otherwise its transport header
 * would be parsed. */
static uint16_t ip_fragment(const struct packet *p) {
    bool is_read = p->proto == PROTO_TCP || p->proto == PROTO_UDP || p->proto == PROTO_CREDIT;
    return p->shape & SHAPE_OPAQUE && is_read ? IP_MF : IP_DF;
}

static void put_ipv4(uint8_t *b, const struct packet *p, uint32_t ip_bytes) {
    b[0] = 0x45;
    b[1] = p->tos;
    put_be16(b + 2, (uint16_t)ip_bytes);
    put_be16(b + 4, 0);
    put_be16(b + 6, ip_fragment(p));
    b[8] = p->ttl;
    b[9] = p->proto;
    put_be16(b + 10, 0);
    put_be32(b + 12, p->src_ip);
    put_be32(b + 16, p->dst_ip);
    put_be16(b + 10, checksum_finish(checksum_add(0, b, IPV4_BYTES)));
}

/* Returns the window field: in bytes for a SYN, else in units of 256 B. */
static uint16_t tcp_window_field(const struct packet *p) {
    if (!(p->tcp_flags & TCP_SYN)) return p->window;
    uint32_t bytes = (uint32_t)p->window << TCP_WINDOW_SCALE;
    return (uint16_t)(bytes < UINT16_MAX ? bytes : UINT16_MAX);
}

/* Returns the wire bytes of a credit without its tags; 84 for every other frame. */
static uint32_t credit_size(const struct packet *p, const struct packet_ext *ext) {
    if (!(p->shape & SHAPE_CREDIT)) return CREDIT_WIRE_BYTES;
    return credit_size_bytes(p->wire_bytes,
                             packet_tag_bytes(p->shape, p->shape & SHAPE_EXPEDITUS ? ext->tag.entries : 0));
}

/* Writes the TCP header. Returns its bytes, which are all that the checksum covers, since the payload is zeros. */
static size_t put_tcp(uint8_t *b, const struct packet *p, const struct packet_ext *ext) {
    size_t bytes = packet_l4_bytes(p, ext);
    put_be16(b, p->src_port);
    put_be16(b + 2, p->dst_port);
    put_be32(b + 4, p->seq);
    put_be32(b + 8, p->ack);
    b[12] = (uint8_t)(bytes / 4 << 4);
    b[13] = p->tcp_flags;
    put_be16(b + 14, tcp_window_field(p));
    put_be32(b + 16, 0); /* checksum, urgent pointer */
    if (p->l4_foreign) {
        memset(b + TCP_BASE_BYTES, TCP_OPTION_NOP, bytes - TCP_BASE_BYTES);
    } else {
        tcp_options_encode(p->tcp_flags, p->shape, ext, b + TCP_BASE_BYTES);
    }
    uint32_t sum = checksum_pseudo(p->src_ip, p->dst_ip, PROTO_TCP, (uint32_t)bytes + p->payload_bytes);
    put_be16(b + 16, checksum_finish(checksum_add(sum, b, bytes)));
    return bytes;
}

/* Writes the UDP header. Returns its bytes, with the datagram number if the payload has room for it. */
static size_t put_udp(uint8_t *b, const struct packet *p) {
    uint32_t l4_bytes = UDP_HEADER_BYTES + p->payload_bytes;
    size_t bytes = UDP_HEADER_BYTES;
    put_be16(b, p->src_port);
    put_be16(b + 2, p->dst_port);
    put_be16(b + 4, (uint16_t)l4_bytes);
    put_be16(b + 6, 0);
    if (p->payload_bytes >= UDP_NUMBER_BYTES) {
        put_be32(b + bytes, p->seq);
        bytes += UDP_NUMBER_BYTES;
    }
    uint16_t sum = checksum_finish(checksum_add(checksum_pseudo(p->src_ip, p->dst_ip, PROTO_UDP, l4_bytes), b, bytes));
    put_be16(b + 6, sum ? sum : 0xffff); /* 0 would say "no checksum" (RFC 768) */
    return bytes;
}

/* Writes the credit header. Returns its bytes, which are all that the checksum covers, since the payload is zeros. */
static size_t put_credit(uint8_t *b, const struct packet *p, uint32_t size) {
    put_be16(b, p->src_port);
    put_be16(b + 2, p->dst_port);
    put_be32(b + 4, p->seq);
    put_be32(b + 8, p->ack);
    b[CREDIT_AT_KIND] = p->tcp_flags;
    b[CREDIT_AT_SIZE] = size == CREDIT_WIRE_BYTES ? 0 : (uint8_t)size;
    put_be16(b + CREDIT_AT_PATH, p->path);
    put_be16(b + CREDIT_AT_CHECKSUM, 0);
    put_be16(b + CREDIT_AT_STAMP, p->window);
    uint32_t sum =
        checksum_pseudo(p->src_ip, p->dst_ip, PROTO_CREDIT, CREDIT_HEADER_BYTES + (uint32_t)p->payload_bytes);
    put_be16(b + CREDIT_AT_CHECKSUM, checksum_finish(checksum_add(sum, b, CREDIT_HEADER_BYTES)));
    return CREDIT_HEADER_BYTES;
}

static size_t put_l4(uint8_t *b, const struct packet *p, const struct packet_ext *ext) {
    if (p->shape & SHAPE_OPAQUE) return 0;
    if (p->proto == PROTO_CREDIT) return put_credit(b, p, credit_size(p, ext));
    return p->proto == PROTO_TCP ? put_tcp(b, p, ext) : put_udp(b, p);
}

static bool l4_is_sound(const struct packet *p, const struct packet_ext *ext) {
    if (p->shape & SHAPE_OPAQUE) return !(p->shape & (SHAPE_SACK | SHAPE_STAMP | SHAPE_CREDIT));
    bool grant = p->proto == PROTO_CREDIT && credit_kind(p) == CREDIT_GRANT;
    if (grant != ((p->shape & SHAPE_CREDIT) != 0)) return false;
    if (p->proto != PROTO_TCP && (p->shape & SHAPE_STAMP)) return false;
    if (p->proto == PROTO_CREDIT)
        return credit_kind_is_sound(p) && credit_payload_is_sound(p) && credit_size_is_sound(credit_size(p, ext));
    if (p->proto == PROTO_UDP) return true;
    if (p->proto != PROTO_TCP) return false;
    if (p->l4_foreign) return p->l4_foreign >= 20 && p->l4_foreign <= 60 && p->l4_foreign % 4 == 0;
    bool stamp = p->shape & SHAPE_STAMP;
    if (stamp && (p->tcp_flags & TCP_SYN)) return false;
    return !(p->shape & SHAPE_SACK) || ext->n_sack <= (stamp ? TCP_STAMPED_SACK_MAX : TCP_SACK_MAX);
}

static size_t build_pause(const struct packet *p, const struct packet_ext *ext, const uint8_t src_mac[6], uint8_t *buf,
                          size_t size) {
    static const uint8_t address[6] = PAUSE_ADDRESS;
    uint8_t frame[FRAME_MIN_BYTES] = {0}, *body = frame + ETHERNET_BYTES;
    if (p->shape != SHAPE_PAUSE || p->proto != 0 || p->payload_bytes != 0) return 0;
    const struct pause_fields *f = &ext->pause;
    if (!pause_fields_are_sound(f)) return 0;
    memcpy(frame, address, 6);
    memcpy(frame + 6, src_mac, 6);
    put_be16(frame + 12, ETHERTYPE_MAC_CONTROL);
    put_be16(body, f->opcode_pfc ? PFC_OPCODE : PAUSE_OPCODE);
    if (f->opcode_pfc) {
        put_be16(body + 2, f->classes);
        for (size_t k = 0; k < PAUSE_CLASSES; k++) put_be16(body + 4 + 2 * k, f->quanta[k]);
    } else {
        put_be16(body + 2, f->quanta[0]);
    }
    memcpy(buf, frame, size < sizeof frame ? size : sizeof frame);
    return sizeof frame;
}

size_t frame_build(const struct packet *p, const struct packet_ext *ext, const uint8_t src_mac[6],
                   const uint8_t dst_mac[6], uint8_t *buf, size_t size) {
    uint8_t head[FRAME_HEADERS_MAX];
    if (p->shape & SHAPE_PAUSE) return build_pause(p, ext, src_mac, buf, size);
    if (!l4_is_sound(p, ext)) return 0;
    size_t n = frame_put_l2(head, p, ext, src_mac, dst_mac);
    if (n == 0) return 0;
    uint32_t ip_bytes = IPV4_BYTES + packet_l4_bytes(p, ext) + p->payload_bytes;
    size_t length = n + ip_bytes;
    if (length > FRAME_MAX_BYTES) return 0;
    if (length < FRAME_MIN_BYTES) length = FRAME_MIN_BYTES;
    if (p->shape & SHAPE_CREDIT) length = packet_ethernet_bytes(p, ext) - FRAME_UNSEEN_BYTES;
    put_ipv4(head + n, p, ip_bytes);
    n += IPV4_BYTES;
    n += put_l4(head + n, p, ext);

    if (size > length) size = length;
    memcpy(buf, head, n < size ? n : size);
    if (size > n) memset(buf + n, 0, size - n);
    return length;
}
