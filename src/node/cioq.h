/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a switch with queues at both ends of a crossbar (combined input and output queued; DeTail 5.1, DT-1).
 *
 *   arrival -> ingress queue -> forwarding engine -> route, balance -> virtual output queue -> crossbar -> egress port
 *
 * A frame takes room in the ingress queue of its port from its last bit's arrival until it has crossed. After the
 * forwarding delay its output is known and it stands in the virtual output queue of (input, output, class). iSlip pairs
 * inputs and outputs that are both idle; a pair is held for frame bytes / (speedup x rate) (AM-5), then the frame
 * stands in the egress queue, an ordinary port with classes.
 *
 * There are two policies for a full egress queue (AM-3). With `hold` an output takes part only if its egress queue has
 * room for a full frame of the class. So back-pressure reaches the ingress queue, which flow control protects; each
 * higher class keeps a reserve that lower ones cannot use. With the other policy the frame crosses and is dropped at
 * the egress queue, and a frame that finds the ingress queue full is dropped too.
 *
 * Flow control (mech/flowctl): ingress queues over their threshold send a pause frame out of their port, before all
 * other frames; egress ports obey the pause frames that arrive, until a watchdog stops that. Credits cross before all classes. Frames that the
 * switch makes itself go directly to their egress queue.
 */
#ifndef HEDDLE_NODE_CIOQ_H
#define HEDDLE_NODE_CIOQ_H

#include "base/tie.h"
#include "mech/crossbar/islip.h"
#include "mech/flowctl/ingress_meter.h"
#include "mech/flowctl/pause_watchdog.h"
#include "node/switch.h"

/* One ingress port. */
struct cioq_input {
    uint32_t moving;     /* the frame that crosses */
    uint16_t bytes;      /* its frame bytes */
    uint8_t out, class;  /* its output, and its class in the crossbar */
    int64_t ps_per_byte; /* time that a byte takes to cross; 0 when it is no whole number */
    uint64_t area;       /* integral of the queue as in node/port_queue.h, without the term of the present instant */
    int64_t max_bytes;
    int64_t
        least_threshold_bytes; /* below this queue length an arrival sets no maximum, pauses nothing and is not dropped */
    struct ingress_meter meter; /* bytes in the queue, by class */
} __attribute__((aligned(64)));

struct voq {
    uint32_t head, tail;
};

/* One egress port. At most one frame crosses to it. */
struct cioq_output {
    struct port *port;
    struct port_classes *classes;
    const struct port_view *view;
    struct port_extra *extra;
    int64_t open_below_bytes; /* below this backlog there is room for all classes, whatever is on the wire or crosses */
} __attribute__((aligned(64)));

/* A frame in the forwarding engine. */
struct cioq_lookup {
    time_ps at;
    uint32_t packet;
    uint16_t bytes;    /* frame bytes */
    uint8_t in, class; /* input, and class in the crossbar */
};

struct cioq {
    struct crossbar_config config;
    struct flowctl_config flow;
    uint64_t tie_key;    /* key of the run's ties (base/tie.h) */
    uint32_t first_port; /* global number of port 0 */
    uint16_t n;          /* ports */
    uint8_t top_class;   /* highest class of each port; 0 if all classes are one queue */
    bool one_queue;
    uint8_t done_in;                 /* the input whose crossing ends first */
    time_ps next_done;               /* when that crossing ends; TIME_NONE */
    time_ps next_renewal;            /* when the next pause must be refreshed; TIME_NONE */
    time_ps next_watch;              /* when the watchdog polls, or drops more frames; TIME_NONE: no port is paused */
    uint64_t renewing;               /* set of inputs that have paused their neighbour */
    uint64_t emptying;               /* set of outputs with frames that the watchdog is to drop */
    uint64_t settling;               /* set of outputs that the watchdog has changed just now */
    struct pause_watchdog *watchdog; /* [n]; NULL: there is none */
    int64_t largest_bytes; /* frame bytes of the largest frame; an output is open to a class with room for one */
    struct islip islip;
    uint64_t all, idle_in;
    int64_t ingress_bytes; /* in all ingress queues; between two sets, which would else share a vector register */
    uint64_t idle_out;
    uint64_t open[CROSSBAR_CLASSES]; /* set of outputs whose egress queue has room for a frame of the class */
    uint64_t narrow;                 /* set of outputs that are not open to all classes */
    time_ps *done_at;                /* [n] when the frame of a busy input has crossed */
    struct cioq_input *input;        /* [n] */
    struct voq *voq;                 /* [CROSSBAR_CLASSES][in][out] */
    struct cioq_output *output;      /* [n] */
    struct cioq_lookup *lookup;      /* [lookup_size] ring in the order of time; a power of two */
    uint32_t lookup_head, lookup_n, lookup_size;
    time_ps next_lookup; /* when the first lookup ends; TIME_NONE */
    time_ps next;        /* earliest end of a lookup or crossing, refresh of a pause, or turn of the watchdog */
    /* used by cioq_run only */
    uint64_t easy;  /* set of outputs whose services are deferred (node/cioq_egress.h) */
    uint64_t waits; /* the outputs of `easy` with a backlog */
    bool eases;     /* services may be deferred */
    bool early;     /* frames may be admitted ahead of their arrival */
    struct emission *sent;
    uint32_t n_sent, sent_size;
};

