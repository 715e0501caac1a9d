/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus in the fabric of balance_harness.h: the steps of one selection. */
#ifndef HEDDLE_TESTS_MECH_EXPEDITUS_BENCH_H
#define HEDDLE_TESTS_MECH_EXPEDITUS_BENCH_H

#include "balance_harness.h"

#define PST_TIMEOUT (100 * PS_PER_MS)

/* The frame as it leaves the source ToR; the caller frees it with drop. */
static inline uint32_t at_tor(struct bench *b, uint32_t frame, time_ps now, uint16_t *port) {
    struct balance_out out;
    *port = bench_ask(b, b->n_hosts + bench_leaf_of_ip(packet_at(&b->pool, frame)->src_ip), 0, frame, now, &out);
    assert_int_equal(out.emit, UINT32_MAX);
    return frame;
}

static inline void drop(struct bench *b, uint32_t frame) { packet_put(&b->pool, frame); }

/* The tag of the frame, which must have one. */
static inline const struct expeditus_tag *tag_of(struct bench *b, uint32_t frame) {
    struct packet *p = packet_at(&b->pool, frame);
    assert_true(p->shape & SHAPE_EXPEDITUS);
    return &packet_ext_at(&b->pool, p->ext)->tag;
}

/* Sends the first packet of a flow and lets the response come back. */
static inline void select_path(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port, time_ps now) {
    assert_true(bench_send(b, bench_syn(b, src, dst, src_port), now).delivered);
    assert_true(bench_answer(b, now, 99).consumed);
}

/* Three pods of three ToRs, four aggs in each, planes of two cores. */
static inline struct bench *clos(void) { return bench_build(bench_new("expeditus"), 3, 3, 4, 2); }
#define FAR 12 /* a host of pod 2 */

#endif
