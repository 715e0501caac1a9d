/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations that no paper measured: credits routed by balancers, weighted spraying, classes of
 * credits, TCP beside credits, data before the first credit.
 */
#include "scenario/credit_lab.h"

#include "mech/schedule/schedules.h"

/* ---- CMB-1, CMB-4: balancers choose the way of credits, data retraces it ---- */

/* Adds inter-pod flows: most are small, most bytes are in large ones. */
static void load_between_pods(struct lab *l, uint32_t hosts, uint32_t pods, uint32_t n, span_ps within) {
    struct random_stream r;
    random_init(&r, l->config.seed, RANDOM_PAIRS, 5);
    for (uint32_t i = 0; i < n; i++) {
        static const uint64_t bytes[] = {7000, 15000, 30000, 60000, 100000, 300000, 700000, 1500000};
        uint32_t src = (uint32_t)random_below(&r, hosts), pod = hosts / pods;
        uint32_t dst = (src / pod + 1 + (uint32_t)random_below(&r, pods - 1)) % pods * pod;
        dst += (uint32_t)random_below(&r, pod);
        uint64_t size = bytes[random_below(&r, sizeof bytes / sizeof *bytes)];
        lab_flow(l, src, dst, size, (time_ps)random_below(&r, (uint64_t)within));
    }
}

static struct lab *lab_routed(const char *balance, uint64_t seed) {
    struct lab *l = lab_credits(spec_clos(3, 2, 2, 2, 4), "expresspass");
    l->config.seed = seed;
    if (strcmp(balance, "ecmp") != 0) {
        lab_balance(l, balance);
        l->config.switches.record_path = true;
    }
    load_between_pods(l, 24, 3, 120, 6 * MS);
    return l;
}

static void routed__data_retraces_its_credit(void **state) {
    (void)state;
    static const char *const balance[] = {"expeditus", "clairvoyant", "spray"};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_routed(balance[i], 1);
        lab_watch_all(l);
        lab_run_done(l);
        struct retraced seen = lab_retraced(l);
        uint64_t used = 0;
        for (uint32_t f = 0; f < l->flows.n; f++) used += l->r.tally[f].credits_used;
        assert_all_arrived(l);
        assert_int_equal(seen.apart, 0);
        assert_int_equal(seen.same, used);
        assert_true(used > 15000);
        assert_bounded(l, 0);
        lab_end(l);
    }
}

/* The test above can fail: without the record, credits and data choose independently, twice among two paths. */
static void routed__without_the_record_data_goes_its_own_way(void **state) {
    (void)state;
    struct lab *l = lab_routed("spray", 1);
    l->config.switches.record_path = false;
    lab_watch_all(l);
    lab_run_done(l);
    struct retraced seen = lab_retraced(l);
    assert_in_range(seen.apart * 100 / (seen.apart + seen.same), 70, 80);
    lab_end(l);
}

static void routed__no_worse_than_ecmp(void **state) {
    (void)state;
    span_ps sum[2] = {0};
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int i = 0; i < 2; i++) {
            struct lab *l = lab_routed(i ? "expeditus" : "ecmp", seed);
            lab_run_done(l);
            assert_all_arrived(l);
            sum[i] += lab_mean_fct(l);
            lab_end(l);
        }
    assert_true(sum[1] <= sum[0]);
}

/* ---- CMB-3: spraying by the paths' shares of marked data ---- */

/* Returns the mean FCT of four flows between each of four pairs over four spines; one spine has a tenth of the others'
 * rate. */
static span_ps sprayed_mean_fct(int64_t spray) {
    struct lab *l = lab_credits(spec_leaf_spine(2, 4, 4), "spraypass");
    lab_transport_param(l, 0, "spray", spray);
    lab_transport_param(l, 0, "probing", 0);
    lab_link(l, "leaf*-spine2", GBPS, -1, -1);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i < 4; i++) lab_flow(l, i, 4 + (i + 1 + k) % 4, 2000000, k * MS + i * 11 * US);
    lab_run_done(l);
    assert_all_arrived(l);
    span_ps mean = lab_mean_fct(l);
    lab_end(l);
    return mean;
}

static void weighted__avoids_the_slow_spine(void **state) {
    (void)state;
    assert_true(sprayed_mean_fct(2) < sprayed_mean_fct(0) * 94 / 100);
}

