/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of settings that are too small for the base round trip of the farthest hosts that have flows: first timeouts,
 * which then repeat what has arrived; windows, which then leave links idle; and buffers, which then run empty after a
 * loss. A pair is looked at only if the longest conceivable round trip is too long for some setting, and at most
 * PAIRS_MOST pairs are, spread evenly over the list of flows: a walk may cost as much as a fabric has switches. */
#include "study/assemble/warner.h"

#include "base/time_text.h"
#include "base/units.h"
#include <stdio.h>

#define PAIRS_MOST 2000

/* The largest need of any pair, and the pair's figures. */
struct need_of_pair {
    int64_t bytes; /* 0: no pair needs more than it has */
    span_ps trip;
    int64_t bps;
};

/* What flows of one transport meet. */
struct reach {
    const struct transport_ops *t;
    const int64_t *params;
    span_ps least, full; /* longest base round trip: minimum frames, and a full frame of data out */
    struct need_of_pair window, buffer;
    bool unsampled; /* data of some flow has no sample from a handshake */
};

static uint32_t full_wire(const struct assembly *a) {
    return (uint32_t)config_frame(a->world.hosts.frame_bytes) + WIRE_OVERHEAD_BYTES;
}

static int64_t bytes_in(span_ps span, int64_t bps) { return (int64_t)((int128)span * bps / (8 * (int128)PS_PER_S)); }

static const char *text_of(enum param_type type, int64_t value, char buf[UNITS_TEXT_MAX]) {
    return units_print(type, value, buf, UNITS_TEXT_MAX);
}

static const char *about(enum param_type type, int64_t value, char buf[UNITS_TEXT_MAX]) {
    return text_of(type, units_rounded(value), buf);
}

/* ---- what each setting allows ---- */

/* Returns the payload that must be in flight to fill the pair's path, and one segment. */
static int64_t window_needed(const struct assembly *a, const struct reach *r, span_ps trip, int64_t bps) {
    int64_t payload = r->params[r->t->base->max_payload_param];
    return (int64_t)((int128)bytes_in(trip, bps) * payload / full_wire(a)) + payload;
}

static int64_t window_of(const struct reach *r) {
    return r->t->base->window_bytes ? r->t->base->window_bytes(r->params) : INT64_MAX;
}

static int64_t buffer_needed(const struct reach *r, span_ps trip, int64_t bps) {
    return (int64_t)((int128)bytes_in(trip, bps) * r->t->buffer_permille / 1000);
}

/* Returns the timeout of first data that the experiment sets; TIME_NONE if it leaves it to the pair, or there is none. */
static span_ps first_timeout(const struct reach *r) {
    const struct transport_base *b = r->t->base;
    if (!b->initial_rto_param || r->params[b->initial_rto_param] == TRANSPORT_RTO_AUTO) return TIME_NONE;
    return r->params[b->initial_rto_param] ? r->params[b->initial_rto_param] : r->params[b->min_rto_param];
}

/* Returns the timeout of the handshake that the experiment sets apart from that of first data; TIME_NONE if none. */
static span_ps syn_timeout(const struct reach *r) {
    uint16_t param = r->t->base->syn_rto_param;
    return param && r->params[param] >= 0 ? r->params[param] : TIME_NONE;
}

static bool handshake_samples(const struct reach *r) {
    uint16_t param = r->t->base->handshake_sample_param;
    return !param || r->params[param];
}

/* Returns the timeout of first data after a handshake, whose sample is the round trip of minimum frames (RFC 6298);
 * TIME_NONE if the handshake gives no sample. */
static span_ps timeout_after_handshake(const struct reach *r) {
    if (!handshake_samples(r)) return TIME_NONE;
    return max_i64(r->params[r->t->base->min_rto_param], 3 * r->least);
}

/* ---- pairs ---- */

static void need_add(struct need_of_pair *most, int64_t bytes, span_ps trip, int64_t bps) {
    if (bytes > most->bytes) *most = (struct need_of_pair){bytes, trip, bps};
}

/* Adds the pair of a flow. A flow that fits into its window, or into path and buffer, is not limited by them. */
static void pair_add(const struct assembly *a, struct reach *r, const struct flow *f) {
    span_ps stacks = 4 * a->world.hosts.processing_delay;
    span_ps least = fabric_round_trip(a->fabric, f->src, f->dst, WIRE_MIN_BYTES, WIRE_MIN_BYTES) + stacks;
    span_ps full = fabric_round_trip(a->fabric, f->src, f->dst, full_wire(a), WIRE_MIN_BYTES) + stacks;
    if (full > r->full) r->full = full, r->least = least;
    r->unsampled |= !handshake_samples(r) || (f->flags & FLOW_ESTABLISHED);
    struct fabric_bound b;
    fabric_bound(a->fabric, f->src, f->dst, full_wire(a), &b);
    int64_t bps = a->world.switches.balance->reorders ? b.spray_bps : b.bottleneck_bps;
    int64_t window = window_of(r), needed = window_needed(a, r, full, bps);
    if (f->bytes > (uint64_t)window && needed > window) need_add(&r->window, needed, full, bps);
    int64_t depth = switch_buffer_at(&a->world.switches, b.bottleneck_bps);
    int64_t room = buffer_needed(r, full, b.bottleneck_bps);
    bool fills = f->bytes > (uint64_t)(depth + bytes_in(full, b.bottleneck_bps));
    if (fills && room > depth) need_add(&r->buffer, room, full, b.bottleneck_bps);
}

