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
    i->moving = UINT32_MAX;
}

struct cioq *cioq_create(struct fabric_switch *sw, const struct cioq_settings *settings) {
    struct cioq *c = memory_get(1, sizeof *c);
    size_t n = sw->n_ports, queues = n * n * CROSSBAR_CLASSES;
    c->settings = *settings;
    c->n = sw->n_ports;
    c->classes = (uint8_t)sw->extra[0].classes->n;
    c->one_queue = sw->extra[0].classes->schedule->one_queue;
    c->largest_bytes = FULL_FRAME + (sw->balance->sees_northbound ? expeditus_tag_bytes(TAG_MAX_ENTRIES) : 0);
    islip_init(&c->islip, c->n, settings->iterations);
    c->all = c->idle_in = c->idle_out = n == CROSSBAR_PORTS ? UINT64_MAX : (1ull << n) - 1;
    c->input = memory_get(n, sizeof *c->input);
    c->voq = memory_get(queues, sizeof *c->voq);
    c->output = memory_get(n, sizeof *c->output);
    c->done_at = memory_get(n, sizeof *c->done_at);
    for (size_t q = 0; q < queues; q++) c->voq[q] = (struct voq){UINT32_MAX, UINT32_MAX};
    for (uint32_t k = 0; k < CROSSBAR_CLASSES; k++) c->open[k] = c->idle_out;
    c->next = c->next_done = c->next_renewal = TIME_NONE;
    for (uint16_t p = 0; p < c->n; p++) input_init(&c->input[p], sw, settings, p);
    return c;
}

void cioq_destroy(struct cioq *c) {
    if (!c) return;
    islip_fini(&c->islip);
    free(c->input);
    free(c->voq);
    free(c->output);
    free(c->done_at);
    free(c->lookup);
    free(c);
}

uint64_t cioq_bytes(const struct cioq *c) {
    size_t per_port = sizeof *c->input + sizeof *c->output + sizeof *c->done_at + CROSSBAR_CLASSES * 18;
    return sizeof *c + c->n * per_port + (size_t)c->n * c->n * CROSSBAR_CLASSES * sizeof *c->voq +
           c->lookup_size * sizeof *c->lookup;
}

/* ---- what is next ---- */

/* At the end of whatever has happened. */
static void cioq_find_next(struct fabric_switch *sw) {
    struct cioq *c = sw->cioq;
    time_ps looked_up = c->lookup_n ? c->lookup[c->lookup_head].at : TIME_NONE;
    c->next = min_i64(looked_up, min_i64(c->next_done, c->next_renewal));
    switch_find_timer(sw);
}

/* The crossing that ends first, of those at the same instant that of the lowest input. */
static void cioq_find_done(struct cioq *c) {
    c->next_done = TIME_NONE;
    for (uint64_t busy = c->all & ~c->idle_in; busy; busy &= busy - 1) {
        uint32_t in = (uint32_t)__builtin_ctzll(busy);
        if (c->done_at[in] < c->next_done) c->next_done = c->done_at[in], c->done_in = (uint8_t)in;
    }
}

