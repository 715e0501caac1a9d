/* SPDX-License-Identifier: Apache-2.0 */
#include "live/forwarder.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

bool forwarder_possible(const struct forwarder_setup *setup, struct diag *d) {
    char name[FABRIC_NODE_NAME_MAX];
    if (setup->node < setup->fabric->n_hosts)
        return diag_say(d, "%s is a host; name a switch",
                        fabric_node_name(setup->fabric, setup->node, name, sizeof name));
    if (setup->config->balance->needs_board)
        return diag_say(d, "%s sees the links of the whole fabric, which one switch does not; choose another balancer",
                        setup->config->balance->name);
    return true;
}

static void link_init(struct forwarder_link *l, const struct fabric *fabric, uint32_t node, uint16_t port) {
    const struct place_port *p = &fabric->paths.port[fabric->paths.first_port[node] + port];
    fabric_port_mac(node, port, l->mine);
    fabric_port_mac(p->neighbour, fabric->paths.port[p->peer].port, l->theirs);
    l->host = p->neighbour_tier == TIER_HOST ? p->neighbour : NODE_NONE;
    l->host_ip = l->host == NODE_NONE ? 0 : fabric_host_ip(fabric, l->host);
}

void forwarder_init(struct forwarder *f, const struct forwarder_setup *setup) {
    const uint32_t *first = setup->fabric->paths.first_port;
    uint16_t n = (uint16_t)(first[setup->node + 1] - first[setup->node]);
    memset(f, 0, sizeof *f);
    f->frames = setup->frames;
    f->sink = setup->sink;
    f->answers = setup->answers;
    f->trust = (struct trust){setup->answers, flowctl_is_on(&setup->config->flow) ? setup->config->flow.ops : NULL};
    f->link = memory_get(n, sizeof *f->link);
    answerer_init(&f->answerer, setup->fabric, setup->node);
    for (uint32_t p = 0; p < n; p++) link_init(&f->link[p], setup->fabric, setup->node, (uint16_t)p);
    f->port = memory_get_lines(n, sizeof *f->port);
    f->view = memory_get_lines(n, sizeof *f->view);
    f->extra = memory_get_lines(n, sizeof *f->extra);
    struct switch_setup inside = {.fabric = setup->fabric,
                                  .config = setup->config,
                                  .pool = &setup->frames->pool,
                                  .view = f->view,
                                  .port = f->port,
                                  .extra = f->extra,
                                  .seed = setup->seed,
                                  .flat_tables = true};
    switch_init(&f->sw, setup->node, &inside);
}

void forwarder_fini(struct forwarder *f) {
    switch_fini(&f->sw);
    free(f->port);
    free(f->view);
    free(f->extra);
    free(f->link);
}

/* ---- departures ---- */

struct frame_bytes forwarder_emit(struct forwarder *f, const struct departure *x) {
    const struct forwarder_link *l = &f->link[x->port];
    struct frame_bytes b = frames_emit(f->frames, x->index, l->mine, l->theirs);
    if (b.length > 0) return b;
    uint64_t *counted = x->lost ? &f->count.dropped[DROP_LOSS] : &f->count.left;
    --*counted;
    f->count.unbuilt++;
    return b;
}

static void forwarder_answer_drop(struct forwarder *f, time_ps now, const struct emission *e);
static void forwarder_ask(struct forwarder *f, time_ps now, uint16_t port);

static void forwarder_carry_out(struct forwarder *f, time_ps now, const struct switch_out *out) {
    for (uint32_t i = 0; i < out->n; i++) {
        const struct emission *e = &out->e[i];
        bool leaves = !e->consumed && (!e->drop || e->drop == DROP_LOSS);
        if (e->consumed)
            f->count.consumed++;
        else if (e->drop)
            f->count.dropped[e->drop]++;
        else
            f->count.left++;
        if (f->answers && (e->drop == DROP_TTL || e->drop == DROP_NO_ROUTE)) forwarder_answer_drop(f, now, e);
        if (leaves)
            f->sink.leave(f->sink.to, &(struct departure){now, e->depart, e->port, e->drop == DROP_LOSS, e->packet});
        else
            frames_release(f->frames, e->packet);
        if (f->answers && leaves) forwarder_ask(f, now, e->port);
    }
}

