/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of one process, in place of processes under Open MPI.
 *
 *     fake_ranks(4, body, context);      calls body(ranks, context) on four threads, and returns when all have returned
 *
 * Messages are treated as badly as MPI allows. A posted message is read when it is taken, so a sender that changes it
 * before it has settled is noticed. Of several messages that wait, await finds that of the highest rank first. A rank
 * that waits for a minute ends the process. Checks belong to the main thread: cmocka knows no other.
 */
#ifndef HEDDLE_TESTS_FAKE_RANKS_H
#define HEDDLE_TESTS_FAKE_RANKS_H

#include "base/memory.h"
#include "ranks/group.h"
#include "ranks/ranks_ops.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAKE_MOST 8      /* ranks */
#define FAKE_GROUP_TAG 2 /* added to the tags of groups; notes and bytes have 0 and 1 */
#define FAKE_PATIENCE_S 60

struct fake_message {
    struct fake_message *next;
    uint32_t from, tag;
    const void *data;
    size_t size;
    bool is_posted; /* the data are the sender's; else a copy */
};

/* Where several ranks wait for each other, and what they add up there. */
struct fake_meeting {
    uint32_t arrived, round;
    uint32_t n;              /* words of each sum */
    int64_t least, of_all;   /* of the ranks that have arrived; of the last round */
    uint64_t *sum, *sum_all; /* the same */
};

struct fake_group {
    uint32_t first, size;
    struct fake_meeting meeting;
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint32_t size;
    struct fake_message *inbox[FAKE_MOST]; /* oldest first */
    uint32_t n_posted[FAKE_MOST][2];       /* messages of each tag that a rank has posted and nobody has taken */
    struct fake_group group[FAKE_MOST];
    struct fake_meeting meeting; /* of all ranks */
    void *common;                /* the leader's memory, while all ranks gather or spread */
} fake = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local uint32_t fake_me;
static _Thread_local struct fake_message *fake_awaited;
static _Thread_local struct fake_group *fake_reduction; /* under way */
static _Thread_local uint32_t fake_round;               /* its */

/* The mutex is held. */
static void fake_wait(const char *what) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += FAKE_PATIENCE_S;
    if (pthread_cond_timedwait(&fake.changed, &fake.mutex, &end) == 0) return;
    fprintf(stderr, "rank %u waits for %s in vain\n", fake_me, what);
    abort();
}

/* ---- meetings ---- */

/* Gives what a rank has to give, and returns the round. */
static uint32_t fake_arrive(struct fake_meeting *m, uint32_t size, int64_t least, const uint64_t *sum, uint32_t n) {
    pthread_mutex_lock(&fake.mutex);
    uint32_t round = m->round;
    if (m->arrived == 0) {
        m->n = n;
        m->least = INT64_MAX;
        m->sum = memory_grow(m->sum, n + 1, sizeof *m->sum);
        memset(m->sum, 0, (n + 1) * sizeof *m->sum);
    }
    if (m->n != n) {
        fprintf(stderr, "rank %u gives %u sums where others give %u\n", fake_me, n, m->n);
        abort();
    }
    if (least < m->least) m->least = least;
    for (uint32_t i = 0; i < n; i++) m->sum[i] += sum[i];
    if (++m->arrived == size) {
        m->sum_all = memory_grow(m->sum_all, n + 1, sizeof *m->sum_all);
        memcpy(m->sum_all, m->sum, n * sizeof *m->sum);
        m->of_all = m->least;
        m->arrived = 0;
        m->round++;
        pthread_cond_broadcast(&fake.changed);
    }
    pthread_mutex_unlock(&fake.mutex);
    return round;
}

/* Waits until all have arrived in that round; the n words of *sum are then the sums of all. */
static void fake_leave(struct fake_meeting *m, uint32_t round, int64_t *least, uint64_t *sum, uint32_t n) {
    pthread_mutex_lock(&fake.mutex);
    while (m->round == round) fake_wait("other ranks");
    *least = m->of_all;
    if (n) memcpy(sum, m->sum_all, n * sizeof *sum);
    pthread_mutex_unlock(&fake.mutex);
}

