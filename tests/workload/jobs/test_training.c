/* SPDX-License-Identifier: Apache-2.0 */
/* Training steps: who exchanges what with whom, in which order passes are taken, and that every step comes to its end. */
#include "workload/workload.h"

#include "workload/carry.h"
#include "workload/specs.h"

#define RACKS(racks_, hosts_)                                                                                          \
    { .pods = 1, .racks = racks_, .hosts = hosts_, .host_bps = 100 * GBPS, .leaf_up_bps = 100 * GBPS * (hosts_) }

static struct workload_spec training(uint32_t tensor, uint32_t pipeline, uint32_t data, uint32_t layers) {
    struct workload_spec spec = spec_of(&workload_training, NULL);
    *FIELDS(spec, training) = (struct training_fields){.model = MODEL_COUNT,
                                                       .tensor = tensor,
                                                       .pipeline = pipeline,
                                                       .data = data,
                                                       .layers = layers,
                                                       .micro_batches = 1,
                                                       .buckets = 1,
                                                       .channels = 1,
                                                       .iterations = 1,
                                                       .forward = 10,
                                                       .scale_up_bps = SCALE_UP_OF_MODEL,
                                                       .algorithm = ALGORITHM_COUNT};
    if (tensor > 1 || pipeline > 1) FIELDS(spec, training)->activation = 7;
    if (data > 1) FIELDS(spec, training)->gradients = 1200;
    spec.placement = PLACEMENT_PACKED;
    return spec;
}

/* ---- bytes and messages between two ranks ---- */

struct traffic {
    uint64_t bytes[16][16];
    uint32_t messages[16][16];
};

static struct flow_list made(const struct workload_spec *spec, struct population *p, struct traffic *t) {
    *p = population_make((struct shape)RACKS(2, 8));
    struct flow_list l = generate(spec, 1, p, 1);
    *t = (struct traffic){0};
    for (uint32_t f = 0; f < l.n; f++) {
        t->bytes[l.flow[f].src][l.flow[f].dst] += l.flow[f].bytes;
        t->messages[l.flow[f].src][l.flow[f].dst]++;
    }
    assert_int_equal(workload_flows_foreseen(spec, p), l.n);
    assert_int_equal(carried_out(&l), l.n);
    return l;
}

static void unmade(struct flow_list *l, struct population *p) {
    flow_list_free(l);
    population_free(p);
}

/* Two stages of 4 x 2 ranks: rank (p 4 + d) 2 + t. Two layers each: an all-reduce of two ranks is two messages of half of
 * the activations from each to the other, twice a layer and direction. */
static void training__groups_are_tensor_then_data_then_stage(void **state) {
    (void)state;
    struct workload_spec spec = training(2, 2, 4, 4);
    struct population p;
    struct traffic t;
    FIELDS(spec, training)->activation = 8;
    FIELDS(spec, training)->gradients = 6400;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(t.messages[0][1], 2 * 2 * 2 * 2);
    assert_int_equal(t.bytes[0][1], 2 * 2 * 2 * 8);
    /* a ring of 0, 2, 4, 6: 6 steps of a quarter of the rank's share */
    assert_int_equal(t.messages[0][2], 6);
    assert_int_equal(t.bytes[0][2], 6 * 6400 / 4 / 4);
    assert_int_equal(t.messages[6][0], 6);
    assert_int_equal(t.messages[2][0], 0);
    /* activations to the stage behind, gradients of them back */
    assert_int_equal(t.messages[0][8], 1);
    assert_int_equal(t.bytes[0][8], 8);
    assert_int_equal(t.messages[8][0], 1);
    assert_int_equal(t.messages[0][9], 0);
    assert_string_equal(l.job[0].op, "training");
    assert_true(l.job[0].computes);
    assert_int_equal(l.job[0].bus_per, 0);
    unmade(&l, &p);
}

/* With weights the gradients are reduced and scattered, and the weights gathered: half of the steps each. */
static void training__weights_are_gathered(void **state) {
    (void)state;
    struct workload_spec spec = training(1, 1, 4, 2);
    struct population p;
    struct traffic t;
    FIELDS(spec, training)->weights = 400;
    FIELDS(spec, training)->buckets = 2;
    FIELDS(spec, training)->rank = (const char *[]){"4"};
    FIELDS(spec, training)->n_names = 1;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(t.messages[0][1], 2 * 3 + 3);
    assert_int_equal(t.bytes[0][1], 2 * 3 * 150 + 3 * 100);
    unmade(&l, &p);
}

/* Two buckets of 1201 B: 601 B each, which four ranks cut into 151 B. Each bucket has a connection of its own, since its messages
 * may be under way beside those of the other. */
