/* SPDX-License-Identifier: Apache-2.0 */
/* A switch with queues at both ends of its crossbar, alone: the path of a frame, what holds it, and which neighbours
 * are paused. */
#include "mech/balance/balancers.h"
#include "mech/crossbar/crossbars.h"
#include "mech/flowctl/flowctls.h"
#include "mech/schedule/schedules.h"
#include "node/cioq.h"
#include "wire/pause_frame.h"

#include "switch_stand.h"

#define HOSTS 5
#define FULL_BYTES 1518
#define GBPS_BYTE 8000                        /* ps, at 1 Gbps */
#define CROSSING (FULL_BYTES * GBPS_BYTE / 4) /* speedup 4 */
#define ON_WIRE (FULL * GBPS_BYTE)
#define ENGINE (3100 * PS_PER_NS)

/* Frames that left, in order, and the number of other outcomes. */
static struct {
    struct emission sent[4096];
    uint32_t n_sent, n_pauses, n_dropped, n_consumed;
    struct pause_fields last_pause;
    uint16_t pause_port;
} seen;

static void see(struct stand *s) {
    for (uint32_t i = 0; i < s->out.n; i++) {
        const struct emission *e = &s->out.e[i];
        const struct packet *p = packet_at(&s->pool, e->packet);
        if (e->consumed) {
            seen.n_consumed++;
        } else if (e->drop) {
            seen.n_dropped++;
        } else if (p->shape & SHAPE_PAUSE) {
            seen.n_pauses++;
            seen.last_pause = packet_ext_at(&s->pool, p->ext)->pause;
            seen.pause_port = e->port;
        } else {
            assert_true(seen.n_sent < sizeof seen.sent / sizeof *seen.sent);
            seen.sent[seen.n_sent++] = *e;
        }
    }
    s->out.n = 0;
}

static void run_until(struct stand *s, time_ps until) {
    while (switch_next_timer(s->sw) <= until) {
        switch_timer(s->sw, switch_next_timer(s->sw), &s->out);
        see(s);
    }
}

static struct stand *cioq_stand(const struct flowctl_ops *kind, uint32_t classes) {
    struct fabric_spec spec = spec_star(HOSTS);
    spec.host_bps = GBPS;
    spec.host_delay = 6600 * PS_PER_NS;
    struct stand *s = stand_prepare(spec, &balance_ecmp);
    s->config.port.classes = classes;
    s->config.port.schedule.ops = classes > 1 ? &schedule_strict : &schedule_fifo;
    s->config.buffer_bytes = 131072;
    s->config.cioq = (struct crossbar_config){
        .ops = &crossbar_islip,
        .drops = kind == &flowctl_none,
        .iterations = 4,
        .speedup = 4,
        .ingress_bytes = 131072,
        .reserve_bytes = 6120,
    };
    s->config.flow = (struct flowctl_config){.ops = kind,
                                             .params = {.max_frame_bytes = 1530,
                                                        .buffer_bytes = 131072,
                                                        .classes = kind == &flowctl_pfc ? classes : 1,
                                                        .headroom = HEADROOM_EXACT}};
    memset(&seen, 0, sizeof seen);
    return s;
}

static uint32_t arrive(struct stand *s, time_ps now, uint16_t in, uint32_t dst, uint8_t class) {
    uint32_t index = stand_frame(s, in, dst, 1);
    packet_at(&s->pool, index)->tos = (uint8_t)(class << 5);
    run_until(s, now - 1);
    switch_receive(s->sw, now, in, index, &s->out);
    see(s);
    return index;
}

static uint32_t pause_arrives(struct stand *s, time_ps now, uint16_t in, struct pause_fields fields) {
    uint32_t index = packet_get(&s->pool), ext = packet_ext_get(&s->pool);
    *packet_at(&s->pool, index) = pause_packet(ext);
    packet_ext_at(&s->pool, ext)->pause = fields;
    run_until(s, now - 1);
    switch_receive(s->sw, now, in, index, &s->out);
    see(s);
    return index;
}

