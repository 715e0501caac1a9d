/* SPDX-License-Identifier: Apache-2.0 */
/* The flows and gates of closed loops: queries and their sets, background, rounds of an incast. */
#include "workload/workload.h"

#include "specs.h"

#include <stdlib.h>
#include <string.h>

#define MS PS_PER_MS

static const struct rate_phase steady[] = {{MS, 2000 * 1000}};
static const struct rate_phase bursts[] = {{10 * MS, 10000 * 1000}, {40 * MS, 0}};
static const uint64_t sizes[] = {2000, 8000, 32000};
static const uint32_t fanouts[] = {2, 4};

static struct workload_spec asking(const struct workload_ops *kind) {
    struct workload_spec s = spec_of(kind, NULL);
    s.schedule = steady;
    s.n_phases = 1;
    s.request_bytes = 1460;
    s.response = sizes;
    s.n_responses = 3;
    spec_sets(&s, fanouts, 2, 5);
    s.queries = 1000;
    s.handshake_wire_bytes = 180;
    s.ack_wire_bytes = 84;
    return s;
}

/* Returns the gate that starts a flow; asserts that it belongs to the flow's sender and is the only one. */
static const struct gate *gate_of(const struct flow_list *l, uint32_t flow) {
    const struct gate *found = NULL;
    for (uint32_t i = 0; i < l->gates.n_gates; i++) {
        const struct gate *g = &l->gates.gate[i];
        for (uint32_t k = g->first; k < g->first + g->n; k++) {
            if (l->gates.gated[k] != flow) continue;
            assert_null(found);
            found = g;
        }
    }
    assert_non_null(found);
    assert_int_equal(found->host, l->flow[flow].src);
    assert_true(l->flow[flow].start == TIME_NONE);
    return found;
}

static const struct gate *fed_by(const struct flow_list *l, uint32_t flow) {
    struct fed_gates fed = gates_of_received(&l->gates, flow);
    assert_true(fed.n <= 1);
    return fed.n ? &l->gates.gate[*fed.gate] : NULL;
}

/* ---- queries ---- */

static void query__request_then_response_on_one_connection(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_query);
    spec.priority = 3;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t of_size[3] = {0};
    assert_int_equal(l.n, 2000);
    assert_int_equal(l.n_queries, 1000);
    for (uint32_t i = 0; i < l.n_queries; i++) {
        const struct flow *out = &l.flow[l.query[i].request], *back = &l.flow[l.query[i].response];
        assert_int_equal(out->bytes, 1460);
        assert_true(out->src != out->dst && out->start != TIME_NONE);
        assert_int_equal(back->src, out->dst);
        assert_int_equal(back->dst, out->src);
        assert_int_equal(back->src_port, out->dst_port);
        assert_int_equal(back->dst_port, out->src_port);
        assert_int_equal(out->flags, FLOW_STAYS_OPEN);
        assert_int_equal(back->flags, FLOW_ESTABLISHED);
        assert_true(out->priority == 3 && back->priority == 3);
        assert_ptr_equal(gate_of(&l, l.query[i].response), fed_by(&l, l.query[i].request));
        assert_int_equal(gate_of(&l, l.query[i].response)->needs, 1);
        assert_null(fed_by(&l, l.query[i].response));
        assert_true(l.query[i].set == FLOW_NONE);
        for (int k = 0; k < 3; k++) of_size[k] += back->bytes == sizes[k];
    }
    for (int k = 0; k < 3; k++) assert_in_range(of_size[k], 280, 390);
    flow_list_free(&l);
    population_free(&p);
}

static void query__persistent_connections_keep_their_ports(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_query);
    spec.persistent = true;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint16_t port[24][24] = {0};
    for (uint32_t i = 0; i < l.n_queries; i++) {
        const struct flow *out = &l.flow[l.query[i].request];
        assert_int_equal(out->flags, FLOW_ESTABLISHED | FLOW_STAYS_OPEN);
        if (port[out->src][out->dst]) assert_int_equal(port[out->src][out->dst], out->src_port);
        port[out->src][out->dst] = out->src_port;
    }
    flow_list_free(&l);
    population_free(&p);
}

