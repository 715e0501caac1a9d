/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/parallel/exchange_ranks.h"

#include "base/clock.h"
#include "base/memory.h"
#include "ranks/group.h"

#include <stdlib.h>
#include <string.h>

/* Heads the frames from one partition to another in a message: then follow the frames, from a cache line on, then their
 * extensions. A message is one or more of these. */
struct parcel {
    uint64_t bytes; /* with this head; whole lines */
    uint32_t from, to, n;
    char pad[44];
};
_Static_assert(sizeof(struct parcel) == sizeof(struct packet), "one cache line each");

struct message {
    const void *bytes; /* `own`, or a parcel where it was filled, if there is no other */
    size_t n, room;
    void *own;
};

#define AHEAD_NEAR 8 /* frames between the one that is copied and the one whose places are prefetched */
#define AHEAD_FAR 32 /* the same to the one that itself is prefetched */

/* Frames from one partition to another, copied: `at` is their arrival, `next` the global port that sent them, `ext` where
 * their extension begins. */
struct copies {
    struct parcel *parcel; /* with room for `size` frames behind it; NULL before the first */
    uint64_t *ext;
    uint32_t n, size;
    uint32_t ext_words, ext_size;
};

/* Frames from one partition of another rank to one of this, in the message that brought them. */
struct brought {
    const struct packet *frame;
    const uint64_t *ext;
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
    uint32_t *first;            /* [size + 1] first partition of each rank */
    struct copies *to[2];       /* [parity of the window][partition of the rank][other partition] */
    struct brought *from;       /* [partition of the rank][other partition] */
    struct vacated *vacated;    /* [partition of the rank] */
    struct message *sent[2];    /* [parity of the window][size] they travel until the next window ends */
    struct message *taken;      /* [size] of this window, until all partitions of the rank have fetched their frames */
    const struct parcel **owed; /* the parcels of a message that is being put together */
    uint64_t *sum; /* [SUMS + 2 * size]: notices, the number of messages for each rank, each rank's `last` */
    struct rank_traffic traffic;
    int64_t left_ns; /* processor time of the thread when it left the last meeting; 0 before the first */
    atomic_uint ran; /* partitions of this rank that send nothing more to other ranks in this window */
    bool have_left;  /* the messages of this window */
    bool has_begun;  /* its reduction */
};

enum { SUM_FLOWS_DONE, SUM_FLOWS_STARTED, SUM_BYTES, SUM_HOPS, SUM_WORK_DONE, SUM_GIVEN_UP, SUMS };

static void copies_fini(struct copies *c, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(c[i].parcel);
        free(c[i].ext);
    }
    free(c);
}

static void messages_fini(struct message *m, size_t n) {
    for (size_t i = 0; i < n; i++) free(m[i].own);
    free(m);
}

static void exchange_ranks_fini(struct exchange *x) {
    struct exchange_ranks *r = x->ranks;
    for (uint32_t parity = 0; parity < 2; parity++) {
        ranks_group_settle(r->group, parity);
        copies_fini(r->to[parity], (size_t)x->here * x->n);
        messages_fini(r->sent[parity], r->group->size);
    }
    messages_fini(r->taken, r->group->size);
    free(r->from);
    for (uint32_t i = 0; i < x->here; i++) free(r->vacated[i].packet);
    free(r->vacated);
    free(r->first);
    free(r->owed);
    free(r->sum);
    free(r);
    x->ranks = NULL;
    x->remote = NULL;
}

/* ---- copies of frames ---- */

/* Returns the frames from a partition of this rank to another. */
static struct copies *copies_to(const struct exchange *x, uint32_t parity, uint32_t mine, uint32_t other) {
    return &x->ranks->to[parity][(size_t)(mine - x->first) * x->n + other];
}

static struct packet *copies_frames(const struct copies *c) { return (struct packet *)(c->parcel + 1); }

static __attribute__((noinline)) void copies_grow(struct copies *c, uint32_t n) {
    struct parcel *parcel = memory_get_lines(1 + (size_t)n, sizeof *parcel);
    if (c->n) memcpy(parcel + 1, c->parcel + 1, c->n * sizeof(struct packet));
    free(c->parcel);
    c->parcel = parcel;
    c->size = n;
}

/* Returns how much of a frame's extension is in use, in words of 8 bytes. It is seldom in the cache: without a tag its length is
 * known before it is read. */
static inline uint32_t ext_words(const struct packet *p, const struct packet_ext *ext) {
    uint32_t loads = p->shape & SHAPE_EXPEDITUS ? ext->tag.entries : 0;
    return (uint32_t)(offsetof(struct packet_ext, tag.load) + loads + 7) / 8;
}