/* DT-22: the last bit leaves after engine, crossing and serialization. */
static void frame__through_an_idle_switch(void **state) {
    (void)state;
    struct stand *s = cioq_stand(&flowctl_pfc, 8);
    s->config.cioq.forward_delay = ENGINE;
    stand_start(s, "leaf0");
    arrive(s, 1000, 0, 3, 0);
    assert_int_equal(seen.n_sent, 0);
    assert_int_equal(cioq_length(s->sw->cioq, &s->pool), 1);
    run_until(s, TIME_NONE - 1);
    assert_int_equal(seen.n_sent, 1);
    assert_int_equal(seen.sent[0].port, 3);
    assert_int_equal(seen.sent[0].depart, 1000 + ENGINE + CROSSING + ON_WIRE);
    assert_int_equal(cioq_length(s->sw->cioq, &s->pool), 0);
    assert_int_equal(s->sw->cioq->input[0].meter.bytes, 0);
    stand_end(s);
}

/* An input sends one frame at a time and an output takes one; other pairs work at the same time. */
static void crossbar__pairs_inputs_and_outputs(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_none, 1), "leaf0");
    arrive(s, 0, 0, 3, 0);
    arrive(s, 0, 1, 4, 0); /* another pair: at once */
    arrive(s, 0, 0, 2, 0); /* the same input: after the first */
    arrive(s, 0, 2, 3, 0); /* the same output: after the first */
    run_until(s, TIME_NONE - 1);
    assert_int_equal(seen.n_sent, 4);
    time_ps depart[HOSTS] = {0};
    uint32_t to_three = 0;
    for (uint32_t i = 0; i < seen.n_sent; i++) {
        if (seen.sent[i].port == 3) to_three++;
        depart[seen.sent[i].port] = max_i64(depart[seen.sent[i].port], seen.sent[i].depart);
    }
    assert_int_equal(to_three, 2);
    assert_int_equal(depart[4], CROSSING + ON_WIRE);
    assert_int_equal(depart[2], 2 * CROSSING + ON_WIRE);
    assert_int_equal(depart[3], CROSSING + 2 * ON_WIRE); /* the link holds it, not the crossbar */
    stand_end(s);
}

/* While a frame crosses, a frame of a higher class overtakes those queued (DT-19). */
static void crossbar__higher_classes_first(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_none, 8), "leaf0");
    arrive(s, 0, 0, 3, 0);
    uint32_t low = arrive(s, 1, 0, 3, 0), high = arrive(s, 2, 0, 3, 7);
    run_until(s, TIME_NONE - 1);
    assert_int_equal(seen.n_sent, 3);
    assert_int_equal(seen.sent[1].packet, high);
    assert_int_equal(seen.sent[2].packet, low);
    stand_end(s);
}

/* Four inputs send to one output at line rate: without flow control the egress drops frames, the ingress none. */
static void full_egress__drops_without_flow_control(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_none, 1), "leaf0");
    for (int n = 0; n < 100; n++)
        for (uint16_t in = 0; in < 4; in++) arrive(s, n * (time_ps)ON_WIRE, in, 4, 0);
    run_until(s, TIME_NONE - 1);
    assert_int_equal(seen.n_sent + seen.n_dropped, 400);
    assert_in_range(seen.n_sent, 100 + 131072 / FULL_BYTES - 1, 100 + 131072 / FULL_BYTES + 4);
    assert_int_equal(s->extra[4].dropped[DROP_BUFFER], seen.n_dropped);
    for (int p = 0; p < 4; p++) assert_true(s->sw->cioq->input[p].max_bytes <= 4 * FULL_BYTES);
    stand_end(s);
}

/* AM-3: a higher class pushes out the newest frames of a lower one, and loses none. */
static void full_egress__pushes_out_lower_classes(void **state) {
    (void)state;
    struct stand *s = cioq_stand(&flowctl_none, 8);
    s->config.port.push_out = true;
    stand_start(s, "leaf0");
    for (int n = 0; n < 60; n++)
        for (uint16_t in = 0; in < 4; in++) arrive(s, n * (time_ps)ON_WIRE, in, 4, in == 0 ? 7 : 0);
    run_until(s, TIME_NONE - 1);
    uint32_t high = 0;
    for (uint32_t i = 0; i < seen.n_sent; i++) high += packet_at(&s->pool, seen.sent[i].packet)->tos >> 5 == 7;
    assert_int_equal(high, 60);
    assert_true(seen.n_dropped > 0);
    stand_end(s);
}

