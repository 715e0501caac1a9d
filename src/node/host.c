/* SPDX-License-Identifier: Apache-2.0 */
#include "node/host.h"

#include "base/memory.h"
#include "fabric/choices.h"

#include <stdlib.h>
#include <string.h>

#define HOST_TTL 64
/* x 500 B: a 2 MiB cache; with fewer ends open to fetch ahead costs more than it saves (docs/perf.md). */
#define PREFETCH_FROM_ENDS 4000

/* ---- shared by the hosts of a partition ---- */

static size_t hot(size_t bytes, size_t all) { return bytes ? bytes : all; }

void host_shared_init(struct host_shared *shared) {
    const struct host_settings *settings = shared->settings;
    for (uint32_t i = 0; i < settings->n_transports; i++) {
        const struct transport_ops *ops = settings->transport[i];
        const struct transport_end *sender = ops->sender, *receiver = ops->receiver;
        cell_pool_init(&shared->ends[2 * i + SIDE_SENDER], sizeof(struct connection) + sender->bytes);
        cell_pool_init(&shared->ends[2 * i + SIDE_RECEIVER], sizeof(struct connection) + receiver->bytes);
        cell_pool_init(&shared->cells[i], transport_cell_bytes(ops, settings->transport_params[i]));
        shared->counters[i] = memory_get(transport_n_counters(ops), sizeof(uint64_t));
        shared->prefetch_sender = (uint16_t)max_i64(shared->prefetch_sender, (int64_t)hot(sender->hot, sender->bytes));
        shared->prefetch_receiver =
            (uint16_t)max_i64(shared->prefetch_receiver, (int64_t)hot(receiver->hot, receiver->bytes));
    }
}

void host_shared_fini(struct host_shared *shared) {
    for (uint32_t i = 0; i < shared->settings->n_transports; i++) {
        cell_pool_fini(&shared->ends[2 * i + SIDE_SENDER]);
        cell_pool_fini(&shared->ends[2 * i + SIDE_RECEIVER]);
        cell_pool_fini(&shared->cells[i]);
        free(shared->counters[i]);
    }
}

/* ---- which flow starts next: of the list, or of a gate that is open ---- */

static time_ps listed_start(const struct host *h) {
    return h->next_flow < h->end_flow ? h->shared->flow[*h->next_flow].start : TIME_NONE;
}

static void host_foresee_start(struct host *h) {
    const struct heap_entry *gated = heap_top(&h->gated);
    h->start_at = min_i64(listed_start(h), gated ? gated->key : TIME_NONE);
}

static uint32_t host_take_start(struct host *h) {
    uint32_t flow;
    if (listed_start(h) <= h->start_at) {
        flow = *h->next_flow++;
    } else {
        struct heap_entry e = heap_pop(&h->gated);
        flow = h->shared->gates->gated[e.id];
        h->shared->tally[flow].started_at = e.key;
    }
    host_foresee_start(h);
    return flow;
}

/* A flow has come to its end here. */
static void host_feed(struct host *h, uint32_t gate, time_ps now) {
    if (gate == GATE_NONE || --h->shared->gate_needs[gate] > 0) return;
    const struct gate *g = &h->shared->gates->gate[gate];
    for (uint32_t i = 0; i < g->n; i++) heap_push(&h->gated, now + g->delay, g->first + i);
    host_foresee_start(h);
}

static span_ps nic_full_frame_ps(const struct host *h) {
    return port_serialize(h->port, h->view, (uint32_t)settings_frame(h->shared->settings->frame_bytes) + 20);
}

/* When may the NIC take a frame? Pull: when idle. Fifo: while its queue has room for a full frame. */
static void host_rate_is_set(struct host *h) {
    h->nic_ahead = h->shared->settings->processing_delay;
    if (h->shared->settings->nic == NIC_FIFO)
        h->nic_ahead += port_limit_ps(h->view, h->shared->settings->nic_queue_bytes) - nic_full_frame_ps(h);
    else
        h->nic_ahead += h->shared->settings->jitter; /* a frame that is delayed for long is still there in time */
}

/* The port takes all that the NIC gives it, so that nothing is dropped here: the NIC itself stops at nic_queue. */
void host_nic_setup(const struct host_settings *settings, struct port_setup *nic) {
    bool pauses = flowctl_is_on(&settings->flow), by_class = settings->classes > 1 && !settings->credit.on;
    nic->queues = settings->nic == NIC_FIFO && (pauses || by_class || settings->nic_queue_frames);
    nic->admit.limit_bytes = INT64_MAX;
    nic->frame_bytes = settings_frame(settings->frame_bytes);
    nic->settings.classes = nic->queues && settings->classes ? settings->classes : 1;
    nic->settings.schedule.ops = nic->queues ? &schedule_strict : &schedule_fifo;
    nic->pauses = nic->queues && pauses;
}

