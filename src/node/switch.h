/* SPDX-License-Identifier: Apache-2.0 */
/* A switch, sans-IO: a frame comes in with a time and leaves with a time.
 *
 *   receive -> [ingress load] -> route (fabric's rows) -> balance -> egress port -> (frame, port, departure)
 *
 * The driver (simulator, replay, live) owns the clock, the descriptors and the links. It hands every frame to
 * switch_receive with the time its last bit arrived, calls switch_timer when switch_next_timer says so, and carries out
 * what stands in `struct switch_out`: put the frame on the link at its departure, or free what was dropped or consumed.
 * One switch belongs to one thread.
 */
#ifndef HEDDLE_NODE_SWITCH_H
#define HEDDLE_NODE_SWITCH_H

#include "base/earliest.h"
#include "fabric/fabric.h"
#include "mech/balance/balance.h"
#include "node/config.h"
#include "node/port.h"

/* What becomes of one frame. */
struct emission {
    time_ps depart;
    uint32_t packet;
    uint16_t port;
    uint8_t drop;     /* enum drop_cause; then it left nowhere */
    uint8_t consumed; /* it was meant for this switch */
};

/* A frame that arrives in a slot of time, in an order by its key. */
struct arrival {
    uint64_t key; /* (time - start of the slot) << 16 | port */
    uint32_t packet;
    uint32_t rank; /* among frames of one instant; set only for those (sim/arrivals.h) */
};

/* At most: the frame itself, one more from the balancer, for each a frame of a queue that may start, a pause frame, and
 * what is pushed out of a queue. */
#define SWITCH_MAX_OUT 32
struct switch_out {
    uint32_t n;
    struct emission e[SWITCH_MAX_OUT];
};

struct cioq;

struct fabric_switch {
    const struct balancer_ops *balance;
    void *balance_state;
    const uint16_t *to_leaf; /* routes in force */
    const struct next_hops *sets;
    struct port_view *view; /* [n_ports] */
    struct port *port;
    struct port_extra *extra;
    struct packet_pool *pool;
    uint32_t leaf; /* own rack, or NODE_NONE */
    uint32_t node;
    uint32_t host_mask;
    uint16_t n_ports, first_uplink;
    uint8_t host_bits;
    uint16_t meters_from; /* ports from this one on keep their load; UINT16_MAX: none do */
    bool metered, queued, sees_all, sees_northbound;
    bool late;    /* services of ports are made up for (switch_may_be_late) */
    bool pins;    /* frames may carry a path that was chosen for them (SP-3) */
    bool records; /* credits note the way they went (CMB-1) */
    uint32_t n_leaves;
    time_ps next_timer; /* earliest of topology events, services and what the crossbar does */
    struct cioq *cioq;  /* queues at both ends of a crossbar (node/cioq.h); NULL: output queued */
    struct dre_params dre;
    uint64_t created;     /* frames made here: Exp-responses */
    uint64_t pauses_made; /* pause frames, which `created` leaves out */
    uint32_t serial;
    /* rarely touched */
    struct balance_env env;
    const struct fabric *fabric;
    const struct fabric_event *event, *event_end; /* what is still to happen here */
    struct place place;
    uint64_t *counters;
    struct earliest service; /* by port: next service of a queued one; TIME_NONE */
};

struct switch_setup {
    const struct fabric *fabric;
    const struct switch_config *config;
    struct packet_pool *pool;
    const struct load_board *board;
    struct port_view *view;
    struct port *port;
    struct port_extra *extra;
    uint64_t seed;
    bool flat_tables;
};

void switch_init(struct fabric_switch *sw, uint32_t node, const struct switch_setup *setup);
void switch_fini(struct fabric_switch *sw);
uint64_t switch_memory_bytes(const struct fabric_switch *sw);

/* The frame's last bit arrived at in_port. out->n is set. */
void switch_receive(struct fabric_switch *sw, time_ps now, uint16_t in_port, uint32_t packet, struct switch_out *out);

/* Whether nobody sees a port but the frames that go there, so that its services may be made up for when one comes, and
 * at the end of a slot. The driver that wants it so sets `late`; the switch has no events for services then, the driver
 * asks switch_service_of and calls switch_serve_one for a port before a frame is put there, and for all ports before
 * their topology changes and when the slot is over. */
bool switch_may_be_late(const struct fabric_switch *sw);
static inline time_ps switch_service_of(const struct fabric_switch *sw, uint16_t port) {
    return earliest_of(&sw->service, port);
}
void switch_serve_one(struct fabric_switch *sw, uint16_t port, time_ps now, struct switch_out *out);
/* The next topology event takes place. */
void switch_topology(struct fabric_switch *sw);
/* The slot is over: the next event, services among them. */
void switch_end_slot(struct fabric_switch *sw);

/* What nobody could foresee, in a fabric without a timeline of failures: a link of a live switch changes now. e->kind is
 * as in the timeline but for EVENT_ROUTES; e->at is now. */
void switch_event(struct fabric_switch *sw, const struct fabric_event *e);
/* The fabric's first route state changed in place. */
void switch_reroute(struct fabric_switch *sw, time_ps now);

/* Something is due: a topology event or the service of a queued port; does the earliest. */
void switch_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out);
static inline time_ps switch_next_timer(const struct fabric_switch *sw) { return sw->next_timer; }

/* Registers of every metered egress at `now`, into load_ps[global port] (Clairvoyant's board). */
void switch_read_loads(struct fabric_switch *sw, time_ps now, int64_t *load_ps);

#endif
