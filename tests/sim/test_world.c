/* SPDX-License-Identifier: Apache-2.0 */
/* The world as a whole: exact times on idle networks, ends of runs, stuck runs, conservation. */
#include "sim/fixture.h"

#include "unit.h"

/* What a minimum frame, a SYN (12 bytes of options) and a full segment take on the wire at 10 Gbps. */
#define PS_PER_BYTE 800LL
#define MIN_PS (84 * PS_PER_BYTE)
#define SYN_PS (90 * PS_PER_BYTE)
#define FULL_PS (1538 * PS_PER_BYTE)

/* ---- one flow in an idle network: hand arithmetic to the picosecond ---- */

/* SYN there, SYN-ACK back, the segment there: each is stored and forwarded at every link. */
static span_ps single_segment_fct(uint32_t links, span_ps delay) {
    return links * (2 * (SYN_PS + delay) + FULL_PS + delay);
}

static void single_segment(struct fabric_spec spec, uint32_t dst, uint32_t links, span_ps delay) {
    struct lab *l = lab_new(spec);
    lab_flow(l, 0, dst, 1460, 7 * US);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(links, delay));
    int64_t slowdown = l->r.times[CLASS_ALL].slowdown_ppm.max;
    assert_true(slowdown >= 1000000 && slowdown < 1010000); /* the SYN's options are all that is above the bound */
    lab_end(l);
}

static void idle__two_links(void **state) {
    (void)state;
    single_segment(spec_star(2), 1, 2, 2 * US);
}

static void idle__four_links(void **state) {
    (void)state;
    single_segment(spec_leaf_spine(2, 2, 2), 2, 4, 2 * US);
}

static void idle__six_links(void **state) {
    (void)state;
    single_segment(spec_fat_tree(4), 8, 6, 2 * US);
}

/* A slow link late on the way counts once: the SYN and the segment leave their host at its own rate. */
static void idle__slow_last_link(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_link(l, "host0.1-*", 2500 * MBPS, -1, -1);
    lab_flow(l, 0, 1, 1460, 0);
    lab_run_done(l);
    span_ps slow = 8000000000000LL / (2500 * MBPS);
    assert_int_equal(lab_fct(l, 0), (2 * 90 + 1538) * (PS_PER_BYTE + slow) + 6 * 2 * US);
    assert_true(l->r.times[CLASS_ALL].slowdown_ppm.max < 1010000);
    lab_end(l);
}

/* A link without propagation delay is legal: only serialization is left. */
static void idle__zero_delay(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    spec.host_delay = spec.uplink_delay = 0;
    single_segment(spec, 2, 4, 0);
}

/* Each frame goes down one stack and up another. */
static void idle__processing_delay(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    l->config.hosts.processing_delay = 1 * US;
    lab_flow(l, 0, 2, 1460, 0);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(4, 2 * US) + 3 * 2 * US);
    assert_true(l->r.times[CLASS_ALL].slowdown_ppm.max < 1010000);
    lab_end(l);
}

/* No handshake, and frames follow each other: the last is stored and forwarded at each of three more links. */
/* FCT is parted at the first data frame: nothing before it with UDP, a SYN and its answer with TCP, a request and the
 * first credit with credits; on an open connection, or with unscheduled data, nothing. */
static span_ps handshake_of(const char *transport, bool open, const char *param, int64_t value) {
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    l->config.switches.credit = l->config.hosts.credit =
        (struct credit_config){.on = true, .queue = 16, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168};
    lab_transport(l, transport);
    if (param) lab_transport_param(l, 0, param, value);
    if (open) lab_flow(l, 0, 2, 14600, 50 * US)->flags = FLOW_ESTABLISHED;
    if (!open) lab_flow(l, 0, 2, 14600, 50 * US);
    lab_run_done(l);
    const struct flow_times *t = &l->r.times[CLASS_ALL];
    span_ps handshake = t->handshake_ps.mean;
    assert_int_equal(handshake, l->r.tally[0].first_data_at - 50 * US);
    assert_int_equal(handshake + t->data_ps.mean, t->fct_ps.mean);
    assert_true(t->data_ps.mean > 0);
    lab_end(l);
    return handshake;
}

