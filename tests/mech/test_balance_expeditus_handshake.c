/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus with carry: handshake: the response rides on the SYN-ACK, as in the authors' simulator
 * (mech/balance/expeditus_handshake.c). Two traces by hand, then what is lost, repeated, opposite or without a SYN. */
#include "expeditus_bench.h"

#include "wire/frame.h"

static struct bench *handshake(uint32_t pods, uint32_t tors, uint32_t aggs, uint32_t cores) {
    struct bench *b = bench_new("expeditus");
    bench_set(b, "carry", 1);
    return bench_build(b, pods, tors, aggs, cores);
}

static uint32_t syn_ack(struct bench *b, uint32_t src, uint32_t dst, uint16_t dst_port) {
    return bench_frame(b, src, dst, 80, dst_port, TCP_SYN | TCP_ACK, 0);
}
static uint32_t ack(struct bench *b, uint32_t src, uint32_t dst, uint16_t dst_port) {
    return bench_frame(b, src, dst, 80, dst_port, TCP_ACK, 0);
}

/* A frame on its way, stopped before `node`. */
struct walk {
    uint32_t frame, node;
    uint16_t in_port;
};

static struct walk leaves(struct bench *b, uint32_t frame) {
    uint32_t ip = packet_at(&b->pool, frame)->src_ip;
    return (struct walk){frame, b->n_hosts + bench_leaf_of_ip(ip), (uint16_t)((ip & 0xff) - 1)};
}

/* Takes the frame through one switch; nothing is emitted. Returns the node behind. */
static uint32_t step(struct bench *b, struct walk *w, time_ps now) {
    struct balance_out out;
    uint16_t port = bench_ask(b, w->node, w->in_port, w->frame, now, &out);
    assert_int_equal(out.emit, UINT32_MAX);
    assert_int_not_equal(port, BALANCE_CONSUME);
    uint32_t from = w->node;
    w->node = bench_switch(b, from)->port[port].neighbour;
    if (w->node >= b->n_hosts) w->in_port = bench_port(b, w->node, from);
    return w->node;
}

/* Asserts what lies between MACs and EtherType, and the wire bytes. */
static void assert_tag(struct bench *b, const struct walk *w, const char *hex, uint16_t wire_bytes) {
    static const uint8_t mac[6] = {2};
    uint8_t frame[256];
    char got[32] = "";
    const struct packet *p = packet_at(&b->pool, w->frame);
    const struct packet_ext *ext = p->ext == EXT_NONE ? NULL : packet_ext_at(&b->pool, p->ext);
    assert_int_equal(frame_build(p, ext, mac, mac, frame, sizeof frame), wire_bytes - FRAME_UNSEEN_BYTES);
    for (size_t i = 0; i < packet_tag_bytes(p->shape, ext ? ext->tag.entries : 0); i++)
        snprintf(got + 2 * i, 3, "%02x", frame[12 + i]);
    assert_string_equal(got, hex);
    assert_int_equal(p->wire_bytes, wire_bytes);
}

/* ---- by hand ---- */

/* Two pods of one ToR, two aggs, two cores a plane. First and last hop: agg 0 max(5, 0), agg 1 max(1, 3): agg 1. In plane
 * 1, second and third hop: core 0 max(2, 4), core 1 max(6, 0): core 0. */
