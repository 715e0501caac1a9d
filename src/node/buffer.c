/* SPDX-License-Identifier: Apache-2.0 */
#include "node/buffer.h"

#include "node/cioq.h"

/* Backlogs of analytic ports, and of frames on wires, at one rate. */
struct rests {
    span_ps time; /* sum */
    uint32_t ps_per_byte;
};

/* Returns the frame bytes of the backlogs, by the rule of node/port.h. */
static int64_t rests_bytes(const struct rests *r) {
    return r->time ? r->time / r->ps_per_byte * FULL_FRAME_BYTES / FULL_WIRE_BYTES : 0;
}

/* Adds the backlog of a port; one division is enough for neighbours of the same rate. */
static inline int64_t rest_add(struct rests *r, const struct port *p, const struct port_view *v, time_ps now) {
    int64_t bytes = 0;
    span_ps left = p->busy_until - now;
    if (__builtin_expect(p->ps_per_byte != r->ps_per_byte, 0)) {
        if (left <= 0) return 0;
        if (!p->ps_per_byte) return port_frame_bytes(v, left);
        bytes = rests_bytes(r);
        *r = (struct rests){0, p->ps_per_byte};
    }
    r->time += max_i64(left, 0); /* no branch: whether a link is idle is hard to guess */
    return bytes;
}

/* Returns the bytes in the queues of ports with classes. If services are deferred, only ports with one have any. */
static int64_t queues_bytes(const struct fabric_switch *sw) {
    int64_t bytes = 0;
    if (sw->defers) {
        for (uint32_t word = 0; word < (sw->n_ports + 63u) / 64; word++)
            for (uint64_t ports = sw->deferred[word]; ports; ports &= ports - 1)
                bytes += port_queued_bytes(sw->classes[64 * word + (uint32_t)__builtin_ctzll(ports)]);
        return bytes;
    }
    if (sw->cioq) return cioq_queues_bytes(sw->cioq);
    for (uint16_t p = 0; p < sw->n_ports; p++) bytes += port_queued_bytes(sw->classes[p]);
    return bytes;
}

/* Returns the bytes of the backlogs of ports at several rates. */
static __attribute__((noinline)) int64_t mixed_bytes(const struct fabric_switch *sw, time_ps now) {
    struct rests rests = {0, 1}; /* never a rate of 0, which rest_add counts alone */
    int64_t bytes = 0;
    for (uint16_t p = 0; p < sw->n_ports; p++) bytes += rest_add(&rests, &sw->port[p], &sw->view[p], now);
    return bytes + rests_bytes(&rests);
}

/* Returns the bytes of the backlogs of all ports. */
static inline int64_t backlogs_bytes(const struct fabric_switch *sw, time_ps now) {
    struct rests rests = {0, sw->ps_per_byte};
    if (__builtin_expect(rests.ps_per_byte == 0, 0)) return mixed_bytes(sw, now);
    for (const struct port *p = sw->port, *last = p + sw->n_ports; p < last; p++)
        rests.time += max_i64(p->busy_until - now, 0);
    return rests_bytes(&rests);
}

int64_t switch_held_bytes(const struct fabric_switch *sw, time_ps now) {
    int64_t bytes = backlogs_bytes(sw, now);
    return sw->queued ? bytes + queues_bytes(sw) : bytes;
}

void switch_note_held(struct fabric_switch *sw, int64_t bytes) {
    struct buffer_watch *b = &sw->buffer;
    b->bound_bytes = bytes + (sw->cioq ? cioq_excess_bytes(sw->cioq) : 0);
    b->max_bytes = max_i64(b->max_bytes, bytes);
}

int64_t switch_most_restart(struct fabric_switch *sw, time_ps now) {
    int64_t most = sw->buffer.max_bytes;
    sw->buffer.max_bytes = 0;
    switch_note_held(sw, switch_held_bytes(sw, now));
    return most;
}