static void handshake__ends_with_the_first_data(void **state) {
    (void)state;
    span_ps there_and_back = 2 * 4 * 2 * US; /* by propagation alone */
    span_ps tcp = handshake_of("newreno", false, NULL, 0), credits = handshake_of("expresspass", false, NULL, 0);
    assert_int_equal(handshake_of("udp", false, NULL, 0), 0);
    assert_int_equal(handshake_of("newreno", true, NULL, 0), 0);
    assert_in_range(tcp, there_and_back, there_and_back + 2 * US);
    assert_in_range(credits, there_and_back, there_and_back + 10 * US);
    /* behind the request */
    assert_int_equal(handshake_of("expresspass", false, "unscheduled", 4000), 84 * 8 * PS_PER_S / (10 * GBPS));
}

static void idle__udp(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_transport(l, "udp");
    lab_flow(l, 0, 2, 10 * 1472, 0);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), (10 + 3) * FULL_PS + 4 * 2 * US);
    assert_int_equal(l->r.times[CLASS_ALL].slowdown_ppm.max, 1000000);
    lab_end(l);
}

/* Frames on the wire: SYN, SYN-ACK, data, and an ACK for each segment. */
static void idle__frames_and_hops_are_counted(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_flow(l, 0, 2, 5 * 1460, 0);
    lab_run_done(l);
    assert_int_equal(l->r.packets.sent, 2 + 5 + 5);
    assert_int_equal(l->r.packets.delivered, l->r.packets.sent);
    assert_int_equal(l->r.engine.packet_hops, 4 * l->r.packets.sent);
    assert_int_equal(lab_sent(l, "host0.0", "leaf0"), 90 + 5 * 1538);
    assert_int_equal(lab_sent(l, "leaf0", "host0.0"), 90 + 5 * 84);
    assert_int_equal(l->r.flow_bytes, 5 * 1460);
    lab_end(l);
}

/* ---- the end of a run ---- */

static void end__first_epoch_after_the_last_flow(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(4));
    lab_random_flows(l, 4, 20, 20000, 3 * MS);
    lab_run_done(l);
    time_ps last = 0;
    for (uint32_t i = 0; i < 20; i++) last = max_i64(last, l->r.tally[i].finished_at);
    assert_int_equal(l->r.engine.sim_ps % (100 * US), 0);
    assert_true(l->r.engine.sim_ps >= last && l->r.engine.sim_ps - last < 100 * US);
    lab_end(l);
}

static void end__no_flows_at_all(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_run_done(l);
    assert_int_equal(l->r.engine.sim_ps, 100 * US);
    assert_int_equal(l->r.packets.sent, 0);
    lab_end(l);
}

static void end__until_cuts_what_is_in_flight(void **state) {
    (void)state;
    for (time_ps until = 20 * US; until < 100 * US; until += 7777777) {
        struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
        l->config.until = until;
        lab_flow(l, 0, 2, 1000000, 0);
        lab_flow(l, 3, 1, 1000000, 0);
        lab_run_done(l);
        const struct packet_totals *p = &l->r.packets;
        assert_int_equal(l->r.engine.sim_ps, until);
        assert_int_equal(l->r.flows_unfinished, 2);
        assert_true(p->in_flight > 0 && p->dropped == 0);
        assert_int_equal(p->sent, p->delivered + p->in_flight);
        lab_end(l);
    }
}

/* Frames that wait in ports with classes are in flight too. */
static void end__until_counts_queues_of_classes(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(3));
    l->config.switches.port.classes = 2;
    l->config.switches.port.schedule.ops = &schedule_strict;
    l->config.until = 100 * US;
    lab_transport(l, "udp");
    lab_flow(l, 1, 0, 1000000, 0);
    lab_flow(l, 2, 0, 1000000, 0);
    lab_run_done(l);
    assert_true(l->r.packets.in_flight > 70); /* both send at 10 Gbps for 100 us: 81 frames each, half of them wait */
    lab_end(l);
}

