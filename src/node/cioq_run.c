/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a switch with a crossbar: one at a time (cioq_receive, cioq_timer), or all events of a slot in one loop
 * (cioq_run; docs/decisions/0017).
 *
 * Events of one instant are handled in the order of switch_timer and the driver: topology, ends of crossings (by their
 * rank of base/tie.h), lookups of the forwarding engine, refreshes of pauses, turns of the watchdog, services of ports,
 * arrivals. The loop
 * leaves out two kinds of events whose time has no effect: services of easy ports (node/cioq_egress.h), and arrivals
 * that change nothing before the lookup of the frame ends.
 */
#include "node/cioq_egress.h"

#define BITS_PS (8 * PS_PER_S)

/* ---- the ingress queue ---- */

static void input_add(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t class, int64_t bytes,
                      struct switch_out *out) {
    struct cioq_input *i = &sw->cioq->input[in];
    uint8_t changed = input_join(sw->cioq, in, now, class, bytes);
    if (i->meter.bytes > i->max_bytes) {
        i->max_bytes = i->meter.bytes;
        i->least_threshold_bytes = min_i64(i->max_bytes, min_i64(i->meter.high_bytes, sw->cioq->config.ingress_bytes));
    }
    if (__builtin_expect(changed, 0)) input_say(sw, now, in, changed, out);
}

static inline void input_remove(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t class, int64_t bytes,
                                struct switch_out *out) {
    uint8_t changed = input_leave(sw->cioq, in, now, class, bytes);
    if (__builtin_expect(changed, 0)) input_say(sw, now, in, changed, out);
}

/* ---- the crossbar ---- */

/* Returns whether input a precedes input b when their crossings end at the same instant (base/tie.h). */
static bool cioq_wins_tie(const struct cioq *c, time_ps at, uint32_t a, uint32_t b) {
    uint32_t rank_a = tie_rank(c->tie_key, at, c->first_port + a), rank_b = tie_rank(c->tie_key, at, c->first_port + b);
    return rank_a != rank_b ? rank_a < rank_b : a < b;
}

/* Returns the first of the crossings that end at `at`. */
static __attribute__((noinline)) uint32_t cioq_break_tie(const struct cioq *c, time_ps at) {
    uint32_t who = CROSSBAR_PORTS;
    for (uint64_t busy = c->all & ~c->idle_in; busy; busy &= busy - 1) {
        uint32_t in = (uint32_t)__builtin_ctzll(busy);
        if (c->done_at[in] != at) continue;
        if (who == CROSSBAR_PORTS || cioq_wins_tie(c, at, in, who)) who = in;
    }
    return who;
}

/* Finds the crossing that ends first; crossings of one instant end in the order of their ranks. */
static void cioq_find_done(struct cioq *c) {
    time_ps first = TIME_NONE;
    uint32_t who = 0;
    bool tied = false;
    for (uint64_t busy = c->all & ~c->idle_in; busy; busy &= busy - 1) {
        uint32_t in = (uint32_t)__builtin_ctzll(busy);
        time_ps at = c->done_at[in];
        tied |= at == first;
        who = at < first ? in : who;
        first = min_i64(first, at);
    }
    c->next_done = first;
    c->done_in = (uint8_t)(__builtin_expect(tied, 0) ? cioq_break_tie(c, first) : who);
}

static struct voq *cioq_voq(const struct cioq *c, uint32_t in, uint32_t out, uint32_t class) {
    return &c->voq[(class * c->n + in) * c->n + out];
}

/* Returns how long a frame occupies its input and its output. */
static span_ps cioq_crossing(const struct fabric_switch *sw, uint32_t in, int64_t bytes) {
    int64_t ps_per_byte = sw->cioq->input[in].ps_per_byte;
    if (__builtin_expect(ps_per_byte != 0, 1)) return bytes * ps_per_byte;
    int64_t rate = sw->view[in].rate_bps * sw->cioq->config.speedup;
    return (bytes * BITS_PS + rate - 1) / rate;
}

