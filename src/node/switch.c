/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "node/cioq_inside.h"
#include "node/forward_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

/* Returns the first port whose load is metered: the first uplink, or port 0 of a switch above the leaves if the
 * balancer wants downlinks too. UINT16_MAX: the balancer wants no loads. */
static uint16_t switch_meters_from(const struct fabric_switch *sw) {
    if (!sw->balance->wants_loads) return UINT16_MAX;
    return sw->balance->meters_downlinks && sw->leaf == NODE_NONE ? 0 : sw->first_uplink;
}

/* Returns the time of the next failure of the link at `port`; a frame that would arrive later is lost. */
static time_ps switch_next_failure(const struct fabric_switch *sw, uint16_t port) {
    for (const struct fabric_event *e = sw->event; e < sw->event_end; e++)
        if (e->kind == EVENT_LINK_DOWN && e->port == port) return e->at;
    return TIME_NONE;
}

static void switch_init_port(struct fabric_switch *sw, uint16_t port, const struct switch_setup *setup) {
    const struct switch_config *config = setup->config;
    const struct place_port *link = &sw->place.port[port];
    bool queues = crossbar_has_queues(&config->cioq);
    struct port_setup p = {
        .rate_bps = link->rate_bps,
        .delay = link->delay,
        .loss_ppb = link->loss_ppb,
        .admit = admit_limits_of(&config->admit, switch_buffer_at(config, link->rate_bps), link->rate_bps),
        .frame_bytes = switch_largest_frame(config),
        .config = config->port,
        .credit = &config->credit,
        .queues = queues,
        .pauses = queues && flowctl_is_on(&config->flow),
        .storm = config->flow.storm,
        .global = setup->fabric->paths.first_port[sw->node] + port,
        .seed = setup->seed,
        .dead_from = switch_next_failure(sw, port),
    };
    port_init(&sw->port[port], &sw->view[port], &sw->extra[port], &p);
    if (sw->classes) sw->classes[port] = sw->extra[port].classes;
    if (port >= sw->meters_from) port_set_metered(&sw->port[port], &sw->view[port]);
    if (sw->balance->wants_backlogs) port_set_shown(&sw->port[port]);
}

/* Finds out whether all ports have one rate, after one of them has got its rate. */
static void switch_compare_rates(struct fabric_switch *sw) {
    sw->ps_per_byte = sw->port[0].ps_per_byte;
    for (uint16_t p = 1; p < sw->n_ports; p++)
        if (sw->port[p].ps_per_byte != sw->ps_per_byte) sw->ps_per_byte = 0;
}

static void switch_init_place(struct fabric_switch *sw, const struct fabric *f, uint32_t node) {
    const struct place *place = &f->place[node - f->n_hosts];
    sw->node = node;
    sw->fabric = f;
    sw->place = *place;
    sw->place.beyond = memory_get(place->n_ports, sizeof *sw->place.beyond);
    memcpy(sw->place.beyond, place->beyond, place->n_ports * sizeof *sw->place.beyond);
    sw->leaf = place->leaf;
    sw->n_ports = place->n_ports;
    sw->first_uplink = place->first_uplink;
    sw->host_bits = f->host_bits;
    sw->host_mask = (1u << f->host_bits) - 1;
    sw->event = f->event + f->first_event[node];
    sw->event_end = f->event + f->first_event[node + 1];
}

static void switch_use_routes(struct fabric_switch *sw, int64_t state) {
    const struct route_row *row = &sw->fabric->paths.state[state].row[sw->node - sw->fabric->n_hosts];
    sw->to_leaf = row->to_leaf;
    sw->sets = row->set;
}

