/* SPDX-License-Identifier: Apache-2.0 */
/* One switch of node/ that is fed with real frames.
 *
 *   bytes -> frames_parse -> switch_receive -> (frame, port, departure) -> leave()
 *
 * The caller is the driver: it owns the clock and the links, as sim/ does for simulated frames. Replay drives a
 * forwarder by the stamps of a capture; a live switch by the machine's clock. Everything at one instant happens in the
 * order topology < timer < arrival (base/tie.h), so both drivers get the same frames from the same input.
 *
 * Frames that cannot be parsed are counted by cause and dropped. Frames for addresses outside the fabric are dropped
 * by the switch (DROP_NO_ROUTE). A frame that is not IPv4 goes to the host whose MAC it names, along the routes to that
 * host; its source must be the MAC of a host too.
 *
 * A forwarder that `answers` is a router for real hosts: it answers ARP and ICMP (live/answer.h), and takes the source
 * MAC of what a host sends for the host's address on that link. One that does not (replay) sends what the switch of the
 * simulator sends, and nothing else.
 */
#ifndef HEDDLE_LIVE_FORWARDER_H
#define HEDDLE_LIVE_FORWARDER_H

#include "live/answer.h"
#include "live/frames.h"
#include "node/switch.h"

/* received = the sum of refused; refused[FRAME_OK] + created = left + unbuilt + consumed + dropped + held by the
 * switch. */
struct forwarder_counts {
    uint64_t received;
    uint64_t refused[FRAME_ERROR_COUNT]; /* by enum frame_error; FRAME_OK: into the switch */
    uint64_t left;
    uint64_t unbuilt;             /* was to leave, but with its tag it is longer than a frame can be */
    uint64_t consumed;            /* meant for the switch */
    uint64_t not_taken;           /* never received: the queue of the host's NIC was full (station_setup.paces_hosts) */
    uint64_t answers;             /* frames of ARP and ICMP, made here */
    uint64_t dropped[DROP_COUNT]; /* by enum drop_cause; DROP_LOSS: left, then lost on the wire */
};

/* A frame that leaves: its last bit at `depart`, which is not before `now`. */
struct departure {
    time_ps now, depart;
    uint16_t port;
    bool lost; /* on the wire, after it left (DROP_LOSS) */
    uint32_t index;
};

/* The callee takes the descriptor over: it calls forwarder_emit if it wants the bytes, and frames_release at last. */
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

/* What is at a port: MACs of the frames that leave there. */
struct forwarder_link {
    uint8_t mine[6], theirs[6];
    uint32_t host;  /* NODE_NONE: a switch */
    bool is_heard;  /* the host has sent something: theirs is its MAC */
    time_ps ask_at; /* not before: it is asked for its MAC again */
};

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
    bool answers;
    uint32_t serial;
};

/* False after filling *d: the node is a host, or its balancer sees links that a single switch does not. */
bool forwarder_possible(const struct forwarder_setup *setup, struct diag *d);
void forwarder_init(struct forwarder *f, const struct forwarder_setup *setup); /* must be possible */
void forwarder_fini(struct forwarder *f);

/* Asks the hosts behind its ports for their MACs, if it answers; those that have sent something are not asked. */
void forwarder_ask_hosts(struct forwarder *f, time_ps now);

/* The last bit of a frame of `original` bytes arrived at `port`; `captured` of them stand in the cell of `index`, which
 * the forwarder takes over. Call forwarder_until(now) first. */
void forwarder_receive(struct forwarder *f, time_ps now, uint16_t port, uint32_t index, size_t captured,
                       size_t original);
/* Does what is due up to and at `until`: topology events and services. */
void forwarder_until(struct forwarder *f, time_ps until);
/* When something is due next; TIME_NONE. */
static inline time_ps forwarder_next(const struct forwarder *f) { return switch_next_timer(&f->sw); }
/* Frames that the switch made itself. */
static inline uint64_t forwarder_created(const struct forwarder *f) {
    return f->sw.created + f->sw.pauses_made + f->count.answers;
}

/* The bytes of a frame that leaves; length 0: it cannot be built, and is counted. */
struct frame_bytes forwarder_emit(struct forwarder *f, const struct departure *x);

#endif
