/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of flows over time, utilisation and queues from a known moment on, against values computed by hand. */
#include "sim/observe/datagrams.h"

#include "unit.h"

/* ---- fairness ---- */

/* (3 + 1)^2 / (2 (9 + 1)) = 0.8 in every interval of 1 ms; of 2.5 ms two are whole. */
static void rates__jain_of_two_known_rates(void **state) {
    (void)state;
    struct lab *l = lab_datagrams(6 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 3 * GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, GBPS, 0);
    l->config.measure.jain[0] = MS;
    l->config.measure.jain[1] = 2500 * US;
    l->config.measure.n_jain = 2;
    lab_run_done(l);
    assert_int_equal(l->r.fairness[0].intervals, 6);
    assert_int_equal(l->r.fairness[0].sum_ppm, 6 * 800000);
    assert_int_equal(l->r.fairness[0].min_ppm, 800000);
    assert_int_equal(l->r.fairness[1].interval, 2500 * US);
    assert_int_equal(l->r.fairness[1].intervals, 2);
    assert_int_equal(l->r.fairness[1].min_ppm, 800000);
    l->config.measure.arrivals.from = 2 * MS;
    lab_run_done(l);
    assert_int_equal(l->r.fairness[0].intervals, 4);
    assert_int_equal(l->r.fairness[1].intervals, 1);
    lab_end(l);
}

/* ---- goodput ---- */

static void rates__goodput_of_hosts(void **state) {
    (void)state;
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 3 * GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, GBPS, 0);
    datagrams(l, 4, 3, UINT64_MAX, 500 * MBPS, 3 * MS); /* two flows to one host */
    l->config.measure.goodput = MS;
    lab_run_done(l);
    assert_int_equal(l->r.n_samples, 2 * 5);
    for (int k = 0; k < 5; k++) {
        const struct sample *a = &l->r.sample[2 * k], *b = a + 1;
        assert_int_equal(a->at, (k + 1) * MS);
        assert_int_equal(a->kind, SAMPLE_GOODPUT);
        assert_int_equal(a->port, 2); /* host 2's port */
        assert_int_equal(a->value, 3 * GBPS);
        assert_int_equal(b->port, 3);
        assert_int_equal(b->value, k < 3 ? GBPS : GBPS + 500 * MBPS);
    }
    lab_end(l);
}

static void rates__samples_of_goodput_are_bounded(void **state) {
    (void)state;
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 3 * GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, GBPS, 0);
    l->config.measure.goodput = 100 * US;
    l->config.measure.max_samples = 20;
    lab_run_done(l);
    assert_true(l->r.samples_thinned);
    assert_in_range(l->r.n_samples, 10, 20);
    assert_int_equal(l->r.sample[0].value, 3 * GBPS); /* covers its own period only */
    lab_end(l);
}

/* Goodput from 2 ms to 5 ms: flow 2 has ended before; flow 3 starts at 3 ms and gets 2/3 of its rate. */
static void rates__goodput_between_from_and_the_end(void **state) {
    (void)state;
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 3 * GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, GBPS, 0);
    datagrams(l, 3, 4, UINT64_MAX, GBPS, 0)->stop = MS;
    datagrams(l, 4, 5, UINT64_MAX, 1500 * MBPS, 3 * MS);
    l->config.measure.arrivals.from = 2 * MS;
    lab_run_done(l);
    const struct summary *s = &l->r.host_goodput_bps;
    assert_int_equal(s->n, 3);
    assert_int_equal(s->max, 3 * GBPS);
    assert_int_equal(s->p50, GBPS);
    assert_int_equal(s->min, GBPS);
    assert_int_equal(s->mean, 5 * GBPS / 3 + 1);
    lab_end(l);
}

/* ---- convergence ---- */

/* A flow is alone until 1 ms. A flow of the same rate joins: fair from the first 100 us on. A flow of twice the rate
 * joins at 2 ms: not fair until it leaves. */