/* Nothing is pushed out for a frame that still would not fit: 64 B of the lowest class make no room for 1518 B. */
static void full_egress__pushes_out_no_less_than_it_needs(void **state) {
    (void)state;
    struct stand *s = cioq_stand(&flowctl_none, 8);
    s->config.port.push_out = true;
    stand_start(s, "leaf0");
    for (int n = 0; n < 80; n++)
        for (uint16_t in = 0; in < 4; in++) {
            bool small = n == 1 && in == 0;
            uint32_t index = stand_frame(s, in, 4, 1);
            packet_at(&s->pool, index)->tos = small ? 0 : 7 << 5;
            if (small) packet_at(&s->pool, index)->wire_bytes = 84;
            run_until(s, n * (time_ps)ON_WIRE - 1);
            switch_receive(s->sw, n * (time_ps)ON_WIRE, in, index, &s->out);
            see(s);
        }
    run_until(s, TIME_NONE - 1);
    uint32_t low = 0;
    for (uint32_t i = 0; i < seen.n_sent; i++) low += packet_at(&s->pool, seen.sent[i].packet)->tos >> 5 == 0;
    assert_true(seen.n_dropped > 100);
    assert_int_equal(low, 1);
    stand_end(s);
}

/* DT-6: with flow control a full egress holds frames in the ingress queues, which pause their own neighbours only
 * (DT-4). No frame is lost. */
static void full_egress__holds_and_pauses_with_flow_control(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pfc, 8), "leaf0");
    for (int n = 0; n < 40; n++)
        for (uint16_t in = 0; in < 4; in++) arrive(s, n * (time_ps)ON_WIRE, in, 4, 3);
    assert_int_equal(seen.n_dropped, 0);
    assert_int_equal(seen.n_pauses, 4);
    assert_int_equal(seen.last_pause.classes, 0x0f); /* class 3 and those below it (DT-12) */
    assert_int_equal(seen.last_pause.quanta[3], UINT16_MAX);
    for (int p = 0; p < 4; p++) assert_int_equal(s->sw->cioq->input[p].meter.paused, 0x0f);
    assert_int_equal(s->sw->cioq->input[4].meter.paused, 0);
    run_until(s, TIME_NONE - 1);
    assert_int_equal(seen.n_sent, 160);
    assert_int_equal(seen.n_pauses, 8); /* each is released once */
    assert_int_equal(seen.last_pause.quanta[3], 0);
    for (int p = 0; p < HOSTS; p++) assert_int_equal(s->sw->cioq->input[p].meter.bytes, 0);
    stand_end(s);
}

/* AM-3's test: class 0, paused for good, fills its part of the egress; class 7 still passes at line rate. */
static void reserve__a_paused_class_does_not_stop_a_higher_one(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pfc, 8), "leaf0");
    pause_arrives(s, 0, 4, pause_fields_pfc(1, 0, UINT16_MAX));
    time_ps start = 3 * PS_PER_MS, t = start;
    for (int n = 0; n < 200; n++) arrive(s, 20 * PS_PER_US + n * (time_ps)ON_WIRE, (uint16_t)(n % 4), 4, 0);
    assert_int_equal(seen.n_sent, 0);
    for (int n = 0; n < 200; n++, t += ON_WIRE) arrive(s, t, 0, 4, 7);
    run_until(s, t + ON_WIRE);
    assert_int_equal(seen.n_sent, 200);
    assert_true(seen.sent[199].depart <= start + 200 * (time_ps)ON_WIRE + CROSSING + ON_WIRE);
    assert_int_equal(seen.n_dropped, 0);
    stand_end(s);
}