void host_init(struct host *h, uint32_t node, struct host_shared *shared, const struct port_setup *nic) {
    h->node = node;
    h->shared = shared;
    deadlines_init(&h->deadlines, offsetof(struct connection, heap_place));
    host_foresee_start(h);
    h->ip = fabric_host_ip(shared->fabric, node);
    h->nic_wake = TIME_NONE;
    port_init(h->port, h->view, h->extra, nic);
    host_rate_is_set(h);
    h->queues = h->port->queued;
    if (flowctl_is_on(&shared->settings->flow)) {
        h->pause = h->queues ? h->extra->classes->pause : memory_get(1, sizeof *h->pause);
        h->pause->storm = shared->settings->flow.storm;
    }
    h->credits = credit_nic_create(&shared->settings->credit, nic->rate_bps, nic->seed, node, nic->global);
    h->void_credits = h->credits && shared->settings->void_credits;
    if (shared->settings->jitter) {
        h->jitter = memory_get(1, sizeof *h->jitter);
        jitter_init(h->jitter, shared->settings->jitter, nic->seed, node);
    }
}

void host_fini(struct host *h) {
    port_fini(h->extra); /* and the pauses of its queues */
    deadlines_fini(&h->deadlines);
    if (!h->queues) free(h->pause);
    heap_fini(&h->gated);
    credit_nic_destroy(h->credits);
    if (h->jitter) free(h->jitter->line);
    free(h->jitter);
}

/* ---- deadlines ---- */

/* The earliest deadline of a connection stands in the heap; one that has moved later is left there until it comes. */
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

/* ---- who wants to send ---- */

static inline void ready_add(struct host *h, struct connection *c) {
    struct ready_list *list = &h->ready[c->priority];
    c->ready = true;
    c->ready_next = NULL;
    c->ready_before = list->tail;
    if (h->ready_classes >> c->priority & 1)
        list->tail->ready_next = c;
    else
        list->head = c;
    list->tail = c;
    h->ready_classes |= (uint8_t)(1u << c->priority);
}

static inline void ready_pop(struct host *h, uint32_t k) {
    struct connection *c = h->ready[k].head;
    h->ready[k].head = c->ready_next;
    if (!c->ready_next) h->ready_classes &= (uint8_t) ~(1u << k);
    c->ready = false;
}

/* The first of the highest of `classes`, which have some. Where thousands wait, the lines of the one after it come
 * while the NIC sends. */
static inline struct connection *ready_take(struct host *h, uint32_t classes) {
    uint32_t k = 31 - (uint32_t)__builtin_clz(classes);
    struct connection *c = h->ready[k].head;
    ready_pop(h, k);
    if (__builtin_expect(h->shared->prefetches, 0) && c->ready_next)
        connection_prefetch(c->ready_next, h->shared->prefetch_sender);
    return c;
}

static void ready_remove(struct host *h, struct connection *c) {
    struct ready_list *list = &h->ready[c->priority];
    if (list->head == c) {
        ready_pop(h, c->priority);
        return;
    }
    c->ready_before->ready_next = c->ready_next;
    if (c->ready_next)
        c->ready_next->ready_before = c->ready_before;
    else
        list->tail = c->ready_before;
    c->ready = false;
}

/* ---- connections ---- */

static void connection_header(struct connection *c, const struct host *h, const struct flow *f) {
    const struct fabric *fabric = h->shared->fabric;
    bool sends = c->side == SIDE_SENDER;
    c->header = (struct packet){
        .src_ip = h->ip,
        .dst_ip = fabric_host_ip(fabric, sends ? f->dst : f->src),
        .src_port = sends ? f->src_port : f->dst_port,
        .dst_port = sends ? f->dst_port : f->src_port,
        .proto = h->shared->settings->transport[f->transport]->base->proto,
        .tos = (uint8_t)(f->priority << 5),
        .ttl = HOST_TTL,
        .path = PATH_NONE,
        .ext = EXT_NONE,
        .origin = h->node,
        .flow = c->flow | (sends ? 0 : FLOW_REVERSE),
    };
}

