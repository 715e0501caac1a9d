/* SPDX-License-Identifier: Apache-2.0 */
/* One run on several ranks is that of one process with every balancer, transport and flow control. */
#include "sim/parallel/merge_lab.h"

#include "mech/flowctl/flowctls.h"

#include "scenario/lossless_lab.h"

static void merge__every_balancer_that_fits(void **state) {
    (void)state;
    size_t n;
    const struct balancer_ops *const *all = balancers(&n);
    for (size_t i = 0; i < n; i++) {
        struct lab *l = lab_pods();
        struct diag d = {0};
        lab_balance(l, all[i]->name);
        lab_measure(l);
        lab_random_flows(l, HOSTS, 60, 60000, 200 * US);
        if (!all[i]->fits || all[i]->fits(3, 8, l->balance_params, &d)) assert_same_on_all_shapes(l);
        lab_end(l);
    }
}

static void merge__every_transport(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        struct lab *l = lab_pods();
        lab_transport(l, row[i]->name);
        lab_ports_as_needed(l);
        l->config.switches.buffer_bytes = 1000000; /* no datagram is lost */
        lab_random_flows(l, HOSTS, 60, 100000, 200 * US);
        assert_same_on_all_shapes(l);
        assert_true(!row[i]->needs.credit || l->r.credits.sent > 100);
        lab_end(l);
    }
}

/* AM-55: requests tell sizes, and receivers count what they have outstanding. */
static void merge__credits_that_end_with_the_flow(void **state) {
    (void)state;
    static const char *const transport[] = {"expresspass", "spraypass"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_pods();
        lab_transport(l, transport[i]);
        lab_transport_param(l, 0, "credit_end", 1);
        lab_ports_as_needed(l);
        l->config.switches.credit.queue = 4;
        lab_fail(l, "agg0.0-core0.0", 150 * US, 900 * US, 100 * US);
        lab_gray(l, "tor3.1-agg3.0", PPB / 50, 100 * US, 1 * MS);
        lab_random_flows(l, HOSTS, 60, 100000, 200 * US);
        assert_same_on_all_shapes(l);
        assert_true(l->r.credits.dropped > 100);
        lab_end(l);
    }
}

/* Pauses cross between ranks, too; rows of paused lanes come from all of them. */
static void merge__flow_control(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "alb");
    lab_measure(l);
    l->config.measure.n_watch = 0;
    for (uint32_t h = 0; h < 12; h++) {
        struct flow *f = lab_flow(l, h, 12 + h % 2, 400000, h * 10 * US);
        f->priority = (uint8_t)(h % 3);
    }
    assert_same_on_all_shapes(l);
    assert_true(l->r.n_pauses > 4 && l->r.pauses.ingress_max_bytes > 0);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(merge__every_balancer_that_fits),
        UNIT(merge__every_transport),
        UNIT(merge__credits_that_end_with_the_flow),
        UNIT(merge__flow_control),
    };
    return RUN_UNITS(tests);
}
