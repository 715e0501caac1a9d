/* SPDX-License-Identifier: Apache-2.0 */
#include "live/nicd.h"

#include "base/memory.h"
#include "live/pace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define DRAIN_MAX PS_PER_S              /* most time for draining at the end */
#define CARRIER_EVERY (100 * PS_PER_MS) /* the ports follow the names of their interfaces then (live/port/port.h) */

struct nicd {
    struct nic *nic;
    struct live_port *stack, *link;
    struct gate *gate; /* NULL: none */
    struct timespec epoch;
    bool drains;
    span_ps spin; /* pace_spin */
    span_ps late_max;
    time_ps carrier_at;   /* when to look for the interfaces again */
    pthread_mutex_t lock; /* guards all fields above; held during a turn */
    atomic_bool stop;
    pthread_t thread;
};

/* ---- one turn of the loop ---- */

/* Sends frames to the stack at once and releases their descriptors. */
static void pass_to_stack(struct nicd *s, const struct port_arrival *a, uint32_t n) {
    struct frames *f = nic_frames(s->nic);
    struct port_bytes out[PORT_BURST];
    const struct frame_info *info;
    for (uint32_t i = 0; i < n; i++) out[i] = (struct port_bytes){frames_bytes(f, a[i].index, &info), a[i].captured};
    live_port_send(s->stack, out, n);
    for (uint32_t i = 0; i < n; i++) frames_release(f, a[i].index);
}

/* Reads the clock after the frames, as a switch does (live/driver.c): a pause begins no earlier than its frame came. */
static bool link_receive(struct nicd *s) {
    struct port_arrival a[PORT_BURST];
    uint32_t n = live_port_receive(s->link, nic_frames(s->nic), a, PORT_BURST), passed = 0;
    time_ps now = pace_now(&s->epoch);
    for (uint32_t i = 0; i < n; i++)
        if (nic_receive(s->nic, now, a[i].index, a[i].captured, a[i].length)) a[passed++] = a[i];
    pass_to_stack(s, a, passed);
    return n > 0;
}

/* Takes frames of the stack one by one, since each may be the last that has room. */
static bool stack_receive(struct nicd *s, time_ps now) {
    struct port_arrival a;
    uint32_t n = 0;
    while (!s->drains && n < PORT_BURST && nic_takes(s->nic) &&
           live_port_receive(s->stack, nic_frames(s->nic), &a, 1)) {
        nic_send(s->nic, now, a.index, a.captured, a.length);
        n++;
    }
    return n > 0;
}

static bool link_send(struct nicd *s, time_ps now) {
    struct port_bytes out[PORT_BURST];
    time_ps due = nic_next_departure(s->nic);
    if (due > now) return false;
    s->late_max = max_i64(s->late_max, now - due);
    for (uint32_t n = 1; n;) {
        n = nic_departing_burst(s->nic, now, out, PORT_BURST);
        live_port_send(s->link, out, n);
        for (uint32_t i = 0; i < n; i++) nic_departed(s->nic);
    }
    return true;
}

/* The gate keeps its first rates for a NIC that drops. */
static void gate_steps(struct nicd *s, time_ps now) {
    if (nic_drops(s->nic)) return;
    for (uint32_t k = 0; s->gate && k < nic_classes(s->nic); k++)
        gate_step(s->gate, k, now, nic_fill_permille(s->nic, k));
}

static void ports_follow(struct nicd *s, time_ps now) {
    if (now < s->carrier_at) return;
    s->carrier_at = now + CARRIER_EVERY;
    live_port_has_carrier(s->link);
    live_port_has_carrier(s->stack);
}

/* Runs a turn. Returns true if anything happened. */
static bool nicd_turn(struct nicd *s) {
    bool busy = link_receive(s);
    time_ps now = pace_now(&s->epoch);
    ports_follow(s, now);
    nic_until(s->nic, now);
    busy |= stack_receive(s, now);
    nic_until(s->nic, now);
    busy |= link_send(s, now);
    gate_steps(s, now);
    return busy;
}

