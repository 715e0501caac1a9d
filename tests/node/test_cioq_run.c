/* SPDX-License-Identifier: Apache-2.0 */
/* A switch with a crossbar gives the same results slot by slot as event by event: frames leave by the same ports at the
 * same times, the same frames are dropped, and all measurements are equal. */
#include "mech/balance/balancers.h"
#include "mech/crossbar/crossbars.h"
#include "mech/flowctl/flowctls.h"
#include "mech/schedule/schedules.h"
#include "node/cioq.h"
#include "node/port_queue.h"
#include "wire/pause_frame.h"

#include "switch_stand.h"

#define PORTS 6 /* of the leaf: four hosts, two spines */
#define SLOT (7 * US)
#define FRAMES 1500
#define MAX_EVENTS (4 * FRAMES)
#define ROWS (2 * PORTS) /* per port: frames that leave, frames that end */

/* The outcome of a frame. */
struct outcome {
    time_ps at;
    uint32_t origin, serial;
    uint16_t port;
    uint8_t drop, consumed;
};

struct run {
    struct stand *stand;
    struct outcome *outcome; /* [row][order of events] */
    uint32_t n[ROWS];
};

struct given {
    time_ps at;
    struct packet frame;
    struct pause_fields pause;
    uint16_t in;
};

/* The settings of a run; some make rare outcomes frequent. */
struct variety {
    const struct flowctl_ops *flow;
    uint32_t classes, iterations;
    int64_t buffer_bytes;
    span_ps engine;
    bool push_out;
    uint32_t loss_ppb;
    const struct balancer_ops *balance;
    enum watchdog_action watchdog;
};

static void run_start(struct run *r, const struct variety *v) {
    struct fabric_spec spec = spec_leaf_spine(2, 2, 4);
    spec.host_bps = spec.uplink_bps = GBPS;
    spec.host_delay = spec.uplink_delay = 6600 * PS_PER_NS;
    struct stand *s = r->stand = stand_prepare(spec, v->balance);
    s->config.port.classes = v->classes;
    s->config.port.schedule.ops = v->classes > 1 ? &schedule_strict : &schedule_fifo;
    s->config.buffer_bytes = v->buffer_bytes;
    s->config.port.push_out = v->push_out;
    s->config.cioq = (struct crossbar_config){
        .ops = &crossbar_islip,
        .drops = v->flow == &flowctl_none,
        .iterations = v->iterations,
        .speedup = 2,
        .ingress_bytes = 131072,
        .reserve_bytes = 1600,
        .forward_delay = v->engine,
    };
    s->config.flow = (struct flowctl_config){.ops = v->flow,
                                             .params = {.max_frame_bytes = 1530,
                                                        .buffer_bytes = 131072,
                                                        .classes = v->flow == &flowctl_pfc ? v->classes : 1,
                                                        .headroom = HEADROOM_EXACT},
                                             .watchdog = {60 * US, 90 * US, 7 * US, v->watchdog}};
    stand_start(s, "leaf0");
    if (v->loss_ppb) port_set_loss(&s->port[0], &s->extra[0], v->loss_ppb);
    r->outcome = lines(ROWS * MAX_EVENTS, sizeof *r->outcome);
    memset(r->n, 0, sizeof r->n);
}

static void run_end(struct run *r) {
    stand_end(r->stand);
    free(r->outcome);
}

static void run_note(struct run *r, time_ps now, const struct emission *e, uint32_t n) {
    for (uint32_t k = 0; k < n; k++, e++) {
        const struct packet *p = packet_at(&r->stand->pool, e->packet);
        bool ends = e->drop || e->consumed;
        uint32_t row = 2u * e->port + ends;
        assert_true(r->n[row] < MAX_EVENTS);
        r->outcome[row * MAX_EVENTS + r->n[row]++] = (struct outcome){.at = ends ? now : e->depart,
                                                                      .origin = p->origin,
                                                                      .serial = p->serial,
                                                                      .port = e->port,
                                                                      .drop = e->drop,
                                                                      .consumed = e->consumed};
        packet_put(&r->stand->pool, e->packet);
    }
}

static uint32_t run_take(struct run *r, const struct given *g) {
    struct packet_pool *pool = &r->stand->pool;
    uint32_t index = packet_get(pool);
    *packet_at(pool, index) = g->frame;
    if (g->frame.shape & SHAPE_PAUSE) {
        uint32_t ext = packet_ext_get(pool);
        packet_at(pool, index)->ext = ext;
        packet_ext_at(pool, ext)->pause = g->pause;
    }
    return index;
}

static void run_events(struct run *r, time_ps until) {
    struct stand *s = r->stand;
    for (time_ps at; (at = switch_next_timer(s->sw)) <= until && at != TIME_NONE;) {
        switch_timer(s->sw, at, &s->out);
        run_note(r, at, s->out.e, s->out.n);
    }
}

static void run_one_by_one(struct run *r, const struct given *g, uint32_t n, time_ps end) {
    struct stand *s = r->stand;
    for (uint32_t k = 0; k < n; k++, g++) {
        run_events(r, g->at);
        switch_receive(s->sw, g->at, g->in, run_take(r, g), &s->out);
        run_note(r, g->at, s->out.e, s->out.n);
    }
    run_events(r, end - 1);
}

