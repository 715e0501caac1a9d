/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of a switch only: what becomes of frames, and when ports are served. */
#ifndef HEDDLE_NODE_SWITCH_INSIDE_H
#define HEDDLE_NODE_SWITCH_INSIDE_H

#include "node/forward.h"

static inline void out_add(struct switch_out *out, uint32_t packet, uint16_t port, time_ps depart, uint8_t drop) {
    out->e[out->n++] = (struct emission){.depart = depart, .packet = packet, .port = port, .drop = drop};
}

static inline void out_consume(struct switch_out *out, uint32_t packet, uint16_t port, time_ps now) {
    out->e[out->n++] = (struct emission){.depart = now, .packet = packet, .port = port, .consumed = 1};
}

/* The frame is dropped where it stands: `port` counts it. */
void switch_refuse(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t packet, enum drop_cause cause,
                   struct switch_out *out);
/* Into the egress queue of `port`, or out at once. */
void switch_send(struct fabric_switch *sw, time_ps now, uint32_t packet, uint16_t port, struct switch_out *out);
/* Starts the next frame of a queued port if its link is idle; keeps the time of its next service. */
void switch_serve(struct fabric_switch *sw, uint16_t port, time_ps now, struct switch_out *out);
/* Keeps the time of the port's next service, and which is the first of all. */
void switch_note_service(struct fabric_switch *sw, uint16_t port, time_ps now);
/* The port says itself when it is to be served: no event of its own. */
void switch_forget_service(struct fabric_switch *sw, uint16_t port);
/* A frame that was made here is this switch's own. */
void switch_adopt(struct fabric_switch *sw, time_ps now, uint32_t packet);
/* The earliest of all that is to happen here by itself. */
void switch_find_timer(struct fabric_switch *sw);

#endif