void switch_init(struct fabric_switch *sw, uint32_t node, const struct switch_setup *setup) {
    const struct switch_config *config = setup->config;
    memset(sw, 0, sizeof *sw);
    sw->balance = config->balance;
    sw->view = setup->view;
    sw->port = setup->port;
    sw->extra = setup->extra;
    sw->pool = setup->pool;
    sw->queued = switch_has_classes(config);
    sw->pins = config->credit.on;
    sw->records = config->credit.on && config->record_path;
    sw->hashes = sw->balance->picks_by_hash;
    sw->metered = sw->balance->wants_loads;
    sw->routes_alone = sw->balance->blind && !sw->queued;
    sw->sees_all = sw->balance->sees_all;
    sw->sees_northbound = sw->balance->sees_northbound;
    sw->n_leaves = setup->fabric->n_leaves;
    switch_init_place(sw, setup->fabric, node);
    switch_use_routes(sw, 0);
    if (sw->metered)
        sw->dre = dre_params_make(config->balance_params[sw->balance->dre_period_param],
                                  config->balance_params[sw->balance->dre_alpha_param]);
    sw->meters_from = switch_meters_from(sw);
    if (sw->queued) sw->classes = memory_get(sw->n_ports, sizeof *sw->classes);
    for (uint16_t p = 0; p < sw->n_ports; p++) switch_init_port(sw, p, setup);
    switch_compare_rates(sw);
    earliest_init(&sw->service, sw->n_ports);
    sw->deferred = memory_get((sw->n_ports + 63u) / 64, sizeof *sw->deferred);
    sw->counters = memory_get(sw->balance->n_counters, sizeof *sw->counters);
    sw->env = (struct balance_env){
        .place = &sw->place,
        .paths = &setup->fabric->paths,
        .port = sw->view,
        .pool = setup->pool,
        .board = setup->board,
        .params = config->balance_params,
        .counters = sw->counters,
        .classes = (uint8_t)(schedule_of(&config->port.schedule)->one_queue ? 1 : config->port.classes),
        .host_bits = sw->host_bits,
        .seed = setup->seed,
        .flat_tables = setup->flat_tables,
    };
    if (crossbar_has_queues(&config->cioq)) sw->cioq = cioq_create(sw, config, setup->seed);
    switch_find_timer(sw);
    sw->balance_state = memory_get(1, sw->balance->state_size(&sw->env));
    sw->balance->init(sw->balance_state, &sw->env);
}

void switch_fini(struct fabric_switch *sw) {
    if (sw->balance->fini) sw->balance->fini(sw->balance_state);
    for (uint16_t p = 0; p < sw->n_ports; p++) port_fini(&sw->extra[p]);
    cioq_destroy(sw->cioq);
    free(sw->balance_state);
    free(sw->counters);
    earliest_fini(&sw->service);
    free(sw->deferred);
    free(sw->classes);
    free(sw->place.beyond);
}

uint64_t switch_memory_bytes(const struct fabric_switch *sw) {
    uint64_t bytes = sizeof *sw + sw->balance->state_size(&sw->env) +
                     sw->n_ports * (sizeof(struct port) + sizeof(struct port_view) + sizeof(struct port_extra) +
                                    sizeof(time_ps) + sizeof(struct place_beyond));
    if (sw->balance->memory_bytes) bytes += sw->balance->memory_bytes(sw->balance_state);
    if (sw->queued) bytes += sw->n_ports * sizeof(struct port_classes);
    if (sw->cioq) bytes += cioq_bytes(sw->cioq);
    return bytes;
}

/* ---- forwarding ---- */

void forward_record(const struct fabric_switch *sw, struct packet *p, const uint16_t *choice, uint16_t n,
                    uint16_t port) {
    uint16_t i = 0;
    if (n <= 1 || !(p->shape & SHAPE_CREDIT)) return;
    while (i < n && choice[i] != port) i++;
    if (i == n || i >= 0xff) return;
    p->path = (uint16_t)(sw->leaf != NODE_NONE ? (p->path & 0xff00) | i : (p->path & 0xff) | i << 8);
}

void switch_find_timer(struct fabric_switch *sw) {
    if (sw->defers) {
        sw->next_timer = 0; /* the driver looks at the services of all ports, and then sets it */
        return;
    }
    time_ps topology = sw->event < sw->event_end ? sw->event->at : TIME_NONE;
    sw->next_timer = min_i64(topology, earliest_time(&sw->service));
    if (sw->cioq) sw->next_timer = min_i64(sw->next_timer, sw->cioq->next);
}

static void service_set(struct fabric_switch *sw, uint16_t port, time_ps at) {
    if (sw->defers) {
        if (at == TIME_NONE)
            switch_served(sw, port, at);
        else
            switch_defer(sw, port, at);
        return;
    }
    if (at == earliest_of(&sw->service, port)) return;
    earliest_set(&sw->service, port, at);
    if (sw->cioq)
        sw->next_timer = min_i64(sw->next_timer, at); /* exact at the end of the event (cioq_find_next) */
    else
        switch_find_timer(sw);
}

/* The time is at least `now`: behind a crossbar a frame may join its queue at the instant when a credit is due, ahead
 * of the credit. */
