/* The baselines of the ExpressPass and SprayPass figures in whole simulated fabrics: DCTCP and DX as they were
 * published, seen from outside. */
#include "sim/fixture.h"

#include "unit.h"

#define K_PER_10G (65 * 1538)
#define LEFT_OUT (20 * MS) /* the flows find their windows */

/* Long flows from hosts on leaf0 to hosts on leaf1 over one link, all of this rate, 100 us round trip. */
static struct lab *lab_dumbbell(const char *transport, uint32_t flows, int64_t rate_bps) {
    struct fabric_spec spec = spec_dumbbell(flows);
    spec.host_bps = spec.uplink_bps = spec.core_bps = rate_bps;
    spec.host_delay = spec.uplink_delay = spec.core_delay = 16 * US;
    struct lab *l = lab_new(spec);
    lab_transport(l, transport);
    l->config.switches.buffer_bytes = 10000000;
    l->config.switches.ecn_bytes_per_10g = l->config.hosts.transport[0]->needs.ecn_bytes;
    l->config.measure.queues = 10 * US;
    l->config.until = 120 * MS;
    for (uint32_t i = 0; i < flows; i++) lab_flow(l, i, flows + i, UINT64_MAX, i * 370 * US);
    return l;
}

struct queue_seen {
    int64_t least, most, mean;
};

/* Of the samples of the link's queue after the flows found their windows. */
static struct queue_seen lab_queue_seen(const struct lab *l) {
    uint32_t port = lab_port(l, "leaf0", "leaf1")->port, n = 0;
    struct queue_seen seen = {.least = INT64_MAX};
    for (size_t i = 0; i < l->r.n_samples; i++) {
        const struct sample *s = &l->r.sample[i];
        if (s->kind != SAMPLE_QUEUE || s->port != port || s->at < LEFT_OUT) continue;
        seen.least = min_i64(seen.least, s->value);
        seen.most = max_i64(seen.most, s->value);
        seen.mean += s->value;
        n++;
    }
    assert_true(n > 100);
    seen.mean /= n;
    return seen;
}

/* Of the whole run, in parts per thousand. */
static int64_t lab_link_used(const struct lab *l) {
    int64_t could = (int64_t)((__int128)l->config.until * l->spec.core_bps / (8 * PS_PER_S));
    return (int64_t)(lab_sent(l, "leaf0", "leaf1") * 1000 / (uint64_t)could);
}

static double lab_jain(const struct lab *l) {
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) {
        double x = (double)l->r.tally[i].received_bytes;
        sum += x;
        squares += x * x;
    }
    return sum * sum / (l->flows.n * squares);
}

static void assert_nothing_lost(const struct lab *l) {
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(lab_counter(l, "tcp_timeouts"), 0);
}

/* Two long flows: the queue swings closely around K, at most K + N frames (DCTCP 3.3), and never runs dry. */
static void dctcp__queue_around_k(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dctcp", 2, 10000 * MBPS);
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_in_range(q.mean, 55 * 1518, 66 * 1518);
    assert_in_range(q.most, 65 * 1518, 70 * 1518);
    assert_true(q.least > 40 * 1518);
    assert_true(lab_link_used(l) >= 990);
    assert_true(lab_jain(l) > 0.95);
    assert_nothing_lost(l);
    lab_end(l);
}

/* K and g follow the rate (CLAIMS AM-12): 40 Gbps have K = 260 frames. */
static void dctcp__queue_around_k_at_40g(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dctcp", 2, 40000 * MBPS);
    l->config.until = 60 * MS;
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_in_range(q.mean, 220 * 1518, 265 * 1518);
    assert_in_range(q.most, 260 * 1518, 280 * 1518);
    assert_true(lab_link_used(l) >= 990);
    assert_nothing_lost(l);
    lab_end(l);
}

/* 64 flows: a window of a few segments each; the floor of one segment lets the queue stay near K all the same. */
static void dctcp__many_flows(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dctcp", 64, 10000 * MBPS);
    for (uint32_t i = 0; i < 64; i++) l->flows.flow[i].start = i * 7 * US;
    l->config.until = 60 * MS;
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_in_range(q.mean, 50 * 1518, 130 * 1518);
    assert_true(lab_link_used(l) >= 990);
    assert_nothing_lost(l);
    lab_end(l);
}

/* Without a threshold anywhere: the queue is a few frames, the link in use. */
static void dx__small_queue(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dx", 2, 10000 * MBPS);
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_true(q.mean < 5 * 1518);
    assert_true(q.most < 20 * 1518);
    assert_true(lab_link_used(l) >= 950);
    assert_true(lab_jain(l) > 0.95);
    assert_int_equal(l->r.packets.marked, 0);
    assert_nothing_lost(l);
    lab_end(l);
}

/* Stamps cross partitions, beside Expeditus tags and SACK blocks: the same bits with any number of threads. */
static void all__same_bits_with_threads(void **state) {
    (void)state;
    static const char *const names[] = {"dctcp", "dx", "hull"};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_new(spec_clos(2, 2, 2, 2, 4));
        lab_balance(l, "expeditus");
        lab_transport(l, names[i]);
        l->config.switches.buffer_bytes = 30000; /* losses */
        l->config.switches.ecn_bytes_per_10g = 20000;
        lab_random_flows(l, 16, 150, 300000, 1 * MS);
        uint64_t one = lab_digest(l, 1);
        assert_true(l->r.packets.dropped > 0);
        assert_int_equal(l->r.flows_finished, 150);
        assert_true(lab_digest(l, 2) == one);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(dctcp__queue_around_k), UNIT(dctcp__queue_around_k_at_40g), UNIT(dctcp__many_flows),
        UNIT(dx__small_queue),       UNIT(all__same_bits_with_threads),
    };
    return RUN_UNITS(tests);
}