static void run_slot(struct run *r, const struct given *g, uint32_t n, time_ps start, time_ps end) {
    struct arrival *arrival = lines(n + 1, sizeof *arrival);
    for (uint32_t k = 0; k < n; k++)
        arrival[k] = (struct arrival){.key = (uint64_t)(g[k].at - start) << 16 | g[k].in, .packet = run_take(r, &g[k])};
    struct cioq_slot slot = {.arrival = arrival, .n = n, .start = start, .end = end};
    for (bool more = true; more;) {
        more = cioq_run(r->stand->sw, &slot);
        run_note(r, slot.now, r->stand->sw->cioq->sent, r->stand->sw->cioq->n_sent);
    }
    assert_true(switch_next_timer(r->stand->sw) >= end);
    free(arrival);
}

static uint64_t storms_found, storms_dropped; /* summed over all slots: whether there were any */

static void assert_same(const struct run *a, const struct run *b, time_ps now) {
    const struct stand *s = a->stand, *t = b->stand;
    assert_int_equal(cioq_length(s->sw->cioq, &s->pool), cioq_length(t->sw->cioq, &t->pool));
    assert_int_equal(s->pool.in_use, t->pool.in_use);
    assert_int_equal(s->sw->buffer.max_bytes, t->sw->buffer.max_bytes);
    for (uint32_t row = 0; row < ROWS; row++) {
        const struct outcome *x = &a->outcome[row * MAX_EVENTS], *y = &b->outcome[row * MAX_EVENTS];
        assert_int_equal(a->n[row], b->n[row]);
        assert_memory_equal(x, y, a->n[row] * sizeof *x);
    }
    for (uint16_t p = 0; p < PORTS; p++) {
        const struct cioq_input *i = &s->sw->cioq->input[p], *j = &t->sw->cioq->input[p];
        assert_int_equal(i->meter.bytes, j->meter.bytes);
        assert_int_equal(i->meter.paused, j->meter.paused);
        assert_int_equal(i->max_bytes, j->max_bytes);
        assert_int_equal(cioq_mean_ingress_bytes(s->sw->cioq, p, now), cioq_mean_ingress_bytes(t->sw->cioq, p, now));
        assert_int_equal(port_mean_queue_bytes(&s->port[p], &s->view[p], &s->extra[p], now),
                         port_mean_queue_bytes(&t->port[p], &t->view[p], &t->extra[p], now));
        assert_int_equal(s->extra[p].classes->max_bytes, t->extra[p].classes->max_bytes);
        assert_int_equal(s->extra[p].classes->blocked, t->extra[p].classes->blocked);
        assert_memory_equal(s->extra[p].classes->drain_bytes, t->extra[p].classes->drain_bytes,
                            sizeof s->extra[p].classes->drain_bytes);
        const struct pause_watchdog *x = cioq_watchdog(s->sw->cioq, p), *y = cioq_watchdog(t->sw->cioq, p);
        if (x) assert_memory_equal(x->found, y->found, sizeof x->found);
        if (x) assert_memory_equal(x->dropped, y->dropped, sizeof x->dropped);
        for (uint32_t k = 0; x && k < PAUSE_LANES; k++) storms_found += x->found[k], storms_dropped += x->dropped[k];
        assert_true(port_queue_is_sound(&s->extra[p], &s->pool));
    }
}

/* Draws the next frame: any size and class, most to one host or upwards, now and then a pause. */
static struct given given_next(struct random_stream *r, const struct fabric *f, const struct variety *v,
                               time_ps *busy_until, uint32_t serial) {
    uint16_t in = (uint16_t)random_below(r, PORTS);
    uint32_t dst = in < 4 ? (uint32_t)random_below(r, 8) : (uint32_t)random_below(r, 2);
    if (dst == in) dst = (dst + 1) % 4;
    uint16_t bytes = random_below(r, 2) ? FULL : (uint16_t)(84 + random_below(r, 400));
    busy_until[in] += (span_ps)random_below(r, 3) * 3 * US + bytes * 8 * PS_PER_NS;
    struct given g = {.in = in, .at = busy_until[in]};
    g.frame = (struct packet){.src_ip = fabric_host_ip(f, 4),
                              .dst_ip = fabric_host_ip(f, dst),
                              .proto = PROTO_TCP,
                              .wire_bytes = bytes,
                              .tos = (uint8_t)(random_below(r, 8) << 5),
                              .ttl = random_below(r, 200) ? 64 : 1,
                              .path = PATH_NONE,
                              .ext = EXT_NONE,
                              .origin = in,
                              .serial = serial};
    if (v->flow != &flowctl_none && random_below(r, 40) == 0) {
        uint8_t classes = (uint8_t)random_below(r, 256);
        g.frame = pause_packet(EXT_NONE);
        g.frame.origin = in;
        g.frame.serial = serial;
        g.pause = v->flow == &flowctl_pfc ? pause_fields_pfc(classes, (uint8_t)~classes, 100)
                                          : pause_fields_link(random_below(r, 2) ? 100 : 0);
    }
    return g;
}

