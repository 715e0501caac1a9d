/* SPDX-License-Identifier: Apache-2.0 */
/* UDP: datagrams at a constant rate or in bursts, without feedback.
 *
 * Datagrams are released in groups: one datagram, or `burst_bytes` of payload. The next group is released group bytes /
 * rate later, exact to the picosecond on average, however long the NIC delayed the last one. With rate 0 it is released
 * at once, as fast as the NIC asks. Sequence numbers count datagrams.
 *
 * The receiver counts distinct datagrams. It remembers the last 1024 numbers. An older one counts as new, because a
 * fabric delays but does not copy. The flow finishes when all bytes arrived; one lost datagram leaves it unfinished.
 */
#include "mech/transport/transport.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

enum { UDP_PARAM_PAYLOAD, UDP_N_PARAMS };
enum { UDP_HEADER = 8, UDP_SEEN = 1024 };

struct udp_sender {
    uint64_t sent_bytes;
    uint64_t group_left;  /* bytes of the released group not yet sent; above 0 = there is output */
    uint64_t group_bytes; /* payload of a full group */
    time_ps release_at;   /* release of the next group; TIME_NONE when all is sent */
    span_ps gap_ps;       /* between full groups */
    int64_t gap_rest;     /* numerator of the rest of the gap: gap_rest / rate_bps of a picosecond */
    int64_t rest;         /* sum of the rests, carried to the next group */
    uint32_t number;      /* number of the next datagram */
    uint32_t payload_bytes;
};

struct udp_receiver {
    uint64_t received_bytes;
    uint32_t highest; /* highest number seen */
    bool any;
    uint64_t seen[UDP_SEEN / 64]; /* numbers in (highest - UDP_SEEN, highest] */
};

/* --- sender ---------------------------------------------------------------------------------------------------- */

static void udp_set_gap(struct udp_sender *s, int64_t rate_bps) {
    if (rate_bps <= 0) return;
    uint128 ps_bits = (uint128)s->group_bytes * 8 * PS_PER_S;
    s->gap_ps = (span_ps)(ps_bits / (uint64_t)rate_bps);
    s->gap_rest = (int64_t)(ps_bits % (uint64_t)rate_bps);
}

/* Releases the next group if the last one is sent and its time has come. */
static void udp_release(struct udp_sender *s, const struct flow_env *env, time_ps now) {
    if (s->group_left > 0 || now < s->release_at) return;
    s->group_left = s->group_bytes;
    if (env->rate_bps <= 0) return;
    s->release_at += s->gap_ps;
    s->rest += s->gap_rest;
    if (s->rest >= env->rate_bps) {
        s->rest -= env->rate_bps;
        s->release_at++;
    }
}

static void udp_open(void *end, struct flow_env *env, time_ps now) {
    struct udp_sender *s = end;
    s->payload_bytes = (uint32_t)env->params[UDP_PARAM_PAYLOAD];
    s->group_bytes = env->burst_bytes ? env->burst_bytes : s->payload_bytes;
    s->release_at = now;
    udp_set_gap(s, env->rate_bps);
    udp_release(s, env, now);
}

static bool udp_has_output(const void *end, const struct flow_env *env, time_ps now) {
    (void)env;
    (void)now;
    return ((const struct udp_sender *)end)->group_left > 0;
}

static void udp_count(struct udp_sender *s, struct flow_env *env, time_ps now, uint32_t bytes) {
    if (s->sent_bytes == 0) env->tally->first_data_at = now;
    env->tally->sent_pkts++;
    s->sent_bytes += bytes;
    s->group_left -= bytes;
    if (s->sent_bytes < env->bytes) {
        udp_release(s, env, now);
        return;
    }
    s->group_left = 0;
    s->release_at = TIME_NONE;
}

static bool udp_poll(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    if (!udp_has_output(end, env, now)) return false;
    struct udp_sender *s = end;
    uint64_t left = env->bytes - s->sent_bytes < s->group_left ? env->bytes - s->sent_bytes : s->group_left;
    uint32_t bytes = left < s->payload_bytes ? (uint32_t)left : s->payload_bytes;
    p->seq = s->number++;
    p->payload_bytes = (uint16_t)bytes;
    p->wire_bytes = packet_wire_bytes(0, UDP_HEADER, bytes);
    udp_count(s, env, now, bytes);
    return true;
}

/* Returns the release of the next group, the only deadline. */
static time_ps udp_next_timer(const void *end) {
    const struct udp_sender *s = end;
    return s->group_left == 0 ? s->release_at : TIME_NONE;
}

static void udp_on_timer(void *end, struct flow_env *env, time_ps now) { udp_release(end, env, now); }

/* Ignores frames that a sender receives: UDP receivers answer nothing. */
static void udp_ignore(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    (void)end, (void)env, (void)now, (void)p;
}

static bool udp_has_sent(const void *end, const struct flow_env *env) {
    return ((const struct udp_sender *)end)->sent_bytes >= env->bytes;
}