static void fake_barrier(void) {
    uint32_t round = fake_arrive(&fake.meeting, fake.size, 0, NULL, 0);
    fake_leave(&fake.meeting, round, &(int64_t){0}, NULL, 0);
}

static void fake_gather(const void *one, void *all, size_t each) {
    if (fake_me == 0) fake.common = all;
    fake_barrier();
    memcpy((char *)fake.common + fake_me * each, one, each);
    fake_barrier();
}

static void fake_spread(void *data, size_t size) {
    if (fake_me == 0) fake.common = data;
    fake_barrier();
    if (fake_me != 0) memcpy(data, fake.common, size);
    fake_barrier();
}

static void *fake_split(uint32_t number) {
    struct fake_group *g = &fake.group[number];
    pthread_mutex_lock(&fake.mutex);
    if (g->size++ == 0 || fake_me < g->first) g->first = fake_me;
    pthread_mutex_unlock(&fake.mutex);
    fake_barrier();
    return g;
}

static void fake_reduce_begin(void *members, int64_t least, const uint64_t *sum, size_t n) {
    if (fake_reduction) {
        fprintf(stderr, "rank %u begins a reduction before it has ended the last\n", fake_me);
        abort();
    }
    fake_reduction = members;
    fake_round = fake_arrive(&fake_reduction->meeting, fake_reduction->size, least, sum, (uint32_t)n);
}

static void fake_reduce_end(int64_t *least, uint64_t *sum, size_t n) {
    fake_leave(&fake_reduction->meeting, fake_round, least, sum, (uint32_t)n);
    fake_reduction = NULL;
}

static void fake_reduce(void *members, int64_t *least, uint64_t *sum, size_t n) {
    fake_reduce_begin(members, *least, sum, n);
    fake_reduce_end(least, sum, n);
}

/* ---- messages ---- */

static void fake_put(uint32_t to, uint32_t tag, const void *data, size_t size, bool is_posted) {
    struct fake_message *m = memory_get(1, sizeof *m), **last;
    *m = (struct fake_message){.from = fake_me, .tag = tag, .data = data, .size = size, .is_posted = is_posted};
    pthread_mutex_lock(&fake.mutex);
    for (last = &fake.inbox[to]; *last; last = &(*last)->next) continue;
    *last = m;
    if (is_posted) fake.n_posted[fake_me][tag - FAKE_GROUP_TAG]++;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.mutex);
}

/* Takes the oldest message of the highest rank out of the inbox; NULL: there is none. from UINT32_MAX: of any rank. The
 * mutex is held. */
static struct fake_message *fake_find(uint32_t tag, uint32_t from) {
    struct fake_message **best = NULL, *m;
    for (struct fake_message **at = &fake.inbox[fake_me]; (m = *at); at = &m->next)
        if (m->tag == tag && (from == UINT32_MAX || m->from == from) && (!best || m->from > (*best)->from)) best = at;
    if (!best) return NULL;
    m = *best;
    *best = m->next;
    return m;
}

static struct fake_message *fake_await_from(uint32_t tag, uint32_t from) {
    struct fake_message *m;
    pthread_mutex_lock(&fake.mutex);
    while (!(m = fake_find(tag, from))) fake_wait("a message");
    pthread_mutex_unlock(&fake.mutex);
    return m;
}

/* Copies the message, which must have that size, and frees it. */
static void fake_finish(struct fake_message *m, void *data, size_t size) {
    if (m->size != size) {
        fprintf(stderr, "rank %u expects %zu B of rank %u, which has sent %zu\n", fake_me, size, m->from, m->size);
        abort();
    }
    if (size) memcpy(data, m->data, size);
    pthread_mutex_lock(&fake.mutex);
    if (m->is_posted) fake.n_posted[m->from][m->tag - FAKE_GROUP_TAG]--;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.mutex);
    if (!m->is_posted) free((void *)(uintptr_t)m->data);
    free(m);
}

