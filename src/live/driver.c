/* SPDX-License-Identifier: Apache-2.0 */
#include "live/driver.h"

#include "base/memory.h"
#include "live/pace.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define CARRIER_EVERY (10 * PS_PER_MS) /* period of carrier checks */
#define DRAIN_MAX PS_PER_S             /* most time for draining at the end */

/* A function that another thread posted to the loop. */
struct driver_task {
    void (*fn)(void *arg);
    void *arg;
    struct driver_task *next;
};

struct driver {
    struct driver_setup setup;
    struct pollfd *fd;  /* [n + 1]: the ports, then the eventfd that wakes the loop */
    bool *has_carrier;  /* [n] */
    time_ps carrier_at; /* time of the next check of carriers */
    bool drains;
    struct driver_counts count;
    pthread_mutex_t lock; /* guards the tasks */
    struct driver_task *first, **last;
    atomic_bool has_tasks;
};

struct driver *driver_create(const struct driver_setup *setup) {
    struct driver *d = memory_one(sizeof *d);
    d->setup = *setup;
    d->fd = memory_get(setup->n + 1, sizeof *d->fd);
    d->has_carrier = memory_get(setup->n, sizeof *d->has_carrier);
    for (uint32_t i = 0; i < setup->n; i++) {
        d->fd[i] = (struct pollfd){.fd = setup->edge[i].live->fd, .events = POLLIN};
        d->has_carrier[i] = true;
    }
    d->fd[setup->n] = (struct pollfd){.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), .events = POLLIN};
    pthread_mutex_init(&d->lock, NULL);
    d->last = &d->first;
    if (!setup->epoch.tv_sec && !setup->epoch.tv_nsec) clock_gettime(CLOCK_MONOTONIC, &d->setup.epoch);
    return d;
}

time_ps driver_now(const struct driver *d) { return pace_now(&d->setup.epoch); }

const struct driver_counts *driver_counts(const struct driver *d) { return &d->count; }

/* ---- tasks of other threads ---- */

void driver_post(struct driver *d, void (*fn)(void *arg), void *arg) {
    struct driver_task *t = memory_one(sizeof *t);
    *t = (struct driver_task){fn, arg, NULL};
    pthread_mutex_lock(&d->lock);
    *d->last = t;
    d->last = &t->next;
    atomic_store(&d->has_tasks, true);
    pthread_mutex_unlock(&d->lock);
    eventfd_write(d->fd[d->setup.n].fd, 1);
}

struct driver_call {
    void (*fn)(void *arg);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool is_done;
};

static void call_run(void *arg) {
    struct driver_call *c = arg;
    c->fn(c->arg);
    pthread_mutex_lock(&c->lock);
    c->is_done = true;
    pthread_cond_signal(&c->done);
    pthread_mutex_unlock(&c->lock);
}

