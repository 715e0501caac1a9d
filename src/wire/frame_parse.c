/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/frame.h"
#include "wire/tcp_options.h"

#define IP_FRAGMENT 0x3fffu /* more fragments follow, or an offset */

/* The frame being parsed; `at` is the offset reached. */
struct frame_cursor {
    const uint8_t *buf;
    size_t captured, original, at;
    bool checks; /* verify the transport checksum */
};

/* Checks that the frame has n more bytes and that the capture includes them. */
static enum frame_error cursor_need(const struct frame_cursor *c, size_t n) {
    if (c->at + n > c->original) return FRAME_TRUNCATED;
    if (c->at + n > c->captured) return FRAME_SNAPPED;
    return FRAME_OK;
}

static enum frame_error parse_expeditus(struct frame_cursor *c, struct packet *p, struct packet_ext *ext) {
    if (p->shape) return FRAME_TAG_ORDER;
    switch (expeditus_tag_decode(c->buf + c->at, c->captured - c->at, &ext->tag)) {
    case TAG_OK: break;
    case TAG_ABSENT:
    case TAG_SHORT: return cursor_need(c, 3);
    case TAG_NOE: return c->at + expeditus_tag_bytes(ext->tag.entries) > c->original ? FRAME_TAG_NOE : FRAME_SNAPPED;
    case TAG_RESERVED: return FRAME_TAG_RESERVED;
    case TAG_PADDING: return FRAME_TAG_PADDING;
    }
    p->shape |= SHAPE_EXPEDITUS;
    c->at += expeditus_tag_bytes(ext->tag.entries);
    return FRAME_OK;
}

static enum frame_error parse_conga(struct frame_cursor *c, struct packet *p) {
    if (p->shape & (SHAPE_CONGA | SHAPE_CORE_LOADS)) return FRAME_TAG_ORDER;
    enum frame_error error = cursor_need(c, CONGA_TAG_BYTES);
    if (error) return error;
    p->overlay = get_be16(c->buf + c->at + 2);
    if (p->overlay & CONGA_OVERLAY_SPARE) return FRAME_OVERLAY_RESERVED;
    p->shape |= SHAPE_CONGA;
    c->at += CONGA_TAG_BYTES;
    return FRAME_OK;
}

static enum frame_error parse_core_loads(struct frame_cursor *c, struct packet *p) {
    if (p->shape & (SHAPE_CONGA | SHAPE_CORE_LOADS)) return FRAME_TAG_ORDER;
    enum frame_error error = cursor_need(c, CORE_LOADS_TAG_BYTES);
    if (error) return error;
    p->overlay = get_be16(c->buf + c->at + 2);
    if (p->overlay & CORE_LOADS_ZERO) return FRAME_CORE_LOADS_RESERVED;
    p->shape |= SHAPE_CORE_LOADS;
    c->at += CORE_LOADS_TAG_BYTES;
    return FRAME_OK;
}

/* Parses MACs, tags and EtherType. */
static enum frame_error parse_l2(struct frame_cursor *c, struct packet *p, struct packet_ext *ext,
                                 struct frame_info *info) {
    enum frame_error error = cursor_need(c, ETHERNET_BYTES);
    if (error) return error;
    memcpy(info->dst_mac, c->buf, 6);
    memcpy(info->src_mac, c->buf + 6, 6);
    c->at = 12;
    for (;;) {
        if ((error = cursor_need(c, 2))) return error;
        uint16_t type = get_be16(c->buf + c->at);
        if (type == EXPEDITUS_TPID) {
            error = parse_expeditus(c, p, ext);
        } else if (type == CONGA_TPID) {
            error = parse_conga(c, p);
        } else if (type == CORE_LOADS_TPID) {
            error = parse_core_loads(c, p);
        } else {
            info->ether_type = type;
            c->at += 2;
            info->l2_bytes = (uint16_t)c->at;
            return type == ETHERTYPE_IPV4 ? FRAME_OK : FRAME_NOT_IPV4;
        }
        if (error) return error;
    }
}

static void read_pause(const uint8_t *body, struct pause_fields *f) { *f = pause_fields_link(get_be16(body + 2)); }