/* Expeditus and CONGA add a tag to full frames, and a held egress has room for tagged ones. */
static void full_egress__has_room_for_a_tagged_frame(void **state) {
    (void)state;
    const uint16_t tagged = FULL + 67;
    struct stand *s = cioq_stand(&flowctl_pfc, 1);
    s->config.balance = &balance_expeditus;
    for (size_t i = 0; i < balance_expeditus.n_params; i++) s->params[i] = balance_expeditus.params[i].def;
    stand_start(s, "leaf0");
    pause_arrives(s, 0, 4, pause_fields_pfc(1, 0, UINT16_MAX));
    for (int n = 0; n < 83; n++) { /* 81 leave 2687 bytes, one more leaves 1550 */
        uint32_t index = stand_frame(s, 0, 4, 1);
        time_ps at = 20 * PS_PER_US * (n + 1);
        packet_at(&s->pool, index)->wire_bytes = n == 81 ? 1137 + 20 : tagged;
        run_until(s, at - 1);
        switch_receive(s->sw, at, 0, index, &s->out);
        see(s);
    }
    run_until(s, 10 * PS_PER_MS);
    assert_int_equal(seen.n_dropped, 0);
    assert_int_equal(cioq_length(s->sw->cioq, &s->pool), 1); /* the last one is held */
    stand_end(s);
}

/* DT-5: after the reaction time no frame of the paused class starts, but others do. The class resumes when it is
 * released or the pause expires. */
static void pause__is_obeyed_by_class(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pfc, 8), "leaf0");
    const time_ps reaction = 2 * 512 * PS_PER_NS, at = 100 * PS_PER_US;
    pause_arrives(s, at, 4, pause_fields_pfc(1 << 2, 0, 1000));
    assert_int_equal(seen.n_consumed, 1);
    arrive(s, at + reaction, 0, 4, 2);
    uint32_t other = arrive(s, at + reaction + 10, 1, 4, 5);
    run_until(s, at + 400 * PS_PER_US);
    assert_int_equal(seen.n_sent, 1);
    assert_int_equal(seen.sent[0].packet, other);
    run_until(s, TIME_NONE - 1); /* 1000 quanta of 512 ns pass */
    assert_int_equal(seen.n_sent, 2);
    assert_int_equal(seen.sent[1].depart, at + 512000 * PS_PER_NS + ON_WIRE);
    span_ps idle = 512000 * PS_PER_NS - (seen.sent[0].depart - at); /* between the other frame and the pause's end */
    assert_true(s->extra[4].classes->blocked >= idle && s->extra[4].classes->blocked < idle + 20 * PS_PER_US);
    stand_end(s);
}

/* 802.3x stops the whole link. */
static void pause__of_the_whole_link(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pause, 1), "leaf0");
    pause_arrives(s, 0, 4, pause_fields_link(UINT16_MAX));
    arrive(s, 10 * PS_PER_US, 0, 4, 7);
    run_until(s, PS_PER_MS);
    assert_int_equal(seen.n_sent, 0);
    pause_arrives(s, 2 * PS_PER_MS, 4, pause_fields_link(0));
    run_until(s, 3 * PS_PER_MS);
    assert_int_equal(seen.n_sent, 1);
    stand_end(s);
}

/* ---- the watchdog ---- */

#define MS PS_PER_MS

static struct stand *watched_stand(const struct flowctl_ops *kind, uint32_t classes, enum watchdog_action action) {
    struct stand *s = cioq_stand(kind, classes);
    s->config.flow.watchdog = (struct watchdog_config){20 * MS, 40 * MS, 10 * MS, action};
    return stand_start(s, "leaf0");
}

/* Host 4 pauses class 2. Frames of class 2 for it fill its egress and wait at their inputs too. At 30 ms they are all dropped,
 * and so is what comes later, until 40 ms after the last pause. */
