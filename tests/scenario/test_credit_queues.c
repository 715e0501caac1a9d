/* XP-9, XP-26, SP-23: under credits no queue of data outgrows its bound, port by port, and nothing is lost. */
#include "fabric/credit_bound.h"
#include "sim/fixture.h"

static const struct credit_settings credits = {
    .on = true, .queue = 16, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168, .mark_window = 4};

static struct lab *lab_of(struct fabric_spec spec, const char *transport, uint32_t queue) {
    struct lab *l = lab_new(spec);
    l->config.switches.buffer_bytes = 4000000;
    l->config.switches.credit = credits;
    l->config.switches.credit.queue = queue;
    l->config.hosts.credit = l->config.switches.credit;
    l->config.hosts.processing_delay = US;
    lab_balance_param(l, "hash", 1);
    lab_transport(l, transport);
    return l;
}

/* Flows between all, and all at once to host 0: what is longest in queues. */
static void load_with_flows(struct lab *l, uint32_t hosts) {
    lab_random_flows(l, hosts, 150, 400000, 2 * MS);
    for (uint32_t sender = 1; sender < hosts; sender++) lab_flow(l, sender, 0, 200000, 1 * MS);
}

/* Frames that need no credit would come on top (XP-13), but the bound leaves room for these few. */
static void assert_bounded(struct lab *l, span_ps hold) {
    struct credit_bound_spec spec = {.credit_queue = l->config.switches.credit.queue,
                                     .burst_bytes = credits.burst_bytes,
                                     .processing_delay = l->config.hosts.processing_delay,
                                     .hold = hold};
    struct credit_bound *b = credit_bound_create(l->fabric, &spec);
    int64_t most = 0;
    assert_int_equal(l->r.n_ports, l->fabric->paths.first_port[l->fabric->n_nodes]);
    for (uint32_t p = 0; p < l->r.n_ports; p++) {
        int64_t bound = (int64_t)credit_bound_bytes(b, p), queue = l->r.port[p].max_queue_bytes;
        assert_int_equal(l->r.port[p].port, p);
        if (queue > bound) {
            const struct place_port *port = &l->fabric->paths.port[p];
            fail_msg("%s to %s: %lld B of %lld B", name_of(l->fabric, port->node), name_of(l->fabric, port->neighbour),
                     (long long)queue, (long long)bound);
        }
        most = max_i64(most, queue);
    }
    assert_true(most > 4 * 1518); /* there were queues to bound */
    credit_bound_destroy(b);
}

static void runs_bounded(struct fabric_spec spec, const char *transport, uint32_t hosts, uint32_t queue, span_ps hold) {
    struct lab *l = lab_of(spec, transport, queue);
    load_with_flows(l, hosts);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, l->flows.n);
    assert_int_equal(l->r.packets.dropped, 0);
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
