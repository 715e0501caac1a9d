/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that arrive at several ports at one instant: a hash of (seed, time, port) orders them (AM-32). The seed
 * orders flows that start together at one host (AM-33). */
#include "sim/fixture.h"

#include "unit.h"

#define SENDERS 8

/* Makes n equal senders at equal delays, whose frames arrive at the switch at the same instants. */
static struct lab *senders(uint32_t n, uint64_t bytes, uint64_t seed) {
    struct lab *l = lab_new(spec_star(n + 1));
    l->config.switches.buffer_bytes = 60000;
    l->config.seed = seed;
    lab_transport_param(l, 0, "min_rto", 2 * MS);
    for (uint32_t i = 0; i < n; i++) lab_flow(l, i, n, bytes, 0);
    return l;
}

static uint32_t first_to_finish(const struct lab *l, uint32_t n) {
    uint32_t first = 0;
    for (uint32_t i = 1; i < n; i++)
        if (lab_fct(l, i) < lab_fct(l, first)) first = i;
    return first;
}

static void ties__no_port_wins_for_ever(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= SENDERS; n += SENDERS - 2) {
        uint32_t wins[SENDERS] = {0}, most = 0, winners = 0;
        for (uint64_t seed = 1; seed <= 24; seed++) {
            struct lab *l = senders(n, 400000, seed);
            lab_run_done(l);
            wins[first_to_finish(l, n)]++;
            lab_end(l);
        }
        for (uint32_t i = 0; i < n; i++) {
            most = wins[i] > most ? wins[i] : most;
            winners += wins[i] > 0;
        }
        assert_true(winners >= (n == 2 ? 2 : 5));
        assert_true(most <= (n == 2 ? 20 : 10));
    }
}

/* Returns Jain's index of the bytes that n long flows receive in 50 ms, in thousandths. */
static uint32_t fairness(uint32_t n, uint64_t seed) {
    struct lab *l = senders(n, UINT64_MAX, seed);
    for (uint32_t i = 0; i < n; i++) l->flows.flow[i].stop = 50 * MS;
    l->config.until = 50 * MS;
    lab_run_done(l);
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        double got = (double)l->r.tally[i].received_bytes;
        sum += got;
        squares += got * got;
    }
    lab_end(l);
    return (uint32_t)(1000 * sum * sum / (n * squares));
}

static void ties__eight_flows_share_their_bottleneck(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) assert_true(fairness(SENDERS, seed) > 800);
}

static void ties__seeds_give_different_orders(void **state) {
    (void)state;
    uint64_t digest[8];
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct lab *l = senders(SENDERS, 30000, seed + 1);
        digest[seed] = lab_digest(l, 1);
        for (uint64_t i = 0; i < seed; i++) assert_true(digest[i] != digest[seed]);
        lab_end(l);
    }
}

/* Eight hosts in eight racks: ties at the last leaf are between frames of other partitions. */
static void ties__same_for_any_number_of_threads(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct lab *l = lab_new(spec_leaf_spine(9, 2, 1));
        l->config.switches.buffer_bytes = 60000;
        l->config.seed = seed;
        lab_transport_param(l, 0, "min_rto", 2 * MS);
        for (uint32_t i = 0; i < SENDERS; i++) lab_flow(l, i, SENDERS, 200000, 0);
        uint64_t one = lab_digest(l, 1);
        assert_true(lab_digest(l, 2) == one);
        assert_true(lab_digest(l, 4) == one);
        lab_end(l);
    }
}

/* With jitter before the NIC, with and without queues there, frames balance at the end and the digest does not depend
 * on threads. */
static void jitter__same_for_any_number_of_threads(void **state) {
    (void)state;
    for (uint32_t frames = 0; frames <= 10; frames += 10) {
        struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
        l->config.hosts.jitter = US;
        l->config.hosts.nic = frames ? NIC_FIFO : NIC_PULL;
        l->config.hosts.nic_queue_frames = frames;
        l->config.hosts.nic_queue_bytes = 1518000;
        lab_random_flows(l, 12, 60, 200000, 300 * US);
        uint64_t one = lab_digest(l, 1);
        assert_true(lab_digest(l, 2) == one && lab_digest(l, 3) == one);
        l->config.until = 150 * US; /* some frames are before their NIC */
        one = lab_digest(l, 1);
        assert_true(lab_digest(l, 2) == one);
        l->config.until = TIME_NONE;
        l->config.hosts.jitter = 0;
        assert_true(lab_digest(l, 1) != one);
        lab_end(l);
    }
}

/* ---- starts ---- */

static uint32_t first_started(uint64_t seed, uint32_t n) {
    struct lab *l = lab_new(spec_star(3));
    l->config.seed = seed;
    for (uint32_t i = 0; i < n; i++) lab_flow(l, 0, 1 + i % 2, 3000, 10 * US);
    lab_run_done(l);
    uint32_t first = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(l->r.tally[i].started_at, 10 * US); /* start times do not change */
        if (l->r.tally[i].first_data_at < l->r.tally[first].first_data_at) first = i;
    }
    lab_end(l);
    return first;
}

static void starts__of_one_instant_at_one_host_follow_the_seed(void **state) {
    (void)state;
    uint32_t firsts[4] = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) firsts[first_started(seed, 4)]++;
    for (uint32_t i = 0; i < 4; i++) assert_in_range(firsts[i], 3, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(ties__no_port_wins_for_ever),
        UNIT(ties__eight_flows_share_their_bottleneck),
        UNIT(ties__seeds_give_different_orders),
        UNIT(ties__same_for_any_number_of_threads),
        UNIT(jitter__same_for_any_number_of_threads),
        UNIT(starts__of_one_instant_at_one_host_follow_the_seed),
    };
    return RUN_UNITS(tests);
}
