/* SPDX-License-Identifier: Apache-2.0 */
/* An egress port: which frames it admits, in which order they leave, and when.
 *
 * WHO DOES WHAT
 *
 * A switch or a NIC gives every frame to the port of its next hop, and the port answers: there is no room for it (a drop
 * cause), or it is accepted, and its last bit leaves at such a time. The driver, simulator or live switch, puts the frame on
 * the link at that time, and frees a frame that was refused. A port knows nothing of the other end of its link, and
 * allocates nothing while frames pass.
 *
 * THE ANALYTIC PORT
 *
 * With one class, first in first out, the departure of a frame is known when it arrives: everything accepted before it
 * leaves first. So the port keeps no frames and no list, and needs no event. One number, `busy_until`, is the instant at
 * which all that was accepted will have left; port_enqueue moves it on by the frame's serialization and returns it.
 * All else follows from it, as times of the link:
 *
 *     backlog(t) = max(0, busy_until - t), the frame on the wire included
 *     accepted   iff backlog + serialization of the frame <= limit_ps
 *     marked     iff backlog before it > mark_ps and the frame is ECN-capable (RFC 3168)
 *
 * Buffers and thresholds are given in bytes of frames, as switches count them: without preamble, start delimiter and
 * interframe gap, 1518 of the 1538 bytes that a full frame occupies the wire. One rule turns both into each other: frame
 * bytes = wire bytes x 1518 / 1538 (port_frame_bytes, port_limit_ps). It is exact for full frames.
 *
 * The price is what happens in between. When a link changes its rate, frames accepted before keep their departures
 * (docs/decisions/0010-rate-changes.md). When it fails, a frame whose last bit would arrive later is lost at its
 * departure, having filled the queue until then.
 *
 * PORTS WITH CLASSES
 *
 * Several classes, a class of credits, flow control or a crossbar before the port make departures depend on what arrives
 * later. Such a port (`queued`) has struct port_classes: a list of waiting frames for each class, linked through the
 * packets themselves. The driver pushes a frame (port_queue_push), and calls port_queue_next whenever the link is idle
 * and something may leave; port_queue_service_at says when that is. Most frames find the link idle and nothing
 * before them: port_queue_pass starts these at once, without a queue.
 *
 * What leaves next, in this order (a frame on the wire is never interrupted):
 *
 *     pause frames   as soon as the link is idle (DT-9)
 *     credits        whenever their limiter allows one (AM-9, node/credit_class.h)
 *     data           by the scheduler of mech/schedule, among the classes that are not paused
 *
 * Data is admitted as above, on the waiting bytes and the rest of the frame on the wire. Two rules come on top. Bytes that
 * are reserved for other classes and not used by them are no room (`reserve_bytes`). Data that was sent without a credit
 * is admitted only while at most `unscheduled_bytes` wait.
 *
 * THE MEAN QUEUE
 *
 * It is measured as an integral over time that each frame adds to once. On an analytic port a frame of b wire bytes that
 * waits for w and is serialized in s adds b x (w + s/2). Sums are kept in byte picoseconds of 128 bits, which no queue
 * exceeds within the range of a time_ps. Frames that wait in queues of classes add b x (departure - arrival) in coarser
 * units, AREA_UNIT_BITS.
 */
#ifndef HEDDLE_NODE_PORT_H
#define HEDDLE_NODE_PORT_H

#include "base/memory.h"
#include "base/random.h"
#include "base/views.h"
#include "mech/admit/phantom.h"
#include "mech/balance/dre.h"
#include "mech/flowctl/pause_state.h"
#include "node/config.h"
#include "node/credit_class.h"
#include "wire/packet.h"
#include "wire/packet_pool.h"

#include <assert.h>

typedef uint128 area_ps; /* byte ps */

