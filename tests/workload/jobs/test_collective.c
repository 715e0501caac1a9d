/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives: what each rank sends, to whom, and what each message waits for. */
#include "workload/workload.h"

#include "workload/carry.h"
#include "workload/specs.h"

#include <stdio.h>

#define STAR8                                                                                                          \
    { .pods = 1, .racks = 1, .hosts = 8, .host_bps = 100 * GBPS }
#define RACKS4                                                                                                         \
    { .pods = 1, .racks = 4, .hosts = 4, .host_bps = 100 * GBPS, .leaf_up_bps = 400 * GBPS }

static bool find_by_number(void *context, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    (void)context;
    (void)quoted;
    *host = (uint32_t)strtoul(text, NULL, 10);
    snprintf(why, size, "there is no host '%s'", text);
    return *host < 8;
}

static struct workload_spec collective(enum collective_op op, enum collective_algorithm algorithm, uint64_t bytes) {
    struct workload_spec spec = spec_of(&workload_collective, NULL);
    *FIELDS(spec, collective) =
        (struct collective_fields){.op = op, .algorithm = algorithm, .bytes = bytes, .channels = 1, .iterations = 1};
    spec.placement = PLACEMENT_PACKED;
    spec.host_find = find_by_number;
    return spec;
}

/* ---- a list written as text: "0>1 100; 1>2 100 after 0" ---- */

/* Returns the flow with this index. */
static uint32_t flow_at(const struct flow_list *l, uint32_t index) {
    uint32_t f = 0;
    while (l->flow[f].index != index) f++;
    return f;
}

/* Appends the indices of the flows whose end the gate counts. */
static void flows_waited_for(const struct flow_list *l, uint32_t gate, bool acked, char *text, size_t size) {
    for (uint32_t index = 0; index < l->n; index++) {
        uint32_t f = flow_at(l, index);
        struct fed_gates fed = acked ? gates_of_acked(&l->gates, f) : gates_of_received(&l->gates, f);
        for (uint32_t i = 0; i < fed.n; i++) {
            size_t used = strlen(text);
            if (fed.gate[i] == gate) snprintf(text + used, size - used, " %s%u", acked ? "acked " : "", index);
        }
    }
}

/* Writes each message in the order of its index: source, destination, bytes, and what it waits for. */
static const char *described(const struct flow_list *l) {
    static char text[4096];
    text[0] = '\0';
    for (uint32_t index = 0; index < l->n; index++) {
        uint32_t f = flow_at(l, index);
        const struct flow *flow = &l->flow[f];
        char after[512] = "";
        for (uint32_t g = 0; g < l->gates.n_gates; g++) {
            const struct gate *gate = &l->gates.gate[g];
            bool opens = false;
            for (uint32_t i = 0; i < gate->n; i++) opens |= l->gates.gated[gate->first + i] == f;
            if (!opens) continue;
            assert_int_equal(gate->host, flow->src);
            flows_waited_for(l, g, false, after, sizeof after);
            flows_waited_for(l, g, true, after, sizeof after);
            size_t used = strlen(after);
            if (gate->delay) snprintf(after + used, sizeof after - used, " and %lld", (long long)gate->delay);
        }
        assert_true((flow->start == TIME_NONE) == (after[0] != '\0'));
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%u>%u %llu%s%s", used ? "; " : "", flow->src, flow->dst,
                 (unsigned long long)flow->bytes, after[0] ? " after" : "", after);
    }
    return text;
}

static void makes(const struct workload_spec *spec, const char *expected) {
    struct population p = population_make((struct shape)STAR8);
    struct flow_list l = generate(spec, 1, &p, 1);
    assert_string_equal(described(&l), expected);
    assert_int_equal(workload_flows_foreseen(spec, &p), l.n);
    flow_list_free(&l);
    population_free(&p);
}

static const char *three[] = {"3"}, *four[] = {"4"};
#define RANKS(spec, names)                                                                                             \
    (FIELDS(spec, collective)->rank = (names), FIELDS(spec, collective)->n_names = sizeof(names) / sizeof *(names))

