/* SPDX-License-Identifier: Apache-2.0 */
#include "node/port.h"

#include "base/memory.h"
#include "node/port_queue.h"

#include <stdlib.h>
#include <string.h>

#define BITS_PS (8 * PS_PER_S)

span_ps port_serialize_slow(int64_t rate_bps, uint32_t wire_bytes) {
    return ((int64_t)wire_bytes * BITS_PS + rate_bps - 1) / rate_bps;
}

int64_t port_frame_bytes(const struct port_view *v, span_ps backlog) {
    int128 wire_scaled = (int128)backlog * v->rate_bps / BITS_PS;
    return (int64_t)(wire_scaled * FULL_FRAME_BYTES / FULL_WIRE_BYTES);
}

span_ps port_limit_ps(const struct port_view *v, int64_t frame_bytes) {
    if (frame_bytes == INT64_MAX) return INT64_MAX / 4;
    return (span_ps)((int128)frame_bytes * FULL_WIRE_BYTES * BITS_PS / FULL_FRAME_BYTES / v->rate_bps);
}

/* Returns a threshold in the unit of the port's backlog: frame bytes with classes, else time of the link. 0: none. */
static int64_t port_threshold(const struct port *p, const struct port_view *v, int64_t frame_bytes) {
    if (frame_bytes == 0) return INT64_MAX;
    return p->queued ? frame_bytes : port_limit_ps(v, frame_bytes);
}

static void port_scale_limits(struct port *p, const struct port_view *v, struct port_extra *x) {
    p->limit_ps = port_limit_ps(v, x->admit.limit_bytes);
    x->marker.above = port_threshold(p, v, x->admit.mark_bytes);
    p->mark_ps = x->marker.above;
}

/* Rescales the largest backlog, a time of the link, to the same bytes at the new rate. */
static void port_scale_totals(struct port *p, int64_t from_bps, int64_t to_bps) {
    p->max_backlog = (span_ps)((int128)p->max_backlog * from_bps / to_bps);
}

static void port_scale_phantom(struct port_extra *x, time_ps now, int64_t rate_bps) {
    int64_t threshold = (int64_t)((int128)x->admit.phantom_bytes * rate_bps / x->phantom_bps);
    phantom_set(&x->phantom, now, rate_bps, x->admit.phantom_drain_ppb, threshold);
}

void port_set_rate(struct port *p, struct port_view *v, struct port_extra *x, time_ps now, int64_t rate_bps) {
    if (v->rate_bps) port_scale_totals(p, v->rate_bps, rate_bps);
    v->rate_bps = rate_bps;
    bool whole = BITS_PS % rate_bps == 0 && BITS_PS / rate_bps <= UINT32_MAX;
    p->ps_per_byte = whole ? (uint32_t)(BITS_PS / rate_bps) : 0;
    port_scale_limits(p, v, x);
    if (x->has_phantom) port_scale_phantom(x, now, rate_bps);
    if (x->classes && x->classes->has_credits)
        credit_limiter_change(&x->classes->credit.limiter, x->credit, rate_bps, now);
}

/* Sets what the frames' quick decisions need (node/port_queue.h). Reserves of classes may leave no room. */
static void classes_foresee(struct port_classes *c) {
    bool reserved = c->reserve_bytes && (!c->one_queue || c->pause);
    c->pass_bytes = c->stateless && !reserved ? c->limit_bytes : -1;
    c->near_bytes = c->limit_bytes - c->reserve_bytes * c->n;
    if (c->mark_bytes) c->near_bytes = min_i64(c->near_bytes, c->mark_bytes);
}

