/* SPDX-License-Identifier: Apache-2.0 */
#include "live/switchd.h"

#include "base/memory.h"
#include "live/pace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reasons for a link to be down. */
enum { CUT_BY_OPERATOR = 1, NO_CARRIER = 2, SWITCH_IS_DOWN = 4 };

/* A capture of a link, at one of its switches. */
struct capture {
    uint32_t place;
    uint16_t port;
    struct outlet *out;
    struct capture *next;
};

struct worker {
    struct switchd *switchd;
    struct topology *topology;
    struct station *station;
    struct driver *driver;
    struct driver_edge *edge; /* [n_edges] */
    uint32_t n_edges;
    uint32_t *node; /* [n] its switches, in the order of the station */
    uint32_t n;
    const struct live_port ***live; /* [n][ports of the switch] */
    struct outlet **record;         /* [n]; NULL: not recorded */
    struct capture *captures;       /* running captures of single links */
    pthread_t thread;
    bool runs;
};

struct switchd {
    struct switchd_setup setup;
    struct worker *worker; /* [n] */
    uint32_t n;
    uint16_t *worker_of; /* [nodes of the fabric]; NOBODY: not here */
    struct timespec epoch;
    pthread_mutex_t lock; /* guards `down` */
    uint8_t *down;        /* [ports of the fabric] reasons for which the port's link is down, seen from that end */
    atomic_bool stop;
};

#define NOBODY UINT16_MAX

const struct fabric *switchd_fabric(const struct switchd *s) { return topology_fabric(s->worker[0].topology); }

/* ---- links ---- */

struct link_end {
    uint32_t node;
    uint16_t port;
};

/* Links that fail or come back together, as each thread carries it out for itself. */
struct link_change {
    struct worker *worker;
    bool up;
    uint32_t n;
    struct link_end end[];
};

static void link_change_do(void *arg) {
    struct link_change *c = arg;
    time_ps now = driver_now(c->worker->driver);
    for (uint32_t i = 0; i < c->n; i++)
        topology_link(c->worker->topology, c->worker->station, now, c->end[i].node, c->end[i].port, c->up);
    free(c);
}

static void link_tell(struct switchd *s, const struct link_end *end, uint32_t n, bool up) {
    for (uint32_t i = 0; n > 0 && i < s->n; i++) {
        struct link_change *c = memory_one(sizeof *c + n * sizeof *end);
        *c = (struct link_change){.worker = &s->worker[i], .up = up, .n = n};
        memcpy(c->end, end, n * sizeof *end);
        driver_post(s->worker[i].driver, link_change_do, c);
    }
}

/* Sets or clears a reason at one end; returns whether the link fails or recovers by it. The caller holds the lock. */
static bool link_reason(struct switchd *s, struct link_end end, uint8_t reason, bool up) {
    const struct path_view *v = &switchd_fabric(s)->paths;
    uint32_t global = v->first_port[end.node] + end.port, peer = v->port[global].peer;
    bool was_up = !s->down[global] && !s->down[peer];
    s->down[global] = up ? s->down[global] & (uint8_t)~reason : s->down[global] | reason;
    return (!s->down[global] && !s->down[peer]) != was_up;
}

static void link_reason_tell(struct switchd *s, struct link_end end, uint8_t reason, bool up) {
    pthread_mutex_lock(&s->lock);
    if (link_reason(s, end, reason, up)) link_tell(s, &end, 1, up);
    pthread_mutex_unlock(&s->lock);
}

void switchd_link(struct switchd *s, uint32_t node, uint16_t port, bool up) {
    const struct path_view *v = &switchd_fabric(s)->paths;
    const struct place_port *far = &v->port[v->port[v->first_port[node] + port].peer];
    /* The cut may have been made from the other end. */
    link_reason_tell(s, (struct link_end){node, port}, CUT_BY_OPERATOR, up);
    link_reason_tell(s, (struct link_end){far->node, far->port}, CUT_BY_OPERATOR, up);
}

