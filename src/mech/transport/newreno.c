/* SPDX-License-Identifier: Apache-2.0 */
/* TCP NewReno: RFC 5681 with byte counting, RFC 6582; recovery by SACK where both ends have it (tcp.h).
 *
 *     growth                 newreno.h
 *     loss, timeout          ssthresh = max(flight / 2, 2 MSS)                  (RFC 5681 (4))
 *     ECN-Echo               the same, but 1 MSS at least                       (RFC 3168 6.1.2; AM-2)
 */
#include "mech/transport/newreno.h"

_Static_assert(sizeof(struct newreno) <= TCP_PRIVATE_BYTES, "private state");

static struct newreno *newreno_of(struct tcp_sender *s) { return (struct newreno *)s->private; }

static void newreno_init(struct tcp_sender *s, const struct flow_env *env) {
    (void)env;
    newreno_of(s)->grown_bytes = 0;
}

static void newreno_on_ack(struct tcp_sender *s, const struct tcp_ack *ack) { newreno_grow(s, newreno_of(s), ack); }

static void newreno_on_loss(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, newreno_of(s), flight_bytes, 2);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void newreno_on_timeout(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, newreno_of(s), flight_bytes, 2);
}

static void newreno_on_ecn(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, newreno_of(s), flight_bytes, 1);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void newreno_resume(struct tcp_sender *s) { (void)s; }

static const struct tcp_congestion newreno_congestion = {
    .init = newreno_init,
    .on_ack = newreno_on_ack,
    .on_loss = newreno_on_loss,
    .on_timeout = newreno_on_timeout,
    .on_ecn = newreno_on_ecn,
    .resume = newreno_resume,
};

const struct transport_ops transport_newreno = {
    .name = "newreno",
    .kernel = "reno",
    .paper = "RFC 5681, RFC 6582, RFC 6675",
    .doc = "TCP with NewReno congestion control and SACK",
    .base = &tcp_base,
    .sender = &tcp_sender_end,
    .receiver = &tcp_receiver_end,
    .begins_with_syn = true,
    .congestion = &newreno_congestion,
    .buffer_permille = 1000, /* half of the window must still fill the link */
};
