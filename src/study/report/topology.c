/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/topology.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/report/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static const char *const tiers[] = {"host", "uplink", "core", "peer", "other"};
#define N_TIERS (sizeof tiers / sizeof *tiers)

static size_t tier_place(const char *word) {
    size_t at = 0;
    while (at + 1 < N_TIERS && !(word && strcmp(tiers[at], word) == 0)) at++;
    return at;
}

static bool nodes_read(const struct store_reader *r, int64_t run, struct topology *t, struct diag *d) {
    struct store_rows rows;
    struct node_row x;
    if (!store_rows_begin(r, STORE_NODES, run, &rows, d)) return false;
    while (store_next_node(&rows, &x)) {
        t->name = memory_grow(t->name, t->n_nodes + 1, sizeof *t->name);
        t->name[t->n_nodes++] = text_copy(x.name ? x.name : "");
    }
    return store_rows_end(&rows, d);
}

/* Returns true if the port joins existing nodes; a damaged row is left out. */
static bool is_sane(const struct topology *t, const struct port_row *x) {
    int64_t n = (int64_t)t->n_nodes;
    return x->port >= 0 && x->port < 1 << 28 && x->node >= 0 && x->node < n && x->neighbour >= 0 && x->neighbour < n;
}

static bool ports_read(const struct store_reader *r, int64_t run, struct topology *t, struct diag *d) {
    struct store_rows rows;
    struct port_row x;
    t->most = -1;
    if (!store_rows_begin(r, STORE_PORTS, run, &rows, d)) return false;
    while (store_next_port(&rows, &x)) {
        if (!is_sane(t, &x)) continue;
        if (t->n_ports % 256 == 0) t->port = memory_grow(t->port, t->n_ports + 256, sizeof *t->port);
        x.link_tier = tiers[tier_place(x.link_tier)];
        t->port[t->n_ports++] = x;
        t->most = x.port > t->most ? x.port : t->most;
    }
    return store_rows_end(&rows, d);
}

static void index_fill(struct topology *t) {
    t->index = memory_get((size_t)t->most + 2, sizeof *t->index);
    t->sender = memory_get((size_t)t->most + 2, sizeof *t->sender);
    for (int64_t i = 0; i <= t->most; i++) t->index[i] = SIZE_MAX;
    for (size_t i = 0; i < t->n_ports; i++) {
        t->index[t->port[i].port] = i;
        t->sender[t->port[i].port] = (uint32_t)t->port[i].node;
    }
}

/* Counts the hosts: nodes with only host links, numbered below all their neighbours. Hosts are numbered before
 * switches. */
static void hosts_count(struct topology *t) {
    int64_t first_switch = (int64_t)t->n_nodes;
    for (size_t i = 0; i < t->n_ports; i++) {
        const struct port_row *x = &t->port[i];
        bool down = strcmp(x->link_tier, "host") != 0 || x->neighbour < x->node;
        if (down && x->node < first_switch) first_switch = x->node;
    }
    t->n_hosts = (size_t)first_switch;
}

/* Finds the node at the other end of each host's first port; the host itself if it has none. */
static void leaves_find(struct topology *t) {
    t->leaf = memory_get(t->n_hosts + 1, sizeof *t->leaf);
    for (size_t h = 0; h < t->n_hosts; h++) t->leaf[h] = (uint32_t)h;
    for (size_t i = t->n_ports; i-- > 0;) {
        const struct port_row *x = &t->port[i];
        if ((size_t)x->node < t->n_hosts) t->leaf[x->node] = (uint32_t)x->neighbour;
    }
}

bool topology_read(const struct store_reader *r, const struct run_row *run, struct topology *t, struct diag *d) {
    *t = (struct topology){0};
    if (!nodes_read(r, run->id, t, d) || !ports_read(r, run->id, t, d)) {
        topology_free(t);
        return false;
    }
    index_fill(t);
    hosts_count(t);
    leaves_find(t);
    t->whole_name = t->name;
    t->n_whole = t->n_nodes;
    t->n_whole_hosts = t->n_hosts;
    return true;
}

void topology_free(struct topology *t) {
    for (size_t i = 0; i < t->n_nodes; i++) free(t->name[i]);
    for (size_t i = 0; t->drawn_as && i < t->n_whole; i++) free(t->whole_name[i]);
    free(t->name);
    if (t->drawn_as) free(t->whole_name);
    free(t->port);
    free(t->index);
    free(t->sender);
    free(t->leaf);
    free(t->drawn_as);
    free(t->of);
    free(t->merged);
    *t = (struct topology){0};
}

size_t topology_port(const struct topology *t, int64_t number) {
    return number >= 0 && number <= t->most ? t->index[number] : SIZE_MAX;
}