void driver_call(struct driver *d, void (*fn)(void *arg), void *arg) {
    struct driver_call c = {.fn = fn, .arg = arg, .lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
    driver_post(d, call_run, &c);
    pthread_mutex_lock(&c.lock);
    while (!c.is_done) pthread_cond_wait(&c.done, &c.lock);
    pthread_mutex_unlock(&c.lock);
    pthread_mutex_destroy(&c.lock);
    pthread_cond_destroy(&c.done);
}

static void driver_do_tasks(struct driver *d) {
    eventfd_t bell;
    eventfd_read(d->fd[d->setup.n].fd, &bell); /* before the tasks: a task that comes now rings again */
    pthread_mutex_lock(&d->lock);
    struct driver_task *t = d->first;
    d->first = NULL;
    d->last = &d->first;
    atomic_store(&d->has_tasks, false);
    pthread_mutex_unlock(&d->lock);
    while (t) {
        struct driver_task *next = t->next;
        t->fn(t->arg);
        free(t);
        t = next;
    }
}

void driver_destroy(struct driver *d) {
    if (!d) return;
    driver_do_tasks(d);
    close(d->fd[d->setup.n].fd);
    pthread_mutex_destroy(&d->lock);
    free(d->has_carrier);
    free(d->fd);
    free(d);
}

/* ---- carriers ---- */

static void driver_ask_carriers(struct driver *d, time_ps now) {
    d->carrier_at = now + CARRIER_EVERY;
    for (uint32_t i = 0; i < d->setup.n; i++) {
        const struct driver_edge *e = &d->setup.edge[i];
        bool up = live_port_has_carrier(e->live);
        if (up == d->has_carrier[i]) continue;
        d->has_carrier[i] = up;
        uint32_t node = station_node(d->setup.station, e->place);
        if (d->setup.carrier)
            d->setup.carrier(d->setup.to, node, e->port, up);
        else
            topology_link(d->setup.topology, d->setup.station, now, node, e->port, up);
    }
}

static void driver_links(struct driver *d, time_ps now) {
    if (now >= d->carrier_at) driver_ask_carriers(d, now);
    topology_until(d->setup.topology, d->setup.station, now);
}

/* ---- one turn of the loop ---- */

/* The clock is read after the frames: the thread may have lost its processor before it took them, and a frame that
 * counts as arrived before it was sent would leave before the delays of its links have passed. */
static bool edge_receive(struct driver *d, const struct driver_edge *e) {
    struct port_arrival a[PORT_BURST];
    if (d->drains && !e->is_inside) return false;
    uint32_t n = live_port_receive(e->live, station_frames(d->setup.station), a, PORT_BURST);
    if (n == 0) return false;
    time_ps now = driver_now(d);
    for (uint32_t i = 0; i < n; i++)
        station_arrive(d->setup.station, e->place, e->port, now, a[i].index, a[i].captured, a[i].length);
    return true;
}

/* Sends the frames due by `now`, in bursts. A frame's bytes stay in their cell until it is marked departed. */
static bool edge_send(struct driver *d, const struct driver_edge *e, time_ps now) {
    struct port_bytes out[PORT_BURST];
    struct station *s = d->setup.station;
    const struct line_frame *first = station_departing(s, e->place, e->port, now);
    if (!first) return false;
    d->count.late_max = max_i64(d->count.late_max, now - first->at);
    for (uint32_t n = 1; n;) {
        n = station_departing_burst(s, e->place, e->port, now, out, PORT_BURST);
        live_port_send(e->live, out, n);
        for (uint32_t i = 0; i < n; i++) station_departed(s, e->place, e->port);
    }
    return true;
}

bool driver_turn(struct driver *d) {
    const struct driver_setup *x = &d->setup;
    if (atomic_load_explicit(&d->has_tasks, memory_order_relaxed)) driver_do_tasks(d);
    bool busy = false;
    for (uint32_t i = 0; i < x->n; i++) busy |= edge_receive(d, &x->edge[i]);
    time_ps now = driver_now(d);
    if (x->topology) driver_links(d, now);
    busy |= station_next(x->station) <= now;
    station_until(x->station, now);
    for (uint32_t i = 0; i < x->n; i++) busy |= edge_send(d, &x->edge[i], now);
    return busy;
}

/* ---- waiting ---- */

/* Returns the time of the next due frame or service; TIME_NONE: the station holds nothing. */
static time_ps next_frame(const struct driver *d) {
    time_ps next = station_next(d->setup.station);
    for (uint32_t i = 0; i < d->setup.n; i++)
        next = min_i64(next, station_next_departure(d->setup.station, d->setup.edge[i].place, d->setup.edge[i].port));
    return next;
}

static time_ps next_due(const struct driver *d) {
    if (!d->setup.topology) return next_frame(d);
    return min_i64(next_frame(d), min_i64(d->carrier_at, topology_next(d->setup.topology)));
}

/* Waits for a port or for the next due time. A wait ends late, so a timed wait ends early by PACE_SPIN. */
static void driver_wait(struct driver *d) {
    span_ps span = pace_span(next_due(d) - driver_now(d), d->setup.spin);
    if (span <= 0) return;
    for (uint32_t i = 0; i < d->setup.n; i++)
        if (!live_port_idle(d->setup.edge[i].live)) return;
    pace_wait(d->fd, d->setup.n + 1, span);
}

static void driver_step(struct driver *d, time_ps *busy_at) {
    if (driver_turn(d))
        *busy_at = driver_now(d);
    else if (driver_now(d) - *busy_at > d->setup.spin)
        driver_wait(d);
}

void driver_run(struct driver *d, const atomic_bool *stop) {
    time_ps busy_at = driver_now(d);
    while (!atomic_load_explicit(stop, memory_order_relaxed)) driver_step(d, &busy_at);
    time_ps end = driver_now(d) + DRAIN_MAX;
    d->drains = true;
    while (next_frame(d) != TIME_NONE && driver_now(d) < end) driver_step(d, &busy_at);
    driver_turn(d); /* tasks posted meanwhile */
}
