/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/exchange_ranks.h"

#include "base/clock.h"
#include "base/memory.h"
#include "ranks/group.h"

#include <stdlib.h>
#include <string.h>

/* Heads the frames of one pair of partitions in a message; then follow the frames, then their extensions. */
struct parcel {
    uint32_t from, to, n, n_ext;
};

struct message {
    char *bytes;
    size_t n, room;
};

#define AHEAD_NEAR 8 /* frames between the one that is copied and the one whose places are prefetched */
#define AHEAD_FAR 16 /* the same to the one that itself is prefetched */

/* Frames from one partition to another, copied: `at` is their arrival, `next` the global port that sent them, `ext` an index
 * in the list of extensions. */
struct copies {
    struct packet *frame;
    struct packet_ext *ext;
    uint32_t n, size, n_ext, ext_size;
};

/* Frames from one partition of another rank to one of this, in the message that brought them. */
struct brought {
    const struct packet *frame;
    const struct packet_ext *ext;
    uint32_t n;
};

/* Descriptors whose frames have left a partition in this interval. The frames that it fetches at the end are copied into
 * them, which are known ahead and can be prefetched; a free list would tell one after the other. */
struct vacated {
    uint32_t *packet;
    uint32_t n, size;
    char pad[48];
};
_Static_assert(sizeof(struct vacated) == 64, "one cache line: its owner writes it with each frame");

struct exchange_ranks {
    const struct ranks_group *group;
    uint32_t *first;         /* [size + 1] first partition of each rank */
    struct copies *to;       /* [partition of the rank][other partition] */
    struct brought *from;    /* the same */
    struct vacated *vacated; /* [partition of the rank] */
    struct message *sent;    /* [size] lies there until the next window, so that it can travel meanwhile */
    struct message *taken;   /* [size] of this window, until all partitions of the rank have fetched their frames */
    uint64_t *sum;           /* [SUMS + size]: notices, then the number of messages for each rank */
    struct rank_traffic traffic;
    int64_t left_ns; /* processor time of the thread when it left the last meeting; 0 before the first */
    atomic_uint ran; /* partitions of this rank that send nothing more to other ranks in this window */
    bool have_left;  /* the messages of this window */
};

enum { SUM_FLOWS_DONE, SUM_FLOWS_STARTED, SUM_BYTES, SUM_HOPS, SUM_GIVEN_UP, SUMS };

void exchange_ranks_init(struct exchange *x, const struct ranks_group *group, const uint32_t *first) {
    uint32_t n = first[group->size], here = first[group->rank + 1] - first[group->rank];
    exchange_init_part(x, n, first[group->rank], here);
    struct exchange_ranks *r = x->ranks = memory_get(1, sizeof *r);
    r->group = group;
    r->first = memory_get(group->size + 1, sizeof *r->first);
    memcpy(r->first, first, (group->size + 1) * sizeof *first);
    r->to = memory_get((size_t)here * n, sizeof *r->to);
    r->from = memory_get((size_t)here * n, sizeof *r->from);
    r->vacated = memory_get_lines(here, sizeof *r->vacated);
    r->sent = memory_get(group->size, sizeof *r->sent);
    r->taken = memory_get(group->size, sizeof *r->taken);
    r->sum = memory_get(SUMS + group->size, sizeof *r->sum);
}

static void copies_fini(struct copies *c, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(c[i].frame);
        free(c[i].ext);
    }
    free(c);
}

void exchange_ranks_fini(struct exchange *x) {
    struct exchange_ranks *r = x->ranks;
    if (!r) return;
    ranks_group_settle(r->group);
    copies_fini(r->to, (size_t)x->here * x->n);
    free(r->from);
    for (uint32_t i = 0; i < x->here; i++) free(r->vacated[i].packet);
    free(r->vacated);
    for (uint32_t i = 0; i < r->group->size; i++) {
        free(r->sent[i].bytes);
        free(r->taken[i].bytes);
    }
    free(r->first);
    free(r->sent);
    free(r->taken);
    free(r->sum);
    free(r);
    x->ranks = NULL;
}

/* ---- copies of frames ---- */

/* Returns the frames from a partition of this rank to another. */
static struct copies *copies_to(const struct exchange *x, uint32_t mine, uint32_t other) {
    return &x->ranks->to[(size_t)(mine - x->first) * x->n + other];
}

static __attribute__((noinline)) void copies_grow(struct copies *c, uint32_t n) {
    struct packet *frame = memory_get_lines(n, sizeof *frame);
    if (c->n) memcpy(frame, c->frame, c->n * sizeof *frame);
    free(c->frame);
    c->frame = frame;
    c->size = n;
}

/* Makes room for n frames with n_ext extensions. */
static inline void copies_room(struct copies *c, uint32_t n, uint32_t n_ext) {
    if (n > c->size) copies_grow(c, (uint32_t)max_i64(2 * c->size, n));
    if (n_ext <= c->ext_size) return;
    c->ext_size = (uint32_t)max_i64(2 * c->ext_size, n_ext);
    c->ext = memory_grow(c->ext, c->ext_size, sizeof *c->ext);
}