void switchd_switch(struct switchd *s, uint32_t node, bool up) {
    const struct path_view *v = &switchd_fabric(s)->paths;
    uint32_t n_ports = v->first_port[node + 1] - v->first_port[node], n = 0;
    struct link_end *end = memory_get(n_ports, sizeof *end);
    pthread_mutex_lock(&s->lock);
    for (uint32_t p = 0; p < n_ports; p++) {
        end[n] = (struct link_end){node, (uint16_t)p};
        n += link_reason(s, end[n], SWITCH_IS_DOWN, up);
    }
    link_tell(s, end, n, up);
    pthread_mutex_unlock(&s->lock);
    free(end);
}

static void carrier_changed(void *to, uint32_t node, uint16_t port, bool up) {
    link_reason_tell(to, (struct link_end){node, port}, NO_CARRIER, up);
}

/* An impairment that each thread carries out for its ends of the link. */
struct impair_change {
    struct worker *worker;
    uint32_t node[2];
    uint16_t port[2];
    struct impairment what;
};

static void impair_change_do(void *arg) {
    const struct impair_change *c = arg;
    for (int i = 0; i < 2; i++) station_impair(c->worker->station, c->node[i], c->port[i], &c->what);
}

void switchd_impair(struct switchd *s, uint32_t node, uint16_t port, const struct impairment *what) {
    const struct path_view *v = &switchd_fabric(s)->paths;
    const struct place_port *far = &v->port[v->port[v->first_port[node] + port].peer];
    for (uint32_t i = 0; i < s->n; i++) {
        struct impair_change c = {&s->worker[i], {node, far->node}, {port, far->port}, *what};
        driver_call(s->worker[i].driver, impair_change_do, &c);
    }
}

/* ---- reading ---- */

struct reading {
    struct worker *worker;
    void (*fn)(void *arg, const struct switchd_view *v);
    void *arg;
};

static void reading_do(void *arg) {
    const struct reading *r = arg;
    struct worker *w = r->worker;
    for (uint32_t i = 0; i < w->n; i++)
        r->fn(r->arg, &(struct switchd_view){.node = w->node[i],
                                             .now = driver_now(w->driver),
                                             .forwarder = station_switch(w->station, i),
                                             .driver = driver_counts(w->driver),
                                             .frames = i == 0 ? station_frames(w->station) : NULL,
                                             .topology = w->topology,
                                             .station = w->station,
                                             .place = i,
                                             .live = w->live[i]});
}

void switchd_each(struct switchd *s, void (*fn)(void *arg, const struct switchd_view *v), void *arg) {
    for (uint32_t i = 0; i < s->n; i++) {
        struct reading r = {&s->worker[i], fn, arg};
        driver_call(s->worker[i].driver, reading_do, &r);
    }
}

/* ---- building ---- */

/* Divides the switches among the threads; pods stay whole if there are enough of them. */
static void switchd_divide(struct switchd *s, const struct fabric *f) {
    uint16_t *part = memory_get(f->n_nodes, sizeof *part);
    uint16_t *as = memory_get(f->n_nodes, sizeof *as); /* part -> worker, in the order in which parts occur */
    fabric_partition(f, s->setup.threads, part);
    memset(as, 0xff, f->n_nodes * sizeof *as);
    for (uint32_t i = 0; i < s->setup.n; i++) {
        uint32_t node = s->setup.node[i];
        if (as[part[node]] == NOBODY) as[part[node]] = (uint16_t)s->n++;
        s->worker_of[node] = as[part[node]];
    }
    free(part);
    free(as);
}

static void record_frame(void *to, uint32_t place, const struct outlet_frame *f) {
    const struct worker *w = to;
    if (w->record) outlet_put(w->record[place], f);
    for (const struct capture *c = w->captures; c; c = c->next)
        if (c->place == place && c->port == f->port) outlet_put(c->out, f);
}

static bool worker_record(struct worker *w, const struct fabric *f, struct diag *d) {
    const struct switchd_setup *setup = &w->switchd->setup;
    const struct outlet_place place = {.dir = setup->record_dir,
                                       .command = "heddle switch",
                                       .unit = PCAPNG_NANOSECOND,
                                       .remedy = "name another --record, or replace it with --force",
                                       .force = setup->force};
    w->record = memory_get(w->n, sizeof *w->record);
    for (uint32_t i = 0; i < w->n; i++)
        if (!(w->record[i] = outlet_open(f, w->node[i], &place, d))) return false;
    return true;
}

