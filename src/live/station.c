/* SPDX-License-Identifier: Apache-2.0 */
#include "live/station.h"

#include "base/earliest.h"
#include "base/memory.h"
#include "base/tie.h"

#include <stdlib.h>
#include <string.h>

/* One direction of a link. */
struct station_link {
    struct line line;
    struct station_switch *to; /* the switch at the other end; NULL: outside */
    uint16_t to_port;
    span_ps delay;
    struct station_impaired *impaired[2]; /* outwards, inwards; NULL: not impaired */
    /* used if the other end is outside */
    time_ps nic_busy; /* time until which the host's NIC is busy with frames it holds */
    bool is_cut;      /* the link is down: what is sent outside does not arrive */
    uint64_t lost_outside;
};

struct station_switch {
    struct station *station;
    struct forwarder forwarder;
    uint32_t node, place, first_port;
    uint16_t n_ports;
    struct station_link *out; /* [n_ports] */
    struct line *outside;     /* [n_ports] frames from outside in transit to a port */
    struct line **in;         /* [n_ports] arrivals at a port: the line of a neighbour's link, or outside */
    struct earliest arrivals; /* by port */
};

struct station {
    const struct fabric *fabric;
    struct frames frames;
    struct station_tap tap;
    uint64_t seed, tie_key;
    bool paces_hosts;
    struct station_switch *sw; /* [n] */
    uint32_t n;
    struct earliest due; /* by switch: time of its next arrival, topology event or service */
};

/* ---- due times ---- */

static void switch_due(struct station_switch *w) {
    earliest_set(&w->station->due, w->place, min_i64(earliest_time(&w->arrivals), forwarder_next(&w->forwarder)));
}

static void arrival_due(struct station_switch *w, uint16_t port) {
    earliest_set(&w->arrivals, port, line_next(w->in[port]));
    switch_due(w);
}

/* ---- links ---- */

static void show(const struct station_switch *w, const struct outlet_frame *f) {
    w->station->tap.frame(w->station->tap.to, w->place, f);
}

/* ---- impairments ---- */

/* Puts a duplicate of the frame on the line. */
static void impaired_copy(struct frames *frames, struct station_impaired *x, struct line *line,
                          const struct line_frame *f) {
    const struct frame_info *info;
    const uint8_t *bytes = frames_bytes(frames, f->index, &info);
    struct line_frame copy = *f;
    uint8_t *at;
    copy.index = frames_take(frames, f->length, &at);
    memcpy(at, bytes, f->captured);
    copy.bytes = at;
    copy.is_copy = true;
    x->duplicated++;
    line_put(line, &copy);
}

/* Puts a frame on the line as the impaired link delivers it. */
static void impaired_put(struct frames *frames, struct station_impaired *x, struct line *line, struct line_frame f) {
    const struct frame_info *info;
    if (impairment_strikes(x->what.loss_ppb, &x->random)) {
        x->lost++;
        frames_release(frames, f.index);
        return;
    }
    if (impairment_strikes(x->what.corrupt_ppb, &x->random)) {
        x->corrupted++;
        impairment_corrupt((uint8_t *)frames_bytes(frames, f.index, &info), f.captured, &x->random);
    }
    f.at += x->what.delay;
    if (impairment_strikes(x->what.reorder_ppb, &x->random)) {
        x->reordered++;
        f.at += IMPAIR_LATE;
    }
    line_put(line, &f);
    if (impairment_strikes(x->what.duplicate_ppb, &x->random)) impaired_copy(frames, x, line, &f);
}

static void link_put(struct frames *frames, struct station_impaired *x, struct line *line, struct line_frame f) {
    if (x)
        impaired_put(frames, x, line, f);
    else
        line_put(line, &f);
}