/* ---- arrivals ---- */

void forwarder_until(struct forwarder *f, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_next_timer(&f->sw)) <= until && at != TIME_NONE;) {
        switch_timer(&f->sw, at, &out);
        forwarder_carry_out(f, at, &out);
    }
}

static void forwarder_into_switch(struct forwarder *f, time_ps now, uint16_t port, uint32_t index) {
    struct switch_out out;
    struct packet *p = packet_at(&f->frames->pool, index);
    p->serial = ++f->serial;
    p->birth = now;
    switch_receive(&f->sw, now, port, index, &out);
    forwarder_carry_out(f, now, &out);
}

/* ---- functions of a router: ARP, ICMP, MAC learning ---- */

static struct answer_question question_of(const struct forwarder *f, uint16_t port, uint32_t index) {
    struct answer_question q = {.fabric = f->sw.fabric, .mine = f->link[port].mine};
    q.frame = frames_bytes(f->frames, index, &q.info);
    q.captured = q.info->captured;
    return q;
}

/* Sends an answer of `bytes` (0: none) through the switch, as a frame that arrived at `port`, where the asker is. */
static void forwarder_answer(struct forwarder *f, time_ps now, uint16_t port, const uint8_t *answer, size_t bytes) {
    uint8_t *at;
    if (bytes == 0) return;
    uint32_t index = frames_take(f->frames, bytes, &at);
    memcpy(at, answer, bytes);
    if (frames_parse(f->frames, index, bytes, bytes) == FRAME_NOT_IPV4)
        frames_bridge(f->frames, index, f->answerer.address, fabric_host_ip(f->sw.fabric, f->link[port].host));
    f->count.answers++;
    forwarder_into_switch(f, now, port, index);
}

/* Asks a host for its MAC when a frame leaves for it and the MAC is stale, at most once a second. */
static void forwarder_ask(struct forwarder *f, time_ps now, uint16_t port) {
    struct forwarder_link *l = &f->link[port];
    uint8_t question[ANSWER_MAX_BYTES];
    if (l->host == NODE_NONE || now < l->stale_at || now < l->ask_at || !f->answerer.address) return;
    l->ask_at = now + PS_PER_S;
    size_t bytes = answer_who_has(&f->answerer, l->mine, l->host_ip, question);
    forwarder_answer(f, now, port, question, bytes);
}

void forwarder_ask_hosts(struct forwarder *f, time_ps now) {
    for (uint16_t p = 0; f->answers && p < f->sw.n_ports; p++) forwarder_ask(f, now, p);
}

void forwarder_link_up(struct forwarder *f, uint16_t port) { f->link[port].stale_at = f->link[port].ask_at = 0; }

static void forwarder_answer_drop(struct forwarder *f, time_ps now, const struct emission *e) {
    uint8_t answer[ANSWER_MAX_BYTES];
    if (!frames_info(f->frames, e->packet)) return; /* made by the switch */
    struct answer_question q = question_of(f, e->port, e->packet);
    if (q.info->ether_type != ETHERTYPE_IPV4) return;
    size_t bytes = answer_drop(&f->answerer, &q, now, (enum drop_cause)e->drop, answer);
    forwarder_answer(f, now, e->port, answer, bytes);
}

/* Answers and consumes a packet to the switch's own address. Returns false for any other packet. */
static bool forwarder_is_addressed(struct forwarder *f, time_ps now, uint16_t port, uint32_t index) {
    uint8_t answer[ANSWER_MAX_BYTES];
    const struct packet *p = packet_at(&f->frames->pool, index);
    if (!f->answers || p->dst_ip != f->answerer.address || !p->dst_ip || p->shape & SHAPE_PAUSE) return false;
    struct answer_question q = question_of(f, port, index);
    size_t bytes = answer_packet(&f->answerer, &q, answer);
    f->count.consumed++;
    frames_release(f->frames, index);
    forwarder_answer(f, now, port, answer, bytes);
    return true;
}

/* Returns the MAC that a frame of the host with this address names as the host's own; NULL: none, or it is of another. */
static const uint8_t *mac_of_host(const struct answer_question *q, const struct packet *p, uint32_t host_ip) {
    if (q->info->ether_type == ETHERTYPE_ARP) return answer_sender(q, host_ip);
    return q->info->ether_type == ETHERTYPE_IPV4 && p->src_ip == host_ip ? q->info->src_mac : NULL;
}

