/* SPDX-License-Identifier: Apache-2.0 */
#include "live/nic.h"

#include "base/memory.h"
#include "node/host.h"
#include "wire/bytes.h"

#include <stdlib.h>

#define QUEUE_DEFAULT_BYTES (1000LL * FULL_FRAME_BYTES) /* if the NIC of the experiment has no queue (nic: pull) */
#define ETHER_TYPE_AT 12u
#define NOTHING UINT32_MAX

struct nic {
    struct port port;
    struct port_view view;
    struct port_extra extra;
    const struct host_config *config;
    struct frames frames;
    struct line line;
    span_ps delay, make_up;
    time_ps now;                  /* time of the last event: no frame starts before it */
    int64_t queue_bytes;          /* most bytes of a class; 0: queue_frames limits */
    uint32_t queue_frames;        /* most frames of a class */
    uint32_t queued[MAX_CLASSES]; /* frames in each queue */
    uint32_t held;                /* frame held back; NOTHING: none */
    struct nic_counts count;
};

/* ---- building ---- */

span_ps nic_make_up(const struct host_config *config, int64_t rate_bps, span_ps delay) {
    int64_t bytes = NIC_MAKE_UP_BYTES;
    if (flowctl_is_on(&config->flow)) {
        struct flowctl_params p = flowctl_params_at(&config->flow, rate_bps, delay);
        bytes = min_i64(bytes, (p.buffer_bytes - flowctl_thresholds_at(&config->flow, &p).high_bytes) / 4);
    }
    return port_serialize_slow(rate_bps, (uint32_t)max_i64(bytes, FULL_WIRE_BYTES));
}

struct nic *nic_create(const struct nic_setup *setup) {
    const struct path_view *v = &setup->fabric->paths;
    const struct place_port *link = &v->port[v->first_port[setup->host]];
    struct host_config config = *setup->config;
    struct nic *n = memory_get_lines(1, sizeof *n);
    struct port_setup port = {.rate_bps = link->rate_bps,
                              .delay = link->delay,
                              .loss_ppb = link->loss_ppb,
                              .global = v->first_port[setup->host],
                              .seed = setup->seed,
                              .storm = config.flow.storm,
                              .dead_from = TIME_NONE};
    config.nic = NIC_FIFO; /* frames of a real stack exist already: nothing to pull from */
    host_nic_setup(&config, &port);
    port.queues = true;
    port.admit.limit_bytes = INT64_MAX; /* nic_has_room limits the queues */
    port_init(&n->port, &n->view, &n->extra, &port);
    frames_init(&n->frames);
    n->config = setup->config;
    n->delay = link->delay;
    n->make_up = setup->make_up ? setup->make_up : nic_make_up(&config, link->rate_bps, link->delay);
    n->queue_frames = config.nic_queue_frames;
    n->queue_bytes = config.nic_queue_frames ? 0 : config.nic_queue_bytes;
    if (!n->queue_frames && !n->queue_bytes) n->queue_bytes = QUEUE_DEFAULT_BYTES;
    n->held = NOTHING;
    return n;
}

void nic_destroy(struct nic *n) {
    if (!n) return;
    port_fini(&n->extra);
    line_fini(&n->line);
    frames_fini(&n->frames);
    free(n);
}

struct frames *nic_frames(struct nic *n) {
    return &n->frames;
}

/* ---- frames of the stack ---- */

static uint32_t nic_class(const struct nic *n, uint32_t index) {
    return port_class_of(n->extra.classes, packet_at(&n->frames.pool, index));
}

static bool nic_has_room(const struct nic *n, uint32_t k, uint32_t frame_bytes) {
    if (n->queue_frames) return n->queued[k] < n->queue_frames;
    return n->queued[k] == 0 || n->extra.classes->queue[k].bytes + frame_bytes <= n->queue_bytes;
}

/* Makes the descriptor data of its class, whatever the frame is: a NIC does not check the frames of its stack. */
static void nic_describe(struct nic *n, uint32_t index, size_t captured, size_t length) {
    bool is_ipv4 = frames_parse(&n->frames, index, captured, length) == FRAME_OK;
    struct packet *p = packet_at(&n->frames.pool, index);
    if (!is_ipv4 || p->shape & SHAPE_PAUSE) p->tos = 0;
    p->shape = SHAPE_OPAQUE;
    p->proto = 0;
}

/* Puts the frame into the queue of its class if there is room. */
static bool nic_place(struct nic *n, time_ps now, uint32_t index) {
    uint32_t k = nic_class(n, index);
    if (!nic_has_room(n, k, packet_frame_bytes(packet_at(&n->frames.pool, index)))) return false;
    n->queued[k]++;
    port_queue_push(&n->port, &n->view, &n->extra, &n->frames.pool, index, now);
    return true;
}

bool nic_takes(const struct nic *n) { return n->held == NOTHING; }
bool nic_drops(const struct nic *n) { return n->config->nic_full == NIC_FULL_DROP; }

void nic_send(struct nic *n, time_ps now, uint32_t index, size_t captured, size_t length) {
    if (length > FRAME_MAX_BYTES) {
        n->count.unplaced++;
        n->count.unplaced_bytes += length;
        frames_release(&n->frames, index);
        return;
    }
    n->now = max_i64(n->now, now);
    n->count.taken++;
    nic_describe(n, index, captured, length);
    if (nic_place(n, n->now, index)) return;
    if (nic_drops(n)) {
        n->count.dropped++;
        frames_release(&n->frames, index);
        return;
    }
    n->held = index;
    n->count.held_back++;
}