/* Returns whether some setting of the transport may be too small for a round trip of `most`, at any rate up to `bps`. */
static bool may_matter(const struct assembly *a, const struct reach *r, span_ps most, int64_t bps) {
    const struct transport_base *b = r->t->base;
    if (first_timeout(r) < most || syn_timeout(r) < most || window_of(r) < window_needed(a, r, most, bps)) return true;
    if (b->min_rto_param && b->initial_rto_param && r->params[b->min_rto_param] < most) return true;
    if (b->max_rto_param && r->params[b->max_rto_param] < most) return true;
    return a->world.switches.buffer_bytes < buffer_needed(r, most, bps);
}

static bool reaches_fill(const struct assembly *a, struct reach *reach) {
    const struct host_config *h = &a->world.hosts;
    const struct path_view *paths = &a->fabric->paths;
    span_ps most = fabric_round_trip_most(a->fabric, full_wire(a), WIRE_MIN_BYTES) + 4 * h->processing_delay;
    int64_t bps = 0;
    bool wanted[8] = {false}, any = false;
    for (uint32_t g = 0; g < paths->first_port[a->fabric->n_nodes]; g++) bps = max_i64(bps, paths->port[g].rate_bps);
    for (uint32_t i = 0; i < h->n_transports; i++) {
        reach[i] = (struct reach){.t = h->transport[i], .params = h->transport_params[i]};
        any |= wanted[i] = may_matter(a, &reach[i], most, bps);
    }
    for (uint32_t i = 0; any && i < a->flows.n; i += a->flows.n / PAIRS_MOST + 1) {
        const struct flow *f = &a->flows.flow[i];
        if (wanted[f->transport]) pair_add(a, &reach[f->transport], f);
    }
    return any;
}

/* ---- warnings ---- */

static const char *key_of(const struct reach *r, uint16_t param, char key[KEY_PATH_MAX]) {
    snprintf(key, KEY_PATH_MAX, "host.%s.%s", r->t->name, transport_param(r->t, param).name);
    return key;
}

static void warn_of_first_timeout(struct warner *v, const struct reach *r) {
    char key[KEY_PATH_MAX], is[UNITS_TEXT_MAX], trip[UNITS_TEXT_MAX];
    bool matters = r->unsampled || syn_timeout(r) == TIME_NONE;
    if (!matters || first_timeout(r) >= r->full) return;
    key_of(r, r->t->base->initial_rto_param, key);
    config_fail(v->c, next_warning(v), key,
                "%s: %s, but the base round trip of the farthest hosts is %s: first %s sent again without need; write "
                "auto",
                key, text_of(PARAM_TIME, first_timeout(r), is), time_text(r->full, trip),
                syn_timeout(r) == TIME_NONE ? "frames are" : "data is");
}

static void warn_of_syn_timeout(struct warner *v, const struct reach *r) {
    char key[KEY_PATH_MAX], is[UNITS_TEXT_MAX], trip[UNITS_TEXT_MAX], enough[UNITS_TEXT_MAX];
    if (syn_timeout(r) >= r->full) return;
    key_of(r, r->t->base->syn_rto_param, key);
    config_fail(v->c, next_warning(v), key,
                "%s: %s, but the base round trip of the farthest hosts is %s: handshakes are sent again without need; "
                "write at least %s",
                key, text_of(PARAM_TIME, syn_timeout(r), is), time_text(r->full, trip),
                text_of(PARAM_TIME, units_rounded_up(r->full), enough));
}

/* Slow links: a full frame takes so much longer than the handshake that its ACK comes after the timeout. */
static void warn_of_min_rto(struct warner *v, const struct reach *r) {
    const struct transport_base *b = r->t->base;
    char key[KEY_PATH_MAX], is[UNITS_TEXT_MAX], trip[UNITS_TEXT_MAX], enough[UNITS_TEXT_MAX];
    if (!b->initial_rto_param || timeout_after_handshake(r) >= r->full) return;
    key_of(r, b->min_rto_param, key);
    config_fail(v->c, next_warning(v), key,
                "%s: %s, but a full frame and its ACK take %s between the farthest hosts: first data is sent again "
                "without need; write at least %s",
                key, text_of(PARAM_TIME, r->params[b->min_rto_param], is), time_text(r->full, trip),
                text_of(PARAM_TIME, units_rounded_up(r->full), enough));
}

