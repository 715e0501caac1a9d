/* SPDX-License-Identifier: Apache-2.0 */
/* The run of a lab carried out by several ranks (ranks/fake_ranks.h), and its result compared with that of one process. */
#ifndef HEDDLE_TESTS_SIM_RANKS_LAB_H
#define HEDDLE_TESTS_SIM_RANKS_LAB_H

#include "ranks/fake_ranks.h"
#include "sim/fixture.h"

struct ranks_lab {
    const struct lab *lab;
    uint32_t threads;
    enum world_outcome outcome[FAKE_MOST];
    struct run_result result[FAKE_MOST];
};

static inline void ranks_lab_body(const struct ranks *ranks, void *context) {
    struct ranks_lab *r = context;
    struct world_config config = r->lab->config;
    struct ranks_group group;
    ranks_group_join(&group, ranks, ranks->size);
    config.group = &group;
    config.threads = r->threads;
    r->outcome[ranks->rank] = world_run(&config, &r->result[ranks->rank]);
}

/* Runs the lab, which has been run alone before, on ranks. *leader: the result, which the caller frees. Returns the
 * leader's outcome. */
static inline enum world_outcome lab_run_on_ranks(const struct lab *l, uint32_t ranks, uint32_t threads,
                                                  struct run_result *leader) {
    struct ranks_lab *r = memory_get(1, sizeof *r);
    r->lab = l;
    r->threads = threads;
    assert_true(l->has_result);
    assert_null(world_refuses_ranks(&l->config, ranks, threads));
    assert_int_equal(fake_ranks(ranks, ranks_lab_body, r), 0);
    enum world_outcome outcome = r->outcome[0];
    for (uint32_t i = 1; i < ranks; i++) run_result_free(&r->result[i]);
    *leader = r->result[0];
    free(r);
    return outcome;
}

/* ---- comparison ---- */

/* Return from the caller with the name of the field that differs. Structs that are compared as a whole have no padding. */
#define DIFFER_IN(field)                                                                                               \
    if (a->field != b->field) return #field
#define DIFFER_IN_ALL(field)                                                                                           \
    if (memcmp(&a->field, &b->field, sizeof a->field) != 0) return #field
#define DIFFER_IN_LIST(list, n)                                                                                        \
    if (a->n != b->n || (a->n && memcmp(a->list, b->list, a->n * sizeof *a->list) != 0)) return #list

static inline const char *ports_differ(const struct port_total *a, const struct port_total *b) {
    DIFFER_IN(port);
    DIFFER_IN(sent_bytes);
    DIFFER_IN(credit_bytes);
    DIFFER_IN(mean_queue_bytes);
    DIFFER_IN(max_queue_bytes);
    DIFFER_IN(utilisation_ppb);
    DIFFER_IN(data_ppb);
    DIFFER_IN(dropped);
    DIFFER_IN(paused);
    DIFFER_IN(blocked);
    return NULL;
}

static inline const char *links_differ(const struct link_use *a, const struct link_use *b) {
    DIFFER_IN(n);
    DIFFER_IN(mean_ppb);
    DIFFER_IN(max_ppb);
    DIFFER_IN(min_ppb);
    DIFFER_IN(data_mean_ppb);
    DIFFER_IN(data_max_ppb);
    DIFFER_IN(data_min_ppb);
    return NULL;
}

static inline const char *pauses_differ(const struct pause_totals *a, const struct pause_totals *b) {
    DIFFER_IN(sent);
    DIFFER_IN(stops);
    DIFFER_IN(paused);
    DIFFER_IN_ALL(paused_by);
    DIFFER_IN(blocked);
    DIFFER_IN(ingress_mean_sum);
    DIFFER_IN(ingress_max_bytes);
    DIFFER_IN(n_ingress);
    DIFFER_IN(storms);
    DIFFER_IN(longest);
    DIFFER_IN(rings);
    return NULL;
}

static inline const char *timelines_differ(const struct timeline_entry *a, const struct timeline_entry *b) {
    DIFFER_IN(at);
    DIFFER_IN(flow);
    DIFFER_IN(node);
    DIFFER_IN(port);
    DIFFER_IN(kind);
    DIFFER_IN(seq_offset);
    DIFFER_IN(size);
    DIFFER_IN(backlog_bytes);
    DIFFER_IN(credit);
    DIFFER_IN(frame);
    return NULL;
}

static inline const char *queues_differ(const struct queue_use *a, const struct queue_use *b) {
    DIFFER_IN(n_ports);
    DIFFER_IN(mean_bytes);
    DIFFER_IN(max_bytes);
    return NULL;
}