static void end__a_flow_that_starts_late_is_waited_for(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_flow(l, 0, 1, 1460, 13005 * MS + 30 * US);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(2, 2 * US));
    assert_int_equal(l->r.engine.sim_ps, 13005 * MS + 100 * US); /* the idle time has not put the end off */
    lab_end(l);
}

/* Over links of a millisecond the world sleeps most of the time; it still ends with the first epoch after the flow. */
static void end__idle_times_do_not_put_it_off(void **state) {
    (void)state;
    for (time_ps start = 0; start < 2 * MS; start += 33333333) {
        struct fabric_spec spec = spec_star(2);
        spec.host_delay = 1 * MS;
        struct lab *l = lab_new(spec);
        lab_flow(l, 0, 1, 1460, start);
        lab_run_done(l);
        assert_in_range(l->r.engine.sim_ps - l->r.tally[0].finished_at, 0, 100 * US);
        lab_end(l);
    }
}

static void end__long_flow_stops(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    struct flow *f = lab_flow(l, 0, 1, UINT64_MAX, 100 * US);
    f->stop = 1100 * US;
    f->rate_bps = GBPS;
    lab_run_done(l);
    assert_true(llabs(l->r.tally[0].received_bytes - 125000) <= 1472); /* 1 ms at 1 Gbps */
    assert_true(l->r.engine.sim_ps >= 1100 * US && l->r.engine.sim_ps <= 1200 * US);
    assert_int_equal(l->r.flows_unfinished, 0);
    lab_end(l);
}

/* Its last segment is on its way, or its last ACK: both ends see it end, and it is one flow. */
static void end__stopped_while_it_finishes(void **state) {
    (void)state;
    time_ps arrives = single_segment_fct(2, 2 * US);
    time_ps stops[] = {arrives - 1 * US, arrives + 1 * US};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_new(spec_star(3));
        lab_flow(l, 0, 1, 1460, 0)->stop = stops[i];
        lab_flow(l, 2, 1, 1460, 150 * US);
        lab_run_done(l);
        assert_int_equal(lab_fct(l, 0), arrives);
        assert_int_equal(l->r.flows_finished, 2);
        assert_int_equal(l->r.engine.sim_ps, 200 * US); /* the other is waited for */
        lab_end(l);
    }
}

/* A flow of some size that is stopped before its end stays unfinished, and the run ends all the same. */
static void end__stopped_before_it_finishes(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_flow(l, 0, 1, 100000000, 0)->stop = 450 * US;
    lab_run_done(l);
    assert_int_equal(l->r.flows_unfinished, 1);
    assert_int_equal(l->r.engine.sim_ps, 500 * US);
    lab_end(l);
}

static bool no_more(const struct progress *p, void *context) {
    *(struct progress *)context = *p;
    return false;
}

static void end__abandoned_by_whoever_watches(void **state) {
    (void)state;
    struct progress seen = {0};
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_flow(l, 0, 1, UINT64_MAX, 0);
    l->config.until = 3600 * PS_PER_S;
    l->config.progress = no_more;
    l->config.progress_context = &seen;
    assert_int_equal(lab_run(l), WORLD_ABANDONED);
    assert_true(seen.now > 0 && seen.packet_hops > 0 && seen.flows_total == 1);
    lab_end(l);
}

/* ---- stuck runs ---- */

static void stuck__cut_for_good_names_the_flow(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_fail(l, "leaf1-host1.0", 200 * US, TIME_NONE, 0);
    lab_flow(l, 0, 2, 1000000, 0);
    lab_flow(l, 1, 3, 1000000, 0);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_non_null(strstr(l->r.failure, "stuck at "));
    assert_non_null(strstr(l->r.failure, "1 flows are open"));
    assert_non_null(strstr(l->r.failure, "flow 0 host0.0 > host1.0"));
    assert_non_null(strstr(l->r.failure, "sender loss"));
    assert_int_equal(l->r.flows_finished, 1); /* the rest of the result is there */
    assert_in_range(l->r.engine.sim_ps, 10 * PS_PER_S,
                    10 * PS_PER_S + 20 * MS); /* no RTO is taken to be under a second */
    assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
    lab_end(l);
}