void switch_note_service(struct fabric_switch *sw, uint16_t port, time_ps now) {
    const struct port_extra *x = &sw->extra[port];
    time_ps at = x->classes->pause ? port_paused_service_at(&sw->port[port], x->classes, now)
                                   : port_queue_service_at(&sw->port[port], x);
    service_set(sw, port, max_i64(now, at));
}

void switch_forget_service(struct fabric_switch *sw, uint16_t port) { service_set(sw, port, TIME_NONE); }

void switch_serve(struct fabric_switch *sw, uint16_t port, time_ps now, struct switch_out *out) {
    time_ps depart = 0;
    enum drop_cause lost = DROP_NONE;
    uint32_t started =
        port_queue_next(&sw->port[port], &sw->view[port], &sw->extra[port], &sw->dre, sw->pool, now, &depart, &lost);
    if (started != UINT32_MAX) out_add(out, started, port, depart, (uint8_t)lost);
    switch_note_service(sw, port, now);
}

bool switch_may_defer(const struct fabric_switch *sw) {
    return sw->queued && !sw->cioq && !sw->metered && !sw->balance->wants_backlogs;
}

/* Puts a frame into the queue of a port with classes, or onto its link, and returns what forward_queue does. */
static bool queue_put(struct fabric_switch *sw, time_ps now, uint32_t packet, time_ps *depart,
                      struct forward_rest *rest) {
    bool leaves = forward_put(sw, now, packet, depart, rest);
    if (rest->noted) switch_note_service(sw, rest->port, now);
    return leaves;
}

/* Drops the credits that a frame has evicted from its queue, and starts the next frame of the port if it may. */
static void switch_settle_held(struct fabric_switch *sw, time_ps now, const struct forward_rest *rest,
                               struct switch_out *out) {
    struct port_extra *x = &sw->extra[rest->port];
    for (uint32_t i; (i = port_evicted(x, sw->pool)) != UINT32_MAX;)
        switch_refuse(sw, now, rest->port, i, DROP_CREDIT, out);
    if (rest->held == HELD_SERVE) switch_serve(sw, rest->port, now, out);
}

bool forward_queue(struct fabric_switch *sw, time_ps now, struct packet *frame, time_ps *depart,
                   struct forward_rest *rest) {
    bool fills = buffer_fills(&sw->buffer, frame);
    int64_t held = fills ? switch_held_bytes(sw, now) : 0;
    bool leaves = queue_put(sw, now, packet_index(sw->pool, frame), depart, rest);
    if (fills) switch_note_held(sw, held + forward_joined_bytes(frame, rest->drop));
    return leaves;
}

void switch_send(struct fabric_switch *sw, time_ps now, uint32_t packet, uint16_t port, struct switch_out *out) {
    time_ps depart = now;
    struct packet *p = packet_at(sw->pool, packet);
    struct forward_rest rest = {.port = port};
    if (cioq_drops(sw, port, p)) {
        cioq_drop(sw, now, port, packet, out);
        return;
    }
    if (!sw->cioq) buffer_fills(&sw->buffer, p); /* behind a crossbar the frame has been counted */
    if (!sw->queued) {
        enum drop_cause drop =
            port_enqueue(&sw->port[port], &sw->view[port], &sw->extra[port], &sw->dre, p, now, &depart);
        out_add(out, packet, port, depart, (uint8_t)drop);
    } else if (queue_put(sw, now, packet, &depart, &rest)) {
        out_add(out, packet, port, depart, DROP_NONE);
    } else if (rest.drop) {
        out_add(out, packet, port, rest.depart, rest.drop);
    } else {
        switch_settle_held(sw, now, &rest, out);
    }
}

void switch_adopt(struct fabric_switch *sw, time_ps now, uint32_t packet) {
    struct packet *p = packet_at(sw->pool, packet);
    p->origin = sw->node;
    p->serial = sw->serial++;
    p->birth = now;
    sw->created++;
}

void switch_refuse(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t packet, enum drop_cause cause,
                   struct switch_out *out) {
    port_refuse(&sw->extra[port], packet_at(sw->pool, packet), cause);
    out_add(out, packet, port, now, (uint8_t)cause);
}

