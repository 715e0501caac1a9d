/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus at a ToR if the response rides on the SYN-ACK (switch.expeditus.carry: handshake).
 *
 * The paper sends the response as a packet of its own (EXP-26). Its authors' simulator (2016-SoCC-Expeditus,
 * hash-routing.cc) sends none: the SYN carries the request, the SYN-ACK the response. So a flow's path is settled before
 * its host may send data, and no packet of a flow overtakes another.
 *
 *     between pods       SYN      source ToR: tag SF 0, egress levels of its uplinks; by ECMP
 *                                 destination ToR: picks the agg, enters it for the frames of the opposite direction,
 *                                 removes the tag
 *                        SYN-ACK  destination ToR: tag SF 1, NoE 0; to the agg entered
 *                                 agg there: fills in the ingress levels of its uplinks; by ECMP
 *                                 agg at the source: picks the core
 *                                 source ToR: the agg is the one that the SYN-ACK came from; removes the tag
 *     one stage (EXP-39) SYN      no tag
 *                        SYN-ACK  destination ToR: tag SF 1, ingress levels of its uplinks; by ECMP
 *                                 source ToR: picks the uplink with its own egress levels, removes the tag
 *
 * The opposite direction selects no path. Between pods its first hop is the agg that the destination ToR picked, and the
 * rest is ECMP. Flows without a SYN select none: UDP, credits, connections that are open already. Nor does a flow whose
 * entry has timed out, until its next SYN.
 *
 * Where the code differs:
 *
 *   - There the agg adds the header to every SYN-ACK between pods. Here the ToR's tag of 3 bytes makes it a response.
 *   - A SYN that finds a settled path follows it and carries no tag, and the first answer holds. There too the first
 *     entry of a flow is found, but each repeated SYN and SYN-ACK carries loads.
 *   - Its flow table has the whole five-tuple, this one 16 bits of it (EXP-13).
 *   - A settled path that routing withdraws is left for ECMP; the code knows no failures.
 */
#include "mech/balance/expeditus.h"

/* Makes a SYN-ACK the response. Between pods the agg above fills it in. */
static void handshake_answer(struct expeditus *s, const struct balance_query *q, struct packet *p) {
    s->counters[RESPONSES_SENT]++;
    expeditus_add_tag(s, p, 0)->stage = STAGE_RESPONSE;
    if (!expeditus_is_inter_pod(s, q)) expeditus_add_ingress(s, q->now, p);
}

/* Returns the port of a frame by what its ToR knows of its flow. */
static uint16_t handshake_port(struct expeditus *s, const struct balance_query *q, enum path_verdict verdict,
                               const struct path_entry *e, uint64_t hash) {
    uint16_t by_hash = q->choice[hash_pick(hash, q->n_choices)];
    if (verdict == PATH_NEW) {
        s->counters[PST_MISSES]++;
        return by_hash;
    }
    s->counters[PST_COLLISIONS] += path_entry_is_shared(e, hash_flow_key(hash));
    if (verdict == PATH_WAIT) {
        s->counters[ECMP_WHILE_SELECTING]++;
        return s->request_least_loaded && expeditus_offers(s, q, e->port) ? e->port : by_hash;
    }
    bool offered = expeditus_offers(s, q, e->port);
    s->counters[offered ? PST_HITS : PST_DEAD_PATHS]++;
    return offered ? e->port : by_hash;
}

uint16_t expeditus_handshake_up(struct expeditus *s, const struct balance_query *q, struct packet *p) {
    struct path_entry *e;
    uint64_t hash = hash_flow(p, s->salt);
    enum path_verdict verdict = path_table_lookup(&s->table, hash_flow_key(hash), q->now, &e);
    bool follows = verdict == PATH_FORWARD && expeditus_offers(s, q, e->port);
    if (packet_is_syn(p) && !follows) {
        s->counters[PST_MISSES] += verdict == PATH_NEW;
        uint16_t port = expeditus_begin(s, q, hash);
        if (expeditus_is_inter_pod(s, q)) expeditus_request(s, q, p);
        return port;
    }
    uint16_t port = handshake_port(s, q, verdict, e, hash);
    if (packet_is_syn_ack(p)) handshake_answer(s, q, p);
    return port;
}

/* Picks the agg, and enters it for the SYN-ACK and what follows it, unless an earlier SYN has done so. */
static void handshake_on_request(struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    struct path_entry *e;
    uint32_t key = hash_flow_key(hash_flow_reversed(p, s->salt));
    s->counters[REQUESTS_SEEN]++;
    if (path_table_lookup(&s->table, key, q->now, &e) == PATH_FORWARD && s->port[e->port].up) return;
    struct least best = expeditus_choose_agg(s, q, p);
    if (best.ties) expeditus_settle(s, key, (uint16_t)best.choice, q->now);
}

/* Settles the flow that the SYN-ACK answers, unless it is settled already. */
static void handshake_on_response(struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    struct path_entry *e;
    uint32_t key = hash_flow_key(hash_flow_reversed(p, s->salt));
    enum path_verdict verdict = path_table_lookup(&s->table, key, q->now, &e);
    s->counters[ORPHAN_RESPONSES] += verdict == PATH_NEW;
    if (verdict != PATH_WAIT || q->in_port < s->first_uplink) return;
    uint16_t port = q->in_port;
    if (!expeditus_is_inter_pod(s, q)) {
        struct least best = expeditus_choose_back(s, q, p);
        if (!best.ties) return;
        port = (uint16_t)best.choice;
    }
    s->counters[SELECTIONS_COMPLETED]++;
    expeditus_settle(s, key, port, q->now);
}

uint16_t expeditus_handshake_down(struct expeditus *s, const struct balance_query *q, struct packet *p) {
    if (expeditus_tag(s, p)->stage == STAGE_REQUEST)
        handshake_on_request(s, q, p);
    else
        handshake_on_response(s, q, p);
    expeditus_strip_tag(s, p);
    return expeditus_down(s, q, p);
}