/* Nobody will ever send again: known at once. */
static void stuck__udp_lost_a_datagram(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_fail(l, "leaf0-host0.1", 10 * US, 1 * MS, 0);
    lab_flow(l, 0, 1, 100000, 0);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_non_null(strstr(l->r.failure, "flow 0 host0.0 > host0.1"));
    assert_true(l->r.engine.sim_ps <= 1 * MS + 200 * US);
    lab_end(l);
}

/* ---- links that fail, lose, slow down ---- */

static void failure__routes_avoid_the_dead_link(void **state) {
    (void)state;
    uint64_t dead_sent[2];
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_new(spec_leaf_spine(2, 2, 4));
        lab_fail(l, "leaf0-spine1", 100 * US, TIME_NONE, 50 * US);
        for (uint32_t h = 0; h < 4; h++) lab_flow(l, h, 4 + h, 1000000, 0);
        for (uint32_t h = 0; h < 4; h++) lab_flow(l, 4 + h, h, 1000000, 0);
        if (i == 0) l->config.until = 150 * US;
        lab_run_done(l);
        dead_sent[i] = lab_sent(l, "leaf0", "spine1") + lab_sent(l, "spine1", "leaf0");
        if (i == 1) {
            assert_int_equal(l->r.flows_finished, 8);
            assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
        }
        lab_end(l);
    }
    /* From the detection on nothing is put on it; what it held then still counts as sent. */
    assert_true(dead_sent[1] >= dead_sent[0] && dead_sent[1] - dead_sent[0] <= 2 * 250000);
}

static void failure__a_repaired_link_is_used_again(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 1, 1));
    lab_fail(l, "leaf0-spine0", 1 * MS, 30 * MS, 0);
    lab_flow(l, 0, 1, 3000000, 0);
    lab_run_done(l);
    assert_true(l->r.tally[0].finished_at > 30 * MS && l->r.tally[0].finished_at < 80 * MS);
    assert_true(l->r.tally[0].data_timeouts >= 1);
    lab_end(l);
}

static void gray__loses_its_share(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_gray(l, "leaf0-host0.0", PPB / 10, 0, TIME_NONE);
    lab_flow(l, 0, 1, UINT64_MAX, 0);
    l->config.until = 20 * MS;
    lab_run_done(l);
    double share = (double)l->r.packets.dropped_by[DROP_LOSS] / (double)l->r.packets.sent;
    assert_true(l->r.packets.sent > 16000 && share > 0.09 && share < 0.11);
    lab_end(l);
}

static void slow__for_a_while(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_slow(l, "leaf0-host0.1", GBPS, 1 * MS, 2 * MS);
    l->config.switches.buffer_bytes = 10000000;
    lab_flow(l, 0, 1, UINT64_MAX, 0)->rate_bps = GBPS * 9 / 10; /* on the wire 0.94 Gbps */
    l->config.until = 3 * MS;
    lab_run_done(l);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_true(l->r.queue_max_bytes <= 2 * 1518);
    lab_end(l);
}

/* ---- sharing a bottleneck ---- */

/* Two long flows over 10 Gbps from hosts of 40 Gbps. (From hosts of 10 Gbps one flow alone keeps a full queue full
 * without ever losing a frame, and locks the other out.) */
static struct lab *lab_bottleneck(const char *transport) {
    struct fabric_spec spec = spec_dumbbell(2);
    spec.host_bps = 40 * GBPS;
    struct lab *l = lab_new(spec);
    lab_transport(l, transport);
    lab_flow(l, 0, 2, UINT64_MAX, 0);
    lab_flow(l, 1, 3, UINT64_MAX, 0);
    l->config.until = 60 * MS;
    return l;
}

