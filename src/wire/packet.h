/* SPDX-License-Identifier: Apache-2.0 */
/* The packet descriptor: one cache line that stands for one Ethernet frame.
 *
 * The `hdr` half is all that a switch may read. Every field of it can be built into wire bytes and parsed from them
 * (wire/frame.h), so the same switch code serves the simulator and real frames. The `sim` half is the simulator's
 * own bookkeeping; balance, admit, schedule, flowctl and crossbar never read it.
 *
 * An extension cell (`struct packet_ext`), named by `ext`, has the rare parts: SACK blocks, the Expeditus tag, stamps,
 * the contents of pause frames. Plain data and ACKs have none (ext == EXT_NONE).
 *
 * Sizes: `wire_bytes` counts preamble, FCS and inter-packet gap (minimum 84, full frame 1538) and is for time, DRE
 * and utilisation. frame bytes = wire_bytes - 20 is for buffers and thresholds.
 */
#ifndef HEDDLE_WIRE_PACKET_H
#define HEDDLE_WIRE_PACKET_H

#include "base/ethernet.h"
#include "base/types.h"

/* Credit transports have a header of their own (wire/credit_header.h), with an experimental protocol number of RFC
 * 3692. */
enum packet_proto { PROTO_TCP = 6, PROTO_UDP = 17, PROTO_CREDIT = 253 };

enum tcp_flags { TCP_FIN = 1, TCP_SYN = 2, TCP_RST = 4, TCP_PSH = 8, TCP_ACK = 16, TCP_ECE = 64, TCP_CWR = 128 };

/* For PROTO_CREDIT `tcp_flags` holds the kind of the frame (the low bits) and its flags. */
enum credit_kind {
    CREDIT_REQUEST = 1, /* sender -> receiver: I have data (XP-11, SP-13) */
    CREDIT_GRANT = 2,   /* receiver -> sender: a credit (XP-2); the only kind with SHAPE_CREDIT */
    CREDIT_DATA = 3,    /* sender -> receiver */
    CREDIT_STOP = 4,    /* sender -> receiver: no more data for now (XP-14, SP-12) */
    CREDIT_DONE = 5,    /* receiver -> sender: all data have arrived */
    CREDIT_ANSWER = 6,  /* between switches: an Exp-response for a flow of credits (EXP-26) */
    CREDIT_KIND = 7,    /* mask */
};
enum credit_flags {
    CREDIT_LAST = 16,        /* data: everything after it was sent before (XP-14) */
    CREDIT_MARKED = 32,      /* data: the credit it used was marked (SP-14) */
    CREDIT_UNSCHEDULED = 64, /* data sent without a credit: switches drop it first */
    CREDIT_VOID = 128,       /* credit: admits no data, accounts for data that came without a credit (XP-23) */
};

/* IPv4 TOS byte: DSCP in the upper six bits (class = dscp >> 3), ECN in the lower two (RFC 3168). */
enum ecn { ECN_NOT = 0, ECN_ECT1 = 1, ECN_ECT0 = 2, ECN_CE = 3, ECN_MASK = 3 };

/* Headers that the frame has beside Ethernet, IPv4 and TCP/UDP. */
enum packet_shape {
    SHAPE_EXPEDITUS = 1,   /* an Expeditus tag (ext->tag) between source MAC and EtherType */
    SHAPE_CONGA = 2,       /* CONGA's overlay fields (`overlay`) */
    SHAPE_SACK = 4,        /* TCP SACK option (ext->sack) */
    SHAPE_CREDIT = 8,      /* a credit (CREDIT_GRANT): queued in a class of its own; no header beyond PROTO_CREDIT's */
    SHAPE_STAMP = 16,      /* TCP stamp option (ext->stamp) */
    SHAPE_CORE_LOADS = 64, /* a report of core loads (wire/core_loads.h), told in `overlay`; never beside SHAPE_CONGA */
    SHAPE_PAUSE = 32,      /* a pause frame (wire/pause_frame.h, ext->pause): no IPv4, no other bit; proto is 0 */
    SHAPE_OPAQUE = 128,    /* nothing behind the first 20 bytes of IPv4 is read: another protocol, options, a fragment.
                              Ports are 0, payload_bytes is all that follows; beside tags alone */
};

/* Tags that a switch reads also on the way down, where a frame has no choice of path. */
#define SHAPE_SWITCH_TALK (SHAPE_EXPEDITUS | SHAPE_CORE_LOADS)

#define EXT_NONE UINT32_MAX
#define PATH_NONE UINT16_MAX
#define WIRE_HEADERS_BYTES 78 /* preamble 8, Ethernet 14, IPv4 20, TCP 20, FCS 4, gap 12 */

