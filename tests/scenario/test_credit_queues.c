/* XP-9, XP-26, SP-23: under credits no queue of data outgrows its bound, port by port, and nothing is lost. */
#include "scenario/credit_lab.h"

/* Flows between all, and all at once to host 0: what is longest in queues. */
static void load_with_flows(struct lab *l, uint32_t hosts) {
    lab_random_flows(l, hosts, 150, 400000, 2 * MS);
    for (uint32_t sender = 1; sender < hosts; sender++) lab_flow(l, sender, 0, 200000, 1 * MS);
}

static void runs_bounded(struct fabric_spec spec, const char *transport, uint32_t hosts, uint32_t queue, span_ps hold) {
    struct lab *l = lab_credits(spec, transport);
    lab_credit_queue(l, queue);
    load_with_flows(l, hosts);
    lab_run_done(l);
    assert_all_arrived(l);
    assert_bounded(l, hold);
    lab_end(l);
}

static void queues__expresspass(void **state) {
    (void)state;
    for (uint32_t queue = 4; queue <= 16; queue *= 4) {
        runs_bounded(spec_star(8), "expresspass", 8, queue, 0);
        runs_bounded(spec_leaf_spine(4, 2, 4), "expresspass", 16, queue, 0);
        runs_bounded(spec_clos(3, 2, 2, 2, 4), "expresspass", 24, queue, 0);
    }
}

/* A sender keeps a credit for a round trip: 24 us of links, 4 of hosts, up to 8 of serialization. */
static void queues__spraypass(void **state) {
    (void)state;
    runs_bounded(spec_leaf_spine(4, 4, 4), "spraypass", 16, 16, 36 * US);
    runs_bounded(spec_clos(3, 2, 2, 2, 4), "spraypass", 24, 16, 36 * US);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(queues__expresspass),
        UNIT(queues__spraypass),
    };
    return RUN_UNITS(tests);
}