static void trace__between_pods(void **state) {
    (void)state;
    struct bench *b = handshake(2, 1, 2, 2);
    uint32_t near = bench_tor(b, 0, 0), far = bench_tor(b, 1, 0);
    bench_load(b, near, bench_agg(b, 0, 0), 0, 5);
    bench_load(b, near, bench_agg(b, 0, 1), 0, 1);
    bench_load(b, bench_agg(b, 1, 1), far, 0, 3);
    bench_load(b, bench_agg(b, 0, 1), bench_core(b, 1, 0), 0, 2);
    bench_load(b, bench_agg(b, 0, 1), bench_core(b, 1, 1), 0, 6);
    bench_load(b, bench_core(b, 1, 0), bench_agg(b, 1, 1), 0, 4);

    struct walk syn = leaves(b, bench_syn(b, 0, 2, 1000));
    step(b, &syn, 0);
    assert_tag(b, &syn, "99000251", 94); /* SF 0, NoE 2: 5 1 */
    for (int hop = 0; hop < 3; hop++) step(b, &syn, 0);
    assert_tag(b, &syn, "99000251", 94); /* aggs and cores leave it alone */
    assert_int_equal(step(b, &syn, 0), 2);
    assert_tag(b, &syn, "", 90);
    drop(b, syn.frame);

    struct walk back = leaves(b, syn_ack(b, 2, 0, 1000));
    assert_int_equal(step(b, &back, 1), bench_agg(b, 1, 1));
    assert_tag(b, &back, "990080", 93); /* SF 1, NoE 0 */
    uint32_t core = step(b, &back, 1);
    assert_tag(b, &back, "99008240", 94); /* SF 1, NoE 2: 4 0 */
    assert_int_equal(step(b, &back, 1), bench_agg(b, 0, 1));
    assert_int_equal(step(b, &back, 1), near);
    assert_tag(b, &back, "99008240", 94);
    assert_int_equal(step(b, &back, 1), 0);
    assert_tag(b, &back, "", 90);
    drop(b, back.frame);

    struct trip data = bench_send(b, bench_data(b, 0, 2, 1000), 2);
    const uint32_t path[] = {near, bench_agg(b, 0, 1), bench_core(b, 1, 0), bench_agg(b, 1, 1), far};
    assert_memory_equal(data.node, path, sizeof path);
    assert_int_equal(data.wire_bytes[0], 1538);
    struct trip answer = bench_send(b, ack(b, 2, 0, 1000), 3);
    assert_int_equal(answer.node[1], bench_agg(b, 1, 1)); /* as the SYN-ACK */
    assert_int_equal(answer.node[2], core);
    bench_end(b);
}

/* Two tiers, and then two ToRs of a pod: spines 0 and 1 have 4 and 2 upwards, 1 and 3 downwards. Only the SYN-ACK has a
 * tag. When it arrives the way up to spine 1 has 6, so max(4, 1) beats max(6, 3). */
static void trace__one_stage(void **state) {
    (void)state;
    for (uint32_t cores = 0; cores <= 2; cores += 2) {
        struct bench *b = handshake(cores ? 2 : 1, 2, 2, cores);
        uint32_t near = bench_tor(b, 0, 0), far = bench_tor(b, 0, 1);
        bench_load(b, near, bench_agg(b, 0, 0), 0, 4);
        bench_load(b, near, bench_agg(b, 0, 1), 0, 2);
        bench_load(b, bench_agg(b, 0, 0), far, 0, 1);
        bench_load(b, bench_agg(b, 0, 1), far, 0, 3);

        struct walk syn = leaves(b, bench_syn(b, 0, 2, 1000));
        step(b, &syn, 0);
        assert_tag(b, &syn, "", 90);
        step(b, &syn, 0);
        assert_int_equal(step(b, &syn, 0), 2);
        drop(b, syn.frame);

        struct walk back = leaves(b, syn_ack(b, 2, 0, 1000));
        step(b, &back, 1);
        assert_tag(b, &back, "99008213", 94); /* SF 1, NoE 2: 1 3 */
        step(b, &back, 1);
        assert_tag(b, &back, "99008213", 94);
        bench_load(b, near, bench_agg(b, 0, 1), 1, 6);
        assert_int_equal(step(b, &back, 1), 0);
        assert_tag(b, &back, "", 90);
        drop(b, back.frame);

        assert_int_equal(bench_send(b, bench_data(b, 0, 2, 1000), 2).node[1], bench_agg(b, 0, 0));
        assert_int_equal(bench_count(b, "agg_entries"), 0); /* a spine has no second stage */
        assert_int_equal(bench_count(b, "requests_seen"), 0);
        assert_int_equal(bench_count(b, "selections_completed"), 1);
        bench_end(b);
    }
}

/* ---- paths ---- */

/* Opens a connection; returns the trip of its SYN-ACK. */
static struct trip open_connection(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port, time_ps now) {
    assert_true(bench_send(b, bench_syn(b, src, dst, src_port), now).delivered);
    struct trip t = bench_send(b, syn_ack(b, dst, src, src_port), now);
    assert_true(t.delivered);
    assert_int_equal(b->emitted, UINT32_MAX);
    return t;
}

/* The second packet of a flow and all that follow take one path, and so do those of the opposite direction; whatever
 * the loads become. */
