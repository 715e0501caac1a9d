/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are divided over ranks and threads, and compared with that of one process. */
#ifndef HEDDLE_TESTS_MERGE_LAB_H
#define HEDDLE_TESTS_MERGE_LAB_H

#include "sim/ranks_lab.h"

#include "unit.h"

static const struct shape { uint32_t ranks, threads; } shapes[] = {{2, 1}, {2, 2}, {3, 1}, {4, 1}, {1, 2}};

static inline void assert_same_on_all_shapes(struct lab *l) {
    lab_run_done(l);
    assert_true(l->r.engine.packet_hops > 500);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        assert_same_on_ranks(l, shapes[i].ranks, shapes[i].threads);
}

/* Four pods, short windows. */
static inline struct lab *lab_pods(void) {
    struct lab *l = lab_new(spec_clos(4, 2, 2, 2, 2));
    lab_link(l, "agg2.0-core0.1", 3 * GBPS, 5 * US, -1);
    lab_transport_param(l, 0, "min_rto", 500 * US);
    l->config.board_epoch = 20 * US;
    return l;
}

#define HOSTS 16

/* All that can be measured. */
static inline void lab_measure(struct lab *l) {
    static const uint32_t flow[] = {3, 7, 11};
    static const struct watched_link watch[] = {{0, false}, {30, true}};
    struct measure_config *m = &l->config.measure;
    m->queues = m->links = 20 * US;
    m->pauses = 30 * US;
    m->imbalance = 50 * US;
    m->goodput = 40 * US;
    m->converge = 20 * US;
    m->converge_band_ppb = PPB / 4;
    m->jain[0] = 20 * US;
    m->jain[1] = 70 * US;
    m->n_jain = 2;
    m->arrivals.from = 50 * US;
    m->sizes = (struct size_classes){.n_edges = 2, .edge = {2000, 30000}};
    static const struct measured_phase phase[] = {{"early", 0, 120 * US}, {"late", 120 * US, 400 * US}};
    m->phase = phase;
    m->n_phases = 2;
    m->watch = watch;
    m->n_watch = 2;
    m->flow = flow;
    m->n_flow = 3;
}

#endif
