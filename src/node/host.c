/* SPDX-License-Identifier: Apache-2.0 */
#include "node/flow_work.h"
#include "node/host_inside.h"
#include "node/port_queue.h"

/* ---- deadlines ---- */

/* Updates the deadline of a connection in the heap. A deadline that moves later keeps its old time until that comes. */
static inline void host_arm(struct host *h, struct connection *c) {
    time_ps at = min_i64(c->ops->next_timer(c->end), c->stop_at);
    if (__builtin_expect(at >= c->timer_at, 1)) return;
    c->timer_at = at;
    if (c->heap_place == UINT32_MAX) {
        deadlines_add(&h->deadlines, c, at);
    } else {
        deadlines_hasten(&h->deadlines, c, at);
    }
}

/* ---- connections ---- */

/* Returns the frame that a connection sends at its end, or UINT32_MAX if there is none. */
static uint32_t connection_farewell(struct host *h, const struct connection *c) {
    if (!c->ops->farewell) return UINT32_MAX;
    uint32_t index = packet_get(h->shared->pool);
    struct packet *p = packet_at(h->shared->pool, index);
    *p = c->header;
    if (c->ops->farewell(c->end, &c->env, p)) return index;
    packet_put(h->shared->pool, index);
    return UINT32_MAX;
}

/* Closes an end that is done and sends its farewell. Counts the end for the sender's gate; the receiver's gate has
 * counted it already, at the last byte (host_count_received). */
static __attribute__((noinline)) void connection_end(struct host *h, struct connection *c, time_ps now,
                                                     struct host_out *out) {
    const struct gate_state *gates = h->shared->gates;
    uint32_t farewell = connection_farewell(h, c);
    if (gates && c->side == SIDE_SENDER) {
        if (c->env.tally->acked_at == TIME_NONE)
            c->env.tally->acked_at = now; /* a transport without ACKs: it has sent all */
        host_feed(h, gates_of_acked(gates->gates, c->flow), now);
    }
    connection_close(h, c);
    if (farewell != UINT32_MAX) nic_send_beside(h, farewell, now, out);
}

/* ---- connections with several messages ---- */

static void connection_settle(struct host *h, struct connection *c, time_ps now, struct host_out *out);

/* Lets the next message of its line start, as this one has left, and keeps for it what this one has learned. */
static void line_goes_on(struct host *h, struct connection *c, time_ps now) {
    struct line_state *lines = h->shared->lines;
    c->has_sent = true;
    if (c->ops->memory_bytes) {
        c->ops->remember(c->end, line_memory(lines, c->flow));
        line_of(lines, c->flow)->knows = true;
    }
    uint32_t next = lines_leave(lines, c->flow);
    if (next != FLOW_NONE) host_go_on(h, next, now);
}

/* Hands what a message does not need of its window to the one that is being sent, or to the line. */
static void line_hand_over(struct host *h, struct connection *c, time_ps now, struct host_out *out) {
    struct flow_line *line = line_of(h->shared->lines, c->flow);
    struct connection *to = line->sending == FLOW_NONE ? NULL : h->shared->sender[line->sending];
    uint64_t spare = c->ops->yield(c->end);
    if (spare == 0) return;
    if (!to) {
        line->window_bytes += spare;
        return;
    }
    to->ops->widen(to->end, spare);
    connection_settle(h, to, now, out);
}

/* Follows up an event of a message of a line that has nothing to send now. */
static __attribute__((noinline)) void line_settle(struct host *h, struct connection *c, time_ps now,
                                                  struct host_out *out) {
    if (!c->has_sent && c->ops->has_sent(c->end, &c->env)) line_goes_on(h, c, now);
    if (c->has_sent && c->ops->memory_bytes) line_hand_over(h, c, now, out);
}

/* Lets a message of a line begin with what the ones before it have learned. */
static void line_begin(struct host *h, struct connection *c) {
    struct line_state *lines = h->shared->lines;
    if (!lines || lines_of(lines->lines, c->flow) == FLOW_NONE) return;
    struct flow_line *line = line_of(lines, c->flow);
    c->in_line = true;
    if (!line->knows) return;
    c->ops->recall(c->end, &c->env, line_memory(lines, c->flow), line->window_bytes);
    line->window_bytes = 0;
}

/* ---- events of connections ---- */