/* ---- frames of the switch ---- */

static void nic_obey(struct nic *n, time_ps now, uint32_t index) {
    struct pause_state *pause = n->extra.classes->pause;
    const struct packet *p = packet_at(&n->frames.pool, index);
    if (!pause) {
        n->count.ignored++;
        return;
    }
    n->now = max_i64(n->now, now);
    n->count.pauses++;
    pause_obey(pause, &packet_ext_at(&n->frames.pool, p->ext)->pause, n->now,
               flowctl_reaction_at(&n->config->flow, n->view.rate_bps), flowctl_quantum(n->view.rate_bps));
}

static bool is_mac_control(const struct nic *n, uint32_t index, size_t captured) {
    const struct frame_info *info;
    const uint8_t *at = frames_bytes(&n->frames, index, &info);
    return captured >= ETHERNET_BYTES && get_be16(at + ETHER_TYPE_AT) == ETHERTYPE_MAC_CONTROL;
}

bool nic_receive(struct nic *n, time_ps now, uint32_t index, size_t captured, size_t length) {
    if (!is_mac_control(n, index, captured)) {
        n->count.passed++;
        return true;
    }
    if (frames_parse(&n->frames, index, captured, length) == FRAME_OK)
        nic_obey(n, now, index);
    else
        n->count.ignored++;
    frames_release(&n->frames, index);
    return false;
}

/* ---- the port ---- */

time_ps nic_next(const struct nic *n) {
    const struct port_classes *c = n->extra.classes;
    if (!c->waiting) return TIME_NONE;
    return c->pause ? port_paused_service_at(&n->port, c, n->now)
                    : max_i64(n->now, port_queue_service_at(&n->port, &n->extra));
}

/* Puts a frame that has started on the line, or counts it as lost on the wire. */
static void nic_leave(struct nic *n, uint32_t index, time_ps depart, enum drop_cause lost) {
    const struct frame_info *info;
    const uint8_t *bytes = frames_bytes(&n->frames, index, &info);
    if (lost) {
        n->count.lost++;
        frames_release(&n->frames, index);
        return;
    }
    n->count.left++;
    n->count.left_bytes += info->original;
    line_put(&n->line, &(struct line_frame){.at = depart + n->delay,
                                            .index = index,
                                            .captured = info->captured,
                                            .length = info->original,
                                            .bytes = bytes});
}

static void nic_release_held(struct nic *n) {
    if (n->held != NOTHING && nic_place(n, n->now, n->held)) n->held = NOTHING;
}

/* Starts the next frame at `at`, when the port is idle. The frame held back moves into the queue. */
static void nic_serve(struct nic *n, time_ps at) {
    time_ps depart = 0;
    enum drop_cause lost = DROP_NONE;
    n->now = at;
    uint32_t index = port_queue_next(&n->port, &n->view, &n->extra, NULL, &n->frames.pool, at, &depart, &lost);
    if (index == NOTHING) return;
    n->queued[nic_class(n, index)]--;
    nic_leave(n, index, depart, lost);
    nic_release_held(n);
}

void nic_until(struct nic *n, time_ps until) {
    n->now = max_i64(n->now, until - n->make_up);
    for (time_ps at; (at = nic_next(n)) <= until && at != TIME_NONE;) nic_serve(n, at);
}

/* ---- the line ---- */

uint32_t nic_departing_burst(const struct nic *n, time_ps now, struct port_bytes *out, uint32_t most) {
    const struct line *l = &n->line;
    uint32_t k = 0;
    for (; k < most && k < l->n && line_at(l, k)->at <= now; k++)
        out[k] = (struct port_bytes){line_at(l, k)->bytes, line_at(l, k)->captured};
    return k;
}

void nic_departed(struct nic *n) { frames_release(&n->frames, line_take(&n->line).index); }
time_ps nic_next_departure(const struct nic *n) { return line_next(&n->line); }

/* ---- state ---- */

uint64_t nic_held(const struct nic *n) { return n->extra.classes->waiting + n->line.n + (n->held != NOTHING); }

uint32_t nic_fill_permille(const struct nic *n, uint32_t class) {
    if (n->queue_frames) return (uint32_t)(1000ull * n->queued[class] / n->queue_frames);
    return (uint32_t)(1000 * min_i64(n->extra.classes->queue[class].bytes, n->queue_bytes) / n->queue_bytes);
}

uint32_t nic_classes(const struct nic *n) { return n->extra.classes->n; }
int64_t nic_rate_bps(const struct nic *n) { return n->view.rate_bps; }

struct nic_view nic_view(struct nic *n, time_ps now) {
    const struct port_classes *c = n->extra.classes;
    struct nic_view v = {.count = n->count, .classes = c->n, .max_queue_bytes = c->max_bytes};
    now = max_i64(now, n->now);
    for (uint32_t k = 0; k < c->n; k++) {
        v.queued_frames[k] = n->queued[k];
        v.queued_bytes[k] = (uint64_t)c->queue[k].bytes;
        if (c->pause) v.paused_time[k] = pause_total(c->pause, k, now);
        if (c->pause && pause_since(c->pause, k, now) != TIME_NONE) v.paused |= 1u << k;
    }
    return v;
}