int64_t topology_drawn(const struct topology *t, int64_t whole) {
    if (whole < 0 || (size_t)whole >= (t->drawn_as ? t->n_whole : t->n_nodes)) return -1;
    return t->drawn_as ? t->drawn_as[whole] : whole;
}

/* ---- JSON ---- */

static json_t *names_json(const struct topology *t) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    for (size_t i = 0; i < t->n_nodes; i++) fprintf(out, "%s%s", i ? "\n" : "", t->name[i]);
    text_stream_end(out, &text);
    json_t *names = json_string(text);
    free(text);
    return names ? names : json_string("");
}

json_t *topology_json(const struct topology *t) {
    uint32_t *node = memory_get(t->n_ports + 1, sizeof *node), *neighbour = memory_get(t->n_ports + 1, sizeof *node),
             *parallel = memory_get(t->n_ports + 1, sizeof *node);
    double *tier = memory_get(t->n_ports + 1, sizeof *tier);
    json_t *words = json_array();
    for (size_t i = 0; i < N_TIERS; i++) json_array_append_new(words, json_string(tiers[i]));
    for (size_t i = 0; i < t->n_ports; i++) {
        node[i] = (uint32_t)t->port[i].node;
        neighbour[i] = (uint32_t)t->port[i].neighbour;
        parallel[i] = (uint32_t)t->port[i].parallel;
        tier[i] = (double)tier_place(t->port[i].link_tier);
    }
    json_t *o =
        json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "names", names_json(t), "nodes",
                  (json_int_t)t->n_nodes, "hosts", (json_int_t)t->n_hosts, "ports", (json_int_t)t->n_ports, "node",
                  pack_integers(node, t->n_ports), "neighbour", pack_integers(neighbour, t->n_ports), "parallel",
                  pack_integers(parallel, t->n_ports), "tier", pack_scaled(tier, t->n_ports, 8), "tiers", words);
    if (t->drawn_as) {
        json_object_set_new(o, "of", pack_integers(t->of, t->n_nodes));
        json_object_set_new(o, "merged", pack_integers(t->merged, t->n_ports));
    }
    free(node);
    free(neighbour);
    free(parallel);
    free(tier);
    return o;
}

static uint64_t mix(uint64_t key, uint64_t value) {
    key ^= value + 0x9e3779b97f4a7c15u + (key << 6) + (key >> 2);
    return key * 0xff51afd7ed558ccdu;
}

uint64_t topology_key(const struct topology *t) {
    uint64_t key = mix(t->n_nodes, t->n_ports);
    for (size_t i = 0; i < t->n_nodes; i++) {
        for (const char *c = t->name[i]; *c; c++) key = mix(key, (unsigned char)*c);
        key = mix(key, '\n');
    }
    for (size_t i = 0; i < t->n_ports; i++) {
        key = mix(key, (uint64_t)t->port[i].node << 32 | (uint64_t)t->port[i].neighbour);
        key = mix(key, (uint64_t)t->port[i].parallel);
    }
    return key & 0xfffffffffffff; /* exact as a number of JavaScript */
}

static double utilisation(const struct port_row *x) { return x->utilisation; }
static double data(const struct port_row *x) { return x->data_utilisation; }
static double queue_mean(const struct port_row *x) { return (double)x->queue_mean_bytes; }
static double queue_max(const struct port_row *x) { return (double)x->queue_max_bytes; }
static double dropped(const struct port_row *x) { return (double)x->dropped; }
static double paused_us(const struct port_row *x) {
    return x->paused_ps == STORE_NULL ? 0 : (double)x->paused_ps / 1e6;
}

static void put_ports(json_t *o, const char *key, const struct topology *t, double (*of)(const struct port_row *)) {
    double *value = memory_get(t->n_ports + 1, sizeof *value);
    bool any = false;
    for (size_t i = 0; i < t->n_ports; i++) {
        value[i] = of(&t->port[i]);
        any = any || value[i] > 0;
    }
    if (any) json_object_set_new(o, key, pack_scaled(value, t->n_ports, 16));
    free(value);
}

json_t *topology_load_json(const struct topology *t, const struct run_row *run) {
    json_t *o = json_pack("{s:I, s:I}", "topology", (json_int_t)topology_key(t), "run", (json_int_t)run->number);
    put_ports(o, "utilisation", t, utilisation);
    put_ports(o, "data", t, data);
    put_ports(o, "queue_mean", t, queue_mean);
    put_ports(o, "queue_max", t, queue_max);
    put_ports(o, "dropped", t, dropped);
    put_ports(o, "paused_us", t, paused_us);
    return o;
}
