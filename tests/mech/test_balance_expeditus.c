/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus as a protocol: requests, responses, path tables, and its variants (EXP-15, EXP-22..EXP-34, EXP-40, EXP-41).
 * test_balance_expeditus_selection.c tests its choices, test_balance_expeditus_failures.c losses and failures. */
#include "expeditus_bench.h"

/* ---- requests ---- */

static void first_packet__becomes_a_request_with_the_egress_loads(void **state) {
    (void)state;
    struct bench *b = clos();
    for (uint32_t a = 0; a < 4; a++) bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), 0, (int)(2 * a));
    uint16_t port;
    uint32_t frame = at_tor(b, bench_syn(b, 0, FAR, 1000), 0, &port);
    const struct expeditus_tag *tag = tag_of(b, frame);
    assert_int_equal(tag->stage, 0);
    assert_int_equal(tag->entries, 4);
    for (uint8_t a = 0; a < 4; a++) assert_int_equal(tag->load[a], 2 * a);
    assert_in_range(port, BENCH_HOSTS, BENCH_HOSTS + 3);
    assert_int_equal(bench_count(b, "selections_begun"), 1);
    drop(b, frame);
    bench_end(b);
}

/* EXP-7: links to hosts are not monitored. */
static void first_packet__host_links_do_not_matter(void **state) {
    (void)state;
    struct bench *b = clos();
    for (uint16_t h = 0; h < BENCH_HOSTS; h++) {
        bench_meter(&bench_switch(b, bench_tor(b, 0, 0))->view[h].egress, 0, BENCH_FULL);
        bench_meter(&bench_switch(b, bench_tor(b, 0, 0))->view[h].ingress, 0, BENCH_FULL);
    }
    uint16_t port;
    uint32_t frame = at_tor(b, bench_syn(b, 0, FAR, 1000), 0, &port);
    for (uint8_t a = 0; a < 4; a++) assert_int_equal(tag_of(b, frame)->load[a], 0);
    drop(b, frame);
    bench_end(b);
}

/* EXP-22: 3 + ceil(NoE / 2) bytes; short frames are padded to 84 anyway. */
static void request__tag_counts_in_the_frame(void **state) {
    (void)state;
    static const struct {
        uint32_t aggs;
        uint16_t tag_bytes;
    } row[] = {{1, 4}, {2, 4}, {3, 5}, {4, 5}, {6, 6}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench *b = bench_build(bench_new("expeditus"), 2, 2, row[i].aggs, 2);
        struct trip syn = bench_send(b, bench_syn(b, 0, 7, 1), 0);
        assert_int_equal(syn.wire_bytes[0], 90 + row[i].tag_bytes);
        assert_int_equal(syn.wire_bytes[4], 90); /* stripped at the last ToR */
        bench_answer(b, 0, 99);
        struct trip data = bench_send(b, bench_data(b, 0, 7, 2), 0);
        assert_int_equal(data.wire_bytes[0], 1538 + row[i].tag_bytes); /* longer than a full frame */
        assert_int_equal(data.wire_bytes[4], 1538);
        bench_answer(b, 0, 99);
        struct trip ack = bench_send(b, bench_frame(b, 0, 7, 3, 80, TCP_ACK, 0), 0);
        assert_int_equal(ack.wire_bytes[0], max_i64(84, 78 + row[i].tag_bytes));
        assert_int_equal(ack.wire_bytes[4], 84);
        bench_answer(b, 0, 99);
        bench_end(b);
    }
}

/* EXP-15: of the packets before the response only the first is a request. */
static void selecting__later_packets_go_by_ecmp(void **state) {
    (void)state;
    struct bench *b = clos();
    assert_true(bench_send(b, bench_syn(b, 0, FAR, 1000), 0).delivered);
    for (int i = 0; i < 9; i++) assert_true(bench_send(b, bench_data(b, 0, FAR, 1000), 10 + i).delivered);
    assert_int_equal(bench_count(b, "selections_begun"), 1);
    assert_int_equal(bench_count(b, "requests_seen"), 1);
    assert_int_equal(bench_count(b, "ecmp_while_selecting"), 9);
    bench_end(b);
}

/* EXP-34: frames within a rack need no selection and make no entry. */
static void same_tor__leaves_the_table_empty(void **state) {
    (void)state;
    struct bench *b = clos();
    struct trip t = bench_send(b, bench_syn(b, 0, 1, 1000), 0);
    assert_true(t.delivered);
    assert_int_equal(t.n, 1);
    assert_int_equal(bench_count(b, "selections_begun") + bench_count(b, "pst_misses"), 0);
    bench_end(b);
}

