/* SPDX-License-Identifier: Apache-2.0 */
/* When samples are due, and what one partition takes of its nodes. */
#include "sim/observe/sampling.h"

#include "sim/build.h"
#include "sim/fixture.h"

#include "unit.h"

#define PORTS 4 /* of a star of two hosts */

static struct lab *lab_sampled(struct world *w) {
    struct lab *l = lab_new(spec_star(2));
    struct diag d;
    l->config.measure.queues = 10 * US;
    l->config.measure.links = 25 * US;
    l->config.measure.imbalance = 40 * US;
    lab_flow(l, 0, 1, 1000, 0);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    assert_true(world_build(w, &l->config, &d));
    assert_int_equal(w->n_ports, PORTS);
    return l;
}

static void next__is_the_first_that_is_due(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_sampled(&w);
    assert_int_equal(sampling_next(&w, 0), 10 * US);
    assert_int_equal(sampling_next(&w, 10 * US), 20 * US);
    assert_int_equal(sampling_next(&w, 20 * US), 25 * US);
    l->config.measure.queues = l->config.measure.links = 0;
    assert_int_equal(sampling_next(&w, 0), 40 * US);
    l->config.measure.imbalance = 0; /* it is measured in any case */
    assert_int_equal(sampling_next(&w, 0), 10 * MS);
    world_destroy(&w);
    lab_end(l);
}

static void step__takes_one_sample_of_each_port(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_sampled(&w);
    const struct samples *queues = &w.sampling->queues[0], *links = &w.sampling->links[0];
    sampling_step(&w, &w.partition[0], 10 * US, false);
    assert_int_equal(queues->n, PORTS);
    assert_int_equal(links->n, 0);
    sampling_step(&w, &w.partition[0], 25 * US, false);
    assert_int_equal(queues->n, PORTS);
    assert_int_equal(links->n, PORTS);
    sampling_step(&w, &w.partition[0], 50 * US, false);
    assert_int_equal(queues->n, 2 * PORTS);
    assert_int_equal(links->n, 2 * PORTS);
    assert_int_equal(w.sampling->pauses[0].n, 0); /* without flow control nothing pauses */
    world_destroy(&w);
    lab_end(l);
}

/* A link sample is the share of its period in which the link was busy, from the sample before. */
static void step__a_link_counts_from_the_sample_before(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_sampled(&w);
    const struct samples *links = &w.sampling->links[0];
    w.port[0].sent_bytes = 31250 / 2; /* of the 31,250 B that 10 Gbps carry in 25 us */
    sampling_step(&w, &w.partition[0], 25 * US, false);
    sampling_step(&w, &w.partition[0], 50 * US, false);
    for (size_t i = 0; i < links->n; i++) {
        bool busy = links->sample[i].port == 0 && links->sample[i].at == 25 * US;
        assert_int_equal(links->sample[i].value, busy ? PPB / 2 : 0);
    }
    world_destroy(&w);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(next__is_the_first_that_is_due),
        UNIT(step__takes_one_sample_of_each_port),
        UNIT(step__a_link_counts_from_the_sample_before),
    };
    return RUN_UNITS(tests);
}