static void watchdog__drops_what_a_storm_holds(void **state) {
    (void)state;
    struct stand *s = watched_stand(&flowctl_pfc, 8, WATCHDOG_DROP);
    const struct pause_watchdog *w = cioq_watchdog(s->sw->cioq, 4);
    uint32_t given = 0, left_before;
    pause_arrives(s, 1 * MS, 4, pause_fields_pfc(4, 0, UINT16_MAX));
    for (; given < 90; given++) arrive(s, 2 * MS + given * (time_ps)ON_WIRE, 0, 4, 2);
    run_until(s, 20 * MS);
    assert_int_equal(seen.n_sent, 0);
    assert_true(cioq_length(s->sw->cioq, &s->pool) > 0); /* held at their input */
    pause_arrives(s, 20 * MS, 4, pause_fields_pfc(4, 0, UINT16_MAX));
    run_until(s, 30 * MS - 1);
    assert_int_equal(w->found[2] + seen.n_dropped, 0);
    run_until(s, 31 * MS);
    assert_int_equal(w->found[2], 1);
    assert_int_equal(seen.n_dropped, given);
    assert_int_equal(w->dropped[2], given);
    assert_int_equal(port_dropped(&s->port[4], &s->extra[4], DROP_STORM), given);
    assert_int_equal(cioq_length(s->sw->cioq, &s->pool), 0);
    assert_int_equal(port_queued_bytes(s->extra[4].classes), 0);
    arrive(s, 35 * MS, 0, 4, 2); /* dropped */
    arrive(s, 36 * MS, 0, 4, 3); /* of another class */
    arrive(s, 37 * MS, 0, 3, 2); /* for another port */
    run_until(s, 39 * MS);
    assert_int_equal(w->dropped[2], given + 1);
    assert_int_equal(seen.n_sent, 2);
    left_before = seen.n_sent;
    run_until(s, 90 * MS); /* the pause of 20 ms lasts until 53.6 ms */
    assert_int_equal(w->ended[2], 0);
    run_until(s, 110 * MS);
    assert_int_equal(w->ended[2], 1);
    arrive(s, 111 * MS, 0, 4, 2);
    run_until(s, 112 * MS);
    assert_int_equal(seen.n_sent, left_before + 1);
    assert_int_equal(seen.n_dropped, given + 1);
    assert_true(switch_next_timer(s->sw) == TIME_NONE); /* it polls no more */
    stand_end(s);
}

/* The class sends through the storm, and nothing is dropped. */
static void watchdog__forwards_through_a_storm(void **state) {
    (void)state;
    const struct flowctl_ops *const kind[] = {&flowctl_pfc, &flowctl_pause};
    for (int k = 0; k < 2; k++) {
        struct stand *s = watched_stand(kind[k], k ? 1 : 8, WATCHDOG_FORWARD);
        struct pause_fields f = k ? pause_fields_link(UINT16_MAX) : pause_fields_pfc(4, 0, UINT16_MAX);
        pause_arrives(s, 1 * MS, 4, f);
        for (uint32_t n = 0; n < 90; n++) arrive(s, 2 * MS + n * (time_ps)ON_WIRE, 0, 4, 2);
        pause_arrives(s, 20 * MS, 4, f);
        run_until(s, 30 * MS - 1);
        assert_int_equal(seen.n_sent, 0);
        run_until(s, 35 * MS);
        assert_int_equal(seen.n_sent, 90);
        assert_int_equal(seen.n_dropped, 0);
        assert_int_equal(cioq_watchdog(s->sw->cioq, 4)->found[k ? 0 : 2], 1);
        run_until(s, 500 * MS);
        assert_int_equal(cioq_watchdog(s->sw->cioq, 4)->ended[k ? 0 : 2], 1);
        stand_end(s);
    }
}

/* Without an action nothing is watched: the frames wait as long as the pause lasts. */
static void watchdog__is_off_by_default(void **state) {
    (void)state;
    for (int action = WATCHDOG_AUTO; action <= WATCHDOG_NONE; action++) {
        struct stand *s = watched_stand(&flowctl_pfc, 8, (enum watchdog_action)action);
        assert_null(cioq_watchdog(s->sw->cioq, 4));
        for (time_ps t = 1 * MS; t < 900 * MS; t += 30 * MS) {
            pause_arrives(s, t, 4, pause_fields_pfc(4, 0, UINT16_MAX));
            if (t == 1 * MS) arrive(s, 2 * MS, 0, 4, 2);
        }
        assert_int_equal(seen.n_sent + seen.n_dropped, 0);
        run_until(s, TIME_NONE - 1);
        assert_int_equal(seen.n_sent, 1);
        stand_end(s);
    }
}