/* 2 (n - 1) steps; a step waits for the message of the step before. */
static void collective__a_ring_passes_parts_on(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_ALL_REDUCE, ALGORITHM_RING, 300);
    RANKS(spec, three);
    makes(&spec, "0>1 100; 1>2 100; 2>0 100; "
                 "0>1 100 after 2; 1>2 100 after 0; 2>0 100 after 1; "
                 "0>1 100 after 5; 1>2 100 after 3; 2>0 100 after 4; "
                 "0>1 100 after 8; 1>2 100 after 6; 2>0 100 after 7");
    FIELDS(spec, collective)->op = OP_ALL_GATHER;
    makes(&spec, "0>1 100; 1>2 100; 2>0 100; 0>1 100 after 2; 1>2 100 after 0; 2>0 100 after 1");
}

static void collective__two_rings_run_against_each_other(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_REDUCE_SCATTER, ALGORITHM_BIDIRECTIONAL_RING, 600);
    RANKS(spec, three);
    makes(&spec, "0>1 100; 1>2 100; 2>0 100; 0>1 100 after 2; 1>2 100 after 0; 2>0 100 after 1; "
                 "0>2 100; 1>0 100; 2>1 100; 0>2 100 after 7; 1>0 100 after 8; 2>1 100 after 6");
}

static void collective__halves_and_doubles(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_ALL_REDUCE, ALGORITHM_HALVING_DOUBLING, 400);
    RANKS(spec, four);
    makes(&spec, "0>2 200; 1>3 200; 2>0 200; 3>1 200; "
                 "0>1 100 after 2; 1>0 100 after 3; 2>3 100 after 0; 3>2 100 after 1; "
                 "0>1 100 after 5; 1>0 100 after 4; 2>3 100 after 7; 3>2 100 after 6; "
                 "0>2 200 after 9; 1>3 200 after 8; 2>0 200 after 11; 3>1 200 after 10");
}

/* The root of a binomial tree sends one after the other; the others after what they received. */
static void collective__a_broadcast_doubles_the_ranks_that_have_it(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_BROADCAST, ALGORITHM_HALVING_DOUBLING, 7);
    RANKS(spec, four);
    makes(&spec, "0>1 7; 0>2 7 after acked 0; 1>3 7 after 0");
    FIELDS(spec, collective)->algorithm = ALGORITHM_RING;
    makes(&spec, "0>1 7; 1>2 7 after 0; 2>3 7 after 1");
    FIELDS(spec, collective)->algorithm = ALGORITHM_DIRECT;
    makes(&spec, "0>1 7; 0>2 7; 0>3 7");
}

/* Ranks 1 and 3 have children in the first tree, ranks 2 and 0 in the second. Messages to two children leave at once. */
static void collective__two_trees_add_up_and_copy_down(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_ALL_REDUCE, ALGORITHM_DOUBLE_TREE, 400);
    RANKS(spec, four);
    makes(&spec, "0>1 200; 2>1 200; 1>3 200 after 0 1; 3>1 200 after 2; 1>0 200 after 3; 1>2 200 after 3; "
                 "3>2 200; 1>2 200; 2>0 200 after 6 7; 0>2 200 after 8; 2>3 200 after 9; 2>1 200 after 9");
    RANKS(spec, three);
    makes(&spec, "0>1 200; 2>1 200; 1>0 200 after 0 1; 1>2 200 after 0 1; "
                 "1>2 200; 0>2 200; 2>1 200 after 4 5; 2>0 200 after 4 5");
}

/* In trees of any size every rank has one parent, and children in one tree alone but for one rank of an odd number. */
static void collective__two_trees_share_the_work(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= 16; n++) {
        struct population p = population_make((struct shape)RACKS4);
        struct workload_spec spec = collective(OP_ALL_REDUCE, ALGORITHM_DOUBLE_TREE, 2);
        char text[8];
        const char *count[] = {text};
        snprintf(text, sizeof text, "%u", n);
        RANKS(spec, count);
        struct flow_list l = generate(&spec, 1, &p, 1);
        uint32_t up[2][16] = {{0}}, children[2][16] = {{0}}, both = 0;
        assert_int_equal(l.n, 4 * (n - 1));
        assert_int_equal(carried_out(&l), l.n);
        for (uint32_t i = 0; i < l.n; i++) {
            uint32_t tree = l.flow[i].index / (2 * (n - 1)), place = l.flow[i].index % (2 * (n - 1));
            if (place >= n - 1) continue; /* the way down */
            up[tree][l.flow[i].src]++;
            children[tree][l.flow[i].dst]++;
        }
        for (uint32_t tree = 0; tree < 2; tree++) {
            uint32_t roots = 0;
            for (uint32_t r = 0; r < n; r++) {
                assert_true(up[tree][r] <= 1 && children[tree][r] <= 2);
                roots += up[tree][r] == 0;
            }
            assert_int_equal(roots, 1);
        }
        for (uint32_t r = 0; r < n; r++) both += children[0][r] && children[1][r];
        assert_int_equal(both, 0);
        flow_list_free(&l);
        population_free(&p);
    }
}

