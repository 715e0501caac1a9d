/* SPDX-License-Identifier: Apache-2.0 */
/* A switch of a fabric alone, without hosts and links, and `spy`, a balancer that the test controls and that records
 * its queries. */
#ifndef HEDDLE_TESTS_SWITCH_STAND_H
#define HEDDLE_TESTS_SWITCH_STAND_H

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_test.h"
#include "node/switch.h"

#include "unit.h"

#define FULL 1538
#define BYTE_PS 800

/* ---- a balancer that does what the test says and tells what it saw ---- */

static struct {
    struct balance_query last;
    uint32_t asked, place_changes;
    bool consume, emit;
    uint16_t emit_port;
    uint32_t emitted;
    struct packet_pool *pool;
} spy;

static inline size_t spy_state_size(const struct balance_env *env) {
    spy.pool = env->pool;
    return 8;
}

static inline void spy_init(void *state, const struct balance_env *env) {
    (void)state;
    (void)env;
}

static inline uint16_t spy_route(void *state, const struct balance_query *q, struct packet *p,
                                 struct balance_out *out) {
    (void)state;
    spy.last = *q;
    spy.asked++;
    if (spy.emit) {
        spy.emitted = out->emit = packet_get(spy.pool);
        out->emit_port = spy.emit_port;
        *packet_at(spy.pool, out->emit) = *p;
        packet_at(spy.pool, out->emit)->wire_bytes = 84;
    }
    return spy.consume ? BALANCE_CONSUME : q->choice[q->n_choices - 1];
}

static inline void spy_on_place_change(void *state, time_ps now) {
    (void)state;
    (void)now;
    spy.place_changes++;
}

static const struct balancer_ops spy_ops = {.name = "spy",
                                            .sees_all = true,
                                            .wants_loads = true,
                                            .dre_period_param = 0,
                                            .dre_alpha_param = 1,
                                            .state_size = spy_state_size,
                                            .init = spy_init,
                                            .route = spy_route,
                                            .on_place_change = spy_on_place_change};

/* ---- one switch of a fabric ---- */

struct stand {
    struct fabric *fabric;
    struct switch_config config;
    int64_t params[24];
    struct packet_pool pool;
    struct port_view *view;
    struct port *port;
    struct port_extra *extra;
    struct fabric_switch *sw;
    struct switch_out out;
};

static inline void *lines(size_t n, size_t size) {
    void *memory = aligned_alloc(64, (n * size + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0, n * size);
    return memory;
}

static inline struct stand *stand_prepare(struct fabric_spec spec, const struct balancer_ops *ops) {
    struct stand *s = lines(1, sizeof *s);
    s->fabric = made(spec);
    for (size_t i = 0; i < ops->n_params; i++) s->params[i] = ops->params[i].def;
    if (ops->route == spy_route) s->params[0] = 20 * US, s->params[1] = PPB / 10;
    s->config =
        (struct switch_config){.balance = ops, .balance_params = s->params, .buffer_bytes = 150000, .port.classes = 1};
    return s;
}

static inline struct stand *stand_start(struct stand *s, const char *name) {
    uint32_t n = node(s->fabric, name), ports = place_of(s->fabric, name)->n_ports;
    packet_pool_init(&s->pool);
    s->view = lines(ports, sizeof *s->view);
    s->port = lines(ports, sizeof *s->port);
    s->extra = lines(ports, sizeof *s->extra);
    s->sw = lines(1, sizeof *s->sw);
    struct switch_setup setup = {.fabric = s->fabric,
                                 .config = &s->config,
                                 .pool = &s->pool,
                                 .view = s->view,
                                 .port = s->port,
                                 .extra = s->extra,
                                 .seed = 1};
    switch_init(s->sw, n, &setup);
    memset(&spy, 0, sizeof spy);
    spy.pool = &s->pool;
    return s;
}

static inline struct stand *stand_of(struct fabric_spec spec, const char *name, const struct balancer_ops *ops) {
    return stand_start(stand_prepare(spec, ops), name);
}

static inline void stand_end(struct stand *s) {
    switch_fini(s->sw);
    packet_pool_fini(&s->pool);
    fabric_destroy(s->fabric);
    free(s->view);
    free(s->port);
    free(s->extra);
    free(s->sw);
    free(s);
}

static inline uint32_t stand_frame(struct stand *s, uint32_t src, uint32_t dst, uint16_t src_port) {
    uint32_t index = packet_get(&s->pool);
    *packet_at(&s->pool, index) = (struct packet){.src_ip = fabric_host_ip(s->fabric, src),
                                                  .dst_ip = fabric_host_ip(s->fabric, dst),
                                                  .src_port = src_port,
                                                  .dst_port = 80,
                                                  .proto = PROTO_TCP,
                                                  .wire_bytes = FULL,
                                                  .ttl = 64,
                                                  .path = PATH_NONE,
                                                  .ext = EXT_NONE};
    return index;
}

/* Passes one frame through the switch and frees it. Returns its emission, which must be the only one. */
static inline struct emission stand_pass(struct stand *s, time_ps now, uint16_t in_port, uint32_t index) {
    switch_receive(s->sw, now, in_port, index, &s->out);
    assert_int_equal(s->out.n, 1);
    assert_int_equal(s->out.e[0].packet, index);
    packet_put(&s->pool, index);
    return s->out.e[0];
}

static inline struct emission stand_send(struct stand *s, time_ps now, uint32_t src, uint32_t dst, uint16_t src_port) {
    return stand_pass(s, now, 0, stand_frame(s, src, dst, src_port));
}

static inline void stand_events(struct stand *s, time_ps until) {
    while (switch_next_timer(s->sw) <= until) switch_timer(s->sw, switch_next_timer(s->sw), &s->out);
}

#endif
