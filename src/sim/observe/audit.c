/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/audit.h"

#include "base/memory.h"
#include "node/cioq.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void audit_init(struct audit_counts *a, uint32_t n_ports, uint32_t n_nodes) {
    a->sent = memory_get(n_ports, sizeof *a->sent);
    a->arrived = memory_get(n_ports, sizeof *a->arrived);
    a->consumed = memory_get(n_nodes, sizeof *a->consumed);
}

void audit_fini(struct audit_counts *a) {
    free(a->sent);
    free(a->arrived);
    free(a->consumed);
    *a = (struct audit_counts){0};
}

/* Frames under way, by the global port that receives them. */
struct under_way {
    const struct partition *part;
    uint32_t *to;
};

static void flight_note(void *context, const struct flight *x) {
    struct under_way *u = context;
    u->to[u->part->nodes[x->node].first_port + x->port]++;
}

static bool link_check(const struct world *w, uint32_t port, uint32_t under_way, char *text, size_t size) {
    const struct fabric *f = w->config->fabric;
    const struct place_port *p = &f->paths.port[port];
    uint64_t sent = w->audit.sent[port], arrived = w->audit.arrived[p->peer];
    if (sent == arrived + under_way) return true;
    char from[FABRIC_NODE_NAME_MAX], at[FABRIC_NODE_NAME_MAX];
    snprintf(text, size,
             "conservation is broken on the link from %s to %s: sent %" PRIu64 ", arrived %" PRIu64 ", on it %u",
             fabric_node_name(f, p->node, from, sizeof from), fabric_node_name(f, p->neighbour, at, sizeof at), sent,
             arrived, under_way);
    return false;
}

static bool links_check(const struct world *w, char *text, size_t size) {
    struct under_way u = {.to = memory_get(w->n_ports, sizeof *u.to)};
    bool sound = true;
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        u.part = &w->partition[i];
        flights_each(&u.part->flights, flight_note, &u);
    }
    for (uint32_t p = 0; p < w->n_ports && sound; p++)
        if (world_has_port(w, p) && world_has_partition(w, w->hop[p].partition))
            sound = link_check(w, p, u.to[w->config->fabric->paths.port[p].peer], text, size);
    free(u.to);
    return sound;
}

static uint64_t node_made(const struct world *w, uint32_t node) {
    uint32_t hosts = w->config->fabric->n_hosts;
    uint64_t made = 0;
    const struct host *h = world_is_host(w, node) ? world_host(w, node) : NULL;
    for (uint32_t i = 0; h && i < h->nics; i++) made += h[i].created + h[i].credits_created;
    if (h) return made;
    return w->sw[node - hosts].created + w->sw[node - hosts].pauses_made;
}

static uint64_t node_holds(const struct world *w, uint32_t node, const struct packet_pool *pool) {
    const struct fabric *f = w->config->fabric;
    uint64_t n = 0;
    for (uint32_t p = f->paths.first_port[node]; p < f->paths.first_port[node + 1]; p++)
        n += port_queue_length(&w->extra[p], pool) + port_control_length(&w->extra[p], pool);
    const struct host *h = world_is_host(w, node) ? world_host(w, node) : NULL;
    for (uint32_t i = 0; h && i < h->nics; i++) n += host_delayed(&h[i]);
    if (!world_is_host(w, node) && w->sw[node - f->n_hosts].cioq) n += cioq_length(w->sw[node - f->n_hosts].cioq, pool);
    return n;
}

static bool node_check(const struct world *w, uint32_t node, char *text, size_t size) {
    const struct fabric *f = w->config->fabric;
    const struct packet_pool *pool = &w->partition[w->part_of[node]].pool;
    uint64_t in = node_made(w, node), out = w->audit.consumed[node] + node_holds(w, node, pool);
    for (uint32_t p = f->paths.first_port[node]; p < f->paths.first_port[node + 1]; p++) {
        in += w->audit.arrived[p];
        out += w->audit.sent[p];
        out += port_dropped_all(&w->port[p], &w->extra[p]) + w->extra[p].credits_dropped + w->extra[p].pauses_dropped;
    }
    if (in == out) return true;
    char name[FABRIC_NODE_NAME_MAX];
    snprintf(text, size,
             "conservation is broken in %s: made or arrived %" PRIu64 ", sent, dropped, consumed or waiting %" PRIu64,
             fabric_node_name(f, node, name, sizeof name), in, out);
    return false;
}

