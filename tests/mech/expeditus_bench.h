/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus in the fabric of balance_harness.h: helpers for the steps of one selection. */
#ifndef HEDDLE_TESTS_MECH_EXPEDITUS_BENCH_H
#define HEDDLE_TESTS_MECH_EXPEDITUS_BENCH_H

#include "balance_harness.h"

#define PST_TIMEOUT (100 * PS_PER_MS)

/* Passes a frame through its source ToR and returns it; the caller frees it with drop. */
static inline uint32_t at_tor(struct bench *b, uint32_t frame, time_ps now, uint16_t *port) {
    struct balance_out out;
    *port = bench_ask(b, b->n_hosts + bench_leaf_of_ip(packet_at(&b->pool, frame)->src_ip), 0, frame, now, &out);
    assert_int_equal(out.emit, UINT32_MAX);
    return frame;
}

static inline void drop(struct bench *b, uint32_t frame) { packet_put(&b->pool, frame); }

/* Returns the tag of the frame; fails if there is none. */
static inline const struct expeditus_tag *tag_of(struct bench *b, uint32_t frame) {
    struct packet *p = packet_at(&b->pool, frame);
    assert_true(p->shape & SHAPE_EXPEDITUS);
    return &packet_ext_at(&b->pool, p->ext)->tag;
}

/* Sends the first packet of a flow and then the response back to the source ToR. */
static inline void select_path(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port, time_ps now) {
    assert_true(bench_send(b, bench_syn(b, src, dst, src_port), now).delivered);
    assert_true(bench_answer(b, now, 99).consumed);
}

/* Builds three pods of three ToRs and four aggs each, with two cores per plane. */
static inline struct bench *clos(void) { return bench_build(bench_new("expeditus"), 3, 3, 4, 2); }
#define FAR 12 /* a host of pod 2 */

#endif