static bool fake_poll(uint32_t tag, uint32_t *from) {
    bool found = false;
    pthread_mutex_lock(&fake.mutex);
    for (struct fake_message *m = fake.inbox[fake_me]; m && !found; m = m->next)
        if (m->tag == tag) found = true, *from = m->from;
    pthread_mutex_unlock(&fake.mutex);
    return found;
}

static void fake_send(uint32_t to, uint32_t tag, const void *data, size_t size) {
    char *copy = memory_get(size + 1, 1);
    if (size) memcpy(copy, data, size);
    fake_put(to, tag, copy, size, false);
}

static void fake_receive(uint32_t from, uint32_t tag, void *data, size_t size) {
    fake_finish(fake_await_from(tag, from), data, size);
}

static void fake_post(void *members, uint32_t to, uint32_t tag, const void *data, size_t size) {
    fake_put(((struct fake_group *)members)->first + to, FAKE_GROUP_TAG + tag, data, size, true);
}

static void fake_settle(uint32_t tag) {
    pthread_mutex_lock(&fake.mutex);
    while (fake.n_posted[fake_me][tag]) fake_wait("a rank that takes its messages");
    pthread_mutex_unlock(&fake.mutex);
}

static size_t fake_await(void *members, uint32_t tag) {
    (void)members;
    fake_awaited = fake_await_from(FAKE_GROUP_TAG + tag, UINT32_MAX);
    return fake_awaited->size;
}

static void fake_take(void *data, size_t size) { fake_finish(fake_awaited, data, size); }

static const struct ranks_ops fake_ops = {
    .gather = fake_gather,
    .spread = fake_spread,
    .poll = fake_poll,
    .send = fake_send,
    .receive = fake_receive,
    .split = fake_split,
    .post = fake_post,
    .settle = fake_settle,
    .await = fake_await,
    .take = fake_take,
    .reduce = fake_reduce,
    .reduce_begin = fake_reduce_begin,
    .reduce_end = fake_reduce_end,
};

/* ---- threads ---- */

struct fake_rank {
    pthread_t thread;
    struct ranks ranks;
    void (*body)(const struct ranks *ranks, void *context);
    void *context;
};

static void *fake_live(void *context) {
    struct fake_rank *r = context;
    fake_me = r->ranks.rank;
    r->body(&r->ranks, r->context);
    return NULL;
}

/* Returns the number of messages that nobody has taken. */
static inline uint32_t fake_ranks(uint32_t size, void (*body)(const struct ranks *ranks, void *context),
                                  void *context) {
    struct fake_rank rank[FAKE_MOST];
    uint32_t n_left = 0;
    fake.size = size;
    memset(fake.group, 0, sizeof fake.group);
    for (uint32_t i = 0; i < size; i++) {
        struct ranks ranks = {.rank = i, .size = size, .on_machine = size, .ops = &fake_ops};
        rank[i] = (struct fake_rank){.ranks = ranks, .body = body, .context = context};
        if (pthread_create(&rank[i].thread, NULL, fake_live, &rank[i])) abort();
    }
    for (uint32_t i = 0; i < size; i++) pthread_join(rank[i].thread, NULL);
    for (uint32_t i = 0; i < size; i++)
        for (struct fake_message *m = fake.inbox[i]; m; m = m->next) n_left++;
    for (uint32_t i = 0; i < size; i++) {
        free(fake.group[i].meeting.sum);
        free(fake.group[i].meeting.sum_all);
    }
    free(fake.meeting.sum);
    free(fake.meeting.sum_all);
    memset(&fake.meeting, 0, sizeof fake.meeting);
    return n_left;
}

#endif
