/* SPDX-License-Identifier: Apache-2.0 */
#include "node/host_nics.h"

#include "node/host_inside.h"

/* ---- which NICs ---- */

#define OF_LINE 0x80000000u /* apart from the numbers of flows, which are less */

struct nic_ends nic_binding_find(const struct nic_binding *b, const struct flow *f, uint32_t number, time_ps now) {
    uint32_t line = b->lines ? lines_of(b->lines, number) : FLOW_NONE;
    struct nic_question q = {.src = f->src,
                             .dst = f->dst,
                             .bonding = b->config->bonding,
                             .seed = b->seed,
                             .flow = line == FLOW_NONE ? number : line | OF_LINE,
                             .now = now,
                             .src_nic = f->src_nic,
                             .dst_nic = f->dst_nic};
    return fabric_nic_ends(b->fabric, &q);
}

struct nic_ends host_ends_now(const struct host_shared *s, uint32_t flow, time_ps now) {
    struct nic_binding b = {s->fabric, s->config, s->lines ? s->lines->lines : NULL, s->seed};
    return nic_binding_of(&b, &s->flow[flow], flow, now);
}

struct host *host_nic_of(struct host *first, const struct connection *c) {
    struct host *h = first;
    while (h->ip != c->header.src_ip) h++;
    return h;
}

struct host *host_nic_for(struct host *first, uint32_t flow, enum transport_side side, time_ps now) {
    struct nic_ends ends = host_ends_now(first->shared, flow, now);
    uint32_t nic = side == SIDE_SENDER ? ends.src : ends.dst;
    return first + (nic - first->shared->fabric->paths.first_port[first->node]);
}

/* ---- the open ends of a host ---- */

void host_chain_add(struct host *h, const struct connection *c) {
    struct end_link *of = h->shared->chain;
    struct host *first = host_first(h);
    uint32_t end = 2 * c->flow + c->side;
    of[end] = (struct end_link){.next = first->first_end, .before = FLOW_NONE};
    if (first->first_end != FLOW_NONE) of[first->first_end].before = end;
    first->first_end = end;
}

void host_chain_remove(struct host *h, const struct connection *c) {
    struct end_link *of = h->shared->chain, *link = &of[2 * c->flow + c->side];
    if (link->next != FLOW_NONE) of[link->next].before = link->before;
    if (link->before != FLOW_NONE)
        of[link->before].next = link->next;
    else
        host_first(h)->first_end = link->next;
}

/* ---- failures ---- */

static void end_leave(struct host *h, struct connection *c) {
    if (c->ready) ready_remove(h, c);
    deadlines_remove(&h->deadlines, c);
    c->timer_at = TIME_NONE;
    if (h->credits) credit_nic_arm(h->credits, c, TIME_NONE);
}

static void end_join(struct host *h, struct connection *c, bool ready) {
    c->header.src_ip = h->ip;
    c->env.nic_bps = h->view->rate_bps;
    c->timer_at = min_i64(c->ops->next_timer(c->end), c->stop_at);
    if (c->timer_at != TIME_NONE) deadlines_add(&h->deadlines, c, c->timer_at);
    if (c->ops->next_credit) credit_nic_arm(h->credits, c, c->ops->next_credit(c->end));
    if (ready) ready_add(h, c);
}

/* Binds an end to the NICs that its flow uses from now on. */
static void end_rebind(struct host *first, struct connection *c, time_ps now) {
    const struct host_shared *s = first->shared;
    struct nic_ends ends = host_ends_now(s, c->flow, now);
    bool sends = c->side == SIDE_SENDER;
    struct host *from = host_nic_of(first, c), *to = host_nic_for(first, c->flow, (enum transport_side)c->side, now);
    c->header.dst_ip = fabric_nic_ip(s->fabric, sends ? ends.dst : ends.src);
    if (from == to) return;
    bool ready = c->ready;
    end_leave(from, c);
    end_join(to, c, ready);
    to->nic_wake = now;
}

void host_rebind(struct host *first, time_ps now) {
    const struct host_shared *s = first->shared;
    for (uint32_t end = first->first_end, next; end != FLOW_NONE; end = next) {
        next = s->chain[end].next;
        end_rebind(first, (end & 1 ? s->receiver : s->sender)[end / 2], now);
    }
}

/* ---- events ---- */

static struct host *nic_next(struct host *first) {
    struct host *next = first;
    for (struct host *h = first + 1; h < first + first->nics; h++)
        if (host_next_timer(h) < host_next_timer(next)) next = h;
    return next;
}

time_ps host_nics_next_timer(const struct host *first) {
    time_ps at = host_next_timer(first);
    for (const struct host *h = first + 1; h < first + first->nics; h++) at = min_i64(at, host_next_timer(h));
    return at;
}

void host_nics_timer(struct host *first, time_ps now, struct host_out *out) { host_timer(nic_next(first), now, out); }

void host_nics_receive(struct host *first, uint16_t port, time_ps now, const struct packet *p, struct host_out *out) {
    struct host *h = first + port;
    if (!(p->shape & SHAPE_PAUSE)) {
        const struct connection *c = *host_place_of(first->shared, p);
        enum transport_side side = p->flow & FLOW_REVERSE ? SIDE_SENDER : SIDE_RECEIVER;
        h = c ? host_nic_of(first, c) : host_nic_for(first, p->flow & FLOW_MASK, side, now);
    }
    host_receive(h, now, p, out);
}