/* ---- CMB-9: classes of credits ---- */

/* Returns the FCT of a flow in class `priority` that starts while another flow in class 0 has all credits. They compete
 * at the switch (one host sends to two), or at a NIC (two send to one). `alone`: without the other flow. */
static span_ps second_fct(bool one_receiver, uint8_t priority, bool alone) {
    struct lab *l = lab_credits(spec_star(3), "expresspass");
    l->config.switches.port.classes = 8;
    l->config.switches.port.schedule.ops = &schedule_strict;
    if (!alone) lab_flow(l, 0, 1, 3000000, 0);
    lab_flow(l, one_receiver ? 2 : 0, one_receiver ? 1 : 2, 3000000, 500 * US)->priority = priority;
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, l->flows.n);
    assert_int_equal(l->r.packets.dropped, 0);
    span_ps fct = lab_fct(l, l->flows.n - 1);
    lab_end(l);
    return fct;
}

static void classes__the_highest_gets_its_credits_first(void **state) {
    (void)state;
    for (int one_receiver = 0; one_receiver < 2; one_receiver++) {
        span_ps alone = second_fct(one_receiver, 7, true);
        assert_true(second_fct(one_receiver, 7, false) < alone * 105 / 100);
        assert_true(second_fct(one_receiver, 0, false) > alone * 150 / 100);
    }
}

/* ---- CMB-14: TCP and credits, each in a class of its own ---- */

/* Returns two flows of TCP and two of a credit transport over one link. DRR shares it by quanta; credits are limited to
 * the share of their data. */
static struct lab *lab_mixed(const char *tcp_name, int64_t credit_parts, int64_t reserve_bytes) {
    struct lab *l = lab_credits(spec_dumbbell(4), "expresspass");
    uint8_t tcp = lab_add_transport(l, tcp_name);
    l->config.switches.buffer_bytes = 300000;
    l->config.switches.port.classes = 2;
    l->config.switches.port.schedule.class_reserve_bytes = reserve_bytes;
    l->config.switches.port.schedule.ops = &schedule_drr;
    l->config.switches.port.schedule.quantum_bytes[0] = 1518;
    l->config.switches.port.schedule.quantum_bytes[1] = 1518 * credit_parts;
    lab_admit_as_needed(l, l->config.hosts.transport[tcp]);
    lab_credit_share(l, CREDIT_SHARE * credit_parts / (1 + credit_parts));
    for (uint32_t i = 0; i < 4; i++) {
        struct flow *f = lab_flow(l, i, 4 + i, UINT64_MAX, 0);
        f->transport = i < 2 ? tcp : 0;
        f->priority = i < 2 ? 0 : 1;
    }
    l->config.until = 40 * MS;
    lab_run_done(l);
    return l;
}

/* Returns the payload of two flows in thousandths of the data that the link carries under credits. */
static int64_t share_milli(const struct lab *l, uint32_t first) {
    int64_t bytes = l->r.tally[first].received_bytes + l->r.tally[first + 1].received_bytes;
    return bytes * 1000 / (40 * MS / (1622 * 800) * 1460);
}

static void assert_shares(const struct lab *l, int64_t credit_parts) {
    int64_t own = 1000 * credit_parts / (1 + credit_parts), tcp = 1000 - own;
    assert_in_range(share_milli(l, 2), own * 98 / 100, own);
    assert_in_range(share_milli(l, 0), tcp * 98 / 100,
                    tcp + 120); /* TCP also gets the wire bytes that credits would take */
}

/* TCP that keeps its queue short leaves room for the data of credits. */
static void mixed__shares_and_no_loss(void **state) {
    (void)state;
    for (int64_t parts = 1; parts <= 3; parts += 2) {
        struct lab *l = lab_mixed("dctcp", parts, 0);
        assert_shares(l, parts);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_int_equal(l->r.packets.retransmitted, 0);
        lab_end(l);
    }
}

/* TCP that fills the shared buffer also causes drops of data under credits. These are repaired, and the shares stay. */
static void mixed__a_full_buffer_is_repaired(void **state) {
    (void)state;
    struct lab *l = lab_mixed("newreno", 3, 0);
    assert_shares(l, 3);
    assert_true(l->r.packets.dropped_by[DROP_BUFFER] > 0);
    assert_true(l->r.tally[2].retransmitted_pkts + l->r.tally[3].retransmitted_pkts > 0);
    assert_true(l->r.tally[2].retransmitted_pkts + l->r.tally[3].retransmitted_pkts < l->r.packets.dropped);
    lab_end(l);
}

