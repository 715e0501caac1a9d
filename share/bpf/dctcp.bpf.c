/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* DCTCP (RFC 8257) as a congestion control that a running Linux kernel takes from user space, for kernels without their
 * own: `heddle lab` compiles this file for BPF, registers it, and removes it with the lab.
 *
 *     clang -O2 -g -target bpf -DDCTCP_NAME=dctcp_x -c dctcp.bpf.c -o dctcp.bpf.o
 *     bpftool struct_ops register dctcp.bpf.o;  bpftool struct_ops unregister name dctcp_x
 *
 *     receiver   echoes the mark of each segment exactly; where the mark changes, an ACK for the segments before the
 *                change goes out first, with their mark (RFC 8257, 3.2)
 *     estimate   once a window: alpha = (1 - g) alpha + g M, M being marked over acknowledged bytes (3.3, steps 1 to 8)
 *     reaction   cwnd (1 - alpha / 2) once a window of data that was marked (3.3, step 9), 2 segments at least
 *     loss       cwnd / 2, as other TCPs (3.4); growth is Reno's (3.3, last paragraph)
 *
 * alpha and g carry 20 fractional bits; alpha begins at 1. Deviation: a connection that could not negotiate ECN sees no
 * marks, so it is Reno.
 *
 * The kernel decides at load where the fields of its structures lie (preserve_access_index), so the structures below
 * name only the fields that are used. It refuses a congestion control whose licence text is not compatible with the
 * GPL, hence the two licences (docs/decisions/0019-dctcp-as-bpf.md). */

#ifndef DCTCP_NAME
#define DCTCP_NAME dctcp_heddle /* 15 characters at most */
#endif
#ifndef DCTCP_GAIN
#define DCTCP_GAIN 65536 /* g with 20 fractional bits: 1 / 16 */
#endif

#define ONE (1u << 20)
#define LEAST_CWND 2u
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define SECTION(name) __attribute__((section(name), used))

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

/* ---- what is used of the kernel ---- */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct sock { /* must be complete: loaders compare the types of called kernel functions */
    int sk_sndbuf;
};

struct inet_connection_sock {
    struct {
        u8 pending;
    } icsk_ack;
    u64 icsk_ca_priv[13];
};

struct tcp_sock {
    struct inet_connection_sock inet_conn;
    u32 rcv_nxt, snd_nxt, snd_una;
    u32 snd_cwnd, snd_ssthresh, prior_cwnd;
    u64 bytes_acked;
    u8 ecn_flags;
};

#pragma clang attribute pop

/* Values of the kernel that have kept their numbers since it has BPF congestion controls (Linux 5.6). */
enum { ACK_TIMER = 2, ACK_NOW = 4 };                    /* icsk_ack.pending */
enum { ECN_DEMAND_CWR = 4 };                            /* ecn_flags: ACKs carry ECE */
enum { ACK_HAS_ECE = 4 };                               /* flags of in_ack_event */
enum { EVENT_LOSS = 3, EVENT_NO_CE = 4, EVENT_CE = 5 }; /* cwnd_event */
enum { STATE_RECOVERY = 3 };                            /* set_state */
enum { NON_RESTRICTED = 1, NEEDS_ECN = 2 };             /* flags of the table */

struct tcp_congestion_ops {
    u32 (*ssthresh)(struct sock *);
    void (*cong_avoid)(struct sock *, u32, u32);
    void (*set_state)(struct sock *, u8);
    void (*cwnd_event)(struct sock *, u32);
    void (*in_ack_event)(struct sock *, u32);
    u32 (*undo_cwnd)(struct sock *);
    char name[16];
    u32 flags;
    void (*init)(struct sock *);
};

/* Sends an ACK up to rcv_nxt: helper 116 of BPF (bpf_tcp_send_ack). */
static long (*const send_ack)(void *tcp, u32 rcv_nxt) = (void *)116;

extern void tcp_reno_cong_avoid(struct sock *, u32 ack, u32 acked) __attribute__((section(".ksyms")));
extern u32 tcp_reno_undo_cwnd(struct sock *) __attribute__((section(".ksyms")));

/* ---- the state of a connection ---- */

struct dctcp {
    u64 seen_bytes;     /* bytes_acked at the last ACK */
    u64 acked_bytes;    /* since the window began */
    u64 marked_bytes;   /* the part of them whose ACKs had ECE */
    u32 window_end;     /* snd_nxt when the window began */
    u32 alpha;          /* estimated share of marked bytes, 20 fractional bits */
    u32 before_rcv_nxt; /* receiver: rcv_nxt at the last segment with or without a mark */
    u32 marked;         /* receiver: the mark of that segment, 0 or 1 */
};
_Static_assert(sizeof(struct dctcp) <= 13 * 8, "the kernel keeps 104 bytes for a congestion control");

static inline struct tcp_sock *tcp_of(struct sock *sk) { return (struct tcp_sock *)sk; }
static inline struct dctcp *dctcp_of(struct tcp_sock *tcp) { return (struct dctcp *)tcp->inet_conn.icsk_ca_priv; }

/* Arguments of a struct_ops program are 64-bit words. */
#define SK(words) ((struct sock *)(words)[0])