/* Copies the extension of a frame, and returns where it begins. */
static uint32_t copies_add_ext(struct copies *c, const struct packet *p, const struct packet_ext *ext) {
    uint32_t at = c->ext_words, words = ext_words(p, ext);
    c->ext_words += words;
    if (c->ext_words > c->ext_size) {
        c->ext_size = 2 * c->ext_words;
        c->ext = memory_grow(c->ext, c->ext_size, sizeof *c->ext);
    }
    memcpy(c->ext + at, ext, words * sizeof *c->ext);
    return at;
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

static void exchange_ranks_send(struct exchange *x, struct partition *part, uint32_t parity, uint32_t global,
                                time_ps at, uint32_t packet) {
    struct copies *c = copies_to(x, parity, part->number, part->hop[global].partition);
    if (c->n == c->size) copies_grow(c, c->size ? 2 * c->size : 64);
    struct packet *from = packet_at(&part->pool, packet), *p = &copies_frames(c)[c->n++];
    __builtin_prefetch(p + AHEAD_NEAR, 1);
    *p = *from;
    p->at = at;
    p->next = global;
    if (p->ext != EXT_NONE) {
        p->ext = copies_add_ext(c, from, packet_ext_at(&part->pool, from->ext));
        packet_ext_put(&part->pool, from->ext);
        from->ext = EXT_NONE;
    }
    vacated_add(&x->ranks->vacated[part->number - x->first], packet);
}

/* Prefetches the short extension cell that is handed out soon. */
PREFETCHING fetch_ext(const struct packet_pool *pool) {
    const struct ext_list *l = &pool->short_free;
    if (l->n >= AHEAD_NEAR) __builtin_prefetch(packet_ext_at(pool, l->ext[l->n - AHEAD_NEAR]), 1);
}

/* Called while frame i is copied. Prefetches frame i + AHEAD_FAR of the message, and the hop, the descriptor and the extension
 * cell that frame i + AHEAD_NEAR will take. */
PREFETCHING fetch_ahead(const struct partition *part, const struct vacated *v, const struct brought *c, uint32_t i) {
    __builtin_prefetch(&c->frame[i + AHEAD_FAR]);
    if (i + AHEAD_NEAR >= c->n) return;
    const struct packet *near = &c->frame[i + AHEAD_NEAR];
    __builtin_prefetch(&part->hop[near->next]);
    if (v->n > AHEAD_NEAR) __builtin_prefetch(packet_at(&part->pool, v->packet[v->n - 1 - AHEAD_NEAR]), 1);
    if (near->ext != EXT_NONE) fetch_ext(&part->pool);
}

/* Copies what was sent of a frame's extension. */
static void ext_copy(const struct packet *p, struct packet_ext *to, const uint64_t *sent) {
    memcpy(to, sent, ext_words(p, (const struct packet_ext *)sent) * sizeof *sent);
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
            p->ext = p->shape & SHAPE_EXPEDITUS ? packet_ext_get_wide(&part->pool) : packet_ext_get(&part->pool);
            ext_copy(sent, packet_ext_at(&part->pool, p->ext), &c->ext[sent->ext]);
        }
        partition_accept(part, (struct flight){.packet = packet, .node = hop->node, .port = hop->port}, sent->at);
    }
    c->n = 0;
}

static void exchange_ranks_fetch(struct exchange *x, struct partition *part) {
    struct exchange_ranks *r = x->ranks;
    struct vacated *v = &r->vacated[part->number - x->first];
    struct brought *from = &r->from[(size_t)(part->number - x->first) * x->n];
    for (uint32_t i = 0; i < x->n; i++) brought_fetch(&from[i], v, part);
    vacated_put(v, &part->pool);
}

/* ---- sending ---- */

/* Makes room; what was there is lost. */
static void message_room(struct message *m, size_t bytes) {
    m->n = bytes;
    if (bytes > m->room) {
        m->room = 2 * bytes;
        free(m->own);
        m->own = memory_get_lines(m->room, 1);
    }
    m->bytes = m->own;
}

/* Completes a parcel: its head, and the extensions behind the frames. */
static const struct parcel *copies_close(struct copies *c, uint32_t from, uint32_t to) {
    size_t line = sizeof *c->parcel, ext_bytes = c->ext_words * sizeof *c->ext;
    size_t lines = 1 + c->n + (ext_bytes + line - 1) / line;
    if (lines > 1 + (size_t)c->size) copies_grow(c, (uint32_t)(2 * lines));
    *c->parcel = (struct parcel){.bytes = lines * line, .from = from, .to = to, .n = c->n};
    if (ext_bytes) memcpy(copies_frames(c) + c->n, c->ext, ext_bytes);
    c->n = c->ext_words = 0;
    return c->parcel;
}

