/* SPDX-License-Identifier: Apache-2.0 */
#include "live/forwarder.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

bool forwarder_possible(const struct forwarder_setup *setup, struct diag *d) {
    char name[64];
    if (setup->node < setup->fabric->n_hosts)
        return diag_fail(d, "", 0, 0, "%s is a host; name a switch",
                         fabric_node_name(setup->fabric, setup->node, name, sizeof name));
    if (setup->config->balance->needs_board)
        return diag_fail(d, "", 0, 0,
                         "%s sees the links of the whole fabric, which one switch does not; choose another balancer",
                         setup->config->balance->name);
    return true;
}

void forwarder_init(struct forwarder *f, const struct forwarder_setup *setup) {
    const uint32_t *first = setup->fabric->paths.first_port;
    uint32_t n = first[setup->node + 1] - first[setup->node];
    memset(f, 0, sizeof *f);
    f->frames = setup->frames;
    f->sink = setup->sink;
    f->port = memory_get_lines(n, sizeof *f->port);
    f->view = memory_get_lines(n, sizeof *f->view);
    f->extra = memory_get_lines(n, sizeof *f->extra);
    struct switch_setup inside = {.fabric = setup->fabric,
                                  .config = setup->config,
                                  .pool = &setup->frames->pool,
                                  .view = f->view,
                                  .port = f->port,
                                  .extra = f->extra,
                                  .seed = setup->seed,
                                  .flat_tables = true};
    switch_init(&f->sw, setup->node, &inside);
}

void forwarder_fini(struct forwarder *f) {
    switch_fini(&f->sw);
    free(f->port);
    free(f->view);
    free(f->extra);
}

void forwarder_macs(const struct fabric *fabric, uint32_t node, uint16_t port, uint8_t mine[6], uint8_t theirs[6]) {
    const struct place_port *link = &fabric->paths.port[fabric->paths.first_port[node] + port];
    fabric_port_mac(node, port, mine);
    fabric_port_mac(link->neighbour, fabric->paths.port[link->peer].port, theirs);
}

/* ---- what leaves ---- */

static void forwarder_carry_out(struct forwarder *f, time_ps now, const struct switch_out *out) {
    for (uint32_t i = 0; i < out->n; i++) {
        const struct emission *e = &out->e[i];
        bool leaves = !e->consumed && (!e->drop || e->drop == DROP_LOSS);
        if (e->consumed)
            f->count.consumed++;
        else if (e->drop)
            f->count.dropped[e->drop]++;
        else
            f->count.left++;
        if (leaves)
            f->sink.leave(f->sink.to, &(struct departure){now, e->depart, e->port, e->drop == DROP_LOSS, e->packet});
        else
            frames_release(f->frames, e->packet);
    }
}

/* ---- what comes in ---- */

void forwarder_until(struct forwarder *f, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_next_timer(&f->sw)) <= until && at != TIME_NONE;) {
        switch_timer(&f->sw, at, &out);
        forwarder_carry_out(f, at, &out);
    }
}

void forwarder_receive(struct forwarder *f, time_ps now, uint16_t port, uint32_t index, size_t captured,
                       size_t original) {
    struct switch_out out;
    enum frame_error error = frames_parse(f->frames, index, captured, original);
    f->count.received++;
    f->count.refused[error]++;
    if (error) {
        frames_release(f->frames, index);
        return;
    }
    struct packet *p = packet_at(&f->frames->pool, index);
    p->serial = ++f->serial;
    p->birth = now;
    switch_receive(&f->sw, now, port, index, &out);
    forwarder_carry_out(f, now, &out);
}