static void share__two_flows_are_fair_and_fill_the_link(void **state) {
    (void)state;
    static const char *const names[] = {"newreno", "cubic"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_bottleneck(names[i]);
        lab_run_done(l);
        double a = (double)l->r.tally[0].received_bytes, b = (double)l->r.tally[1].received_bytes;
        assert_true(a / b > 0.67 && a / b < 1.5);
        assert_true((a + b) * 8 / 0.060 > 0.85 * 9.49e9); /* of 10 Gbps on the wire */
        lab_end(l);
    }
}

/* ---- marking ---- */

static void ecn__queue_stays_near_the_threshold(void **state) {
    (void)state;
    struct lab *deaf = lab_bottleneck("newreno"), *l = lab_bottleneck("newreno");
    lab_run_done(deaf);
    assert_true(deaf->r.packets.dropped > 0 && deaf->r.packets.marked == 0);
    lab_transport_param(l, 0, "ecn", 1);
    l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 60000};
    lab_run_done(l);
    assert_true(l->r.packets.marked > 0 && l->r.packets.dropped == 0);
    int64_t mean = lab_port(l, "leaf0", "leaf1")->mean_queue_bytes;
    assert_true(mean > 20000 && mean < 60000);
    assert_true(l->r.queue_max_bytes < 3 * 60000); /* slow start goes over it for a round trip */
    assert_true(deaf->r.queue_max_bytes > 220000 && lab_port(deaf, "leaf0", "leaf1")->mean_queue_bytes > 150000);
    lab_end(deaf);
    lab_end(l);
}

/* Frames of a flow that is not ECN-capable are never marked. */
static void ecn__only_for_those_who_ask(void **state) {
    (void)state;
    struct lab *l = lab_bottleneck("newreno");
    l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 60000};
    lab_run_done(l);
    assert_int_equal(l->r.packets.marked, 0);
    assert_true(l->r.packets.dropped > 0);
    lab_end(l);
}

/* ---- samples ---- */

/* Two hosts send to a third at line rate: its queue grows by 10 Gbps less what the headers' preamble and gap take. */
static void samples__a_queue_that_grows(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(3));
    lab_transport(l, "udp");
    l->config.switches.buffer_bytes = 10000000;
    l->config.measure.queues = 50 * US;
    l->config.until = 500 * US;
    lab_flow(l, 1, 0, UINT64_MAX, 0);
    lab_flow(l, 2, 0, UINT64_MAX, 0);
    lab_run_done(l);
    uint32_t port = lab_port(l, "leaf0", "host0.0")->port, seen = 0;
    for (size_t i = 0; i < l->r.n_samples; i++) {
        const struct sample *s = &l->r.sample[i];
        if (s->kind != SAMPLE_QUEUE || s->port != port) continue;
        assert_int_equal(s->at, 50 * US * ++seen);
        int64_t expected = (s->at - FULL_PS - 2 * US) / PS_PER_BYTE * 1518 / 1538;
        assert_true(llabs(s->value - expected) <= 2 * 1518);
    }
    assert_int_equal(seen, 10);
    lab_end(l);
}

/* ---- foreseen ---- */

/* Every host sends once. */
static void all_send(struct lab *l) {
    uint32_t n = lab_fabric(l)->n_hosts;
    for (uint32_t h = 0; h < n; h++) lab_flow(l, h, (h + 1) % n, 1000, 0);
}

/* By rates, delays and who sends, and by nothing that depends on the machine. 1024 hosts of 10 Gbps put 1,720 frames on
 * their links in the 2.067 us of a window: enough for three threads of 440. */
static void foreseen__threads_by_what_a_window_holds(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_fat_tree(16));
    all_send(l);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    assert_int_equal(world_window_frames(&l->config, 2), 1024ull * 10 * GBPS / PS_PER_US * 2067200 / PS_PER_US / 12304);
    assert_int_equal(world_useful_threads(&l->config), 3);
    l->flows.n = 512; /* half of them send */
    assert_int_equal(world_useful_threads(&l->config), 1);
    lab_end(l);
    l = lab_new(spec_fat_tree(16));
    l->spec.core_delay = 20 * US; /* windows are as long as the shortest way between pods */
    all_send(l);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    assert_int_equal(world_useful_threads(&l->config), 16);
    lab_end(l);
    l = lab_new(spec_star(6)); /* cannot be cut */
    all_send(l);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    assert_int_equal(world_useful_threads(&l->config), 1);
    lab_end(l);
}