/* Integrals of queued bytes count whole units of 2^14 ps = 16.4 ns. Sums are modulo 2^64, so a mean is right while mean
 * bytes x run < 2^64 units: 10 MB for eight hours, 225 KB for two weeks. The rounding of arrivals and departures
 * cancels out, because both read the same rounded clock. */
#define AREA_UNIT_BITS 14
static inline uint64_t area_units(time_ps t) { return (uint64_t)t >> AREA_UNIT_BITS; }

/* The part of a port that only ports with classes have. */
struct port_classes {
    /* one cache line: all that a frame of data touches which passes without waiting */
    uint32_t waiting; /* frames of data in all queues */
    uint32_t filled;  /* bit k: the queue of class k is not empty */
    uint64_t area;    /* integral of the queue of data, bytes x AREA_UNIT (node/port_queue.h) */
    int64_t max_bytes;
    time_ps service_at;        /* next service, where a switch defers it (node/switch.h); TIME_NONE */
    int64_t pass_bytes;        /* largest frame of data that may pass an idle port; -1: all must join a queue */
    int64_t near_bytes;        /* a frame that leaves the backlog at or below this is neither dropped nor marked */
    struct pause_state *pause; /* pauses that the neighbour asked for; NULL without flow control */
    uint32_t n;
    uint8_t top_class; /* the highest class with a queue of its own */
    bool has_credits;
    bool one_queue, stateless; /* schedule_ops */
    /* credits, on lines of their own */
    _Alignas(CACHE_LINE) struct credit_class credit;
    /* frames that wait */
    _Alignas(CACHE_LINE) uint32_t drain_bytes[MAX_CLASSES];
    time_ps waiting_from; /* when the queues were last empty of data */
    struct class_queue queue[MAX_CLASSES];
    /* the rest */
    int64_t frame_bytes; /* largest frame that hosts send */
    const struct schedule_ops *schedule;
    struct schedule_state state;
    struct port_config config;
    int64_t limit_bytes, mark_bytes;
    int64_t reserve_bytes;      /* part of the limit that each class has to itself */
    struct class_queue control; /* pause frames to be sent, before all other frames (DT-9) */
    span_ps blocked;            /* time in which frames waited on an idle link because their classes were paused */
    uint64_t pauses_sent;
};
_Static_assert(offsetof(struct port_classes, credit) == CACHE_LINE, "one line");

/* The rarely used part of every port. */
struct port_extra {
    uint64_t dropped[DROP_COUNT]; /* frames other than credits and pause frames, without those of port.refused */
    uint64_t credits_dropped, pauses_dropped;
    uint64_t marked;
    uint64_t wait_area_high; /* upper part of port.wait_area, in units of 2^64 byte ps */
    struct admit_limits admit;
    struct marker marker; /* in frame bytes if the port has classes, else in time of the link */
    span_ps delay;
    time_ps alive_until; /* frames that leave later arrive after the link's next failure; TIME_NONE */
    uint32_t loss_ppb;
    struct random_stream loss;
    bool has_phantom;
    int64_t phantom_bps; /* rate that admit.phantom_bytes is for */
    struct phantom phantom;
    const struct credit_config *credit;
    struct port_classes *classes; /* NULL: analytic */
};

/* Returns the frame bytes of data that wait in all classes. */
static inline int64_t port_queued_bytes(const struct port_classes *c) { return c->drain_bytes[0]; }

struct port {             /* one cache line with all that an analytic port needs for a frame */
    time_ps busy_until;   /* instant at which all frames accepted so far have left */
    uint32_t ps_per_byte; /* serialization of one byte; 0 if it is not an integer of 32 bits */
    bool plain;           /* no loss, no failure, no phantom queue: no frame needs port_fate */
    bool queued;          /* has classes */
    bool metered;         /* its view has the registers of its load */
    bool shown;           /* its view has busy_until: it is metered, or the balancer looks at backlogs */
    span_ps limit_ps;     /* buffer, as time of the link */
    span_ps mark_ps;      /* no frame that finds less is marked (port_extra.marker); INT64_MAX: none is */
    uint64_t sent_bytes;  /* wire bytes accepted for the link */
    uint64_t wait_area;   /* sum of bytes x (wait + s/2), in byte ps; port_extra.wait_area_high is its upper part */
    span_ps max_backlog;
    uint64_t refused; /* frames of data that found no room in an analytic queue */
};
_Static_assert(sizeof(struct port) == 64, "one line");