/* Follows up an event of a connection: updates its deadlines, and makes it ready to send or ends it. */
static inline void connection_settle(struct host *h, struct connection *c, time_ps now, struct host_out *out) {
    host_arm(h, c);
    if (__builtin_expect(c->ops->next_credit != NULL, 0)) credit_nic_arm(h->credits, c, c->ops->next_credit(c->end));
    if (!c->ready) {
        if (c->ops->has_output(c->end, &c->env, now)) {
            ready_add(h, c);
            return;
        }
        if (__builtin_expect(c->in_line, 0)) line_settle(h, c, now, out);
        if (__builtin_expect(c->ops->is_done(c->end, &c->env), 0)) connection_end(h, c, now, out);
    }
}

/* ---- the NIC ---- */

/* Returns the time at which a frame made now reaches the NIC. */
static inline time_ps nic_entry(struct host *h, time_ps now) {
    time_ps at = now + h->shared->config->processing_delay;
    return __builtin_expect(h->jitter != NULL, 0) ? jitter_next(h->jitter, at) : at;
}

/* Returns whether a frame that reaches a NIC without queues at `at` does not fit. */
static inline bool nic_is_full(const struct host *h, const struct packet *p, time_ps at) {
    span_ps backlog = max_i64(h->port->busy_until - at, 0);
    return backlog + port_serialize(h->port, h->view, p->wire_bytes) > h->port->limit_ps;
}

static inline __attribute__((always_inline)) void nic_transmit(struct host *h, uint32_t index, time_ps now,
                                                               struct host_out *out) {
    struct packet *p = packet_at(h->shared->pool, index);
    struct emission *e = &out->e[out->n++];
    p->serial = h->serial;
    h->serial += h->nics;
    p->birth = now;
    if (p->shape & SHAPE_CREDIT)
        h->credits_created++;
    else
        h->created++;
    e->packet = index;
    e->port = h->nic;
    e->consumed = 0;
    time_ps at = nic_entry(h, now);
    if (__builtin_expect(h->drops, 0) && nic_is_full(h, p, at)) {
        e->depart = now;
        e->drop = (uint8_t)port_refuse(h->extra, p, DROP_NIC);
        return;
    }
    e->drop = (uint8_t)port_enqueue(h->port, h->view, h->extra, NULL, p, at, &e->depart);
}

static inline time_ps nic_free_at(const struct host *h) { return h->port->busy_until - h->nic_ahead; }

static inline __attribute__((always_inline)) void host_send(struct host *h, struct connection *c, time_ps now,
                                                            struct host_out *out) {
    struct packet_pool *pool = h->shared->pool;
    uint32_t index = packet_get(pool);
    struct packet *p = packet_at(pool, index);
    *p = c->header;
    if (c->ops->poll_transmit(c->end, &c->env, now, p))
        nic_transmit(h, index, now, out);
    else
        packet_put(pool, index);
    connection_settle(h, c, now, out);
}

/* ---- nic: fifo with queues ---- */

static inline uint32_t nic_class(const struct host *h, const struct packet *p) {
    return port_class_of(h->extra->classes, p);
}

/* Returns whether the queue of class k has room for a frame of so many bytes. */
static inline bool nic_has_room_for(const struct host *h, uint32_t k, int64_t frame_bytes) {
    const struct host_config *s = h->shared->config;
    if (s->nic_queue_frames) return h->queued_frames[k] < s->nic_queue_frames;
    int64_t delayed = h->jitter ? h->jitter->bytes : 0;
    return h->extra->classes->queue[k].bytes + delayed + frame_bytes <= s->nic_queue_bytes;
}

/* Sends a frame made now at once if it need not wait, puts it into the queue of its class, or drops it. */
static void nic_put(struct host *h, uint32_t index, time_ps now, struct host_out *out) {
    struct packet *p = packet_at(h->shared->pool, index);
    time_ps depart = 0;
    enum drop_cause lost = DROP_NONE;
    p->serial = h->serial;
    h->serial += h->nics;
    p->birth = now;
    h->created++;
    if (__builtin_expect(h->drops, 0) && !nic_has_room_for(h, nic_class(h, p), packet_frame_bytes(p))) {
        lost = port_refuse(h->extra, p, DROP_NIC);
        out->e[out->n++] = (struct emission){.depart = now, .packet = index, .port = h->nic, .drop = (uint8_t)lost};
    } else if (__builtin_expect(h->jitter != NULL, 0)) {
        h->queued_frames[nic_class(h, p)]++;
        jitter_push(h->jitter, now, index, packet_frame_bytes(p));
    } else if (port_pass(h->port, h->view, h->extra, h->extra->classes, NULL, p, now, &depart, &lost)) {
        out->e[out->n++] = (struct emission){.depart = depart, .packet = index, .port = h->nic, .drop = (uint8_t)lost};
    } else {
        h->queued_frames[nic_class(h, p)]++;
        port_push(h->port, h->view, h->extra, h->extra->classes, h->shared->pool, index, now);
    }
}