static bool worker_build(struct worker *w, struct diag *d) {
    const struct switchd *s = w->switchd;
    w->topology = topology_create(s->setup.spec, s->setup.detect, d);
    if (!w->topology) return false;
    const struct fabric *f = topology_fabric(w->topology);
    w->node = memory_get(s->setup.n, sizeof *w->node);
    for (uint32_t i = 0; i < s->setup.n; i++)
        if (s->worker_of[s->setup.node[i]] == w - s->worker) w->node[w->n++] = s->setup.node[i];
    w->live = memory_get(w->n, sizeof *w->live);
    for (uint32_t i = 0; i < w->n; i++)
        w->live[i] = memory_get(f->place[w->node[i] - f->n_hosts].n_ports, sizeof **w->live);
    if (s->setup.record_dir && !worker_record(w, f, d)) return false;
    struct station_setup setup = {.fabric = f,
                                  .config = s->setup.switches,
                                  .seed = s->setup.seed,
                                  .node = w->node,
                                  .n = w->n,
                                  .answers = true,
                                  .paces_hosts = s->setup.paces_hosts,
                                  .tap = {w, record_frame}};
    w->station = station_create(&setup, d);
    return w->station != NULL;
}

static struct worker *worker_of(struct switchd *s, uint32_t node) {
    return s->worker_of[node] == NOBODY ? NULL : &s->worker[s->worker_of[node]];
}

static bool edge_open(struct switchd *s, uint32_t node, uint16_t port, const char *live, bool is_inside,
                      struct diag *d) {
    struct worker *w = worker_of(s, node);
    struct live_port *p = live_port_open(live, d);
    if (!p) return false;
    uint32_t place = station_find(w->station, node);
    w->edge = memory_grow(w->edge, w->n_edges + 1, sizeof *w->edge);
    w->edge[w->n_edges++] = (struct driver_edge){.place = place, .port = port, .is_inside = is_inside, .live = p};
    w->live[place][port] = p;
    return true;
}

static bool edges_open(struct switchd *s, struct diag *d) {
    const struct fabric *f = switchd_fabric(s);
    char a[FABRIC_NODE_NAME_MAX], b[FABRIC_PORT_NAME_MAX];
    for (uint32_t i = 0; i < s->setup.n_edges; i++) {
        const struct switchd_edge *e = &s->setup.edge[i];
        const struct place_port *p = &f->paths.port[f->paths.first_port[e->node] + e->port];
        struct worker *w = worker_of(s, e->node);
        fabric_node_name(f, e->node, a, sizeof a);
        fabric_port_name(f, e->node, e->port, b, sizeof b);
        if (worker_of(s, p->neighbour))
            return diag_say(d, "port %s of %s leads to a switch of this process; leave it out", b, a);
        if (w->live[station_find(w->station, e->node)][e->port])
            return diag_say(d, "port %s of %s is given twice", b, a);
        if (!edge_open(s, e->node, e->port, e->live, false, d)) return false;
    }
    return true;
}

/* Joins a port to the neighbour's, if another thread has that; a port that leads nowhere has no carrier. */
static bool port_join(struct switchd *s, uint32_t node, uint16_t port, struct diag *d) {
    const struct path_view *v = &switchd_fabric(s)->paths;
    uint32_t global = v->first_port[node] + port, peer = v->port[global].peer;
    struct worker *w = worker_of(s, node), *other = worker_of(s, v->port[global].neighbour);
    if (w->live[station_find(w->station, node)][port] || other == w) return true;
    if (!other) {
        s->down[global] = NO_CARRIER;
        for (uint32_t i = 0; i < s->n; i++)
            topology_link(s->worker[i].topology, s->worker[i].station, 0, node, port, false);
        return true;
    }
    char name[64];
    snprintf(name, sizeof name, "ring:%p.%u", (void *)s, global < peer ? global : peer);
    return edge_open(s, node, port, name, true, d);
}

static bool ports_join(struct switchd *s, struct diag *d) {
    const struct fabric *f = switchd_fabric(s);
    for (uint32_t i = 0; i < s->setup.n; i++)
        for (uint16_t p = 0; p < f->place[s->setup.node[i] - f->n_hosts].n_ports; p++)
            if (!port_join(s, s->setup.node[i], p, d)) return false;
    return true;
}