static struct port_classes *port_classes_create(const struct port_setup *setup) {
    struct port_classes *c = memory_get_lines(1, sizeof *c);
    const struct port_config *config = &setup->config;
    c->config = *config;
    c->schedule = schedule_of(&config->schedule);
    c->n = config->classes;
    c->one_queue = c->schedule->one_queue;
    c->stateless = c->schedule->stateless;
    c->top_class = c->one_queue ? 0 : (uint8_t)(c->n - 1);
    c->limit_bytes = setup->admit.limit_bytes;
    c->reserve_bytes = config->schedule.class_reserve_bytes;
    c->frame_bytes = max_i64(setup->frame_bytes, FULL_FRAME_BYTES);
    c->mark_bytes = setup->admit.mark_bytes;
    c->control.head = c->control.tail = UINT32_MAX;
    if (setup->pauses) {
        c->pause = memory_get(1, sizeof *c->pause);
        c->pause->storm = setup->storm;
    }
    c->has_credits = setup->credit && setup->credit->on;
    c->credit.evicted = UINT32_MAX;
    c->service_at = TIME_NONE;
    if (c->has_credits) credit_class_init(&c->credit, setup->credit, setup->rate_bps, setup->seed, setup->global);
    for (uint32_t i = 0; i < MAX_CLASSES; i++) {
        c->queue[i].head = c->queue[i].tail = UINT32_MAX;
        int64_t quantum = config->schedule.quantum_bytes[i];
        c->queue[i].quantum = quantum ? quantum : FULL_FRAME_BYTES;
    }
    classes_foresee(c);
    return c;
}

void port_init(struct port *p, struct port_view *v, struct port_extra *x, const struct port_setup *setup) {
    memset(p, 0, sizeof *p);
    memset(v, 0, sizeof *v);
    memset(x, 0, sizeof *x);
    x->admit = setup->admit;
    random_init(&x->loss, setup->seed, RANDOM_LOSS, setup->global);
    x->delay = setup->delay;
    x->credit = setup->credit;
    p->queued = setup->config.classes > 1 || setup->queues || (setup->credit && setup->credit->on);
    port_set_failure(p, x, setup->dead_from);
    x->has_phantom = setup->admit.phantom_bytes != 0;
    x->phantom_bps = setup->rate_bps;
    if (x->has_phantom)
        phantom_init(&x->phantom, setup->rate_bps, setup->admit.phantom_drain_ppb, setup->admit.phantom_bytes);
    port_set_loss(p, x, setup->loss_ppb);
    v->up = true;
    port_set_rate(p, v, x, 0, setup->rate_bps);
    if (p->queued) {
        x->classes = port_classes_create(setup);
        v->drain_bytes = x->classes->drain_bytes;
    }
}

void port_fini(struct port_extra *x) {
    if (x->classes) free(x->classes->pause);
    free(x->classes);
    x->classes = NULL;
}

static void port_find_plain(struct port *p, const struct port_extra *x) {
    p->plain = !x->has_phantom && !x->loss_ppb && x->alive_until == TIME_NONE;
}

void port_set_failure(struct port *p, struct port_extra *x, time_ps dead_from) {
    x->alive_until = dead_from == TIME_NONE ? TIME_NONE : dead_from - x->delay;
    port_find_plain(p, x);
}

void port_set_loss(struct port *p, struct port_extra *x, uint32_t loss_ppb) {
    x->loss_ppb = loss_ppb;
    port_find_plain(p, x);
}

void port_set_metered(struct port *p, struct port_view *v) { p->metered = p->shown = v->metered = true; }

/* No frame is on the wire: while the link was down, each frame that left was lost (port_fate). */
void port_link_up(struct port *p, struct port_view *v, struct port_extra *x, time_ps now, time_ps dead_from) {
    p->busy_until = v->busy_until = min_i64(p->busy_until, now);
    port_set_failure(p, x, dead_from);
}

enum drop_cause port_refuse(struct port_extra *x, const struct packet *pkt, enum drop_cause cause) {
    if (pkt->shape & SHAPE_CREDIT)
        x->credits_dropped++;
    else if (pkt->shape & SHAPE_PAUSE)
        x->pauses_dropped++;
    else
        x->dropped[cause]++;
    return cause;
}

void port_mark(struct port_extra *x, struct packet *pkt, int64_t backlog) {
    if ((pkt->tos & ECN_MASK) == ECN_NOT || !marker_marks(&x->marker, backlog)) return;
    pkt->tos |= ECN_CE;
    x->marked++;
}

enum drop_cause port_fate(struct port_extra *x, struct packet *pkt, time_ps start, time_ps depart) {
    if (x->has_phantom && phantom_pass(&x->phantom, start, pkt)) x->marked++;
    if (depart > x->alive_until) return port_refuse(x, pkt, DROP_LINK_DOWN);
    if (x->loss_ppb && random_chance_ppb(&x->loss, x->loss_ppb)) return port_refuse(x, pkt, DROP_LOSS);
    return DROP_NONE;
}

