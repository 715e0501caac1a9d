/* SPDX-License-Identifier: Apache-2.0 */
/* The frames with which a switch answers by itself, as any router does:
 *
 *   ARP request of a host (RFC 826)       a reply with the MAC of the switch's own port, for every other host of the
 *                                         fabric and for the switch's address: all traffic is routed (proxy ARP,
 *                                         RFC 1027). A host that asks for its own address gets no reply (RFC 5227).
 *   echo request to the switch (RFC 792)  an echo reply.
 *   TTL at its end                        ICMP time exceeded, so traceroute shows the path.
 *   no way to the destination             ICMP destination unreachable: host if the address is one of the fabric, net if
 *                                         not.
 *
 * ICMP errors follow RFC 1812, section 4.3.2: none about an ICMP error, a later fragment, a group or broadcast address;
 * at most ANSWER_BURST at once and ANSWER_RATE a second; they quote the packet up to 576 bytes in all and have
 * precedence 6.
 *
 * And the one question that a switch has: who has the address of the host behind a port (ARP request), asked until the
 * host has sent something.
 *
 * Pure functions from bytes to bytes; live/forwarder.c sends what they return through the switch like any other frame.
 */
#ifndef HEDDLE_LIVE_ANSWER_H
#define HEDDLE_LIVE_ANSWER_H

#include "fabric/fabric.h"
#include "wire/frame.h"

enum {
    ANSWER_MAX_BYTES = ETHERNET_BYTES + 1500, /* room that an answer may need; longer echo requests get none */
    ANSWER_RATE = 1000,                       /* ICMP errors a second */
    ANSWER_BURST = 100,
};

struct answerer {
    uint32_t address; /* of the switch; 0: it has none */
    uint32_t tokens;  /* ICMP errors that may be sent now */
    time_ps refilled_at;
};

void answerer_init(struct answerer *a, const struct fabric *f, uint32_t node);

/* A frame as it came in: the bytes from its destination MAC on. */
struct answer_question {
    const struct fabric *fabric;
    const uint8_t *frame;
    size_t captured;
    const struct frame_info *info;
    const uint8_t *mine; /* MAC of the port it came in by */
};

/* Each writes a whole Ethernet frame to out[ANSWER_MAX_BYTES] and returns its length; 0: there is no answer. */

/* info->ether_type is ARP; `host` is the one behind the port. */
size_t answer_arp(const struct answerer *a, const struct answer_question *q, uint32_t host, uint8_t *out);
/* An ARP packet that is meant for the switch itself, such as the reply to its own question. */
bool answer_is_ours(const struct answerer *a, const struct answer_question *q);
/* Asks for the MAC of the host; always has a frame. */
size_t answer_who_has(const struct answerer *a, const uint8_t mine[6], uint32_t host_ip, uint8_t *out);
/* An IPv4 packet to the switch's address. */
size_t answer_packet(const struct answerer *a, const struct answer_question *q, uint8_t *out);
/* An IPv4 packet that was dropped; `cause` is DROP_TTL or DROP_NO_ROUTE. */
size_t answer_drop(struct answerer *a, const struct answer_question *q, time_ps now, enum drop_cause cause,
                   uint8_t *out);

#define ETHERTYPE_ARP 0x0806u

#endif