static void query__priorities_are_drawn(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_query);
    const uint8_t two[] = {0, 7};
    spec.priorities = two;
    spec.n_priorities = 2;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t high = 0;
    for (uint32_t i = 0; i < l.n_queries; i++) {
        uint8_t priority = l.flow[l.query[i].request].priority;
        assert_true(priority == 0 || priority == 7);
        assert_int_equal(l.flow[l.query[i].response].priority, priority);
        high += priority == 7;
    }
    assert_in_range(high, 440, 560);
    flow_list_free(&l);
    population_free(&p);
}

/* 24 clients, 10,000 a second for 10 of every 50 ms. */
static void schedule__bursts_at_their_rate_and_nothing_between(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_query);
    spec.schedule = bursts;
    spec.n_phases = 2;
    spec.queries = 0;
    spec.start = 7 * MS;
    spec.stop = 207 * MS;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t in_period[4] = {0};
    for (uint32_t i = 0; i < l.n_queries; i++) {
        time_ps at = l.flow[l.query[i].request].start - 7 * MS;
        assert_true(at >= 0 && at < 200 * MS && at % (50 * MS) < 10 * MS);
        in_period[at / (50 * MS)]++;
    }
    for (int k = 0; k < 4; k++) assert_in_range(in_period[k], 2200, 2600); /* 2400, sd 49 */
    flow_list_free(&l);
    population_free(&p);
}

/* Phases of a picosecond are passed over by the thousand million, with the same arrivals as one phase of their rate. */
static void schedule__phases_of_a_picosecond(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    const struct rate_phase one[] = {{PS_PER_S, 2000 * 1000}}, many[] = {{1, 2000 * 1000}, {2, 2000 * 1000}};
    struct workload_spec spec = asking(&workload_query);
    spec.queries = 500;
    spec.schedule = one;
    spec.n_phases = 1;
    struct flow_list a = generate(&spec, 1, &p, 1);
    spec.schedule = many;
    spec.n_phases = 2;
    struct flow_list b = generate(&spec, 1, &p, 1);
    assert_int_equal(a.n, b.n);
    for (uint32_t i = 0; i < a.n; i++) assert_true(a.flow[i].start == b.flow[i].start);
    flow_list_free(&a);
    flow_list_free(&b);
    population_free(&p);
}

/* Gaps are exponential: the gaps of a client have equal mean and standard deviation. */
static void schedule__phases_of_one_rate_are_one_poisson_process(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    const struct rate_phase two[] = {{130 * PS_PER_US, 2000 * 1000}, {70 * PS_PER_US, 2000 * 1000}};
    const uint32_t client = 3;
    struct workload_spec spec = asking(&workload_query);
    spec.schedule = two;
    spec.n_phases = 2;
    spec.client = &client;
    spec.n_clients = 1;
    spec.queries = 20000;
    struct flow_list l = generate(&spec, 1, &p, 1);
    double sum = 0, squares = 0;
    for (uint32_t i = 1; i < l.n_queries; i++) {
        double gap = (double)(l.flow[l.query[i].request].start - l.flow[l.query[i - 1].request].start) / 1e6;
        assert_int_equal(l.flow[l.query[i].request].src, 3);
        sum += gap;
        squares += gap * gap;
    }
    double mean = sum / 19999, variance = squares / 19999 - mean * mean;
    assert_true(mean > 490 && mean < 510);
    assert_true(variance > 0.95 * 500 * 500 && variance < 1.05 * 500 * 500);
    flow_list_free(&l);
    population_free(&p);
}

/* ---- sets ---- */

