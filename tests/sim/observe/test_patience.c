/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run waits for a byte before it counts as stuck. */
#include "sim/observe/patience.h"

#include "sim/fixture.h"
#include "unit.h"

static span_ps silence_of(struct lab *l) {
    lab_fabric(l);
    l->config.fabric = l->fabric;
    l->config.flows = &l->flows;
    return patience_silence(&l->config);
}

static void silence__ten_of_the_longest_rto(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_flow(l, 0, 1, 1000, 0);
    assert_int_equal(silence_of(l), 10 * PS_PER_S); /* at least a second */
    lab_transport_param(l, 0, "max_rto", 7 * PS_PER_S);
    assert_int_equal(silence_of(l), 70 * PS_PER_S);
    lab_end(l);
}

static void silence__ten_gaps_of_an_application(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    struct flow *f = lab_flow(l, 0, 1, 100000, 0);
    f->rate_bps = 10000;
    f->burst_bytes = 20000;
    assert_int_equal(silence_of(l), 160 * PS_PER_S);
    lab_end(l);
}

static void silence__ten_full_frames_or_round_trips(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 1, 1);
    spec.uplink_bps = 1000;
    struct lab *l = lab_new(spec);
    lab_flow(l, 0, 1, 1000, 0);
    assert_true(silence_of(l) >= 10 * 1538 * 8 * PS_PER_MS);
    lab_end(l);
    spec.uplink_bps = 10 * GBPS;
    spec.host_delay = 10 * PS_PER_S;
    l = lab_new(spec);
    lab_flow(l, 0, 1, 1000, 0);
    assert_true(silence_of(l) >= 400 * PS_PER_S); /* 2 x 2 host links */
    lab_end(l);
}

/* Gates make flows wait: what an application does between two of its requests is no silence. */
static void silence__ten_pauses_between_flows(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    struct gate gate = {.delay = 30 * PS_PER_S};
    lab_flow(l, 0, 1, 1000, 0);
    l->flows.gates.gate = &gate;
    l->flows.gates.n_gates = 1;
    assert_int_equal(silence_of(l), 300 * PS_PER_S);
    lab_end(l);
}

/* Gates that wait for a processor or for others may follow each other, with nothing on the wire all the time. */
static void silence__ten_times_all_that_gates_do_in_a_row(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    struct gate gate[] = {
        {.delay = 30 * PS_PER_S, .processor = 1}, {.delay = 20 * PS_PER_S, .n_on_end = 1}, {.delay = 5 * PS_PER_S}};
    lab_flow(l, 0, 1, 1000, 0);
    l->flows.gates.gate = gate;
    l->flows.gates.n_gates = 3;
    assert_int_equal(silence_of(l), 550 * PS_PER_S);
    lab_end(l);
}

/* A deadlock stands until the watchdog breaks it. */
static void silence__ten_times_of_a_watchdog(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_flow(l, 0, 1, 1000, 0);
    l->config.switches.flow.watchdog = (struct watchdog_config){20 * PS_PER_S, PS_PER_S, 5 * PS_PER_S, WATCHDOG_AUTO};
    assert_int_equal(silence_of(l), 10 * PS_PER_S);
    l->config.switches.flow.watchdog.action = WATCHDOG_DROP;
    assert_int_equal(silence_of(l), 250 * PS_PER_S);
    lab_end(l);
}

static void due__last_start_and_repair_before_the_end(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 1));
    lab_fail(l, "leaf0-spine0", 1 * MS, 4 * MS, 3 * MS);
    lab_flow(l, 0, 1, 1000, 5 * MS);
    silence_of(l);
    assert_int_equal(patience_due(&l->config), 7 * MS); /* the repair is known 3 ms later */
    lab_flow(l, 0, 1, 1000, 9 * MS);
    assert_int_equal(patience_due(&l->config), 9 * MS);
    l->config.until = 8 * MS;
    assert_int_equal(patience_due(&l->config), 7 * MS);
    l->config.until = 2 * MS;
    assert_int_equal(patience_due(&l->config), 0);
    lab_end(l);
}

/* A lost datagram leaves one flow open; another flow starts much later. Only then is nothing due any more. */
static void stuck__not_before_the_last_start(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(3));
    lab_transport(l, "udp");
    lab_fail(l, "leaf0-host0.1", 10 * US, 1 * MS, 0);
    lab_flow(l, 0, 1, 100000, 0);
    lab_flow(l, 0, 2, 10000, 100 * PS_PER_S);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_true(l->r.engine.sim_ps >= 100 * PS_PER_S);
    assert_true(l->r.tally[1].finished_at != TIME_NONE);
    lab_end(l);
}

static void stuck__message_begins_with_hosts_that_are_cut_off(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 1, 2));
    lab_fail(l, "leaf0-spine0", 1 * MS, TIME_NONE, 0);
    lab_flow(l, 2, 3, 1000, 0); /* within a rack that is not cut off */
    lab_flow(l, 0, 2, 10000000, 0);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    const char *begin = "host0.0 to host0.1 have no path to other racks from 1ms on; stuck at ";
    if (strncmp(l->r.failure, begin, strlen(begin)) != 0) fail_msg("%s", l->r.failure);
    lab_end(l);
}

/* The failure of a link that no open flow needs is not the reason. */
static void stuck__message_leaves_out_others(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(4));
    lab_fail(l, "leaf0-host0.1", 10 * US, 1 * MS, 0);
    lab_fail(l, "leaf0-host0.3", 1 * MS, TIME_NONE, 0);
    lab_transport(l, "udp");
    lab_flow(l, 0, 1, 100000, 0);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_int_equal(strncmp(l->r.failure, "stuck at ", 9), 0);
    lab_end(l);
}

/* Of an endless flow there is no size to tell. */
static void stuck__message_of_an_endless_flow(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_fail(l, "leaf0-host0.1", 1 * MS, TIME_NONE, 0);
    lab_flow(l, 0, 1, UINT64_MAX, 0);
    l->config.until = 100 * PS_PER_S;
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_non_null(strstr(l->r.failure, "B of an endless flow, sender"));
    assert_null(strstr(l->r.failure, "18446744073709551615"));
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(silence__ten_of_the_longest_rto),
        UNIT(silence__ten_gaps_of_an_application),
        UNIT(silence__ten_full_frames_or_round_trips),
        UNIT(silence__ten_pauses_between_flows),
        UNIT(silence__ten_times_all_that_gates_do_in_a_row),
        UNIT(silence__ten_times_of_a_watchdog),
        UNIT(due__last_start_and_repair_before_the_end),
        UNIT(stuck__not_before_the_last_start),
        UNIT(stuck__message_begins_with_hosts_that_are_cut_off),
        UNIT(stuck__message_leaves_out_others),
        UNIT(stuck__message_of_an_endless_flow),
    };
    return RUN_UNITS(tests);
}
