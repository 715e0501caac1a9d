/* SPDX-License-Identifier: Apache-2.0 */
#include "live/answer.h"

#include "wire/bytes.h"
#include "wire/checksum.h"

#include <string.h>

void answerer_init(struct answerer *a, const struct fabric *f, uint32_t node) {
    *a = (struct answerer){.address = fabric_switch_ip(f, node), .tokens = ANSWER_BURST};
}

static void put_ethernet(uint8_t *out, const struct answer_question *q, uint16_t ether_type) {
    memcpy(out, q->info->src_mac, 6);
    memcpy(out + 6, q->mine, 6);
    put_be16(out + 12, ether_type);
}

/* ---- ARP ---- */

/* Offsets in an ARP packet of Ethernet and IPv4 (RFC 826). */
enum { ARP_BYTES = 28, ARP_SENDER_MAC = 8, ARP_SENDER_IP = 14, ARP_TARGET_MAC = 18, ARP_TARGET_IP = 24 };
static const uint8_t arp_request[8] = {0, 1, 8, 0, 6, 4, 0, 1}, arp_reply[8] = {0, 1, 8, 0, 6, 4, 0, 2};

size_t answer_arp(const struct answerer *a, const struct answer_question *q, uint32_t host, uint8_t *out) {
    const uint8_t *ask = q->frame + q->info->l2_bytes;
    if (q->captured < (size_t)q->info->l2_bytes + ARP_BYTES || memcmp(ask, arp_request, sizeof arp_request) != 0)
        return 0;
    uint32_t target = get_be32(ask + ARP_TARGET_IP), asked = fabric_host_of_ip(q->fabric, target);
    bool is_ours = a->address && target == a->address;
    if (!is_ours && (asked == NODE_NONE || asked == host)) return 0;
    uint8_t *reply = out + ETHERNET_BYTES;
    memset(out, 0, FRAME_MIN_BYTES);
    put_ethernet(out, q, ETHERTYPE_ARP);
    memcpy(reply, arp_reply, sizeof arp_reply);
    memcpy(reply + ARP_SENDER_MAC, q->mine, 6);
    put_be32(reply + ARP_SENDER_IP, target);
    memcpy(reply + ARP_TARGET_MAC, ask + ARP_SENDER_MAC, 10); /* MAC and IP address of the asker */
    return FRAME_MIN_BYTES;
}

bool answer_is_ours(const struct answerer *a, const struct answer_question *q) {
    size_t there = q->captured - q->info->l2_bytes;
    return there >= ARP_BYTES && a->address && get_be32(q->frame + q->info->l2_bytes + ARP_TARGET_IP) == a->address;
}

const uint8_t *answer_sender(const struct answer_question *q, uint32_t sender_ip) {
    const uint8_t *arp = q->frame + q->info->l2_bytes;
    if (q->captured < (size_t)q->info->l2_bytes + ARP_BYTES || get_be32(arp + ARP_SENDER_IP) != sender_ip) return NULL;
    bool is_arp = memcmp(arp, arp_request, sizeof arp_request) == 0 || memcmp(arp, arp_reply, sizeof arp_reply) == 0;
    return is_arp ? arp + ARP_SENDER_MAC : NULL;
}

size_t answer_who_has(const struct answerer *a, const uint8_t mine[6], uint32_t host_ip, uint8_t *out) {
    uint8_t *ask = out + ETHERNET_BYTES;
    memset(out, 0, FRAME_MIN_BYTES);
    memset(out, 0xff, 6);
    memcpy(out + 6, mine, 6);
    put_be16(out + 12, ETHERTYPE_ARP);
    memcpy(ask, arp_request, sizeof arp_request);
    memcpy(ask + ARP_SENDER_MAC, mine, 6);
    put_be32(ask + ARP_SENDER_IP, a->address);
    put_be32(ask + ARP_TARGET_IP, host_ip);
    return FRAME_MIN_BYTES;
}

/* ---- ICMP ---- */

enum {
    ICMP_BYTES = 8,
    ICMP_ECHO_REPLY = 0,
    ICMP_UNREACHABLE = 3,
    ICMP_ECHO = 8,
    ICMP_TIME_EXCEEDED = 11,
    ICMP_NET = 0,  /* code of unreachable */
    ICMP_HOST = 1, /* code of unreachable */
    ICMP_ERROR_MAX_BYTES = 576,
    PROTO_ICMP = 1,
    ANSWER_TTL = 64,
    TOS_INTERNETWORK_CONTROL = 0xc0,
};

/* Writes the IPv4 header of an answer with `bytes` behind it. */
static void put_ipv4(uint8_t *ip, uint8_t tos, uint32_t src, uint32_t dst, size_t bytes) {
    memset(ip, 0, IPV4_BYTES);
    ip[0] = 0x45;
    ip[1] = tos;
    put_be16(ip + 2, (uint16_t)(IPV4_BYTES + bytes));
    ip[8] = ANSWER_TTL;
    ip[9] = PROTO_ICMP;
    put_be32(ip + 12, src);
    put_be32(ip + 16, dst);
    put_be16(ip + 10, checksum_finish(checksum_add(0, ip, IPV4_BYTES)));
}