/* With a part of the buffer reserved for each class, only frames of TCP are dropped. */
static void mixed__a_reserve_keeps_credits_free_of_loss(void **state) {
    (void)state;
    struct lab *l = lab_mixed("newreno", 3, 30000);
    assert_shares(l, 3);
    assert_true(l->r.packets.dropped_by[DROP_BUFFER] > 0);
    assert_int_equal(l->r.tally[2].retransmitted_pkts + l->r.tally[3].retransmitted_pkts, 0);
    assert_int_equal(l->r.tally[0].retransmitted_pkts + l->r.tally[1].retransmitted_pkts, l->r.packets.dropped);
    lab_end(l);
}

/* ---- data before the first credit ---- */

static struct lab *lab_unscheduled(int64_t bytes) {
    struct lab *l = lab_credits(spec_leaf_spine(2, 2, 4), "expresspass");
    lab_transport_param(l, 0, "unscheduled", bytes);
    return l;
}

static void unscheduled__a_short_flow_saves_a_round_trip(void **state) {
    (void)state;
    span_ps fct[2];
    for (int early = 0; early < 2; early++) {
        struct lab *l = lab_unscheduled(early ? 15000 : 0);
        lab_flow(l, 0, 5, 10000, 0);
        lab_run_done(l);
        assert_all_arrived(l);
        fct[early] = lab_fct(l, 0);
        assert_int_equal(lab_counter(l, "unscheduled_pkts"), early ? 7 : 0);
        assert_in_range(l->r.times[CLASS_ALL].slowdown_ppm.max, 1000000, 1100000);
        lab_end(l);
    }
    assert_true(fct[0] - fct[1] > 16 * US + 4 * US); /* four links of 2 us in each direction, and the stacks */
}

/* All hosts send to one at once. Only unscheduled data is dropped, and credits repair it. */
static void unscheduled__dropped_first_and_repaired(void **state) {
    (void)state;
    struct lab *l = lab_unscheduled(30000);
    for (uint32_t sender = 1; sender < 8; sender++)
        for (uint32_t k = 0; k < 4; k++) lab_flow(l, sender, 0, 60000 + 1000 * k, k * 50 * US);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, l->flows.n);
    assert_true(l->r.packets.dropped_by[DROP_UNSCHEDULED] > 50);
    assert_int_equal(l->r.packets.dropped, l->r.packets.dropped_by[DROP_UNSCHEDULED]);
    assert_true(l->r.packets.retransmitted >= l->r.packets.dropped);
    assert_bounded(l, 0);
    lab_end(l);
}

/* ---- out-of-order degrees ---- */

/* Each bin of the result equals the transport's counter of that degree, and some frames came out of order. */
static void degrees__are_the_bins_that_the_transport_names(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(2, 4, 4), "spraypass");
    for (uint32_t host = 0; host < 4; host++) lab_flow(l, host, 4 + (host + 1) % 4, 1000000, host * 7 * US);
    lab_run_done(l);
    for (uint32_t bin = 0; bin < DEGREE_BINS; bin++) {
        char name[32];
        snprintf(name, sizeof name, "reorder_%u", degree_least(bin));
        assert_int_equal(l->r.degree_frames[bin], lab_counter(l, name));
    }
    assert_true(l->r.degree_frames[0] > 1000 && l->r.degree_frames[1] > 100);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(routed__data_retraces_its_credit),
        UNIT(routed__without_the_record_data_goes_its_own_way),
        UNIT(routed__no_worse_than_ecmp),
        UNIT(weighted__avoids_the_slow_spine),
        UNIT(classes__the_highest_gets_its_credits_first),
        UNIT(mixed__shares_and_no_loss),
        UNIT(mixed__a_full_buffer_is_repaired),
        UNIT(mixed__a_reserve_keeps_credits_free_of_loss),
        UNIT(unscheduled__a_short_flow_saves_a_round_trip),
        UNIT(unscheduled__dropped_first_and_repaired),
        UNIT(degrees__are_the_bins_that_the_transport_names),
    };
    return RUN_UNITS(tests);
}
