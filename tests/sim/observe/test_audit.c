/* SPDX-License-Identifier: Apache-2.0 */
/* Conservation per link and per node, which debug builds assert in every run, and the books, which every build
 * checks. */
#include "mech/flowctl/flowctls.h"
#include "node/cioq.h"
#include "scenario/lossless_lab.h"
#include "sim/build.h"
#include "sim/engine/slots.h"
#include "sim/fixture.h"
#include "sim/observe/audit.h"

/* Builds a world that has not run, with the counts of a debug build. */
static struct lab *lab_unbegun(struct world *w) {
    struct lab *l = lab_new(spec_star(2));
    struct diag d;
    lab_flow(l, 0, 1, 1000, 0);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    assert_true(world_build(w, &l->config, &d));
    if (!w->audit.sent) audit_init(&w->audit, w->n_ports, l->fabric->n_nodes);
    return l;
}

static void lab_given_up(struct lab *l, struct world *w) {
    world_destroy(w);
    lab_end(l);
}

static void audit_check__what_was_sent_must_arrive_or_be_under_way(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_unbegun(&w);
    char text[256];
    assert_true(audit_check(&w, text, sizeof text));
    w.audit.sent[0] = 1;
    assert_false(audit_check(&w, text, sizeof text));
    assert_string_equal(text, "conservation is broken on the link from host0.0 to leaf0: sent 1, arrived 0, on it 0");
    lab_given_up(l, &w);
}

static void audit_check__what_came_must_go_or_stay(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_unbegun(&w);
    char text[256];
    w.host[1].created = 3;
    w.audit.consumed[1] = 2;
    assert_false(audit_check(&w, text, sizeof text));
    assert_string_equal(text,
                        "conservation is broken in host0.1: made or arrived 3, sent, dropped, consumed or waiting 2");
    w.extra[1].dropped[DROP_BUFFER] = 1;
    assert_true(audit_check(&w, text, sizeof text));
    lab_given_up(l, &w);
}

/* ---- books of every build ---- */

/* Runs a world until frames are in queues, in crossbars and on links. */
static struct lab *lab_begun(struct world *w) {
    struct lab *l = lab_detail(spec_leaf_spine(2, 2, 3), &flowctl_pfc, "alb");
    struct diag d;
    for (uint32_t h = 0; h < 5; h++) lab_flow(l, h, 5, 300000, 0);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    assert_true(world_build(w, &l->config, &d));
    partition_run(&w->partition[0], MS);
    return l;
}

static void audit_books__hold_in_the_middle_of_a_run(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_begun(&w);
    char text[256];
    assert_true(w.partition[0].pool.in_use > 20);
    assert_true(audit_books(&w, text, sizeof text));
    lab_given_up(l, &w);
}

static void audit_books__a_meter_that_forgets(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_begun(&w);
    char text[256];
    struct ingress_meter *m = &w.sw[0].cioq->input[1].meter;
    int64_t bytes = m->bytes;
    ingress_remove(m, 0, 100);
    assert_false(audit_books(&w, text, sizeof text));
    char expected[256];
    snprintf(expected, sizeof expected,
             "the meter of an ingress queue is wrong: leaf0, port to host0.1: %lld bytes counted, %lld there",
             (long long)bytes - 100, (long long)bytes);
    assert_string_equal(text, expected);
    ingress_add(m, 0, 100);
    assert_true(audit_books(&w, text, sizeof text));
    lab_given_up(l, &w);
}

static void audit_books__a_frame_that_is_lost(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_begun(&w);
    char text[256];
    packet_get(&w.partition[0].pool);
    assert_false(audit_books(&w, text, sizeof text));
    assert_non_null(strstr(text, "frames were lost from the books: "));
    lab_given_up(l, &w);
}

static void audit_books__a_queue_that_miscounts(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_begun(&w);
    char text[256];
    uint32_t down = w.config->fabric->paths.first_port[node(l->fabric, "leaf1")] + 2; /* to the common destination */
    w.extra[down].classes->drain_bytes[0] += 1;
    assert_false(audit_books(&w, text, sizeof text));
    assert_string_equal(text, "the books of a queue are wrong: leaf1, port to host1.2");
    lab_given_up(l, &w);
}

static void audit_ends__a_cell_that_is_kept(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_unbegun(&w);
    char text[256];
    assert_true(audit_ends(&w, text, sizeof text));
    cell_get(&w.partition[0].shared.ends[0]);
    assert_false(audit_ends(&w, text, sizeof text));
    assert_string_equal(text, "newreno kept 1 cells of connections that are closed");
    lab_given_up(l, &w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(audit_check__what_was_sent_must_arrive_or_be_under_way),
        UNIT(audit_check__what_came_must_go_or_stay),
        UNIT(audit_books__hold_in_the_middle_of_a_run),
        UNIT(audit_books__a_meter_that_forgets),
        UNIT(audit_books__a_frame_that_is_lost),
        UNIT(audit_books__a_queue_that_miscounts),
        UNIT(audit_ends__a_cell_that_is_kept),
    };
    return RUN_UNITS(tests);
}
