/* SPDX-License-Identifier: Apache-2.0 */
#include "live/replay.h"

#include "base/memory.h"
#include "live/outlet.h"
#include "node/switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The bytes that a descriptor was parsed from. NULL: the switch made the frame itself. */
struct original {
    uint8_t *bytes;
    struct frame_info info;
};

struct replay {
    const struct replay_config *config;
    struct replay_report *report;
    struct fabric_switch sw;
    struct port *port;
    struct port_view *view;
    struct port_extra *extra;
    struct packet_pool pool;
    struct original *original; /* by descriptor */
    uint32_t n_original;
    struct outlet *out;
};

/* ---- descriptors and the bytes they stand for ---- */

static void replay_keep(struct replay *r, uint32_t index, const uint8_t *bytes, const struct frame_info *info) {
    if (index >= r->n_original) {
        uint32_t n = index + POOL_BLOCK;
        r->original = memory_grow(r->original, n, sizeof *r->original);
        memset(r->original + r->n_original, 0, (n - r->n_original) * sizeof *r->original);
        r->n_original = n;
    }
    uint8_t *copy = memory_get(info->captured, 1);
    memcpy(copy, bytes, info->captured);
    r->original[index] = (struct original){.bytes = copy, .info = *info};
}

static const struct original *replay_original(const struct replay *r, uint32_t index) {
    return index < r->n_original && r->original[index].bytes ? &r->original[index] : NULL;
}

static void replay_release(struct replay *r, uint32_t index) {
    if (index < r->n_original) {
        free(r->original[index].bytes);
        r->original[index].bytes = NULL;
    }
    packet_put(&r->pool, index);
}

/* The frame as a descriptor in the pool; UINT32_MAX if it cannot be one. */
static uint32_t replay_parse(struct replay *r, const struct inlet_frame *f) {
    struct packet parsed;
    struct packet_ext ext;
    struct frame_info info;
    enum frame_error error = frame_parse(f->bytes, f->captured, f->original, &parsed, &ext, &info);
    r->report->refused[error]++;
    if (error) return UINT32_MAX;
    uint32_t index = packet_get(&r->pool);
    parsed.serial = (uint32_t)r->report->received;
    parsed.birth = f->at;
    if (parsed.shape & (SHAPE_EXPEDITUS | SHAPE_SACK | SHAPE_STAMP | SHAPE_PAUSE)) {
        parsed.ext = packet_ext_get(&r->pool);
        *packet_ext_at(&r->pool, parsed.ext) = ext;
    }
    *packet_at(&r->pool, index) = parsed;
    replay_keep(r, index, f->bytes, &info);
    return index;
}

/* ---- what leaves ---- */

/* The frame's bytes as they leave by `port`: malloc'ed. */
static uint8_t *replay_bytes(const struct replay *r, uint16_t port, uint32_t index, size_t *captured, size_t *length) {
    const struct fabric *f = r->config->fabric;
    const struct place_port *link = &f->paths.port[f->paths.first_port[r->config->node] + port];
    const struct packet *p = packet_at(&r->pool, index);
    const struct packet_ext *ext = p->ext == EXT_NONE ? NULL : packet_ext_at(&r->pool, p->ext);
    const struct original *o = replay_original(r, index);
    uint8_t mine[6], theirs[6];
    fabric_port_mac(r->config->node, port, mine);
    fabric_port_mac(link->neighbour, f->paths.port[link->peer].port, theirs);
    size_t room = o ? o->info.captured + FRAME_HEADERS_MAX : p->wire_bytes;
    uint8_t *bytes = memory_get(room, 1);
    if (o) {
        *length = frame_rewrite(o->bytes, &o->info, p, ext, mine, theirs, bytes, room, captured);
    } else {
        *length = frame_build(p, ext, mine, theirs, bytes, room);
        *captured = *length < room ? *length : room;
    }
    return bytes;
}

static void replay_send(struct replay *r, time_ps now, const struct emission *e) {
    size_t captured, length;
    uint8_t *bytes = replay_bytes(r, e->port, e->packet, &captured, &length);
    outlet_put(r->out, e->port, now, e->depart, bytes, captured, length);
}

static void replay_carry_out(struct replay *r, time_ps now, const struct switch_out *out) {
    for (uint32_t i = 0; i < out->n; i++) {
        const struct emission *e = &out->e[i];
        if (e->consumed)
            r->report->consumed++;
        else if (e->drop)
            r->report->dropped[e->drop]++;
        else
            r->report->left++;
        if (!e->consumed && (!e->drop || e->drop == DROP_LOSS)) replay_send(r, now, e);
        replay_release(r, e->packet);
    }
}

