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

struct exchange_ranks {
    const struct ranks_group *group;
    uint32_t *first;      /* [size + 1] first partition of each rank */
    struct message *sent; /* [size] lies there until the next window, so that it can travel meanwhile */
    struct message taken;
    uint64_t *sum; /* [SUMS + size]: notices, then the number of messages for each rank */
    struct rank_traffic traffic;
    int64_t left_ns; /* processor time of the thread when it left the last meeting; 0 before the first */
    atomic_uint ran; /* partitions of this rank that send nothing more to other ranks in this window */
    bool have_left;  /* the messages of this window */
};

enum { SUM_FLOWS_DONE, SUM_FLOWS_STARTED, SUM_BYTES, SUM_HOPS, SUM_GIVEN_UP, SUMS };

void exchange_ranks_init(struct exchange *x, const struct ranks_group *group, const uint32_t *first) {
    struct exchange_ranks *r = x->ranks = memory_get(1, sizeof *r);
    r->group = group;
    r->first = memory_get(group->size + 1, sizeof *r->first);
    memcpy(r->first, first, (group->size + 1) * sizeof *first);
    r->sent = memory_get(group->size, sizeof *r->sent);
    r->sum = memory_get(SUMS + group->size, sizeof *r->sum);
    x->first = first[group->rank];
    x->here = first[group->rank + 1] - x->first;
}

void exchange_ranks_fini(struct exchange *x) {
    struct exchange_ranks *r = x->ranks;
    if (!r) return;
    ranks_group_settle(r->group);
    for (uint32_t i = 0; i < r->group->size; i++) free(r->sent[i].bytes);
    free(r->taken.bytes);
    free(r->first);
    free(r->sent);
    free(r->sum);
    free(r);
    x->ranks = NULL;
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

/* Moves the frames of one outbox into the message; returns their number. */
static uint32_t parcel_pack(struct message *m, struct outbox_half *half, uint32_t from, uint32_t to) {
    uint32_t n = half->n;
    if (n == 0) return 0;
    struct parcel p = {from, to, half->n, half->n_ext};
    message_add(m, &p, sizeof p);
    message_add(m, half->frame, half->n * sizeof *half->frame);
    message_add(m, half->ext, half->n_ext * sizeof *half->ext);
    half->n = half->n_ext = 0;
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
                r->traffic.frames += parcel_pack(m, exchange_half(x, from, to, parity), from, to);
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

/* Moves the frames of one parcel into its sender's outbox; returns its bytes. */
static size_t parcel_unpack(struct exchange *x, const char *bytes, uint32_t parity) {
    struct parcel p;
    memcpy(&p, bytes, sizeof p);
    struct outbox_half *half = exchange_half(x, p.from, p.to, parity);
    outbox_half_room(half, p.n, p.n_ext);
    memcpy(half->frame, bytes + sizeof p, p.n * sizeof *half->frame);
    if (p.n_ext) memcpy(half->ext, bytes + sizeof p + p.n * sizeof *half->frame, p.n_ext * sizeof *half->ext);
    half->n = p.n;
    half->n_ext = p.n_ext;
    return sizeof p + p.n * sizeof *half->frame + p.n_ext * sizeof *half->ext;
}

static void message_take(struct exchange *x, uint32_t parity) {
    struct message *m = &x->ranks->taken;
    size_t bytes = ranks_group_await(x->ranks->group, parity);
    m->n = 0;
    message_room(m, bytes);
    ranks_group_take(x->ranks->group, m->bytes, bytes);
    for (size_t at = 0; at < bytes;) at += parcel_unpack(x, m->bytes + at, parity);
}

/* ---- what they cost ---- */

const struct rank_traffic *exchange_ranks_traffic(const struct exchange *x) { return &x->ranks->traffic; }

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
    for (uint64_t n = r->sum[SUMS + r->group->rank]; n > 0; n--) message_take(x, parity);
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