struct packet {
    /* hdr: what a switch may read */
    uint32_t src_ip, dst_ip; /* host byte order, 10.0.0.0/8 (fabric/fabric.h) */
    uint16_t src_port, dst_port;
    uint32_t seq, ack; /* TCP; they wrap. UDP: seq = datagram number in the payload. Credits: wire/credit_header.h */
    uint16_t window;   /* TCP advertised window, in units of 256 B (window scale 8). Credits: stamp */
    uint16_t payload_bytes;
    uint16_t wire_bytes;
    uint8_t tcp_flags; /* PROTO_CREDIT: kind and flags */
    uint8_t proto;
    uint8_t tos;
    uint8_t ttl;
    uint8_t shape;      /* bits of enum packet_shape */
    uint8_t l4_foreign; /* TCP header bytes of a frame whose options are not ours (wire/tcp_header.h), else 0 */
    uint16_t path;      /* pinned choice per tier (low byte: first choice, high byte: second), or PATH_NONE */
    uint16_t overlay;   /* CONGA: lbtag:4 ce:3 fb_lbtag:4 fb_metric:3 fb_valid:1 (wire/conga_overlay.h); core loads */
    uint32_t ext;       /* extension cell or EXT_NONE */
    /* sim: the simulator's bookkeeping */
    uint32_t origin; /* node that created the frame */
    uint32_t serial; /* its number at that node: (origin, serial) identifies the frame */
    uint32_t flow;   /* flow number of the run, or FLOW_NONE */
    uint32_t next;   /* next frame of the list it is in (queue or free list) */
    union {
        time_ps birth; /* at the node that made it: when it was given to a port */
        time_ps
            at; /* on its way to another partition, or to a far slot: when the last bit arrives (sim/engine/flight.h) */
    };
};
_Static_assert(sizeof(struct packet) == 64, "a descriptor is one cache line");

#define TAG_MAX_ENTRIES 127 /* Expeditus NoE has 7 bits (EXP-21) */

/* Expeditus tag (EXP-18..22), unpacked: one load per byte. */
struct expeditus_tag {
    uint8_t stage;   /* SF: 0 Exp-request, 1 Exp-response */
    uint8_t entries; /* NoE */
    uint8_t load[TAG_MAX_ENTRIES];
};

struct sack_block {
    uint32_t begin, end; /* sequence numbers; end is exclusive */
};

#define PAUSE_CLASSES 8

/* Contents of a pause frame (wire/pause_frame.h). */
struct pause_fields {
    uint8_t opcode_pfc; /* 0: 802.3x, the whole link; 1: 802.1Qbb, by class */
    uint8_t classes;    /* bit k: names class k; 802.3x: 0xff */
    uint16_t quanta[PAUSE_CLASSES];
};

/* A cell is wide, or short: one cache line, without room for the loads of a tag (wire/packet_pool.h). */
struct packet_ext {
    union { /* a frame has one or the other */
        struct sack_block sack[4];
        struct pause_fields pause;
    };
    int64_t stamp; /* in data: its departure, ps; in an ACK: the delay from departure to arrival (wire/tcp_header.h) */
    uint8_t n_sack;
    struct expeditus_tag tag;
};
_Static_assert(offsetof(struct packet_ext, tag.load) <= 64, "what a short cell has lies on one cache line");

/* Returns the bytes of the tag on the wire: TPID 2, SF+NoE 1, two loads a byte (EXP-22). */
static inline uint16_t expeditus_tag_bytes(uint8_t entries) { return (uint16_t)(3 + (entries + 1) / 2); }

/* Returns the length on the wire: headers, options and payload, padded to the minimum frame (RFC 894, IEEE 802.3). */
static inline uint16_t packet_wire_bytes(uint32_t l2_extra, uint32_t l4_bytes, uint32_t payload) {
    uint32_t bytes = 8 + 14 + l2_extra + 20 + l4_bytes + payload + 4 + 12;
    return (uint16_t)(bytes < WIRE_MIN_BYTES ? WIRE_MIN_BYTES : bytes);
}

/* Return whether the packet is a TCP SYN without ACK, or a SYN-ACK. */
static inline bool packet_is_syn(const struct packet *p) {
    return p->proto == PROTO_TCP && (p->tcp_flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN;
}
static inline bool packet_is_syn_ack(const struct packet *p) {
    return p->proto == PROTO_TCP && (p->tcp_flags & (TCP_SYN | TCP_ACK | TCP_RST)) == (TCP_SYN | TCP_ACK);
}

static inline uint16_t packet_frame_bytes(const struct packet *p) {
    return (uint16_t)(p->wire_bytes - WIRE_OVERHEAD_BYTES);
}

#endif