static void web_sequential__each_waits_for_the_response_before(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_web_sequential);
    spec.placement = PLACEMENT_ALTERNATE;
    spec.queries = 40;
    struct flow_list l = generate(&spec, 1, &p, 1);
    assert_int_equal(l.n_queries, 200);
    for (uint32_t i = 0; i < l.n_queries; i++) {
        const struct query *q = &l.query[i];
        assert_int_equal(q->set, i / 5);
        assert_int_equal(l.flow[q->request].src % 2, 0);
        assert_int_equal(l.flow[q->request].dst % 2, 1);
        if (i % 5 == 0) {
            assert_true(l.flow[q->request].start != TIME_NONE);
            continue;
        }
        assert_int_equal(l.flow[q->request].src, l.flow[l.query[i - 1].request].src);
        assert_ptr_equal(gate_of(&l, q->request), fed_by(&l, l.query[i - 1].response));
    }
    flow_list_free(&l);
    population_free(&p);
}

static void web_partition__at_once_to_different_servers(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_web_partition);
    spec.placement = PLACEMENT_RACKS;
    spec.queries = 100;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t of_fanout[5] = {0};
    for (uint32_t i = 0, n; i < l.n_queries; i += n) {
        bool asked[24] = {false};
        for (n = 0; i + n < l.n_queries && l.query[i + n].set == l.query[i].set; n++) {
            const struct flow *f = &l.flow[l.query[i + n].request];
            assert_int_equal(f->start, l.flow[l.query[i].request].start);
            assert_true(f->src < 12 && f->dst >= 12 && !asked[f->dst]);
            asked[f->dst] = true;
        }
        assert_true(n == 2 || n == 4);
        of_fanout[n]++;
    }
    assert_int_equal(of_fanout[2] + of_fanout[4], 100);
    assert_in_range(of_fanout[2], 30, 70);
    flow_list_free(&l);
    population_free(&p);
}

/* ---- background ---- */

static void background__a_chain_from_each_host(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct sizes *mega = sizes_of("1MB");
    struct workload_spec spec = spec_of(&workload_background, mega);
    spec.until = 10 * MS;
    struct flow_list l = generate(&spec, 1, &p, 1);
    assert_int_equal(l.n, 24 * 13); /* 0.8 ms each at 10 Gbps */
    assert_int_equal(l.n_queries, 0);
    uint32_t first = 0;
    for (uint32_t i = 0; i < l.n; i++) {
        assert_int_equal(l.flow[i].flags, FLOW_BACKGROUND | FLOW_ONCE);
        first += l.flow[i].start == 0;
        struct fed_gates fed = gates_of_acked(&l.gates, i);
        assert_int_equal(gates_of_received(&l.gates, i).n, 0);
        assert_true(fed.n <= 1);
        if (fed.n == 0) continue;
        uint32_t next = *fed.gate;
        assert_int_equal(l.gates.gate[next].host, l.flow[i].src);
        assert_ptr_equal(gate_of(&l, l.gates.gated[l.gates.gate[next].first]), &l.gates.gate[next]);
    }
    assert_int_equal(first, 24);
    flow_list_free(&l);
    sizes_destroy(mega);
    population_free(&p);
}

/* ---- incast ---- */

static void incast__next_round_when_all_has_been_received(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = spec_of(&workload_incast, NULL);
    FIELDS(spec, incast)->receiver = 5;
    FIELDS(spec, incast)->senders = 7;
    spec.rounds = 4;
    spec.gap = 11;
    spec.total_bytes = 1000000;
    spec.request_bytes = 100;
    struct flow_list l = generate(&spec, 1, &p, 1);
    assert_int_equal(l.n_queries, 28);
    for (uint32_t round = 0; round < 4; round++) {
        uint64_t total = 0;
        for (uint32_t i = 7 * round; i < 7 * round + 7; i++) {
            const struct query *q = &l.query[i];
            assert_int_equal(q->set, round);
            assert_int_equal(l.flow[q->request].src, 5);
            total += l.flow[q->response].bytes;
            if (round == 0) {
                assert_int_equal(l.flow[q->request].start, 0);
                continue;
            }
            const struct gate *g = gate_of(&l, q->request);
            assert_int_equal(g->needs, 7);
            assert_int_equal(g->delay, 11);
            assert_ptr_equal(g, fed_by(&l, l.query[i - 7].response));
        }
        assert_int_equal(total, 1000000);
    }
    flow_list_free(&l);
    population_free(&p);
}

