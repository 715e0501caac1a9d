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

#include "mech/crossbar/islip.h"
#include "mech/flowctl/ingress_meter.h"
#include "node/switch.h"

/* One ingress port. */
struct cioq_input {
    struct ingress_meter meter; /* what it holds, by class */
    uint32_t moving;            /* the frame that crosses */
    uint16_t out;
    uint8_t class;       /* of the frame, in the crossbar */
    int64_t rate_bps;    /* for which the next stands */
    int64_t ps_per_byte; /* of a crossing; 0 when it is no whole number */
    uint64_t area;       /* integral of the queue, bytes x ns */
    time_ps area_to;
    int64_t max_bytes;
};

struct voq {
    uint32_t head, tail;
};

/* One egress port: the frame of data that is on its way there, at most one; credits take no room. */
struct cioq_output {
    uint16_t crossing_bytes;
    uint8_t class;
};

/* A frame in the forwarding engine. */
struct cioq_lookup {
    time_ps at;
    uint32_t packet;
    uint16_t in;
};

struct cioq {
    struct cioq_settings settings;
    uint16_t n;            /* ports */
    uint8_t classes;       /* of each port */
    bool one_queue;        /* they are one queue */
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
    struct voq *voq;                 /* [in][out][CROSSBAR_CLASSES] */
    struct cioq_output *output;      /* [n] */
    struct cioq_lookup *lookup;      /* ring, in the order of time; its size is a power of two */
    uint32_t lookup_head, lookup_n, lookup_size;
    time_ps next; /* earliest event of its own: an engine's result, the end of a crossing, a pause to be renewed */
};

struct cioq *cioq_create(struct fabric_switch *sw, const struct cioq_settings *settings);
void cioq_destroy(struct cioq *c);
uint64_t cioq_bytes(const struct cioq *c);

/* The frame's last bit has arrived; pause frames end here. */
void cioq_receive(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t packet, struct switch_out *out);
/* Does what is due first; c->next <= now. */
void cioq_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out);
/* The egress queue of `port` has changed: pairs what may cross now. */
void cioq_egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now);

/* Frames of the class wait at input `in` for output `out`, whose egress queue takes none. */
static inline bool cioq_is_held(const struct cioq *c, uint16_t in, uint16_t out, uint32_t class) {
    bool waits = c->islip.request[class * c->n + out] >> in & 1;
    return waits && !(c->open[class] >> out & 1);
}

/* Frames inside, those that cross included; by walking. */
uint64_t cioq_length(const struct cioq *c, const struct packet_pool *pool);
/* Those of one flow, in either direction. */
uint64_t cioq_length_of(const struct cioq *c, const struct packet_pool *pool, uint32_t flow);
/* Credits among them. */
uint64_t cioq_credits(const struct cioq *c, const struct packet_pool *pool);
int64_t cioq_mean_ingress_bytes(const struct cioq *c, uint16_t port, time_ps now);

#endif