static void foreseen__memory_and_threads(void **state) {
    (void)state;
    struct lab *small = lab_new(spec_fat_tree(4)), *large = lab_new(spec_fat_tree(16));
    small->config.fabric = lab_fabric(small), small->config.flows = &small->flows;
    all_send(small);
    all_send(large);
    large->config.fabric = lab_fabric(large), large->config.flows = &large->flows;
    uint64_t few = world_memory_foreseen(&small->config), many = world_memory_foreseen(&large->config);
    assert_true(many > 10 * few);
    assert_int_equal(world_useful_threads(&small->config), 1);
    assert_true(world_useful_threads(&large->config) >= 2);
    lab_balance(large, "clairvoyant");
    assert_int_equal(world_useful_threads(&large->config), 1);
    lab_end(small);
    lab_end(large);
}

/* ---- what happens at one instant ---- */

/* The link to the receiver slows down at the very instant at which the SYN arrives at the switch: it is slow for it. */
static void instant__topology_before_arrivals(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_slow(l, "leaf0-host0.1", MBPS * 1000, SYN_PS + 2 * US, TIME_NONE);
    lab_flow(l, 0, 1, 1460, 0);
    lab_run_done(l);
    span_ps fast = 2 * SYN_PS + FULL_PS, slow = 10 * fast;
    assert_int_equal(lab_fct(l, 0), fast + slow + 6 * 2 * US);
    lab_end(l);
}

/* The SYN-ACK arrives at the very instant at which the SYN times out: the timer comes first. */
static void instant__deadlines_before_arrivals(void **state) {
    (void)state;
    for (int later = 0; later < 2; later++) {
        struct lab *l = lab_new(spec_star(2));
        lab_transport_param(l, 0, "initial_rto", 4 * (SYN_PS + 2 * US) + later);
        lab_flow(l, 0, 1, 1460, 0);
        lab_run_done(l);
        assert_int_equal(l->r.tally[0].syn_timeouts, later ? 0 : 1);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(idle__two_links),
        UNIT(idle__four_links),
        UNIT(idle__six_links),
        UNIT(idle__slow_last_link),
        UNIT(idle__zero_delay),
        UNIT(idle__processing_delay),
        UNIT(idle__udp),
        UNIT(handshake__ends_with_the_first_data),
        UNIT(idle__frames_and_hops_are_counted),
        UNIT(end__first_epoch_after_the_last_flow),
        UNIT(end__no_flows_at_all),
        UNIT(end__until_cuts_what_is_in_flight),
        UNIT(end__until_counts_queues_of_classes),
        UNIT(end__a_flow_that_starts_late_is_waited_for),
        UNIT(end__idle_times_do_not_put_it_off),
        UNIT(end__long_flow_stops),
        UNIT(end__stopped_while_it_finishes),
        UNIT(end__stopped_before_it_finishes),
        UNIT(end__abandoned_by_whoever_watches),
        UNIT(stuck__cut_for_good_names_the_flow),
        UNIT(stuck__udp_lost_a_datagram),
        UNIT(failure__routes_avoid_the_dead_link),
        UNIT(failure__a_repaired_link_is_used_again),
        UNIT(gray__loses_its_share),
        UNIT(slow__for_a_while),
        UNIT(share__two_flows_are_fair_and_fill_the_link),
        UNIT(ecn__queue_stays_near_the_threshold),
        UNIT(ecn__only_for_those_who_ask),
        UNIT(samples__a_queue_that_grows),
        UNIT(foreseen__memory_and_threads),
        UNIT(foreseen__threads_by_what_a_window_holds),
        UNIT(instant__topology_before_arrivals),
        UNIT(instant__deadlines_before_arrivals),
    };
    return RUN_UNITS(tests);
}