/* Moves frames whose delay has passed to the queues of their classes. */
static void nic_release(struct host *h, time_ps now) {
    while (jitter_due(h->jitter) <= now)
        port_queue_push(h->port, h->view, h->extra, h->shared->pool, jitter_take(h->jitter), now);
}

/* Returns whether the queue for priority k has room for a full frame. */
static inline bool nic_has_room(const struct host *h, uint32_t k) {
    uint32_t last = h->extra->classes->n - 1;
    return nic_has_room_for(h, k < last ? k : last, config_frame(h->shared->config->frame_bytes));
}

#define NIC_OUT_SPARE 4 /* frames that may leave beside those of the loop below */

/* Returns the highest class that is ready and whose queue has room, as a set of one bit; 0 if there is none. A NIC that
 * drops takes frames without room too, while `out` has place for them; nic_serve goes on at the same instant. */
static inline uint32_t nic_ready_with_room(const struct host *h, const struct host_out *out) {
    if (__builtin_expect(h->drops, 0)) return out->n < HOST_MAX_OUT - NIC_OUT_SPARE ? h->ready_classes : 0;
    for (uint32_t left = h->ready_classes; left;) {
        uint32_t k = 31 - (uint32_t)__builtin_clz(left);
        if (nic_has_room(h, k)) return 1u << k;
        left ^= 1u << k;
    }
    return 0;
}

static __attribute__((noinline)) void nic_fill_from(struct host *h, uint32_t ready, time_ps now, struct host_out *out) {
    struct packet_pool *pool = h->shared->pool;
    for (; ready; ready = nic_ready_with_room(h, out)) {
        struct connection *c = ready_take(h, ready);
        uint32_t index = packet_get(pool);
        *packet_at(pool, index) = c->header;
        if (c->ops->poll_transmit(c->end, &c->env, now, packet_at(pool, index)))
            nic_put(h, index, now, out);
        else
            packet_put(pool, index);
        connection_settle(h, c, now, out);
    }
}

/* Fills the queues with frames of ready connections while there is room; paused queues too. */
static inline void nic_fill(struct host *h, time_ps now, struct host_out *out) {
    uint32_t ready = nic_ready_with_room(h, out);
    if (ready) nic_fill_from(h, ready, now, out);
}

static void nic_wake_at_service(struct host *h, time_ps now) {
    h->nic_wake = h->pause ? port_paused_service_at(h->port, h->extra->classes, now)
                           : max_i64(now, port_queue_service_at(h->port, h->extra));
    if (h->jitter) h->nic_wake = min_i64(h->nic_wake, jitter_due(h->jitter));
    if (h->drops && h->ready_classes) h->nic_wake = now;
}

/* Starts the next frame of the queues; the link must be idle. */
static void nic_start_next(struct host *h, time_ps now, struct host_out *out) {
    time_ps depart = 0;
    enum drop_cause lost = DROP_NONE;
    uint32_t index =
        port_next(h->port, h->view, h->extra, h->extra->classes, NULL, h->shared->pool, now, &depart, &lost);
    if (index == UINT32_MAX) return;
    h->queued_frames[nic_class(h, packet_at(h->shared->pool, index))]--;
    out->e[out->n++] = (struct emission){.depart = depart, .packet = index, .port = h->nic, .drop = (uint8_t)lost};
    nic_fill(h, now, out);
}

static __attribute__((noinline)) void nic_serve(struct host *h, time_ps now, struct host_out *out) {
    nic_fill(h, now, out);
    if (__builtin_expect(h->jitter != NULL, 0)) nic_release(h, now);
    if (h->port->busy_until <= now) nic_start_next(h, now, out);
    nic_wake_at_service(h, now);
}