static void training__buckets_are_rounded_up_and_have_connections_of_their_own(void **state) {
    (void)state;
    struct workload_spec spec = training(1, 1, 4, 2);
    struct population p;
    struct traffic t;
    uint16_t port[2] = {0, 0};
    uint32_t n[2] = {0, 0};
    FIELDS(spec, training)->gradients = 1201;
    FIELDS(spec, training)->buckets = 2;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(t.bytes[0][1], 2 * 6 * 151);
    for (uint32_t f = 0; f < l.n; f++) {
        const struct flow *flow = &l.flow[f];
        if (flow->src != 0) continue;
        int bucket = port[0] == 0 || flow->src_port == port[0] ? 0 : 1;
        port[bucket] = flow->src_port;
        n[bucket]++;
    }
    assert_int_equal(n[0], 6);
    assert_int_equal(n[1], 6);
    unmade(&l, &p);
}

/* Where no ranks are named, the degrees say how many hosts take part. */
static void training__degrees_say_how_many(void **state) {
    (void)state;
    struct workload_spec spec = training(2, 1, 3, 1);
    struct population p;
    struct traffic t;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(l.job[0].n_ranks, 6);
    unmade(&l, &p);
}

/* Experts are spread over neighbours of a data group: twice a layer and direction each rank sends a half to the other. Their
 * gradients are exchanged by ranks that have the same experts. */
static void training__experts(void **state) {
    (void)state;
    struct workload_spec spec = training(1, 1, 4, 1);
    struct population p;
    struct traffic t;
    FIELDS(spec, training)->expert = 2;
    FIELDS(spec, training)->expert_bytes = 100;
    FIELDS(spec, training)->expert_gradients = 800;
    FIELDS(spec, training)->expert_weights = 400; /* so the gradients are scattered, and the weights gathered */
    FIELDS(spec, training)->rank = (const char *[]){"4"};
    FIELDS(spec, training)->n_names = 1;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(t.bytes[1][0], 4 * 50);
    assert_int_equal(t.bytes[0][1], 4 * 50 + 6 * 300); /* and the ring of the other gradients */
    assert_int_equal(t.bytes[0][2], 800 / 2 / 2 + 400 / 2 / 2);
    assert_int_equal(t.bytes[3][1], 800 / 2 / 2 + 400 / 2 / 2);
    unmade(&l, &p);
}

/* A tensor group inside of a server: no messages, and 2 (T - 1) / T of 1000 B at 8 Gbps are 1 us, twice a layer. */
static void training__a_tensor_group_in_a_server_takes_time(void **state) {
    (void)state;
    struct workload_spec spec = training(2, 1, 1, 3);
    struct population p;
    struct traffic t;
    FIELDS(spec, training)->activation = 1000;
    FIELDS(spec, training)->scale_up_bps = 8 * GBPS;
    FIELDS(spec, training)->rank = (const char *[]){"2"};
    FIELDS(spec, training)->n_names = 1;
    spec.start = 5;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(l.n, 0);
    assert_int_equal(l.gates.n_gates, 4); /* forward and backward of two ranks */
    assert_int_equal(l.gates.gate[0].delay, 5 + 3 * (10 + 2 * PS_PER_US));
    assert_int_equal(l.gates.gate[2].delay, 3 * (20 + 2 * PS_PER_US));
    unmade(&l, &p);
}

/* ---- the order of passes ---- */

/* Three stages and four micro-batches. The first takes two forward passes ahead, the last one none: what a rank computes
 * is its forward (10) and backward (20) passes in the order of 1F1B. */
static void training__passes_are_taken_in_turn(void **state) {
    (void)state;
    struct workload_spec spec = training(1, 3, 1, 3);
    struct population p;
    struct traffic t;
    const char *expected[] = {"FFFBFBBB", "FFBFBFBB", "FBFBFBFB"};
    FIELDS(spec, training)->micro_batches = 4;
    FIELDS(spec, training)->rank = (const char *[]){"3"};
    FIELDS(spec, training)->n_names = 1;
    struct flow_list l = made(&spec, &p, &t);
    for (uint32_t host = 0; host < 3; host++) {
        char passes[16] = "";
        for (uint32_t g = 0; g < l.gates.n_gates; g++) {
            if (l.gates.gate[g].host != host || l.gates.gate[g].delay == 0) continue;
            strcat(passes, l.gates.gate[g].delay == 10 ? "F" : "B");
        }
        assert_string_equal(passes, expected[host]);
    }
    assert_int_equal(t.messages[0][1], 4);
    assert_int_equal(t.messages[1][0], 4);
    unmade(&l, &p);
}

/* ---- every division comes to its end ---- */

static void training__no_division_stands_still(void **state) {
    (void)state;
    for (uint32_t tensor = 1; tensor <= 4; tensor *= 2)
        for (uint32_t pipeline = 1; pipeline <= 4; pipeline *= 2)
            for (uint32_t batches = 1; batches <= 5; batches += 2) {
                struct workload_spec spec = training(tensor, pipeline, 16 / tensor / pipeline, 4);
                struct population p;
                struct traffic t;
                if (FIELDS(spec, training)->data == 1) continue;
                FIELDS(spec, training)->micro_batches = batches;
                FIELDS(spec, training)->iterations = 2;
                FIELDS(spec, training)->weights = batches == 3 ? 600 : 0;
                FIELDS(spec, training)->algorithm = ALGORITHM_HALVING_DOUBLING;
                struct flow_list l = made(&spec, &p, &t);
                assert_int_equal(l.job[0].iterations, 2);
                assert_int_equal(l.job[0].flows_each * 2, l.n);
                unmade(&l, &p);
            }
}

