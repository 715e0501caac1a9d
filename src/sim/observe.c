#include "sim/observe.h"

#include "sim/partition.h"
#include "sim/recorder.h"

#include <stdlib.h>
#include <string.h>

/* What was last seen of a watched flow, to notice changes. */
struct watched {
    uint32_t cwnd_bytes, timeouts;
    bool finished;
};

struct observer {
    const struct world_config *config;
    struct timeline timeline;
    uint8_t *watch;             /* bit per flow */
    struct watched *seen;       /* [n_flow] in the order of config->measure.flow */
    struct recorder **recorder; /* [n_nodes]; NULL: nobody captures there */
    uint32_t arrived;           /* the frame being processed, */
    bool arrived_ce;            /* and whether it came marked */
};

static void *calloc_or_die(size_t n, size_t size) {
    void *memory = calloc(n ? n : 1, size ? size : 1);
    if (!memory) abort();
    return memory;
}

static bool observer_captures(struct observer *o, struct partition *part, struct diag *d) {
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

bool observer_create(const struct world_config *config, struct partition *part, struct observer **out, struct diag *d) {
    const struct measure_config *m = &config->measure;
    *out = NULL;
    if (!m->n_flow && !m->n_pcap) return true;
    struct observer *o = *out = calloc_or_die(1, sizeof *o);
    o->config = config;
    o->arrived = UINT32_MAX;
    timeline_init(&o->timeline, 0);
    o->watch = calloc_or_die(config->flows->n / 8 + 1, 1);
    o->seen = calloc_or_die(m->n_flow, sizeof *o->seen);
    o->recorder = calloc_or_die(config->fabric->n_nodes, sizeof(struct recorder *));
    for (uint32_t i = 0; i < m->n_flow; i++)
        if (m->flow[i] < config->flows->n) o->watch[m->flow[i] / 8] |= (uint8_t)(1u << m->flow[i] % 8);
    return observer_captures(o, part, d);
}

static bool observer_watches(const struct observer *o, const struct packet *p) {
    uint32_t flow = p->flow & FLOW_MASK;
    return p->flow != FLOW_NONE && o->watch[flow / 8] >> flow % 8 & 1;
}

static struct watched *observer_seen(struct observer *o, uint32_t flow) {
    const struct measure_config *m = &o->config->measure;
    for (uint32_t i = 0; i < m->n_flow; i++)
        if (m->flow[i] == flow) return &o->seen[i];
    return NULL;
}

/* Sequence numbers are told from the flow's first byte; UDP's count datagrams already. */
static struct timeline_entry entry_of(const struct observer *o, const struct packet *p, const struct sim_node *n,
                                      uint16_t port, time_ps at, enum timeline_kind kind) {
    bool ack = p->flow & FLOW_REVERSE;
    uint32_t first = p->proto == PROTO_TCP ? host_isn(o->config->seed, p->flow & FLOW_MASK, SIDE_SENDER) + 1 : 0;
    return (struct timeline_entry){.at = at,
                                   .flow = p->flow & FLOW_MASK,
                                   .node = n->node,
                                   .port = port,
                                   .kind = kind,
                                   .seq_offset = (ack ? p->ack : p->seq) - first,
                                   .size = p->payload_bytes,
                                   .is_ack = ack};
}

/* A host's ends say what they did through the tally: the window, timeouts, the last byte. */
static void observe_ends(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps at,
                         const struct packet *p) {
    uint32_t flow = p->flow & FLOW_MASK;
    const struct flow *f = &o->config->flows->flow[flow];
    const struct flow_tally *t = &part->shared.tally[flow];
    struct watched *seen = observer_seen(o, flow);
    struct timeline_entry e = entry_of(o, p, n, 0, at, TIMELINE_CWND);
    if (f->src == n->node) {
        uint32_t timeouts = t->syn_timeouts + t->data_timeouts;
        e.size = t->cwnd_bytes;
        if (timeouts != seen->timeouts) {
            struct timeline_entry late = e;
            late.kind = TIMELINE_TIMEOUT;
            timeline_add(&o->timeline, &late);
        }
        if (t->cwnd_bytes != seen->cwnd_bytes) timeline_add(&o->timeline, &e);
        seen->timeouts = timeouts;
        seen->cwnd_bytes = t->cwnd_bytes;
    } else if (t->finished_at != TIME_NONE && !seen->finished) {
        seen->finished = true;
        e = entry_of(o, p, n, 0, t->finished_at, TIMELINE_FINISHED);
        timeline_add(&o->timeline, &e);
    }
}

void observe_arrival(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps at,
                     uint16_t port, uint32_t packet) {
    const struct packet *p = packet_at(&part->pool, packet);
    o->arrived = packet;
    o->arrived_ce = (p->tos & ECN_MASK) == ECN_CE;
    if (o->recorder[n->node]) {
        span_ps stack = part->in[n->timer_input + 1 + port].stack;
        recorder_in(o->recorder[n->node], &part->pool, port, at - stack, packet);
    }
    if (!n->is_host || !observer_watches(o, p)) return;
    struct timeline_entry e = entry_of(o, p, n, port, at, TIMELINE_DELIVERED);
    timeline_add(&o->timeline, &e);
}

void observe_emission(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps now,
                      const struct emission *e) {
    const struct packet *p = packet_at(&part->pool, e->packet);
    bool lost_on_wire = e->drop == DROP_LOSS;
    if (o->recorder[n->node] && !e->consumed && (!e->drop || lost_on_wire) && e->depart)
        recorder_out(o->recorder[n->node], &part->pool, e->port, now, e->depart, e->packet);
    if (!observer_watches(o, p) || e->consumed) return;
    const struct port_view *v = &part->view[n->first_port + e->port];
    struct timeline_entry line = entry_of(o, p, n, e->port, now, n->is_host ? TIMELINE_SENT : TIMELINE_ENQUEUED);
    if (n->is_host) observe_ends(o, part, n, now, p);
    if (e->drop) {
        line.kind = TIMELINE_DROPPED;
        timeline_add(&o->timeline, &line);
        return;
    }
    line.backlog_bytes = v->drain_bytes ? v->queued_bytes : port_frame_bytes(v, e->depart - now);
    timeline_add(&o->timeline, &line);
    if ((p->tos & ECN_MASK) == ECN_CE && (o->arrived != e->packet || !o->arrived_ce)) {
        line.kind = TIMELINE_MARKED;
        timeline_add(&o->timeline, &line);
    }
    line.at = e->depart;
    line.kind = TIMELINE_DEQUEUED;
    timeline_add(&o->timeline, &line);
}

bool observer_finish(struct observer *o, struct timeline *t, struct diag *d) {
    bool good = true;
    for (uint32_t n = 0; n < o->config->fabric->n_nodes; n++)
        if (o->recorder[n] && !recorder_close(o->recorder[n], d)) good = false;
    timeline_fini(t);
    *t = o->timeline;
    free(o->watch);
    free(o->seen);
    free(o->recorder);
    free(o);
    return good;
}
