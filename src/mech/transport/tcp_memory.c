/* SPDX-License-Identifier: Apache-2.0 */
/* What a TCP connection keeps from one flow to the next: its estimates of the path, and its window (transport.h). A byte
 * stream has one window for all its bytes; here each flow is a stream of its own, and the window moves from one to the
 * next as the bytes in flight are acknowledged. It is kept while nothing is sent, as by the queue pairs of RDMA; RFC 2861
 * and RFC 7661 would let it decay.
 */
#include "mech/transport/tcp.h"

#include <string.h>

struct tcp_memory {
    struct tcp_rtt rtt;
    uint32_t ssthresh_bytes;
    _Alignas(8) char private[TCP_PRIVATE_BYTES];
};
_Static_assert(sizeof(struct tcp_memory) == TCP_MEMORY_BYTES, "as transport tables say");

void tcp_sender_remember(const void *end, void *memory) {
    const struct tcp_sender *s = end;
    struct tcp_memory *m = memory;
    m->rtt = s->rtt;
    m->ssthresh_bytes = s->ssthresh_bytes;
    memcpy(m->private, s->private, sizeof m->private);
}

void tcp_sender_recall(void *end, const struct flow_env *env, const void *memory, uint64_t window_bytes) {
    struct tcp_sender *s = end;
    const struct tcp_memory *m = memory;
    s->rtt = m->rtt;
    if (m->rtt.srtt_ps)
        s->rto_ps = tcp_rtt_rto(&m->rtt, env->params[TCP_PARAM_MIN_RTO], env->params[TCP_PARAM_MAX_RTO]);
    s->ssthresh_bytes = m->ssthresh_bytes;
    memcpy(s->private, m->private, sizeof s->private);
    s->congestion->resume(s);
    s->cwnd_bytes = s->mss_bytes;
    if (window_bytes > s->mss_bytes) tcp_sender_widen(s, window_bytes - s->mss_bytes);
}

uint64_t tcp_sender_yield(void *end) {
    struct tcp_sender *s = end;
    uint64_t flight = s->snd_nxt - s->snd_una;
    uint64_t spare = s->cwnd_bytes > flight ? s->cwnd_bytes - flight : 0;
    s->cwnd_bytes -= (uint32_t)spare;
    return spare;
}

void tcp_sender_widen(void *end, uint64_t bytes) {
    struct tcp_sender *s = end;
    uint64_t window = s->cwnd_bytes + bytes;
    s->cwnd_bytes = window < TCP_CWND_MAX ? (uint32_t)window : TCP_CWND_MAX;
}
