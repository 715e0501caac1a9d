/* SPDX-License-Identifier: Apache-2.0 */
/* A ring in memory between two ports of one process: for switches of different threads, and for tests.
 *
 * The first open of a name makes the pair and is one end, the second open is the other; a name is free again when both
 * ends are closed. Each direction is a ring of slots with one writer and one reader, without a lock. A reader sets
 * `asleep` before it waits (`idle`), and the writer then signals its eventfd with the next frame. Between running
 * threads no frame costs a system call.
 */
#include "live/port/port.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SLOTS 1024u /* a power of two */
#define SLOT_BYTES 10240u

struct slot {
    uint32_t bytes;
    uint8_t frame[SLOT_BYTES];
};

struct way {
    _Alignas(64) _Atomic uint32_t tail; /* written by the sender */
    _Alignas(64) _Atomic uint32_t head; /* written by the receiver */
    _Alignas(64) _Atomic bool asleep;   /* the receiver waits for its eventfd */
    struct slot *slot;                  /* [SLOTS] */
    int bell;                           /* eventfd of the receiver */
};

struct ring_pair {
    char name[64];
    struct way way[2]; /* way[i] leads to end i */
    bool is_open[2];
    struct ring_pair *next;
};

struct ring_port {
    struct live_port port;
    struct ring_pair *pair;
    int end;
};

static struct ring_pair *pairs;
static pthread_mutex_t pairs_lock = PTHREAD_MUTEX_INITIALIZER;

static struct ring_pair *pair_find(const char *name) {
    struct ring_pair *p = pairs;
    while (p && strcmp(p->name, name) != 0) p = p->next;
    return p;
}

static struct ring_pair *pair_make(const char *name) {
    struct ring_pair *p = memory_get_lines(1, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", name);
    for (int i = 0; i < 2; i++) {
        p->way[i].slot = memory_get(SLOTS, sizeof *p->way[i].slot);
        p->way[i].bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    }
    p->next = pairs;
    return pairs = p;
}

static void pair_free(struct ring_pair *p) {
    struct ring_pair **at = &pairs;
    while (*at != p) at = &(*at)->next;
    *at = p->next;
    for (int i = 0; i < 2; i++) {
        free(p->way[i].slot);
        close(p->way[i].bell);
    }
    free(p);
}

static struct live_port *ring_open(const char *what, struct diag *d) {
    struct ring_port *r = NULL;
    if (strlen(what) >= sizeof pairs->name) {
        diag_say(d, "ring:%s: this name is too long", what);
        return NULL;
    }
    pthread_mutex_lock(&pairs_lock);
    struct ring_pair *p = pair_find(what);
    if (!p) p = pair_make(what);
    if (p->is_open[0] && p->is_open[1]) {
        diag_say(d, "ring:%s: both ends are in use; name another ring", what);
    } else if (p->way[0].bell < 0 || p->way[1].bell < 0) {
        diag_say(d, "ring:%s: %s", what, strerror(errno));
    } else {
        r = memory_one(sizeof *r);
        r->pair = p;
        r->end = p->is_open[0];
        r->port.fd = p->way[r->end].bell;
        p->is_open[r->end] = true;
    }
    if (!p->is_open[0] && !p->is_open[1]) pair_free(p);
    pthread_mutex_unlock(&pairs_lock);
    return r ? &r->port : NULL;
}

static void ring_close(struct live_port *port) {
    struct ring_port *r = (struct ring_port *)port;
    pthread_mutex_lock(&pairs_lock);
    r->pair->is_open[r->end] = false;
    if (!r->pair->is_open[!r->end]) pair_free(r->pair);
    pthread_mutex_unlock(&pairs_lock);
    free(r);
}

static uint32_t ring_receive(struct live_port *port, struct frames *f, struct port_arrival *arrival, uint32_t n) {
    struct ring_port *r = (struct ring_port *)port;
    struct way *w = &r->pair->way[r->end];
    uint32_t head = atomic_load_explicit(&w->head, memory_order_relaxed), taken = 0;
    uint32_t waiting = atomic_load_explicit(&w->tail, memory_order_acquire) - head;
    for (; taken < n && taken < waiting; taken++) {
        const struct slot *s = &w->slot[(head + taken) & (SLOTS - 1)];
        uint8_t *at;
        arrival[taken] = (struct port_arrival){frames_take(f, s->bytes, &at), s->bytes, s->bytes};
        memcpy(at, s->frame, s->bytes);
        live_port_count(port, s->bytes);
    }
    atomic_store_explicit(&w->head, head + taken, memory_order_release);
    return taken;
}

static uint32_t ring_send(struct live_port *port, const struct port_bytes *frame, uint32_t n) {
    struct ring_port *r = (struct ring_port *)port;
    struct way *w = &r->pair->way[!r->end];
    uint32_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed), sent = 0;
    uint32_t room = SLOTS - (tail - atomic_load_explicit(&w->head, memory_order_acquire));
    for (; sent < n && frame[sent].bytes <= SLOT_BYTES && sent < room; sent++) {
        struct slot *s = &w->slot[(tail + sent) & (SLOTS - 1)];
        s->bytes = frame[sent].bytes;
        memcpy(s->frame, frame[sent].at, frame[sent].bytes);
    }
    atomic_store(&w->tail, tail + sent);
    uint64_t one = 1;
    if (sent && atomic_exchange(&w->asleep, false) && write(w->bell, &one, sizeof one) < 0) return sent; /* signalled */
    return sent;
}

/* The order of store and load guarantees that the sender sees `asleep` or this end sees the frame. */
static bool ring_idle(struct live_port *port) {
    struct ring_port *r = (struct ring_port *)port;
    struct way *w = &r->pair->way[r->end];
    uint64_t rung;
    if (read(w->bell, &rung, sizeof rung) < 0 && errno != EAGAIN) return false;
    atomic_store(&w->asleep, true);
    return atomic_load(&w->tail) == atomic_load(&w->head);
}

static bool ring_has_carrier(struct live_port *port) {
    struct ring_port *r = (struct ring_port *)port;
    pthread_mutex_lock(&pairs_lock);
    bool there = r->pair->is_open[!r->end];
    pthread_mutex_unlock(&pairs_lock);
    return there;
}

const struct live_port_ops live_port_ring = {
    .name = "ring",
    .doc = "a ring in memory, between two ports of one process",
    .open = ring_open,
    .close = ring_close,
    .receive = ring_receive,
    .send = ring_send,
    .idle = ring_idle,
    .has_carrier = ring_has_carrier,
};