SECTION("struct_ops/dctcp_init")
void dctcp_init(u64 *words) {
    struct tcp_sock *tcp = tcp_of(SK(words));
    struct dctcp *d = dctcp_of(tcp);
    d->seen_bytes = tcp->bytes_acked;
    d->acked_bytes = d->marked_bytes = 0;
    d->window_end = tcp->snd_nxt;
    d->alpha = ONE;
    d->before_rcv_nxt = tcp->rcv_nxt;
    d->marked = 0;
}

/* ---- sender ---- */

/* Ends a window: moves alpha towards the share of marked bytes by g. */
static inline void estimate(struct dctcp *d, u32 snd_nxt) {
    u64 share = d->acked_bytes ? d->marked_bytes * ONE / d->acked_bytes : 0;
    d->alpha = (u32)(((u64)(ONE - DCTCP_GAIN) * d->alpha + (u64)DCTCP_GAIN * share) / ONE);
    d->acked_bytes = d->marked_bytes = 0;
    d->window_end = snd_nxt;
}

SECTION("struct_ops/dctcp_in_ack_event")
void dctcp_in_ack_event(u64 *words) {
    struct tcp_sock *tcp = tcp_of(SK(words));
    struct dctcp *d = dctcp_of(tcp);
    u64 bytes = tcp->bytes_acked - d->seen_bytes;
    d->seen_bytes = tcp->bytes_acked;
    d->acked_bytes += bytes;
    if (words[1] & ACK_HAS_ECE) d->marked_bytes += bytes;
    if ((int)(tcp->snd_una - d->window_end) > 0) estimate(d, tcp->snd_nxt);
}

/* The kernel asks once for each window with an echo, and for each loss; dctcp_set_state corrects the latter. */
SECTION("struct_ops/dctcp_ssthresh")
u32 dctcp_ssthresh(u64 *words) {
    struct tcp_sock *tcp = tcp_of(SK(words));
    u32 cwnd = tcp->snd_cwnd;
    u32 cut = (u32)((u64)cwnd * (2 * ONE - dctcp_of(tcp)->alpha) / (2 * ONE));
    return cut > LEAST_CWND ? cut : LEAST_CWND;
}

static inline void halve(struct tcp_sock *tcp, u32 cwnd) {
    tcp->snd_ssthresh = cwnd / 2 > LEAST_CWND ? cwnd / 2 : LEAST_CWND;
}

SECTION("struct_ops/dctcp_set_state")
void dctcp_set_state(u64 *words) {
    struct tcp_sock *tcp = tcp_of(SK(words));
    if ((u8)words[1] == STATE_RECOVERY) halve(tcp, tcp->prior_cwnd);
}

SECTION("struct_ops/dctcp_cong_avoid")
void dctcp_cong_avoid(u64 *words) { tcp_reno_cong_avoid(SK(words), (u32)words[1], (u32)words[2]); }

SECTION("struct_ops/dctcp_undo_cwnd")
u32 dctcp_undo_cwnd(u64 *words) { return tcp_reno_undo_cwnd(SK(words)); }

/* ---- receiver, and timeouts of the sender ---- */

static inline void echo(struct tcp_sock *tcp, u32 marked) {
    u8 flags = tcp->ecn_flags;
    tcp->ecn_flags = marked ? flags | ECN_DEMAND_CWR : flags & ~ECN_DEMAND_CWR;
}

/* A segment came, with this mark. If another mark came before it and its ACK is delayed, that ACK goes out now. */
static inline void segment_came(struct tcp_sock *tcp, u32 marked) {
    struct dctcp *d = dctcp_of(tcp);
    u8 pending = tcp->inet_conn.icsk_ack.pending;
    if (d->marked != marked) {
        if (pending & ACK_TIMER) {
            echo(tcp, d->marked);
            send_ack(tcp, d->before_rcv_nxt);
        }
        pending = tcp->inet_conn.icsk_ack.pending;
        tcp->inet_conn.icsk_ack.pending = pending | ACK_NOW;
    }
    d->before_rcv_nxt = tcp->rcv_nxt;
    d->marked = marked;
    echo(tcp, marked);
}

SECTION("struct_ops/dctcp_cwnd_event")
void dctcp_cwnd_event(u64 *words) {
    struct tcp_sock *tcp = tcp_of(SK(words));
    u32 event = (u32)words[1];
    if (event == EVENT_CE || event == EVENT_NO_CE)
        segment_came(tcp, event == EVENT_CE);
    else if (event == EVENT_LOSS)
        halve(tcp, tcp->snd_cwnd);
}

/* ---- the table ---- */

SECTION(".struct_ops")
struct tcp_congestion_ops DCTCP_NAME = {
    .init = (void *)dctcp_init,
    .ssthresh = (void *)dctcp_ssthresh,
    .cong_avoid = (void *)dctcp_cong_avoid,
    .set_state = (void *)dctcp_set_state,
    .cwnd_event = (void *)dctcp_cwnd_event,
    .in_ack_event = (void *)dctcp_in_ack_event,
    .undo_cwnd = (void *)dctcp_undo_cwnd,
    .name = TEXT(DCTCP_NAME),
    .flags = NON_RESTRICTED | NEEDS_ECN,
};

char dctcp_licence[] SECTION("license") = "GPL";