/* The hosts receive in turn; the end of one receiver's round opens the gate of the next. */
static void incast__every_receiver_has_its_rounds(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = spec_of(&workload_incast, NULL);
    FIELDS(spec, incast)->receiver = RECEIVER_EACH;
    spec.rounds = 2;
    spec.total_bytes = 1000000;
    spec.request_bytes = 100;
    struct flow_list l = generate(&spec, 1, &p, 1);
    assert_int_equal(l.n_queries, 24 * 2 * 23);
    assert_int_equal(l.n, 2 * l.n_queries + 23);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < l.n; i++) listed += l.flow[i].start != TIME_NONE;
    assert_int_equal(listed, 23); /* the first round only */
    for (uint32_t i = 0; i < l.n_queries; i++) assert_int_equal(l.flow[l.query[i].request].src, i / 46);
    flow_list_free(&l);
    population_free(&p);
}

/* ---- order, errors, rates ---- */

static void query__another_entry_changes_nothing_of_the_first(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec[2] = {asking(&workload_query), spec_of(&workload_poisson, s)};
    spec[1].entry = 1;
    spec[1].flows = 500;
    struct flow_list alone = generate(&spec[0], 1, &p, 1), both = generate(spec, 2, &p, 1);
    assert_int_equal(both.n, alone.n + 500);
    for (uint32_t i = 0; i < alone.n_queries; i++) {
        assert_memory_equal(&alone.flow[alone.query[i].request], &both.flow[both.query[i].request],
                            sizeof(struct flow));
        assert_memory_equal(&alone.flow[alone.query[i].response], &both.flow[both.query[i].response],
                            sizeof(struct flow));
        assert_ptr_equal(gate_of(&both, both.query[i].response), fed_by(&both, both.query[i].request));
    }
    flow_list_free(&alone);
    flow_list_free(&both);
    sizes_destroy(s);
    population_free(&p);
}

static void errors__say_what_to_do(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_query);
    const struct rate_phase none[] = {{MS, 0}};
    const uint32_t many[] = {30};
    spec.queries = 0;
    generate_fails(&spec, &p, "never end; give queries: N or stop here, or run.until");
    spec = asking(&workload_query);
    spec.schedule = none;
    generate_fails(&spec, &p, "every rate is 0");
    spec.n_phases = 0;
    generate_fails(&spec, &p, "give schedule: [{for: 1s, rate: 2000/s}]");
    spec = asking(&workload_query);
    spec.n_responses = 0;
    generate_fails(&spec, &p, "give responses: [2KB, 8KB, 32KB]");
    spec = asking(&workload_web_partition);
    FIELDS(spec, web_partition)->fanout = many;
    FIELDS(spec, web_partition)->n_fanouts = 1;
    generate_fails(&spec, &p, "fanout: 30, but a client has only 23 servers");
    spec.placement = PLACEMENT_ALTERNATE;
    generate_fails(&spec, &p, "only 12 servers");
    spec = spec_of(&workload_background, NULL);
    generate_fails(&spec, &p, "follow each other for ever");
    spec = spec_of(&workload_incast, NULL);
    FIELDS(spec, incast)->receiver = RECEIVER_EACH;
    spec.total_bytes = 1000;
    generate_fails(&spec, &p, "give request: 1460B");
    spec.request_bytes = 1;
    spec.total_bytes = 5;
    generate_fails(&spec, &p, "less than a byte for each of 23 senders");
    const uint32_t twice[] = {3, 5, 3};
    spec = asking(&workload_query);
    spec.server = twice;
    spec.n_servers = 3;
    generate_fails(&spec, &p, "servers names a host twice");
    spec = asking(&workload_query);
    spec.client = twice;
    spec.n_clients = 3;
    generate_fails(&spec, &p, "clients names a host twice");
    spec = asking(&workload_query);
    spec.client = spec.server = twice;
    spec.n_clients = 2;
    spec.n_servers = 1;
    generate_fails(&spec, &p, "the only server would ask itself");
    spec.server = twice + 1; /* also where it is not the first client */
    generate_fails(&spec, &p, "the only server would ask itself");
    const struct rate_phase rare[] = {{1000 * PS_PER_S, 1}}; /* one a client every 1000 s */
    spec = asking(&workload_query);
    spec.schedule = rare;
    spec.queries = 200000;
    generate_fails(&spec, &p, "would start after more than 53 days");
    population_free(&p);
}

