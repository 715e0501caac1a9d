/* SPDX-License-Identifier: Apache-2.0 */
/* HULL in simulated fabrics: its published properties. */
#include "dumbbell.h"

#include "mech/admit/phantom.h"

#include "unit.h"

/* Returns two long flows over phantom queues that drain at this share of the rate. */
static struct lab *lab_hull(int64_t drain_ppb) {
    struct lab *l = lab_dumbbell("hull", 2, 10000 * MBPS);
    l->config.switches.admit.phantom_drain_ppb = drain_ppb;
    return l;
}

/* The queue is nearly empty, and the utilisation close to 95 % and never above (HULL; XP-27). */
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

/* The drain rate sets the utilisation. */
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