static void station_leave(void *to, const struct departure *x) {
    struct station_switch *w = to;
    struct station_link *l = &w->out[x->port];
    struct frame_bytes b = forwarder_emit(&w->forwarder, x);
    if (b.length > 0 && w->station->tap.frame)
        show(w, &(struct outlet_frame){x->now, x->depart, x->port, CAPTURE_OUTBOUND, b.at, b.captured, b.length});
    if (b.length == 0 || x->lost) {
        frames_release(&w->station->frames, x->index);
        return;
    }
    link_put(&w->station->frames, l->impaired[0], &l->line,
             (struct line_frame){.at = x->depart + l->delay,
                                 .index = x->index,
                                 .captured = (uint32_t)b.captured,
                                 .length = (uint32_t)b.length,
                                 .bytes = b.at});
    if (l->to && (l->line.n == 1 || l->impaired[0])) arrival_due(l->to, l->to_port);
}

static void switch_arrival(struct station_switch *w, uint16_t port, time_ps at) {
    struct line_frame f = line_take(w->in[port]);
    const struct frame_info *info;
    if (w->station->tap.frame)
        show(w, &(struct outlet_frame){at, at, port, CAPTURE_INBOUND, frames_bytes(&w->station->frames, f.index, &info),
                                       f.captured, f.length});
    forwarder_receive(&w->forwarder, at, port, f.index, f.captured, f.length);
    earliest_set(&w->arrivals, port, line_next(w->in[port]));
}

/* Returns the port of the first of the frames that arrive at `at`. */
static uint16_t first_arrival(const struct station_switch *w, time_ps at) {
    uint16_t first = (uint16_t)earliest_place(&w->arrivals);
    uint32_t rank = tie_rank(w->station->tie_key, at, w->first_port + first);
    for (uint16_t port = (uint16_t)(first + 1); port < w->n_ports; port++) {
        if (earliest_of(&w->arrivals, port) != at) continue;
        uint32_t other = tie_rank(w->station->tie_key, at, w->first_port + port);
        if (other < rank) first = port, rank = other;
    }
    return first;
}

/* Handles all that is due at a switch at `at`: its own events before each arrival. */
static void switch_step(struct station_switch *w, time_ps at) {
    forwarder_until(&w->forwarder, at);
    for (; earliest_time(&w->arrivals) == at; forwarder_until(&w->forwarder, at))
        switch_arrival(w, first_arrival(w, at), at);
    switch_due(w);
}

void station_until(struct station *s, time_ps until) {
    for (time_ps at; (at = earliest_time(&s->due)) <= until && at != TIME_NONE;)
        switch_step(&s->sw[earliest_place(&s->due)], at);
}

time_ps station_next(const struct station *s) { return earliest_time(&s->due); }

/* ---- failures of links ---- */

/* Drops the frames of a line that would arrive after `now`; returns how many. Duplicates are not counted, since they never
 * left a port. */
static uint64_t line_cut(struct frames *frames, struct line *line, struct station_impaired *x, time_ps now) {
    uint64_t n = 0;
    while (line->n > 0 && line_at(line, line->n - 1)->at > now) {
        struct line_frame f = line_drop_last(line);
        frames_release(frames, f.index);
        if (f.is_copy)
            x->duplicated--;
        else
            n++;
    }
    return n;
}

/* Loses what is on the link: from the switch, and to it if the other end is outside. Otherwise that end is a switch here,
 * which has an event of its own. */
static void link_cut(struct station_switch *w, uint16_t port, time_ps now) {
    struct station_link *l = &w->out[port];
    uint64_t lost = line_cut(&w->station->frames, &l->line, l->impaired[0], now);
    w->forwarder.count.left -= lost;
    w->forwarder.count.dropped[DROP_LINK_DOWN] += lost;
    w->forwarder.extra[port].dropped[DROP_LINK_DOWN] += lost;
    if (l->to) {
        arrival_due(l->to, l->to_port);
        return;
    }
    l->is_cut = true;
    l->lost_outside += line_cut(&w->station->frames, &w->outside[port], l->impaired[1], now);
    arrival_due(w, port);
}

void station_event(struct station *s, const struct fabric_event *e) {
    uint32_t place = station_find(s, e->node);
    if (place == UINT32_MAX) return;
    struct station_switch *w = &s->sw[place];
    switch_event(&w->forwarder.sw, e);
    if (e->kind == EVENT_LINK_DOWN) link_cut(w, e->port, e->at);
    if (e->kind == EVENT_LINK_UP) {
        w->out[e->port].is_cut = false;
        forwarder_link_up(&w->forwarder, e->port);
    }
    switch_due(w);
}