static inline const char *flows_differ(const struct run_result *a, const struct run_result *b) {
    DIFFER_IN(flows_started);
    DIFFER_IN(flows_finished);
    DIFFER_IN(flows_unfinished);
    DIFFER_IN(flow_bytes);
    DIFFER_IN_LIST(tally, n_flows);
    DIFFER_IN_LIST(bound_ps, n_flows);
    DIFFER_IN_ALL(times);
    DIFFER_IN_ALL(all_times);
    DIFFER_IN_ALL(size_times);
    DIFFER_IN_ALL(all_size_times);
    DIFFER_IN_ALL(goodput);
    DIFFER_IN_ALL(open);
    DIFFER_IN_ALL(queries);
    DIFFER_IN_ALL(degree_frames);
    DIFFER_IN_ALL(counts.reorder_milli);
    DIFFER_IN_ALL(counts.wasted_milli);
    DIFFER_IN_ALL(counts.unfilled_milli);
    DIFFER_IN_ALL(host_goodput_bps);
    DIFFER_IN(host_goodput_jain_ppm);
    DIFFER_IN_ALL(flow_variation_ppm);
    DIFFER_IN_ALL(fairness);
    DIFFER_IN_ALL(converged_ps);
    DIFFER_IN_ALL(converged_first_ps);
    DIFFER_IN_ALL(converged_third_ps);
    DIFFER_IN_LIST(join, n_joins);
    return NULL;
}

static inline const char *lists_differ(const struct run_result *a, const struct run_result *b) {
    const char *found = NULL;
    DIFFER_IN_LIST(sample, n_samples);
    DIFFER_IN(samples_thinned);
    DIFFER_IN(n_counters);
    DIFFER_IN(n_ports);
    DIFFER_IN(n_imbalance);
    DIFFER_IN(n_pauses);
    DIFFER_IN(n_ring_lanes);
    DIFFER_IN(n_timeline);
    for (size_t i = 0; i < a->n_counters; i++) {
        if (strcmp(a->counter[i].name, b->counter[i].name) != 0) return "names of counters";
        if (a->counter[i].value != b->counter[i].value) return a->counter[i].name;
    }
    for (size_t i = 0; i < a->n_ports && !found; i++) found = ports_differ(&a->port[i], &b->port[i]);
    for (size_t i = 0; i < a->n_imbalance; i++) {
        DIFFER_IN(imbalance[i].at);
        DIFFER_IN(imbalance[i].node);
        DIFFER_IN(imbalance[i].value_ppm);
    }
    for (size_t i = 0; i < a->n_pauses; i++) {
        DIFFER_IN(pause[i].port);
        DIFFER_IN(pause[i].class);
        DIFFER_IN(pause[i].stops);
        DIFFER_IN(pause[i].paused);
        DIFFER_IN(pause[i].longest);
        DIFFER_IN(pause[i].longest_from);
        DIFFER_IN(pause[i].storms);
    }
    for (size_t i = 0; i < a->n_timeline && !found; i++) found = timelines_differ(&a->timeline[i], &b->timeline[i]);
    return found;
}

/* Returns what differs between two results of one run, or NULL. Memory, time of the clock and the division differ. */
static inline const char *results_differ(const struct run_result *a, const struct run_result *b) {
    const char *found = flows_differ(a, b);
    if (!found) found = lists_differ(a, b);
    if (!found) found = pauses_differ(&a->pauses, &b->pauses);
    if (!found) found = links_differ(&a->watched, &b->watched);
    for (int t = 0; t < TIER_COUNT && !found; t++) found = links_differ(&a->link[t], &b->link[t]);
    for (int q = 0; q < QUEUE_PLACES && !found; q++) found = queues_differ(&a->queue[q], &b->queue[q]);
    if (found) return found;
    DIFFER_IN_ALL(packets);
    DIFFER_IN_ALL(credits);
    DIFFER_IN(queue_mean_bytes);
    DIFFER_IN(queue_max_bytes);
    DIFFER_IN_ALL(imbalance_ppm);
    DIFFER_IN_ALL(imbalance_of);
    DIFFER_IN(engine.sim_ps);
    DIFFER_IN(engine.packet_hops);
    DIFFER_IN(engine.digest);
    return strcmp(a->failure, b->failure) != 0 ? "failure" : NULL;
}

/* Fails unless the ranks, of so many threads each, have the result that the lab has of its last run. Returns what they sent
 * each other. */
static inline struct rank_traffic assert_same_on_ranks(const struct lab *l, uint32_t ranks, uint32_t threads) {
    struct run_result r;
    assert_int_equal(lab_run_on_ranks(l, ranks, threads, &r), WORLD_DONE);
    const char *what = results_differ(&l->r, &r);
    if (what) fail_msg("%u ranks of %u threads: %s differs", ranks, threads, what);
    struct rank_traffic traffic = r.engine.traffic;
    run_result_free(&r);
    return traffic;
}

#endif