static void rates__convergence_of_known_rates(void **state) {
    (void)state;
    struct lab *l = lab_datagrams(4 * MS);
    datagrams(l, 0, 3, UINT64_MAX, GBPS, 0);
    datagrams(l, 1, 4, UINT64_MAX, GBPS, MS);
    datagrams(l, 2, 5, UINT64_MAX, 2 * GBPS, 2 * MS)->stop = 3 * MS;
    l->config.measure.converge = 100 * US;
    l->config.measure.converge_band_ppb = PPB / 10;
    lab_run_done(l);
    assert_int_equal(l->r.n_joins, 2);
    assert_int_equal(l->r.join[0].at, MS);
    assert_int_equal(l->r.join[0].intervals, 10);
    assert_int_equal(l->r.join[0].first_ps, 100 * US);
    assert_int_equal(l->r.join[0].settled_ps, 100 * US);
    assert_int_equal(l->r.join[1].at, 2 * MS);
    assert_int_equal(l->r.join[1].flows, 3);
    assert_true(l->r.join[1].settled_ps == TIME_NONE);
    /* Rates 1 : 1 : 2 lie within half of their mean, 4/3. */
    l->config.measure.converge_band_ppb = PPB / 2;
    lab_run_done(l);
    assert_int_equal(l->r.join[1].settled_ps, 100 * US);
    assert_int_equal(l->r.converged_ps.max, 100 * US);
    lab_end(l);
}

/* ---- links and queues ---- */

/* 3 Gbps of payload use 3 x 1316/1250 of a 10 Gbps link, from 2 ms on as from the start. */
static void collect_ports__utilisation_since_from(void **state) {
    (void)state;
    const int64_t fast = 3 * PPB / 10 / PAYLOAD * WIRE, slow = fast / 3;
    const struct watched_link watch[] = {{.port = 0}, {.port = 3, .both = true}};
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 3 * GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, GBPS, 0);
    datagrams(l, 5, 4, UINT64_MAX, 2 * GBPS, 0)->stop = MS;
    l->config.measure.arrivals.from = 2 * MS;
    l->config.measure.watch = watch;
    l->config.measure.n_watch = 2;
    lab_run_done(l);
    assert_int_equal(lab_port(l, "host0.0", "leaf0")->utilisation_ppb, fast);
    assert_int_equal(lab_port(l, "leaf0", "host0.3")->utilisation_ppb, slow);
    assert_int_equal(lab_port(l, "host0.5", "leaf0")->utilisation_ppb, 0);
    const struct link_use *all = &l->r.link[0], *named = &l->r.watched;
    assert_int_equal(all->n, 12);
    assert_int_equal(all->mean_ppb, (2 * fast + 2 * slow) / 12);
    assert_int_equal(all->max_ppb, fast);
    assert_int_equal(all->min_ppb, 0); /* host 4 is idle */
    assert_int_equal(l->r.link[1].n, 0);
    assert_int_equal(named->n, 2);
    assert_int_equal(named->mean_ppb, (fast + slow) / 2);
    assert_int_equal(named->min_ppb, slow);
    assert_int_equal(named->data_min_ppb, slow);
    lab_end(l);
}