/* EXP-27: hosts see the frame as it was sent. */
static void request__is_stripped_before_the_host(void **state) {
    (void)state;
    struct bench *b = clos();
    uint32_t frame = bench_data(b, 0, FAR, 1000);
    struct packet sent = *packet_at(&b->pool, frame);
    assert_true(bench_send(b, frame, 0).delivered);
    assert_memory_equal(&b->last, &sent, offsetof(struct packet, origin));
    bench_end(b);
}

static void request__keeps_the_sack_blocks_of_its_frame(void **state) {
    (void)state;
    struct bench *b = clos();
    uint32_t frame = bench_frame(b, 0, FAR, 1000, 80, TCP_ACK, 0);
    struct packet *p = packet_at(&b->pool, frame);
    p->ext = packet_ext_get(&b->pool);
    struct packet_ext *ext = packet_ext_at(&b->pool, p->ext);
    ext->n_sack = 2;
    ext->sack[1] = (struct sack_block){7, 9};
    p->shape = SHAPE_SACK;
    p->wire_bytes = packet_computed_wire_bytes(p, ext);
    struct trip t = bench_send(b, frame, 0);
    assert_int_equal(t.wire_bytes[0], 78 + 20 + 5);
    assert_int_equal(t.wire_bytes[4], 78 + 20);
    assert_int_equal(b->last.shape, SHAPE_SACK);
    assert_int_not_equal(b->last.ext, EXT_NONE);
    ext = packet_ext_at(&b->pool, b->last.ext);
    assert_int_equal(ext->n_sack, 2);
    assert_int_equal(ext->sack[1].end, 9);
    bench_end(b);
}

/* ---- responses ---- */

/* EXP-26, EXP-28: a response has the headers of the request with swapped addresses, the same ports and no payload. The
 * agg adds its loads. */
static void response__has_the_requests_headers_swapped(void **state) {
    (void)state;
    struct bench *b = clos();
    bench_send(b, bench_data(b, 0, FAR, 1000), 0);
    const struct packet *r = packet_at(&b->pool, b->emitted);
    assert_int_equal(r->src_ip, bench_ip(FAR));
    assert_int_equal(r->dst_ip, bench_ip(0));
    assert_int_equal(r->src_port, 1000);
    assert_int_equal(r->dst_port, 80);
    assert_int_equal(r->payload_bytes, 0);
    assert_int_equal(tag_of(b, b->emitted)->stage, 1);
    assert_int_equal(tag_of(b, b->emitted)->entries, 0);
    assert_int_equal(r->wire_bytes, 84); /* 78 + 3, padded */
    struct trip t = bench_answer(b, 0, 99);
    assert_true(t.consumed);
    assert_int_equal(t.n, 4);              /* agg, core, agg, ToR */
    assert_int_equal(t.wire_bytes[0], 84); /* 78 + 3 + 1 */
    bench_end(b);
}

static void response__carries_the_ingress_loads_of_the_agg(void **state) {
    (void)state;
    struct bench *b = clos();
    bench_send(b, bench_syn(b, 0, FAR, 1000), 0);
    uint32_t agg = bench_switch(b, b->emitted_at)->port[b->emitted_port].neighbour;
    uint32_t plane = bench_switch(b, agg)->place.index;
    bench_load(b, bench_core(b, plane, 0), agg, 0, 3);
    bench_load(b, bench_core(b, plane, 1), agg, 0, 6);
    bench_load(b, agg, bench_core(b, plane, 1), 0, 1); /* egress load does not count here */
    struct balance_out out;
    bench_ask(b, agg, 0, b->emitted, 0, &out);
    assert_int_equal(tag_of(b, b->emitted)->entries, 2);
    assert_int_equal(tag_of(b, b->emitted)->load[0], 3);
    assert_int_equal(tag_of(b, b->emitted)->load[1], 6);
    bench_end(b);
}

/* the second data packet follows the table; one selection per flow. */
static void settled__all_packets_follow_the_table(void **state) {
    (void)state;
    for (uint16_t flow = 0; flow < 20; flow++) {
        struct bench *b = bench_new("expeditus");
        b->seed = flow;
        bench_build(b, 3, 3, 4, 2);
        select_path(b, 0, FAR, flow, 0);
        struct trip first = bench_send(b, bench_data(b, 0, FAR, flow), 1000);
        for (int i = 1; i < 5; i++) {
            struct trip t = bench_send(b, bench_data(b, 0, FAR, flow), 1000 + i);
            assert_memory_equal(t.port, first.port, sizeof t.port);
        }
        assert_int_equal(bench_count(b, "selections_begun"), 1);
        assert_int_equal(bench_count(b, "selections_completed"), 1);
        assert_int_equal(bench_count(b, "agg_entries"), 1);
        assert_int_equal(bench_count(b, "pst_hits"), 2 * 5); /* ToR and agg, for each data packet */
        assert_int_equal(bench_count(b, "ecmp_while_selecting"), 0);
        bench_end(b);
    }
}

