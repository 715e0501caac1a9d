/* SPDX-License-Identifier: Apache-2.0 */
/* One switch of node/ that forwards real frames.
 *
 *  bytes -> frames_parse -> switch_receive -> (frame, port, departure) -> leave()
 *
 * The caller is the driver: it owns the clock and the links, as sim/ does for simulated frames. Replay drives a
 * forwarder by the stamps of a capture, a live switch by the machine's clock. Events at one instant happen in the order
 * topology < timer < arrival (base/tie.h), so both drivers get the same frames from the same input.
 *
 * Frames that cannot be parsed are counted by cause and dropped. The switch drops frames for addresses outside the
 * fabric (DROP_NO_ROUTE). A frame that is not IPv4 goes to the host with its destination MAC, along the routes to that
 * host; its source MAC must be a host's too.
 *
 * Messages that only switches send are stripped from frames of hosts, or refused (live/trust.h).
 *
 * With `answers` the forwarder is a router for real hosts: it answers ARP and ICMP (live/answer.h), and learns the MAC
 * of the host on a link. It believes ARP packets (RFC 826) and IPv4 packets of the host's own address, and no other
 * frame: those of LLDP or STP have the MAC of a bridge. A MAC that FORWARDER_MAC_FRESH has not confirmed, or of a link
 * that was down, is stale: frames still leave for it, and the switch asks by ARP. Without `answers` (replay) it sends
 * what the switch of the simulator sends, and nothing else.
 */
#ifndef HEDDLE_LIVE_FORWARDER_H
#define HEDDLE_LIVE_FORWARDER_H

#include "live/answer.h"
#include "live/frames.h"
#include "live/trust.h"
#include "node/switch.h"

/* Counts of frames: received = sum of refused; refused[FRAME_OK] + created = left + unbuilt + consumed + dropped + held
 * by the switch. */
struct forwarder_counts {
    uint64_t received;
    uint64_t refused[REFUSAL_COUNT];   /* by enum frame_error, then enum refusal; FRAME_OK: accepted into the switch */
    uint64_t stripped[STRIPPED_COUNT]; /* tags taken off frames of hosts, by enum stripped */
    uint64_t left;
    uint64_t unbuilt;             /* could not leave: too long for a frame with its tag */
    uint64_t consumed;            /* addressed to the switch */
    uint64_t not_taken;           /* not received: the queue of the host's NIC was full (station_setup.paces_hosts) */
    uint64_t answers;             /* frames of ARP and ICMP made here */
    uint64_t dropped[DROP_COUNT]; /* by enum drop_cause; DROP_LOSS: left, then lost on the wire */
};

/* A frame that leaves: its last bit at `depart`, which is not before `now`. */
struct departure {
    time_ps now, depart;
    uint16_t port;
    bool lost; /* lost on the wire after it left (DROP_LOSS) */
    uint32_t index;
};

/* The callee takes the descriptor over. It calls forwarder_emit if it needs the bytes, and finally frames_release. */
struct forwarder_sink {
    void *to;
    void (*leave)(void *to, const struct departure *x);
};

struct forwarder_setup {
    const struct fabric *fabric;
    const struct switch_config *config;
    uint64_t seed;
    uint32_t node; /* a switch */
    struct frames *frames;
    struct forwarder_sink sink;
    bool answers;
};

/* The link at a port: MACs of the frames that leave there. */
struct forwarder_link {
    uint8_t mine[6], theirs[6];
    uint32_t host, host_ip; /* host at the other end; NODE_NONE: a switch */
    time_ps stale_at;       /* until then `theirs` is the MAC that the host has used; 0: it is unknown */
    time_ps ask_at;         /* earliest time to ask for the MAC again */
};

#define FORWARDER_MAC_FRESH (30 * PS_PER_S) /* as long as Linux takes a neighbour for reachable */

struct forwarder {
    struct fabric_switch sw;
    struct frames *frames;
    struct forwarder_sink sink;
    struct forwarder_counts count;
    struct port *port;
    struct port_view *view;
    struct port_extra *extra;
    struct forwarder_link *link; /* [n_ports] */
    struct answerer answerer;
    struct trust trust;
    bool answers;
    uint32_t serial;
};

/* Returns false after filling *d: the node is a host, or its balancer needs links that a single switch does not see. */
bool forwarder_possible(const struct forwarder_setup *setup, struct diag *d);
void forwarder_init(struct forwarder *f, const struct forwarder_setup *setup); /* must be possible */
void forwarder_fini(struct forwarder *f);

/* If it answers: asks the hosts behind its ports for their MACs, except hosts whose MACs are known. */
void forwarder_ask_hosts(struct forwarder *f, time_ps now);
/* The link of the port is back, perhaps with another machine: its MAC is stale. */
void forwarder_link_up(struct forwarder *f, uint16_t port);

/* Handles a frame of `original` bytes whose last bit arrived at `port`. `captured` bytes are in the cell of `index`,
 * which the forwarder takes over. Call forwarder_until(now) first. */
void forwarder_receive(struct forwarder *f, time_ps now, uint16_t port, uint32_t index, size_t captured,
                       size_t original);
/* Handles all topology events and services due up to and at `until`. */
void forwarder_until(struct forwarder *f, time_ps until);
/* Returns the next due time; TIME_NONE: none. */
static inline time_ps forwarder_next(const struct forwarder *f) { return switch_next_timer(&f->sw); }
/* Returns the number of frames that the switch made itself. */
static inline uint64_t forwarder_created(const struct forwarder *f) {
    return f->sw.created + f->sw.pauses_made + f->count.answers;
}

/* Returns the bytes of a frame that leaves. Length 0: it cannot be built, and is counted as unbuilt. */
struct frame_bytes forwarder_emit(struct forwarder *f, const struct departure *x);

#endif
