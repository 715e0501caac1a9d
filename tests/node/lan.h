/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts without a switch between them: each frame arrives at its destination one delay after its last bit has left. The
 * lan drives hosts as a world does (timers before arrivals), records the frames sent, and loses the frames that `loses`
 * selects. */
#ifndef HEDDLE_TESTS_NODE_LAN_H
#define HEDDLE_TESTS_NODE_LAN_H

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_test.h"
#include "node/host.h"

#include "unit.h"

#define LAN_HOSTS 16
#define LAN_FLOWS 400
#define LAN_FLIGHT 4096
#define LAN_SENT 60000
#define BYTE_PS 800
#define FULL 1538

struct lan_sent {
    time_ps depart;
    uint32_t host, flow, seq;
    uint16_t payload_bytes, wire_bytes;
    uint8_t tos, flags, drop;
};

struct lan {
    struct fabric *fabric;
    struct host_config config;
    int64_t params[8][24];
    struct host_shared shared;
    struct packet_pool pool;
    struct host *host;
    struct port *port;
    struct port_view *view;
    struct port_extra *extra;
    uint32_t n_hosts;
    struct flow flow[LAN_FLOWS];
    uint32_t n_flows, order[LAN_FLOWS];
    struct flow_tally *tally;
    struct connection *sender[LAN_FLOWS], *receiver[LAN_FLOWS];
    struct {
        time_ps at;
        uint32_t packet;
    } flight[LAN_FLIGHT];
    uint32_t n_flight;
    struct lan_sent sent[LAN_SENT];
    uint32_t n_sent;
    span_ps delay;
    bool (*loses)(struct lan *lan, const struct packet *p);
    uint64_t timer_calls;
    time_ps now;
};