static inline void cioq_start(struct fabric_switch *sw, time_ps now, uint32_t index, uint16_t bytes,
                              const struct crossbar_match *m) {
    struct cioq *c = sw->cioq;
    struct cioq_input *i = &c->input[m->in];
    time_ps done_at = now + cioq_crossing(sw, m->in, bytes);
    i->moving = index;
    i->bytes = bytes;
    i->out = m->out;
    i->class = m->class;
    c->idle_in &= ~(1ull << m->in);
    c->idle_out &= ~(1ull << m->out);
    c->done_at[m->in] = done_at;
    if (done_at < c->next_done || (done_at == c->next_done && cioq_wins_tie(c, done_at, m->in, c->done_in)))
        c->next_done = done_at, c->done_in = m->in;
    if (!c->config.drops && !cioq_is_easy(c, m->out)) cioq_open(sw, m->out, now);
}

/* Starts the crossing of the first frame in the virtual output queue of the pair. */
static void cioq_start_waiting(struct fabric_switch *sw, time_ps now, const struct crossbar_match *m) {
    struct cioq *c = sw->cioq;
    struct voq *q = cioq_voq(c, m->in, m->out, m->class);
    uint32_t index = q->head;
    const struct packet *p = packet_at(sw->pool, index);
    q->head = p->next;
    if (q->head == UINT32_MAX) islip_withdraw(&c->islip, m->in, m->out, m->class);
    cioq_start(sw, now, index, packet_frame_bytes(p), m);
}

/* Matches idle inputs with idle outputs that have room, and starts the crossings. */
static void cioq_match(struct fabric_switch *sw, time_ps now) {
    struct cioq *c = sw->cioq;
    struct crossbar_match match[CROSSBAR_PORTS];
    uint32_t n = islip_match(&c->islip, c->idle_in, c->idle_out, c->open, match);
    for (uint32_t k = 0; k < n; k++) cioq_start_waiting(sw, now, &match[k]);
}

/* Starts what can cross to output `out`, which may have gained room. After a maximal match only that output can make a new pair. */
static void cioq_match_output(struct fabric_switch *sw, time_ps now, uint16_t out) {
    struct cioq *c = sw->cioq;
    bool could =
        !c->islip.maximal || (c->idle_out >> out & 1 && islip_could_pair_output(&c->islip, out, c->idle_in, c->open));
    if (could) cioq_match(sw, now);
}

/* Starts what can cross now that an input and an output are idle again. */
static void cioq_match_freed(struct fabric_switch *sw, time_ps now, uint16_t in, uint16_t out) {
    struct cioq *c = sw->cioq;
    struct crossbar_match match[CROSSBAR_PORTS];
    if (!c->islip.classes) return;
    uint32_t n = islip_match_freed(&c->islip, in, out, c->idle_in, c->idle_out, c->open, match);
    for (uint32_t k = 0; k < n; k++) cioq_start_waiting(sw, now, &match[k]);
}

static void egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now) {
    if (sw->cioq->config.drops) return;
    bool opened = cioq_open(sw, port, now);
    if (opened || !sw->cioq->islip.maximal) cioq_match_output(sw, now, port);
}

/* Lets frames cross to the ports whose queues the watchdog has emptied, or whose pauses it has begun to ignore. */
static void egress_settle(struct fabric_switch *sw, time_ps now) {
    struct cioq *c = sw->cioq;
    for (uint64_t left = c->settling; left; left &= left - 1) egress_changed(sw, (uint16_t)__builtin_ctzll(left), now);
    c->settling = 0;
}

/* Puts a frame that has crossed into its egress queue. */
static void cioq_put(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t class, uint32_t index,
                     struct switch_out *out) {
    struct cioq *c = sw->cioq;
    struct packet *p = packet_at(sw->pool, index);
    if (__builtin_expect(!cioq_is_easy(c, port), 0) && c->eases && out->n == 0) cioq_ease(sw, port, now);
    if (cioq_is_easy(c, port) && p->proto != PROTO_CREDIT && class != CROSSBAR_CREDIT_CLASS) {
        if (egress_put(sw, now, port, class, index)) return;
    } else {
        cioq_harden(sw, port, now);
        if (!cioq_drops(sw, port, p)) cioq_make_room(sw, now, port, p, out);
        switch_send(sw, now, index, port, out);
    }
    if (!c->config.drops) cioq_open(sw, port, now);
}