static struct connection *connection_open(struct host *h, uint32_t flow, enum transport_side side, time_ps now) {
    struct host_shared *s = h->shared;
    const struct flow *f = &s->flow[flow];
    struct connection *c = cell_get(&s->ends[2 * f->transport + side]);
    const struct transport_ops *row = s->settings->transport[f->transport];
    c->ops = transport_end_of(row, side);
    c->timer_at = TIME_NONE;
    c->stop_at = side == SIDE_SENDER ? f->stop : TIME_NONE;
    c->heap_place = c->credit_place = UINT32_MAX;
    c->flow = flow;
    c->side = side;
    c->kind = f->transport;
    c->priority = f->priority;
    connection_header(c, h, f);
    c->env = (struct flow_env){
        .bytes = f->bytes,
        .rate_bps = f->rate_bps,
        .burst_bytes = f->burst_bytes,
        .params = s->settings->transport_params[f->transport],
        .row = row,
        .pool = s->pool,
        .cells = &s->cells[f->transport],
        .tally = &s->tally[flow],
        .counters = s->counters[f->transport],
        .nic_bps = h->view->rate_bps,
        .seed = s->seed,
        .flow = flow,
        .isn = host_isn(s->seed, flow, side),
        .established = f->flags & FLOW_ESTABLISHED,
        .stays_open = f->flags & FLOW_STAYS_OPEN,
    };
    if (c->env.established)
        c->env.peer_isn = host_isn(s->seed, flow, side == SIDE_SENDER ? SIDE_RECEIVER : SIDE_SENDER);
    if (row->needs.credit) fabric_path_choices(s->fabric, f->src, f->dst, c->env.paths);
    *(side == SIDE_SENDER ? &s->sender[flow] : &s->receiver[flow]) = c;
    s->prefetches = ++s->open_ends > PREFETCH_FROM_ENDS;
    c->ops->open(c->end, &c->env, now);
    return c;
}

static void connection_close(struct host *h, struct connection *c) {
    struct host_shared *s = h->shared;
    if (c->ready) ready_remove(h, c);
    deadlines_remove(&h->deadlines, c);
    if (h->credits) credit_nic_arm(h->credits, c, TIME_NONE);
    if (c->ops->close) c->ops->close(c->end, &c->env);
    *(c->side == SIDE_SENDER ? &s->sender[c->flow] : &s->receiver[c->flow]) = NULL;
    cell_put(&s->ends[2 * c->kind + c->side], c);
    s->prefetches = --s->open_ends > PREFETCH_FROM_ENDS;
}

static void nic_send_beside(struct host *h, uint32_t index, time_ps now, struct host_out *out);

/* The last frame of a sender, UINT32_MAX: none. */
static uint32_t connection_farewell(struct host *h, const struct connection *c) {
    if (!c->ops->farewell) return UINT32_MAX;
    uint32_t index = packet_get(h->shared->pool);
    struct packet *p = packet_at(h->shared->pool, index);
    *p = c->header;
    if (c->ops->farewell(c->end, &c->env, p)) return index;
    packet_put(h->shared->pool, index);
    return UINT32_MAX;
}

/* Both sides come here in their own time; that a flow has arrived is known before its receiver is done. */
static __attribute__((noinline)) void connection_end(struct host *h, struct connection *c, time_ps now,
                                                     struct host_out *out) {
    const struct gates *gates = h->shared->gates;
    uint32_t farewell = connection_farewell(h, c);
    if (gates && c->side == SIDE_SENDER) host_feed(h, gates->feed[c->flow].acked, now);
    connection_close(h, c);
    if (farewell != UINT32_MAX) nic_send_beside(h, farewell, now, out);
}

/* After anything happened to a connection: its deadline, its wish to send, its end. */
static inline void connection_settle(struct host *h, struct connection *c, time_ps now, struct host_out *out) {
    host_arm(h, c);
    if (__builtin_expect(c->ops->next_credit != NULL, 0)) credit_nic_arm(h->credits, c, c->ops->next_credit(c->end));
    if (!c->ready) {
        if (c->ops->has_output(c->end, &c->env, now)) {
            ready_add(h, c);
        } else if (__builtin_expect(c->ops->is_done(c->end, &c->env), 0)) {
            connection_end(h, c, now, out);
        }
    }
}

/* ---- the NIC ---- */

/* When a frame made now reaches the NIC. */
static inline time_ps nic_entry(struct host *h, time_ps now) {
    time_ps at = now + h->shared->settings->processing_delay;
    return __builtin_expect(h->jitter != NULL, 0) ? jitter_next(h->jitter, at) : at;
}