/* Learns the MAC of the host behind the port, and that it is still the host's. */
static void forwarder_learn(struct forwarder *f, time_ps now, uint16_t port, uint32_t index) {
    static const uint8_t none[6] = {0};
    struct forwarder_link *l = &f->link[port];
    if (!f->answers) return;
    struct answer_question q = question_of(f, port, index);
    const uint8_t *mac = mac_of_host(&q, packet_at(&f->frames->pool, index), l->host_ip);
    if (!mac || mac[0] & 1 || memcmp(mac, none, sizeof none) == 0) return;
    memcpy(l->theirs, mac, sizeof l->theirs);
    l->stale_at = now + FORWARDER_MAC_FRESH;
}

static bool forwarder_arp(struct forwarder *f, time_ps now, uint16_t port, uint32_t index) {
    uint8_t answer[ANSWER_MAX_BYTES];
    struct answer_question q = question_of(f, port, index);
    uint32_t host = f->link[port].host;
    if (!f->answers || host == NODE_NONE || q.info->ether_type != ETHERTYPE_ARP) return false;
    size_t bytes = answer_arp(&f->answerer, &q, host, answer);
    if (bytes == 0 && !answer_is_ours(&f->answerer, &q)) return false;
    f->count.consumed++;
    frames_release(f->frames, index);
    forwarder_answer(f, now, port, answer, bytes);
    return true;
}

/* Turns a frame that is not IPv4 into an opaque one from host to host, by its MACs. */
static bool forwarder_bridge(struct forwarder *f, uint32_t index) {
    const struct fabric *fabric = f->sw.fabric;
    const struct frame_info *info;
    frames_bytes(f->frames, index, &info);
    uint32_t src = fabric_host_of_mac(fabric, info->src_mac), dst = fabric_host_of_mac(fabric, info->dst_mac);
    if (src == NODE_NONE || dst == NODE_NONE) return false;
    frames_bridge(f->frames, index, fabric_host_ip(fabric, src), fabric_host_ip(fabric, dst));
    return true;
}

/* Returns FRAME_OK if the switch believes a frame that is an IPv4 packet, a bridged or a pause frame; its tags are gone if a
 * host has sent it. */
static int forwarder_trust(struct forwarder *f, uint16_t port, uint32_t index) {
    const struct frame_info *info;
    struct packet *p = packet_at(&f->frames->pool, index);
    bool from_host = f->link[port].host != NODE_NONE;
    const struct packet_ext *ext = p->ext == EXT_NONE ? NULL : packet_ext_at(&f->frames->pool, p->ext);
    frames_bytes(f->frames, index, &info);
    if (from_host && p->shape & SHAPE_TAGS) trust_strip(&f->frames->pool, p);
    return trust_frame(&f->trust, from_host, p, ext, info);
}

/* Learns what a host says about itself, and counts the tags that only switches send. */
static void forwarder_see(struct forwarder *f, time_ps now, uint16_t port, uint32_t index) {
    if (f->link[port].host == NODE_NONE) return;
    forwarder_learn(f, now, port, index);
    for (uint32_t tags = trust_tags(&f->frames->pool, packet_at(&f->frames->pool, index)); tags; tags &= tags - 1)
        f->count.stripped[__builtin_ctz(tags)]++;
}

void forwarder_receive(struct forwarder *f, time_ps now, uint16_t port, uint32_t index, size_t captured,
                       size_t original) {
    int error = (int)frames_parse(f->frames, index, captured, original);
    f->count.received++;
    if (error == FRAME_OK || error == FRAME_NOT_IPV4) forwarder_see(f, now, port, index);
    if (error == FRAME_NOT_IPV4 && forwarder_arp(f, now, port, index)) {
        f->count.refused[FRAME_OK]++;
        return;
    }
    if (error == FRAME_NOT_IPV4 && forwarder_bridge(f, index)) error = FRAME_OK;
    if (error == FRAME_OK) error = forwarder_trust(f, port, index);
    f->count.refused[error]++;
    if (error) {
        frames_release(f->frames, index);
        return;
    }
    if (!forwarder_is_addressed(f, now, port, index)) forwarder_into_switch(f, now, port, index);
}
