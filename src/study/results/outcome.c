/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/outcome.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x68656464u
#define NAME_ROOM 64

struct header {
    uint32_t magic, result_bytes;
    uint32_t n_nodes, n_hosts, n_ports, n_flows, n_queries;
    uint64_t names_bytes;
};

/* ---- writing ---- */

static void put(FILE *out, const void *data, size_t n, size_t size) {
    if (n) fwrite(data, size, n, out);
}

static char *names_collect(const struct fabric *f, uint64_t *bytes) {
    char *names = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&names, &size);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        char name[NAME_ROOM];
        fabric_node_name(f, i, name, sizeof name);
        fwrite(name, 1, strlen(name) + 1, out);
    }
    fclose(out);
    *bytes = size;
    return names;
}

static void put_ports(FILE *out, const struct fabric *f) {
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        uint32_t first = f->paths.first_port[node], end = f->paths.first_port[node + 1];
        for (uint32_t p = first; p < end; p++) {
            const struct place_port *at = &f->paths.port[p];
            struct outcome_port port = {node, at->neighbour, at->link_tier, 0};
            for (uint32_t q = first; q < p; q++) port.parallel += f->paths.port[q].neighbour == at->neighbour;
            put(out, &port, 1, sizeof port);
        }
    }
}

static void put_counters(FILE *out, const struct run_result *r) {
    for (size_t i = 0; i < r->n_counters; i++) {
        char name[NAME_ROOM] = "";
        snprintf(name, sizeof name, "%s", r->counter[i].name);
        put(out, name, 1, sizeof name);
        put(out, &r->counter[i].value, 1, sizeof r->counter[i].value);
    }
}

bool outcome_write(FILE *out, const struct assembly *a, const struct run_result *r) {
    const struct fabric *f = a->fabric;
    struct header h = {.magic = MAGIC,
                       .result_bytes = sizeof *r,
                       .n_nodes = f->n_nodes,
                       .n_hosts = f->n_hosts,
                       .n_ports = f->paths.first_port[f->n_nodes],
                       .n_flows = r->tally ? r->n_flows : 0,
                       .n_queries = r->tally ? a->flows.n_queries : 0};
    char *names = names_collect(f, &h.names_bytes);
    put(out, &h, 1, sizeof h);
    put(out, r, 1, sizeof *r);
    put(out, names, h.names_bytes, 1);
    put_ports(out, f);
    put_counters(out, r);
    put(out, a->flows.flow, h.n_flows, sizeof *a->flows.flow);
    put(out, a->flows.query, h.n_queries, sizeof *a->flows.query);
    put(out, r->tally, h.n_flows, sizeof *r->tally);
    put(out, r->bound_ps, r->bound_ps ? h.n_flows : 0, sizeof *r->bound_ps);
    put(out, r->port, r->n_ports, sizeof *r->port);
    put(out, r->buffer, r->n_buffers, sizeof *r->buffer);
    put(out, r->pause, r->n_pauses, sizeof *r->pause);
    put(out, r->ring, r->n_ring_lanes, sizeof *r->ring);
    put(out, r->sample, r->n_samples, sizeof *r->sample);
    put(out, r->imbalance, r->n_imbalance, sizeof *r->imbalance);
    put(out, r->join, r->n_joins, sizeof *r->join);
    put(out, r->timeline, r->n_timeline, sizeof *r->timeline);
    put(out, &h.magic, 1, sizeof h.magic);
    free(names);
    return fflush(out) == 0 && !ferror(out);
}

/* ---- reading ---- */

/* Returns n elements from the file; NULL if n is 0 or *ok is false. Clears *ok if the file ends early. */
static void *take(FILE *in, size_t n, size_t size, bool *ok) {
    if (!*ok || n == 0) return NULL;
    void *data = memory_get(n, size);
    *ok = fread(data, size, n, in) == n;
    return data;
}

static void take_counters(FILE *in, struct run_result *r, bool *ok) {
    r->counter = r->n_counters ? memory_get(r->n_counters, sizeof *r->counter) : NULL;
    for (size_t i = 0; *ok && i < r->n_counters; i++) {
        char name[NAME_ROOM];
        *ok =
            fread(name, sizeof name, 1, in) == 1 && fread(&r->counter[i].value, sizeof r->counter[i].value, 1, in) == 1;
        if (*ok) r->counter[i].name = strdup(name);
    }
}

