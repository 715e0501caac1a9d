/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/viewers.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#define LOOK_MOST (PS_PER_S / 4)

struct viewer {
    int fd;
    bool is_ended; /* it was shut down, and will be removed */
    time_ps since; /* begin of the connection, or end of its last request */
    struct viewer *next;
};

struct viewers {
    uint32_t most, n; /* n: connections that are not ended */
    span_ps deadline;
    struct viewer *first;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    bool stops;
};

static time_ps now_ps(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (time_ps)t.tv_sec * PS_PER_S + (time_ps)t.tv_nsec * PS_PER_NS;
}

static void viewer_end(struct viewers *v, struct viewer *x) {
    if (x->is_ended) return;
    x->is_ended = true;
    v->n--;
    shutdown(x->fd, SHUT_RDWR);
}

/* Returns the connection that has waited longest. */
static struct viewer *oldest(const struct viewers *v) {
    struct viewer *old = NULL;
    for (struct viewer *x = v->first; x; x = x->next)
        if (!x->is_ended && (!old || x->since < old->since)) old = x;
    return old;
}

static struct timespec later(span_ps span) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t ns = t.tv_nsec + span / PS_PER_NS;
    t.tv_sec += ns / 1000000000;
    t.tv_nsec = ns % 1000000000;
    return t;
}

static void *viewers_look(void *arg) {
    struct viewers *v = arg;
    pthread_mutex_lock(&v->lock);
    while (!v->stops) {
        struct viewer *x;
        while ((x = oldest(v)) && now_ps() - x->since >= v->deadline) viewer_end(v, x);
        struct timespec until = later(min_i64(v->deadline / 4, LOOK_MOST));
        pthread_cond_timedwait(&v->stopped, &v->lock, &until);
    }
    pthread_mutex_unlock(&v->lock);
    return NULL;
}

struct viewers *viewers_create(uint32_t most, span_ps deadline) {
    struct viewers *v = memory_one(sizeof *v);
    pthread_condattr_t how;
    v->most = most;
    v->deadline = deadline;
    pthread_mutex_init(&v->lock, NULL);
    pthread_condattr_init(&how);
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&v->stopped, &how);
    pthread_condattr_destroy(&how);
    if (pthread_create(&v->thread, NULL, viewers_look, v) == 0) return v;
    pthread_cond_destroy(&v->stopped);
    pthread_mutex_destroy(&v->lock);
    free(v);
    return NULL;
}

void viewers_destroy(struct viewers *v) {
    if (!v) return;
    pthread_mutex_lock(&v->lock);
    v->stops = true;
    pthread_cond_signal(&v->stopped);
    pthread_mutex_unlock(&v->lock);
    pthread_join(v->thread, NULL);
    pthread_cond_destroy(&v->stopped);
    pthread_mutex_destroy(&v->lock);
    free(v);
}

struct viewer *viewers_add(struct viewers *v, int fd) {
    struct viewer *x = memory_one(sizeof *x);
    pthread_mutex_lock(&v->lock);
    if (v->n >= v->most) viewer_end(v, oldest(v));
    *x = (struct viewer){.fd = fd, .since = now_ps(), .next = v->first};
    v->first = x;
    v->n++;
    pthread_mutex_unlock(&v->lock);
    return x;
}

void viewers_served(struct viewers *v, struct viewer *x) {
    pthread_mutex_lock(&v->lock);
    x->since = now_ps();
    pthread_mutex_unlock(&v->lock);
}

void viewers_remove(struct viewers *v, struct viewer *x) {
    pthread_mutex_lock(&v->lock);
    struct viewer **at = &v->first;
    while (*at != x) at = &(*at)->next;
    *at = x->next;
    v->n -= !x->is_ended;
    pthread_mutex_unlock(&v->lock);
    free(x);
}
