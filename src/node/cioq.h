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
 * Two ways with an egress queue that is full (AM-3). `hold`: an output is asked only if its egress has room for a full
 * frame of the class, so back-pressure reaches the ingress queue, which flow control protects; each higher class keeps
 * a reserve that lower ones cannot use. Otherwise the frame crosses and is dropped there, and what finds the ingress
 * queue full is dropped too.
 *
 * Flow control (mech/flowctl): ingress queues over their threshold send a pause frame out of their port, before all
 * other frames; egress ports obey those that come in. Credits cross above all classes. Frames the switch makes itself
 * go straight to their egress queue.
 */
#ifndef HEDDLE_NODE_CIOQ_H
#define HEDDLE_NODE_CIOQ_H

#include "base/tie.h"
#include "mech/crossbar/islip.h"
#include "mech/flowctl/ingress_meter.h"
#include "node/switch.h"

/* One ingress port. */
struct cioq_input {
    uint32_t moving;     /* the frame that crosses */
    uint16_t bytes;      /* of it */
    uint8_t out, class;  /* its own, in the crossbar */
    int64_t ps_per_byte; /* of a crossing; 0 when it is no whole number */
    uint64_t area;       /* integral of the queue as in node/port.h; lacks what it holds x now */
    int64_t max_bytes;
    int64_t calm_bytes;         /* up to so many nothing comes of a frame's arrival: no record, no pause, no drop */
    struct ingress_meter meter; /* what it holds, by class */
} __attribute__((aligned(64)));

struct voq {
    uint32_t head, tail;
};

/* One egress port: the frame of data that is on its way there, at most one; credits take no room. */
struct cioq_output {
    struct port_classes *classes;
    int64_t
        ample_bytes; /* with no more queued it is open to all classes, whatever is on its wire or on its way there */
    uint16_t crossing_bytes;
    uint8_t class;
};

/* A frame in the forwarding engine. */
struct cioq_lookup {
    time_ps at;
    uint32_t packet;
    uint16_t bytes;    /* of the frame */
    uint8_t in, class; /* class: in the crossbar */
};

struct cioq {
    struct crossbar_config config;
    struct flowctl_config flow;
    uint64_t tie_key;    /* of the run */
    uint32_t first_port; /* global number of port 0 */
    uint16_t n;          /* ports */
    uint8_t top_class;   /* of each port; 0 too if all classes are one queue */
    bool one_queue;
    uint8_t done_in;       /* the input whose crossing ends first, */
    time_ps next_done;     /* and when; TIME_NONE */
    time_ps next_renewal;  /* a pause has to be said again */
    uint64_t renewing;     /* inputs with a pause that stands */
    int64_t largest_bytes; /* of a frame: an output is open to a class while its egress has room for one */
    struct islip islip;
    uint64_t all, idle_in, idle_out;
    uint64_t open[CROSSBAR_CLASSES]; /* outputs whose egress takes a full frame of the class */
    uint64_t narrow;                 /* outputs that are not open to all classes */
    time_ps *done_at;                /* [n] inputs that are not idle: when the frame has crossed */
    struct cioq_input *input;        /* [n] */
    struct voq *voq;                 /* [CROSSBAR_CLASSES][in][out] */
    struct cioq_output *output;      /* [n] */
    struct cioq_lookup *lookup;      /* ring, in the order of time; its size is a power of two */
    uint32_t lookup_head, lookup_n, lookup_size;
    time_ps next_lookup; /* of the first; TIME_NONE */
    time_ps next; /* earliest event of its own: an engine's result, the end of a crossing, a pause to be renewed */
    /* between calls of cioq_run only */
    uint64_t easy;  /* outputs that need no service events (node/cioq_egress.h) */
    uint64_t waits; /* those of them where frames wait */
    bool eases;     /* outputs may become so */
    bool early;     /* a frame may be taken in ahead of what happens before it arrives */
    struct emission *sent;
    uint32_t n_sent, sent_size;
};

/* What arrives at a switch in a slot, in order; and how far it has come. */
struct cioq_slot {
    const struct arrival *arrival;
    uint32_t n, taken;
    time_ps start, end;
    time_ps now; /* when the last of what was dropped or consumed was */
};

struct cioq *cioq_create(struct fabric_switch *sw, const struct switch_config *config, uint64_t seed);
void cioq_destroy(struct cioq *c);
uint64_t cioq_bytes(const struct cioq *c);

/* The frame's last bit has arrived; pause frames end here. */
void cioq_receive(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t packet, struct switch_out *out);
/* Does what is due first; c->next <= now. */
void cioq_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out);
/* All of a slot at once, with the same outcome as cioq_receive and cioq_timer in the order of time: everything before
 * slot->end. What was sent stands in c->sent, in order at each port. True: it stopped after an event at slot->now that
 * dropped or consumed a frame, and is to be called again. A switch that is run so is not driven otherwise. */
bool cioq_run(struct fabric_switch *sw, struct cioq_slot *slot);
/* The rate of a port is another now. */
void cioq_rate_changed(struct fabric_switch *sw, uint16_t port);
/* The egress queue of `port` has changed: pairs what may cross now. */
void cioq_egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now);

/* Frames of the class wait at input `in` for output `out`, whose egress queue takes none. */
static inline bool cioq_is_held(const struct cioq *c, uint16_t in, uint16_t out, uint32_t class) {
    bool waits = c->islip.request[class * c->n + out] >> in & 1;
    return waits && !(c->open[class] >> out & 1);
}

/* Bytes at input `in` as they were counted in: frames in the engine, in its virtual output queues, and the one that
 * crosses; by walking. */
int64_t cioq_input_bytes(const struct cioq *c, const struct packet_pool *pool, uint16_t in);
/* Frames inside, those that cross included; by walking. */
uint64_t cioq_length(const struct cioq *c, const struct packet_pool *pool);
/* Those of one flow, in either direction. */
uint64_t cioq_length_of(const struct cioq *c, const struct packet_pool *pool, uint32_t flow);
/* Credits among them. */
uint64_t cioq_credits(const struct cioq *c, const struct packet_pool *pool);
int64_t cioq_mean_ingress_bytes(const struct cioq *c, uint16_t port, time_ps now);

#endif
