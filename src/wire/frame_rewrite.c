/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/frame.h"

enum { IPV4_AT_CHECKSUM = 10 };

/* Sets the 16-bit word at header[at] and updates the checksum at header[checksum_at]. */
static void set_word(uint8_t *header, size_t at, size_t checksum_at, uint16_t word) {
    uint16_t old = get_be16(header + at);
    if (word == old) return;
    put_be16(header + checksum_at, checksum_update(get_be16(header + checksum_at), old, word));
    put_be16(header + at, word);
}

static bool is_ipv4(const struct frame_info *info) { return info->ether_type == ETHERTYPE_IPV4; }

static bool has_credit_header(const struct packet *p) { return p->proto == PROTO_CREDIT && !(p->shape & SHAPE_OPAQUE); }

/* Returns the length of the headers that contain changes. */
static size_t changed_bytes(const struct frame_info *info, const struct packet *p) {
    if (!is_ipv4(info)) return 0;
    return has_credit_header(p) ? IPV4_BYTES + CREDIT_HEADER_BYTES : IPV4_BYTES;
}

/* Writes the values of *p into the headers at `ip`. */
static void rewrite_headers(uint8_t *ip, const struct packet *p) {
    set_word(ip, 0, IPV4_AT_CHECKSUM, (uint16_t)(ip[0] << 8 | p->tos));
    set_word(ip, 8, IPV4_AT_CHECKSUM, (uint16_t)(p->ttl << 8 | ip[9]));
    if (has_credit_header(p)) set_word(ip + IPV4_BYTES, CREDIT_AT_PATH, CREDIT_AT_CHECKSUM, p->path);
}

/* Returns the bytes behind the L2 header without padding: the packet, and in a frame over the minimum its trailer. */
static size_t body_bytes(const struct frame_info *info) {
    return info->original > FRAME_MIN_BYTES || !is_ipv4(info) ? info->original - info->l2_bytes : info->ip_bytes;
}

/* Length of the new frame, and how many of its bytes are known. */
struct rewritten {
    size_t length;   /* 0: too long */
    size_t content;  /* bytes up to the padding, or to the end of the capture */
    size_t captured; /* content and padding */
};

static struct rewritten rewritten_of(const struct frame_info *info, size_t l2_bytes) {
    size_t body = body_bytes(info), known = info->captured - info->l2_bytes, length = l2_bytes + body;
    if (known > body) known = body;
    if (length > FRAME_MAX_BYTES) return (struct rewritten){0};
    if (length < FRAME_MIN_BYTES) length = FRAME_MIN_BYTES;
    return (struct rewritten){length, l2_bytes + known, known == body ? length : l2_bytes + known};
}

size_t frame_rewrite_in_place(uint8_t *frame, const struct frame_info *info, const struct packet *p,
                              const struct packet_ext *ext, const uint8_t src_mac[6], const uint8_t dst_mac[6],
                              uint8_t **begin, size_t *written) {
    uint8_t head[FRAME_HEADERS_MAX];
    *written = 0;
    *begin = frame;
    if (p->shape & SHAPE_PAUSE) return 0;
    size_t l2_bytes = frame_put_l2(head, p, ext, src_mac, dst_mac);
    struct rewritten r = l2_bytes ? rewritten_of(info, l2_bytes) : (struct rewritten){0};
    if (r.length == 0) return 0;
    uint8_t *body = frame + info->l2_bytes;
    if (is_ipv4(info)) rewrite_headers(body, p);
    *begin = body - l2_bytes;
    put_be16(head + l2_bytes - 2, info->ether_type);
    memcpy(*begin, head, l2_bytes);
    if (r.captured > r.content) memset(*begin + r.content, 0, r.captured - r.content);
    *written = r.captured;
    return r.length;
}

size_t frame_rewrite(const uint8_t *frame, const struct frame_info *info, const struct packet *p,
                     const struct packet_ext *ext, const uint8_t src_mac[6], const uint8_t dst_mac[6], uint8_t *out,
                     size_t size, size_t *written) {
    uint8_t head[FRAME_HEADERS_MAX];
    *written = 0;
    if (p->shape & SHAPE_PAUSE) return 0;
    size_t l2_bytes = frame_put_l2(head, p, ext, src_mac, dst_mac);
    if (l2_bytes == 0) return 0;
    struct rewritten r = rewritten_of(info, l2_bytes);
    if (r.length == 0) return 0;
    put_be16(head + l2_bytes - 2, info->ether_type);
    size_t header_bytes = changed_bytes(info, p);
    memcpy(head + l2_bytes, frame + info->l2_bytes, header_bytes);
    if (header_bytes) rewrite_headers(head + l2_bytes, p);
    if (size > r.captured) size = r.captured;

    size_t head_bytes = l2_bytes + header_bytes;
    memcpy(out, head, head_bytes < size ? head_bytes : size);
    if (size > head_bytes) {
        size_t copied = (r.content < size ? r.content : size) - head_bytes;
        memcpy(out + head_bytes, frame + info->l2_bytes + header_bytes, copied);
        memset(out + head_bytes + copied, 0, size - head_bytes - copied);
    }
    *written = size;
    return r.length;
}
