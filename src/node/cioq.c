#include "node/cioq.h"

#include "base/memory.h"
#include "node/host.h"
#include "node/switch_inside.h"
#include "wire/pause_frame.h"

#include <stdlib.h>
#include <string.h>

#define FULL_FRAME 1518
#define BITS_PS (8 * PS_PER_S)

/* ---- building ---- */

static struct voq *cioq_voq(const struct cioq *c, uint32_t in, uint32_t out, uint32_t class) {
    return &c->voq[(in * c->n + out) * CROSSBAR_CLASSES + class];
}

static void input_init(struct cioq_input *i, const struct fabric_switch *sw, const struct cioq_settings *s,
                       uint16_t port) {
    static const struct flowctl_ops never = {0};
    static const struct flowctl_thresholds out_of_reach = {.high_bytes = INT64_MAX};
    const struct place_port *link = &sw->place.port[port];
    struct flowctl_params p = flowctl_params_at(&s->flow, link->rate_bps, link->delay);
    bool on = flowctl_is_on(&s->flow);
    struct flowctl_thresholds t = on ? flowctl_thresholds_at(&s->flow, &p) : out_of_reach;
    ingress_init(&i->meter, &p, &t, on ? s->flow.ops : &never, sw->extra[port].classes->n);
    i->done_at = TIME_NONE;
    i->moving = UINT32_MAX;
}

struct cioq *cioq_create(struct fabric_switch *sw, const struct cioq_settings *settings) {
    struct cioq *c = memory_get(1, sizeof *c);
    size_t n = sw->n_ports, queues = n * n * CROSSBAR_CLASSES;
    c->settings = *settings;
    c->n = sw->n_ports;
    c->largest_bytes = FULL_FRAME + (sw->balance->sees_northbound ? expeditus_tag_bytes(TAG_MAX_ENTRIES) : 0);
    islip_init(&c->islip, c->n, settings->iterations);
    c->idle_in = c->idle_out = n == CROSSBAR_PORTS ? UINT64_MAX : (1ull << n) - 1;
    c->input = memory_get(n, sizeof *c->input);
    c->voq = memory_get(queues, sizeof *c->voq);
    c->crossing = memory_get(n * CROSSBAR_CLASSES, sizeof *c->crossing);
    for (size_t q = 0; q < queues; q++) c->voq[q] = (struct voq){UINT32_MAX, UINT32_MAX};
    for (uint32_t k = 0; k < CROSSBAR_CLASSES; k++) c->open[k] = c->idle_out;
    c->next = TIME_NONE;
    for (uint16_t p = 0; p < c->n; p++) input_init(&c->input[p], sw, settings, p);
    return c;
}

void cioq_destroy(struct cioq *c) {
    if (!c) return;
    islip_fini(&c->islip);
    free(c->input);
    free(c->voq);
    free(c->crossing);
    free(c->lookup);
    free(c);
}

uint64_t cioq_bytes(const struct cioq *c) {
    size_t per_port = sizeof *c->input + CROSSBAR_CLASSES * (sizeof *c->crossing + 10);
    return sizeof *c + c->n * per_port + (size_t)c->n * c->n * CROSSBAR_CLASSES * sizeof *c->voq +
           c->lookup_size * sizeof *c->lookup;
}

/* ---- what is next ---- */

static void cioq_find_next(struct fabric_switch *sw) {
    struct cioq *c = sw->cioq;
    time_ps next = c->lookup_n ? c->lookup[c->lookup_head].at : TIME_NONE;
    for (uint32_t p = 0; p < c->n; p++) next = min_i64(next, min_i64(c->input[p].done_at, c->input[p].meter.renew_at));
    c->next = next;
    switch_find_timer(sw);
}

/* ---- the ingress queue ---- */

static void input_account(struct cioq_input *i, time_ps now) {
    i->area += (uint64_t)i->meter.bytes * (uint64_t)((now - i->area_to) / PS_PER_NS);
    i->area_to += (now - i->area_to) / PS_PER_NS * PS_PER_NS;
}

/* Sends a pause frame out of the port: it says anew what stands paused, and releases what of `changed` is not. */
static void input_say(struct fabric_switch *sw, time_ps now, uint16_t in, uint8_t changed, struct switch_out *out) {
    uint32_t index = packet_get(sw->pool), ext = packet_ext_get(sw->pool);
    struct packet *p = packet_at(sw->pool, index);
    *p = pause_packet(ext);
    p->origin = sw->node;
    p->serial = sw->serial++;
    p->birth = now;
    packet_ext_at(sw->pool, ext)->pause = ingress_fields(&sw->cioq->input[in].meter, changed, now);
    sw->pauses_made++;
    port_control_push(&sw->extra[in], sw->pool, index);
    switch_serve(sw, in, now, out);
}

