/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/failures.h"

#include "base/memory.h"
#include "live/control.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct lab_failures {
    const struct fabric *fabric;
    const char *socket;
    struct fabric_event *event; /* [n] what the switches are asked, by time */
    size_t n, done;
    struct timespec zero;
    pthread_t thread;
    bool has_thread, ends;
    pthread_mutex_t lock; /* of `ends` and its condition */
    pthread_cond_t ended;
    struct diag why; /* of the first request that failed; its text is empty if none has */
};

span_ps lab_failures_detect(const struct fabric_spec *spec) {
    return spec->n_failed ? spec->failed[0].detect : spec->n_fail_random ? spec->fail_random[0].detect : 0;
}

/* ---- what the switches are asked ---- */

/* Both ends of a link have an event; one of them is asked for. The other kinds follow in the switches from these. */
static bool is_asked(const struct fabric *f, const struct fabric_event *e) {
    const struct place_port *p = &f->paths.port[f->paths.first_port[e->node] + e->port];
    return p->node < p->neighbour && (e->kind == EVENT_LINK_DOWN || e->kind == EVENT_LINK_UP || e->kind == EVENT_LOSS);
}

static int by_time(const void *a, const void *b) {
    const struct fabric_event *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return x->port - y->port;
}

struct lab_failures *lab_failures_create(const struct fabric *f, const char *socket) {
    struct lab_failures *l = memory_get(1, sizeof *l);
    *l = (struct lab_failures){.fabric = f, .socket = socket};
    l->event = memory_get(f->n_events, sizeof *l->event);
    for (size_t i = 0; i < f->n_events; i++)
        if (is_asked(f, &f->event[i])) l->event[l->n++] = f->event[i];
    qsort(l->event, l->n, sizeof *l->event, by_time);
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&l->ended, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_init(&l->lock, NULL);
    return l;
}

static void ask(struct lab_failures *l, const struct fabric_event *e) {
    char link[160], request[256];
    struct diag why = {0};
    fabric_port_link(l->fabric, e->node, e->port, link, sizeof link);
    if (e->kind == EVENT_LOSS)
        snprintf(request, sizeof request, "impair %s loss=%.7f%%", link, (double)e->value / 1e7);
    else
        snprintf(request, sizeof request, "link %s %s", e->kind == EVENT_LINK_UP ? "up" : "down", link);
    char *reply = control_ask(l->socket, request, &why);
    if (!reply && !l->why.text[0]) l->why = why;
    free(reply);
}

/* ---- in time ---- */

/* Waits until a time of the run. Returns false if the run ends before. */
static bool wait_until(struct lab_failures *l, time_ps at) {
    int64_t ns = l->zero.tv_nsec + at / PS_PER_NS;
    const struct timespec due = {.tv_sec = l->zero.tv_sec + ns / 1000000000, .tv_nsec = ns % 1000000000};
    pthread_mutex_lock(&l->lock);
    while (!l->ends && pthread_cond_timedwait(&l->ended, &l->lock, &due) == 0) continue;
    bool goes_on = !l->ends;
    pthread_mutex_unlock(&l->lock);
    return goes_on;
}

static void *ask_all(void *failures) {
    struct lab_failures *l = failures;
    for (; l->done < l->n && wait_until(l, l->event[l->done].at); l->done++) ask(l, &l->event[l->done]);
    return NULL;
}

void lab_failures_begin(void *failures, const struct timespec *zero) {
    struct lab_failures *l = failures;
    l->zero = *zero;
    for (; l->done < l->n && l->event[l->done].at <= 0; l->done++) ask(l, &l->event[l->done]);
    if (l->done == l->n) return;
    l->has_thread = pthread_create(&l->thread, NULL, ask_all, l) == 0;
    if (!l->has_thread) diag_fail(&l->why, "", 0, 0, "no thread could be started for the failures of links");
}

bool lab_failures_end(struct lab_failures *l, struct diag *d) {
    pthread_mutex_lock(&l->lock);
    l->ends = true;
    pthread_cond_signal(&l->ended);
    pthread_mutex_unlock(&l->lock);
    if (l->has_thread) pthread_join(l->thread, NULL);
    bool good = !l->why.text[0];
    if (!good) diag_fail(d, "", 0, 0, "%s", l->why.text);
    pthread_cond_destroy(&l->ended);
    pthread_mutex_destroy(&l->lock);
    free(l->event);
    free(l);
    return good;
}
