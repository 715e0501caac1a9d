/* SPDX-License-Identifier: Apache-2.0 */
#include "node/cioq_egress.h"
#include "wire/pause_frame.h"

/* ---- pause frames that the switch sends ---- */

static void cioq_find_renewal(struct fabric_switch *sw, uint16_t changed) {
    struct cioq *c = sw->cioq;
    uint64_t bit = 1ull << changed;
    c->renewing = c->input[changed].meter.renew_at == TIME_NONE ? c->renewing & ~bit : c->renewing | bit;
    c->next_renewal = TIME_NONE;
    for (uint64_t bits = c->renewing; bits; bits &= bits - 1)
        c->next_renewal = min_i64(c->next_renewal, c->input[__builtin_ctzll(bits)].meter.renew_at);
    c->next = min_i64(c->next, c->next_renewal);
    switch_find_timer(sw);
}

void input_say(struct fabric_switch *sw, time_ps now, uint16_t in, uint8_t changed, struct switch_out *out) {
    cioq_harden(sw, in, now);
    uint32_t index = packet_get(sw->pool), ext = packet_ext_get(sw->pool);
    struct packet *p = packet_at(sw->pool, index);
    *p = pause_packet(ext);
    p->origin = sw->node;
    p->serial = sw->serial++;
    p->birth = now;
    packet_ext_at(sw->pool, ext)->pause = ingress_fields(&sw->cioq->input[in].meter, changed, now);
    cioq_find_renewal(sw, in);
    sw->pauses_made++;
    buffer_fills(&sw->buffer, p);
    port_control_push(&sw->extra[in], sw->pool, index);
    switch_serve(sw, in, now, out);
}

void cioq_renew(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    for (uint64_t bits = c->renewing; bits; bits &= bits - 1) {
        uint16_t in = (uint16_t)__builtin_ctzll(bits);
        if (c->input[in].meter.renew_at > now) continue;
        input_say(sw, now, in, 0, out);
        return;
    }
}

/* ---- pause frames that it obeys ---- */

/* Lets the watchdog poll from now on. */
static void cioq_watch_out(struct fabric_switch *sw, time_ps now, uint16_t in, const struct pause_fields *fields) {
    struct cioq *c = sw->cioq;
    if (!c->watchdog) return;
    pause_watchdog_heard(&c->watchdog[in], fields);
    if (c->next_watch == TIME_NONE) c->next_watch = pause_watchdog_next(&c->flow.watchdog, now);
    c->next = min_i64(c->next, c->next_watch);
    switch_find_timer(sw);
}

void cioq_obey(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct packet *p = packet_at(sw->pool, index);
    struct pause_state *pause = sw->extra[in].classes->pause;
    if (pause) {
        cioq_harden(sw, in, now);
        int64_t rate = sw->view[in].rate_bps;
        const struct pause_fields *fields = &packet_ext_at(sw->pool, p->ext)->pause;
        pause_obey(pause, fields, now, flowctl_reaction_at(&sw->cioq->flow, rate), flowctl_quantum(rate));
        switch_note_service(sw, in, now);
        cioq_watch_out(sw, now, in, fields);
    }
    out_consume(out, index, in, now);
}

/* ---- pause frames that it no longer obeys ---- */

#define WATCH_DROPS 16 /* most frames that one turn drops */

void cioq_drop(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t packet, struct switch_out *out) {
    uint32_t lane = port_class_of(sw->extra[port].classes, packet_at(sw->pool, packet));
    sw->cioq->watchdog[port].dropped[lane]++;
    switch_refuse(sw, now, port, packet, DROP_STORM, out);
}

/* Drops frames that wait in stormed classes of the port. Returns false if more are there. */
static bool watch_empty(struct fabric_switch *sw, time_ps now, uint16_t port, struct switch_out *out) {
    struct port_classes *c = sw->extra[port].classes;
    uint32_t left = WATCH_DROPS, dropping = sw->cioq->watchdog[port].dropping;
    c->blocked += port_blocked_now(&sw->port[port], c, now);
    c->waiting_from = now;
    while (left && c->filled & dropping) {
        uint32_t lane = (uint32_t)__builtin_ctz(c->filled & dropping);
        cioq_drop(sw, now, port, port_take(c, sw->pool, lane, now), out);
        left--;
    }
    return !(c->filled & dropping);
}

static void watch_poll(struct fabric_switch *sw, time_ps now) {
    struct cioq *c = sw->cioq;
    bool rests = true;
    for (uint16_t p = 0; p < c->n; p++) {
        struct pause_watchdog *w = &c->watchdog[p];
        struct pause_state *s = sw->extra[p].classes->pause;
        if (pause_watchdog_rests(w, s)) continue;
        cioq_harden(sw, p, now);
        pause_watchdog_poll(w, &c->flow.watchdog, s, now);
        rests &= pause_watchdog_rests(w, s);
        if (sw->extra[p].classes->filled & w->dropping) c->emptying |= 1ull << p;
        c->settling |= 1ull << p;
        switch_note_service(sw, p, now);
    }
    c->next_watch = rests ? TIME_NONE : pause_watchdog_next(&c->flow.watchdog, now);
}

void cioq_watch(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    if (c->emptying) {
        uint16_t port = (uint16_t)__builtin_ctzll(c->emptying);
        if (watch_empty(sw, now, port, out)) c->emptying &= c->emptying - 1;
        c->settling |= 1ull << port;
        switch_note_service(sw, port, now);
        if (!c->emptying) c->next_watch = pause_watchdog_next(&c->flow.watchdog, now);
        return;
    }
    watch_poll(sw, now);
    if (c->emptying) c->next_watch = now;
}
