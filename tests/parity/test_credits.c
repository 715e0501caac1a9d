/* SPDX-License-Identifier: Apache-2.0 */
/* Switches that carry credits: simulated and replayed, frame by frame. The class of credits has timers of its own,
 * drops and marks. Balancers may write their choices into credits, and data retraces them. */
#include "parity/parity.h"

#include "mech/admit/admissions.h"
#include "mech/schedule/schedules.h"
#include "mech/transport/credit.h"

/* Makes a world with credits at every port and data in `classes` classes. */
static struct lab *lab_credits(struct fabric_spec spec, const char *transport, uint32_t classes) {
    static const struct credit_config credits = {
        .on = true, .queue = 8, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168};
    struct lab *l = lab_new(spec);
    lab_transport(l, transport);
    lab_balance_param(l, "hash", 1);
    l->config.switches.buffer_bytes = 60000;
    l->config.switches.credit = l->config.hosts.credit = credits;
    l->config.switches.port.unscheduled_bytes = 3000;
    l->config.switches.port.classes = classes;
    l->config.switches.port.schedule.ops = classes > 1 ? &schedule_strict : &schedule_fifo;
    l->config.measure.snap_bytes = 2000;
    return l;
}

static void lab_marks_credits(struct lab *l) {
    l->config.switches.credit.mark_window = l->config.hosts.credit.mark_window = 4;
    l->config.switches.credit.mark_stale = l->config.hosts.credit.mark_stale = 50 * US;
}

static void lab_records(struct lab *l, const char *balance) {
    lab_balance(l, balance);
    l->config.switches.record_path = true;
}

/* The last flow runs alone, so that no queue holds a frame when the run ends. */
static void load_with_flows(struct lab *l, uint32_t hosts) {
    lab_random_flows(l, hosts, 100, 150000, 2 * MS);
    for (uint32_t i = 0; i < l->flows.n; i++) l->flows.flow[i].priority = (uint8_t)(i % 8);
    for (uint32_t sender = 1; sender < hosts; sender++) lab_flow(l, sender, 0, 20000, 1 * MS);
    lab_flow(l, 0, hosts - 1, 3000, 250 * MS);
}

static void trouble_three_tiers(struct lab *l) {
    lab_fail(l, "tor0.0-agg0.1", 600 * US, 2 * MS, 100 * US);
    lab_fail(l, "agg1.0-core0.1", 400 * US, 1500 * US, 50 * US);
    lab_gray(l, "tor0.0-agg0.0", 20000000, 300 * US, 3 * MS);
    lab_slow(l, "tor1.1-agg1.1", GBPS, 500 * US, 2500 * US);
}

static struct parity check_three_tiers(struct lab *l) {
    static const char *const names[] = {"tor0.0", "tor0.1",  "tor1.1",  "agg0.0", "agg0.1",
                                        "agg1.0", "core0.0", "core0.1", "core1.0"};
    load_with_flows(l, 12);
    struct parity p = parity_check(l, names, sizeof names / sizeof *names);
    lab_end(l);
    return p;
}

static struct parity check_two_tiers(struct lab *l) {
    static const char *const names[] = {"leaf0", "leaf1", "leaf2", "spine0", "spine1", "spine2"};
    load_with_flows(l, 12);
    struct parity p = parity_check(l, names, sizeof names / sizeof *names);
    lab_end(l);
    return p;
}

/* The run must have been eventful, or it proves little. */
static void assert_eventful(const struct parity *p) {
    assert_true(p->frames > 10000);
    assert_true(p->credits > 4000);
    assert_true(p->dropped[DROP_CREDIT] > 100);
    assert_int_equal(p->dropped[DROP_TTL] + p->dropped[DROP_NO_ROUTE], 0);
}

/* ---- expresspass ---- */

static void expresspass__three_tiers(void **state) {
    (void)state;
    struct parity p = check_three_tiers(lab_credits(spec_clos(2, 2, 2, 2, 3), "expresspass", 1));
    assert_eventful(&p);
    assert_int_equal(p.dropped[DROP_BUFFER], 0);
    assert_int_equal(p.pinned + p.credits_marked, 0);
}