void station_ask_hosts(struct station *s, time_ps now) {
    for (uint32_t i = 0; i < s->n; i++) {
        forwarder_ask_hosts(&s->sw[i].forwarder, now);
        switch_due(&s->sw[i]);
    }
}

void station_reroute(struct station *s, time_ps now) {
    for (uint32_t i = 0; i < s->n; i++) {
        switch_reroute(&s->sw[i].forwarder.sw, now);
        switch_due(&s->sw[i]);
    }
}

/* ---- the outside ---- */

/* Sets *at to the time at which the frame has crossed the host's link. Returns false if the queue of the host's NIC is
 * full. */
static bool host_paced(struct station_switch *w, uint16_t port, uint32_t length, time_ps *at) {
    const struct place_port *p = &w->station->fabric->paths.port[w->first_port + port];
    struct station_link *l = &w->out[port];
    if (!w->station->paces_hosts || p->neighbour_tier != TIER_HOST) return true;
    uint32_t wire_bytes = (length < FRAME_MIN_BYTES ? FRAME_MIN_BYTES : length) + FRAME_UNSEEN_BYTES;
    span_ps full = port_serialize_slow(p->rate_bps, FULL_WIRE_BYTES);
    if (l->nic_busy - *at > STATION_NIC_FRAMES * full) return false;
    l->nic_busy = max_i64(l->nic_busy, *at) + port_serialize_slow(p->rate_bps, wire_bytes);
    *at = l->nic_busy + p->delay;
    return true;
}

void station_arrive(struct station *s, uint32_t place, uint16_t port, time_ps at, uint32_t index, size_t captured,
                    size_t length) {
    struct station_switch *w = &s->sw[place];
    if (w->out[port].is_cut) {
        w->out[port].lost_outside++;
        frames_release(&s->frames, index);
        return;
    }
    if (!host_paced(w, port, (uint32_t)length, &at)) {
        w->forwarder.count.not_taken++;
        frames_release(&s->frames, index);
        return;
    }
    link_put(&s->frames, w->out[port].impaired[1], &w->outside[port],
             (struct line_frame){.at = at, .index = index, .captured = (uint32_t)captured, .length = (uint32_t)length});
    arrival_due(w, port);
}

static void link_impair(struct station_link *l, bool inwards, const struct impairment *what, uint64_t seed,
                        uint64_t number) {
    struct station_impaired *x = l->impaired[inwards];
    if (!x && impairment_is_none(what)) return;
    if (!x) {
        l->impaired[inwards] = x = memory_one(sizeof *x);
        random_init(&x->random, seed, RANDOM_IMPAIR, number | (uint64_t)inwards << 32);
    }
    x->what = *what;
}

void station_impair(struct station *s, uint32_t node, uint16_t port, const struct impairment *what) {
    uint32_t place = station_find(s, node);
    if (place == UINT32_MAX) return;
    struct station_switch *w = &s->sw[place];
    uint32_t global = w->first_port + port;
    link_impair(&w->out[port], false, what, s->seed, global);
    if (s->fabric->paths.port[global].neighbour_tier == TIER_HOST)
        link_impair(&w->out[port], true, what, s->seed, global);
}

uint64_t station_lost_outside(const struct station *s, uint32_t place, uint16_t port) {
    return s->sw[place].out[port].lost_outside;
}

const struct station_impaired *station_impaired(const struct station *s, uint32_t place, uint16_t port, bool inwards) {
    return s->sw[place].out[port].impaired[inwards];
}

const struct line_frame *station_departing(const struct station *s, uint32_t place, uint16_t port, time_ps now) {
    const struct line *l = &s->sw[place].out[port].line;
    return line_next(l) <= now ? line_first(l) : NULL;
}

uint32_t station_departing_burst(const struct station *s, uint32_t place, uint16_t port, time_ps now,
                                 struct port_bytes *out, uint32_t most) {
    const struct line *l = &s->sw[place].out[port].line;
    uint32_t n = 0;
    for (; n < most && n < l->n && line_at(l, n)->at <= now; n++)
        out[n] = (struct port_bytes){line_at(l, n)->bytes, line_at(l, n)->captured};
    return n;
}