static void *worker_run(void *arg) {
    struct worker *w = arg;
    driver_run(w->driver, &w->switchd->stop);
    return NULL;
}

/* Starts a thread. Returns false if there is none, or its processor does not exist or is not allowed. */
static bool worker_start(struct worker *w, const uint32_t *cpu) {
    pthread_attr_t how;
    pthread_attr_init(&how);
    bool good = true;
    if (cpu) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(*cpu, &set);
        good = pthread_attr_setaffinity_np(&how, sizeof set, &set) == 0;
    }
    w->runs = good && pthread_create(&w->thread, &how, worker_run, w) == 0;
    pthread_attr_destroy(&how);
    return w->runs;
}

/* Returns the rate of the fastest link. */
static int64_t fastest_bps(const struct fabric *f) {
    int64_t fastest = 0;
    for (uint32_t i = 0; i < f->paths.first_port[f->n_nodes]; i++)
        fastest = max_i64(fastest, f->paths.port[i].rate_bps);
    return fastest;
}

static bool workers_start(struct switchd *s, struct diag *d) {
    clock_gettime(CLOCK_MONOTONIC, &s->epoch);
    for (uint32_t i = 0; i < s->n; i++) {
        struct worker *w = &s->worker[i];
        station_ask_hosts(w->station, 0); /* a replay of a recording does the same */
        w->driver = driver_create(&(struct driver_setup){.station = w->station,
                                                         .topology = w->topology,
                                                         .edge = w->edge,
                                                         .n = w->n_edges,
                                                         .epoch = s->epoch,
                                                         .spin = pace_spin(fastest_bps(switchd_fabric(s))),
                                                         .carrier = carrier_changed,
                                                         .to = s});
    }
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t *cpu = s->setup.cpu ? &s->setup.cpu[i] : NULL;
        if (worker_start(&s->worker[i], cpu)) continue;
        return cpu ? diag_say(d, "no thread can run on processor %u; name others by --cpu", *cpu)
                   : diag_say(d, "no thread could be started; give fewer --threads");
    }
    return true;
}

static void workers_end(struct switchd *s) {
    atomic_store(&s->stop, true);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->worker[i].runs) pthread_join(s->worker[i].thread, NULL);
}

/* Removes a capture from its worker and closes its file. */
static bool capture_end(struct worker *w, struct capture *c, struct diag *d) {
    struct capture **at = &w->captures;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    bool good = outlet_close(c->out, true, d);
    free(c);
    return good;
}

static bool worker_free(struct worker *w, bool keep, struct diag *d) {
    bool good = true;
    driver_destroy(w->driver);
    for (uint32_t i = 0; i < w->n_edges; i++) live_port_close(w->edge[i].live);
    station_destroy(w->station);
    for (uint32_t i = 0; w->record && i < w->n; i++)
        if (w->record[i]) good &= outlet_close(w->record[i], keep, good ? d : &(struct diag){0});
    while (w->captures) good &= capture_end(w, w->captures, good ? d : &(struct diag){0});
    topology_destroy(w->topology);
    for (uint32_t i = 0; w->live && i < w->n; i++) free(w->live[i]);
    free(w->live);
    free(w->record);
    free(w->edge);
    free(w->node);
    return good;
}

static bool switchd_free(struct switchd *s, bool keep, struct diag *d) {
    bool good = true;
    for (uint32_t i = 0; i < s->n; i++) good &= worker_free(&s->worker[i], keep, good ? d : &(struct diag){0});
    pthread_mutex_destroy(&s->lock);
    free(s->worker);
    free(s->worker_of);
    free(s->down);
    free(s);
    return good;
}

/* ---- captures of links ---- */

struct capture_change {
    struct worker *worker;
    struct capture *begin; /* NULL: the capture of this switch and port ends */
    uint32_t place;
    uint16_t port;
    struct diag *d;
    bool good;
};

static struct capture *capture_find(const struct worker *w, uint32_t place, uint16_t port) {
    struct capture *c = w->captures;
    while (c && (c->place != place || c->port != port)) c = c->next;
    return c;
}

