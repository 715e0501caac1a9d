/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of live/: a temporary folder, captures written by hand, and frames as another TCP stack sends them. */
#ifndef HEDDLE_TESTS_LIVE_CAPTURES_H
#define HEDDLE_TESTS_LIVE_CAPTURES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/fabric_test.h"
#include "wire/bytes.h"
#include "wire/capture.h"
#include "wire/frames.h"

/* ---- a folder ---- */

struct folder {
    char path[32];
};

static inline struct folder folder_new(void) {
    struct folder f = {"live-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    return f;
}

/* Returns the path of a file in the folder; the result stays valid for the next three calls. */
static inline const char *folder_file(const struct folder *f, const char *name) {
    static char buf[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(buf[turn], sizeof buf[turn], "%s/%s", f->path, name);
    return buf[turn];
}

/* Removes the folder; fails the test if it is not empty. */
static inline void folder_end(const struct folder *f) { assert_int_equal(rmdir(f->path), 0); }

/* ---- classic pcap, little-endian, microseconds ---- */

static inline void put_le32(FILE *f, uint32_t v) {
    for (int i = 0; i < 4; i++) fputc((int)(v >> 8 * i & 255), f);
}

static inline FILE *pcap_begin(const char *path) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    put_le32(f, 0xa1b2c3d4);
    put_le32(f, 2 | 4 << 16);
    put_le32(f, 0);
    put_le32(f, 0);
    put_le32(f, 65535);
    put_le32(f, 1); /* Ethernet */
    return f;
}

static inline void pcap_put(FILE *f, uint32_t second, uint32_t us, const uint8_t *bytes, size_t captured,
                            size_t original) {
    put_le32(f, second);
    put_le32(f, us);
    put_le32(f, (uint32_t)captured);
    put_le32(f, (uint32_t)original);
    assert_int_equal(fwrite(bytes, 1, captured, f), captured);
}

/* ---- frames of strangers ---- */

static inline uint16_t ip_checksum(const uint8_t *ip) {
    uint32_t sum = 0;
    for (int i = 0; i < 20; i += 2) sum += i == 10 ? 0 : get_be16(ip + i);
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

#define STRANGER_BYTES 92
#define STRANGER_IP 14 /* offset of the IPv4 header */

/* Writes a frame of another TCP stack: it has an IP-ID, timestamps and NOPs among the TCP options, a payload of 26
 * bytes and a trailer of zeros. The TCP checksum is arbitrary. */
static inline size_t stranger(uint8_t *b, uint32_t src_ip, uint32_t dst_ip, uint8_t ttl) {
    size_t n = from_hex("0a0b0c0d0e0f 1a1b1c1d1e1f 0800"
                        "4510 004e beef 4000 00 06 0000 00000000 00000000"
                        "c001 0050 01020304 05060708 8018 01f6 5a5a 0000"
                        "0101 080a 0000beef 0000cafe"
                        "474554202f20485454502f312e310d0a486f73743a2078310d0a",
                        b);
    uint8_t *ip = b + STRANGER_IP;
    ip[8] = ttl;
    put_be32(ip + 12, src_ip);
    put_be32(ip + 16, dst_ip);
    put_be16(ip + 10, ip_checksum(ip));
    return n;
}

/* Changes the frame as port `port` of node n must: MACs, TTL and IPv4 checksum. */
static inline void stranger_forwarded(uint8_t *b, const struct fabric *f, uint32_t n, uint16_t port) {
    const struct place_port *link = &f->paths.port[f->paths.first_port[n] + port];
    uint8_t *ip = b + STRANGER_IP;
    fabric_port_mac(n, port, b + 6);
    fabric_port_mac(link->neighbour, f->paths.port[link->peer].port, b);
    ip[8]--;
    put_be16(ip + 10, ip_checksum(ip));
}

#endif