static inline void vacated_add(struct vacated *v, uint32_t packet) {
    if (v->n == v->size) {
        v->size = v->size ? 2 * v->size : 256;
        v->packet = memory_grow(v->packet, v->size, sizeof *v->packet);
    }
    v->packet[v->n++] = packet;
}

static inline uint32_t vacated_take(struct vacated *v, struct packet_pool *pool) {
    return v->n ? v->packet[--v->n] : packet_get(pool);
}

/* Gives descriptors back that no frame has been copied into. */
static void vacated_put(struct vacated *v, struct packet_pool *pool) {
    while (v->n) packet_put(pool, v->packet[--v->n]);
}

void exchange_ranks_send(struct exchange *x, struct partition *part, uint32_t global, time_ps at, uint32_t packet) {
    struct copies *c = copies_to(x, part->number, part->hop[global].partition);
    copies_room(c, c->n + 1, c->n_ext + 1);
    struct packet *from = packet_at(&part->pool, packet), *p = &c->frame[c->n++];
    __builtin_prefetch(p + AHEAD_NEAR, 1);
    *p = *from;
    p->at = at;
    p->next = global;
    if (p->ext != EXT_NONE) {
        c->ext[c->n_ext] = *packet_ext_at(&part->pool, p->ext);
        p->ext = c->n_ext++;
        packet_ext_put(&part->pool, from->ext);
        from->ext = EXT_NONE;
    }
    vacated_add(&x->ranks->vacated[part->number - x->first], packet);
}

/* Prefetches, while frame i is copied, where later frames go to, and one that is later still. */
PREFETCHING fetch_ahead(const struct partition *part, const struct vacated *v, const struct brought *c, uint32_t i) {
    __builtin_prefetch(&c->frame[i + AHEAD_FAR]);
    if (i + AHEAD_NEAR >= c->n) return;
    __builtin_prefetch(&part->hop[c->frame[i + AHEAD_NEAR].next]);
    if (v->n > AHEAD_NEAR) __builtin_prefetch(packet_at(&part->pool, v->packet[v->n - 1 - AHEAD_NEAR]), 1);
}

static void brought_fetch(struct brought *c, struct vacated *v, struct partition *part) {
    for (uint32_t i = 0; i < c->n; i++) {
        fetch_ahead(part, v, c, i);
        const struct packet *sent = &c->frame[i];
        const struct hop *hop = &part->hop[sent->next];
        uint32_t packet = vacated_take(v, &part->pool);
        struct packet *p = packet_at(&part->pool, packet);
        *p = *sent;
        if (sent->ext != EXT_NONE) {
            p->ext = packet_ext_get(&part->pool);
            *packet_ext_at(&part->pool, p->ext) = c->ext[sent->ext];
        }
        partition_accept(part, (struct flight){.packet = packet, .node = hop->node, .port = hop->port}, sent->at);
    }
    c->n = 0;
}

void exchange_ranks_fetch(struct exchange *x, struct partition *part) {
    struct exchange_ranks *r = x->ranks;
    struct vacated *v = &r->vacated[part->number - x->first];
    struct brought *from = &r->from[(size_t)(part->number - x->first) * x->n];
    for (uint32_t i = 0; i < x->n; i++) brought_fetch(&from[i], v, part);
    vacated_put(v, &part->pool);
}

/* ---- sending ---- */

static void message_room(struct message *m, size_t bytes) {
    if (m->n + bytes <= m->room) return;
    m->room = 2 * (m->n + bytes);
    m->bytes = memory_grow(m->bytes, m->room, 1);
}

static void message_add(struct message *m, const void *data, size_t bytes) {
    message_room(m, bytes);
    if (bytes) memcpy(m->bytes + m->n, data, bytes);
    m->n += bytes;
}

/* Moves the frames between two partitions into the message; returns their number. */
static uint32_t parcel_pack(struct message *m, struct copies *c, uint32_t from, uint32_t to) {
    uint32_t n = c->n;
    if (n == 0) return 0;
    struct parcel p = {from, to, c->n, c->n_ext};
    message_add(m, &p, sizeof p);
    message_add(m, c->frame, c->n * sizeof *c->frame);
    message_add(m, c->ext, c->n_ext * sizeof *c->ext);
    c->n = c->n_ext = 0;
    return n;
}

static void messages_send(struct exchange *x, uint32_t parity) {
    struct exchange_ranks *r = x->ranks;
    ranks_group_settle(r->group); /* the messages of the window before lie where these are put */
    for (uint32_t rank = 0; rank < r->group->size; rank++) {
        struct message *m = &r->sent[rank];
        m->n = 0;
        if (rank == r->group->rank) continue;
        for (uint32_t from = x->first; from < x->first + x->here; from++)
            for (uint32_t to = r->first[rank]; to < r->first[rank + 1]; to++)
                r->traffic.frames += parcel_pack(m, copies_to(x, from, to), from, to);
        r->traffic.messages += m->n > 0;
        r->traffic.bytes += m->n;
        if (m->n) ranks_group_post(r->group, rank, parity, m->bytes, m->n);
    }
    r->have_left = true;
}

