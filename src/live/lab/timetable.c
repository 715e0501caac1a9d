/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/timetable.h"

#include "base/memory.h"
#include "live/control.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    time_ps at;
    size_t number; /* in the order of adding */
    char *text, **reply;
};

struct lab_timetable {
    const char *socket;
    struct request *request; /* [n]; by time from lab_timetable_begin on */
    size_t n, done;
    struct timespec zero;
    pthread_t thread;
    bool has_thread, ends;
    pthread_mutex_t lock; /* of `ends` and its condition */
    pthread_cond_t ended;
    struct diag why; /* of the first request that failed; its text is empty if none has */
};

/* ---- what is asked ---- */

struct lab_timetable *lab_timetable_create(const char *socket) {
    struct lab_timetable *t = memory_one(sizeof *t);
    t->socket = socket;
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&t->ended, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

void lab_timetable_add(struct lab_timetable *t, time_ps at, const char *request, char **reply) {
    t->request = memory_grow(t->request, t->n + 1, sizeof *t->request);
    t->request[t->n] = (struct request){.at = at, .number = t->n, .text = strdup(request), .reply = reply};
    t->n++;
    if (reply) *reply = NULL;
}

/* Both ends of a link have an event; one of them is asked for. The other kinds follow in the switches from these. */
static bool is_asked(const struct fabric *f, const struct fabric_event *e) {
    const struct place_port *p = &f->paths.port[f->paths.first_port[e->node] + e->port];
    return p->node < p->neighbour && (e->kind == EVENT_LINK_DOWN || e->kind == EVENT_LINK_UP || e->kind == EVENT_LOSS);
}

void lab_timetable_add_failures(struct lab_timetable *t, const struct fabric *f) {
    for (size_t i = 0; i < f->n_events; i++) {
        const struct fabric_event *e = &f->event[i];
        char link[FABRIC_LINK_NAME_MAX], request[256];
        if (!is_asked(f, e)) continue;
        fabric_port_link(f, e->node, e->port, link, sizeof link);
        if (e->kind == EVENT_LOSS)
            snprintf(request, sizeof request, "impair %s loss=%.7f%%", link, (double)e->value / 1e7);
        else
            snprintf(request, sizeof request, "link %s %s", e->kind == EVENT_LINK_UP ? "up" : "down", link);
        lab_timetable_add(t, e->at, request, NULL);
    }
}

span_ps lab_failures_detect(const struct fabric_spec *spec) {
    return spec->n_failed ? spec->failed[0].detect : spec->n_fail_random ? spec->fail_random[0].detect : 0;
}

/* ---- in time ---- */

static int by_time(const void *a, const void *b) {
    const struct request *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void ask(struct lab_timetable *t, const struct request *r) {
    struct diag why = {0};
    char *reply = control_ask(t->socket, r->text, &why);
    if (!reply && !t->why.text[0]) t->why = why;
    if (r->reply)
        *r->reply = reply;
    else
        free(reply);
}

/* Waits until a time of the run. Returns false if the run ends before. */
static bool wait_until(struct lab_timetable *t, time_ps at) {
    int64_t ns = t->zero.tv_nsec + at / PS_PER_NS;
    const struct timespec due = {.tv_sec = t->zero.tv_sec + ns / 1000000000, .tv_nsec = ns % 1000000000};
    pthread_mutex_lock(&t->lock);
    while (!t->ends && pthread_cond_timedwait(&t->ended, &t->lock, &due) == 0) continue;
    bool goes_on = !t->ends;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

static void *ask_all(void *timetable) {
    struct lab_timetable *t = timetable;
    for (; t->done < t->n && wait_until(t, t->request[t->done].at); t->done++) ask(t, &t->request[t->done]);
    return NULL;
}

void lab_timetable_begin(void *timetable, const struct timespec *zero) {
    struct lab_timetable *t = timetable;
    t->zero = *zero;
    if (t->n) qsort(t->request, t->n, sizeof *t->request, by_time);
    for (; t->done < t->n && t->request[t->done].at <= 0; t->done++) ask(t, &t->request[t->done]);
    if (t->done == t->n) return;
    t->has_thread = pthread_create(&t->thread, NULL, ask_all, t) == 0;
    if (!t->has_thread) diag_say(&t->why, "no thread could be started that asks the switches in time");
}

bool lab_timetable_end(struct lab_timetable *t, struct diag *d) {
    pthread_mutex_lock(&t->lock);
    t->ends = true;
    pthread_cond_signal(&t->ended);
    pthread_mutex_unlock(&t->lock);
    if (t->has_thread) pthread_join(t->thread, NULL);
    bool good = !t->why.text[0];
    if (!good) diag_say(d, "%s", t->why.text);
    pthread_cond_destroy(&t->ended);
    pthread_mutex_destroy(&t->lock);
    for (size_t i = 0; i < t->n; i++) free(t->request[i].text);
    free(t->request);
    free(t);
    return good;
}