static void capture_change_do(void *arg) {
    struct capture_change *x = arg;
    struct capture *there = capture_find(x->worker, x->place, x->port);
    if (x->begin && there) {
        x->good = diag_say(x->d, "the link is being captured; end that first");
    } else if (x->begin) {
        x->begin->next = x->worker->captures;
        x->worker->captures = x->begin;
    } else {
        x->good = there ? capture_end(x->worker, there, x->d) : diag_say(x->d, "the link is not being captured");
    }
}

/* Returns the worker of the end of the link that is a switch of this process; of the lower end if both are. */
static struct worker *switch_end(struct switchd *s, uint32_t *node, uint16_t *port) {
    const struct path_view *v = &switchd_fabric(s)->paths;
    const struct place_port *far = &v->port[v->port[v->first_port[*node] + *port].peer];
    if (!worker_of(s, *node)) *node = far->node, *port = far->port;
    return worker_of(s, *node);
}

static bool capture_change(struct switchd *s, uint32_t node, uint16_t port, const char *path, struct diag *d) {
    struct worker *w = switch_end(s, &node, &port);
    const struct outlet_place place = {
        .command = "heddle lab", .unit = PCAPNG_NANOSECOND, .remedy = "name another file"};
    struct capture_change x = {.worker = w, .port = port, .d = d, .good = true};
    if (!w) return diag_say(d, "the link leads to no switch of this process");
    x.place = station_find(w->station, node);
    if (path) {
        struct outlet *out = outlet_open_port(switchd_fabric(s), node, port, path, &place, d);
        if (!out) return false;
        x.begin = memory_one(sizeof *x.begin);
        *x.begin = (struct capture){.place = x.place, .port = port, .out = out};
    }
    driver_call(w->driver, capture_change_do, &x);
    if (!x.good && x.begin) {
        outlet_close(x.begin->out, false, &(struct diag){0});
        free(x.begin);
    }
    return x.good;
}

bool switchd_capture(struct switchd *s, uint32_t node, uint16_t port, const char *path, struct diag *d) {
    return capture_change(s, node, port, path, d);
}

bool switchd_capture_end(struct switchd *s, uint32_t node, uint16_t port, struct diag *d) {
    return capture_change(s, node, port, NULL, d);
}

/* ---- starting and stopping ---- */

static bool switchd_build(struct switchd *s, struct diag *d) {
    bool good = true;
    for (uint32_t i = 0; good && i < s->n; i++) good = worker_build(&s->worker[i], d);
    return good && edges_open(s, d) && ports_join(s, d);
}

static bool nodes_are_switches(const struct switchd_setup *setup, const struct fabric *f, struct diag *d) {
    char name[FABRIC_NODE_NAME_MAX];
    for (uint32_t i = 0; i < setup->n; i++)
        if (setup->node[i] < f->n_hosts)
            return diag_say(d, "%s is a host; name a switch", fabric_node_name(f, setup->node[i], name, sizeof name));
    return true;
}

struct switchd *switchd_start(const struct switchd_setup *setup, struct diag *d) {
    struct topology *t = topology_create(setup->spec, 0, d);
    if (!t) return NULL;
    const struct fabric *f = topology_fabric(t);
    if (!nodes_are_switches(setup, f, d)) {
        topology_destroy(t);
        return NULL;
    }
    struct switchd *s = memory_one(sizeof *s);
    s->setup = *setup;
    s->worker_of = memory_get(f->n_nodes, sizeof *s->worker_of);
    memset(s->worker_of, 0xff, f->n_nodes * sizeof *s->worker_of);
    s->down = memory_get(f->paths.first_port[f->n_nodes], sizeof *s->down);
    pthread_mutex_init(&s->lock, NULL);
    switchd_divide(s, f);
    topology_destroy(t);
    s->worker = memory_get(s->n, sizeof *s->worker);
    for (uint32_t i = 0; i < s->n; i++) s->worker[i].switchd = s;
    if (!switchd_build(s, d)) {
        switchd_free(s, false, &(struct diag){0});
        return NULL;
    }
    if (workers_start(s, d)) return s;
    workers_end(s);
    switchd_free(s, false, &(struct diag){0});
    return NULL;
}

bool switchd_stop(struct switchd *s, struct diag *d) {
    if (!s) return true;
    workers_end(s);
    return switchd_free(s, true, d);
}