/* EXP-2, EXP-30: the path goes through the aggs that the response passed, on both sides. */
static void settled__path_is_the_responses_path_reversed(void **state) {
    (void)state;
    struct bench *b = clos();
    for (uint16_t flow = 0; flow < 50; flow++) {
        bench_send(b, bench_syn(b, 0, FAR, flow), 0);
        struct trip back = bench_answer(b, 0, 99);
        struct trip there = bench_send(b, bench_data(b, 0, FAR, flow), 1);
        assert_int_equal(there.node[1], back.node[2]);
        assert_int_equal(there.node[3], back.node[0]);
        assert_int_equal(bench_switch(b, there.node[1])->place.index, bench_switch(b, there.node[3])->place.index);
    }
    bench_end(b);
}

/* EXP-31: SYN and SYN-ACK select independently; both selections end before the second packets come. */
static void connection__both_directions_select_on_their_own(void **state) {
    (void)state;
    struct bench *b = clos();
    int differ = 0;
    for (uint16_t flow = 0; flow < 40; flow++) {
        select_path(b, 0, FAR, flow, 0);
        bench_send(b, bench_frame(b, FAR, 0, 80, flow, TCP_SYN | TCP_ACK, 0), 1);
        assert_true(bench_answer(b, 1, 99).consumed);
        struct trip a = bench_send(b, bench_data(b, 0, FAR, flow), 2);
        struct trip back = bench_send(b, bench_frame(b, FAR, 0, 80, flow, TCP_ACK, 0), 2);
        differ += a.node[2] != back.node[2];
    }
    assert_int_equal(bench_count(b, "selections_completed"), 80);
    assert_int_equal(bench_count(b, "ecmp_while_selecting"), 0);
    assert_in_range(differ, 10, 40);
    bench_end(b);
}

static void response__orphan_is_consumed_and_counted(void **state) {
    (void)state;
    struct bench *b = clos();
    bench_send(b, bench_syn(b, 0, FAR, 1000), 0);
    struct trip t = bench_answer(b, PST_TIMEOUT + 1, 99); /* after the entry has timed out */
    assert_true(t.consumed);
    assert_int_equal(bench_count(b, "orphan_responses"), 1);
    assert_int_equal(bench_count(b, "selections_completed"), 0);
    assert_int_equal(bench_count(b, "selections_lost"), 1);
    assert_true(bench_send(b, bench_data(b, 0, FAR, 1000), PST_TIMEOUT + 2).delivered); /* the flow continues */
    bench_end(b);
}

/* ---- variants ---- */

/* EXP-40: the first datagram is a request, the burst behind it goes by ECMP, and later ones follow the table. */
static void udp__burst_then_table(void **state) {
    (void)state;
    struct bench *b = clos();
    for (int i = 0; i < 5; i++) {
        uint32_t frame = bench_frame(b, 0, FAR, 53, 53, 0, 1000);
        packet_at(&b->pool, frame)->proto = PROTO_UDP;
        packet_at(&b->pool, frame)->wire_bytes = packet_computed_wire_bytes(packet_at(&b->pool, frame), NULL);
        assert_true(bench_send(b, frame, i).delivered);
        if (i == 2) {
            assert_int_equal(packet_at(&b->pool, b->emitted)->proto, PROTO_UDP);
            assert_int_equal(packet_at(&b->pool, b->emitted)->wire_bytes, 84);
            assert_true(bench_answer(b, i, 99).consumed);
        }
    }
    assert_int_equal(bench_count(b, "selections_begun"), 1);
    assert_int_equal(bench_count(b, "ecmp_while_selecting"), 2);
    assert_int_equal(bench_count(b, "pst_hits"), 4);
    bench_end(b);
}

/* EXP-41: with a timeout of 500 us a pause starts a new flowlet, whose first data packet is a request. */
static void flowlet__a_pause_starts_a_new_selection(void **state) {
    (void)state;
    for (int timeout_us = 500; timeout_us <= 100000; timeout_us *= 200) {
        struct bench *b = bench_new("expeditus");
        bench_set(b, "pst_timeout", timeout_us * PS_PER_US);
        bench_build(b, 3, 3, 4, 2);
        select_path(b, 0, FAR, 1000, 0);
        for (int i = 1; i <= 10; i++) {
            bench_send(b, bench_data(b, 0, FAR, 1000), i * PS_PER_MS);
            if (b->emitted != UINT32_MAX) bench_answer(b, i * PS_PER_MS, 99);
        }
        assert_int_equal(bench_count(b, "selections_completed"), timeout_us == 500 ? 11 : 1);
        bench_end(b);
    }
}

