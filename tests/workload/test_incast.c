/* SPDX-License-Identifier: Apache-2.0 */
/* Incast: all hosts, or some, send to one receiver in rounds. */
#include "workload/workload.h"

#include "specs.h"

static void incast__all_others_to_one_in_rounds(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = spec_of(&workload_incast, s);
    FIELDS(spec, incast)->receiver = 3;
    spec.rounds = 4;
    spec.gap = PS_PER_MS;
    spec.start = 7;
    struct flow_list list = generate(&spec, 1, &p, 1);
    assert_int_equal(list.n, 4 * 15);
    for (uint32_t i = 0; i < list.n; i++) {
        assert_int_equal(list.flow[i].dst, 3);
        assert_int_equal(list.flow[i].src, i % 15 + (i % 15 >= 3));
        assert_int_equal(list.flow[i].start, 7 + (i / 15) * PS_PER_MS);
    }
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void incast__some_senders(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = spec_of(&workload_incast, s);
    FIELDS(spec, incast)->senders = 5;
    bool another_choice = false;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct flow_list list = generate(&spec, 1, &p, seed);
        assert_int_equal(list.n, 5);
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(list.flow[i].dst, 0);
            assert_true(list.flow[i].src > (i ? list.flow[i - 1].src : 0));
            another_choice |= list.flow[i].src != i + 1;
        }
        flow_list_free(&list);
    }
    assert_true(another_choice);
    FIELDS(spec, incast)->senders = 16;
    generate_fails(&spec, &p, "senders: 16, but only 15 other hosts take part; write at most 15");
    FIELDS(spec, incast)->receiver = 16;
    generate_fails(&spec, &p, "receiver: there is no host 16; they are numbered 0 to 15");
    sizes_destroy(s);
    population_free(&p);
}

/* Each flow starts within the window of its round, at a time drawn from the seed; the senders do not change. */
static void incast__starts_within_a_time(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = spec_of(&workload_incast, s);
    spec.rounds = 3;
    spec.gap = PS_PER_MS;
    spec.within = 500;
    struct flow_list a = generate(&spec, 1, &p, 1), b = generate(&spec, 1, &p, 2);
    bool differ = false, spread = false;
    assert_int_equal(a.n, 45);
    for (uint32_t i = 0; i < a.n; i++) {
        time_ps round = (i / 15) * PS_PER_MS;
        assert_true(a.flow[i].start >= round && a.flow[i].start < round + 500);
        differ |= a.flow[i].start != b.flow[i].start;
        spread |= a.flow[i].start != round;
    }
    assert_true(differ && spread);
    flow_list_free(&a);
    flow_list_free(&b);
    spec.within = INT64_MAX;
    generate_fails(&spec, &p, "lower `gap`, `rounds` or `within`");
    spec.within = 500;
    spec.request_bytes = 1460;
    generate_fails(&spec, &p, "leave out `request` or `within`");
    sizes_destroy(s);
    population_free(&p);
}

/* Every host has the rounds of a receiver at once: a flow for each pair of hosts in each round. */
static void incast__all_to_all_by_the_clock(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_incast, NULL);
    FIELDS(spec, incast)->receiver = RECEIVER_ALL;
    spec.total_bytes = 150;
    spec.rounds = 3;
    spec.gap = PS_PER_MS;
    struct flow_list list = generate(&spec, 1, &p, 1);
    uint32_t pairs[16][16] = {{0}};
    assert_int_equal(list.n, 3 * 16 * 15);
    assert_int_equal(workload_flows_foreseen(&spec, &p), list.n);
    for (uint32_t i = 0; i < list.n; i++) {
        assert_int_equal(list.flow[i].start, i / (16 * 15) * PS_PER_MS);
        assert_int_equal(list.flow[i].bytes, 10);
        pairs[list.flow[i].src][list.flow[i].dst]++;
    }
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = 0; b < 16; b++) assert_int_equal(pairs[a][b], a == b ? 0 : 3);
    flow_list_free(&list);
    population_free(&p);
}

/* With requests, the first rounds of all receivers start together, and each later round waits for its own receiver's
 * round before: no receiver waits for another. */
static void incast__all_to_all_by_requests(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_incast, NULL);
    FIELDS(spec, incast)->receiver = RECEIVER_ALL;
    spec.total_bytes = 150;
    spec.request_bytes = 7;
    spec.rounds = 2;
    spec.start = 5;
    struct flow_list list = generate(&spec, 1, &p, 1);
    uint32_t begin = 0, of_receiver[16] = {0};
    assert_int_equal(list.n, 2 * 2 * 16 * 15);
    assert_int_equal(workload_flows_foreseen(&spec, &p), list.n);
    assert_int_equal(list.n_queries, 2 * 16 * 15);
    for (uint32_t i = 0; i < list.n; i++) {
        bool request = list.flow[i].bytes == 7;
        assert_true(list.flow[i].start == 5 || list.flow[i].start == TIME_NONE);
        begin += list.flow[i].start == 5;
        if (request) of_receiver[list.flow[i].src]++;
    }
    assert_int_equal(begin, 16 * 15);
    for (uint32_t h = 0; h < 16; h++) assert_int_equal(of_receiver[h], 2 * 15);
    uint32_t rounds = 0;
    for (uint32_t k = 0; k < list.gates.n_gates; k++) {
        const struct gate *gate = &list.gates.gate[k];
        if (gate->needs != 15) continue; /* a server's gate needs one request */
        rounds++;
        for (uint32_t i = 0; i < gate->n; i++)
            assert_int_equal(list.flow[list.gates.gated[gate->first + i]].src, gate->host);
    }
    assert_int_equal(rounds, 16);
    flow_list_free(&list);
    FIELDS(spec, incast)->senders = 4; /* each receiver draws its own */
    list = generate(&spec, 1, &p, 1);
    assert_int_equal(list.n, 2 * 2 * 16 * 4);
    flow_list_free(&list);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(incast__all_others_to_one_in_rounds), UNIT(incast__some_senders),
        UNIT(incast__starts_within_a_time),        UNIT(incast__all_to_all_by_the_clock),
        UNIT(incast__all_to_all_by_requests),
    };
    return RUN_UNITS(tests);
}