/* Collects the parcels of a window for another rank in r->owed; returns their number. */
static uint32_t parcels_owed(struct exchange *x, uint32_t parity, uint32_t rank) {
    struct exchange_ranks *r = x->ranks;
    uint32_t n = 0;
    for (uint32_t from = x->first; from < x->first + x->here; from++)
        for (uint32_t to = r->first[rank]; to < r->first[rank + 1]; to++) {
            struct copies *c = copies_to(x, parity, from, to);
            if (c->n) r->owed[n++] = copies_close(c, from, to);
        }
    return n;
}

/* Copies parcels into one message. */
static void parcels_join(struct message *m, const struct parcel *const *owed, uint32_t n) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < n; i++) bytes += owed[i]->bytes;
    message_room(m, bytes);
    char *to = m->own;
    for (uint32_t i = 0; i < n; to += owed[i++]->bytes) memcpy(to, owed[i], owed[i]->bytes);
}

static void message_send(struct exchange *x, uint32_t parity, uint32_t rank) {
    struct exchange_ranks *r = x->ranks;
    struct message *m = &r->sent[parity][rank];
    uint32_t n = parcels_owed(x, parity, rank);
    m->n = 0;
    if (n == 0) return;
    if (n == 1) {
        m->bytes = r->owed[0];
        m->n = r->owed[0]->bytes;
    } else {
        parcels_join(m, r->owed, n);
    }
    for (uint32_t i = 0; i < n; i++) r->traffic.frames += r->owed[i]->n;
    r->traffic.messages++;
    r->traffic.bytes += m->n;
    ranks_group_post(r->group, rank, parity, m->bytes, m->n);
}

static void messages_send(struct exchange *x, uint32_t parity) {
    for (uint32_t rank = 0; rank < x->ranks->group->size; rank++)
        if (rank != x->ranks->group->rank) message_send(x, parity, rank);
    x->ranks->have_left = true;
}

/* Gives the other ranks these notices, and the number of messages for each. */
static void reduction_begin(struct exchange *x, uint32_t parity, const struct notice *mine) {
    struct exchange_ranks *r = x->ranks;
    r->sum[SUM_FLOWS_DONE] = mine->flows_done;
    r->sum[SUM_FLOWS_STARTED] = mine->flows_started;
    r->sum[SUM_BYTES] = mine->bytes;
    r->sum[SUM_HOPS] = mine->hops;
    r->sum[SUM_WORK_DONE] = mine->work_done;
    r->sum[SUM_GIVEN_UP] = mine->given_up;
    uint32_t size = r->group->size;
    uint64_t *last = r->sum + SUMS + size; /* a sum of numbers of which all but one are 0: the numbers of all ranks */
    for (uint32_t rank = 0; rank < size; rank++) {
        r->sum[SUMS + rank] = r->sent[parity][rank].n > 0;
        last[rank] = rank == r->group->rank ? (uint64_t)mine->last : 0;
    }
    ranks_group_reduce_begin(r->group, mine->next, r->sum, SUMS + 2 * size);
    r->has_begun = true;
}

/* Sends what has not left yet. A window that ends with a pass has the notices of the window before it. */
static void window_give(struct exchange *x, uint32_t parity, enum interval_end end) {
    struct exchange_ranks *r = x->ranks;
    if (!r->have_left) messages_send(x, parity);
    if (r->has_begun) return;
    struct notice mine = exchange_notices(x, end == END_PASS ? parity ^ 1 : parity);
    reduction_begin(x, parity, &mine);
}

static void exchange_ranks_border_ran(struct exchange *x, uint32_t parity, bool may_send, enum interval_end end) {
    struct exchange_ranks *r = x->ranks;
    uint32_t ran = atomic_fetch_add_explicit(&r->ran, 1, memory_order_acq_rel) + 1;
    if (!may_send || ran < x->here) return;
    int64_t from = clock_thread_ns();
    uint64_t before = r->traffic.messages;
    if (end == END_PASS)
        window_give(x, parity, end);
    else
        messages_send(x, parity);
    r->traffic.ahead += r->traffic.messages - before;
    if (r->left_ns) r->left_ns += clock_thread_ns() - from; /* it is no computing */
}

/* ---- receiving ---- */

/* Finds the frames of one parcel, which stay where they are until they are fetched; returns its bytes. */
static size_t parcel_open(struct exchange *x, const struct parcel *p) {
    struct brought *b = &x->ranks->from[(size_t)(p->to - x->first) * x->n + p->from];
    b->frame = (const struct packet *)(p + 1);
    b->ext = (const uint64_t *)(b->frame + p->n);
    b->n = p->n;
    return p->bytes;
}