time_ps station_next_departure(const struct station *s, uint32_t place, uint16_t port) {
    return line_next(&s->sw[place].out[port].line);
}

void station_departed(struct station *s, uint32_t place, uint16_t port) {
    struct line_frame f = line_take(&s->sw[place].out[port].line);
    frames_release(&s->frames, f.index);
}

/* ---- building ---- */

uint32_t station_find(const struct station *s, uint32_t node) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->sw[i].node == node) return i;
    return UINT32_MAX;
}

struct frames *station_frames(struct station *s) {
    return &s->frames;
}
uint32_t station_node(const struct station *s, uint32_t place) { return s->sw[place].node; }
const struct forwarder *station_switch(const struct station *s, uint32_t place) { return &s->sw[place].forwarder; }

static void switch_build(struct station *s, uint32_t place, const struct station_setup *setup) {
    struct station_switch *w = &s->sw[place];
    const uint32_t *first = s->fabric->paths.first_port;
    struct forwarder_setup inside = {.fabric = setup->fabric,
                                     .config = setup->config,
                                     .seed = setup->seed,
                                     .node = setup->node[place],
                                     .frames = &s->frames,
                                     .sink = {w, station_leave},
                                     .answers = setup->answers};
    w->station = s;
    w->place = place;
    w->node = setup->node[place];
    w->first_port = first[w->node];
    w->n_ports = (uint16_t)(first[w->node + 1] - first[w->node]);
    forwarder_init(&w->forwarder, &inside);
    w->out = memory_get(w->n_ports, sizeof *w->out);
    w->outside = memory_get(w->n_ports, sizeof *w->outside);
    w->in = memory_get(w->n_ports, sizeof *w->in);
    earliest_init(&w->arrivals, w->n_ports);
}

/* Joins the links of a switch to those of its neighbours in the station. */
static void switch_join(struct station_switch *w) {
    const struct fabric *fabric = w->station->fabric;
    for (uint16_t p = 0; p < w->n_ports; p++) {
        const struct place_port *port = &fabric->paths.port[w->first_port + p];
        uint32_t neighbour = station_find(w->station, port->neighbour);
        struct station_link *l = &w->out[p];
        l->delay = port->delay;
        w->in[p] = &w->outside[p];
        if (neighbour == UINT32_MAX) continue;
        l->to = &w->station->sw[neighbour];
        l->to_port = fabric->paths.port[port->peer].port;
        w->in[p] = &l->to->out[l->to_port].line;
    }
    switch_due(w);
}

struct station *station_create(const struct station_setup *setup, struct diag *d) {
    for (uint32_t i = 0; i < setup->n; i++) {
        struct forwarder_setup one = {.fabric = setup->fabric, .config = setup->config, .node = setup->node[i]};
        if (!forwarder_possible(&one, d)) return NULL;
    }
    struct station *s = memory_one(sizeof *s);
    s->fabric = setup->fabric;
    s->paces_hosts = setup->paces_hosts;
    s->seed = setup->seed;
    s->tie_key = tie_key(setup->seed);
    s->tap = setup->tap;
    s->n = setup->n;
    s->sw = memory_get(s->n, sizeof *s->sw);
    frames_init(&s->frames);
    earliest_init(&s->due, s->n);
    for (uint32_t i = 0; i < s->n; i++) switch_build(s, i, setup);
    for (uint32_t i = 0; i < s->n; i++) switch_join(&s->sw[i]);
    return s;
}

static void switch_destroy(struct station_switch *w) {
    forwarder_fini(&w->forwarder);
    for (uint16_t p = 0; p < w->n_ports; p++) {
        line_fini(&w->out[p].line);
        line_fini(&w->outside[p]);
        free(w->out[p].impaired[0]);
        free(w->out[p].impaired[1]);
    }
    free(w->out);
    free(w->outside);
    free(w->in);
    earliest_fini(&w->arrivals);
}

void station_destroy(struct station *s) {
    if (!s) return;
    for (uint32_t i = 0; i < s->n; i++) switch_destroy(&s->sw[i]);
    free(s->sw);
    earliest_fini(&s->due);
    frames_fini(&s->frames);
    free(s);
}
