/* SPDX-License-Identifier: Apache-2.0 */
/* The way of each node, as a fabric, its ports, its balancer and an observer decide it. */
#include "sim/ways/ways.h"

#include "scenario/lossless_lab.h"
#include "sim/build.h"
#include "sim/fixture.h"
#include "sim/observe/observer.h"

#include "unit.h"

/* Asserts the way of the hosts, and that of the switches, of a world that is built for the lab; ends the lab. */
static void assert_ways(struct lab *l, enum way of_hosts, enum way of_switches) {
    struct world w;
    struct diag d;
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    assert_true(world_build(&w, &l->config, &d));
    struct partition *part = &w.partition[0];
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        const struct sim_node *n = &part->nodes[i];
        assert_int_equal(n->way, n->is_host ? of_hosts : of_switches);
        assert_true(n->is_host || n->sw->defers == (of_switches == WAY_DEFERRED));
        assert_int_equal(way_of(part, n), n->way);
    }
    struct timeline line;
    timeline_init(&line, 0);
    if (part->observer) assert_true(observer_finish(part, &line, &d));
    timeline_fini(&line);
    world_destroy(&w);
    lab_end(l);
}

static struct lab *lab_small(const char *balance) {
    struct lab *l = lab_new(spec_fat_tree(4));
    lab_balance(l, balance);
    lab_flow(l, 0, 9, 1000, 0);
    return l;
}

/* Queues that only joining frames look at. */
static struct lab *lab_queues(void) {
    struct lab *l = lab_small("ecmp");
    lab_transport(l, "expresspass");
    lab_ports_as_needed(l);
    return l;
}

static struct lab *lab_crossbars(void) {
    struct lab *l = lab_detail(spec_fat_tree(4), &flowctl_pfc, "alb");
    lab_flow(l, 0, 9, 1000, 0);
    return l;
}

static struct lab *observed(struct lab *l) {
    static const uint32_t watched[] = {0};
    l->config.measure.flow = watched;
    l->config.measure.n_flow = 1;
    return l;
}

static struct lab *large(struct lab *l) {
    l->config.large_ports = 1;
    return l;
}

static struct lab *huge(struct lab *l) {
    l->config.huge_ports = 1;
    return l;
}

static void way_of__small_fabrics(void **state) {
    (void)state;
    assert_ways(lab_small("ecmp"), WAY_HOST, WAY_PLAIN);
    assert_ways(lab_queues(), WAY_HOST, WAY_DEFERRED);
    assert_ways(lab_crossbars(), WAY_HOST, WAY_CROSSBAR);
}

static void way_of__routes_that_read_no_port_run_ahead_in_large_fabrics(void **state) {
    (void)state;
    assert_ways(large(lab_small("ecmp")), WAY_HOST, WAY_AHEAD);
    assert_ways(huge(lab_small("ecmp")), WAY_HOST, WAY_AHEAD_CARRIED);
    assert_ways(huge(lab_small("expeditus")), WAY_HOST, WAY_PLAIN);
    assert_ways(huge(lab_queues()), WAY_HOST, WAY_DEFERRED);
    assert_ways(huge(lab_crossbars()), WAY_HOST, WAY_CROSSBAR);
}

static void way_of__an_observer_sees_every_event(void **state) {
    (void)state;
    assert_ways(observed(lab_small("ecmp")), WAY_HOST_OBSERVED, WAY_OBSERVED);
    assert_ways(observed(lab_queues()), WAY_HOST_OBSERVED, WAY_OBSERVED);
    assert_ways(observed(lab_crossbars()), WAY_HOST_OBSERVED, WAY_OBSERVED);
    assert_ways(observed(huge(lab_small("ecmp"))), WAY_HOST_OBSERVED, WAY_OBSERVED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(way_of__small_fabrics),
        UNIT(way_of__routes_that_read_no_port_run_ahead_in_large_fabrics),
        UNIT(way_of__an_observer_sees_every_event),
    };
    return RUN_UNITS(tests);
}