static void control_priority__top_class_until_the_tag_is_gone(void **state) {
    (void)state;
    for (uint8_t class = 0; class < 8; class ++) {
        struct bench *b = bench_new("expeditus");
        bench_set(b, "control_priority", 1);
        bench_build(b, 3, 3, 4, 2);
        uint16_t port;
        uint32_t frame = bench_data(b, 0, FAR, 1000);
        packet_at(&b->pool, frame)->tos = (uint8_t)(class << 5 | ECN_ECT0);
        at_tor(b, frame, 0, &port);
        assert_int_equal(packet_at(&b->pool, frame)->tos >> 5, 7);
        assert_int_equal(packet_at(&b->pool, frame)->tos & ECN_MASK, ECN_ECT0);
        uint32_t agg = bench_switch(b, bench_tor(b, 0, 0))->port[port].neighbour;
        assert_true(bench_fly_most(b, frame, agg, 0, 0, 99).delivered);
        assert_int_equal(b->last.tos, class << 5 | ECN_ECT0);
        assert_int_equal(packet_at(&b->pool, b->emitted)->tos >> 5, 7);
        assert_true(bench_answer(b, 0, 99).consumed);
        bench_end(b);
    }
}

/* EXP-13: flows with the same id share an entry, and the switch counts them. */
static void collisions__are_shared_and_counted(void **state) {
    (void)state;
    struct bench *b = bench_build(bench_new("expeditus"), 3, 3, 4, 2);
    for (uint32_t i = 0; i < 3000; i++) {
        assert_true(bench_send(b, bench_frame(b, 0, FAR, (uint16_t)i, 80, TCP_SYN, 0), 0).delivered);
        if (b->emitted != UINT32_MAX) assert_true(bench_answer(b, 0, 99).consumed);
    }
    uint64_t begun = bench_count(b, "selections_begun"), shared = 3000 - begun;
    assert_in_range(shared, 30, 120); /* 3000^2 / 2^17 = 69 expected */
    assert_true(bench_count(b, "pst_collisions") >= shared);
    assert_int_equal(bench_count(b, "selections_completed"), begun);
    bench_end(b);
}

/* Both stores of the path table lead to the same choices. */
static void stores__flat_and_live_ids_take_the_same_paths(void **state) {
    (void)state;
    struct trip trip[2][200];
    for (int flat = 0; flat < 2; flat++) {
        struct bench *b = bench_new("expeditus");
        b->flat = flat;
        bench_build(b, 2, 2, 2, 2);
        for (int i = 0; i < 200; i++) {
            time_ps now = i * 3 * PS_PER_MS;
            trip[flat][i] = bench_send(b, bench_data(b, 0, 7, (uint16_t)(i % 37)), now);
            if (b->emitted != UINT32_MAX) bench_answer(b, now, 99);
        }
        bench_end(b);
    }
    for (int i = 0; i < 200; i++) {
        assert_int_equal(trip[0][i].n, trip[1][i].n);
        assert_memory_equal(trip[0][i].node, trip[1][i].node, sizeof trip[0][i].node);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(first_packet__becomes_a_request_with_the_egress_loads),
        UNIT(first_packet__host_links_do_not_matter),
        UNIT(request__tag_counts_in_the_frame),
        UNIT(selecting__later_packets_go_by_ecmp),
        UNIT(same_tor__leaves_the_table_empty),
        UNIT(request__is_stripped_before_the_host),
        UNIT(request__keeps_the_sack_blocks_of_its_frame),
        UNIT(response__has_the_requests_headers_swapped),
        UNIT(response__carries_the_ingress_loads_of_the_agg),
        UNIT(settled__all_packets_follow_the_table),
        UNIT(settled__path_is_the_responses_path_reversed),
        UNIT(connection__both_directions_select_on_their_own),
        UNIT(response__orphan_is_consumed_and_counted),
        UNIT(udp__burst_then_table),
        UNIT(flowlet__a_pause_starts_a_new_selection),
        UNIT(control_priority__top_class_until_the_tag_is_gone),
        UNIT(collisions__are_shared_and_counted),
        UNIT(stores__flat_and_live_ids_take_the_same_paths),
    };
    return RUN_UNITS(tests);
}