/* Two chunks of a broadcast along a chain: each rank passes the first on while it receives the second. */
static void collective__chunks_follow_each_other(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_BROADCAST, ALGORITHM_RING, 300);
    RANKS(spec, three);
    FIELDS(spec, collective)->chunk = 150;
    makes(&spec, "0>1 150; 1>2 150 after 0; 0>1 150; 1>2 150 after 2");
    FIELDS(spec, collective)->chunk = 299; /* two of 150 are the fewest that fit */
    makes(&spec, "0>1 150; 1>2 150 after 0; 0>1 150; 1>2 150 after 2");
    FIELDS(spec, collective)->chunk = 300;
    makes(&spec, "0>1 300; 1>2 300 after 0");
    FIELDS(spec, collective)->algorithm =
        ALGORITHM_BIDIRECTIONAL_RING; /* the first chunks of both ways are the first */
    FIELDS(spec, collective)->bytes = 400;
    FIELDS(spec, collective)->chunk = 100;
    makes(&spec, "0>1 100; 1>2 100 after 0; 0>2 100; 2>1 100 after 2; "
                 "0>1 100; 1>2 100 after 4; 0>2 100; 2>1 100 after 6");
    FIELDS(spec, collective)->algorithm = ALGORITHM_RING;
    FIELDS(spec, collective)->op = OP_ALL_GATHER; /* channels and chunks: a connection carries its chunks */
    FIELDS(spec, collective)->channels = 2;
    FIELDS(spec, collective)->bytes = 1200;
    FIELDS(spec, collective)->chunk = 100;
    struct population p = population_make((struct shape)STAR8);
    struct flow_list l = generate(&spec, 1, &p, 1);
    assert_int_equal(l.n, 2 * 2 * 2 * 3);
    assert_int_equal(l.lines.n_lines, 2 * 3);
    assert_int_equal(workload_flows_foreseen(&spec, &p), l.n);
    flow_list_free(&l);
    population_free(&p);
}

/* Two servers of two ranks. Shares of half of the buffer are all-reduced over two rails, in halves again. */
static void collective__servers_and_rails(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_ALL_REDUCE, ALGORITHM_HIERARCHICAL, 400);
    RANKS(spec, four);
    FIELDS(spec, collective)->group = 2;
    makes(&spec, "0>1 200; 1>0 200; 2>3 200; 3>2 200; "
                 "0>2 100 after 1; 2>0 100 after 3; 0>2 100 after 5; 2>0 100 after 4; "
                 "1>3 100 after 0; 3>1 100 after 2; 1>3 100 after 9; 3>1 100 after 8; "
                 "0>1 200 after 5 7; 1>0 200 after 9 11; 2>3 200 after 4 6; 3>2 200 after 8 10");
    FIELDS(spec, collective)->scale_up_bps = 2000000000000; /* 200 bytes take 800 ps */
    makes(&spec, "0>2 100 after and 800; 2>0 100 after and 800; 0>2 100 after 1; 2>0 100 after 0; "
                 "1>3 100 after and 800; 3>1 100 after and 800; 1>3 100 after 5; 3>1 100 after 4");
}

static void collective__all_to_all_in_a_window(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_ALL_TO_ALL, ALGORITHM_COUNT, 300);
    RANKS(spec, three);
    makes(&spec, "0>1 100; 1>2 100; 2>0 100; 0>2 100; 1>0 100; 2>1 100");
    FIELDS(spec, collective)->window = 1;
    makes(&spec, "0>1 100; 1>2 100; 2>0 100; 0>2 100 after acked 0; 1>0 100 after acked 1; 2>1 100 after acked 2");
    FIELDS(spec, collective)->window = 2; /* the third waits for the first, not for the second */
    FIELDS(spec, collective)->bytes = 400;
    RANKS(spec, four);
    makes(&spec, "0>1 100; 1>2 100; 2>3 100; 3>0 100; 0>2 100; 1>3 100; 2>0 100; 3>1 100; "
                 "0>3 100 after acked 0; 1>0 100 after acked 1; 2>1 100 after acked 2; 3>2 100 after acked 3");
    FIELDS(spec, collective)->bytes = 300;
    RANKS(spec, three);
    FIELDS(spec, collective)->op = OP_ALL_REDUCE; /* the second half waits for all of the first */
    FIELDS(spec, collective)->algorithm = ALGORITHM_DIRECT;
    FIELDS(spec, collective)->window = 0;
    makes(&spec, "0>1 100; 1>2 100; 2>0 100; 0>2 100; 1>0 100; 2>1 100; "
                 "0>1 100 after 2 4; 1>2 100 after 0 5; 2>0 100 after 1 3; 0>2 100 after 2 4; 1>0 100 after 0 5; "
                 "2>1 100 after 1 3");
}