void exchange_ranks_border_ran(struct exchange *x, uint32_t parity, bool may_send) {
    struct exchange_ranks *r = x->ranks;
    uint32_t ran = atomic_fetch_add_explicit(&r->ran, 1, memory_order_acq_rel) + 1;
    if (!may_send || ran < x->here) return;
    int64_t from = clock_thread_ns();
    uint64_t before = r->traffic.messages;
    messages_send(x, parity);
    r->traffic.ahead += r->traffic.messages - before;
    if (r->left_ns) r->left_ns += clock_thread_ns() - from; /* it is no computing */
}

/* ---- receiving ---- */

/* Finds the frames of one parcel, which stay where they are until they are fetched; returns its bytes. */
static size_t parcel_open(struct exchange *x, const char *bytes) {
    struct parcel p;
    memcpy(&p, bytes, sizeof p);
    struct brought *b = &x->ranks->from[(size_t)(p.to - x->first) * x->n + p.from];
    b->frame = (const struct packet *)(bytes + sizeof p);
    b->ext = (const struct packet_ext *)(b->frame + p.n);
    b->n = p.n;
    return sizeof p + p.n * sizeof *b->frame + p.n_ext * sizeof *b->ext;
}
_Static_assert(sizeof(struct parcel) % 8 == 0 && sizeof(struct packet_ext) % 8 == 0,
               "all parts of a message are aligned");

static void message_take(struct exchange *x, struct message *m, uint32_t parity) {
    size_t bytes = ranks_group_await(x->ranks->group, parity);
    m->n = 0;
    message_room(m, bytes);
    ranks_group_take(x->ranks->group, m->bytes, bytes);
    for (size_t at = 0; at < bytes;) at += parcel_open(x, m->bytes + at);
}

/* ---- what they cost ---- */

const struct rank_traffic *exchange_ranks_traffic(const struct exchange *x) { return &x->ranks->traffic; }

static uint64_t copies_bytes(const struct copies *c, size_t n) {
    uint64_t bytes = n * sizeof *c;
    for (size_t i = 0; i < n; i++) bytes += c[i].size * sizeof *c->frame + c[i].ext_size * sizeof *c->ext;
    return bytes;
}

uint64_t exchange_ranks_memory(const struct exchange *x) {
    const struct exchange_ranks *r = x->ranks;
    uint64_t bytes = copies_bytes(r->to, (size_t)x->here * x->n) + (size_t)x->here * x->n * sizeof *r->from;
    for (uint32_t i = 0; i < r->group->size; i++) bytes += r->sent[i].room + r->taken[i].room;
    for (uint32_t i = 0; i < x->here; i++) bytes += r->vacated[i].size * sizeof *r->vacated[i].packet;
    return bytes;
}

double exchange_ranks_bytes(double frames, double messages) {
    return frames * (double)sizeof(struct packet) + messages * (double)sizeof(struct parcel);
}

/* ---- the meeting ---- */

static void meeting_begin(struct exchange_ranks *r) {
    r->traffic.windows++;
    if (r->left_ns) r->traffic.computing_ns += (uint64_t)(clock_thread_ns() - r->left_ns);
    r->traffic.busiest_ns = r->traffic.computing_ns;
}

void exchange_ranks_meet(struct exchange *x, uint32_t parity) {
    struct exchange_ranks *r = x->ranks;
    time_ps next = TIME_NONE;
    meeting_begin(r);
    memset(r->sum, 0, (SUMS + r->group->size) * sizeof *r->sum);
    for (uint32_t i = x->first; i < x->first + x->here; i++) {
        const struct notice *one = &x->notice[parity * x->n + i];
        next = min_i64(next, one->next);
        r->sum[SUM_FLOWS_DONE] += one->flows_done;
        r->sum[SUM_FLOWS_STARTED] += one->flows_started;
        r->sum[SUM_BYTES] += one->bytes;
        r->sum[SUM_HOPS] += one->hops;
        r->sum[SUM_GIVEN_UP] += one->given_up;
    }
    if (!r->have_left) messages_send(x, parity);
    for (uint32_t rank = 0; rank < r->group->size; rank++) r->sum[SUMS + rank] = r->sent[rank].n > 0;
    ranks_group_reduce(r->group, &next, r->sum, SUMS + r->group->size);
    for (uint64_t i = 0; i < r->sum[SUMS + r->group->rank]; i++) message_take(x, &r->taken[i], parity);
    x->all = (struct notice){.next = next,
                             .flows_done = r->sum[SUM_FLOWS_DONE],
                             .flows_started = r->sum[SUM_FLOWS_STARTED],
                             .bytes = r->sum[SUM_BYTES],
                             .hops = r->sum[SUM_HOPS],
                             .given_up = r->sum[SUM_GIVEN_UP]};
    atomic_store_explicit(&r->ran, 0, memory_order_relaxed); /* the rank's other threads wait at a barrier */
    r->have_left = false;
    r->left_ns = clock_thread_ns();
}