/* DT-9: a pause frame waits only for the frame on the wire. */
static void pause__goes_before_all_that_waits(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pfc, 1), "leaf0");
    for (int n = 0; n < 20; n++) arrive(s, n, (uint16_t)(1 + n % 3), 0, 0); /* keeps port 0 busy */
    pause_arrives(s, 1000, 4, pause_fields_pfc(1, 0, UINT16_MAX));
    time_ps t = 20 * PS_PER_US;
    while (!seen.n_pauses && t < 5 * PS_PER_MS) arrive(s, t += ON_WIRE, 0, 4, 0);
    assert_int_equal(seen.n_pauses, 1);
    assert_int_equal(seen.pause_port, 0);
    assert_int_equal(seen.n_dropped, 0);
    stand_end(s);
}

/* DT-8: a pause is refreshed before it expires, while its queue is above the threshold. */
static void pause__is_renewed(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pfc, 1), "leaf0");
    pause_arrives(s, 0, 4, pause_fields_pfc(1, 0, UINT16_MAX));
    for (int n = 0; n < 200 && !seen.n_pauses; n++) arrive(s, 20 * PS_PER_US + n * (time_ps)ON_WIRE, 0, 4, 0);
    assert_int_equal(seen.n_pauses, 1);
    pause_arrives(s, 30 * PS_PER_MS, 4, pause_fields_pfc(1, 0, UINT16_MAX));
    run_until(s, 40 * PS_PER_MS);
    assert_int_equal(seen.n_pauses, 2);
    assert_int_equal(seen.n_sent, 0);
    run_until(s, TIME_NONE - 1); /* port 4 gets no refresh, so it resumes */
    assert_int_equal(s->sw->cioq->input[0].meter.paused, 0);
    assert_true(seen.n_sent > 80);
    stand_end(s);
}

/* Returns the bytes of egress that a class finds free by the rule of AM-3: those neither taken nor reserved for higher
 * classes. */
static int64_t room_of(const struct stand *s, uint16_t port, uint32_t class, time_ps now) {
    const struct cioq *c = s->sw->cioq;
    const struct port_classes *q = s->extra[port].classes;
    int64_t room = q->limit_bytes - port_queued_bytes(q), crossing[MAX_CLASSES] = {0};
    for (uint32_t in = 0; in < HOSTS; in++) {
        const struct cioq_input *i = &c->input[in];
        if (i->moving != UINT32_MAX && i->out == port)
            crossing[i->class] = packet_frame_bytes(packet_at(&s->pool, i->moving));
    }
    if (s->port[port].busy_until > now) room -= c->largest_bytes;
    for (uint32_t k = 0; k < q->n; k++) {
        int64_t taken = q->queue[k].bytes + crossing[k], kept = c->config.reserve_bytes - taken;
        room -= crossing[k] + (k > class && kept > 0 ? kept : 0);
    }
    return room;
}

/* An egress port is open to the classes that have room for a full frame. */
static void egress__is_open_to_classes_that_find_room(void **state) {
    (void)state;
    struct stand *s = stand_start(cioq_stand(&flowctl_pfc, 8), "leaf0");
    struct random_stream r;
    random_init(&r, 5, RANDOM_HOST, 0);
    time_ps now = 0;
    uint32_t opened = 0, closed = 0;
    pause_arrives(s, 0, 0, pause_fields_pfc(0x0f, 0, UINT16_MAX)); /* classes 0 to 3 fill its queue */
    for (int n = 0; n < 3000; n++) {
        now += (time_ps)random_below(&r, ON_WIRE);
        arrive(s, now, (uint16_t)(1 + random_below(&r, HOSTS - 1)), 0, (uint8_t)random_below(&r, 8));
        cioq_egress_changed(s->sw, 0, now);
        for (uint32_t k = 0; k < 8; k++) {
            bool open = room_of(s, 0, k, now) >= s->sw->cioq->largest_bytes;
            assert_int_equal(s->sw->cioq->open[k] & 1, open);
            open ? opened++ : closed++;
        }
    }
    assert_true(opened > 1000 && closed > 1000);
    stand_end(s);
}