static void input_add(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t class, int64_t bytes,
                      struct switch_out *out) {
    struct cioq_input *i = &sw->cioq->input[in];
    input_account(i, now);
    uint8_t changed = ingress_add(&i->meter, class, bytes);
    i->max_bytes = max_i64(i->max_bytes, i->meter.bytes);
    if (changed) input_say(sw, now, in, changed, out);
}

static void input_remove(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t class, int64_t bytes,
                         struct switch_out *out) {
    struct cioq_input *i = &sw->cioq->input[in];
    input_account(i, now);
    uint8_t changed = ingress_remove(&i->meter, class, bytes);
    if (changed) input_say(sw, now, in, changed, out);
}

static uint32_t cioq_class(const struct fabric_switch *sw, uint16_t port, const struct packet *p) {
    return p->shape & SHAPE_CREDIT ? CROSSBAR_CREDIT_CLASS : port_class_of(sw->extra[port].classes, p);
}

/* A frame's class in ingress: credits hold so little that they count with the highest class. */
static uint32_t ingress_class(const struct fabric_switch *sw, uint16_t in, const struct packet *p) {
    uint32_t class = cioq_class(sw, in, p);
    return class < MAX_CLASSES ? class : sw->extra[in].classes->n - 1;
}

/* ---- room in the egress queue (AM-3) ---- */

/* Bytes of egress that class k finds free: all that is not taken, nor kept for the classes above it. */
static int64_t cioq_room(const struct fabric_switch *sw, uint16_t port, uint32_t k, time_ps now) {
    const struct cioq *c = sw->cioq;
    const struct port_classes *q = sw->extra[port].classes;
    const int64_t *crossing = &c->crossing[(size_t)port * CROSSBAR_CLASSES];
    int64_t on_wire = sw->port[port].busy_until > now ? c->largest_bytes : 0;
    int64_t room = q->limit_bytes - sw->view[port].queued_bytes - on_wire;
    for (uint32_t i = 0; i < q->n; i++) {
        int64_t taken = q->queue[i].bytes + crossing[i];
        room -= crossing[i];
        if (i > k && taken < c->settings.reserve_bytes) room -= c->settings.reserve_bytes - taken;
    }
    return room;
}

static void cioq_open(struct fabric_switch *sw, uint16_t port, time_ps now) {
    struct cioq *c = sw->cioq;
    const struct port_classes *q = sw->extra[port].classes;
    uint64_t bit = 1ull << port;
    for (uint32_t k = 0; k < q->n; k++) {
        if (cioq_room(sw, port, k, now) >= c->largest_bytes)
            c->open[k] |= bit;
        else
            c->open[k] &= ~bit;
    }
}

/* ---- the crossbar ---- */

static uint32_t voq_take(struct cioq *c, const struct packet_pool *pool, const struct crossbar_match *m) {
    struct voq *q = cioq_voq(c, m->in, m->out, m->class);
    uint32_t index = q->head;
    q->head = packet_at(pool, index)->next;
    if (q->head == UINT32_MAX) islip_withdraw(&c->islip, m->in, m->out, m->class);
    return index;
}

static void cioq_start(struct fabric_switch *sw, time_ps now, const struct crossbar_match *m) {
    struct cioq *c = sw->cioq;
    struct cioq_input *i = &c->input[m->in];
    i->moving = voq_take(c, sw->pool, m);
    i->out = m->out;
    i->class = m->class;
    int64_t bytes = packet_frame_bytes(packet_at(sw->pool, i->moving));
    int64_t rate = sw->view[m->in].rate_bps * c->settings.speedup;
    i->done_at = now + (bytes * BITS_PS + rate - 1) / rate;
    c->idle_in &= ~(1ull << m->in);
    c->idle_out &= ~(1ull << m->out);
    c->crossing[(size_t)m->out * CROSSBAR_CLASSES + m->class] += bytes;
    c->next = min_i64(c->next, i->done_at);
}

/* Pairs what is idle and may cross. */
static void cioq_match(struct fabric_switch *sw, time_ps now) {
    struct cioq *c = sw->cioq;
    struct crossbar_match match[CROSSBAR_PORTS];
    if (!c->islip.classes || !c->idle_in || !c->idle_out) return;
    uint32_t n = islip_match(&c->islip, c->idle_in, c->idle_out, c->open, match);
    for (uint32_t k = 0; k < n; k++) {
        cioq_start(sw, now, &match[k]);
        if (c->settings.hold) cioq_open(sw, match[k].out, now);
    }
    if (n) switch_find_timer(sw);
}