/* Ends the crossing that is due first: frees its input, its output and its place in the ingress queue. */
static void cioq_finish(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    uint16_t in = c->done_in;
    struct cioq_input *i = &c->input[in];
    uint32_t index = i->moving;
    uint16_t port = i->out;
    i->moving = UINT32_MAX;
    c->idle_in |= 1ull << in;
    c->idle_out |= 1ull << port;
    cioq_find_done(c);
    input_remove(sw, now, in, i->class, i->bytes, out);
    cioq_put(sw, now, port, i->class, index, out);
    cioq_match_freed(sw, now, in, port);
}

/* ---- the forwarding engine ---- */

static void voq_append(struct fabric_switch *sw, const struct crossbar_match *m, uint32_t index) {
    struct voq *q = cioq_voq(sw->cioq, m->in, m->out, m->class);
    packet_at(sw->pool, index)->next = UINT32_MAX;
    if (q->head == UINT32_MAX) {
        q->head = index;
        islip_request(&sw->cioq->islip, m->in, m->out, m->class);
    } else {
        packet_at(sw->pool, q->tail)->next = index;
    }
    q->tail = index;
}

/* Puts a frame whose output is known into its virtual output queue. After a maximal match a frame whose input and
 * output are idle crosses at once: its virtual output queue is empty then. */
static void cioq_enqueue(struct fabric_switch *sw, time_ps now, const struct cioq_lookup *l, uint16_t port) {
    struct cioq *c = sw->cioq;
    struct crossbar_match m = {.in = l->in, .out = (uint8_t)port, .class = l->class};
    bool clear = c->idle_in >> l->in & c->idle_out >> port & c->open[l->class] >> port & 1;
    if (c->islip.maximal && clear) {
        islip_pair(&c->islip, l->in, port, l->class);
        cioq_start(sw, now, l->packet, l->bytes, &m);
        return;
    }
    voq_append(sw, &m, l->packet);
    if (!c->islip.maximal) cioq_match(sw, now);
}

/* Corrects the ingress queue for a frame whose length changed because a tag was added or removed. */
static void cioq_retag(struct fabric_switch *sw, time_ps now, struct cioq_lookup *l, struct switch_out *out) {
    uint16_t bytes = packet_frame_bytes(packet_at(sw->pool, l->packet)), before = l->bytes;
    l->bytes = bytes;
    sw->buffer.bound_bytes += bytes > before ? bytes - before : 0;
    input_add(sw, now, l->in, l->class, bytes, out);
    input_remove(sw, now, l->in, l->class, before, out);
}

/* Chooses the output of a frame. Overdue services of the ports that the balancer may compare are carried out first. */
static bool cioq_choose(struct fabric_switch *sw, time_ps now, uint16_t in, struct packet *p,
                        struct forward_rest *rest) {
    const uint16_t *choice;
    uint16_t port, n = switch_route_choices(sw, p, &port, &choice, rest);
    if (n == 0) return false;
    uint64_t waits = sw->cioq->waits;
    for (uint16_t k = 0; n > 1 && k < n && sw->balance->wants_backlogs; k++)
        if (waits >> choice[k] & 1) egress_catch_up(sw, choice[k], now);
    return switch_route_among(sw, now, in, p, choice, n, &port, rest);
}

/* Ends the lookup of a frame: forwards, consumes or drops it. */
static void cioq_look_up(struct fabric_switch *sw, time_ps now, struct cioq_lookup *l, struct switch_out *out) {
    struct packet *p = packet_at(sw->pool, l->packet);
    struct forward_rest rest;
    bool goes = cioq_choose(sw, now, l->in, p, &rest);
    if (__builtin_expect(rest.emit != UINT32_MAX, 0)) {
        switch_adopt(sw, now, rest.emit);
        buffer_fills(&sw->buffer, packet_at(sw->pool, rest.emit));
        cioq_harden(sw, rest.emit_port, now);
        switch_send(sw, now, rest.emit, rest.emit_port, out);
    }
    if (__builtin_expect(packet_frame_bytes(p) != l->bytes, 0)) cioq_retag(sw, now, l, out);
    if (goes || (!rest.drop && rest.port != BALANCE_CONSUME)) {
        cioq_enqueue(sw, now, l, rest.port);
        return;
    }
    input_remove(sw, now, l->in, l->class, l->bytes, out);
    if (rest.drop)
        switch_refuse(sw, now, l->in, l->packet, (enum drop_cause)rest.drop, out);
    else
        out_consume(out, l->packet, l->in, now);
}