static void message_take(struct exchange *x, struct message *m, uint32_t parity) {
    message_room(m, ranks_group_await(x->ranks->group, parity));
    ranks_group_take(x->ranks->group, m->own, m->n);
    for (size_t at = 0; at < m->n;) at += parcel_open(x, (const struct parcel *)((const char *)m->own + at));
}

/* ---- what they cost ---- */

const struct rank_traffic *exchange_ranks_traffic(const struct exchange *x) { return &x->ranks->traffic; }

static uint64_t copies_bytes(const struct copies *c, size_t n) {
    uint64_t bytes = n * sizeof *c;
    for (size_t i = 0; i < n; i++) bytes += c[i].size * sizeof *c->parcel + c[i].ext_size * sizeof *c->ext;
    return bytes;
}

static uint64_t ranks_memory(const struct exchange *x) {
    const struct exchange_ranks *r = x->ranks;
    size_t pairs = (size_t)x->here * x->n;
    uint64_t bytes = copies_bytes(r->to[0], pairs) + copies_bytes(r->to[1], pairs) + pairs * sizeof *r->from;
    for (uint32_t i = 0; i < r->group->size; i++) bytes += r->sent[0][i].room + r->sent[1][i].room + r->taken[i].room;
    for (uint32_t i = 0; i < x->here; i++) bytes += r->vacated[i].size * sizeof *r->vacated[i].packet;
    return bytes;
}

_Static_assert(sizeof(struct parcel) == EXCHANGE_MESSAGE_BYTES, "what a message has beside its frames");

/* ---- the end of a window ---- */

static void computing_count(struct exchange_ranks *r) {
    r->traffic.windows++;
    if (r->left_ns) r->traffic.computing_ns += (uint64_t)(clock_thread_ns() - r->left_ns);
    r->traffic.busiest_ns = r->traffic.computing_ns;
}

/* Waits for what the other ranks have given. */
static struct notice reduction_end(struct exchange_ranks *r) {
    uint32_t size = r->group->size;
    time_ps next, last = LAST_NO_FLOW;
    ranks_group_reduce_end(r->group, &next, r->sum, SUMS + 2 * size);
    for (uint32_t rank = 0; rank < size; rank++) last = max_i64(last, (time_ps)r->sum[SUMS + size + rank]);
    r->has_begun = false;
    return (struct notice){.next = next,
                           .flows_done = r->sum[SUM_FLOWS_DONE],
                           .flows_started = r->sum[SUM_FLOWS_STARTED],
                           .bytes = r->sum[SUM_BYTES],
                           .hops = r->sum[SUM_HOPS],
                           .work_done = r->sum[SUM_WORK_DONE],
                           .given_up = r->sum[SUM_GIVEN_UP],
                           .last = last};
}

static void exchange_ranks_end(struct exchange *x, uint32_t parity, enum interval_end end) {
    struct exchange_ranks *r = x->ranks;
    computing_count(r);
    window_give(x, parity, end);
    x->all = reduction_end(r);
    ranks_group_settle(r->group,
                       parity ^ 1); /* all have taken the messages of the window before; the next ones lie there */
    for (uint64_t i = 0; i < r->sum[SUMS + r->group->rank]; i++) message_take(x, &r->taken[i], parity);
    atomic_store_explicit(&r->ran, 0, memory_order_relaxed); /* the rank's other threads wait at a barrier */
    r->have_left = false;
    r->left_ns = clock_thread_ns();
}

static const struct exchange_remote exchange_ranks = {
    .send = exchange_ranks_send,
    .fetch = exchange_ranks_fetch,
    .border_ran = exchange_ranks_border_ran,
    .end = exchange_ranks_end,
    .bytes = ranks_memory,
    .fini = exchange_ranks_fini,
};

void exchange_ranks_init(struct exchange *x, const struct ranks_group *group, const uint32_t *first) {
    uint32_t n = first[group->size], here = first[group->rank + 1] - first[group->rank];
    exchange_init_part(x, n, first[group->rank], here);
    x->remote = &exchange_ranks;
    struct exchange_ranks *r = x->ranks = memory_get(1, sizeof *r);
    r->group = group;
    r->first = memory_get(group->size + 1, sizeof *r->first);
    memcpy(r->first, first, (group->size + 1) * sizeof *first);
    for (int i = 0; i < 2; i++) r->to[i] = memory_get((size_t)here * n, sizeof *r->to[i]);
    r->from = memory_get((size_t)here * n, sizeof *r->from);
    r->vacated = memory_get_lines(here, sizeof *r->vacated);
    for (int i = 0; i < 2; i++) r->sent[i] = memory_get(group->size, sizeof *r->sent[i]);
    r->taken = memory_get(group->size, sizeof *r->taken);
    r->owed = memory_get((size_t)here * n, sizeof *r->owed);
    r->sum = memory_get(SUMS + 2 * group->size, sizeof *r->sum);
}