/* Prefetches the connection whose credit probably leaves after the next one, while other hosts run. */
PREFETCHING host_prefetch_credits(const struct host *h) {
    struct connection *who[2];
    if (!credit_nic_foresee(h->credits, who)) return;
    connection_prefetch(who[0], h->shared->prefetch_receiver);
    if (who[1] != who[0]) connection_prefetch(who[1], h->shared->prefetch_receiver);
}

/* Does not wait for the NIC to be idle or to have room. */
void nic_send_beside(struct host *h, uint32_t index, time_ps now, struct host_out *out) {
    if (h->queues) {
        nic_put(h, index, now, out);
        nic_serve(h, now, out);
    } else {
        nic_transmit(h, index, now, out);
    }
}

/* Sends the credit of the picked connection, which may turn out to have none. */
static __attribute__((noinline)) void host_send_credit(struct host *h, struct connection *c, time_ps now,
                                                       struct host_out *out) {
    struct packet_pool *pool = h->shared->pool;
    uint32_t index = packet_get(pool);
    struct packet *p = packet_at(pool, index);
    c->env.nic_bps = h->view->rate_bps;
    *p = c->header;
    if (c->ops->poll_credit(c->end, &c->env, now, p)) {
        credit_nic_sent(h->credits, p, c->env.refused, now);
        c->env.refused = 0;
        nic_transmit(h, index, now, out);
    } else {
        packet_put(pool, index);
    }
    connection_settle(h, c, now, out);
    if (h->shared->prefetches) host_prefetch_credits(h);
}

/* Sends a void credit if one is owed and may leave now (XP-23); returns whether it did. */
static __attribute__((noinline)) bool host_send_void(struct host *h, time_ps now, struct host_out *out) {
    struct packet credit;
    if (!credit_nic_void(h->credits, &credit, now)) return false;
    uint32_t index = packet_get(h->shared->pool);
    *packet_at(h->shared->pool, index) = credit;
    packet_at(h->shared->pool, index)->ttl = HOST_TTL;
    packet_at(h->shared->pool, index)->origin = h->node;
    h->voids_sent++;
    nic_transmit(h, index, now, out);
    return true;
}

/* ---- under flow control ---- */

/* Returns the set of priorities whose class at the switch is paused. The last class has all higher priorities. */
static uint32_t nic_stopped(const struct host *h, time_ps now) {
    uint32_t stopped = pause_mask(h->pause, now), last = h->shared->config->classes - 1;
    return stopped >> last & 1 ? stopped | (0xffu & ~((1u << last) - 1)) : stopped;
}

static inline uint32_t nic_ready(const struct host *h, time_ps now) {
    return __builtin_expect(h->pause != NULL, 0) ? h->ready_classes & ~nic_stopped(h, now) : h->ready_classes;
}

static bool nic_credits_stopped(const struct host *h, time_ps now) {
    return h->pause && pause_mask(h->pause, now) >> PAUSE_CREDIT_LANE & 1;
}

/* Returns the earliest time at which a ready connection may send if the NIC is free from `at` on; TIME_NONE: none is
 * ready. */
static time_ps nic_start_at(const struct host *h, time_ps at) {
    time_ps first = TIME_NONE;
    if (!h->pause || !h->pause->live || !h->ready_classes) return h->ready_classes ? at : TIME_NONE;
    uint32_t last = h->shared->config->classes - 1;
    for (uint32_t k = 0; k < MAX_CLASSES; k++)
        if (h->ready_classes >> k & 1) first = min_i64(first, pause_over(h->pause, k < last ? k : last, at));
    return first;
}

/* Returns when the NIC sends next under flow control, if it is free from `free_at` on. */
static __attribute__((noinline)) time_ps host_next_paused(const struct host *h, time_ps free_at) {
    time_ps data = nic_start_at(h, free_at);
    time_ps credit = h->credits ? credit_nic_next(h->credits) : TIME_NONE;
    if (credit == TIME_NONE) return data;
    return min_i64(data, pause_over(h->pause, PAUSE_CREDIT_LANE, max_i64(credit, free_at)));
}