/* The meter of each input agrees with what a walk through its queues finds. */
static void meters_agree(const struct stand *s) {
    for (uint16_t p = 0; p < HOSTS; p++) {
        const struct ingress_meter *m = &s->sw->cioq->input[p].meter;
        assert_int_equal(m->bytes, cioq_input_bytes(s->sw->cioq, &s->pool, p));
    }
}

/* Returns what the switch holds by walking through its queues, once all events before `now` are over. */
static int64_t held_by_walk(struct stand *s, time_ps now) {
    int64_t bytes = 0;
    run_until(s, now - 1);
    for (uint16_t p = 0; p < HOSTS; p++)
        bytes += cioq_input_bytes(s->sw->cioq, &s->pool, p) + port_backlog_bytes(&s->port[p], &s->view[p], now);
    return bytes;
}

/* Under random traffic every frame leaves, is dropped or is still queued, and the meters return to zero. The largest sum of
 * all queues is the one that a walk at each arrival finds (node/buffer.h). */
static void random__conserves_frames(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stand *s = cioq_stand(seed % 2 ? &flowctl_pfc : &flowctl_none, seed % 3 ? 8 : 1);
        s->config.cioq.forward_delay = seed % 5 ? ENGINE : 0;
        s->config.port.push_out = seed % 4 == 0;
        stand_start(s, "leaf0");
        struct random_stream r;
        random_init(&r, seed, RANDOM_HOST, 0);
        time_ps t[HOSTS] = {0}, now = 0;
        uint32_t in_frames = 0;
        int64_t most = 0;
        for (int n = 0; n < 2000; n++) {
            uint16_t in = (uint16_t)random_below(&r, HOSTS);
            now = t[in] = max_i64(now, t[in] + (time_ps)ON_WIRE);
            int64_t held = held_by_walk(s, now);
            if (s->sw->cioq->input[in].meter.bytes + FULL_BYTES <= 131072) most = max_i64(most, held + FULL_BYTES);
            arrive(s, now, in, (uint32_t)random_below(&r, 2), (uint8_t)random_below(&r, 8));
            in_frames++;
            if (seed % 2 && random_below(&r, 10) == 0) {
                pause_arrives(s, now, 0, pause_fields_pfc((uint8_t)random_below(&r, 256), 0, 500));
                seen.n_consumed = 0;
            }
            meters_agree(s);
        }
        assert_in_range(s->sw->buffer.max_bytes, most, most + HOSTS); /* each port's own backlog is rounded down */
        run_until(s, TIME_NONE - 1);
        assert_int_equal(seen.n_sent + seen.n_dropped, in_frames);
        assert_int_equal(cioq_length(s->sw->cioq, &s->pool), 0);
        for (int p = 0; p < HOSTS; p++) {
            assert_int_equal(s->sw->cioq->input[p].meter.bytes, 0);
            assert_int_equal(s->sw->cioq->input[p].meter.paused, 0);
            assert_int_equal(port_queued_bytes(s->extra[p].classes), 0);
            assert_true(s->sw->cioq->input[p].max_bytes <= 131072);
        }
        stand_end(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(frame__through_an_idle_switch),
        UNIT(crossbar__pairs_inputs_and_outputs),
        UNIT(crossbar__higher_classes_first),
        UNIT(egress__is_open_to_classes_that_find_room),
        UNIT(full_egress__drops_without_flow_control),
        UNIT(full_egress__pushes_out_lower_classes),
        UNIT(full_egress__pushes_out_no_less_than_it_needs),
        UNIT(full_egress__holds_and_pauses_with_flow_control),
        UNIT(reserve__a_paused_class_does_not_stop_a_higher_one),
        UNIT(full_egress__has_room_for_a_tagged_frame),
        UNIT(pause__is_obeyed_by_class),
        UNIT(pause__of_the_whole_link),
        UNIT(watchdog__drops_what_a_storm_holds),
        UNIT(watchdog__forwards_through_a_storm),
        UNIT(watchdog__is_off_by_default),
        UNIT(pause__goes_before_all_that_waits),
        UNIT(pause__is_renewed),
        UNIT(random__conserves_frames),
    };
    return RUN_UNITS(tests);
}
