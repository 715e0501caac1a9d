/* SPDX-License-Identifier: Apache-2.0 */
#include "node/cioq.h"

#include "base/memory.h"
#include "node/cioq_inside.h"
#include "node/host.h"

#include <stdlib.h>

#define BITS_PS (8 * PS_PER_S)

/* ---- building ---- */

static void input_init(struct cioq_input *i, const struct fabric_switch *sw, const struct flowctl_config *flow,
                       uint16_t port) {
    static const struct flowctl_ops never = {0};
    static const struct flowctl_thresholds out_of_reach = {.high_bytes = INT64_MAX};
    const struct place_port *link = &sw->place.port[port];
    struct flowctl_params p = flowctl_params_at(flow, link->rate_bps, link->delay);
    bool on = flowctl_is_on(flow);
    struct flowctl_thresholds t = on ? flowctl_thresholds_at(flow, &p) : out_of_reach;
    ingress_init(&i->meter, &p, &t, on ? flow->ops : &never, sw->extra[port].classes->n);
    i->moving = UINT32_MAX;
}

/* At open_below_bytes, with a frame on the wire and one that crosses, the queue has room for a frame and all reserves. */
static void output_init(struct cioq_output *o, const struct cioq *c, const struct fabric_switch *sw, uint16_t port) {
    struct port_classes *q = sw->extra[port].classes;
    int64_t reserves = c->config.drops ? 0 : (q->n - 1) * c->config.reserve_bytes;
    *o = (struct cioq_output){.port = &sw->port[port],
                              .classes = q,
                              .view = &sw->view[port],
                              .extra = &sw->extra[port],
                              .open_below_bytes = q->limit_bytes - reserves - 3 * c->largest_bytes};
}

/* Returns the watchdogs of all ports; NULL without a watchdog. A port has a lane for each of its classes, and one for
 * credits. */
static struct pause_watchdog *watchdogs_create(const struct fabric_switch *sw, const struct flowctl_config *flow,
                                               uint8_t top_class) {
    if (!flowctl_is_on(flow) || !watchdog_is_on(&flow->watchdog)) return NULL;
    struct pause_watchdog *w = memory_get(sw->n_ports, sizeof *w);
    uint32_t credits = sw->extra[0].classes->has_credits ? 1u << PAUSE_CREDIT_LANE : 0;
    for (uint16_t p = 0; p < sw->n_ports; p++) w[p].watched = ((1u << (top_class + 1)) - 1) | credits;
    return w;
}

static int64_t crossing_ps_per_byte(const struct cioq *c, int64_t rate_bps) {
    int64_t rate = rate_bps * c->config.speedup;
    return BITS_PS % rate ? 0 : BITS_PS / rate;
}

void cioq_rate_changed(struct fabric_switch *sw, uint16_t port) {
    sw->cioq->input[port].ps_per_byte = crossing_ps_per_byte(sw->cioq, sw->view[port].rate_bps);
}

void lookup_grow(struct cioq *c) {
    uint32_t size = c->lookup_size ? 2 * c->lookup_size : 16;
    struct cioq_lookup *ring = memory_get(size, sizeof *ring);
    for (uint32_t k = 0; k < c->lookup_n; k++) ring[k] = c->lookup[(c->lookup_head + k) & (c->lookup_size - 1)];
    free(c->lookup);
    c->lookup = ring;
    c->lookup_head = 0;
    c->lookup_size = size;
}