static void cioq_arrive(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    struct packet *p = packet_at(sw->pool, index);
    if (p->shape & SHAPE_PAUSE) {
        cioq_obey(sw, now, in, index, out);
        return;
    }
    struct cioq_lookup l = cioq_lookup_of(c, now, in, index, p);
    if (c->input[in].meter.bytes + l.bytes > c->config.ingress_bytes) {
        switch_refuse(sw, now, in, index, DROP_BUFFER, out);
        return;
    }
    if (buffer_fills(&sw->buffer, p)) switch_note_held(sw, switch_held_bytes(sw, now) + l.bytes);
    input_add(sw, now, in, l.class, l.bytes, out);
    if (!c->config.forward_delay)
        cioq_look_up(sw, now, &l, out);
    else
        lookup_push(c, &l);
}

/* ---- one event at a time ---- */

/* Finds the next event; called at the end of each. */
static void cioq_find_next(struct fabric_switch *sw) {
    struct cioq *c = sw->cioq;
    c->next = min_i64(min_i64(c->next_lookup, c->next_done), min_i64(c->next_renewal, c->next_watch));
    switch_find_timer(sw);
}

void cioq_egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now) {
    egress_changed(sw, port, now);
    cioq_find_next(sw);
}

void cioq_receive(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    out->n = 0;
    cioq_arrive(sw, now, in, index, out);
    cioq_find_next(sw);
}

/* Order at one instant: ends of crossings, lookups, refreshes of pauses, the watchdog. */
void cioq_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    if (c->next_done <= now) {
        cioq_finish(sw, now, out);
    } else if (c->next_lookup <= now) {
        cioq_look_up(sw, now, lookup_pop(c), out);
    } else if (c->next_renewal <= now) {
        cioq_renew(sw, now, out);
    } else {
        cioq_watch(sw, now, out);
        egress_settle(sw, now);
    }
    cioq_find_next(sw);
}

/* ---- a slot ---- */

/* Finds the next rare event: topology, refresh of a pause, watchdog, service. sw->next_timer holds its time while a slot is run;
 * it may be too early. */
static void rare_find(struct fabric_switch *sw) {
    sw->cioq->next = min_i64(sw->cioq->next_renewal, sw->cioq->next_watch);
    switch_find_timer(sw);
}

/* Admits frames ahead of their arrival, up to the first whose ingress queue is not below `least_threshold_bytes`. Below it a frame
 * sets no maximum, pauses no class and is not dropped, and departures until its arrival only add room. Nor may the switch
 * hold more than ever with the frame (node/buffer.h). */
static void slot_take_early(struct fabric_switch *sw, struct cioq_slot *slot) {
    struct cioq *c = sw->cioq;
    if (!c->early) return;
    for (; slot->taken < slot->n; slot->taken++) {
        const struct arrival *a = &slot->arrival[slot->taken];
        const struct packet *p = packet_at(sw->pool, a->packet);
        const struct cioq_input *i = &c->input[(uint16_t)a->key];
        struct cioq_lookup l = cioq_lookup_of(c, slot->start + (time_ps)(a->key >> 16), (uint16_t)a->key, a->packet, p);
        if (i->meter.bytes + l.bytes > i->least_threshold_bytes || i->meter.paused || p->shape & SHAPE_PAUSE) return;
        if (buffer_may_grow(&sw->buffer, p)) return; /* the sum is to be taken when it arrives */
        buffer_fills(&sw->buffer, p);
        input_join(c, l.in, l.at - c->config.forward_delay, l.class, l.bytes);
        lookup_push(c, &l);
    }
}

/* Handles the arrival of the next frame, after all other events of its instant. */
static void slot_take(struct fabric_switch *sw, struct cioq_slot *slot, struct switch_out *out) {
    const struct arrival *a = &slot->arrival[slot->taken++];
    uint16_t in = (uint16_t)a->key;
    time_ps at = slot->start + (time_ps)(a->key >> 16);
    if (in >= sw->meters_from) {
        struct port_view *v = &sw->view[in];
        dre_count(&v->ingress, &sw->dre, port_serialize(&sw->port[in], v, packet_at(sw->pool, a->packet)->wire_bytes),
                  at);
    }
    egress_catch_up_all(sw, UINT64_MAX, at + 1);
    cioq_arrive(sw, at, in, a->packet, out);
}