static inline __attribute__((always_inline)) void nic_transmit(struct host *h, uint32_t index, time_ps now,
                                                               struct host_out *out) {
    struct packet *p = packet_at(h->shared->pool, index);
    struct emission *e = &out->e[out->n++];
    p->serial = h->serial++;
    p->birth = now;
    if (p->shape & SHAPE_CREDIT)
        h->credits_created++;
    else
        h->created++;
    e->packet = index;
    e->port = 0;
    e->consumed = 0;
    e->drop = (uint8_t)port_enqueue(h->port, h->view, h->extra, NULL, p, nic_entry(h, now), &e->depart);
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

/* A frame made now leaves at once if nothing keeps it, or stands in the queue of its class. */
static void nic_put(struct host *h, uint32_t index, time_ps now, struct host_out *out) {
    struct packet *p = packet_at(h->shared->pool, index);
    time_ps depart = 0;
    enum drop_cause lost = DROP_NONE;
    p->serial = h->serial++;
    p->birth = now;
    h->created++;
    if (__builtin_expect(h->jitter != NULL, 0)) {
        h->queued_frames[nic_class(h, p)]++;
        jitter_push(h->jitter, now, index, packet_frame_bytes(p));
    } else if (port_queue_pass(h->port, h->view, h->extra, NULL, p, now, &depart, &lost)) {
        out->e[out->n++] = (struct emission){.depart = depart, .packet = index, .drop = (uint8_t)lost};
    } else {
        h->queued_frames[nic_class(h, p)]++;
        port_queue_push(h->port, h->view, h->extra, h->shared->pool, index, now);
    }
}

/* Frames whose delay is over join the queues of their classes. */
static void nic_release(struct host *h, time_ps now) {
    while (jitter_due(h->jitter) <= now)
        port_queue_push(h->port, h->view, h->extra, h->shared->pool, jitter_take(h->jitter), now);
}

/* Whether the queue of class k has room for a full frame. */
static inline bool nic_has_room(const struct host *h, uint32_t k) {
    const struct host_settings *s = h->shared->settings;
    const struct port_classes *c = h->extra->classes;
    uint32_t own = k < c->n ? k : c->n - 1;
    if (s->nic_queue_frames) return h->queued_frames[own] < s->nic_queue_frames;
    int64_t delayed = h->jitter ? h->jitter->bytes : 0;
    return c->queue[own].bytes + delayed + settings_frame(s->frame_bytes) <= s->nic_queue_bytes;
}

/* The highest class that is ready and whose queue has room, as a set; none: 0. */
static inline uint32_t nic_ready_with_room(const struct host *h) {
    for (uint32_t left = h->ready_classes; left;) {
        uint32_t k = 31 - (uint32_t)__builtin_clz(left);
        if (nic_has_room(h, k)) return 1u << k;
        left ^= 1u << k;
    }
    return 0;
}

static __attribute__((noinline)) void nic_fill_from(struct host *h, uint32_t ready, time_ps now, struct host_out *out) {
    struct packet_pool *pool = h->shared->pool;
    for (; ready; ready = nic_ready_with_room(h)) {
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

/* Queues take frames as long as they have room, paused or not. */
static inline void nic_fill(struct host *h, time_ps now, struct host_out *out) {
    uint32_t ready = nic_ready_with_room(h);
    if (ready) nic_fill_from(h, ready, now, out);
}

static void nic_wake_at_service(struct host *h, time_ps now) {
    h->nic_wake = h->pause ? port_paused_service_at(h->port, h->extra->classes, now)
                           : max_i64(now, port_queue_service_at(h->port, h->extra));
    if (h->jitter) h->nic_wake = min_i64(h->nic_wake, jitter_due(h->jitter));
}

/* The link is idle. */
static void nic_start_next(struct host *h, time_ps now, struct host_out *out) {
    time_ps depart = 0;
    enum drop_cause lost = DROP_NONE;
    uint32_t index = port_queue_next(h->port, h->view, h->extra, NULL, h->shared->pool, now, &depart, &lost);
    if (index == UINT32_MAX) return;
    h->queued_frames[nic_class(h, packet_at(h->shared->pool, index))]--;
    out->e[out->n++] = (struct emission){.depart = depart, .packet = index, .drop = (uint8_t)lost};
    nic_fill(h, now, out);
}

static __attribute__((noinline)) void nic_serve(struct host *h, time_ps now, struct host_out *out) {
    nic_fill(h, now, out);
    if (__builtin_expect(h->jitter != NULL, 0)) nic_release(h, now);
    if (h->port->busy_until <= now) nic_start_next(h, now, out);
    nic_wake_at_service(h, now);
}

/* Whose credit comes after the next one is probably known: its lines come while other hosts work. */
PREFETCHING host_prefetch_credits(const struct host *h) {
    struct connection *who[2];
    if (!credit_nic_foresee(h->credits, who)) return;
    connection_prefetch(who[0], h->shared->prefetch_receiver);
    if (who[1] != who[0]) connection_prefetch(who[1], h->shared->prefetch_receiver);
}

/* A frame of no connection: it does not wait for its turn. */
static void nic_send_beside(struct host *h, uint32_t index, time_ps now, struct host_out *out) {
    if (h->queues) {
        nic_put(h, index, now, out);
        nic_serve(h, now, out);
    } else {
        nic_transmit(h, index, now, out);
    }
}

/* The connection was picked for a credit; it may find that it has none. */
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

/* One that is owed to nobody's flow (XP-23). */
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

/* Priorities whose class at the switch is paused; it knows only so many classes, the last for all above. */
static uint32_t nic_stopped(const struct host *h, time_ps now) {
    uint32_t stopped = pause_mask(h->pause, now), last = h->shared->settings->classes - 1;
    return stopped >> last & 1 ? stopped | (0xffu & ~((1u << last) - 1)) : stopped;
}

static inline uint32_t nic_ready(const struct host *h, time_ps now) {
    return __builtin_expect(h->pause != NULL, 0) ? h->ready_classes & ~nic_stopped(h, now) : h->ready_classes;
}

static bool nic_credits_stopped(const struct host *h, time_ps now) {
    return h->pause && pause_mask(h->pause, now) >> PAUSE_CREDIT_LANE & 1;
}

/* When what is ready may leave at the earliest, if the NIC is free from `at` on. */
static time_ps nic_start_at(const struct host *h, time_ps at) {
    time_ps first = TIME_NONE;
    if (!h->pause || !h->pause->live || !h->ready_classes) return h->ready_classes ? at : TIME_NONE;
    uint32_t last = h->shared->settings->classes - 1;
    for (uint32_t k = 0; k < MAX_CLASSES; k++)
        if (h->ready_classes >> k & 1) first = min_i64(first, pause_over(h->pause, k < last ? k : last, at));
    return first;
}

static time_ps host_next_send(const struct host *h, time_ps now) {
    time_ps free_at = max_i64(now, nic_free_at(h)), data = nic_start_at(h, free_at);
    time_ps credit = h->credits ? credit_nic_next(h->credits) : TIME_NONE;
    if (credit == TIME_NONE) return data;
    credit = max_i64(credit, free_at);
    if (h->pause) credit = pause_over(h->pause, PAUSE_CREDIT_LANE, credit);
    return min_i64(data, credit);
}

/* Sends while the NIC takes frames; credits first. */
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

/* The same where there are no credits. */
static void host_pull(struct host *h, time_ps now, struct host_out *out) {
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

/* Something may have come up: to send at once, or a credit for later. */
static inline void host_look(struct host *h, time_ps now, struct host_out *out) {
    if (__builtin_expect(h->credits != NULL, 0)) {
        time_ps next = host_next_send(h, now);
        if (next <= now)
            host_pull(h, now, out);
        else
            h->nic_wake = next;
    } else if (h->ready_classes && (h->nic_wake == TIME_NONE || h->pause || h->queues)) {
        /* a queue takes a frame as soon as it has room; under flow control the NIC may sleep for another class */
        host_pull(h, now, out);
    }
}

/* ---- events ---- */

/* Senders that have ended answer credits, and a receiver's FIN. */
static bool ended_sender_answers(const struct packet *p) {
    return p->shape & SHAPE_CREDIT || (p->proto == PROTO_TCP && p->tcp_flags & TCP_FIN);
}

/* A frame of a flow that has ended at its receiver is answered without state; of those for a sender that has ended
 * some are, the others are let go. */
static void host_receive_closed(struct host *h, time_ps now, const struct packet *p, struct host_out *out) {
    struct host_shared *s = h->shared;
    uint32_t flow = p->flow & FLOW_MASK;
    bool credit = p->shape & SHAPE_CREDIT, to_sender = credit || p->flow & FLOW_REVERSE;
    h->unclaimed += !credit;
    s->tally[flow].credits_wasted += credit;
    if (to_sender && !ended_sender_answers(p)) return;
    enum transport_side side = to_sender ? SIDE_SENDER : SIDE_RECEIVER, other = to_sender ? SIDE_RECEIVER : SIDE_SENDER;
    const struct transport_base *base = s->settings->transport[s->flow[flow].transport]->base;
    struct connection ghost = {.side = (uint8_t)side, .flow = flow};
    connection_header(&ghost, h, &s->flow[flow]);
    ghost.env = (struct flow_env){.bytes = s->flow[flow].bytes,
                                  .params = s->settings->transport_params[s->flow[flow].transport],
                                  .pool = s->pool,
                                  .tally = &s->tally[flow],
                                  .isn = host_isn(s->seed, flow, side),
                                  .peer_isn = host_isn(s->seed, flow, other)};
    if (!base->answer_closed) return;
    uint32_t index = packet_get(s->pool);
    *packet_at(s->pool, index) = ghost.header;
    if (!base->answer_closed(&ghost.env, now, p, packet_at(s->pool, index))) {
        packet_put(s->pool, index);
    } else {
        nic_send_beside(h, index, now, out);
    }
}

static struct connection *host_connection(struct host *h, time_ps now, const struct packet *p) {
    struct host_shared *s = h->shared;
    uint32_t flow = p->flow & FLOW_MASK;
    if (p->flow & FLOW_REVERSE) return s->sender[flow];
    if (s->receiver[flow]) return s->receiver[flow];
    if (s->tally[flow].finished_at != TIME_NONE) return NULL;
    return connection_open(h, flow, SIDE_RECEIVER, now);
}

/* Some classes stop, or go on: when the NIC asks next is another time. */
static __attribute__((noinline)) void host_obey(struct host *h, time_ps now, const struct packet *p) {
    if (!h->pause) return;
    int64_t rate = h->view->rate_bps;
    pause_obey(h->pause, &packet_ext_at(h->shared->pool, p->ext)->pause, now,
               flowctl_reaction_at(&h->shared->settings->flow, rate), flowctl_quantum(rate));
    if (h->queues)
        nic_wake_at_service(h, now);
    else
        h->nic_wake = host_next_send(h, now);
}

static __attribute__((noinline)) void host_count_received(struct host *h, uint32_t flow, time_ps now) {
    struct host_shared *s = h->shared;
    s->flows_done += flow_is_awaited(&s->flow[flow]);
    if (s->gates) host_feed(h, s->gates->feed[flow].received, now);
}

/* Void credits: this is one, and done with; or it is a frame for which one is owed. */
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
    h->shared->flows_started += flow_is_awaited(&h->shared->flow[flow]);
    connection_settle(h, connection_open(h, flow, SIDE_SENDER, now), now, out);
    host_look(h, now, out);
}

/* The next one to come due will probably be touched so: its lines come meanwhile. */
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
        h->shared->flows_done += c->env.bytes == UINT64_MAX; /* one with an end may end at its receiver yet */
        connection_close(h, c);
        return;
    }
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
            if (later->kind == EVENT_LINK_DOWN) dead_from = later->at;
        port_link_up(h->port, h->view, h->extra, e->at, dead_from);
        break;
    case EVENT_RATE:
        port_set_rate(h->port, h->view, h->extra, e->at, e->value);
        host_rate_is_set(h);
        if (h->credits) credit_nic_set_rate(h->credits, &h->shared->settings->credit, e->value, e->at);
        break;
    case EVENT_LOSS: port_set_loss(h->port, h->extra, (uint32_t)e->value); break;
    default: break;
    }
    if (h->queues) nic_wake_at_service(h, e->at);
}

/* Order at one instant: topology, flows that start, the NIC, deadlines. */
void host_timer(struct host *h, time_ps now, struct host_out *out) {
    out->n = 0;
    if (h->event < h->event_end && h->event->at <= now) {
        const struct fabric_event *e = h->event++;
        host_apply(h, e);
        if (h->credits) host_look(h, now, out); /* at another rate its tokens come sooner */
    } else if (h->start_at <= now) {
        host_start_flow(h, now, out);
    } else if (h->nic_wake <= now) {
        host_pull(h, now, out);
    } else if (deadlines_next(&h->deadlines) <= now) {
        host_deadline(h, now, out);
    }
}

void host_close(struct host *h, struct connection *c) { connection_close(h, c); }
