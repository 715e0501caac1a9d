/* TCP NewReno: RFC 5681 with byte counting, RFC 6582; recovery by SACK where both ends have it (tcp.h).
 *
 *     slow start             cwnd += bytes acknowledged, 2 MSS an ACK at most   (RFC 3465)
 *     congestion avoidance   cwnd += MSS for each cwnd of bytes acknowledged    (RFC 3465, RFC 5681 3.1)
 *     loss, timeout          ssthresh = max(flight / 2, 2 MSS)                  (RFC 5681 (4))
 *     ECN-Echo               the same, but 1 MSS at least                       (RFC 3168 6.1.2; CLAIMS AM-2)
 */
#include "mech/transport/tcp.h"

struct newreno {
    uint32_t acked_bytes; /* since cwnd last grew in congestion avoidance */
};
_Static_assert(sizeof(struct newreno) <= TCP_PRIVATE_BYTES, "private state");

static struct newreno *newreno_of(struct tcp_sender *s) { return (struct newreno *)s->private; }

static void newreno_init(struct tcp_sender *s) { newreno_of(s)->acked_bytes = 0; }

static void newreno_on_ack(struct tcp_sender *s, const struct tcp_ack *ack) {
    if (!ack->may_grow) return;
    if (s->cwnd_bytes < s->ssthresh_bytes) {
        tcp_slow_start(s, ack);
        return;
    }
    struct newreno *n = newreno_of(s);
    n->acked_bytes += ack->acked_bytes;
    if (n->acked_bytes < s->cwnd_bytes) return;
    n->acked_bytes -= s->cwnd_bytes;
    if (s->cwnd_bytes < TCP_CWND_MAX) s->cwnd_bytes += s->mss_bytes;
}

static void newreno_halve(struct tcp_sender *s, uint32_t flight_bytes, uint32_t floor_segments) {
    uint32_t floor = floor_segments * s->mss_bytes;
    s->ssthresh_bytes = flight_bytes / 2 > floor ? flight_bytes / 2 : floor;
    newreno_of(s)->acked_bytes = 0;
}

static void newreno_on_loss(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, flight_bytes, 2);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void newreno_on_timeout(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, flight_bytes, 2);
}

static void newreno_on_ecn(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, flight_bytes, 1);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static const struct tcp_congestion newreno_congestion = {
    .name = "newreno",
    .init = newreno_init,
    .on_ack = newreno_on_ack,
    .on_loss = newreno_on_loss,
    .on_timeout = newreno_on_timeout,
    .on_ecn = newreno_on_ecn,
};

static void newreno_open(void *end, enum transport_side side, struct flow_env *env, time_ps now) {
    (void)now;
    tcp_open(end, side, env, &newreno_congestion);
}

const struct transport_ops transport_newreno = {
    .name = "newreno",
    .paper = "RFC 5681, RFC 6582, RFC 6675",
    .doc = "TCP with NewReno congestion control and SACK",
    .open = newreno_open,
    TCP_TABLE,
};
