/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/observer.h"

#include "base/memory.h"
#include "sim/engine/partition.h"
#include "sim/observe/recorder.h"
#include "wire/credit_header.h"

#include <stdlib.h>
#include <string.h>

/* The last known state of a watched flow, to detect changes. */
struct watched {
    uint32_t cwnd_bytes, timeouts;
    bool finished;
};

/* A watched frame inside a switch. */
struct standing {
    time_ps since;
    bool ce; /* it arrived marked */
};

/* An observer of one partition. */
struct onlooker {
    struct observer calls; /* what the engine knows of it */
    const struct world_config *config;
    const struct partition *part;
    struct timeline timeline;
    uint8_t *watch;             /* bit per flow that is watched */
    struct watched *seen;       /* [n_flow] in the order of config->measure.flow */
    struct recorder **recorder; /* [n_nodes]; NULL: no capture there */
    struct standing *standing;  /* by descriptor; entries without a watched frame are stale */
    uint32_t n_standing;
};

static bool observer_watches(const struct onlooker *o, const struct packet *p) {
    uint32_t flow = p->flow & FLOW_MASK;
    return p->flow != FLOW_NONE && o->watch[flow / 8] >> flow % 8 & 1;
}

static struct watched *observer_seen(struct onlooker *o, uint32_t flow) {
    const struct measure_config *m = &o->config->measure;
    for (uint32_t i = 0; i < m->n_flow; i++)
        if (m->flow[i] == flow) return &o->seen[i];
    return NULL;
}

static enum timeline_frame frame_of(const struct onlooker *o, const struct packet *p) {
    static const uint8_t of_credits[CREDIT_KIND + 1] = {
        [CREDIT_REQUEST] = TIMELINE_REQUEST, [CREDIT_GRANT] = TIMELINE_CREDIT, [CREDIT_DATA] = TIMELINE_DATA,
        [CREDIT_STOP] = TIMELINE_STOP,       [CREDIT_DONE] = TIMELINE_DONE,
    };
    if (p->origin >= o->config->fabric->n_hosts) return TIMELINE_OF_SWITCH;
    if (p->proto == PROTO_CREDIT) return (enum timeline_frame)of_credits[credit_kind(p)];
    return p->flow & FLOW_REVERSE ? TIMELINE_ACK : TIMELINE_DATA;
}

/* Returns the number of a frame's credit. Credits have numbers, except void ones; so have data frames that used one. */
static int64_t credit_of(const struct packet *p) {
    bool numbered = (credit_kind(p) == CREDIT_GRANT && !(p->tcp_flags & CREDIT_VOID)) ||
                    (credit_kind(p) == CREDIT_DATA && !(p->tcp_flags & CREDIT_UNSCHEDULED));
    return p->proto == PROTO_CREDIT && numbered ? (int64_t)p->ack : TIMELINE_NO_CREDIT;
}

/* Returns the timeline entry of a frame. Sequence numbers count from the flow's first byte; those of UDP and credits
 * count packets already. */
static struct timeline_entry entry_of(const struct onlooker *o, const struct packet *p, const struct sim_node *n,
                                      uint16_t port, time_ps at, enum timeline_kind kind) {
    enum timeline_frame frame = frame_of(o, p);
    bool acks = p->flow & FLOW_REVERSE && p->proto != PROTO_CREDIT;
    uint32_t first = p->proto == PROTO_TCP ? host_isn(o->config->seed, p->flow & FLOW_MASK, SIDE_SENDER) + 1 : 0;
    return (struct timeline_entry){.at = at,
                                   .flow = p->flow & FLOW_MASK,
                                   .node = n->node,
                                   .port = port,
                                   .kind = kind,
                                   .seq_offset = (acks ? p->ack : p->seq) - first,
                                   .size = p->payload_bytes,
                                   .credit = credit_of(p),
                                   .frame = (uint8_t)frame};
}