/* Returns when the NIC sends next; TIME_NONE: not before the next change. The host has credits or flow control. */
static inline time_ps host_next_send(const struct host *h, time_ps now) {
    time_ps free_at = max_i64(now, nic_free_at(h));
    if (__builtin_expect(h->pause != NULL, 0)) return host_next_paused(h, free_at);
    if (h->ready_classes) return free_at; /* no credit leaves earlier */
    time_ps credit = credit_nic_next(h->credits);
    return credit == TIME_NONE ? TIME_NONE : max_i64(credit, free_at);
}

/* Sends credits and data while the NIC takes frames, credits first. */
static __attribute__((noinline)) void host_pull_credits(struct host *h, time_ps now, struct host_out *out) {
    while (nic_free_at(h) <= now && out->n < HOST_MAX_OUT) {
        bool stopped = nic_credits_stopped(h, now);
        if (__builtin_expect(h->void_credits, 0) && !stopped && host_send_void(h, now, out)) continue;
        struct connection *c = stopped ? NULL : credit_nic_pick(h->credits, now);
        uint32_t ready = nic_ready(h, now);
        if (c)
            host_send_credit(h, c, now, out);
        else if (ready)
            host_send(h, ready_take(h, ready), now, out);
        else
            break;
    }
    h->nic_wake = host_next_send(h, now);
}

/* Sends while the NIC takes frames. */
static inline void host_pull(struct host *h, time_ps now, struct host_out *out) {
    if (__builtin_expect(h->credits != NULL, 0)) {
        host_pull_credits(h, now, out);
        return;
    }
    if (__builtin_expect(h->queues, 0)) {
        nic_serve(h, now, out);
        return;
    }
    uint32_t ready;
    while ((ready = nic_ready(h, now)) && nic_free_at(h) <= now && out->n < HOST_MAX_OUT)
        host_send(h, ready_take(h, ready), now, out);
    h->nic_wake = h->ready_classes ? nic_start_at(h, max_i64(now, nic_free_at(h))) : TIME_NONE;
}

/* Looks for something to send after an event: sends it now, or sets the wake-up of the NIC. */
static inline void host_look(struct host *h, time_ps now, struct host_out *out) {
    if (__builtin_expect(h->credits != NULL, 0)) {
        time_ps next = host_next_send(h, now);
        if (next <= now)
            host_pull_credits(h, now, out);
        else
            h->nic_wake = next;
    } else if (h->ready_classes && (h->nic_wake == TIME_NONE || h->pause || h->queues)) {
        /* a queue takes frames as soon as it has room; under flow control the wake-up may be that of another class */
        host_pull(h, now, out);
    }
}

/* ---- events ---- */

static struct connection *host_connection(struct host *h, time_ps now, const struct packet *p) {
    struct host_shared *s = h->shared;
    uint32_t flow = p->flow & FLOW_MASK;
    if (p->flow & FLOW_REVERSE) return s->sender[flow];
    if (s->receiver[flow]) return s->receiver[flow];
    if (host_has_received(s, flow)) return NULL;
    return connection_open(h, flow, SIDE_RECEIVER, now);
}

/* Obeys a pause frame, and sets the wake-up of the NIC for the classes that may send now. */
static __attribute__((noinline)) void host_obey(struct host *h, time_ps now, const struct packet *p) {
    if (!h->pause) return;
    int64_t rate = h->view->rate_bps;
    pause_obey(h->pause, &packet_ext_at(h->shared->pool, p->ext)->pause, now,
               flowctl_reaction_at(&h->shared->config->flow, rate), flowctl_quantum(rate));
    if (h->queues)
        nic_wake_at_service(h, now);
    else
        h->nic_wake = host_next_send(h, now);
}

static __attribute__((noinline)) void host_count_received(struct host *h, uint32_t flow, time_ps now) {
    struct host_shared *s = h->shared;
    s->flows_done += flow_is_awaited(&s->flow[flow]);
    if (s->work_links_q8) s->work_done += flow_work_at_end(s->fabric, &s->flow[flow], s->work_links_q8);
    if (s->gates) host_feed(h, gates_of_received(s->gates->gates, flow), now);
}

/* Counts a void credit, or a frame for which one is owed. Returns whether the frame is a void credit, which needs no
 * further handling. */
static __attribute__((noinline)) bool host_takes_void(struct host *h, const struct packet *p) {
    bool is_void = p->shape & SHAPE_CREDIT && p->tcp_flags & CREDIT_VOID;
    h->voids_received += is_void;
    if (credit_is_missing(p)) credit_nic_owe(h->credits, p);
    return is_void;
}