/* Serves the port whose service is due first; easy ports are served in their order among the others. */
static void slot_serve(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    uint16_t port = (uint16_t)earliest_place(&sw->service);
    uint64_t before = (1ull << port) - 1;
    egress_catch_up_all(sw, before, now + 1);
    egress_catch_up_all(sw, ~before, now);
    switch_serve(sw, port, now, out);
    egress_changed(sw, port, now);
    cioq_ease(sw, port, now);
}

/* Handles a rare event that is due at `now`. Returns false if an event of the crossbar or the engine precedes it. */
static bool slot_rare(struct fabric_switch *sw, time_ps now, time_ps own, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    rare_find(sw);
    if (sw->next_timer > now) return true;
    if (sw->event < sw->event_end && sw->event->at <= now) {
        cioq_harden_all(sw, c->easy, now);
        switch_topology(sw);
        return true;
    }
    if (own <= now) return false;
    time_ps service = earliest_time(&sw->service);
    if (c->next_renewal <= min_i64(service, c->next_watch)) {
        cioq_renew(sw, now, out);
    } else if (c->next_watch <= service) {
        cioq_watch(sw, now, out);
        egress_settle(sw, now);
    } else {
        slot_serve(sw, now, out);
    }
    return true;
}

/* Collects the frames that an event sent. Returns true if the event dropped or consumed a frame, which the driver
 * handles at once. */
static bool slot_carry(struct cioq *c, const struct switch_out *out) {
    bool ends = false;
    for (uint32_t k = 0; k < out->n; k++) {
        sent_add(c, out->e[k].packet, out->e[k].port, out->e[k].depart);
        c->sent[c->n_sent - 1] = out->e[k];
        ends |= out->e[k].drop || out->e[k].consumed;
    }
    return ends;
}

/* Carries out the services before the end of the slot, and finds the next event. */
static void slot_end(struct fabric_switch *sw, time_ps end) {
    struct cioq *c = sw->cioq;
    time_ps next = TIME_NONE;
    for (uint64_t left = c->waits; left; left &= left - 1) {
        uint16_t port = (uint16_t)__builtin_ctzll(left);
        egress_catch_up(sw, port, end);
        if (c->waits >> port & 1) next = min_i64(next, c->output[port].port->busy_until);
    }
    cioq_find_next(sw);
    sw->next_timer = min_i64(sw->next_timer, next);
}

/* Returns the last instant whose events precede the next arrival; without an arrival, the end of the slot. */
static time_ps slot_last(const struct cioq_slot *slot) {
    if (slot->taken == slot->n) return slot->end - 1;
    return slot->start + (time_ps)(slot->arrival[slot->taken].key >> 16);
}

/* Handles the next event of the crossbar or the engine. */
static inline void slot_step(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    if (c->next_done <= c->next_lookup)
        cioq_finish(sw, now, out);
    else
        cioq_look_up(sw, now, lookup_pop(c), out);
}

bool cioq_run(struct fabric_switch *sw, struct cioq_slot *slot) {
    struct cioq *c = sw->cioq;
    struct switch_out out;
    c->eases = true;
    c->n_sent = out.n = 0;
    rare_find(sw);
    slot_take_early(sw, slot);
    for (time_ps last = slot_last(slot);;) {
        time_ps own = min_i64(c->next_lookup, c->next_done), now = own;
        if (__builtin_expect(own <= last && own < sw->next_timer, 1)) {
            slot_step(sw, now, &out);
        } else if ((now = min_i64(own, sw->next_timer)) <= last) {
            if (!slot_rare(sw, now, own, &out)) slot_step(sw, now, &out);
        } else {
            if (slot->taken == slot->n) break;
            now = last;
            slot_take(sw, slot, &out);
            slot_take_early(sw, slot);
            last = slot_last(slot);
        }
        /* a pair that was left unmade may be made at any service */
        if (__builtin_expect(!c->islip.maximal && c->waits && !c->config.drops, 0)) cioq_harden_all(sw, c->waits, now);
        if (out.n == 0) continue;
        slot->now = now;
        if (slot_carry(c, &out)) return true;
        out.n = 0;
    }
    slot_end(sw, slot->end);
    return false;
}