/* A rank begins the next iteration, and computes before, when it has received all of the one before. */
static void collective__iterations_follow_each_other(void **state) {
    (void)state;
    struct workload_spec spec = collective(OP_SEND_RECV, ALGORITHM_COUNT, 50);
    const char *ranks[] = {"5", "2"};
    RANKS(spec, ranks);
    FIELDS(spec, collective)->iterations = 2;
    FIELDS(spec, collective)->compute = 9;
    makes(&spec, "5>2 50; 2>5 50; 5>2 50 after 1 and 9; 2>5 50 after 0 and 9");
    FIELDS(spec, collective)->op = OP_BROADCAST; /* the root receives nothing: it waits for the end of what it sent */
    makes(&spec, "5>2 50; 5>2 50 after acked 0 and 9");
    FIELDS(spec, collective)->iterations = 1;
    FIELDS(spec, collective)->channels = 2;
    makes(&spec, "5>2 25; 5>2 25");
}

/* A rank that has a message of the next step already, but still computes, does not send before it has gone on. */
static void collective__a_step_waits_for_the_rank_itself(void **state) {
    (void)state;
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = collective(OP_ALL_GATHER, ALGORITHM_RING, 300);
    RANKS(spec, three);
    FIELDS(spec, collective)->iterations = 2;
    FIELDS(spec, collective)->compute = 9;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t steps = 0;
    for (uint32_t g = l.job[0].first_gate[1]; g < l.job[0].first_gate[2]; g++) {
        const struct gate *gate = &l.gates.gate[g];
        if (gate->delay == 9) assert_int_equal(gate->n_on_end, 1); /* the gate of the second step */
        steps += gate->delay == 0 && gate->n == 1 && gate->needs == 2;
    }
    assert_int_equal(steps, 3);
    assert_int_equal(l.job[0].first_gate[0], 0);
    assert_int_equal(l.job[0].first_gate[2], l.gates.n_gates);
    flow_list_free(&l);
    population_free(&p);
}

static void collective__messages_of_a_pair_share_a_connection_for_each_channel(void **state) {
    (void)state;
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = collective(OP_ALL_REDUCE, ALGORITHM_RING, 1600);
    FIELDS(spec, collective)->channels = 2;
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t ports[8][2] = {0};
    assert_int_equal(l.n, 2 * 14 * 8);
    for (uint32_t i = 0; i < l.n; i++) {
        const struct flow *f = &l.flow[i];
        uint32_t channel = f->index / (14 * 8), *port = &ports[f->src][channel];
        if (!*port) *port = f->src_port;
        assert_int_equal(f->src_port, *port);
        assert_int_equal(f->flags & (FLOW_ESTABLISHED | FLOW_STAYS_OPEN), FLOW_ESTABLISHED | FLOW_STAYS_OPEN);
    }
    for (uint32_t h = 0; h < 8; h++) assert_int_not_equal(ports[h][0], ports[h][1]);
    flow_list_free(&l);
    population_free(&p);
}

/* ---- the job ---- */

static void collective__the_job_says_what_it_is(void **state) {
    (void)state;
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec[] = {collective(OP_ALL_REDUCE, ALGORITHM_RING, 800),
                                   collective(OP_ALL_TO_ALL, ALGORITHM_DIRECT, 800)};
    spec[1].entry = 1;
    FIELDS(spec[1], collective)->iterations = 3;
    struct flow_list l = generate(spec, 2, &p, 1);
    assert_int_equal(l.n_jobs, 2);
    assert_string_equal(l.job[0].op, "all-reduce");
    assert_int_equal(l.job[0].flows_each, 14 * 8);
    assert_int_equal(l.job[0].bus, 14);
    assert_int_equal(l.job[0].bus_per, 8);
    assert_int_equal(l.job[1].entry, 1);
    assert_int_equal(l.job[1].iterations, 3);
    assert_int_equal(l.job[1].flows_each, 7 * 8);
    assert_int_equal(l.job[1].bus, 7);
    assert_int_equal(l.job[1].bytes, 800);
    flow_list_free(&l);
    population_free(&p);
}

