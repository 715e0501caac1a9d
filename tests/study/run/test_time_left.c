/* SPDX-License-Identifier: Apache-2.0 */
/* How far a run says that it is, by simulated progress alone: pairs (packet-hops carried, share that is said to be done) of every epoch.
 * The machine carries so many packet-hops a second, so that the time left is what these pairs foresee, whatever its speed. */
#include "assembly_test.h"

#include "sim/world.h"

#include <stdlib.h>

#define LEAF_SPINE "fabric: {kind: leaf-spine, leaves: 4, spines: 4, hosts: 4, rate: 100Gbps, delay: 500ns}\n"
#define TRAINING "kind: training, placement: packed, layers: 4, micro_batches: 2, forward: 10us"

struct share_pair {
    uint64_t hops;
    double done, flows;
    time_ps now;
};
struct share_pairs {
    struct share_pair pair[4096];
    size_t n;
};

static bool pair_take(const struct progress *p, void *context) {
    struct share_pairs *all = context;
    if (all->n < 4096)
        all->pair[all->n++] = (struct share_pair){.hops = p->packet_hops,
                                                  .done = (double)p->done_ppb / (double)PPB,
                                                  .flows = (double)p->flows_done / (double)p->flows_total,
                                                  .now = p->now};
    return true;
}

/* Runs the first run of an experiment. Returns its packet-hops. */
static uint64_t pairs_take(const char *text, uint32_t threads, struct share_pairs *all) {
    struct assembly *a = assemble(text);
    struct run_result *r = calloc(1, sizeof *r);
    all->n = 0;
    a->world.threads = threads;
    a->world.progress = pair_take;
    a->world.progress_context = all;
    a->world.progress_often = true;
    assert_int_equal(world_run(&a->world, r), WORLD_DONE);
    uint64_t hops = r->engine.packet_hops;
    run_result_free(r);
    free(r);
    assembly_free(a);
    return hops;
}

/* Returns by how much the packet-hops left that a share foresees differ from the true number, at worst: of all epochs between a tenth and nine
 * tenths of the run, as a part of the number left. */
static double worst_error(const struct share_pairs *all, uint64_t in_all, bool by_flows) {
    double worst = 0;
    size_t n = 0;
    for (const struct share_pair *p = all->pair; p < all->pair + all->n; p++) {
        double hops = (double)p->hops, left = (double)in_all - hops, share = by_flows ? p->flows : p->done;
        if (hops < 0.1 * (double)in_all || hops > 0.9 * (double)in_all) continue;
        double error = share > 0 ? (hops / share - hops) / left - 1 : 1;
        if (error < 0) error = -error;
        if (error > worst) worst = error;
        n++;
    }
    assert_true(n >= 4);
    return worst;
}

/* Jobs whose messages differ in size and length of their paths, phase by phase. */
static const char *const jobs[] = {
    LEAF_SPINE "scheme: dctcp\nworkload: {" TRAINING
               ", tensor: 4, data: 4, activation: 1MB, gradients: 64MB, weights: 32MB}\n",
    LEAF_SPINE "scheme: spraypass\nworkload: {" TRAINING
               ", tensor: 4, data: 4, activation: 1MB, gradients: 64MB, weights: 32MB}\n",
    LEAF_SPINE "scheme: dctcp\nworkload: {" TRAINING
               ", data: 16, expert: 4, expert_bytes: 1MB, gradients: 16MB, weights: 8MB}\n",
    LEAF_SPINE "scheme: dctcp\nworkload: {" TRAINING
               ", pipeline: 4, activation: 100KB, gradients: 64MB, weights: 32MB}\n",
    LEAF_SPINE
    "scheme: dctcp\nworkload: {kind: collective, algorithm: hierarchical, group: 4, size: 32MB, iterations: 2}\n",
    LEAF_SPINE
    "scheme: detail-fast\nworkload: {kind: collective, op: all-to-all, size: 8MB, iterations: 4, window: 4}\n",
    "fabric: {kind: rails, servers: 4, gpus: 4, spines: 2, rate: 100Gbps, delay: 500ns}\n"
    "scheme: spraypass\nworkload: {" TRAINING
    ", tensor: 4, data: 4, activation: 1MB, gradients: 64MB, weights: 32MB}\n",
};
#define N_JOBS (sizeof jobs / sizeof *jobs)

static void time_left__of_a_job_is_right_within_30_percent(void **state) {
    (void)state;
    static struct share_pairs all;
    double worst_by_flows = 0;
    for (size_t i = 0; i < N_JOBS; i++) {
        uint64_t hops = pairs_take(jobs[i], 1, &all);
        double error = worst_error(&all, hops, false), by_flows = worst_error(&all, hops, true);
        if (error > 0.3) fail_msg("off by %.2f (by flows %.2f):\n%s", error, by_flows, jobs[i]);
        if (by_flows > worst_by_flows) worst_by_flows = by_flows;
    }
    assert_true(worst_by_flows > 0.5); /* or these jobs tell nothing */
}

/* Each share follows from the run, so the line of a run on two threads says the same. */
static void time_left__is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    static struct share_pairs one, two;
    assert_true(pairs_take(jobs[0], 1, &one) == pairs_take(jobs[0], 2, &two));
    size_t common = 0;
    for (size_t i = 0, k = 0; i < one.n && k < two.n;) { /* epochs without events may be left out */
        if (one.pair[i].now == two.pair[k].now) {
            assert_true(one.pair[i].done == two.pair[k].done);
            common++;
        }
        if (one.pair[i].now <= two.pair[k].now)
            i++;
        else
            k++;
    }
    assert_true(common > 20);
    assert_true(one.n > 0 && one.pair[one.n - 1].done == 1);
}

static void time_left__of_a_run_with_an_end_follows_its_time(void **state) {
    (void)state;
    static struct share_pairs all;
    uint64_t hops = pairs_take(LEAF_SPINE "workload: {kind: long, pairs: inter-rack}\nrun: {until: 2ms}\n", 1, &all);
    assert_true(worst_error(&all, hops, false) < 0.3);
    for (size_t i = 0; i < all.n; i++) assert_true(all.pair[i].done == (double)all.pair[i].now / (2.0 * PS_PER_MS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(time_left__of_a_job_is_right_within_30_percent),
        UNIT(time_left__is_the_same_for_any_number_of_threads),
        UNIT(time_left__of_a_run_with_an_end_follows_its_time),
    };
    return RUN_UNITS(tests);
}