struct port_setup {
    int64_t rate_bps;
    span_ps delay;
    uint32_t loss_ppb;
    struct admit_limits admit; /* limit_bytes: INT64_MAX: unbounded */
    int64_t frame_bytes;       /* largest frame that hosts send; 0: 1518 */
    struct port_config config;
    const struct credit_config *credit; /* NULL: no class of credits */
    bool queues;     /* a queue per class even if there is one class: behind a crossbar, or under flow control */
    bool pauses;     /* obeys pause frames */
    span_ps storm;   /* struct pause_state */
    uint32_t global; /* global port number */
    uint64_t seed;
    time_ps dead_from; /* the link's first failure; TIME_NONE */
};

void port_init(struct port *p, struct port_view *v, struct port_extra *x, const struct port_setup *setup);
void port_fini(struct port_extra *x);
void port_set_rate(struct port *p, struct port_view *v, struct port_extra *x, time_ps now, int64_t rate_bps);
/* Restarts a repaired link: it is idle, and fails again at `dead_from`. */
void port_link_up(struct port *p, struct port_view *v, struct port_extra *x, time_ps now, time_ps dead_from);
/* Sets the time of the link's next failure; a frame whose last bit would arrive later is lost. */
void port_set_failure(struct port *p, struct port_extra *x, time_ps dead_from);
void port_set_loss(struct port *p, struct port_extra *x, uint32_t loss_ppb);
/* Keeps the view up to date from now on: busy_until and the registers of load. */
void port_set_metered(struct port *p, struct port_view *v);
/* Keeps busy_until of the view up to date from now on. */
static inline void port_set_shown(struct port *p) { p->shown = true; }

/* Returns the serialization delay of `wire_bytes`, rounded up to a picosecond. */
span_ps port_serialize_slow(int64_t rate_bps, uint32_t wire_bytes);
static inline span_ps port_serialize(const struct port *p, const struct port_view *v, uint32_t wire_bytes) {
    if (__builtin_expect(p->ps_per_byte != 0, 1)) return (span_ps)p->ps_per_byte * wire_bytes;
    return port_serialize_slow(v->rate_bps, wire_bytes);
}

/* Returns the frame bytes of an analytic backlog, and the backlog of so many frame bytes, by the rule above. */
int64_t port_frame_bytes(const struct port_view *v, span_ps backlog);
span_ps port_limit_ps(const struct port_view *v, int64_t frame_bytes);

/* Handles a frame that passes a phantom queue, is lost on the wire or leaves as the link fails, out of line. Its first
 * bit leaves at `start`. */
enum drop_cause port_fate(struct port_extra *x, struct packet *pkt, time_ps start, time_ps depart);
enum drop_cause port_refuse(struct port_extra *x, const struct packet *pkt, enum drop_cause cause);
/* Marks an ECN-capable frame if x->marker says so. */
void port_mark(struct port_extra *x, struct packet *pkt, int64_t backlog);

/* Adds a frame that waits for `wait` and is serialized in `s` to the integral of the queue. A product of more than 64
 * bits is rare and is added out of line. */
void port_area_carry(struct port_extra *x, uint32_t wire_bytes, span_ps wait, span_ps s);
static inline void port_area_add(struct port *p, struct port_extra *x, uint32_t wire_bytes, span_ps wait, span_ps s) {
    uint64_t part;
    if (__builtin_expect(__builtin_mul_overflow((uint64_t)(wait + (s >> 1)), (uint64_t)wire_bytes, &part), 0))
        port_area_carry(x, wire_bytes, wait, s);
    if (__builtin_expect(__builtin_add_overflow(p->wait_area, part, &p->wait_area), 0)) x->wait_area_high++;
}