static int given_order(const void *a, const void *b) {
    const struct given *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (int)x->in - (int)y->in;
}

static void assert_runs_alike(const struct variety *v, uint64_t seed) {
    struct run one = {0}, slots = {0};
    run_start(&one, v);
    run_start(&slots, v);
    struct random_stream random;
    random_init(&random, seed, RANDOM_HOST, 0);
    struct given *given = lines(FRAMES, sizeof *given);
    time_ps busy_until[PORTS] = {0};
    for (uint32_t k = 0; k < FRAMES; k++) given[k] = given_next(&random, one.stand->fabric, v, busy_until, k);
    qsort(given, FRAMES, sizeof *given, given_order);
    time_ps start = 0;
    for (uint32_t from = 0, to = 0; start < given[FRAMES - 1].at + 200 * MS; from = to) {
        time_ps end = from < FRAMES ? start + SLOT : given[FRAMES - 1].at + 200 * MS;
        while (to < FRAMES && given[to].at < end) to++;
        run_one_by_one(&one, given + from, to - from, end);
        run_slot(&slots, given + from, to - from, start, end);
        assert_same(&one, &slots, end);
        start = end;
    }
    free(given);
    run_end(&one);
    run_end(&slots);
}

#define ENGINE (3100 * PS_PER_NS)

static void cioq_run__agrees_without_flow_control(void **state) {
    (void)state;
    struct variety v = {&flowctl_none, 1, 4, 131072, ENGINE, false, 0, &balance_ecmp, WATCHDOG_NONE};
    for (uint64_t seed = 1; seed <= 4; seed++) assert_runs_alike(&v, seed);
    v.buffer_bytes = 12000;
    for (uint64_t seed = 5; seed <= 8; seed++) assert_runs_alike(&v, seed);
    v.balance = &balance_alb;
    for (uint64_t seed = 9; seed <= 12; seed++) assert_runs_alike(&v, seed);
}

static void cioq_run__agrees_with_classes_that_push_out(void **state) {
    (void)state;
    struct variety v = {&flowctl_none, 8, 1, 12000, ENGINE, true, 0, &balance_alb, WATCHDOG_NONE};
    for (uint64_t seed = 1; seed <= 6; seed++) assert_runs_alike(&v, seed);
}

static void cioq_run__agrees_under_flow_control(void **state) {
    (void)state;
    for (uint32_t iterations = 1; iterations <= 4; iterations += 3)
        for (int64_t buffer = 20000; buffer <= 131072; buffer += 111072) {
            struct variety pfc = {&flowctl_pfc, 8, iterations, buffer, ENGINE, false, 0, &balance_alb, WATCHDOG_NONE};
            struct variety link = {&flowctl_pause, 1, iterations,   buffer,       ENGINE,
                                   false,          0, &balance_alb, WATCHDOG_NONE};
            for (uint64_t seed = 1; seed <= 3; seed++) {
                assert_runs_alike(&pfc, seed);
                assert_runs_alike(&link, seed);
            }
        }
}

static void cioq_run__agrees_without_an_engine_and_with_lost_frames(void **state) {
    (void)state;
    struct variety v = {&flowctl_pfc, 2, 4, 131072, 0, false, 0, &balance_alb, WATCHDOG_NONE};
    for (uint64_t seed = 1; seed <= 4; seed++) assert_runs_alike(&v, seed);
    v.engine = ENGINE;
    v.loss_ppb = PPB / 10;
    for (uint64_t seed = 5; seed <= 8; seed++) assert_runs_alike(&v, seed);
}

/* The watchdog polls, drops and restores in the same order; most pauses of 51 us are found stormed where two follow each
 * other. */
static void cioq_run__agrees_with_a_watchdog(void **state) {
    (void)state;
    for (int action = WATCHDOG_DROP; action <= WATCHDOG_FORWARD; action++)
        for (uint32_t iterations = 1; iterations <= 4; iterations += 3)
            for (int64_t buffer = 20000; buffer <= 131072; buffer += 111072) {
                struct variety pfc = {
                    &flowctl_pfc, 8, iterations, buffer, ENGINE, false, 0, &balance_alb, (enum watchdog_action)action};
                struct variety link = {
                    &flowctl_pause, 1, iterations, buffer, 0, false, 0, &balance_alb, (enum watchdog_action)action};
                storms_found = storms_dropped = 0;
                for (uint64_t seed = 1; seed <= 3; seed++) {
                    assert_runs_alike(&pfc, seed);
                    assert_runs_alike(&link, seed);
                }
                assert_true(storms_found > 0);
                assert_int_equal(storms_dropped > 0, action == WATCHDOG_DROP);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(cioq_run__agrees_without_flow_control), UNIT(cioq_run__agrees_with_classes_that_push_out),
        UNIT(cioq_run__agrees_under_flow_control),   UNIT(cioq_run__agrees_without_an_engine_and_with_lost_frames),
        UNIT(cioq_run__agrees_with_a_watchdog),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