/* ---- the loop ---- */

/* Topology events and services that are due by `until`. */
static void replay_timers(struct replay *r, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_next_timer(&r->sw)) <= until && at != TIME_NONE;) {
        switch_timer(&r->sw, at, &out);
        replay_carry_out(r, at, &out);
    }
}

static void replay_arrival(struct replay *r, const struct inlet_frame *f) {
    struct replay_report *report = r->report;
    struct switch_out out;
    if (!report->received++) report->first_at = f->at;
    report->last_at = f->at;
    uint32_t index = replay_parse(r, f);
    if (index == UINT32_MAX) return;
    replay_timers(r, f->at);
    switch_receive(&r->sw, f->at, f->port, index, &out);
    replay_carry_out(r, f->at, &out);
}

static enum inlet_result replay_all(struct replay *r, struct inlet *in, struct diag *d) {
    struct inlet_frame f;
    enum inlet_result got;
    while ((got = inlet_next(in, &f, d)) == INLET_FRAME) replay_arrival(r, &f);
    replay_timers(r, TIME_NONE);
    r->report->late = inlet_late(in);
    r->report->created = r->sw.created + r->sw.pauses_made;
    return got;
}

/* ---- building ---- */

static void replay_build(struct replay *r, const struct replay_config *c, struct replay_report *report) {
    uint32_t n = c->fabric->paths.first_port[c->node + 1] - c->fabric->paths.first_port[c->node];
    memset(r, 0, sizeof *r);
    r->config = c;
    r->report = report;
    r->port = memory_get_lines(n, sizeof *r->port);
    r->view = memory_get_lines(n, sizeof *r->view);
    r->extra = memory_get_lines(n, sizeof *r->extra);
    packet_pool_init(&r->pool);
    struct switch_setup setup = {.fabric = c->fabric,
                                 .config = &c->switches,
                                 .pool = &r->pool,
                                 .view = r->view,
                                 .port = r->port,
                                 .extra = r->extra,
                                 .seed = c->seed,
                                 .flat_tables = true};
    switch_init(&r->sw, c->node, &setup);
}

static void replay_destroy(struct replay *r) {
    switch_fini(&r->sw);
    for (uint32_t i = 0; i < r->n_original; i++) free(r->original[i].bytes);
    free(r->original);
    packet_pool_fini(&r->pool);
    free(r->port);
    free(r->view);
    free(r->extra);
}

static bool replay_possible(const struct replay_config *c, struct diag *d) {
    char name[64];
    if (c->node < c->fabric->n_hosts)
        return diag_fail(d, "", 0, 0, "%s is a host; replay feeds a switch",
                         fabric_node_name(c->fabric, c->node, name, sizeof name));
    if (c->switches.balance->needs_board)
        return diag_fail(
            d, "", 0, 0,
            "%s sees the links of the whole fabric, so one switch of it cannot be replayed; choose another "
            "balancer",
            c->switches.balance->name);
    return true;
}

/* Where the output goes, which is none of the inputs. */
static struct outlet *replay_outlet(const struct replay_config *c, struct replay_report *report, struct diag *d) {
    const char **input = memory_get(c->n_in + 1, sizeof *input);
    const struct outlet_place place = {c->out_dir, c->snap_bytes, input, c->n_in, c->force};
    char *path = outlet_path(c->fabric, c->node, c->out_dir);
    snprintf(report->path, sizeof report->path, "%s", path);
    for (size_t i = 0; i < c->n_in; i++) input[i] = c->in[i].path;
    struct outlet *out = outlet_open(c->fabric, c->node, &place, d);
    free(path);
    free(input);
    return out;
}

enum replay_outcome replay_run(const struct replay_config *c, struct replay_report *report, struct diag *d) {
    *report = (struct replay_report){.first_at = TIME_NONE, .last_at = TIME_NONE};
    if (!replay_possible(c, d)) return REPLAY_REFUSED;
    struct inlet *in = inlet_open(c->fabric, c->node, c->seed, c->in, c->n_in, d);
    if (!in) return REPLAY_REFUSED;
    struct outlet *out = replay_outlet(c, report, d);
    if (!out) {
        inlet_close(in);
        return REPLAY_REFUSED;
    }
    struct replay r;
    replay_build(&r, c, report);
    r.out = out;
    bool read = replay_all(&r, in, d) == INLET_END;
    bool written = outlet_close(out, read, read ? d : &(struct diag){0});
    replay_destroy(&r);
    inlet_close(in);
    return read && written ? REPLAY_DONE : REPLAY_FAILED;
}