/* Counts a frame that an analytic port has no room for. Data is counted beside the port: full ports are many in a large fabric,
 * and x is a line that nothing else needs then. */
static inline enum drop_cause port_is_full(struct port *p, struct port_extra *x, const struct packet *pkt) {
    if (__builtin_expect(pkt->shape & (SHAPE_CREDIT | SHAPE_PAUSE), 0)) return port_refuse(x, pkt, DROP_BUFFER);
    p->refused++;
    return DROP_BUFFER;
}

/* Admits a frame to an analytic port, or drops it. DROP_NONE: *depart is the time at which its last bit leaves. */
static inline enum drop_cause port_enqueue(struct port *p, struct port_view *v, struct port_extra *x,
                                           const struct dre_params *dre, struct packet *pkt, time_ps now,
                                           time_ps *depart) {
    if (p->metered) dre_advance(&v->egress, dre, p->busy_until, now);
    span_ps backlog = p->busy_until > now ? p->busy_until - now : 0;
    span_ps s = port_serialize(p, v, pkt->wire_bytes);
    if (__builtin_expect(backlog + s > p->limit_ps, 0)) return port_is_full(p, x, pkt);
    if (__builtin_expect(backlog > p->mark_ps, 0)) port_mark(x, pkt, backlog);
    port_area_add(p, x, pkt->wire_bytes, backlog, s);
    p->sent_bytes += pkt->wire_bytes;
    if (backlog + s > p->max_backlog) p->max_backlog = backlog + s;
    p->busy_until = *depart = now + backlog + s;
    if (p->shown) v->busy_until = p->busy_until;
    if (__builtin_expect(!p->plain, 0)) return port_fate(x, pkt, *depart - s, *depart);
    return DROP_NONE;
}

/* Ports with classes. port_queue_push admits a frame or refuses it. port_queue_next starts the next frame if the link
 * is idle and returns its index, or UINT32_MAX if no frame may leave; *lost is the fate of the frame that was started.
 * port_queue_service_at returns when port_queue_next is to be called again; TIME_NONE while nothing waits.
 * port_queue_pass does both for a frame that need not wait: it starts the frame and returns true with *depart and *lost
 * set, or changes nothing and returns false.
 * A credit that port_queue_push admits may drop credits that were queued (switch.credit_drop): port_evicted removes and
 * returns one of them, UINT32_MAX if none is left; the caller counts (port_refuse) and frees it before the next push. */
enum drop_cause port_queue_push(struct port *p, struct port_view *v, struct port_extra *x, struct packet_pool *pool,
                                uint32_t index, time_ps now);
uint32_t port_queue_next(struct port *p, struct port_view *v, struct port_extra *x, const struct dre_params *dre,
                         struct packet_pool *pool, time_ps now, time_ps *depart, enum drop_cause *lost);
bool port_queue_pass(struct port *p, struct port_view *v, struct port_extra *x, const struct dre_params *dre,
                     struct packet *pkt, time_ps now, time_ps *depart, enum drop_cause *lost);