static void put_icmp_checksum(uint8_t *icmp, size_t bytes) {
    put_be16(icmp + 2, 0);
    put_be16(icmp + 2, checksum_finish(checksum_add(0, icmp, bytes)));
}

static size_t padded(uint8_t *out, size_t length) {
    if (length >= FRAME_MIN_BYTES) return length;
    memset(out + length, 0, FRAME_MIN_BYTES - length);
    return FRAME_MIN_BYTES;
}

/* The packet that the switch answers. */
struct ip_view {
    const uint8_t *ip;
    size_t header, bytes; /* bytes of its header; bytes present in all */
};

static struct ip_view ip_of(const struct answer_question *q) {
    const uint8_t *ip = q->frame + q->info->l2_bytes;
    size_t there = q->captured - q->info->l2_bytes;
    return (struct ip_view){ip, (size_t)(ip[0] & 15) * 4, there < q->info->ip_bytes ? there : q->info->ip_bytes};
}

static bool is_fragment(const uint8_t *ip, uint16_t mask) { return get_be16(ip + 6) & mask; }

size_t answer_packet(const struct answerer *a, const struct answer_question *q, uint8_t *out) {
    struct ip_view v = ip_of(q);
    size_t bytes = v.bytes - v.header;
    const uint8_t *ask = v.ip + v.header;
    bool whole = v.bytes == q->info->ip_bytes && !is_fragment(v.ip, 0x3fff);
    if (v.ip[9] != PROTO_ICMP || !whole || bytes < ICMP_BYTES || ask[0] != ICMP_ECHO) return 0;
    if (ETHERNET_BYTES + IPV4_BYTES + bytes > ANSWER_MAX_BYTES) return 0;
    if (checksum_finish(checksum_add(0, ask, bytes)) != 0) return 0;
    uint8_t *ip = out + ETHERNET_BYTES, *icmp = ip + IPV4_BYTES;
    put_ethernet(out, q, ETHERTYPE_IPV4);
    put_ipv4(ip, v.ip[1], a->address, get_be32(v.ip + 12), bytes);
    memcpy(icmp, ask, bytes);
    icmp[0] = ICMP_ECHO_REPLY;
    put_icmp_checksum(icmp, bytes);
    return padded(out, ETHERNET_BYTES + IPV4_BYTES + bytes);
}

static bool is_icmp_error(const struct ip_view *v) {
    if (v->ip[9] != PROTO_ICMP) return false;
    if (v->bytes == v->header) return true; /* too short to tell; it may be one */
    uint8_t type = v->ip[v->header];
    return type == ICMP_UNREACHABLE || type == 4 || type == 5 || type == ICMP_TIME_EXCEEDED || type == 12;
}

/* Returns true for 224.0.0.0 and above: multicast, reserved and broadcast addresses. */
static bool is_group(uint32_t ip) { return ip >> 29 == 7; }

static bool may_be_answered(const struct answer_question *q, const struct ip_view *v) {
    uint32_t src = get_be32(v->ip + 12), dst = get_be32(v->ip + 16);
    if (is_group(dst) || fabric_host_of_ip(q->fabric, src) == NODE_NONE) return false;
    return !is_fragment(v->ip, 0x1fff) && !is_icmp_error(v);
}

static bool take_token(struct answerer *a, time_ps now) {
    const span_ps each = PS_PER_S / ANSWER_RATE;
    int64_t earned = (now - a->refilled_at) / each;
    if (earned > 0) {
        a->tokens = (uint32_t)min_i64(ANSWER_BURST, a->tokens + earned);
        a->refilled_at += earned * each;
    }
    if (a->tokens == 0) return false;
    a->tokens--;
    return true;
}

size_t answer_drop(struct answerer *a, const struct answer_question *q, time_ps now, enum drop_cause cause,
                   uint8_t *out) {
    struct ip_view v = ip_of(q);
    if (!a->address || !may_be_answered(q, &v) || !take_token(a, now)) return 0;
    bool known = fabric_host_of_ip(q->fabric, get_be32(v.ip + 16)) != NODE_NONE;
    size_t quoted = ICMP_ERROR_MAX_BYTES - IPV4_BYTES - ICMP_BYTES;
    if (quoted > v.bytes) quoted = v.bytes;
    uint8_t *ip = out + ETHERNET_BYTES, *icmp = ip + IPV4_BYTES;
    put_ethernet(out, q, ETHERTYPE_IPV4);
    put_ipv4(ip, TOS_INTERNETWORK_CONTROL, a->address, get_be32(v.ip + 12), ICMP_BYTES + quoted);
    memset(icmp, 0, ICMP_BYTES);
    icmp[0] = cause == DROP_TTL ? ICMP_TIME_EXCEEDED : ICMP_UNREACHABLE;
    icmp[1] = cause != DROP_TTL && known ? ICMP_HOST : ICMP_NET;
    memcpy(icmp + ICMP_BYTES, v.ip, quoted);
    put_icmp_checksum(icmp, ICMP_BYTES + quoted);
    return padded(out, ETHERNET_BYTES + IPV4_BYTES + ICMP_BYTES + quoted);
}