static void warn_of_max_rto(struct warner *v, const struct reach *r) {
    const struct transport_base *b = r->t->base;
    char key[KEY_PATH_MAX], is[UNITS_TEXT_MAX], trip[UNITS_TEXT_MAX], enough[UNITS_TEXT_MAX];
    if (!b->max_rto_param || r->params[b->max_rto_param] >= r->full) return;
    key_of(r, b->max_rto_param, key);
    config_fail(v->c, next_warning(v), key,
                "%s: %s, but the base round trip of the farthest hosts is %s: every frame is sent again without "
                "need; write at least %s",
                key, text_of(PARAM_TIME, r->params[b->max_rto_param], is), time_text(r->full, trip),
                text_of(PARAM_TIME, units_rounded_up(2 * r->full), enough));
}

/* Writes the remedy for a window: a value, or what to do if none is large enough. */
static void window_remedy(const struct reach *r, char *buf, size_t size) {
    const struct param p = transport_param(r->t, r->t->base->window_param);
    int64_t payload = r->params[r->t->base->max_payload_param];
    bool counts = p.type == PARAM_COUNT; /* segments, else bytes, which TCP rounds down to 256 B */
    int64_t value = units_rounded_up(counts ? (r->window.bytes + payload - 1) / payload : r->window.bytes + 255);
    char text[UNITS_TEXT_MAX];
    if (value <= p.max)
        snprintf(buf, size, "write at least %s", units_print(p.type, value, text, sizeof text));
    else
        snprintf(buf, size, "%s, the most, is not enough: divide the data among several flows",
                 units_print(p.type, p.max, text, sizeof text));
}

static void warn_of_window(struct warner *v, const struct reach *r) {
    char key[KEY_PATH_MAX], is[UNITS_TEXT_MAX], trip[UNITS_TEXT_MAX], needed[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX],
        gets[UNITS_TEXT_MAX], remedy[128];
    if (r->window.bytes == 0) return;
    uint16_t param = r->t->base->window_param;
    int64_t rate = (int64_t)((int128)window_of(r) * 8 * PS_PER_S / r->window.trip);
    const struct param p = transport_param(r->t, param);
    key_of(r, param, key);
    window_remedy(r, remedy, sizeof remedy);
    config_fail(v->c, next_warning(v), key,
                "%s: %s, but %s fill the base round trip of the farthest hosts, %s at %s: a flow carries %s of "
                "payload at most; %s",
                key, param_print(&p, r->params[param], is, sizeof is), about(PARAM_BYTES, r->window.bytes, needed),
                time_text(r->window.trip, trip), text_of(PARAM_RATE, r->window.bps, at), about(PARAM_RATE, rate, gets),
                remedy);
}

/* Returns the most that any switch port marks at: a buffer must have room above it (marking.c). */
static int64_t marks_at(const struct assembly *a) {
    const struct switch_config *s = &a->world.switches;
    const struct path_view *paths = &a->fabric->paths;
    int64_t most = 0;
    for (uint32_t g = paths->first_port[a->fabric->n_hosts]; g < paths->first_port[a->fabric->n_nodes]; g++)
        most = max_i64(most, admit_limits_of(&s->admit, s->buffer_bytes, paths->port[g].rate_bps).mark_bytes);
    return most;
}

static void warn_of_buffer(struct warner *v, const struct reach *r) {
    char is[UNITS_TEXT_MAX], trip[UNITS_TEXT_MAX], needed[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX], enough[UNITS_TEXT_MAX];
    if (r->buffer.bytes == 0) return;
    int64_t depth = switch_buffer_at(&v->a->world.switches, r->buffer.bps);
    int64_t value = units_rounded_up(max_i64(r->buffer.bytes, marks_at(v->a) + marking_room(v->a) + 1));
    config_fail(v->c, next_warning(v), "switch.buffer",
                "switch.buffer: %s at %s, but %s needs %s to keep a link busy after a loss, with the base round trip "
                "of the farthest hosts, %s; write at least %s",
                about(PARAM_BYTES, depth, is), text_of(PARAM_RATE, r->buffer.bps, at), r->t->name,
                about(PARAM_BYTES, r->buffer.bytes, needed), time_text(r->buffer.trip, trip),
                text_of(PARAM_BYTES, value, enough));
}

void warn_of_far_pairs(struct warner *v) {
    struct reach reach[8];
    if (v->a->is_live || !reaches_fill(v->a, reach)) return;
    for (uint32_t i = 0; i < v->a->world.hosts.n_transports; i++) {
        warn_of_first_timeout(v, &reach[i]);
        warn_of_syn_timeout(v, &reach[i]);
        warn_of_min_rto(v, &reach[i]);
        warn_of_max_rto(v, &reach[i]);
        warn_of_window(v, &reach[i]);
        warn_of_buffer(v, &reach[i]);
    }
}