static void nodes_index(struct outcome *o, uint64_t bytes) {
    o->node = memory_get(o->n_nodes + 1u, sizeof *o->node);
    const char *at = o->names;
    for (uint32_t i = 0; i < o->n_nodes && at < o->names + bytes; i++, at += strlen(at) + 1) o->node[i] = at;
}

/* Fills first_port. Ports are in the order of their nodes. */
static void ports_index(struct outcome *o) {
    o->first_port = memory_get(o->n_nodes + 1u, sizeof *o->first_port);
    for (uint32_t p = o->n_ports; p-- > 0;) {
        if (o->port[p].node < o->n_nodes) o->first_port[o->port[p].node] = p;
    }
}

/* Reads the arrays that follow the struct in the file. Its pointers are those of the other process. */
static void take_arrays(FILE *in, struct outcome *o, const struct header *h, bool bounds, bool *ok) {
    struct run_result *r = &o->result;
    take_counters(in, r, ok);
    r->n_flows = h->n_flows;
    o->n_queries = h->n_queries;
    o->flow = take(in, h->n_flows, sizeof *o->flow, ok);
    o->query = take(in, h->n_queries, sizeof *o->query, ok);
    r->tally = take(in, h->n_flows, sizeof *r->tally, ok);
    r->bound_ps = take(in, bounds ? h->n_flows : 0, sizeof *r->bound_ps, ok);
    r->port = take(in, r->n_ports, sizeof *r->port, ok);
    r->buffer = take(in, r->n_buffers, sizeof *r->buffer, ok);
    r->pause = take(in, r->n_pauses, sizeof *r->pause, ok);
    r->ring = take(in, r->n_ring_lanes, sizeof *r->ring, ok);
    r->sample = take(in, r->n_samples, sizeof *r->sample, ok);
    r->imbalance = take(in, r->n_imbalance, sizeof *r->imbalance, ok);
    r->join = take(in, r->n_joins, sizeof *r->join, ok);
    r->timeline = take(in, r->n_timeline, sizeof *r->timeline, ok);
}

static void arrays_forget(struct run_result *r) {
    r->counter = NULL;
    r->port = NULL;
    r->buffer = NULL;
    r->pause = NULL;
    r->ring = NULL;
    r->sample = NULL;
    r->imbalance = NULL;
    r->join = NULL;
    r->timeline = NULL;
    r->tally = NULL;
    r->bound_ps = NULL;
}

bool outcome_read(FILE *in, struct outcome *o) {
    *o = (struct outcome){0};
    struct header h;
    struct run_result *r = &o->result;
    bool ok = fread(&h, sizeof h, 1, in) == 1 && h.magic == MAGIC && h.result_bytes == sizeof *r &&
              fread(r, sizeof *r, 1, in) == 1;
    if (!ok) {
        *o = (struct outcome){0};
        return false;
    }
    bool bounds = r->bound_ps != NULL;
    arrays_forget(r);
    o->n_nodes = h.n_nodes;
    o->n_hosts = h.n_hosts;
    o->n_ports = h.n_ports;
    o->names = take(in, h.names_bytes, 1, &ok);
    if (ok) nodes_index(o, h.names_bytes);
    o->port = take(in, h.n_ports, sizeof *o->port, &ok);
    if (ok) ports_index(o);
    take_arrays(in, o, &h, bounds, &ok);
    uint32_t end;
    return ok && fread(&end, sizeof end, 1, in) == 1 && end == MAGIC;
}

void outcome_free(struct outcome *o) {
    struct run_result *r = &o->result;
    for (size_t i = 0; r->counter && i < r->n_counters; i++)
        free((char *)r->counter[i].name); /* copies, made by outcome_read */
    run_result_free(r);
    free(o->flow);
    free(o->query);
    free(o->names);
    free(o->node);
    free(o->port);
    free(o->first_port);
    *o = (struct outcome){0};
}

/* ---- names ---- */

const char *outcome_egress(const struct outcome *o, uint32_t port, char buf[OUTCOME_EGRESS]) {
    const struct outcome_port *p = &o->port[port];
    char parallel[16] = "";
    if (p->parallel) snprintf(parallel, sizeof parallel, "#%u", p->parallel);
    snprintf(buf, OUTCOME_EGRESS, "%s>%s%s", o->node[p->node], o->node[p->neighbour], parallel);
    return buf;
}