/* ---- ports with classes ---- */

/* Returns the bytes that are reserved for classes other than k and not used by them. */
static int64_t classes_promised(const struct port_classes *c, uint32_t k) {
    int64_t promised = 0;
    for (uint32_t j = 0; c->reserve_bytes && j < c->n; j++) {
        int64_t held = c->drain_bytes[j] - (j + 1 < MAX_CLASSES ? c->drain_bytes[j + 1] : 0);
        if (j != k) promised += max_i64(c->reserve_bytes - held, 0);
    }
    return promised;
}

enum drop_cause port_push_data(struct port *p, struct port_view *v, struct port_extra *x, struct packet_pool *pool,
                               uint32_t index, time_ps now) {
    struct port_classes *c = x->classes;
    struct packet *pkt = packet_at(pool, index);
    int64_t bytes = packet_frame_bytes(pkt), backlog = port_backlog_bytes(p, v, now);
    uint32_t k = port_class_of(c, pkt);
    if (backlog + bytes > c->limit_bytes - classes_promised(c, k)) return port_refuse(x, pkt, DROP_BUFFER);
    if (port_is_unscheduled(c, pkt)) return port_refuse(x, pkt, DROP_UNSCHEDULED);
    if (c->mark_bytes) port_mark(x, pkt, backlog);
    port_add(c, pool, index, k, now);
    c->max_bytes = max_i64(c->max_bytes, backlog + bytes);
    return DROP_NONE;
}

enum drop_cause port_queue_push(struct port *p, struct port_view *v, struct port_extra *x, struct packet_pool *pool,
                                uint32_t index, time_ps now) {
    return port_push(p, v, x, x->classes, pool, index, now);
}

/* Only data may pass, if neither credits nor pause frames wait and its class is not paused. */
bool port_pause_holds(const struct port_classes *c, const struct packet *pkt, time_ps now) {
    if (c->credit.waiting || pkt->shape & SHAPE_CREDIT || !class_queue_is_empty(&c->control)) return true;
    return c->pause->live && pause_over(c->pause, port_class_of(c, pkt), now) != now;
}

bool port_queue_pass(struct port *p, struct port_view *v, struct port_extra *x, const struct dre_params *dre,
                     struct packet *pkt, time_ps now, time_ps *depart, enum drop_cause *lost) {
    return port_pass(p, v, x, x->classes, dre, pkt, now, depart, lost);
}

uint32_t port_take_scheduled(struct port_classes *c, struct packet_pool *pool, uint32_t stopped, time_ps now) {
    uint32_t highest = 31 - (uint32_t)__builtin_clz(c->filled);
    if (c->stateless && !(c->filled & stopped)) return port_take(c, pool, highest, now); /* what they all would pick */
    uint32_t k = c->schedule->pick(&c->state, c->queue, c->stateless ? highest + 1 : c->n, stopped);
    if (k == SCHEDULE_NOTHING) return UINT32_MAX;
    uint32_t index = port_take(c, pool, k, now);
    c->queue[k].deficit -= packet_frame_bytes(packet_at(pool, index));
    return index;
}

/* ---- under flow control ---- */

/* Takes the frame out of its queue that leaves next; UINT32_MAX: none may. */
static uint32_t paused_take(struct port_classes *c, struct packet_pool *pool, time_ps now) {
    if (!class_queue_is_empty(&c->control)) return class_take(&c->control, pool);
    uint32_t stopped = pause_mask(c->pause, now);
    bool credit =
        c->credit.waiting && !(stopped >> PAUSE_CREDIT_LANE & 1) && credit_limiter_ready_at(&c->credit.limiter) <= now;
    if (credit) return credit_class_take(&c->credit, pool, now);
    return c->waiting ? port_take_scheduled(c, pool, stopped, now) : UINT32_MAX;
}

