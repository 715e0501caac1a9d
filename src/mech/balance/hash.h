/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of a frame's five-tuple.
 *
 * One 64-bit value serves everything that a switch needs of a flow. Its upper half picks a next hop (hash_pick). Its
 * lower half names the flow in a path table (hash_flow_key: 16 bits of index, 16 more to notice collisions, EXP-12).
 *
 * The symmetric form hashes the unordered pair of (address, port) ends. So both directions of a connection get the same
 * value wherever the salt is the same; that salt is the tier's, never the switch's (AM-11).
 *
 * Two 64 x 64 -> 128 bit multiplications, folded: full avalanche for the purpose, about 3 ns.
 */
#ifndef HEDDLE_MECH_BALANCE_HASH_H
#define HEDDLE_MECH_BALANCE_HASH_H

#include "base/random.h"
#include "wire/packet.h"

/* Odd constants with mixed bits (fractions of square roots of small primes). */
#define HASH_K0 0x6a09e667f3bcc909ull
#define HASH_K1 0xbb67ae8584caa73bull
#define HASH_K2 0x3c6ef372fe94f82bull

static inline uint64_t hash_fold(uint64_t a, uint64_t b) {
    uint128 m = (uint128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Mixes a and b. The second multiplication takes a and b again, so a zero factor in the first loses nothing. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b, uint64_t salt) {
    return hash_fold(hash_fold(a ^ salt ^ HASH_K0, b ^ HASH_K1) ^ b ^ HASH_K2, a ^ (salt | 1));
}

static inline uint64_t hash_tuple(uint32_t src_ip, uint32_t dst_ip, uint16_t src_port, uint16_t dst_port, uint8_t proto,
                                  uint64_t salt) {
    return hash_mix((uint64_t)src_ip << 32 | dst_ip, (uint64_t)proto << 32 | (uint32_t)src_port << 16 | dst_port, salt);
}

static inline uint64_t hash_flow(const struct packet *p, uint64_t salt) {
    return hash_tuple(p->src_ip, p->dst_ip, p->src_port, p->dst_port, p->proto, salt);
}

/* Returns the hash of the flow whose request this Exp-response answers: only the addresses are swapped (EXP-26). */
static inline uint64_t hash_flow_answered(const struct packet *p, uint64_t salt) {
    return hash_tuple(p->dst_ip, p->src_ip, p->src_port, p->dst_port, p->proto, salt);
}

/* Returns the hash of the flow in the opposite direction: addresses and ports swapped. */
static inline uint64_t hash_flow_reversed(const struct packet *p, uint64_t salt) {
    return hash_tuple(p->dst_ip, p->src_ip, p->dst_port, p->src_port, p->proto, salt);
}

static inline uint64_t hash_flow_symmetric(const struct packet *p, uint64_t salt) {
    uint64_t a = (uint64_t)p->src_ip << 16 | p->src_port;
    uint64_t b = (uint64_t)p->dst_ip << 16 | p->dst_port;
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return hash_mix(low, high ^ (uint64_t)p->proto << 56, salt);
}

/* Salts: one for each switch, or one for all switches of a tier. */
static inline uint64_t hash_salt_switch(uint64_t seed, uint32_t node) { return random_key(seed, RANDOM_HASH, node); }
static inline uint64_t hash_salt_tier(uint64_t seed, uint8_t tier) {
    return random_key(seed, RANDOM_HASH, (1ull << 32) + tier);
}

/* Returns a number in [0, n), uniform. */
static inline uint32_t hash_pick(uint64_t hash, uint32_t n) { return (uint32_t)(((hash >> 32) * n) >> 32); }

/* How a balancer that keeps nothing for a flow hashes it (balancer_ops.picks_by_hash). */
struct flow_hash {
    uint64_t salt;
    bool symmetric; /* both directions of a connection have one hash */
};

/* Returns the next hop of the frame, one of choice[n]. */
static inline uint16_t flow_hash_pick(const struct flow_hash *h, const struct packet *p, const uint16_t *choice,
                                      uint32_t n) {
    uint64_t hash = h->symmetric ? hash_flow_symmetric(p, h->salt) : hash_flow(p, h->salt);
    return choice[hash_pick(hash, n)];
}

/* Returns the flow's key. Low 16 bits: the flow id of a path table; the other 16 tell apart flows that share the id. */
static inline uint32_t hash_flow_key(uint64_t hash) { return (uint32_t)hash; }

#endif