/* ---- the loop ---- */

static time_ps nicd_due(const struct nicd *s) {
    time_ps due = min_i64(nic_next(s->nic), nic_next_departure(s->nic));
    return s->gate ? min_i64(due, gate_next(s->gate)) : due;
}

/* Computes how long to wait, and whether frames of the stack should end the wait: not while none is taken. Returns 0 or
 * less if there is no time to wait, or frames have come. */
static span_ps nicd_may_wait(struct nicd *s, bool *takes) {
    pthread_mutex_lock(&s->lock);
    span_ps span = pace_span(nicd_due(s) - pace_now(&s->epoch), s->spin);
    *takes = !s->drains && nic_takes(s->nic);
    bool idle = span > 0 && live_port_idle(s->link) && (!*takes || live_port_idle(s->stack));
    pthread_mutex_unlock(&s->lock);
    return idle ? span : 0;
}

static void nicd_wait(struct nicd *s) {
    struct pollfd fd[2] = {{.fd = s->link->fd, .events = POLLIN}, {.fd = s->stack->fd, .events = POLLIN}};
    bool takes;
    span_ps span = nicd_may_wait(s, &takes);
    if (span > 0) pace_wait(fd, takes ? 2 : 1, span);
}

static void nicd_step(struct nicd *s, time_ps *busy_at) {
    pthread_mutex_lock(&s->lock);
    bool busy = nicd_turn(s);
    pthread_mutex_unlock(&s->lock);
    if (busy)
        *busy_at = pace_now(&s->epoch);
    else if (pace_now(&s->epoch) - *busy_at > s->spin)
        nicd_wait(s);
}

static void *nicd_run(void *arg) {
    struct nicd *s = arg;
    time_ps busy_at = pace_now(&s->epoch);
    while (!atomic_load_explicit(&s->stop, memory_order_relaxed)) nicd_step(s, &busy_at);
    time_ps end = pace_now(&s->epoch) + DRAIN_MAX;
    s->drains = true;
    while (nic_held(s->nic) && pace_now(&s->epoch) < end) nicd_step(s, &busy_at);
    return NULL;
}

/* ---- the process ---- */

static void nicd_free(struct nicd *s) {
    gate_close(s->gate);
    nic_destroy(s->nic);
    live_port_close(s->stack);
    live_port_close(s->link);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct nicd *nicd_start(const struct nicd_setup *setup, struct diag *d) {
    struct nicd *s = memory_one(sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    clock_gettime(CLOCK_MONOTONIC, &s->epoch);
    s->nic = nic_create(&setup->nic);
    s->spin = pace_spin(nic_rate_bps(s->nic));
    bool good = (s->link = live_port_open(setup->link, d)) && (s->stack = live_port_open(setup->stack, d));
    if (good && setup->device)
        good = (s->gate = gate_open(setup->device, nic_classes(s->nic), nic_rate_bps(s->nic), d)) != NULL;
    if (good && pthread_create(&s->thread, NULL, nicd_run, s) != 0) good = diag_say(d, "no thread");
    if (good) return s;
    nicd_free(s);
    return NULL;
}

void nicd_read(struct nicd *s, struct nicd_reading *r) {
    *r = (struct nicd_reading){0};
    pthread_mutex_lock(&s->lock);
    r->now = pace_now(&s->epoch);
    r->nic = nic_view(s->nic, r->now);
    if (s->gate) r->gate = gate_counts(s->gate);
    r->stack = s->stack->count;
    r->link = s->link->count;
    r->late_max = s->late_max;
    r->held = nic_held(s->nic);
    r->frames_peak = nic_frames(s->nic)->pool.peak;
    pthread_mutex_unlock(&s->lock);
}

uint64_t nicd_stop(struct nicd *s) {
    if (!s) return 0;
    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    uint64_t held = nic_held(s->nic);
    nicd_free(s);
    return held;
}