/* Reads the times of the named classes. The standard makes a receiver ignore the other times. */
static void read_pfc(const uint8_t *body, struct pause_fields *f) {
    *f = (struct pause_fields){.opcode_pfc = 1, .classes = body[3]};
    for (size_t k = 0; k < PAUSE_CLASSES; k++)
        if (f->classes >> k & 1) f->quanta[k] = get_be16(body + 4 + 2 * k);
}

/* Parses a frame of EtherType 0x8808: a pause frame, or else refused. */
static enum frame_error parse_mac_control(struct frame_cursor *c, struct packet *p, struct packet_ext *ext,
                                          struct frame_info *info) {
    static const uint8_t address[6] = PAUSE_ADDRESS;
    const uint8_t *body = c->buf + c->at;
    if (p->shape) return FRAME_PAUSE_TAGGED;
    enum frame_error error = cursor_need(c, 2);
    if (error) return error;
    uint16_t opcode = get_be16(body);
    if (opcode != PAUSE_OPCODE && opcode != PFC_OPCODE) return FRAME_MAC_CONTROL;
    if (memcmp(info->dst_mac, address, 6) != 0) return FRAME_PAUSE_ADDRESS;
    if ((error = cursor_need(c, opcode == PFC_OPCODE ? PFC_BODY_BYTES : PAUSE_BODY_BYTES))) return error;
    if (opcode == PFC_OPCODE && body[2] != 0) return FRAME_PFC_RESERVED;
    if (opcode == PFC_OPCODE)
        read_pfc(body, &ext->pause);
    else
        read_pause(body, &ext->pause);
    p->shape = SHAPE_PAUSE;
    info->check = L4_ABSENT;
    return FRAME_OK;
}

static enum frame_error parse_ipv4(struct frame_cursor *c, struct packet *p, struct frame_info *info) {
    const uint8_t *ip = c->buf + c->at;
    enum frame_error error = cursor_need(c, IPV4_BYTES);
    if (error) return error;
    if (ip[0] >> 4 != 4) return FRAME_IP_VERSION;
    size_t header = (size_t)(ip[0] & 15) * 4;
    if (header < IPV4_BYTES) return FRAME_IP_HEADER_LENGTH;
    if ((error = cursor_need(c, header))) return error;
    if (checksum_finish(checksum_add(0, ip, header)) != 0) return FRAME_IP_CHECKSUM;
    info->ip_bytes = get_be16(ip + 2);
    if (info->ip_bytes < IPV4_BYTES || c->at + info->ip_bytes > c->original) return FRAME_IP_LENGTH;
    if (header > info->ip_bytes) return FRAME_IP_HEADER_LENGTH;
    bool has_options = header > IPV4_BYTES, is_fragment = get_be16(ip + 6) & IP_FRAGMENT;
    if (has_options || is_fragment) p->shape |= SHAPE_OPAQUE;
    p->tos = ip[1];
    p->ttl = ip[8];
    p->proto = ip[9];
    p->src_ip = get_be32(ip + 12);
    p->dst_ip = get_be32(ip + 16);
    c->at += IPV4_BYTES;
    return FRAME_OK;
}

/* Parses an opaque packet: all bytes after the first 20 of IPv4 are payload. */
static enum frame_error parse_opaque(struct packet *p, const struct frame_info *info) {
    p->shape |= SHAPE_OPAQUE;
    p->payload_bytes = (uint16_t)(info->ip_bytes - IPV4_BYTES);
    return FRAME_OK;
}

/* Returns the window in units of 256 B. The window of a SYN is rounded up, so that building it gives the same field. */
static uint16_t parse_window(uint16_t field, uint8_t flags) {
    return (flags & TCP_SYN) ? (uint16_t)((field + 255u) >> TCP_WINDOW_SCALE) : field;
}