time_ps port_paused_service_at(const struct port *p, const struct port_classes *c, time_ps now) {
    time_ps idle = max_i64(now, p->busy_until), at = TIME_NONE;
    if (!class_queue_is_empty(&c->control) || (c->waiting && !c->pause->live)) return idle;
    for (uint32_t filled = c->filled; filled; filled &= filled - 1)
        at = min_i64(at, pause_over(c->pause, (uint32_t)__builtin_ctz(filled), idle));
    if (c->credit.waiting) {
        time_ps ready = max_i64(idle, credit_limiter_ready_at(&c->credit.limiter));
        at = min_i64(at, pause_over(c->pause, PAUSE_CREDIT_LANE, ready));
    }
    return at;
}

void port_control_push(struct port_extra *x, struct packet_pool *pool, uint32_t index) {
    class_append(&x->classes->control, pool, index);
    x->classes->pauses_sent++;
}

/* Removes and returns the newest frame of a queue. Walks the list, which is rare: only when frames are pushed out. */
static uint32_t class_take_last(struct class_queue *q, struct packet_pool *pool) {
    uint32_t last = q->tail, before = UINT32_MAX;
    for (uint32_t i = q->head; i != last; i = packet_at(pool, i)->next) before = i;
    if (before == UINT32_MAX)
        q->head = UINT32_MAX, q->first_bytes = 0;
    else
        packet_at(pool, before)->next = UINT32_MAX;
    q->tail = before;
    return last;
}

uint32_t port_push_out(struct port_extra *x, struct packet_pool *pool, const struct packet *pkt, time_ps now) {
    struct port_classes *c = x->classes;
    uint32_t own = port_class_of(c, pkt), k = 0;
    while (k < own && class_queue_is_empty(&c->queue[k])) k++;
    if (k == own) return UINT32_MAX;
    uint32_t index = class_take_last(&c->queue[k], pool);
    c->waiting--;
    classes_change(c, k, -packet_frame_bytes(packet_at(pool, index)), now);
    if (class_queue_is_empty(&c->queue[k])) c->filled &= ~(1u << k);
    return index;
}

uint32_t port_take_paused(const struct port *p, struct port_classes *c, struct packet_pool *pool, time_ps now) {
    span_ps blocked = port_blocked_now(p, c, now);
    uint32_t index = paused_take(c, pool, now);
    if (index != UINT32_MAX) c->blocked += blocked;
    return index;
}

uint32_t port_queue_next(struct port *p, struct port_view *v, struct port_extra *x, const struct dre_params *dre,
                         struct packet_pool *pool, time_ps now, time_ps *depart, enum drop_cause *lost) {
    return port_next(p, v, x, x->classes, dre, pool, now, depart, lost);
}

/* A port with frames waiting on an idle link is not easy, since more than the end of its frame decides its service. */
bool port_is_easy(const struct port *p, const struct port_extra *x, time_ps now) {
    const struct port_classes *c = x->classes;
    bool keeps_books = c->has_credits || !c->schedule->stateless || c->reserve_bytes || c->mark_bytes || p->metered;
    bool loses = x->has_phantom || x->loss_ppb || x->alive_until != TIME_NONE;
    bool paused = c->pause && (c->pause->live || c->pause->ignored || !class_queue_is_empty(&c->control));
    return !keeps_books && !loses && !paused && (!c->waiting || p->busy_until >= now);
}

static uint64_t queue_length(const struct class_queue *q, const struct packet_pool *pool) {
    uint64_t n = 0;
    for (uint32_t i = q->head; i != UINT32_MAX; i = packet_at(pool, i)->next) n++;
    return n;
}

uint64_t port_queue_length(const struct port_extra *x, const struct packet_pool *pool) {
    uint64_t n = 0;
    if (!x->classes) return 0;
    for (uint32_t k = 0; k < x->classes->n; k++) n += queue_length(&x->classes->queue[k], pool);
    return n + x->classes->credit.waiting;
}

bool port_queue_is_sound(const struct port_extra *x, const struct packet_pool *pool) {
    const struct port_classes *c = x->classes;
    if (!c) return true;
    uint64_t frames = 0;
    int64_t drain = 0;
    for (uint32_t k = c->n; k-- > 0;) {
        int64_t bytes = 0;
        for (uint32_t i = c->queue[k].head; i != UINT32_MAX; i = packet_at(pool, i)->next, frames++)
            bytes += packet_frame_bytes(packet_at(pool, i));
        drain += bytes;
        if (c->queue[k].bytes != bytes || c->drain_bytes[k] != drain) return false;
        if ((c->filled >> k & 1) != (bytes > 0)) return false;
    }
    return c->waiting == frames;
}