static void training__messages_know_their_phase(void **state) {
    (void)state;
    struct workload_spec spec = training(1, 2, 2, 2);
    struct population p;
    struct traffic t;
    FIELDS(spec, training)->rank = (const char *[]){"4"};
    FIELDS(spec, training)->n_names = 1;
    struct flow_list l = made(&spec, &p, &t);
    for (uint32_t f = 0; f < l.n; f++) {
        const char *phase = l.job[0].phase[l.job[0].phase_of[l.flow[f].index]];
        bool is_between_stages = l.flow[f].src / 2 != l.flow[f].dst / 2;
        assert_string_equal(phase, is_between_stages ? "stages" : "gradients");
    }
    unmade(&l, &p);
}

/* A step of GPT-13B on 16 ranks: the sizes that AICB gives for each of the 8 ranks of a tensor group. */
static void training__a_model_brings_its_sizes(void **state) {
    (void)state;
    struct workload_spec spec = training(0, 1, 0, 0);
    struct population p;
    struct traffic t;
    FIELDS(spec, training)->model = MODEL_GPT_13B;
    FIELDS(spec, training)->forward = 0;
    struct flow_list l = made(&spec, &p, &t);
    assert_int_equal(l.n, 2 * 16); /* a reduce-scatter and an all-gather of two ranks, eight times */
    assert_int_equal(t.bytes[0][8], 6497239040 / 2 + 3248619520 / 2);
    /* 40 layers of 1101 us and two all-reduces of 20,971,520 B at 2400 Gbps, 122.33 us each */
    assert_int_equal(l.gates.gate[0].delay / PS_PER_US, 40 * (1101 + 2 * 122.33387));
    unmade(&l, &p);
}

/* ---- errors ---- */

static void training__errors(void **state) {
    (void)state;
    struct population p = population_make((struct shape)RACKS(2, 8));
    struct workload_spec spec = training(3, 2, 0, 4);
    FIELDS(spec, training)->gradients = 100;
    generate_fails(&spec, &p, "ranks: 16, but tensor x pipeline x data = 3 x 2 x 2; write ranks: 12");
    FIELDS(spec, training)->tensor = 2;
    FIELDS(spec, training)->expert = 3;
    generate_fails(&spec, &p, "expert: 3 do not divide the 4 ranks of a data group; write a divisor");
    FIELDS(spec, training)->expert = 2;
    generate_fails(&spec, &p, "expert_bytes: how many to the experts of a layer? give expert_bytes, or a model");
    FIELDS(spec, training)->expert = 1;
    FIELDS(spec, training)->expert_bytes = 9;
    generate_fails(&spec, &p, "expert_bytes: there are no experts (expert), so it would do nothing; leave it out");
    FIELDS(spec, training)->expert_bytes = 0;
    FIELDS(spec, training)->layers = 3;
    generate_fails(&spec, &p, "layers: 3 cannot be cut into 2 stages (pipeline); write a multiple");
    FIELDS(spec, training)->layers = 4;
    FIELDS(spec, training)->buckets = 3;
    generate_fails(&spec, &p, "buckets: 3 do not divide the 2 layers of a stage; write a divisor");
    FIELDS(spec, training)->buckets = 1;
    FIELDS(spec, training)->forward = 0;
    generate_fails(&spec, &p, "forward: how long does a layer compute? give forward, or a model");
    FIELDS(spec, training)->forward = 1;
    FIELDS(spec, training)->activation = 0;
    generate_fails(&spec, &p, "activation: how large, between tensor-parallel ranks? give activation, or a model");
    FIELDS(spec, training)->activation = 1;
    FIELDS(spec, training)->gradients = 0;
    generate_fails(&spec, &p, "gradients: how large, in a data group? give gradients, or a model");
    spec.placement = PLACEMENT_ALL;
    generate_fails(&spec, &p, "placement: it says where clients and servers are");
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(training__groups_are_tensor_then_data_then_stage),
        UNIT(training__weights_are_gathered),
        UNIT(training__buckets_are_rounded_up_and_have_connections_of_their_own),
        UNIT(training__degrees_say_how_many),
        UNIT(training__experts),
        UNIT(training__a_tensor_group_in_a_server_takes_time),
        UNIT(training__passes_are_taken_in_turn),
        UNIT(training__no_division_stands_still),
        UNIT(training__messages_know_their_phase),
        UNIT(training__a_model_brings_its_sizes),
        UNIT(training__errors),
    };
    return RUN_UNITS(tests);
}