static void placed(enum placement placement, const char *count, uint64_t seed, uint32_t rank[16]) {
    struct population p = population_make((struct shape)RACKS4);
    struct workload_spec spec = collective(OP_SEND_RECV, ALGORITHM_COUNT, 1);
    RANKS(spec, ((const char *[]){count}));
    spec.placement = placement;
    struct flow_list l = generate(&spec, 1, &p, seed);
    for (uint32_t i = 0; i < l.job[0].n_ranks; i++) rank[i] = l.job[0].rank[i];
    flow_list_free(&l);
    population_free(&p);
}

static void collective__ranks_are_placed(void **state) {
    (void)state;
    uint32_t rank[16], other[16];
    placed(PLACEMENT_PACKED, "6", 1, rank);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(rank[i], i);
    placed(PLACEMENT_ROUND_ROBIN, "6", 1, rank);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(rank[i], 4 * (i % 4) + i / 4);
    placed(PLACEMENT_RANDOM, "16", 1, rank);
    placed(PLACEMENT_RANDOM, "16", 2, other);
    uint32_t seen = 0, moved = 0;
    for (uint32_t i = 0; i < 16; i++) {
        seen |= 1u << rank[i];
        moved += rank[i] != other[i];
    }
    assert_int_equal(seen, 0xffff);
    assert_true(moved > 8);
}

/* ---- every row: what a rank receives is what the operation must bring it, and nothing waits for ever ---- */

static void collective__every_row_brings_each_rank_its_bytes(void **state) {
    (void)state;
    struct population p = population_make((struct shape)STAR8);
    const uint64_t size = 1600;
    for (int op = 0; op < OP_COUNT; op++) {
        uint32_t rows = 0;
        for (int algorithm = 0; algorithm <= ALGORITHM_COUNT; algorithm++) {
            struct workload_spec spec = collective((enum collective_op)op, (enum collective_algorithm)algorithm, size);
            FIELDS(spec, collective)->iterations = 2;
            struct flow_list l;
            struct diag d;
            FIELDS(spec, collective)->window = 3;
            bool made = workload_generate(&spec, 1, &p, 1, &l, &d);
            if (!made) FIELDS(spec, collective)->window = 0;
            if (!made && !workload_generate(&spec, 1, &p, 1, &l, &d)) continue;
            rows++;
            assert_int_equal(workload_flows_foreseen(&spec, &p), l.n);
            assert_int_equal(carried_out(&l), l.n);
            uint64_t received[8] = {0};
            for (uint32_t i = 0; i < l.n; i++) received[l.flow[i].dst] += l.flow[i].bytes;
            uint64_t part = size * l.job[0].bus / l.job[0].bus_per, all = 0;
            for (uint32_t h = 0; h < 8; h++) {
                all += received[h];
                if (algorithm != ALGORITHM_DOUBLE_TREE) /* whose root receives less */
                    assert_int_equal(received[h], op == OP_BROADCAST && h == 0 ? 0 : 2 * part);
            }
            assert_int_equal(all, (op == OP_BROADCAST ? 7 : 8) * 2 * part);
            flow_list_free(&l);
        }
        assert_true(rows >= 2); /* one by its name, one as the operation's own */
    }
    population_free(&p);
}

/* ---- errors ---- */

