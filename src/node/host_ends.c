/* SPDX-License-Identifier: Apache-2.0 */
#include "node/host_inside.h"

#include "fabric/choices.h"

/* Open ends that fill a 2 MiB cache, at 500 B each; with fewer, prefetching costs more than it saves (docs/notebook). */
#define PREFETCH_FROM_ENDS 4000

static void connection_header(struct connection *c, const struct host *h, const struct flow *f,
                              const struct nic_ends *ends) {
    bool sends = c->side == SIDE_SENDER;
    c->header = (struct packet){
        .src_ip = h->ip,
        .dst_ip = fabric_nic_ip(h->shared->fabric, sends ? ends->dst : ends->src),
        .src_port = sends ? f->src_port : f->dst_port,
        .dst_port = sends ? f->dst_port : f->src_port,
        .proto = h->shared->config->transport[f->transport]->base->proto,
        .tos = (uint8_t)(f->priority << 5),
        .ttl = HOST_TTL,
        .path = PATH_NONE,
        .ext = EXT_NONE,
        .origin = h->node,
        .flow = c->flow | (sends ? 0 : FLOW_REVERSE),
    };
}

void connection_set_trip(struct host *h, struct connection *c) {
    const struct host_shared *s = h->shared;
    const struct flow *f = &s->flow[c->flow];
    uint32_t least = WIRE_MIN_BYTES - s->config->credit.spread;
    uint32_t full = (uint32_t)config_frame(s->config->frame_bytes) + WIRE_OVERHEAD_BYTES;
    span_ps trip = fabric_round_trip(s->fabric, f->src, f->dst, least, least);
    span_ps more = fabric_round_trip(s->fabric, f->src, f->dst, full, least) - trip;
    c->env.trip_ps = trip + 4 * s->config->processing_delay;
    c->env.full_frame_ns = (uint32_t)min_i64((more + PS_PER_NS - 1) / PS_PER_NS, UINT32_MAX);
}

struct connection *connection_open(struct host *h, uint32_t flow, enum transport_side side, time_ps now) {
    struct host_shared *s = h->shared;
    const struct flow *f = &s->flow[flow];
    struct connection *c = cell_get(&s->ends[2 * f->transport + side]);
    const struct transport_ops *row = s->config->transport[f->transport];
    c->ops = transport_end_of(row, side);
    c->timer_at = TIME_NONE;
    c->stop_at = side == SIDE_SENDER ? f->stop : TIME_NONE;
    c->heap_place = c->credit_place = UINT32_MAX;
    c->flow = flow;
    c->side = side;
    c->kind = f->transport;
    c->priority = f->priority;
    struct nic_ends ends = host_ends_now(s, flow, now);
    connection_header(c, h, f, &ends);
    c->env = (struct flow_env){
        .bytes = f->bytes,
        .rate_bps = f->rate_bps,
        .burst_bytes = f->burst_bytes,
        .params = s->config->transport_params[f->transport],
        .row = row,
        .pool = s->pool,
        .cells = &s->cells[f->transport],
        .tally = host_tally(s, flow),
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
    if (row->needs.credit) fabric_path_choices(s->fabric, ends.src, ends.dst, c->env.paths);
    *(side == SIDE_SENDER ? &s->sender[flow] : &s->receiver[flow]) = c;
    s->prefetches = ++s->open_ends > PREFETCH_FROM_ENDS;
    if (s->chain) host_chain_add(h, c);
    if (s->far_pairs) connection_set_trip(h, c);
    c->ops->open(c->end, &c->env, now);
    return c;
}

void ready_remove(struct host *h, struct connection *c) {
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

void connection_close(struct host *h, struct connection *c) {
    struct host_shared *s = h->shared;
    if (s->chain) host_chain_remove(h, c);
    if (c->ready) ready_remove(h, c);
    deadlines_remove(&h->deadlines, c);
    if (h->credits) credit_nic_arm(h->credits, c, TIME_NONE);
    if (c->ops->close) c->ops->close(c->end, &c->env);
    *(c->side == SIDE_SENDER ? &s->sender[c->flow] : &s->receiver[c->flow]) = NULL;
    cell_put(&s->ends[2 * c->kind + c->side], c);
    s->prefetches = --s->open_ends > PREFETCH_FROM_ENDS;
}

/* ---- closed ends ---- */

/* Returns whether a closed sender answers the frame: a credit, or a receiver's FIN. */
static bool ended_sender_answers(const struct packet *p) {
    return p->shape & SHAPE_CREDIT || (p->proto == PROTO_TCP && p->tcp_flags & TCP_FIN);
}

/* The answer needs no state but the frame and the flow: a temporary connection supplies the header. */
void host_receive_closed(struct host *h, time_ps now, const struct packet *p, struct host_out *out) {
    struct host_shared *s = h->shared;
    uint32_t flow = p->flow & FLOW_MASK;
    bool credit = p->shape & SHAPE_CREDIT, to_sender = credit || p->flow & FLOW_REVERSE;
    h->unclaimed += !credit;
    if (credit)
        host_tally(s, flow)->credits_wasted++; /* here is the sender; the receiver's thread must not write this */
    if (to_sender && !ended_sender_answers(p)) return;
    enum transport_side side = to_sender ? SIDE_SENDER : SIDE_RECEIVER, other = to_sender ? SIDE_RECEIVER : SIDE_SENDER;
    const struct transport_base *base = s->config->transport[s->flow[flow].transport]->base;
    struct connection ghost = {.side = (uint8_t)side, .flow = flow};
    struct nic_ends ends = host_ends_now(s, flow, now);
    connection_header(&ghost, h, &s->flow[flow], &ends);
    ghost.env = (struct flow_env){.bytes = s->flow[flow].bytes,
                                  .params = s->config->transport_params[s->flow[flow].transport],
                                  .pool = s->pool,
                                  /* transports with credits read it, and with them it is an array */
                                  .tally = s->tally ? &s->tally[flow] : NULL,
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