/* The arrivals of a slot at a switch, in order, and how many of them have been handled. */
struct cioq_slot {
    const struct arrival *arrival;
    uint32_t n, taken;
    time_ps start, end;
    time_ps now; /* when the last frame was dropped or consumed */
};

struct cioq *cioq_create(struct fabric_switch *sw, const struct switch_config *config, uint64_t seed);
void cioq_destroy(struct cioq *c);
uint64_t cioq_bytes(const struct cioq *c);
/* Returns the bytes of a new one, without its rings. */
uint64_t cioq_bytes_at(uint32_t n_ports);

/* Handles a frame whose last bit has arrived; a pause frame is obeyed and consumed. */
void cioq_receive(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t packet, struct switch_out *out);
/* Handles the event that is due first; c->next <= now. */
void cioq_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out);
/* Handles all events before slot->end, with the same outcome as cioq_receive and cioq_timer in the order of time. The
 * frames that were sent stand in c->sent, in order for each port. Returns true if it stopped after an event at
 * slot->now that dropped or consumed a frame; it is to be called again then. A switch that is run so is not driven
 * otherwise. */
bool cioq_run(struct fabric_switch *sw, struct cioq_slot *slot);
/* Follows a change of the rate of a port. */
void cioq_rate_changed(struct fabric_switch *sw, uint16_t port);
/* Matches inputs with the output `port`, whose egress queue has changed. */
void cioq_egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now);

/* Returns the bytes in all ingress and egress queues; services that are due must have been carried out. */
int64_t cioq_queues_bytes(const struct cioq *c);
/* Returns how much more than in their queues, at most, the frames that wait now will count for on the wires (node/buffer.h). */
int64_t cioq_excess_bytes(const struct cioq *c);

/* Returns the watchdog of a port; NULL: it has none. */
static inline const struct pause_watchdog *cioq_watchdog(const struct cioq *c, uint16_t port) {
    return c && c->watchdog ? &c->watchdog[port] : NULL;
}

/* Returns whether frames of the class wait at input `in` for output `out`, whose egress queue has no room for them. */
static inline bool cioq_is_held(const struct cioq *c, uint16_t in, uint16_t out, uint32_t class) {
    bool waits = islip_output(&c->islip, out, class)->partners >> in & 1;
    return waits && !(c->open[class] >> out & 1);
}

/* Count by walking the queues, for audits. cioq_input_bytes returns the bytes at input `in`: frames in the engine, in
 * its virtual output queues, and the one that crosses. */
int64_t cioq_input_bytes(const struct cioq *c, const struct packet_pool *pool, uint16_t in);
/* Returns the number of frames inside, crossing ones included. */
uint64_t cioq_length(const struct cioq *c, const struct packet_pool *pool);
/* Returns the number of frames of one flow, in either direction. */
uint64_t cioq_length_of(const struct cioq *c, const struct packet_pool *pool, uint32_t flow);
/* Returns the number of credits. */
uint64_t cioq_credits(const struct cioq *c, const struct packet_pool *pool);
/* Returns the integral of the ingress queue of a port up to `now`, in bytes x AREA_UNIT (node/port.h), modulo 2^64. */
uint64_t cioq_ingress_area(const struct cioq *c, uint16_t port, time_ps now);
/* Returns its mean from the start to `now`. */
int64_t cioq_mean_ingress_bytes(const struct cioq *c, uint16_t port, time_ps now);

#endif