static inline uint32_t port_evicted(struct port_extra *x, const struct packet_pool *pool) {
    return credit_class_evicted(&x->classes->credit, pool);
}
/* Returns the same under flow control, at `now`: pauses that have expired are ignored. */
time_ps port_paused_service_at(const struct port *p, const struct port_classes *c, time_ps now);
static inline time_ps port_classes_service_at(const struct port *p, const struct port_classes *c) {
    if (c->waiting) return p->busy_until;
    if (!c->credit.waiting) return TIME_NONE;
    time_ps ready = credit_limiter_ready_at(&c->credit.limiter);
    return ready > p->busy_until ? ready : p->busy_until;
}
static inline time_ps port_queue_service_at(const struct port *p, const struct port_extra *x) {
    return port_classes_service_at(p, x->classes);
}
/* Returns the wire bytes of the credits that have left. */
static inline uint64_t port_credit_bytes(const struct port_extra *x) {
    return x->classes ? x->classes->credit.sent_bytes : 0;
}
static inline bool port_queue_waits(const struct port_extra *x) {
    return x->classes->waiting || x->classes->credit.waiting;
}
uint64_t port_queue_length(const struct port_extra *x, const struct packet_pool *pool); /* frames of data and credits */
/* Returns whether the counters of the queues agree with the frames in them: frames, and bytes by class. */
bool port_queue_is_sound(const struct port_extra *x, const struct packet_pool *pool);
uint64_t port_control_length(const struct port_extra *x, const struct packet_pool *pool); /* pause frames to be sent */

/* Returns the class of a frame of data at this port. */
static inline uint32_t port_class_of(const struct port_classes *c, const struct packet *pkt) {
    uint32_t k = pkt->tos >> 5;
    return k < c->top_class ? k : c->top_class;
}
/* Queues a pause frame; it leaves as soon as the frame on the wire has left (DT-9). */
void port_control_push(struct port_extra *x, struct packet_pool *pool, uint32_t index);
/* Returns the bytes that wait in classes below that of `pkt`: at most these can be pushed out for it. */
static inline int64_t port_bytes_below(const struct port_classes *c, const struct packet *pkt) {
    return c->drain_bytes[0] - c->drain_bytes[port_class_of(c, pkt)];
}
/* Removes and returns the newest frame of the lowest class below that of `pkt`; UINT32_MAX if there is none. */
uint32_t port_push_out(struct port_extra *x, struct packet_pool *pool, const struct packet *pkt, time_ps now);

/* Returns how long, by `now`, pauses alone have kept waiting frames of data off an idle link. */
static inline span_ps port_blocked_now(const struct port *p, const struct port_classes *c, time_ps now) {
    time_ps idle = p->busy_until > c->waiting_from ? p->busy_until : c->waiting_from;
    return c->waiting && now > idle ? now - idle : 0;
}

/* ---- totals at the end of a run ---- */
/* Returns the frames, other than credits and pause frames, that were dropped for that cause. */
static inline uint64_t port_dropped(const struct port *p, const struct port_extra *x, enum drop_cause cause) {
    return x->dropped[cause] + (cause == DROP_BUFFER ? p->refused : 0);
}
/* Returns the same for all causes. */
uint64_t port_dropped_all(const struct port *p, const struct port_extra *x);
/* The integral of a port's backlog from the start to an instant: of frames on an analytic link, and of frames that wait in
 * queues of classes. */
struct port_area {
    area_ps link;     /* wire byte ps */
    uint64_t waiting; /* frame bytes x AREA_UNIT, modulo 2^64 */
};
/* Returns the integral up to `now`. */
struct port_area port_area_by(const struct port *p, const struct port_view *v, const struct port_extra *x, time_ps now);
/* Returns the mean backlog between two instants, in frame bytes; 0 if `to` is no later than `from`. */
int64_t port_area_mean(const struct port_area *before, const struct port_area *after, time_ps from, time_ps to);
/* Returns the mean backlog from the start to `now`. */
int64_t port_mean_queue_bytes(const struct port *p, const struct port_view *v, const struct port_extra *x, time_ps now);
int64_t port_max_queue_bytes(const struct port *p, const struct port_view *v, const struct port_extra *x);
/* Returns the same, and begins the maximum anew with the backlog of `now`. Services before `now` must have been carried out. */
int64_t port_max_restart(struct port *p, const struct port_view *v, struct port_extra *x, time_ps now);
int64_t port_backlog_bytes(const struct port *p, const struct port_view *v, time_ps now);
/* Returns the wire bytes that have left by `now`. */
uint64_t port_bytes_sent_by(const struct port *p, const struct port_view *v, time_ps now);

#endif