static void open__every_packet_after_the_syn_follows_the_table(void **state) {
    (void)state;
    struct bench *b = handshake(3, 3, 4, 2);
    struct random_stream r;
    random_init(&r, 1, RANDOM_HOST, 0);
    for (uint16_t flow = 0; flow < 60; flow++) {
        uint32_t dst = flow % 2 ? FAR : 2; /* another pod, or another rack of the pod */
        struct trip back = open_connection(b, 0, dst, flow, flow * 4);
        struct trip first = bench_send(b, bench_data(b, 0, dst, flow), flow * 4 + 1);
        for (uint32_t a = 0; a < 4; a++)
            bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), flow * 4 + 2, (int)random_below(&r, 8));
        for (int i = 0; i < 3; i++) {
            struct trip t = bench_send(b, bench_data(b, 0, dst, flow), flow * 4 + 2);
            assert_memory_equal(t.port, first.port, sizeof t.port);
            t = bench_send(b, ack(b, dst, 0, flow), flow * 4 + 2);
            assert_memory_equal(t.port, back.port, sizeof t.port);
        }
    }
    assert_int_equal(bench_count(b, "selections_begun"), 60);
    assert_int_equal(bench_count(b, "selections_completed"), 60);
    assert_int_equal(bench_count(b, "requests_seen"), 30);
    assert_int_equal(bench_count(b, "agg_entries"), 30);
    assert_int_equal(bench_count(b, "responses_sent"), 60);
    assert_int_equal(bench_count(b, "ecmp_while_selecting"), 0);
    bench_end(b);
}

/* EXP-2: data go through the aggs of the SYN-ACK, on both sides. */
static void open__data_take_the_aggs_of_the_syn_ack(void **state) {
    (void)state;
    struct bench *b = handshake(3, 3, 4, 2);
    for (uint16_t flow = 0; flow < 50; flow++) {
        struct trip back = open_connection(b, 0, FAR, flow, 0);
        struct trip there = bench_send(b, bench_data(b, 0, FAR, flow), 1);
        assert_int_equal(there.node[1], back.node[3]);
        assert_int_equal(there.node[3], back.node[1]);
    }
    bench_end(b);
}

/* ---- losses ---- */

/* A SYN-ACK that is lost on any hop leaves the flow on ECMP: on the port of its SYN. The next SYN-ACK settles it. */
static void lost__syn_ack_leaves_ecmp_until_the_next(void **state) {
    (void)state;
    for (uint32_t hops = 1; hops <= 4; hops++) {
        struct bench *b = handshake(3, 3, 4, 2);
        for (uint16_t flow = 0; flow < 20; flow++) {
            struct trip syn = bench_send(b, bench_syn(b, 0, FAR, flow), 0);
            assert_true(bench_fly_most(b, syn_ack(b, FAR, 0, flow), bench_tor(b, 2, 0), 0, 1, hops).stopped);
            struct trip data = bench_send(b, bench_data(b, 0, FAR, flow), 2);
            assert_int_equal(data.port[0], syn.port[0]);
        }
        assert_int_equal(bench_count(b, "selections_completed"), 0);
        assert_int_equal(bench_count(b, "ecmp_while_selecting"), 20);
        for (uint16_t flow = 0; flow < 20; flow++) {
            struct trip back = bench_send(b, syn_ack(b, FAR, 0, flow), 3);
            assert_int_equal(bench_send(b, bench_data(b, 0, FAR, flow), 4).node[1], back.node[3]);
        }
        assert_int_equal(bench_count(b, "selections_completed"), 20);
        assert_int_equal(bench_count(b, "agg_entries"), 20); /* once each, by the first SYN-ACK or the second */
        bench_end(b);
    }
}

/* A SYN that is lost is sent again, and is a request again. */
static void lost__the_next_syn_is_a_request_too(void **state) {
    (void)state;
    for (uint32_t hops = 1; hops <= 4; hops++) {
        struct bench *b = handshake(3, 3, 4, 2);
        assert_true(bench_fly_most(b, bench_syn(b, 0, FAR, 1000), bench_tor(b, 0, 0), 0, 0, hops).stopped);
        struct trip back = open_connection(b, 0, FAR, 1000, PS_PER_MS);
        assert_int_equal(bench_send(b, bench_data(b, 0, FAR, 1000), 2 * PS_PER_MS).node[1], back.node[3]);
        assert_int_equal(bench_count(b, "selections_begun"), 2);
        assert_int_equal(bench_count(b, "selections_completed"), 1);
        assert_int_equal(bench_count(b, "selections_lost"), 0);
        bench_end(b);
    }
}

