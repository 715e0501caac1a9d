/* SPDX-License-Identifier: Apache-2.0 */
/* A switch that defers the services of its ports gives the digest, and the queues, of one whose services are events. An observed run
 * has the latter. */
#include "mech/schedule/schedules.h"
#include "scenario/credit_lab.h"
#include "sim/fixture.h"

#include "unit.h"

#define PORTS 70 /* of the star's switch: a set of them is more than a word */

/* What the run has done with the queues of all ports. */
struct queues {
    uint64_t sent_bytes, credit_bytes, dropped;
    int64_t mean_bytes, max_bytes, buffer_bytes;
};

static struct queues queues_of(const struct lab *l) {
    struct queues q = {0};
    for (uint32_t p = 0; p < l->r.n_ports; p++) {
        q.sent_bytes += l->r.port[p].sent_bytes;
        q.credit_bytes += l->r.port[p].credit_bytes;
        q.dropped += l->r.port[p].dropped;
        q.mean_bytes += l->r.port[p].mean_queue_bytes;
        q.max_bytes += l->r.port[p].max_queue_bytes;
    }
    for (size_t i = 0; i < l->r.n_buffers; i++) q.buffer_bytes += l->r.buffer[i].max_bytes;
    return q;
}

/* Runs the lab on one thread, on two and observed, and ends it. */
static void assert_services_may_wait(struct lab *l) {
    static const uint32_t watched[] = {0};
    uint64_t digest = lab_digest(l, 1);
    struct queues deferred = queues_of(l);
    assert_true(deferred.max_bytes > 0 && deferred.buffer_bytes > 0);
    assert_true(lab_digest(l, 2) == digest);
    l->config.measure.flow = watched;
    l->config.measure.n_flow = 1;
    assert_true(lab_digest(l, 1) == digest);
    struct queues served = queues_of(l);
    assert_memory_equal(&served, &deferred, sizeof served);
    lab_end(l);
}

/* Thirty flows to one host, and others between all; credits are dropped at random, and drawn sizes. */
static struct lab *lab_crowd(struct fabric_spec spec, const char *transport, uint32_t hosts) {
    struct lab *l = lab_credits(spec, transport);
    l->config.switches.credit.drop = CREDIT_DROP_RANDOM;
    l->config.switches.credit.spread = l->config.hosts.credit.spread = 8;
    lab_random_flows(l, hosts, 200, 100000, 300 * US);
    for (uint32_t i = 1; i <= hosts / 2; i++) lab_flow(l, i, 0, 60000, 20 * US);
    return l;
}

static void deferred__more_ports_than_a_word(void **state) {
    (void)state;
    struct lab *l = lab_crowd(spec_star(PORTS), "expresspass", PORTS);
    lab_flow(l, 1, PORTS - 1, 200000, 0); /* a port of the second word */
    for (uint32_t i = 30; i < 50; i++) lab_flow(l, i, PORTS - 2, 60000, 10 * US);
    assert_services_may_wait(l);
}

static void deferred__marked_credits_on_many_paths(void **state) {
    (void)state;
    assert_services_may_wait(lab_crowd(spec_leaf_spine(4, 3, 8), "spraypass", 32));
}

/* Queues with tail drop, marks and one class beside another; a link fails, one is slow, one loses frames. */
static void deferred__data_in_classes(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 6));
    lab_transport(l, "dctcp");
    lab_ports_as_needed(l);
    l->config.switches.port.classes = 2;
    l->config.switches.port.schedule.ops = &schedule_strict;
    l->config.switches.buffer_bytes = 30000;
    lab_random_flows(l, 24, 300, 60000, 400 * US);
    for (uint32_t i = 1; i < 20; i++) lab_flow(l, i, 0, 60000, 20 * US)->priority = (uint8_t)(i % 2);
    lab_fail(l, "leaf1-spine0", 100 * US, 500 * US, 20 * US);
    lab_slow(l, "leaf2-spine1", GBPS, 50 * US, 600 * US);
    lab_gray(l, "leaf3-spine1", PPB / 20, 0, 600 * US);
    assert_services_may_wait(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(deferred__more_ports_than_a_word),
        UNIT(deferred__marked_credits_on_many_paths),
        UNIT(deferred__data_in_classes),
    };
    return RUN_UNITS(tests);
}
