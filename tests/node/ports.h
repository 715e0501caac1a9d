/* SPDX-License-Identifier: Apache-2.0 */
/* A port with its view and pool, for tests: created from a few fields, fed with frames by size. */
#ifndef HEDDLE_TESTS_NODE_PORTS_H
#define HEDDLE_TESTS_NODE_PORTS_H

#include <stdlib.h>
#include <string.h>

#include "node/port.h"

#include "unit.h"

#define GBPS 1000000000LL
#define US PS_PER_US
#define FULL FULL_WIRE_BYTES
#define FULL_FRAME FULL_FRAME_BYTES
#define BYTE_PS 800 /* at 10 Gbps */

struct rig {
    struct port p;
    struct port_view v;
    struct port_extra x;
    struct packet_pool pool;
    struct port_setup setup;
};

/* Creates a port of 10 Gbps without delay or bound of its buffer; the caller may change r->setup before rig_start. */
static inline struct rig *rig_new(void) {
    struct rig *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    assert_non_null(r);
    memset(r, 0, sizeof *r);
    r->setup = (struct port_setup){
        .rate_bps = 10 * GBPS, .admit.limit_bytes = INT64_MAX, .config.classes = 1, .seed = 1, .dead_from = TIME_NONE};
    return r;
}

static inline struct rig *rig_start(struct rig *r) {
    packet_pool_init(&r->pool);
    port_init(&r->p, &r->v, &r->x, &r->setup);
    return r;
}

static inline struct rig *rig_of(int64_t rate_bps, int64_t buffer_bytes) {
    struct rig *r = rig_new();
    r->setup.rate_bps = rate_bps;
    r->setup.admit.limit_bytes = buffer_bytes;
    return rig_start(r);
}

static inline struct rig *rig_classes(const struct schedule_ops *schedule, uint32_t classes, int64_t buffer_bytes) {
    struct rig *r = rig_new();
    r->setup.config.schedule.ops = schedule;
    r->setup.config.classes = classes;
    r->setup.admit.limit_bytes = buffer_bytes;
    return rig_start(r);
}

static inline void rig_end(struct rig *r) {
    port_fini(&r->x);
    packet_pool_fini(&r->pool);
    free(r);
}

static inline struct packet frame_of(uint16_t wire_bytes) { return (struct packet){.wire_bytes = wire_bytes}; }

/* Sends a frame on an analytic port; writes the departure of its last bit to *depart. */
static inline enum drop_cause rig_send(struct rig *r, uint16_t wire_bytes, time_ps now, time_ps *depart) {
    struct packet f = frame_of(wire_bytes);
    return port_enqueue(&r->p, &r->v, &r->x, NULL, &f, now, depart);
}

/* Sends a frame, which must be accepted. Returns its departure. */
static inline time_ps rig_departure(struct rig *r, uint16_t wire_bytes, time_ps now) {
    time_ps depart = 0;
    assert_int_equal(rig_send(r, wire_bytes, now, &depart), DROP_NONE);
    return depart;
}

#endif