/* The SYN-ACK was lost, so the SYN comes again as a request. The agg of the opposite direction stays, although the link from
 * it has become busy: the host there may have sent data already. */
static void lost__a_second_request_moves_no_answer(void **state) {
    (void)state;
    struct bench *b = handshake(3, 3, 4, 2);
    for (uint16_t flow = 0; flow < 20; flow++) {
        bench_send(b, bench_syn(b, 0, FAR, flow), 0);
        struct trip back = bench_fly_most(b, syn_ack(b, FAR, 0, flow), bench_tor(b, 2, 0), 0, 1, 1);
        uint32_t far_agg = bench_switch(b, back.node[0])->port[back.port[0]].neighbour;
        bench_load(b, far_agg, bench_tor(b, 2, 0), 2, 7);
        struct trip again = open_connection(b, 0, FAR, flow, 3);
        assert_int_equal(again.port[0], back.port[0]);
        bench_load(b, far_agg, bench_tor(b, 2, 0), 4, 0);
    }
    assert_int_equal(bench_count(b, "requests_seen"), 40);
    bench_end(b);
}

/* Repeated SYNs and SYN-ACKs of an open connection move neither direction, although other paths are idle by then. */
static void repeated__syn_and_syn_ack_move_nothing(void **state) {
    (void)state;
    struct bench *b = handshake(3, 3, 4, 2);
    for (uint16_t flow = 0; flow < 20; flow++) {
        uint32_t dst = flow % 2 ? FAR : 2;
        struct trip back = open_connection(b, 0, dst, flow, 0);
        struct trip there = bench_send(b, bench_data(b, 0, dst, flow), 1);
        for (uint32_t i = 0; i + 1 < there.n; i++) bench_load(b, there.node[i], there.node[i + 1], 2, 7);
        struct trip again = open_connection(b, 0, dst, flow, 3);
        assert_memory_equal(again.port, back.port, sizeof back.port);
        again = bench_send(b, bench_data(b, 0, dst, flow), 4);
        assert_memory_equal(again.port, there.port, sizeof there.port);
    }
    assert_int_equal(bench_count(b, "selections_begun"), 20);
    bench_end(b);
}

/* ---- no selection ---- */

/* Flows without a SYN go by ECMP and leave no entry, and so does an entry's flow once it has timed out. */
static void without_a_syn__ecmp(void **state) {
    (void)state;
    static const uint8_t protos[] = {PROTO_TCP, PROTO_UDP, PROTO_CREDIT};
    struct bench *b = handshake(3, 3, 4, 2);
    uint16_t port = 0;
    for (int i = 0; i < 3; i++)
        for (time_ps now = 0; now < 3; now++) {
            uint32_t frame = bench_frame(b, 0, FAR, 53, 53, protos[i] == PROTO_TCP ? TCP_ACK : 0, 100);
            packet_at(&b->pool, frame)->proto = protos[i];
            at_tor(b, frame, now, &port);
            assert_int_equal(packet_at(&b->pool, frame)->shape, 0);
            drop(b, frame);
        }
    assert_int_equal(bench_count(b, "pst_misses"), 9);
    assert_int_equal(bench_count(b, "selections_begun"), 0);
    open_connection(b, 0, FAR, 1000, 0);
    assert_true(bench_send(b, bench_data(b, 0, FAR, 1000), PST_TIMEOUT + 1).delivered);
    assert_int_equal(bench_count(b, "pst_misses"), 11); /* the SYN too */
    assert_int_equal(bench_count(b, "selections_begun"), 1);
    open_connection(b, 0, FAR, 1000, PST_TIMEOUT + 2);
    assert_int_equal(bench_count(b, "selections_completed"), 2);
    bench_end(b);
}