static void expresspass__failures_in_classes(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_clos(2, 2, 2, 2, 3), "expresspass", 8);
    trouble_three_tiers(l);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.dropped[DROP_LINK_DOWN] > 0);
    assert_true(p.dropped[DROP_LOSS] > 0);
}

static void expresspass__two_tiers_with_default_snap(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(3, 3, 4), "expresspass", 1);
    l->config.measure.snap_bytes = 0;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
}

static void expresspass__unscheduled_data_and_void_credits(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(3, 3, 4), "expresspass", 1);
    lab_transport_param(l, 0, "unscheduled", 30000);
    l->config.hosts.void_credits = true;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.dropped[DROP_UNSCHEDULED] > 20);
    assert_true(p.credits_void > 100);
}

/* AM-36: the replay draws the same victims. */
static void expresspass__random_drops(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_clos(2, 2, 2, 2, 3), "expresspass", 8);
    l->config.switches.credit.drop = CREDIT_DROP_RANDOM;
    trouble_three_tiers(l);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
}

/* AM-55: the size that a request tells passes the switches unchanged. */
static void expresspass__credits_that_end_with_the_flow(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_clos(2, 2, 2, 2, 3), "expresspass", 8);
    lab_transport_param(l, 0, "credit_end", 1);
    trouble_three_tiers(l);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.sizes_told > 100);
}

/* ---- credits beside TCP ---- */

static void expresspass__beside_tcp_with_deficits(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(3, 3, 4), "expresspass", 2);
    l->config.switches.port.schedule.ops = &schedule_drr;
    l->config.switches.credit.share_ppb /= 2;
    l->config.hosts.credit = l->config.switches.credit;
    uint8_t tcp = lab_add_transport(l, "newreno");
    lab_transport_param(l, tcp, "ecn", 1);
    l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 9000};
    for (uint32_t i = 0; i < 12; i++) {
        struct flow *f = lab_flow(l, i, (i + 5) % 12, 300000, 100 * US);
        f->transport = tcp;
        f->priority = 1;
    }
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.syn > 24 && p.marked > p.credits_marked);
}

/* ---- spraypass ---- */

static void spraypass__two_tiers(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(3, 3, 4), "spraypass", 1);
    lab_marks_credits(l);
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.pinned > p.credits);
    assert_true(p.credits_marked > 100);
}

static void spraypass__three_tiers_with_failures(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_clos(2, 2, 2, 2, 3), "spraypass", 1);
    lab_marks_credits(l);
    trouble_three_tiers(l);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.pinned > p.credits);
    assert_true(p.credits_marked > 100);
}

static void spraypass__credits_that_end_with_the_flow(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(3, 3, 4), "spraypass", 1);
    lab_marks_credits(l);
    lab_transport_param(l, 0, "credit_end", 1);
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.sizes_told > 100);
}

/* ---- credits that balancers route ---- */

static void expeditus__records_paths(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_clos(2, 2, 2, 2, 3), "expresspass", 1);
    lab_records(l, "expeditus");
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.pinned > p.credits);
    assert_true(p.requests > 50 && p.responses > 50);
}

static void expeditus__records_paths_in_two_tiers(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(3, 3, 4), "expresspass", 8);
    lab_records(l, "expeditus");
    lab_balance_param(l, "control_priority", 1);
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.pinned > p.credits);
}

/* The switch draws a path for each credit (CMB-4). */
static void spray__records_paths(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_clos(2, 2, 2, 2, 3), "expresspass", 1);
    lab_records(l, "spray");
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.pinned > p.credits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(expresspass__three_tiers),
        UNIT(expresspass__failures_in_classes),
        UNIT(expresspass__two_tiers_with_default_snap),
        UNIT(expresspass__unscheduled_data_and_void_credits),
        UNIT(expresspass__random_drops),
        UNIT(expresspass__credits_that_end_with_the_flow),
        UNIT(expresspass__beside_tcp_with_deficits),
        UNIT(spraypass__two_tiers),
        UNIT(spraypass__three_tiers_with_failures),
        UNIT(spraypass__credits_that_end_with_the_flow),
        UNIT(expeditus__records_paths),
        UNIT(expeditus__records_paths_in_two_tiers),
        UNIT(spray__records_paths),
    };
    return RUN_UNITS(tests);
}
