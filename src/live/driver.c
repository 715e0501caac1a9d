/* SPDX-License-Identifier: Apache-2.0 */
#include "live/driver.h"

#include "base/memory.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>

#define SPIN (20 * PS_PER_US)      /* a wait costs about as much: until then it is better to look again */
#define WAIT_MAX (100 * PS_PER_MS) /* to see `stop` */

struct driver {
    struct station *station;
    const struct driver_edge *edge;
    struct pollfd *fd; /* [n] */
    uint32_t n;
    struct timespec start;
    struct driver_counts count;
};

struct driver *driver_create(struct station *s, const struct driver_edge *edge, uint32_t n) {
    struct driver *d = memory_get(1, sizeof *d);
    d->station = s;
    d->edge = edge;
    d->n = n;
    d->fd = memory_get(n, sizeof *d->fd);
    for (uint32_t i = 0; i < n; i++) d->fd[i] = (struct pollfd){.fd = edge[i].live->fd, .events = POLLIN};
    clock_gettime(CLOCK_MONOTONIC, &d->start);
    return d;
}

void driver_destroy(struct driver *d) {
    if (!d) return;
    free(d->fd);
    free(d);
}

time_ps driver_now(const struct driver *d) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (t.tv_sec - d->start.tv_sec) * PS_PER_S + (t.tv_nsec - d->start.tv_nsec) * PS_PER_NS;
}

const struct driver_counts *driver_counts(const struct driver *d) { return &d->count; }

/* ---- a turn ---- */

static bool edge_receive(struct driver *d, const struct driver_edge *e, time_ps now) {
    struct port_arrival a[PORT_BURST];
    uint32_t n = live_port_receive(e->live, station_frames(d->station), a, PORT_BURST);
    for (uint32_t i = 0; i < n; i++)
        station_arrive(d->station, e->place, e->port, now, a[i].index, a[i].captured, a[i].length);
    return n > 0;
}

/* Sends what is due by `now`, in bursts. A frame's bytes stay where they are until it is departed. */
static bool edge_send(struct driver *d, const struct driver_edge *e, time_ps now) {
    struct port_bytes out[PORT_BURST];
    const struct line_frame *first = station_departing(d->station, e->place, e->port, now);
    if (!first) return false;
    d->count.late_max = max_i64(d->count.late_max, now - first->at);
    for (uint32_t n = 1; n;) {
        n = station_departing_burst(d->station, e->place, e->port, now, out, PORT_BURST);
        live_port_send(e->live, out, n);
        for (uint32_t i = 0; i < n; i++) station_departed(d->station, e->place, e->port);
    }
    return true;
}

bool driver_turn(struct driver *d) {
    time_ps now = driver_now(d);
    bool busy = station_next(d->station) <= now;
    d->count.turns++;
    for (uint32_t i = 0; i < d->n; i++) busy |= edge_receive(d, &d->edge[i], now);
    station_until(d->station, now);
    for (uint32_t i = 0; i < d->n; i++) busy |= edge_send(d, &d->edge[i], now);
    return busy;
}

/* ---- waiting ---- */

static time_ps next_due(const struct driver *d) {
    time_ps next = station_next(d->station);
    for (uint32_t i = 0; i < d->n; i++)
        next = min_i64(next, station_next_departure(d->station, d->edge[i].place, d->edge[i].port));
    return next;
}

/* Waits for a port or for what is due; a while before the latter, as a wait ends late. */
static void driver_wait(struct driver *d) {
    span_ps left = min_i64(next_due(d) - driver_now(d), WAIT_MAX) - SPIN;
    if (left <= 0) return;
    for (uint32_t i = 0; i < d->n; i++)
        if (!live_port_idle(d->edge[i].live)) return;
    struct timespec t = {.tv_sec = 0, .tv_nsec = left / PS_PER_NS};
    d->count.waits++;
    ppoll(d->fd, d->n, &t, NULL);
}

void driver_run(struct driver *d, const atomic_bool *stop) {
    time_ps busy_at = driver_now(d);
    while (!atomic_load_explicit(stop, memory_order_relaxed)) {
        if (driver_turn(d))
            busy_at = driver_now(d);
        else if (driver_now(d) - busy_at > SPIN)
            driver_wait(d);
    }
}