struct cioq *cioq_create(struct fabric_switch *sw, const struct switch_config *all, uint64_t seed) {
    const struct crossbar_config *config = &all->cioq;
    struct cioq *c = memory_get(1, sizeof *c);
    size_t n = sw->n_ports, queues = n * n * CROSSBAR_CLASSES;
    c->config = *config;
    c->flow = all->flow;
    c->n = sw->n_ports;
    c->tie_key = tie_key(seed);
    c->first_port = sw->fabric->paths.first_port[sw->node];
    c->one_queue = sw->extra[0].classes->schedule->one_queue;
    c->top_class = c->one_queue ? 0 : (uint8_t)(sw->extra[0].classes->n - 1);
    c->largest_bytes = switch_largest_frame(all);
    islip_init(&c->islip, c->n, config->iterations);
    c->all = c->idle_in = c->idle_out = n == CROSSBAR_PORTS ? UINT64_MAX : (1ull << n) - 1;
    c->input = memory_get_lines(n, sizeof *c->input);
    c->voq = memory_get(queues, sizeof *c->voq);
    c->output = memory_get_lines(n, sizeof *c->output);
    c->done_at = memory_get(n, sizeof *c->done_at);
    for (size_t q = 0; q < queues; q++) c->voq[q] = (struct voq){UINT32_MAX, UINT32_MAX};
    for (uint32_t k = 0; k < CROSSBAR_CLASSES; k++) c->open[k] = c->idle_out;
    c->next = c->next_done = c->next_renewal = c->next_watch = c->next_lookup = TIME_NONE;
    c->watchdog = watchdogs_create(sw, &all->flow, c->top_class);
    for (uint16_t p = 0; p < c->n; p++) {
        input_init(&c->input[p], sw, &all->flow, p);
        c->input[p].ps_per_byte = crossing_ps_per_byte(c, sw->view[p].rate_bps);
        output_init(&c->output[p], c, sw, p);
    }
    c->early = config->forward_delay && !sw->metered && !sw->sees_northbound;
    lookup_grow(c);
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
    free(c->watchdog);
    free(c->sent);
    free(c);
}

uint64_t cioq_bytes_at(uint32_t n_ports) {
    size_t per_port = sizeof(struct cioq_input) + sizeof(struct cioq_output) + sizeof(time_ps) +
                      (size_t)CROSSBAR_CLASSES * 2 * sizeof(struct islip_end);
    return sizeof(struct cioq) + n_ports * (per_port + (size_t)n_ports * CROSSBAR_CLASSES * sizeof(struct voq));
}

uint64_t cioq_bytes(const struct cioq *c) {
    size_t watched = c->watchdog ? c->n * sizeof *c->watchdog : 0;
    return cioq_bytes_at(c->n) + watched + c->lookup_size * sizeof *c->lookup + c->sent_size * sizeof *c->sent;
}

/* ---- counts ---- */

#define FRAME_EXCESS_BYTES 20 /* of the smallest frame: on the wire its time is reckoned as that of a full frame */
#define WIRE_ONLY_BYTES 84    /* of a credit or pause frame: it is not counted in its queue */

/* One frame is on a wire at a time. Easy ports have neither credits nor pause frames. */
int64_t cioq_excess_bytes(const struct cioq *c) {
    int64_t bytes = (int64_t)c->n * FRAME_EXCESS_BYTES;
    for (uint64_t left = c->all & ~c->easy; left; left &= left - 1) {
        const struct port_classes *q = c->output[__builtin_ctzll(left)].classes;
        if (q->has_credits || !class_queue_is_empty(&q->control)) bytes += WIRE_ONLY_BYTES;
    }
    return bytes;
}

/* An easy port has a backlog only if it waits. */
int64_t cioq_queues_bytes(const struct cioq *c) {
    int64_t bytes = c->ingress_bytes;
    for (uint64_t left = c->all & (c->waits | ~c->easy); left; left &= left - 1)
        bytes += port_queued_bytes(c->output[__builtin_ctzll(left)].classes);
    return bytes;
}

#define ANY_FLOW UINT32_MAX

/* Frames to count: of this flow (ANY_FLOW: of all), with a bit of `shape` (0: all). */
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

int64_t cioq_input_bytes(const struct cioq *c, const struct packet_pool *pool, uint16_t in) {
    int64_t bytes = c->input[in].moving == UINT32_MAX ? 0 : c->input[in].bytes;
    for (uint32_t class = 0; class < CROSSBAR_CLASSES; class ++)
        for (uint32_t out = 0; out < c->n; out++)
            for (uint32_t i = c->voq[(class * c->n + in) * c->n + out].head; i != UINT32_MAX;
                 i = packet_at(pool, i)->next)
                bytes += packet_frame_bytes(packet_at(pool, i));
    for (uint32_t k = 0; k < c->lookup_n; k++) {
        const struct cioq_lookup *l = &c->lookup[(c->lookup_head + k) % c->lookup_size];
        if (l->in == in) bytes += l->bytes;
    }
    return bytes;
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

uint64_t cioq_ingress_area(const struct cioq *c, uint16_t port, time_ps now) {
    const struct cioq_input *i = &c->input[port];
    return i->area + (uint64_t)i->meter.bytes * area_units(now);
}

int64_t cioq_mean_ingress_bytes(const struct cioq *c, uint16_t port, time_ps now) {
    uint64_t units = area_units(now);
    return (int64_t)(cioq_ingress_area(c, port, now) / (units ? units : 1));
}