/* Adds entries for changes in the tally of a host's end: the window, timeouts, the last byte. */
static void observe_ends(struct onlooker *o, const struct partition *part, const struct sim_node *n, time_ps at,
                         const struct packet *p) {
    uint32_t flow = p->flow & FLOW_MASK;
    const struct flow *f = &o->config->flows->flow[flow];
    struct tallies tallies = *part->shared.tallies->of;
    struct watched *seen = observer_seen(o, flow);
    struct timeline_entry e = entry_of(o, p, n, 0, at, TIMELINE_CWND);
    if (f->src == n->node) {
        host_settle(part->shared.sender[flow]);
        struct flow_tally t = tally_of(tallies, flow);
        uint32_t timeouts = t.syn_timeouts + t.data_timeouts;
        e.size = t.cwnd_bytes;
        if (timeouts != seen->timeouts) {
            struct timeline_entry late = e;
            late.kind = TIMELINE_TIMEOUT;
            timeline_add(&o->timeline, &late);
        }
        if (t.cwnd_bytes != seen->cwnd_bytes) timeline_add(&o->timeline, &e);
        seen->timeouts = timeouts;
        seen->cwnd_bytes = t.cwnd_bytes;
    } else if (tally_finished_at(tallies, flow) != TIME_NONE && !seen->finished) {
        seen->finished = true;
        e = entry_of(o, p, n, 0, tally_finished_at(tallies, flow), TIMELINE_FINISHED);
        timeline_add(&o->timeline, &e);
    }
}

static const struct sim_node *observer_node(const struct onlooker *o, uint32_t node) {
    for (uint32_t i = 0; i < o->part->n_nodes; i++)
        if (o->part->nodes[i].node == node) return &o->part->nodes[i];
    return NULL;
}

/* Adds the last byte of receivers that send no answer (UDP), so that no emission showed it. */
static void observe_silent_ends(struct onlooker *o) {
    const struct measure_config *m = &o->config->measure;
    for (uint32_t i = 0; i < m->n_flow; i++) {
        uint32_t flow = m->flow[i];
        const struct flow *f = &o->config->flows->flow[flow];
        time_ps at = tally_finished_at(*o->part->shared.tallies->of, flow);
        if (at == TIME_NONE || observer_seen(o, flow)->finished || !observer_node(o, f->dst)) continue;
        observer_seen(o, flow)->finished = true;
        timeline_add(
            &o->timeline,
            &(struct timeline_entry){
                .at = at, .flow = flow, .node = f->dst, .kind = TIMELINE_FINISHED, .credit = TIMELINE_NO_CREDIT});
    }
}

static void observe_standing(struct onlooker *o, uint32_t packet, time_ps at, bool ce) {
    if (packet >= o->n_standing) {
        uint32_t n = 2 * packet + 64;
        o->standing = memory_grow(o->standing, n, sizeof *o->standing);
        memset(o->standing + o->n_standing, 0, (n - o->n_standing) * sizeof *o->standing);
        o->n_standing = n;
    }
    o->standing[packet] = (struct standing){at, ce};
}

/* Returns when the frame that leaves a queue entered it, and whether it was marked then. A frame that the node made
 * counts from its birth; at a host, the stack comes before the queue. */
static struct standing observe_came(const struct onlooker *o, const struct sim_node *n, const struct packet *p,
                                    uint32_t packet) {
    if (n->is_host) return (struct standing){p->birth + o->config->hosts.processing_delay, false};
    if (p->origin == n->node) return (struct standing){p->birth, false};
    return o->standing[packet];
}

/* Returns the frame bytes that the link sent between a frame's arrival in the queue and its own first bit. */
static int64_t observe_behind(const struct port_view *v, const struct standing *came, time_ps depart,
                              uint32_t wire_bytes) {
    span_ps waited = depart - port_serialize_slow(v->rate_bps, wire_bytes) - came->since;
    return waited > 0 ? port_frame_bytes(v, waited) : 0;
}

static void observe_arrival(struct observer *calls, const struct partition *part, const struct sim_node *n, time_ps at,
                            uint16_t port, uint32_t packet) {
    struct onlooker *o = (struct onlooker *)calls;
    const struct packet *p = packet_at(&part->pool, packet);
    if (o->recorder[n->node]) {
        span_ps stack = n->is_host ? o->config->hosts.processing_delay : 0;
        recorder_in(o->recorder[n->node], &part->pool, port, at - stack, packet);
    }
    if (!observer_watches(o, p)) return;
    if (!n->is_host) {
        observe_standing(o, packet, at, (p->tos & ECN_MASK) == ECN_CE);
        return;
    }
    struct timeline_entry e = entry_of(o, p, n, port, at, TIMELINE_DELIVERED);
    timeline_add(&o->timeline, &e);
}