static enum frame_error parse_tcp(struct frame_cursor *c, struct packet *p, struct packet_ext *ext,
                                  struct frame_info *info) {
    const uint8_t *tcp = c->buf + c->at;
    uint32_t room = info->ip_bytes - (uint32_t)IPV4_BYTES;
    if (room < TCP_BASE_BYTES) return FRAME_L4_LENGTH;
    enum frame_error error = cursor_need(c, TCP_BASE_BYTES);
    if (error) return error;
    uint32_t bytes = (uint32_t)(tcp[12] >> 4) * 4;
    if (bytes < TCP_BASE_BYTES || bytes > room) return FRAME_TCP_HEADER_LENGTH;
    if ((error = cursor_need(c, bytes))) return error;
    p->src_port = get_be16(tcp);
    p->dst_port = get_be16(tcp + 2);
    p->seq = get_be32(tcp + 4);
    p->ack = get_be32(tcp + 8);
    p->tcp_flags = tcp[13];
    p->window = parse_window(get_be16(tcp + 14), p->tcp_flags);
    p->payload_bytes = (uint16_t)(room - bytes);
    info->l4_bytes = (uint16_t)bytes;
    uint8_t options;
    if (!tcp_options_decode(p->tcp_flags, tcp + TCP_BASE_BYTES, bytes - TCP_BASE_BYTES, ext, &options))
        p->l4_foreign = (uint8_t)bytes;
    else
        p->shape |= options;
    return FRAME_OK;
}

static enum frame_error parse_udp(struct frame_cursor *c, struct packet *p, struct frame_info *info) {
    const uint8_t *udp = c->buf + c->at;
    uint32_t room = info->ip_bytes - (uint32_t)IPV4_BYTES;
    if (room < UDP_HEADER_BYTES) return FRAME_L4_LENGTH;
    enum frame_error error = cursor_need(c, UDP_HEADER_BYTES);
    if (error) return error;
    uint16_t bytes = get_be16(udp + 4);
    if (bytes < UDP_HEADER_BYTES || bytes > room) return FRAME_UDP_LENGTH;
    p->src_port = get_be16(udp);
    p->dst_port = get_be16(udp + 2);
    p->payload_bytes = (uint16_t)(room - UDP_HEADER_BYTES);
    if (p->payload_bytes >= 4 && cursor_need(c, UDP_HEADER_BYTES + 4) == FRAME_OK) p->seq = get_be32(udp + 8);
    info->l4_bytes = UDP_HEADER_BYTES;
    return FRAME_OK;
}

/* Sets a credit's wire_bytes. Returns false if the header's size is invalid, or differs from the length of the
 * frame. */
static bool take_credit_size(const struct frame_cursor *c, struct packet *p, const struct packet_ext *ext,
                             uint8_t size) {
    if (credit_kind(p) != CREDIT_GRANT) return size == 0;
    if (size == CREDIT_WIRE_BYTES || (size && !credit_size_is_sound(size))) return false;
    uint32_t tags = packet_tag_bytes(p->shape, p->shape & SHAPE_EXPEDITUS ? ext->tag.entries : 0);
    uint32_t bytes = credit_tagged_bytes(size ? size : CREDIT_WIRE_BYTES, tags);
    uint32_t least = credit_tagged_bytes(CREDIT_WIRE_BYTES, tags);
    p->wire_bytes = (uint16_t)bytes;
    return c->original + FRAME_UNSEEN_BYTES == (bytes > least ? bytes : least);
}

static enum frame_error parse_credit(struct frame_cursor *c, struct packet *p, const struct packet_ext *ext,
                                     struct frame_info *info) {
    const uint8_t *credit = c->buf + c->at;
    uint32_t room = info->ip_bytes - (uint32_t)IPV4_BYTES;
    if (room < CREDIT_HEADER_BYTES) return FRAME_L4_LENGTH;
    enum frame_error error = cursor_need(c, CREDIT_HEADER_BYTES);
    if (error) return error;
    p->window = get_be16(credit + CREDIT_AT_STAMP);
    p->tcp_flags = credit[CREDIT_AT_KIND];
    p->payload_bytes = (uint16_t)(room - CREDIT_HEADER_BYTES);
    if (!credit_kind_is_sound(p)) return FRAME_CREDIT_KIND;
    if (!credit_payload_is_sound(p)) return FRAME_CREDIT_PAYLOAD;
    if (!take_credit_size(c, p, ext, credit[CREDIT_AT_SIZE])) return FRAME_CREDIT_SIZE;
    p->src_port = get_be16(credit);
    p->dst_port = get_be16(credit + 2);
    p->seq = get_be32(credit + 4);
    p->ack = get_be32(credit + 8);
    p->path = get_be16(credit + CREDIT_AT_PATH);
    if (credit_kind(p) == CREDIT_GRANT) p->shape |= SHAPE_CREDIT;
    info->l4_bytes = CREDIT_HEADER_BYTES;
    return FRAME_OK;
}

