#include "wire/tcp_options.h"

#include <string.h>

#include "wire/bytes.h"
#include "wire/tcp_header.h"

enum { OPTION_END = 0, OPTION_NOP = 1, OPTION_MSS = 2, OPTION_SCALE = 3, OPTION_SACK_PERMITTED = 4, OPTION_SACK = 5 };

static const uint8_t syn_options[TCP_SYN_OPTION_BYTES] = {
    OPTION_MSS,       4,          TCP_MSS >> 8, TCP_MSS & 0xff, OPTION_SACK_PERMITTED, 2, OPTION_SCALE, 3,
    TCP_WINDOW_SCALE, OPTION_END, OPTION_END,   OPTION_END};

size_t tcp_options_encode(uint8_t flags, const struct sack_block *sack, uint8_t n_sack, uint8_t *buf) {
    if (flags & TCP_SYN) {
        memcpy(buf, syn_options, sizeof syn_options);
        return sizeof syn_options;
    }
    if (n_sack == 0) return 0;
    buf[0] = buf[1] = OPTION_NOP;
    buf[2] = OPTION_SACK;
    buf[3] = (uint8_t)(2 + 8 * n_sack);
    for (uint8_t i = 0; i < n_sack; i++) {
        put_be32(buf + 4 + 8 * i, sack[i].begin);
        put_be32(buf + 8 + 8 * i, sack[i].end);
    }
    return 4 + 8 * (size_t)n_sack;
}

bool tcp_options_decode(uint8_t flags, const uint8_t *buf, size_t n, struct sack_block *sack, uint8_t *n_sack) {
    *n_sack = 0;
    if (flags & TCP_SYN) return n == sizeof syn_options && memcmp(buf, syn_options, n) == 0;
    if (n == 0) return true;
    if (n < 12 || n > 36 || n % 8 != 4) return false;
    if (buf[0] != OPTION_NOP || buf[1] != OPTION_NOP || buf[2] != OPTION_SACK || buf[3] != n - 2) return false;
    *n_sack = (uint8_t)((n - 4) / 8);
    for (uint8_t i = 0; i < *n_sack; i++) {
        sack[i].begin = get_be32(buf + 4 + 8 * i);
        sack[i].end = get_be32(buf + 8 + 8 * i);
    }
    return true;
}
