/* SPDX-License-Identifier: Apache-2.0 */
/* HULL in whole simulated fabrics, as it was published, seen from outside. */
#include "dumbbell.h"

#include "mech/admit/phantom.h"

#include "unit.h"

/* Two long flows over phantom queues that drain at this share of the rate. */
static struct lab *lab_hull(int64_t drain_ppb) {
    struct lab *l = lab_dumbbell("hull", 2, 10000 * MBPS);
    l->config.switches.admit.phantom_drain_ppb = drain_ppb;
    return l;
}

/* A nearly empty queue, and a share of the link close to 95 %, never above (HULL; XP-27). */
static void hull__near_empty_queue_at_95_percent(void **state) {
    (void)state;
    struct lab *l = lab_hull(PHANTOM_DRAIN_PPB);
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_true(q.mean < 1518);
    assert_true(q.most < 8 * 1518);
    assert_in_range(lab_link_used(l), 900, 950);
    assert_true(lab_jain(l) > 0.95);
    assert_true(l->r.packets.marked > 0);
    assert_nothing_lost(l);
    lab_end(l);
}

/* The share that is left free is the experiment's to say. */
static void hull__drain_sets_the_share(void **state) {
    (void)state;
    struct lab *l = lab_hull(800000000);
    lab_run_done(l);
    assert_in_range(lab_link_used(l), 750, 800);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(hull__near_empty_queue_at_95_percent),
        UNIT(hull__drain_sets_the_share),
    };
    return RUN_UNITS(tests);
}