static enum frame_error parse_l4(struct frame_cursor *c, struct packet *p, struct packet_ext *ext,
                                 struct frame_info *info) {
    if (p->shape & SHAPE_OPAQUE) return parse_opaque(p, info);
    switch (p->proto) {
    case PROTO_TCP: return parse_tcp(c, p, ext, info);
    case PROTO_UDP: return parse_udp(c, p, info);
    case PROTO_CREDIT: return parse_credit(c, p, ext, info);
    default: return parse_opaque(p, info);
    }
}

/* Checks the transport checksum; c->at is at the transport header. */
static enum l4_check check_l4(const struct frame_cursor *c, const struct packet *p, const struct frame_info *info) {
    const uint8_t *l4 = c->buf + c->at;
    uint32_t bytes = info->ip_bytes - (uint32_t)IPV4_BYTES;
    if (p->shape & SHAPE_OPAQUE) return L4_ABSENT;
    if (p->proto == PROTO_UDP && get_be16(l4 + 6) == 0) return L4_ABSENT;
    if (p->proto == PROTO_UDP) bytes = get_be16(l4 + 4); /* bytes after the UDP length are no part of the datagram */
    if (c->at + bytes > c->captured) return L4_UNKNOWN;
    uint32_t sum = checksum_pseudo(p->src_ip, p->dst_ip, p->proto, bytes);
    return checksum_finish(checksum_add(sum, l4, bytes)) == 0 ? L4_GOOD : L4_BAD;
}

static uint16_t wire_bytes_of(size_t original) {
    return (uint16_t)((original < FRAME_MIN_BYTES ? (size_t)FRAME_MIN_BYTES : original) + FRAME_UNSEEN_BYTES);
}

static enum frame_error parse_frame(struct frame_cursor c, struct packet *p, struct packet_ext *ext,
                                    struct frame_info *info) {
    const size_t original = c.original;
    *p = (struct packet){.path = PATH_NONE, .ext = EXT_NONE, .origin = NODE_NONE, .flow = FLOW_NONE};
    *info = (struct frame_info){.captured = (uint32_t)c.captured, .original = (uint32_t)original};
    ext->n_sack = 0;
    ext->tag.entries = 0;
    if (original > FRAME_MAX_BYTES) return FRAME_TOO_LONG;
    p->wire_bytes = wire_bytes_of(original);
    enum frame_error error = parse_l2(&c, p, ext, info);
    if (error == FRAME_NOT_IPV4 && info->ether_type == ETHERTYPE_MAC_CONTROL)
        return parse_mac_control(&c, p, ext, info);
    if (error) return error;
    if ((error = parse_ipv4(&c, p, info))) return error;
    if ((error = parse_l4(&c, p, ext, info))) return error;
    info->check = c.checks ? check_l4(&c, p, info) : L4_UNKNOWN;
    return FRAME_OK;
}

static struct frame_cursor cursor_of(const uint8_t *buf, size_t captured, size_t original, bool checks) {
    return (struct frame_cursor){buf, captured < original ? captured : original, original, 0, checks};
}

enum frame_error frame_parse(const uint8_t *buf, size_t captured, size_t original, struct packet *p,
                             struct packet_ext *ext, struct frame_info *info) {
    return parse_frame(cursor_of(buf, captured, original, true), p, ext, info);
}

enum frame_error frame_parse_headers(const uint8_t *buf, size_t captured, size_t original, struct packet *p,
                                     struct packet_ext *ext, struct frame_info *info) {
    return parse_frame(cursor_of(buf, captured, original, false), p, ext, info);
}

const char *frame_error_name(enum frame_error error) {
#define FRAME_ERROR_TEXT(id, key, text) text,
    static const char *const texts[] = {FRAME_ERRORS(FRAME_ERROR_TEXT)};
    return texts[error];
}

const char *frame_error_key(enum frame_error error) {
#define FRAME_ERROR_KEY(id, key, text) key,
    static const char *const keys[] = {FRAME_ERRORS(FRAME_ERROR_KEY)};
    return keys[error];
}
