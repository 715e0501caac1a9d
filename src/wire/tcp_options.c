/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/tcp_options.h"

#include <string.h>

#include "wire/bytes.h"
#include "wire/tcp_header.h"

enum { OPTION_END = 0, OPTION_NOP = 1, OPTION_MSS = 2, OPTION_SCALE = 3, OPTION_SACK_PERMITTED = 4, OPTION_SACK = 5 };

static const uint8_t syn_options[TCP_SYN_OPTION_BYTES] = {
    OPTION_MSS,       4,          TCP_MSS >> 8, TCP_MSS & 0xff, OPTION_SACK_PERMITTED, 2, OPTION_SCALE, 3,
    TCP_WINDOW_SCALE, OPTION_END, OPTION_END,   OPTION_END};

static size_t put_stamp(uint8_t *buf, int64_t stamp) {
    buf[0] = TCP_STAMP_KIND;
    buf[1] = TCP_STAMP_BYTES;
    put_be16(buf + 2, TCP_STAMP_EXID);
    put_be32(buf + 4, (uint32_t)((uint64_t)stamp >> 32));
    put_be32(buf + 8, (uint32_t)stamp);
    return TCP_STAMP_BYTES;
}

static size_t put_sack(uint8_t *buf, const struct sack_block *sack, uint8_t n_sack) {
    buf[0] = buf[1] = OPTION_NOP;
    buf[2] = OPTION_SACK;
    buf[3] = (uint8_t)(2 + 8 * n_sack);
    for (uint8_t i = 0; i < n_sack; i++) {
        put_be32(buf + 4 + 8 * i, sack[i].begin);
        put_be32(buf + 8 + 8 * i, sack[i].end);
    }
    return 4 + 8 * (size_t)n_sack;
}

size_t tcp_options_encode(uint8_t flags, uint8_t shape, const struct packet_ext *ext, uint8_t *buf) {
    size_t n = 0;
    if (flags & TCP_SYN) {
        memcpy(buf, syn_options, sizeof syn_options);
        return sizeof syn_options;
    }
    if (shape & SHAPE_STAMP) n += put_stamp(buf, ext->stamp);
    if ((shape & SHAPE_SACK) && ext->n_sack > 0) n += put_sack(buf + n, ext->sack, ext->n_sack);
    return n;
}

static bool is_stamp(const uint8_t *buf, size_t n) {
    return n >= TCP_STAMP_BYTES && buf[0] == TCP_STAMP_KIND && buf[1] == TCP_STAMP_BYTES &&
           get_be16(buf + 2) == TCP_STAMP_EXID;
}

static bool take_sack(const uint8_t *buf, size_t n, struct packet_ext *ext) {
    if (n < 12 || n > 36 || n % 8 != 4) return false;
    if (buf[0] != OPTION_NOP || buf[1] != OPTION_NOP || buf[2] != OPTION_SACK || buf[3] != n - 2) return false;
    ext->n_sack = (uint8_t)((n - 4) / 8);
    for (uint8_t i = 0; i < ext->n_sack; i++) {
        ext->sack[i].begin = get_be32(buf + 4 + 8 * i);
        ext->sack[i].end = get_be32(buf + 8 + 8 * i);
    }
    return true;
}

bool tcp_options_decode(uint8_t flags, const uint8_t *buf, size_t n, struct packet_ext *ext, uint8_t *shape) {
    *shape = 0;
    ext->n_sack = 0;
    if (flags & TCP_SYN) return n == sizeof syn_options && memcmp(buf, syn_options, n) == 0;
    if (is_stamp(buf, n)) {
        ext->stamp = (int64_t)((uint64_t)get_be32(buf + 4) << 32 | get_be32(buf + 8));
        *shape |= SHAPE_STAMP;
        buf += TCP_STAMP_BYTES;
        n -= TCP_STAMP_BYTES;
    }
    if (n == 0) return true;
    if (!take_sack(buf, n, ext)) {
        *shape = 0;
        return false;
    }
    *shape |= SHAPE_SACK;
    return true;
}