static void cioq_find_renewal(struct cioq *c, uint16_t changed) {
    uint64_t bit = 1ull << changed;
    c->renewing = c->input[changed].meter.renew_at == TIME_NONE ? c->renewing & ~bit : c->renewing | bit;
    c->next_renewal = TIME_NONE;
    for (uint64_t bits = c->renewing; bits; bits &= bits - 1)
        c->next_renewal = min_i64(c->next_renewal, c->input[__builtin_ctzll(bits)].meter.renew_at);
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
    cioq_find_renewal(sw->cioq, in);
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

/* A frame's class: that of its queue, which is the same at all ports (port_class_of). */
static uint32_t cioq_class(const struct cioq *c, const struct packet *p) {
    uint32_t class = p->tos >> 5;
    if (p->shape & SHAPE_CREDIT) return CROSSBAR_CREDIT_CLASS;
    if (c->one_queue) return 0;
    return class < c->classes ? class : c->classes - 1u;
}

/* In ingress: credits hold so little that they count with the highest class. */
static uint32_t ingress_class(const struct cioq *c, const struct packet *p) {
    uint32_t class = cioq_class(c, p);
    return class < MAX_CLASSES ? class : c->classes - 1u;
}

/* ---- room in the egress queue (AM-3) ---- */

static void cioq_open_to(struct cioq *c, uint32_t class, uint64_t bit, bool open) {
    c->open[class] = open ? c->open[class] | bit : c->open[class] & ~bit;
}

/* Bytes of egress that a class finds free: all that is not taken, nor kept for the classes above it. So the room of the
 * highest class, in `room`, is the most of all. */
static void cioq_open_by_class(struct cioq *c, const struct port_classes *q, uint16_t port, int64_t room) {
    const struct cioq_output *o = &c->output[port];
    uint64_t bit = 1ull << port;
    c->narrow &= ~bit;
    for (uint32_t k = q->n; k-- > 0;) {
        bool open = room >= c->largest_bytes;
        cioq_open_to(c, k, bit, open);
        if (!open) c->narrow |= bit;
        int64_t taken = q->queue[k].bytes + (o->class == k ? o->crossing_bytes : 0);
        if (taken < c->settings.reserve_bytes) room -= c->settings.reserve_bytes - taken;
    }
}

/* With room for the reserves of all classes there is nothing to be told apart, which is the common case. True: the port
 * may be open to a class that it was closed to. */
static bool cioq_open(struct fabric_switch *sw, uint16_t port, time_ps now) {
    struct cioq *c = sw->cioq;
    const struct port_classes *q = sw->extra[port].classes;
    bool was_narrow = c->narrow >> port & 1;
    int64_t on_wire = sw->port[port].busy_until > now ? c->largest_bytes : 0;
    int64_t room = q->limit_bytes - sw->view[port].queued_bytes - on_wire - c->output[port].crossing_bytes;
    if (was_narrow || room < c->largest_bytes + (q->n - 1) * c->settings.reserve_bytes)
        cioq_open_by_class(c, q, port, room);
    return was_narrow;
}

/* ---- the crossbar ---- */

/* How long a frame holds its input and its output. */
static span_ps cioq_crossing(struct cioq *c, struct cioq_input *i, int64_t rate_bps, int64_t bytes) {
    int64_t rate = rate_bps * c->settings.speedup;
    if (i->rate_bps != rate_bps) {
        i->rate_bps = rate_bps;
        i->ps_per_byte = BITS_PS % rate ? 0 : BITS_PS / rate;
    }
    return i->ps_per_byte ? bytes * i->ps_per_byte : (bytes * BITS_PS + rate - 1) / rate;
}

static void cioq_start(struct fabric_switch *sw, time_ps now, uint32_t index, const struct crossbar_match *m) {
    struct cioq *c = sw->cioq;
    struct cioq_input *i = &c->input[m->in];
    uint16_t bytes = packet_frame_bytes(packet_at(sw->pool, index));
    time_ps done_at = now + cioq_crossing(c, i, sw->view[m->in].rate_bps, bytes);
    i->moving = index;
    i->out = m->out;
    i->class = m->class;
    c->idle_in &= ~(1ull << m->in);
    c->idle_out &= ~(1ull << m->out);
    if (m->class != CROSSBAR_CREDIT_CLASS) c->output[m->out] = (struct cioq_output){bytes, m->class};
    c->done_at[m->in] = done_at;
    if (done_at < c->next_done || (done_at == c->next_done && m->in < c->done_in))
        c->next_done = done_at, c->done_in = m->in;
    if (c->settings.hold) cioq_open(sw, m->out, now);
}

static uint32_t voq_take(struct cioq *c, const struct packet_pool *pool, const struct crossbar_match *m) {
    struct voq *q = cioq_voq(c, m->in, m->out, m->class);
    uint32_t index = q->head;
    q->head = packet_at(pool, index)->next;
    if (q->head == UINT32_MAX) islip_withdraw(&c->islip, m->in, m->out, m->class);
    return index;
}

/* Pairs what is idle and may cross. */
static void cioq_match(struct fabric_switch *sw, time_ps now) {
    struct cioq *c = sw->cioq;
    struct crossbar_match match[CROSSBAR_PORTS];
    uint32_t n = islip_match(&c->islip, c->idle_in, c->idle_out, c->open, match);
    for (uint32_t k = 0; k < n; k++) cioq_start(sw, now, voq_take(c, sw->pool, &match[k]), &match[k]);
}

/* The same after an output, and perhaps an input, may have come to be idle or open. After a maximal match all others
 * have nobody they could be paired with. */
static void cioq_match_output(struct fabric_switch *sw, time_ps now, uint16_t out) {
    struct cioq *c = sw->cioq;
    bool could =
        !c->islip.maximal || (c->idle_out >> out & 1 && islip_could_pair_output(&c->islip, out, c->idle_in, c->open));
    if (could) cioq_match(sw, now);
}

static void cioq_match_freed(struct fabric_switch *sw, time_ps now, uint16_t in, uint16_t out) {
    struct cioq *c = sw->cioq;
    if (!c->islip.classes) return;
    if (islip_could_pair_input(&c->islip, in, c->idle_out, c->open))
        cioq_match(sw, now);
    else
        cioq_match_output(sw, now, out);
}

void cioq_egress_changed(struct fabric_switch *sw, uint16_t port, time_ps now) {
    if (!sw->cioq->settings.hold) return;
    bool opened = cioq_open(sw, port, now);
    if (!opened && sw->cioq->islip.maximal) return;
    cioq_match_output(sw, now, port);
    cioq_find_next(sw);
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
    c->idle_in |= 1ull << in;
    c->idle_out |= 1ull << port;
    c->output[port].crossing_bytes = 0;
    cioq_find_done(c);
    input_remove(sw, now, in, ingress_class(c, p), packet_frame_bytes(p), out);
    cioq_make_room(sw, now, port, p, out);
    switch_send(sw, now, index, port, out);
    if (c->settings.hold) cioq_open(sw, port, now);
    cioq_match_freed(sw, now, in, port);
}

/* ---- the forwarding engine ---- */

static void lookup_push(struct cioq *c, const struct cioq_lookup *l) {
    if (c->lookup_n == c->lookup_size) {
        uint32_t size = c->lookup_size ? 2 * c->lookup_size : 16;
        struct cioq_lookup *ring = memory_get(size, sizeof *ring);
        for (uint32_t k = 0; k < c->lookup_n; k++) ring[k] = c->lookup[(c->lookup_head + k) & (c->lookup_size - 1)];
        free(c->lookup);
        c->lookup = ring;
        c->lookup_head = 0;
        c->lookup_size = size;
    }
    c->lookup[(c->lookup_head + c->lookup_n++) & (c->lookup_size - 1)] = *l;
}

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

/* A frame whose output is known. While nobody else could be paired it crosses at once if its ways are free: no other
 * frame can be in its virtual output queue then. */
static void cioq_enqueue(struct fabric_switch *sw, time_ps now, uint16_t in, uint16_t port, uint32_t index) {
    struct cioq *c = sw->cioq;
    uint32_t class = cioq_class(c, packet_at(sw->pool, index));
    struct crossbar_match m = {.in = (uint8_t)in, .out = (uint8_t)port, .class = (uint8_t) class};
    bool clear = c->idle_in >> in & c->idle_out >> port & c->open[class] >> port & 1;
    if (c->islip.maximal && clear) {
        islip_pair(&c->islip, in, port, class);
        cioq_start(sw, now, index, &m);
        return;
    }
    voq_append(sw, &m, index);
    if (!c->islip.maximal) cioq_match(sw, now);
}

/* The engine knows where the frame goes. */
static void cioq_route(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out) {
    struct packet *p = packet_at(sw->pool, index);
    struct forward_rest rest;
    uint16_t port = 0, bytes = packet_frame_bytes(p);
    uint32_t class = ingress_class(sw->cioq, p);
    bool goes = switch_route(sw, now, in, p, &port, &rest);
    if (rest.emit != UINT32_MAX) {
        switch_adopt(sw, now, rest.emit);
        switch_send(sw, now, rest.emit, rest.emit_port, out);
    }
    if (packet_frame_bytes(p) != bytes || ingress_class(sw->cioq, p) != class) { /* a tag was added or stripped */
        input_add(sw, now, in, ingress_class(sw->cioq, p), packet_frame_bytes(p), out);
        input_remove(sw, now, in, class, bytes, out);
    }
    if (goes || (!rest.drop && rest.port != BALANCE_CONSUME)) {
        cioq_enqueue(sw, now, in, rest.port, index);
        return;
    }
    input_remove(sw, now, in, ingress_class(sw->cioq, p), packet_frame_bytes(p), out);
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
    input_add(sw, now, in, ingress_class(c, p), packet_frame_bytes(p), out);
    if (!c->settings.forward_delay) {
        cioq_route(sw, now, in, index, out);
    } else {
        lookup_push(c, &(struct cioq_lookup){now + c->settings.forward_delay, index, in});
    }
    cioq_find_next(sw);
}

/* A pause ends by itself in the end, if it is not said again. */
static void cioq_renew(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    for (uint64_t bits = c->renewing; bits; bits &= bits - 1) {
        uint16_t in = (uint16_t)__builtin_ctzll(bits);
        if (c->input[in].meter.renew_at > now) continue;
        input_say(sw, now, in, 0, out);
        return;
    }
}

/* Order at one instant: the ends of crossings by input, the engine, pauses to be renewed. */
void cioq_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    struct cioq *c = sw->cioq;
    if (c->next_done <= now) {
        cioq_finish(sw, now, c->done_in, out);
    } else if (c->lookup_n && c->lookup[c->lookup_head].at <= now) {
        struct cioq_lookup l = c->lookup[c->lookup_head];
        c->lookup_head = (c->lookup_head + 1) & (c->lookup_size - 1);
        c->lookup_n--;
        cioq_route(sw, now, l.in, l.packet, out);
    } else {
        cioq_renew(sw, now, out);
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