static void placement__ranks_of_jobs_are_no_clients(void **state) {
    (void)state;
    struct population p = population_make(leaf_spine);
    struct workload_spec spec = asking(&workload_query);
    spec.placement = PLACEMENT_PACKED;
    generate_fails(&spec, &p,
                   "placement: it says where the ranks of a job are; clients and servers have all, alternate or racks");
    population_free(&p);
}

static void placement__one_rack_has_no_other_half(void **state) {
    (void)state;
    struct population p = population_make((struct shape){1, 1, 6, 10 * GBPS, 0, 0});
    struct workload_spec spec = asking(&workload_query);
    spec.placement = PLACEMENT_RACKS;
    generate_fails(&spec, &p, "no hosts left to answer; use placement: all");
    population_free(&p);
}

/* DT-SIM: 8 racks of 12 at 1 Gbps, 3:1. The paper's factor at 2000 a second is 0.67. The wire by hand: responses of 2,
 * 6 and 22 frames, 14,000 B on average, 11 data frames with the request's, each with 78 B of headers and an ACK. */
static void query_rate__the_papers_factor_and_the_wire(void **state) {
    (void)state;
    struct population p = population_make((struct shape){1, 8, 12, GBPS, 4 * GBPS, 0});
    struct workload_spec spec = asking(&workload_query);
    struct query_rate r;
    struct diag d;
    assert_true(query_rate(&spec, &p, &r, &d));
    assert_int_equal(r.per_1000_s, 96 * 2000 * 1000);
    assert_int_equal(r.peak_per_1000_s, r.per_1000_s);
    assert_int_equal(r.response_bytes, 14000);
    assert_int_equal(r.wire_bytes, 14000 + 1460 + 11 * (78 + 84) + 180);
    assert_int_equal(r.paper_load_ppb / 1000, 672000);
    assert_int_equal(r.wire_load_ppb / 100000, 2000LL * 96 * 17422 * 8 * 84 / 95 * 10000 / 32000000000);
    /* an ACK for every second frame and for the last: 1, 3 and 11 for the responses, 5 on average, 1 for the request */
    spec.ack_every = 2;
    assert_true(query_rate(&spec, &p, &r, &d));
    assert_int_equal(r.wire_bytes, 14000 + 1460 + 11 * 78 + 6 * 84 + 180);
    spec.ack_every = 1;
    spec.schedule = bursts;
    spec.n_phases = 2;
    assert_true(query_rate(&spec, &p, &r, &d));
    assert_int_equal(r.peak_per_1000_s, 5 * r.per_1000_s);
    assert_int_equal(r.paper_peak_ppb, 5 * r.paper_load_ppb);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(query__request_then_response_on_one_connection),
        UNIT(query__persistent_connections_keep_their_ports),
        UNIT(query__priorities_are_drawn),
        UNIT(schedule__bursts_at_their_rate_and_nothing_between),
        UNIT(schedule__phases_of_a_picosecond),
        UNIT(schedule__phases_of_one_rate_are_one_poisson_process),
        UNIT(web_sequential__each_waits_for_the_response_before),
        UNIT(web_partition__at_once_to_different_servers),
        UNIT(background__a_chain_from_each_host),
        UNIT(incast__next_round_when_all_has_been_received),
        UNIT(incast__every_receiver_has_its_rounds),
        UNIT(query__another_entry_changes_nothing_of_the_first),
        UNIT(errors__say_what_to_do),
        UNIT(placement__ranks_of_jobs_are_no_clients),
        UNIT(placement__one_rack_has_no_other_half),
        UNIT(query_rate__the_papers_factor_and_the_wire),
    };
    return RUN_UNITS(tests);
}