uint64_t port_control_length(const struct port_extra *x, const struct packet_pool *pool) {
    return x->classes ? queue_length(&x->classes->control, pool) : 0;
}

/* ---- totals ---- */

uint64_t port_dropped_all(const struct port *p, const struct port_extra *x) {
    uint64_t n = 0;
    for (int cause = DROP_NONE + 1; cause < DROP_COUNT; cause++) n += port_dropped(p, x, (enum drop_cause)cause);
    return n;
}

/* Returns port_frame_bytes; without a division of 128 bits if a byte takes an integer of picoseconds. */
static int64_t port_rest_bytes(const struct port *p, const struct port_view *v, span_ps left) {
    if (__builtin_expect(p->ps_per_byte == 0, 0)) return port_frame_bytes(v, left);
    return left / p->ps_per_byte * FULL_FRAME_BYTES / FULL_WIRE_BYTES;
}

int64_t port_backlog_bytes(const struct port *p, const struct port_view *v, time_ps now) {
    return (v->drain_bytes ? v->drain_bytes[0] : 0) +
           (p->busy_until > now ? port_rest_bytes(p, v, p->busy_until - now) : 0);
}

void port_area_carry(struct port_extra *x, uint32_t wire_bytes, span_ps wait, span_ps s) {
    x->wait_area_high += (uint64_t)((area_ps)(uint64_t)(wait + (s >> 1)) * wire_bytes >> 64);
}

/* Returns the part of the integral after `now`, in which the backlog drains at line rate. */
static area_ps port_area_ahead(const struct port *p, const struct port_view *v, time_ps now) {
    if (p->busy_until <= now) return 0;
    uint64_t left = (uint64_t)(p->busy_until - now);
    return (area_ps)left * (uint64_t)v->rate_bps / (2 * BITS_PS) * left;
}

struct port_area port_area_by(const struct port *p, const struct port_view *v, const struct port_extra *x,
                              time_ps now) {
    area_ps area = (area_ps)x->wait_area_high << 64 | p->wait_area, ahead = port_area_ahead(p, v, now);
    return (struct port_area){.link = area > ahead ? area - ahead : 0,
                              .waiting = x->classes ? port_queue_area(x->classes, now) : 0};
}

int64_t port_area_mean(const struct port_area *before, const struct port_area *after, time_ps from, time_ps to) {
    if (to <= from) return 0;
    area_ps link = after->link > before->link ? after->link - before->link : 0;
    uint64_t units = area_units(to) - area_units(from);
    return (int64_t)(link / (uint64_t)(to - from) * FULL_FRAME_BYTES / FULL_WIRE_BYTES) +
           (int64_t)((after->waiting - before->waiting) / (units ? units : 1));
}

int64_t port_mean_queue_bytes(const struct port *p, const struct port_view *v, const struct port_extra *x,
                              time_ps now) {
    struct port_area none = {0}, area = port_area_by(p, v, x, now);
    return port_area_mean(&none, &area, 0, now);
}

int64_t port_max_queue_bytes(const struct port *p, const struct port_view *v, const struct port_extra *x) {
    return x->classes ? x->classes->max_bytes : port_frame_bytes(v, p->max_backlog);
}

int64_t port_max_restart(struct port *p, const struct port_view *v, struct port_extra *x, time_ps now) {
    int64_t most = port_max_queue_bytes(p, v, x);
    p->max_backlog = max_i64(p->busy_until - now, 0);
    if (x->classes) x->classes->max_bytes = port_backlog_bytes(p, v, now);
    return most;
}

uint64_t port_bytes_sent_by(const struct port *p, const struct port_view *v, time_ps now) {
    if (p->busy_until <= now) return p->sent_bytes;
    uint64_t left = (uint64_t)((int128)(p->busy_until - now) * v->rate_bps / BITS_PS);
    return p->sent_bytes > left ? p->sent_bytes - left : 0;
}
