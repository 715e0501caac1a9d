/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of a switch and by nobody else: outcomes of frames, and services of ports. */
#ifndef HEDDLE_NODE_SWITCH_INSIDE_H
#define HEDDLE_NODE_SWITCH_INSIDE_H

#include "node/forward.h"

static inline void out_add(struct switch_out *out, uint32_t packet, uint16_t port, time_ps depart, uint8_t drop) {
    out->e[out->n++] = (struct emission){.depart = depart, .packet = packet, .port = port, .drop = drop};
}

static inline void out_consume(struct switch_out *out, uint32_t packet, uint16_t port, time_ps now) {
    out->e[out->n++] = (struct emission){.depart = now, .packet = packet, .port = port, .consumed = 1};
}

/* Drops a frame at `now`; `port` counts it. */
void switch_refuse(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t packet, enum drop_cause cause,
                   struct switch_out *out);
/* Puts a frame into the egress queue of `port`, or sends it at once if the port is free. */
void switch_send(struct fabric_switch *sw, time_ps now, uint32_t packet, uint16_t port, struct switch_out *out);
/* Starts the next frame of a port with classes if its link is idle, and notes its next service. */
void switch_serve(struct fabric_switch *sw, uint16_t port, time_ps now, struct switch_out *out);
/* Notes the time of the port's next service, and updates next_timer. */
void switch_note_service(struct fabric_switch *sw, uint16_t port, time_ps now);
/* Removes the port's next service, which the crossbar carries out itself (node/cioq_egress.h). */
void switch_forget_service(struct fabric_switch *sw, uint16_t port);
/* Stamps a frame that this switch has made with its origin, serial number and time, and counts it. */
void switch_adopt(struct fabric_switch *sw, time_ps now, uint32_t packet);
/* Sets next_timer to the earliest topology event, service or event of the crossbar. */
void switch_find_timer(struct fabric_switch *sw);

#endif