/* A burst of ten datagrams passes an idle 10 Gbps NIC, then links of 5 Gbps to and from the spine. */
static void collect_ports__queues_by_tier(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 1, 2));
    lab_link(l, "leaf0-spine0", 5 * GBPS, -1, -1);
    lab_transport(l, "udp");
    lab_transport_param(l, 0, "payload", PAYLOAD);
    lab_flow(l, 0, 2, 10 * PAYLOAD, 0);
    lab_run_done(l);
    const struct queue_use *q = l->r.queue;
    assert_int_equal(q[QUEUE_NIC].n_ports, 4);
    assert_int_equal(q[QUEUE_TOR_UP].n_ports, 2);
    assert_int_equal(q[QUEUE_TOR_DOWN].n_ports, 4);
    assert_int_equal(q[QUEUE_AGG_UP].n_ports, 0);
    assert_int_equal(q[QUEUE_AGG_DOWN].n_ports, 2);
    assert_int_equal(q[QUEUE_CORE].n_ports, 0);
    /* Frames arrive twice as fast as they leave: the tenth meets 4.5 frames and makes it 5.5. */
    int64_t frame = WIRE * 1518 / 1538;
    assert_in_range(q[QUEUE_TOR_UP].max_bytes, frame * 11 / 2 - 20, frame * 11 / 2 + 20);
    assert_in_range(q[QUEUE_AGG_DOWN].max_bytes, frame - 2, frame + 2);
    assert_in_range(q[QUEUE_TOR_DOWN].max_bytes, frame - 2, frame + 2);
    assert_int_equal(q[QUEUE_TOR_UP].max_bytes, l->r.queue_max_bytes);
    assert_true(q[QUEUE_TOR_UP].mean_bytes > q[QUEUE_TOR_DOWN].mean_bytes);
    lab_end(l);
}

/* ---- observing changes nothing ---- */

static struct lab *lab_busy(bool measured) {
    struct lab *l = lab_new(spec_leaf_spine(4, 3, 3));
    lab_link(l, "leaf0-spine*", 0, 100 * PS_PER_NS, -1);
    lab_random_flows(l, 12, 60, 300000, 500 * US);
    if (!measured) return l;
    l->config.measure.arrivals.from = 123456789;
    l->config.measure.goodput = 33 * US;
    l->config.measure.jain[0] = 50 * US;
    l->config.measure.n_jain = 1;
    l->config.measure.converge = 3 * US;
    l->config.measure.converge_band_ppb = PPB / 2;
    return l;
}

static void rates__observing_changes_nothing(void **state) {
    (void)state;
    struct lab *plain = lab_busy(false), *measured = lab_busy(true);
    assert_true(lab_digest(plain, 1) == lab_digest(measured, 1));
    assert_int_equal(plain->r.engine.sim_ps, measured->r.engine.sim_ps);
    lab_end(plain);
    lab_end(measured);
}

static void rates__the_same_for_any_number_of_threads(void **state) {
    (void)state;
    struct lab *one = lab_busy(true), *more = lab_busy(true);
    lab_digest(one, 1);
    const struct run_result *a = &one->r, *b = &more->r;
    assert_true(a->n_samples > 100 && a->fairness[0].intervals > 5 && a->n_joins > 5);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        lab_digest(more, threads);
        assert_int_equal(a->n_samples, b->n_samples);
        for (size_t i = 0; i < a->n_samples; i++) assert_int_equal(a->sample[i].value, b->sample[i].value);
        assert_memory_equal(a->fairness, b->fairness, sizeof a->fairness);
        assert_int_equal(a->n_joins, b->n_joins);
        for (size_t i = 0; i < a->n_joins; i++) {
            assert_int_equal(a->join[i].at, b->join[i].at);
            assert_int_equal(a->join[i].settled_ps, b->join[i].settled_ps);
        }
        assert_memory_equal(&a->host_goodput_bps, &b->host_goodput_bps, sizeof a->host_goodput_bps);
        for (size_t g = 0; g < a->n_ports; g++)
            assert_int_equal(a->port[g].utilisation_ppb, b->port[g].utilisation_ppb);
        assert_int_equal(a->link[1].min_ppb, b->link[1].min_ppb);
    }
    lab_end(one);
    lab_end(more);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(rates__jain_of_two_known_rates),
        UNIT(rates__goodput_of_hosts),
        UNIT(rates__samples_of_goodput_are_bounded),
        UNIT(rates__goodput_between_from_and_the_end),
        UNIT(rates__convergence_of_known_rates),
        UNIT(collect_ports__utilisation_since_from),
        UNIT(collect_ports__queues_by_tier),
        UNIT(rates__observing_changes_nothing),
        UNIT(rates__the_same_for_any_number_of_threads),
    };
    return RUN_UNITS(tests);
}