static void collective__errors(void **state) {
    (void)state;
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = collective(OP_ALL_TO_ALL, ALGORITHM_RING, 800);
    generate_fails(&spec, &p, "algorithm: all-to-all has no ring; it has direct");
    FIELDS(spec, collective)->op = OP_ALL_REDUCE;
    FIELDS(spec, collective)->bytes = 801;
    generate_fails(&spec, &p, "size: 801 bytes cannot be cut into 8 equal parts (ranks x channels); write size: 808B");
    FIELDS(spec, collective)->chunk = 30;
    generate_fails(&spec, &p,
                   "size: 801 bytes cannot be cut into 32 equal parts (ranks x channels x chunks); write size: 832B");
    FIELDS(spec, collective)->bytes = 1LL << 40;
    FIELDS(spec, collective)->chunk = 1;
    generate_fails(&spec, &p, "chunk: 137438953472 in a message are too many");
    FIELDS(spec, collective)->chunk = 30;
    FIELDS(spec, collective)->algorithm = ALGORITHM_DIRECT;
    FIELDS(spec, collective)->window = 2;
    generate_fails(&spec, &p, "chunk: every chunk would have a window of its own; leave out chunk or window");
    FIELDS(spec, collective)->window = 0;
    FIELDS(spec, collective)->chunk = 0;
    FIELDS(spec, collective)->group = 2;
    generate_fails(&spec, &p, "group: only algorithm: hierarchical has servers; leave it out");
    FIELDS(spec, collective)->group = 0;
    FIELDS(spec, collective)->scale_up_bps = 1;
    generate_fails(&spec, &p, "scale_up: only algorithm: hierarchical has servers; leave it out");
    FIELDS(spec, collective)->algorithm = ALGORITHM_HIERARCHICAL;
    FIELDS(spec, collective)->scale_up_bps = 0;
    generate_fails(&spec, &p, "group: 0 ranks in a server do not divide 8 ranks into two servers or more");
    FIELDS(spec, collective)->group = 8;
    generate_fails(&spec, &p, "group: 8 ranks in a server do not divide 8 ranks into two servers or more");
    FIELDS(spec, collective)->group = 4;
    FIELDS(spec, collective)->bytes = 804;
    generate_fails(&spec, &p, "size: 804 bytes cannot be cut into 8 equal parts (ranks x channels); write size: 808B");
    FIELDS(spec, collective)->chunk = 8;
    generate_fails(&spec, &p, "chunk: hierarchical has none; leave it out");
    FIELDS(spec, collective)->chunk = 0;
    FIELDS(spec, collective)->group = 0;
    FIELDS(spec, collective)->algorithm = ALGORITHM_RING;
    FIELDS(spec, collective)->bytes = 800;
    spec.placement = PLACEMENT_RACKS;
    generate_fails(&spec, &p,
                   "placement: it says where clients and servers are; ranks have packed, round-robin or random");
    spec.placement = PLACEMENT_PACKED;
    const char *nine[] = {"9"}, *one[] = {"1"}, *many[] = {"all"}, *twice[] = {"1", "2", "1"}, *unknown[] = {"1", "8"},
               *six[] = {"6"};
    RANKS(spec, nine);
    generate_fails(&spec, &p, "ranks: 9, but the fabric has 8 hosts; write at most 8");
    RANKS(spec, one);
    generate_fails(&spec, &p, "ranks: 1 is not how many take part; give a number from 2, or a list of hosts");
    RANKS(spec, many);
    generate_fails(&spec, &p, "ranks: all is not how many take part");
    RANKS(spec, twice);
    generate_fails(&spec, &p, "ranks: 1 stands there twice; name each host once");
    RANKS(spec, unknown);
    generate_fails(&spec, &p, "ranks: there is no host '8'");
    spec.placement = PLACEMENT_RANDOM;
    generate_fails(&spec, &p, "placement: the hosts of the ranks are named, so it would do nothing; leave it out");
    spec.placement = PLACEMENT_PACKED;
    RANKS(spec, six);
    FIELDS(spec, collective)->bytes = 600;
    FIELDS(spec, collective)->window = 2;
    generate_fails(&spec, &p,
                   "window: with ring a rank sends one message at a time, so it would do nothing; leave it out");
    FIELDS(spec, collective)->window = 0;
    FIELDS(spec, collective)->algorithm = ALGORITHM_HALVING_DOUBLING;
    generate_fails(&spec, &p, "halving-doubling needs 2, 4, 8, ... ranks, and here are 6; use ring");
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(collective__a_ring_passes_parts_on),
        UNIT(collective__two_rings_run_against_each_other),
        UNIT(collective__halves_and_doubles),
        UNIT(collective__a_broadcast_doubles_the_ranks_that_have_it),
        UNIT(collective__two_trees_add_up_and_copy_down),
        UNIT(collective__two_trees_share_the_work),
        UNIT(collective__chunks_follow_each_other),
        UNIT(collective__servers_and_rails),
        UNIT(collective__all_to_all_in_a_window),
        UNIT(collective__iterations_follow_each_other),
        UNIT(collective__a_step_waits_for_the_rank_itself),
        UNIT(collective__messages_of_a_pair_share_a_connection_for_each_channel),
        UNIT(collective__the_job_says_what_it_is),
        UNIT(collective__ranks_are_placed),
        UNIT(collective__every_row_brings_each_rank_its_bytes),
        UNIT(collective__errors),
    };
    return RUN_UNITS(tests);
}