void switch_finish(struct fabric_switch *sw, time_ps now, uint16_t in_port, uint32_t packet,
                   const struct forward_rest *rest, struct switch_out *out) {
    out->n = 0;
    if (rest->emit != UINT32_MAX) {
        switch_adopt(sw, now, rest->emit);
        switch_send(sw, now, rest->emit, rest->emit_port, out);
    }
    if (rest->held == HELD_INGRESS) {
        cioq_receive(sw, now, in_port, packet, out);
    } else if (rest->held) {
        switch_settle_held(sw, now, rest, out);
    } else if (rest->drop == DROP_TTL || rest->drop == DROP_NO_ROUTE) {
        switch_refuse(sw, now, in_port, packet, (enum drop_cause)rest->drop, out);
    } else if (rest->drop) {
        out_add(out, packet, rest->port, rest->depart, rest->drop);
    } else if (rest->port == BALANCE_CONSUME) {
        out_consume(out, packet, in_port, now);
    } else {
        switch_send(sw, now, packet, rest->port, out);
    }
}

void switch_receive(struct fabric_switch *sw, time_ps now, uint16_t in_port, uint32_t packet, struct switch_out *out) {
    struct forward_rest rest;
    uint16_t port;
    time_ps depart = now;
    if (!switch_forward(sw, now, in_port, packet_at(sw->pool, packet), &port, &depart, &rest)) {
        switch_finish(sw, now, in_port, packet, &rest, out);
        return;
    }
    out->n = 0;
    out_add(out, packet, port, depart, DROP_NONE);
}

/* ---- events ---- */

static void switch_apply(struct fabric_switch *sw, const struct fabric_event *e) {
    struct port *p = &sw->port[e->port];
    struct port_view *v = &sw->view[e->port];
    struct port_extra *x = &sw->extra[e->port];
    switch (e->kind) {
    case EVENT_LINK_DOWN: return; /* the port has had this time since the last repair, or gets it now (switch_event) */
    case EVENT_LINK_UP:
        port_link_up(p, v, x, e->at, switch_next_failure(sw, e->port));
        if (sw->queued) switch_note_service(sw, e->port, e->at);
        return;
    case EVENT_PORT_DOWN: v->up = false; break;
    case EVENT_PORT_UP: v->up = true; break;
    case EVENT_RATE:
        port_set_rate(p, v, x, e->at, e->value);
        switch_compare_rates(sw);
        buffer_forget(&sw->buffer);
        if (sw->cioq) cioq_rate_changed(sw, e->port);
        if (sw->queued) switch_note_service(sw, e->port, e->at);
        break;
    case EVENT_LOSS: port_set_loss(p, x, (uint32_t)e->value); break;
    case EVENT_ROUTES: switch_use_routes(sw, e->value); return;
    case EVENT_NOTICE:
        sw->place.beyond[e->port] =
            (struct place_beyond){.alive = (uint32_t)(e->value >> 32), .total = (uint32_t)e->value};
        break;
    default: break;
    }
    if (sw->balance->on_place_change) sw->balance->on_place_change(sw->balance_state, e->at);
}

void switch_event(struct fabric_switch *sw, const struct fabric_event *e) {
    if (e->kind == EVENT_LINK_DOWN) port_set_failure(&sw->port[e->port], &sw->extra[e->port], e->at);
    switch_apply(sw, e);
    switch_find_timer(sw); /* behind a crossbar a service that was put off leaves its former time in next_timer */
}

void switch_reroute(struct fabric_switch *sw, time_ps now) {
    switch_use_routes(sw, 0);
    if (sw->balance->on_place_change) sw->balance->on_place_change(sw->balance_state, now);
}

void switch_topology(struct fabric_switch *sw) {
    switch_apply(sw, sw->event++);
    switch_find_timer(sw);
}

void switch_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out) {
    out->n = 0;
    time_ps crossbar = sw->cioq ? sw->cioq->next : TIME_NONE, service = earliest_time(&sw->service);
    assert(!sw->cioq || !sw->cioq->easy);
    if (sw->event < sw->event_end && sw->event->at <= now && sw->event->at <= min_i64(service, crossbar)) {
        switch_topology(sw);
        return;
    }
    if (crossbar <= min_i64(now, service)) {
        cioq_timer(sw, now, out);
        return;
    }
    if (service > now) return;
    uint16_t p = (uint16_t)earliest_place(&sw->service);
    switch_serve(sw, p, now, out);
    if (sw->cioq) cioq_egress_changed(sw, p, now);
}

void switch_read_loads(struct fabric_switch *sw, time_ps now, int64_t *load_ps) {
    uint32_t first = sw->fabric->paths.first_port[sw->node];
    for (uint16_t p = 0; p < sw->n_ports; p++) {
        struct port_view *v = &sw->view[p];
        if (v->metered) load_ps[first + p] = dre_egress(v, &sw->dre, now);
    }
}
