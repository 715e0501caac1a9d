/* SPDX-License-Identifier: Apache-2.0 */
/* Frames with which a switch answers by itself, as any router does:
 *
 *  ARP request of a host (RFC 826)       a reply with the MAC of the switch's own port, for every other host of the
 *                                        fabric and for the switch's address: all traffic is routed (proxy ARP,
 *                                        RFC 1027). A host that asks for its own address gets no reply (RFC 5227).
 *  echo request to the switch (RFC 792)  an echo reply.
 *  TTL expired                           ICMP time exceeded, so traceroute shows the path.
 *  no route to the destination           ICMP destination unreachable: code host for an address of the fabric, code net
 *                                        for any other.
 *
 * ICMP errors follow RFC 1812, section 4.3.2. No error answers an ICMP error, a later fragment, or a multicast or
 * broadcast address. At most ANSWER_BURST errors leave at once and ANSWER_RATE a second. They quote the packet up to
 * 576 bytes in all and have precedence 6.
 *
 * The switch itself sends one question: an ARP request for the MAC of the host behind a port, while that MAC is unknown
 * or stale.
 *
 * Pure functions from bytes to bytes; live/forwarder.c sends the result through the switch like any other frame.
 */
#ifndef HEDDLE_LIVE_ANSWER_H
#define HEDDLE_LIVE_ANSWER_H

#include "fabric/fabric.h"
#include "wire/frame.h"

enum {
    ANSWER_MAX_BYTES = ETHERNET_BYTES + 1500, /* longest answer; longer echo requests get none */
    ANSWER_RATE = 1000,                       /* ICMP errors a second */
    ANSWER_BURST = 100,
};

struct answerer {
    uint32_t address; /* address of the switch; 0: none */
    uint32_t tokens;  /* ICMP errors that may be sent now */
    time_ps refilled_at;
};

void answerer_init(struct answerer *a, const struct fabric *f, uint32_t node);

/* A received frame: the bytes from its destination MAC on. */
struct answer_question {
    const struct fabric *fabric;
    const uint8_t *frame;
    size_t captured;
    const struct frame_info *info;
    const uint8_t *mine; /* MAC of the port that received it */
};

/* Each writes a whole Ethernet frame to out[ANSWER_MAX_BYTES] and returns its length; 0: no answer. */

/* Answers an ARP packet (info->ether_type); `host` is the host behind the port. */
size_t answer_arp(const struct answerer *a, const struct answer_question *q, uint32_t host, uint8_t *out);
/* Returns true for an ARP packet addressed to the switch itself, such as the reply to its own question. */
bool answer_is_ours(const struct answerer *a, const struct answer_question *q);
/* Returns the MAC that a whole ARP packet of this sender names as the sender's; NULL: it names none. */
const uint8_t *answer_sender(const struct answer_question *q, uint32_t sender_ip);
/* Asks for the MAC of the host; always has a frame. */
size_t answer_who_has(const struct answerer *a, const uint8_t mine[6], uint32_t host_ip, uint8_t *out);
/* Answers an IPv4 packet to the switch's address. */
size_t answer_packet(const struct answerer *a, const struct answer_question *q, uint8_t *out);
/* Answers a dropped IPv4 packet; `cause` is DROP_TTL or DROP_NO_ROUTE. */
size_t answer_drop(struct answerer *a, const struct answer_question *q, time_ps now, enum drop_cause cause,
                   uint8_t *out);

#define ETHERTYPE_ARP 0x0806u

#endif