static inline void *lan_lines(size_t n, size_t size) {
    size_t bytes = (n * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    return memory;
}

static inline uint8_t lan_transport(struct lan *lan, const char *name) {
    uint32_t n = lan->config.n_transports++;
    const struct transport_ops *ops = transport_find(name);
    assert_non_null(ops);
    transport_defaults(ops, lan->params[n]);
    lan->config.transport[n] = ops;
    lan->config.transport_params[n] = lan->params[n];
    return (uint8_t)n;
}

static inline struct lan *lan_new(uint32_t hosts, const char *transport) {
    struct lan *lan = lan_lines(1, sizeof *lan);
    lan->fabric = made(spec_star(hosts));
    lan->n_hosts = hosts;
    lan->delay = 4 * US;
    lan_transport(lan, transport);
    return lan;
}

static inline struct flow *lan_flow(struct lan *lan, uint32_t src, uint32_t dst, uint64_t bytes, time_ps start) {
    struct flow *f = &lan->flow[lan->n_flows];
    assert_true(lan->n_flows < LAN_FLOWS);
    *f = (struct flow){.start = start,
                       .bytes = bytes,
                       .stop = TIME_NONE,
                       .src = src,
                       .dst = dst,
                       .index = lan->n_flows++,
                       .src_port = (uint16_t)(1000 + lan->n_flows),
                       .dst_port = 80};
    return f;
}

/* Starts the hosts; flows must be added in the order of their starts. */
static inline void lan_start(struct lan *lan) {
    uint32_t n = lan->n_hosts, place = 0;
    packet_pool_init(&lan->pool);
    lan->tally = lan_lines(LAN_FLOWS, sizeof *lan->tally);
    for (int i = 0; i < LAN_FLOWS; i++)
        lan->tally[i].finished_at = lan->tally[i].first_data_at = lan->tally[i].acked_at = TIME_NONE;
    lan->host = lan_lines(n, sizeof *lan->host);
    lan->port = lan_lines(n, sizeof *lan->port);
    lan->view = lan_lines(n, sizeof *lan->view);
    lan->extra = lan_lines(n, sizeof *lan->extra);
    lan->shared = (struct host_shared){.config = &lan->config,
                                       .flow = lan->flow,
                                       .tally = lan->tally,
                                       .sender = lan->sender,
                                       .receiver = lan->receiver,
                                       .pool = &lan->pool,
                                       .seed = 1,
                                       .fabric = lan->fabric};
    host_shared_init(&lan->shared);
    for (uint32_t h = 0; h < n; h++) {
        struct port_setup nic = {.rate_bps = 10 * GBPS, .global = h, .seed = 1, .dead_from = TIME_NONE};
        host_nic_setup(&lan->config, &nic);
        lan->host[h].port = &lan->port[h];
        lan->host[h].view = &lan->view[h];
        lan->host[h].extra = &lan->extra[h];
        lan->host[h].next_flow = &lan->order[place];
        for (uint32_t f = 0; f < lan->n_flows; f++)
            if (lan->flow[f].src == h) lan->order[place++] = f;
        lan->host[h].end_flow = &lan->order[place];
        host_init(&lan->host[h], h, &lan->shared, &nic);
    }
}

static inline void lan_end(struct lan *lan) {
    for (uint32_t f = 0; f < lan->n_flows; f++) {
        if (lan->sender[f]) host_close(&lan->host[lan->flow[f].src], lan->sender[f]);
        if (lan->receiver[f]) host_close(&lan->host[lan->flow[f].dst], lan->receiver[f]);
    }
    for (uint32_t h = 0; h < lan->n_hosts; h++) host_fini(&lan->host[h]);
    host_shared_fini(&lan->shared);
    packet_pool_fini(&lan->pool);
    fabric_destroy(lan->fabric);
    free(lan->host);
    free(lan->port);
    free(lan->view);
    free(lan->extra);
    free(lan->tally);
    free(lan);
}

static inline void lan_carry_out(struct lan *lan, uint32_t host, const struct host_out *out) {
    for (uint32_t i = 0; i < out->n; i++) {
        const struct emission *e = &out->e[i];
        struct packet *p = packet_at(&lan->pool, e->packet);
        assert_true(lan->n_sent < LAN_SENT && lan->n_flight < LAN_FLIGHT);
        lan->sent[lan->n_sent++] = (struct lan_sent){.depart = e->depart,
                                                     .host = host,
                                                     .flow = p->flow,
                                                     .seq = p->seq,
                                                     .payload_bytes = p->payload_bytes,
                                                     .wire_bytes = p->wire_bytes,
                                                     .tos = p->tos,
                                                     .flags = p->tcp_flags,
                                                     .drop = e->drop};
        if (e->drop || (lan->loses && lan->loses(lan, p))) {
            packet_put(&lan->pool, e->packet);
            continue;
        }
        lan->flight[lan->n_flight].at = e->depart + lan->delay + lan->config.processing_delay;
        lan->flight[lan->n_flight++].packet = e->packet;
    }
}

static inline uint32_t lan_first_flight(const struct lan *lan) {
    uint32_t first = 0;
    for (uint32_t i = 1; i < lan->n_flight; i++)
        if (lan->flight[i].at < lan->flight[first].at) first = i;
    return first;
}

static inline void lan_arrive(struct lan *lan, uint32_t i) {
    static struct host_out out;
    uint32_t packet = lan->flight[i].packet;
    const struct packet *p = packet_at(&lan->pool, packet);
    uint32_t host = fabric_host_of_ip(lan->fabric, p->dst_ip);
    time_ps at = lan->flight[i].at;
    lan->flight[i] = lan->flight[--lan->n_flight];
    host_receive(&lan->host[host], at, p, &out);
    packet_put(&lan->pool, packet);
    lan_carry_out(lan, host, &out);
}

/* Handles all events up to `until`. Returns whether later ones remain. */
static inline bool lan_run(struct lan *lan, time_ps until) {
    static struct host_out out;
    for (;;) {
        uint32_t host = 0, frame = lan_first_flight(lan);
        for (uint32_t h = 1; h < lan->n_hosts; h++)
            if (host_next_timer(&lan->host[h]) < host_next_timer(&lan->host[host])) host = h;
        time_ps timer = host_next_timer(&lan->host[host]);
        time_ps arrival = lan->n_flight ? lan->flight[frame].at : TIME_NONE;
        if (min_i64(timer, arrival) > until || min_i64(timer, arrival) == TIME_NONE)
            return min_i64(timer, arrival) != TIME_NONE;
        assert_true(min_i64(timer, arrival) >= lan->now); /* time does not go backwards */
        lan->now = min_i64(timer, arrival);
        if (timer <= arrival) {
            lan->timer_calls++;
            host_timer(&lan->host[host], timer, &out);
            lan_carry_out(lan, host, &out);
        } else {
            lan_arrive(lan, frame);
        }
    }
}

/* Returns the n-th frame of a flow's sender, from 0. */
static inline const struct lan_sent *lan_frame(const struct lan *lan, uint32_t flow, uint32_t n) {
    for (uint32_t i = 0; i < lan->n_sent; i++)
        if (lan->sent[i].flow == flow && n-- == 0) return &lan->sent[i];
    fail_msg("flow %u has sent no such frame", flow);
    return NULL;
}

static inline uint32_t lan_frames(const struct lan *lan, uint32_t flow) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) n += lan->sent[i].flow == flow;
    return n;
}

#endif