/* A SYN-ACK whose SYN nobody saw is an orphan: its frame arrives, nothing is entered. */
static void orphan__syn_ack_arrives_without_its_tag(void **state) {
    (void)state;
    for (uint32_t dst = 2; dst <= FAR; dst += FAR - 2) {
        struct bench *b = handshake(3, 3, 4, 2);
        struct trip t = bench_send(b, syn_ack(b, dst, 0, 1000), 0);
        assert_true(t.delivered);
        assert_int_equal(b->last.shape, 0);
        assert_int_equal(b->last.wire_bytes, 90);
        assert_int_equal(bench_count(b, "orphan_responses"), 1);
        assert_int_equal(bench_count(b, "selections_completed"), 0);
        bench_end(b);
    }
}

/* A dead path is left for ECMP, and the next SYN selects again. */
static void dead_path__ecmp_until_the_next_syn(void **state) {
    (void)state;
    struct bench *b = handshake(1, 2, 4, 0);
    open_connection(b, 0, 2, 1000, 0);
    uint32_t spine = bench_send(b, bench_data(b, 0, 2, 1000), 1).node[1];
    bench_cut(b, bench_tor(b, 0, 0), spine, 2);
    assert_int_not_equal(bench_send(b, bench_data(b, 0, 2, 1000), 3).node[1], spine);
    assert_int_equal(bench_count(b, "pst_dead_paths"), 1);
    open_connection(b, 0, 2, 1000, 4);
    assert_int_not_equal(bench_send(b, bench_data(b, 0, 2, 1000), 5).node[1], spine);
    assert_int_equal(bench_count(b, "selections_completed"), 2);
    bench_end(b);
}

/* ---- together with other keys ---- */

/* SYN and SYN-ACK are in the top class while they are tagged, and get their own class back. */
static void control_priority__syn_and_syn_ack(void **state) {
    (void)state;
    for (uint8_t class = 0; class < 8; class ++) {
        struct bench *b = bench_new("expeditus");
        bench_set(b, "carry", 1);
        bench_set(b, "control_priority", 1);
        bench_build(b, 3, 3, 4, 2);
        for (int answers = 0; answers < 2; answers++) {
            uint32_t frame = answers ? syn_ack(b, FAR, 0, 1000) : bench_syn(b, 0, FAR, 1000);
            packet_at(&b->pool, frame)->tos = (uint8_t)(class << 5 | ECN_ECT0);
            struct walk w = leaves(b, frame);
            for (int hop = 0; hop < 4; hop++) {
                step(b, &w, 0);
                assert_int_equal(packet_at(&b->pool, frame)->tos >> 5, 7);
            }
            assert_int_equal(step(b, &w, 0), answers ? 0 : FAR);
            assert_int_equal(packet_at(&b->pool, frame)->tos, class << 5 | ECN_ECT0);
            drop(b, frame);
        }
        bench_end(b);
    }
}

/* A request by the least loaded uplink; what follows it before the answer takes the same. */
static void request_path__least_loaded(void **state) {
    (void)state;
    struct bench *b = bench_new("expeditus");
    bench_set(b, "carry", 1);
    bench_set(b, "request_path", 1);
    bench_build(b, 3, 3, 4, 2);
    for (uint32_t a = 0; a < 4; a++) bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), 0, a == 2 ? 1 : 4);
    for (uint16_t flow = 0; flow < 10; flow++) {
        assert_int_equal(bench_send(b, bench_syn(b, 0, FAR, flow), 0).node[1], bench_agg(b, 0, 2));
        bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 1, 0);
        assert_int_equal(bench_send(b, bench_data(b, 0, FAR, flow), 1).node[1], bench_agg(b, 0, 2));
        bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 1, 4);
    }
    bench_end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(trace__between_pods),
        UNIT(trace__one_stage),
        UNIT(open__every_packet_after_the_syn_follows_the_table),
        UNIT(open__data_take_the_aggs_of_the_syn_ack),
        UNIT(lost__syn_ack_leaves_ecmp_until_the_next),
        UNIT(lost__the_next_syn_is_a_request_too),
        UNIT(lost__a_second_request_moves_no_answer),
        UNIT(repeated__syn_and_syn_ack_move_nothing),
        UNIT(without_a_syn__ecmp),
        UNIT(orphan__syn_ack_arrives_without_its_tag),
        UNIT(dead_path__ecmp_until_the_next_syn),
        UNIT(control_priority__syn_and_syn_ack),
        UNIT(request_path__least_loaded),
    };
    return RUN_UNITS(tests);
}
