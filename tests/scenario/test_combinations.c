/* SPDX-License-Identifier: Apache-2.0 */
/* CMB-10: TCP that keeps queues short (DCTCP, HULL) over Expeditus and packet spraying,
 * combinations that no paper measured.
 */
#include "sim/fixture.h"

#include "unit.h"

/* Returns flows between three pods: most are small, most bytes are in large ones, and buffers hold all. */
static struct lab *lab_between_pods(const char *transport, const char *balance) {
    static const uint64_t bytes[] = {7000, 15000, 30000, 60000, 100000, 300000, 700000, 1500000};
    struct lab *l = lab_new(spec_clos(3, 2, 2, 2, 4));
    lab_transport(l, transport);
    lab_balance(l, balance);
    l->config.switches.buffer_bytes = 10000000;
    lab_admit_as_needed(l, l->config.hosts.transport[0]);
    struct random_stream r;
    random_init(&r, l->config.seed, RANDOM_PAIRS, 10);
    for (uint32_t i = 0; i < 150; i++) {
        uint32_t src = (uint32_t)random_below(&r, 24), dst = (src / 8 + 1 + (uint32_t)random_below(&r, 2)) % 3 * 8;
        uint64_t size = bytes[random_below(&r, sizeof bytes / sizeof *bytes)];
        lab_flow(l, src, dst + (uint32_t)random_below(&r, 8), size, (time_ps)random_below(&r, 6 * MS));
    }
    return l;
}

/* Fails unless every byte of every flow and every frame arrived. */
static void assert_conserved(const struct lab *l) {
    assert_int_equal(l->r.flows_finished, l->flows.n);
    for (uint32_t i = 0; i < l->flows.n; i++) assert_int_equal(l->r.tally[i].received_bytes, l->flows.flow[i].bytes);
    assert_int_equal(l->r.packets.sent, l->r.packets.delivered + l->r.packets.in_flight);
    assert_int_equal(l->r.packets.dropped, 0);
}

static struct lab *ran(const char *transport, const char *balance) {
    struct lab *l = lab_between_pods(transport, balance);
    lab_run_done(l);
    assert_conserved(l);
    return l;
}

struct seen {
    int64_t queue_mean;
    uint64_t marked;
    int64_t slowdown_ppm; /* mean */
};

static struct seen seen_of(const char *transport, const char *balance) {
    struct lab *l = ran(transport, balance);
    struct seen seen = {l->r.queue_mean_bytes, l->r.packets.marked, l->r.times[CLASS_ALL].slowdown_ppm.mean};
    lab_end(l);
    return seen;
}

/* ---- Expeditus ---- */

/* Early marks keep queues short under any choice of paths: those of DCTCP are less than half of NewReno's, those of
 * HULL less than half of DCTCP's. */
static void expeditus__marks_keep_queues_short(void **state) {
    (void)state;
    struct seen newreno = seen_of("newreno", "expeditus"), dctcp = seen_of("dctcp", "expeditus"),
                hull = seen_of("hull", "expeditus");
    assert_int_equal(newreno.marked, 0);
    assert_true(dctcp.marked > 1000 && hull.marked > dctcp.marked);
    assert_true(dctcp.queue_mean < newreno.queue_mean / 2);
    assert_true(hull.queue_mean < dctcp.queue_mean / 2);
}

/* Expeditus and marks add to each other: with fewer collisions than under ECMP, the queues of DCTCP and HULL are
 * shorter. */
static void expeditus__adds_to_marks(void **state) {
    (void)state;
    static const char *const transport[] = {"dctcp", "hull"};
    for (int i = 0; i < 2; i++) {
        struct seen ecmp = seen_of(transport[i], "ecmp"), expeditus = seen_of(transport[i], "expeditus");
        assert_true(expeditus.marked > 0 && expeditus.marked < ecmp.marked);
        assert_true(expeditus.queue_mean < ecmp.queue_mean);
        assert_true(expeditus.slowdown_ppm < ecmp.slowdown_ppm);
    }
}

/* ---- packet spraying ---- */

/* Without collisions few frames are marked: at most a tenth of those under ECMP for DCTCP, whose threshold only queues
 * at the last hop reach, and a half for HULL. */
static void spray__leaves_little_to_mark(void **state) {
    (void)state;
    struct seen dctcp = seen_of("dctcp", "spray"), hull = seen_of("hull", "spray");
    assert_true(dctcp.marked <= seen_of("dctcp", "ecmp").marked / 10);
    assert_in_range(hull.marked, dctcp.marked, seen_of("hull", "ecmp").marked / 2);
    assert_true(hull.queue_mean < dctcp.queue_mean);
}

/* Reordering looks like loss: after three duplicate ACKs the sender retransmits frames that were not lost. A sender
 * with a higher threshold gets the same marks and retransmits nothing. */
static void spray__marks_do_not_repair_reordering(void **state) {
    (void)state;
    static const char *const transport[] = {"dctcp", "hull"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = ran(transport[i], "spray");
        assert_true(l->r.packets.reordered > 1000);
        assert_true(l->r.packets.retransmitted > 100);
        lab_end(l);
        l = lab_between_pods(transport[i], "spray");
        lab_transport_param(l, 0, "dupack_threshold", 1000);
        lab_run_done(l);
        assert_conserved(l);
        assert_true(l->r.packets.reordered > 1000 && l->r.packets.marked > 0);
        assert_int_equal(l->r.packets.retransmitted, 0);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(expeditus__marks_keep_queues_short),
        UNIT(expeditus__adds_to_marks),
        UNIT(spray__leaves_little_to_mark),
        UNIT(spray__marks_do_not_repair_reordering),
    };
    return RUN_UNITS(tests);
}