void cioq_egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now) {
    if (!sw->cioq->settings.hold) return;
    cioq_open(sw, port, now);
    cioq_match(sw, now);
}

/* A frame that finds the egress queue full may push out one of a lower class (AM-3, Priority). */
static void cioq_make_room(struct fabric_switch *sw, time_ps now, uint16_t port, const struct packet *p,
                           struct switch_out *out) {
    struct port_classes *q = sw->extra[port].classes;
    if (!q->push_out || p->shape & SHAPE_CREDIT) return;
    int64_t over = port_backlog_bytes(&sw->port[port], &sw->view[port], now) + packet_frame_bytes(p) - q->limit_bytes;
    if (over > port_bytes_below(q, p)) return; /* it would not fit all the same: nobody is dropped for it */
    while (port_backlog_bytes(&sw->port[port], &sw->view[port], now) + packet_frame_bytes(p) > q->limit_bytes) {
        uint32_t last = port_push_out(&sw->view[port], &sw->extra[port], sw->pool, p, now);
        if (last == UINT32_MAX) return;
        switch_refuse(sw, now, port, last, DROP_BUFFER, out);
        if (out->n >= SWITCH_MAX_OUT - 3) return;
    }
}

/* The frame has crossed: input and output are free, its place in the ingress queue too. */
static void cioq_finish(struct fabric_switch *sw, time_ps now, uint16_t in, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    struct cioq_input *i = &c->input[in];
    uint32_t index = i->moving;
    uint16_t port = i->out;
    struct packet *p = packet_at(sw->pool, index);
    i->moving = UINT32_MAX;
    i->done_at = TIME_NONE;
    c->idle_in |= 1ull << in;
    c->idle_out |= 1ull << port;
    c->crossing[(size_t)port * CROSSBAR_CLASSES + i->class] -= packet_frame_bytes(p);
    input_remove(sw, now, in, ingress_class(sw, in, p), packet_frame_bytes(p), out);
    cioq_make_room(sw, now, port, p, out);
    switch_send(sw, now, index, port, out);
    if (c->settings.hold) cioq_open(sw, port, now);
    cioq_find_next(sw);
    cioq_match(sw, now);
}

/* ---- the forwarding engine ---- */

static void lookup_push(struct cioq *c, const struct cioq_lookup *l) {
    if (c->lookup_n == c->lookup_size) {
        uint32_t size = c->lookup_size ? 2 * c->lookup_size : 16;
        struct cioq_lookup *ring = memory_get(size, sizeof *ring);
        for (uint32_t k = 0; k < c->lookup_n; k++) ring[k] = c->lookup[(c->lookup_head + k) % c->lookup_size];
        free(c->lookup);
        c->lookup = ring;
        c->lookup_head = 0;
        c->lookup_size = size;
    }
    c->lookup[(c->lookup_head + c->lookup_n++) % c->lookup_size] = *l;
}

static void voq_append(struct fabric_switch *sw, uint16_t in, uint16_t port, uint32_t index) {
    struct packet *p = packet_at(sw->pool, index);
    uint32_t class = cioq_class(sw, port, p);
    struct voq *q = cioq_voq(sw->cioq, in, port, class);
    p->next = UINT32_MAX;
    if (q->head == UINT32_MAX) {
        q->head = index;
        islip_request(&sw->cioq->islip, in, port, class);
    } else {
        packet_at(sw->pool, q->tail)->next = index;
    }
    q->tail = index;
}

/* The engine knows where the frame goes. */
static void cioq_route(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct packet *p = packet_at(sw->pool, index);
    struct forward_rest rest;
    uint16_t port = 0, bytes = packet_frame_bytes(p);
    uint32_t class = ingress_class(sw, in, p);
    bool goes = switch_route(sw, now, in, p, &port, &rest);
    if (rest.emit != UINT32_MAX) {
        switch_adopt(sw, now, rest.emit);
        switch_send(sw, now, rest.emit, rest.emit_port, out);
    }
    if (packet_frame_bytes(p) != bytes || ingress_class(sw, in, p) != class) { /* a tag was added or stripped */
        input_add(sw, now, in, ingress_class(sw, in, p), packet_frame_bytes(p), out);
        input_remove(sw, now, in, class, bytes, out);
    }
    if (goes || (!rest.drop && rest.port != BALANCE_CONSUME)) {
        voq_append(sw, in, rest.port, index);
        cioq_match(sw, now);
        return;
    }
    input_remove(sw, now, in, ingress_class(sw, in, p), packet_frame_bytes(p), out);
    if (rest.drop)
        switch_refuse(sw, now, in, index, (enum drop_cause)rest.drop, out);
    else
        out_consume(out, index, in, now);
}