void host_receive(struct host *h, time_ps now, const struct packet *p, struct host_out *out) {
    out->n = 0;
    if (__builtin_expect(p->shape & SHAPE_PAUSE, 0)) {
        host_obey(h, now, p);
        return;
    }
    if (__builtin_expect(h->void_credits, 0) && host_takes_void(h, p)) return;
    struct connection *c = host_connection(h, now, p);
    if (__builtin_expect(!c, 0)) {
        host_receive_closed(h, now, p, out);
        if (__builtin_expect(h->void_credits, 0)) host_look(h, now, out);
        return;
    }
    c->ops->on_packet(c->end, &c->env, now, p);
    if (c->side == SIDE_RECEIVER) {
        h->shared->bytes_received += p->payload_bytes;
        if (__builtin_expect(!c->counted && c->env.tally->finished_at != TIME_NONE, 0)) {
            c->counted = true;
            host_count_received(h, c->flow, now);
        }
    }
    connection_settle(h, c, now, out);
    host_look(h, now, out);
}

static void host_start_flow(struct host *h, time_ps now, struct host_out *out) {
    uint32_t flow = host_take_start(h);
    if (flow == FLOW_NONE) return;
    if (__builtin_expect(h->nics > 1, 0)) h = host_nic_for(h, flow, SIDE_SENDER, now);
    struct connection *c = connection_open(h, flow, SIDE_SENDER, now);
    line_begin(h, c);
    connection_settle(h, c, now, out);
    host_look(h, now, out);
}

/* Prefetches the connection whose deadline is due next. */
PREFETCHING host_prefetch_deadline(const struct host *h) {
    if (h->deadlines.n == 0) return;
    const struct connection *c = h->deadlines.entry[0].of;
    connection_prefetch(c, c->side == SIDE_SENDER ? h->shared->prefetch_sender : h->shared->prefetch_receiver);
}

static void host_deadline(struct host *h, time_ps now, struct host_out *out) {
    struct connection *c = h->deadlines.entry[0].of;
    deadlines_remove(&h->deadlines, c);
    c->timer_at = TIME_NONE;
    if (c->stop_at <= now) {
        h->shared->flows_done += c->env.bytes == UINT64_MAX; /* a flow with an end may still end at its receiver */
        connection_close(h, c);
        return;
    }
    if (!c->env.trip_ps && c->ops->next_timer(c->end) <= now) connection_set_trip(h, c);
    c->ops->on_timer(c->end, &c->env, now);
    connection_settle(h, c, now, out);
    if (h->shared->prefetches) host_prefetch_deadline(h);
    host_look(h, now, out);
}

static void host_apply(struct host *h, const struct fabric_event *e) {
    time_ps dead_from = TIME_NONE;
    switch (e->kind) {
    case EVENT_LINK_UP:
        for (const struct fabric_event *later = h->event_end; later-- > h->event;)
            if (later->kind == EVENT_LINK_DOWN && later->port == e->port) dead_from = later->at;
        port_link_up(h->port, h->view, h->extra, e->at, dead_from);
        break;
    case EVENT_RATE:
        port_set_rate(h->port, h->view, h->extra, e->at, e->value);
        host_rate_is_set(h);
        if (h->credits) credit_nic_set_rate(h->credits, &h->shared->config->credit, e->value, e->at);
        break;
    case EVENT_LOSS: port_set_loss(h->port, h->extra, (uint32_t)e->value); break;
    case EVENT_NICS: host_rebind(h, e->at); break;
    default: break;
    }
    if (h->queues) nic_wake_at_service(h, e->at);
}

/* Order at one instant: topology, flows that start, the NIC, deadlines. */
void host_timer(struct host *h, time_ps now, struct host_out *out) {
    out->n = 0;
    if (h->event < h->event_end && h->event->at <= now) {
        const struct fabric_event *e = h->event++;
        if (e->port == h->nic) host_apply(h, e);
        if (h->credits) host_look(h, now, out); /* at a higher rate the limiter is ready sooner */
    } else if (h->start_at <= now) {
        host_start_flow(h, now, out);
    } else if (h->nic_wake <= now) {
        host_pull(h, now, out);
    } else if (deadlines_next(&h->deadlines) <= now) {
        host_deadline(h, now, out);
    }
}

void host_close(struct host *h, struct connection *c) { connection_close(h, c); }