static void udp_describe_sender(const void *end, const struct flow_env *env, char *buf, size_t size) {
    char of[TEXT_OF_FLOW];
    snprintf(buf, size, "sender: sent %" PRIu64 " %s", ((const struct udp_sender *)end)->sent_bytes,
             text_of_flow(env->bytes, of));
}

static const struct transport_end udp_sender_end = {
    .bytes = sizeof(struct udp_sender),
    .open = udp_open,
    .on_packet = udp_ignore,
    .on_timer = udp_on_timer,
    .next_timer = udp_next_timer,
    .has_output = udp_has_output,
    .poll_transmit = udp_poll,
    .is_done = udp_has_sent,
    .has_sent = udp_has_sent,
    .describe = udp_describe_sender,
};

/* --- receiver -------------------------------------------------------------------------------------------------- */

static uint64_t *udp_word(struct udp_receiver *r, uint32_t number) { return &r->seen[number % UDP_SEEN / 64]; }

/* Moves the window up to `number`, and marks the numbers it skips as not seen. */
static void udp_slide(struct udp_receiver *r, uint32_t number) {
    uint32_t steps = r->any ? number - r->highest : 1;
    if (steps > UDP_SEEN) steps = UDP_SEEN;
    for (uint32_t i = 0; i < steps; i++) *udp_word(r, number - i) &= ~(1ull << (number - i) % 64);
    r->highest = number;
    r->any = true;
}

/* Records the number; returns false if it was seen before. */
static bool udp_note(struct udp_receiver *r, struct flow_env *env, uint32_t number) {
    int32_t ahead = (int32_t)(number - r->highest);
    if (!r->any || ahead > 0) {
        udp_slide(r, number);
    } else {
        bool remembered = (uint32_t)-ahead < UDP_SEEN;
        if (remembered && (*udp_word(r, number) >> number % 64 & 1)) return false;
        env->tally->reordered_pkts++;
        if (!remembered) return true;
    }
    *udp_word(r, number) |= 1ull << number % 64;
    return true;
}

static void udp_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    struct udp_receiver *r = end;
    if ((p->tos & ECN_MASK) == ECN_CE) env->tally->marked_pkts++;
    if (!udp_note(r, env, p->seq)) {
        env->tally->duplicate_pkts++;
        return;
    }
    r->received_bytes += p->payload_bytes;
    env->tally->received_bytes += p->payload_bytes;
    if (r->received_bytes >= env->bytes) env->tally->finished_at = now;
}

static void udp_listen(void *end, struct flow_env *env, time_ps now) { (void)end, (void)env, (void)now; }

static bool udp_has_nothing(const void *end, const struct flow_env *env, time_ps now) {
    (void)end, (void)env, (void)now;
    return false;
}

static bool udp_poll_nothing(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    (void)end, (void)env, (void)now, (void)p;
    return false;
}

static bool udp_has_received(const void *end, const struct flow_env *env) {
    return ((const struct udp_receiver *)end)->received_bytes >= env->bytes;
}

static void udp_describe_receiver(const void *end, const struct flow_env *env, char *buf, size_t size) {
    const struct udp_receiver *r = end;
    char of[TEXT_OF_FLOW];
    snprintf(buf, size, "receiver: received %" PRIu64 " %s, highest datagram %" PRIu32, r->received_bytes,
             text_of_flow(env->bytes, of), r->highest);
}

static const struct transport_end udp_receiver_end = {
    .bytes = sizeof(struct udp_receiver),
    .open = udp_listen,
    .on_packet = udp_on_packet,
    .next_timer = transport_no_timer,
    .has_output = udp_has_nothing,
    .poll_transmit = udp_poll_nothing,
    .is_done = udp_has_received,
    .describe = udp_describe_receiver,
};

/* --- the table --------------------------------------------------------------------------------------------------- */

static const struct param udp_params[UDP_N_PARAMS] = {
    [UDP_PARAM_PAYLOAD] = {.name = "payload",
                           .type = PARAM_BYTES,
                           .def = 1472,
                           .min = 1,
                           .max = 8972,
                           .doc = "payload bytes of a full datagram",
                           .paper = "RFC 768"},
};
static const struct param_list udp_param_list = {NULL, udp_params, UDP_N_PARAMS};

static const struct transport_base udp_base = {
    .params = &udp_param_list,
    .proto = PROTO_UDP,
    .header_bytes = 28,
    .max_payload_param = UDP_PARAM_PAYLOAD,
    .tolerates_reordering = true,
};

const struct transport_ops transport_udp = {
    .name = "udp",
    .paper = "RFC 768",
    .doc = "datagrams at a constant rate or in bursts, without feedback",
    .base = &udp_base,
    .sender = &udp_sender_end,
    .receiver = &udp_receiver_end,
    .takes_rate = true,
    .takes_bursts = true,
};