/* ---- events ---- */

static void cioq_obey(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct packet *p = packet_at(sw->pool, index);
    struct pause_state *pause = sw->extra[in].classes->pause;
    if (pause) {
        int64_t rate = sw->view[in].rate_bps;
        pause_obey(pause, &packet_ext_at(sw->pool, p->ext)->pause, now,
                   flowctl_reaction_at(&sw->cioq->settings.flow, rate), flowctl_quantum(rate));
        switch_note_service(sw, in, now);
    }
    out_consume(out, index, in, now);
}

void cioq_receive(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    struct packet *p = packet_at(sw->pool, index);
    out->n = 0;
    if (p->shape & SHAPE_PAUSE) {
        cioq_obey(sw, now, in, index, out);
        return;
    }
    if (c->input[in].meter.bytes + packet_frame_bytes(p) > c->settings.ingress_bytes) {
        switch_refuse(sw, now, in, index, DROP_BUFFER, out);
        return;
    }
    input_add(sw, now, in, ingress_class(sw, in, p), packet_frame_bytes(p), out);
    if (!c->settings.forward_delay) {
        cioq_route(sw, now, in, index, out);
    } else {
        lookup_push(c, &(struct cioq_lookup){now + c->settings.forward_delay, index, in});
    }
    cioq_find_next(sw);
}

/* Order at one instant: the ends of crossings by input, the engine, pauses to be renewed. */
void cioq_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    for (uint16_t in = 0; in < c->n; in++) {
        if (c->input[in].done_at > now) continue;
        cioq_finish(sw, now, in, out);
        return;
    }
    if (c->lookup_n && c->lookup[c->lookup_head].at <= now) {
        struct cioq_lookup l = c->lookup[c->lookup_head];
        c->lookup_head = (c->lookup_head + 1) % c->lookup_size;
        c->lookup_n--;
        cioq_route(sw, now, l.in, l.packet, out);
    } else {
        for (uint16_t in = 0; in < c->n; in++) {
            if (c->input[in].meter.renew_at > now) continue;
            input_say(sw, now, in, 0, out); /* a pause ends by itself in the end */
            break;
        }
    }
    cioq_find_next(sw);
}

/* ---- for those who count ---- */

#define ANY_FLOW UINT32_MAX

/* Which frames are meant: those with a bit of `shape` (0: all), of that flow. */
struct frame_kind {
    uint32_t flow;
    uint8_t shape;
};

static bool frame_is(const struct packet_pool *pool, uint32_t index, struct frame_kind kind) {
    const struct packet *p = packet_at(pool, index);
    if (kind.shape && !(p->shape & kind.shape)) return false;
    return kind.flow == ANY_FLOW || (p->flow & FLOW_MASK) == kind.flow;
}

static uint64_t cioq_count(const struct cioq *c, const struct packet_pool *pool, struct frame_kind kind) {
    uint64_t n = 0;
    for (size_t q = 0; q < (size_t)c->n * c->n * CROSSBAR_CLASSES; q++)
        for (uint32_t i = c->voq[q].head; i != UINT32_MAX; i = packet_at(pool, i)->next) n += frame_is(pool, i, kind);
    for (uint32_t p = 0; p < c->n; p++)
        if (c->input[p].moving != UINT32_MAX) n += frame_is(pool, c->input[p].moving, kind);
    for (uint32_t k = 0; k < c->lookup_n; k++)
        n += frame_is(pool, c->lookup[(c->lookup_head + k) % c->lookup_size].packet, kind);
    return n;
}

uint64_t cioq_length(const struct cioq *c, const struct packet_pool *pool) {
    return cioq_count(c, pool, (struct frame_kind){ANY_FLOW, 0});
}
uint64_t cioq_length_of(const struct cioq *c, const struct packet_pool *pool, uint32_t flow) {
    return cioq_count(c, pool, (struct frame_kind){flow, 0});
}
uint64_t cioq_credits(const struct cioq *c, const struct packet_pool *pool) {
    return cioq_count(c, pool, (struct frame_kind){ANY_FLOW, SHAPE_CREDIT});
}

int64_t cioq_mean_ingress_bytes(const struct cioq *c, uint16_t port, time_ps now) {
    const struct cioq_input *i = &c->input[port];
    uint64_t rest_ns = (uint64_t)((now - i->area_to) / PS_PER_NS);
    return (int64_t)((i->area + (uint64_t)i->meter.bytes * rest_ns) / (uint64_t)max_i64(1, now / PS_PER_NS));
}