static void observe_emission(struct observer *calls, const struct partition *part, const struct sim_node *n,
                             time_ps now, const struct emission *e) {
    struct onlooker *o = (struct onlooker *)calls;
    const struct packet *p = packet_at(&part->pool, e->packet);
    bool lost_on_wire = e->drop == DROP_LOSS;
    if (o->recorder[n->node] && !e->consumed && (!e->drop || lost_on_wire) && e->depart)
        recorder_out(o->recorder[n->node], &part->pool, e->port, now, e->depart, e->packet);
    if (!observer_watches(o, p) || e->consumed) return;
    const struct port_view *v = &part->view[n->first_port + e->port];
    struct standing came = observe_came(o, n, p, e->packet);
    struct timeline_entry line =
        entry_of(o, p, n, e->port, n->is_host ? now : came.since, n->is_host ? TIMELINE_SENT : TIMELINE_ENQUEUED);
    if (n->is_host) observe_ends(o, part, n, now, p);
    if (e->drop) {
        line.at = now;
        line.kind = TIMELINE_DROPPED;
        timeline_add(&o->timeline, &line);
        return;
    }
    line.backlog_bytes = observe_behind(v, &came, e->depart, p->wire_bytes);
    timeline_add(&o->timeline, &line);
    if ((p->tos & ECN_MASK) == ECN_CE && !came.ce) {
        line.kind = TIMELINE_MARKED;
        timeline_add(&o->timeline, &line);
    }
    line.at = e->depart;
    line.kind = TIMELINE_DEQUEUED;
    timeline_add(&o->timeline, &line);
}

/* ---- before and after the run ---- */

static bool observer_captures(struct onlooker *o, struct partition *part, struct diag *d) {
    const struct measure_config *m = &o->config->measure;
    for (uint32_t i = 0; i < part->n_nodes; i++)
        for (uint32_t k = 0; k < m->n_pcap; k++) {
            uint32_t node = part->nodes[i].node;
            if (m->pcap_node[k] != node || o->recorder[node]) continue;
            o->recorder[node] = recorder_open(o->config->fabric, node, m->pcap_dir, m->snap_bytes, d);
            if (!o->recorder[node]) return false;
        }
    return true;
}

bool observer_create(const struct world_config *config, struct partition *part, struct diag *d) {
    const struct measure_config *m = &config->measure;
    if (!m->n_flow && !m->n_pcap) return true;
    struct onlooker *o = memory_get(1, sizeof *o);
    o->calls = (struct observer){.arrival = observe_arrival, .emission = observe_emission};
    part->observer = &o->calls;
    o->config = config;
    o->part = part;
    timeline_init(&o->timeline, 0);
    o->watch = memory_get(config->flows->n / 8 + 1, 1);
    o->seen = memory_get(m->n_flow, sizeof *o->seen);
    o->recorder = memory_get(config->fabric->n_nodes, sizeof(struct recorder *));
    for (uint32_t i = 0; i < m->n_flow; i++)
        if (m->flow[i] < config->flows->n) o->watch[m->flow[i] / 8] |= (uint8_t)(1u << m->flow[i] % 8);
    return observer_captures(o, part, d);
}

bool observer_finish(struct partition *part, struct timeline *t, struct diag *d) {
    struct onlooker *o = (struct onlooker *)part->observer;
    bool good = true;
    observe_silent_ends(o);
    for (uint32_t n = 0; n < o->config->fabric->n_nodes; n++)
        if (o->recorder[n] && !recorder_close(o->recorder[n], d)) good = false;
    timeline_fini(t);
    *t = o->timeline;
    free(o->watch);
    free(o->seen);
    free(o->recorder);
    free(o->standing);
    free(o);
    part->observer = NULL;
    return good;
}