bool audit_check(const struct world *w, char *text, size_t size) {
    if (!links_check(w, text, size)) return false;
    for (uint32_t n = 0; n < w->config->fabric->n_nodes; n++)
        if (world_has_node(w, n) && !node_check(w, n, text, size)) return false;
    return true;
}

/* ---- checks of every build ---- */

static const char *audit_port_name(const struct world *w, uint32_t port, char *buf, size_t size) {
    const struct fabric *f = w->config->fabric;
    const struct place_port *p = &f->paths.port[port];
    char from[FABRIC_NODE_NAME_MAX], to[FABRIC_NODE_NAME_MAX];
    snprintf(buf, size, "%s, port to %s", fabric_node_name(f, p->node, from, sizeof from),
             fabric_node_name(f, p->neighbour, to, sizeof to));
    return buf;
}

static bool node_books(const struct world *w, uint32_t node, char *text, size_t size) {
    const struct fabric *f = w->config->fabric;
    const struct packet_pool *pool = &w->partition[w->part_of[node]].pool;
    const struct cioq *cioq = world_is_host(w, node) ? NULL : w->sw[node - f->n_hosts].cioq;
    char name[160];
    for (uint32_t p = f->paths.first_port[node]; p < f->paths.first_port[node + 1]; p++) {
        if (!port_queue_is_sound(&w->extra[p], pool)) {
            snprintf(text, size, "the books of a queue are wrong: %s", audit_port_name(w, p, name, sizeof name));
            return false;
        }
        uint16_t in = (uint16_t)(p - f->paths.first_port[node]);
        if (cioq && !ingress_is_sound(&cioq->input[in].meter, cioq_input_bytes(cioq, pool, in))) {
            snprintf(text, size,
                     "the meter of an ingress queue is wrong: %s: %" PRId64 " bytes counted, %" PRId64 " there",
                     audit_port_name(w, p, name, sizeof name), cioq->input[in].meter.bytes,
                     cioq_input_bytes(cioq, pool, in));
            return false;
        }
    }
    return true;
}

static bool pool_books(const struct world *w, const struct partition *part, char *text, size_t size) {
    uint64_t there = flights_count(&part->flights);
    for (uint32_t i = 0; i < part->n_nodes; i++) there += node_holds(w, part->nodes[i].node, &part->pool);
    if (there == part->pool.in_use && part->pool.ext_in_use <= part->pool.in_use) return true;
    snprintf(text, size,
             "frames were lost from the books: %" PRIu64 " handed out (%" PRIu64 " extensions), %" PRIu64 " found",
             part->pool.in_use, part->pool.ext_in_use, there);
    return false;
}

bool audit_books(const struct world *w, char *text, size_t size) {
    for (uint32_t n = 0; n < w->config->fabric->n_nodes; n++)
        if (world_has_node(w, n) && !node_books(w, n, text, size)) return false;
    for (uint32_t i = 0; i < w->n_partitions; i++)
        if (!pool_books(w, &w->partition[i], text, size)) return false;
    return true;
}

bool audit_ends(const struct world *w, char *text, size_t size) {
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        const struct host_shared *s = &w->partition[i].shared;
        for (uint32_t t = 0; t < w->config->hosts.n_transports; t++) {
            uint64_t kept = s->ends[2 * t].in_use + s->ends[2 * t + 1].in_use + s->cells[t].in_use;
            if (kept == 0) continue;
            snprintf(text, size, "%s kept %" PRIu64 " cells of connections that are closed",
                     w->config->hosts.transport[t]->name, kept);
            return false;
        }
    }
    return true;
}
