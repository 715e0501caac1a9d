/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a run, estimated before it starts. */
#include "node/host.h"
#include "sim/fixture.h"

#include "feeds.h"

#include "unit.h"

/* Adds a flow from every host. */
static void all_send(struct lab *l) {
    uint32_t n = lab_fabric(l)->n_hosts;
    for (uint32_t h = 0; h < n; h++) lab_flow(l, h, (h + 1) % n, 1000, 0);
}

static void foreseen__grows_with_the_fabric(void **state) {
    (void)state;
    struct lab *small = lab_new(spec_fat_tree(4)), *large = lab_new(spec_fat_tree(16));
    small->config.fabric = lab_fabric(small), small->config.flows = &small->flows;
    all_send(small);
    all_send(large);
    large->config.fabric = lab_fabric(large), large->config.flows = &large->flows;
    uint64_t few = world_memory_foreseen(&small->config, 1), many = world_memory_foreseen(&large->config, 1);
    assert_true(many > 10 * few);
    assert_true(world_memory_foreseen(&large->config, 8) <
                world_memory_foreseen(&large->config, 2)); /* for each rank */
    lab_end(small);
    lab_end(large);
}

/* Returns the bytes of all switches, with what their balancers keep, at the end of a run. */
static uint64_t switches_at_the_end(struct lab *l) {
    lab_run_done(l);
    return l->r.memory.switches_bytes;
}

/* Tables of flows grow with the flows that pass a switch, and 2,000 flows between 16 hosts are more than all else. */
static void foreseen__what_balancers_keep(void **state) {
    (void)state;
    uint64_t none_used = 0, none_foreseen = 0;
    size_t n, keep = 0;
    const struct balancer_ops *const *row = balancers(&n);
    for (size_t i = 0; i < n; i++) {
        struct lab *l = lab_new(spec_fat_tree(4));
        lab_balance(l, row[i]->name);
        lab_random_flows(l, 16, 2000, 3000, 4 * MS);
        uint64_t used = switches_at_the_end(l), foreseen = world_memory_foreseen(&l->config, 1);
        if (strcmp(row[i]->name, "ecmp") == 0) none_used = used, none_foreseen = foreseen; /* the first row */
        double kept = (double)(used - none_used), expected = (double)(foreseen - none_foreseen);
        if (row[i]->memory_bytes && (kept < 5000 || expected < 0.75 * kept || expected > 1.25 * kept))
            fail_msg("%s keeps %.0f bytes, %.0f were foreseen", row[i]->name, kept, expected);
        keep += row[i]->memory_bytes != NULL;
        lab_end(l);
    }
    assert_true(none_foreseen > 0 && keep >= 3);
}

/* A permutation in which every host sends `bytes`, and bounds of what was foreseen over what it took. */
struct saturated {
    const char *transport, *balance;
    uint64_t bytes;
    time_ps until;
};

/* Asserts that the bound is at least what was used, and at most twice that. */
static void assert_bound(uint64_t foreseen, uint64_t used, const char *what) {
    if (foreseen < used || foreseen > 2 * used)
        fail_msg("%s: %llu B were foreseen, %llu used", what, (unsigned long long)foreseen, (unsigned long long)used);
}

/* What every run takes is foreseen: a pool's first block of frames, and for ranks the totals that the leader receives. */
static void foreseen__of_a_run_without_flows(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_fat_tree(4));
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    uint64_t alone = world_memory_foreseen(&l->config, 1), leader = world_memory_foreseen(&l->config, 2);
    lab_run(l);
    assert_in_range(alone - l->r.memory.total_bytes, POOL_BLOCK * sizeof(struct packet), 450000);
    assert_in_range(leader - alone, 8u << 20, 16u << 20); /* Open MPI, more than half of the small rest */
    lab_end(l);
}

/* Returns what the leader of several ranks needs beyond what all share and what is divided among them. */
static uint64_t leader_bytes(const struct world_config *c) {
    uint64_t one = world_memory_foreseen(c, 1), two = world_memory_foreseen(c, 2),
             many = world_memory_foreseen(c, 1u << 31);
    return many + 2 * (two - many) - one;
}

static void foreseen__of_the_leader(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_fat_tree(4));
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    uint64_t none = (12u << 20) + 96 * sizeof(struct port_total), tallies = 40 * sizeof(struct flow_tally);
    assert_in_range(leader_bytes(&l->config), none - 4, none + 4); /* Open MPI, totals of a rank's ports */
    for (uint32_t i = 0; i < 40; i++) lab_flow(l, i % 16, (i + 5) % 16, 1000, 0);
    assert_in_range(leader_bytes(&l->config), none + tallies - 4, none + tallies + 4);
    lab_end(l);
}

/* Each part of a run adds its own bytes: flows that are never open together, closed loops, samples until the last timeout. */
static void foreseen__each_part_adds_its_own(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_fat_tree(4)), *with = lab_new(spec_fat_tree(4));
    for (uint32_t i = 0; i < 200; i++) lab_flow(with, i % 16, (i + 5) % 16, 1000, i * 100 * MS);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    with->config.fabric = lab_fabric(with), with->config.flows = &with->flows;
    l->config.until = with->config.until = 30000 * MS;
    uint64_t none = world_memory_foreseen(&l->config, 1), flows = world_memory_foreseen(&with->config, 1);
    assert_in_range(flows - none, 200 * world_flow_bytes(), 200 * world_flow_bytes() + 100000);
    with->flows.n_queries = 1000;
    assert_int_equal(world_memory_foreseen(&with->config, 1) - flows, 1000 * 3 * sizeof(struct query));
    with->flows.n_queries = 0;
    with->config.measure.queues = 10 * MS;
    uint64_t samples = (world_memory_foreseen(&with->config, 1) - flows) / (2 * sizeof(struct sample));
    assert_in_range(samples, 96 * 1990,
                    96 * 3001); /* of 96 ports, 20 s and the timeout, but no more than the run has */
    lab_flow(l, 0, 5, 1000, 0);
    none = world_memory_foreseen(&l->config, 1);
    l->config.measure.queues = 100 * US;
    samples = (world_memory_foreseen(&l->config, 1) - none) / (2 * sizeof(struct sample));
    assert_in_range(samples, 96 * 100, 96 * 110); /* the flow is short, the least RTO 10 ms */
    lab_end(l);
    lab_end(with);
}

/* Tallies that are packed are foreseen as 60 bytes, and those of four blocks of each host as open; on ranks there are arrays. */
static void foreseen__packed_tallies(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_fat_tree(4));
    for (uint32_t i = 0; i < 10000; i++) lab_flow(l, i % 16, (i + 5) % 16, 1000, i * 100 * US);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    l->flows.n_jobs = 1, l->config.packed_flows = 10001;
    uint64_t array = world_memory_foreseen(&l->config, 1), ranks = world_memory_foreseen(&l->config, 2);
    l->config.packed_flows = 10000;
    uint64_t open = 16 * 4 * TALLY_BLOCK * sizeof(struct flow_tally);
    assert_int_equal(array - world_memory_foreseen(&l->config, 1), 10000 * (sizeof(struct flow_tally) - 60) - open);
    assert_int_equal(world_memory_foreseen(&l->config, 2), ranks);
    l->config.packed_flows = 1;
    l->flows.n = 5000; /* so few blocks may all be open */
    uint64_t few = world_memory_foreseen(&l->config, 1);
    l->config.packed_flows = 5001;
    assert_int_equal(few, world_memory_foreseen(&l->config, 1));
    l->flows.n = 10000;
    l->flows.n_jobs = 0;
    lab_end(l);
}

static void saturated_check(const struct saturated *row) {
    struct lab *l = lab_new(spec_fat_tree(8));
    lab_balance(l, row->balance);
    lab_transport(l, row->transport);
    lab_ports_as_needed(l);
    if (strcmp(row->transport, "dctcp") == 0) l->config.switches.buffer_bytes = 1000000;
    for (uint32_t h = 0; h < 128; h++) lab_flow(l, h, (h + 64) % 128, row->bytes, 0);
    l->config.until = row->until;
    lab_run(l);
    char what[80];
    snprintf(what, sizeof what, "%s, %s, %u bytes", row->transport, row->balance, (unsigned)row->bytes);
    assert_bound(world_memory_foreseen(&l->config, 1), l->r.memory.total_bytes, what);
    lab_end(l);
}

/* What a flow keeps in queues depends on what stops its sender, and on how long it has had. */
static void foreseen__frames_of_open_flows(void **state) {
    (void)state;
    static const struct saturated row[] = {
        {"newreno", "ecmp", 2000000, TIME_NONE},    /* up to the buffers */
        {"newreno", "spray", 2000000, TIME_NONE},   /* its own link */
        {"newreno", "ecmp", 1000, TIME_NONE},       /* its size */
        {"newreno", "ecmp", 2000000, 100 * US},     /* its window so far */
        {"dctcp", "ecmp", 2000000, TIME_NONE},      /* marks, and a round trip, below a larger buffer */
        {"dx", "ecmp", 2000000, TIME_NONE},         /* delay; each frame has a stamp */
        {"expresspass", "ecmp", 500000, TIME_NONE}, /* credits at two ports; ports have classes */
        {"spraypass", "ecmp", 500000, TIME_NONE},   /* paths */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) saturated_check(&row[i]);
}

/* Many flows of one host have its link's frames together. */
static void foreseen__flows_share_a_link(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(4));
    for (uint32_t i = 0; i < 3000; i++) lab_flow(l, i % 3, 3, 100000, i * US / 10);
    l->config.until = 3 * MS;
    lab_run(l);
    assert_bound(world_memory_foreseen(&l->config, 1), l->r.memory.total_bytes, "3000 flows to one host");
    lab_end(l);
}

/* Ends a lab, and returns what was foreseen for it. */
static uint64_t foreseen_of(struct lab *l) {
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    uint64_t bytes = world_memory_foreseen(&l->config, 1);
    lab_end(l);
    return bytes;
}

/* Returns what is foreseen for eight flows that start together, from one host or from eight, to one or to eight. */
static uint64_t foreseen_of_eight(bool one_source, bool one_sink) {
    struct lab *l = lab_new(spec_star(16));
    for (uint32_t i = 0; i < 8; i++) lab_flow(l, one_source ? 0 : i, one_sink ? 8 : 8 + i, 2000000, 0);
    return foreseen_of(l);
}

/* A link carries the frames of its round trip, and a queue those of its buffer, once for all flows that share it. */
static void foreseen__frames_of_flows_that_share(void **state) {
    (void)state;
    uint64_t apart = foreseen_of_eight(false, false), to_one = foreseen_of_eight(false, true),
             from_one = foreseen_of_eight(true, false);
    uint64_t queue = 70ull * sizeof(struct packet); /* of 150 KB */
    assert_true(to_one + 7 * queue < apart);
    assert_true(from_one < to_one); /* they also share the link of the sender */
}

/* Returns what is foreseen for flows that hosts of one pod start one after another, to another pod, with uplinks of racks and
 * pods of those rates. */
static uint64_t foreseen_over(int64_t rack_bps, int64_t pod_bps) {
    struct lab *l = lab_new(spec_clos(2, 1, 1, 1, 16));
    l->spec.uplink_bps = rack_bps;
    l->spec.core_bps = pod_bps;
    for (uint32_t i = 0; i < 1600; i++) lab_flow(l, i % 16, 16 + i % 16, 100000, i * 100 * US);
    return foreseen_of(l);
}

/* Flows pile up where uplinks are offered more than they carry, of racks or of pods, though their hosts are idle for most of the
 * time. */
static void foreseen__flows_wait_for_loaded_uplinks(void **state) {
    (void)state;
    uint64_t idle = foreseen_over(100 * GBPS, 100 * GBPS);
    assert_true(foreseen_over(4 * GBPS, 100 * GBPS) > idle);
    assert_true(foreseen_over(100 * GBPS, 4 * GBPS) > idle);
}

/* Two racks send each other flows of 1 KB to 199 KB: their uplinks are offered 1.6 of what they carry. */
static struct lab *lab_overloaded(uint32_t flows) {
    struct lab *l = lab_new(spec_clos(2, 1, 1, 1, 16));
    l->spec.uplink_bps = l->spec.core_bps = 50 * GBPS;
    l->config.until = flows * 5 * US; /* the last starts then */
    for (uint32_t i = 0; i < flows; i++) lab_flow(l, i % 32, (i + 16) % 32, 1000 + i * 7919ull % 198000, i * 5 * US);
    return l;
}

/* Where links are offered more than they carry, flows pile up for as long as others come. */
static void foreseen__flows_pile_up(void **state) {
    (void)state;
    double used[2], foreseen[2];
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_overloaded(i ? 8000 : 2000);
        lab_run(l);
        used[i] = (double)l->r.memory.total_bytes, foreseen[i] = (double)world_memory_foreseen(&l->config, 1);
        lab_end(l);
    }
    double more = used[1] - used[0], expected = foreseen[1] - foreseen[0];
    if (expected < more || expected > 2 * more) fail_msg("%.0f more were foreseen, %.0f used", expected, more);
}

/* The loops of a lab whose flows are `window` at a time. */
struct chain {
    struct gate gate[1000];
    uint32_t gated[1000];
    struct feeds feeds;
};

/* Makes each of n flows but the first ones start when the one `window` before it, of the same host, is acknowledged. */
static void chain_make(struct chain *c, struct lab *l, uint32_t n, uint32_t window) {
    uint32_t n_gates = n - window;
    for (uint32_t i = 0; i < n_gates; i++) {
        c->gate[i] = (struct gate){.host = l->flows.flow[i].src, .needs = 1, .first = i, .n = 1};
        c->gated[i] = i + window;
        feeds_add(&c->feeds, i, FED_ACKED, i);
        l->flows.flow[i + window].start = TIME_NONE;
    }
    l->flows.gates = (struct gates){.gate = c->gate, .gated = c->gated, .n_gates = n_gates, .n_gated = n_gates};
    feeds_finish(&c->feeds, &l->flows.gates, n);
}

/* Adds n flows of 200 KB, by turns from so many hosts to others. */
static struct lab *lab_of_flows(uint32_t hosts, uint32_t n) {
    struct lab *l = lab_new(spec_fat_tree(4));
    for (uint32_t i = 0; i < n; i++) lab_flow(l, i % hosts, (i % hosts + 4) % 16, 200000, 0);
    return l;
}

/* Returns what is foreseen for 992 flows of so many hosts, each of which has so many of them open at a time. */
static uint64_t foreseen_of_chain(uint32_t hosts, uint32_t window) {
    struct chain *c = calloc(1, sizeof *c);
    struct lab *l = lab_of_flows(hosts, 992);
    assert_non_null(c);
    chain_make(c, l, 992, hosts * window);
    uint64_t foreseen = foreseen_of(l);
    free(c);
    return foreseen;
}

/* If all hosts send all the time, eight flows each at a time, these eight are open, as if there were no others: flows that
 * wait for others do not pile up as flows that come by themselves do. */
static void foreseen__flows_that_wait_do_not_pile_up(void **state) {
    (void)state;
    uint64_t more = foreseen_of_chain(16, 8) - foreseen_of_chain(16, 1);
    uint64_t alone = foreseen_of(lab_of_flows(16, 128)) - foreseen_of(lab_of_flows(16, 16));
    assert_true(more > 16 * 7 * 2 * sizeof(struct connection));
    assert_true(more < 2 * alone);
}

/* Flows that come one after another need no more memory than one, whether their starts are given or wait for others. */
static void foreseen__flows_one_after_another(void **state) {
    (void)state;
    enum { TWO_MS_APART, ONE_MS_APART, TOGETHER, N, FLOWS = 1000 };
    uint64_t foreseen[N];
    for (uint32_t row = 0; row < N; row++) {
        struct lab *l = lab_new(spec_fat_tree(4));
        for (uint32_t i = 0; i < FLOWS; i++)
            lab_flow(l, 0, 4, 200000, row == TOGETHER ? 0 : row == ONE_MS_APART ? i * MS : i * 2 * MS);
        foreseen[row] = foreseen_of(l);
    }
    uint64_t waiting = foreseen_of_chain(1, 1);
    int64_t loops =
        FLOWS * (int64_t)(sizeof(struct gate) + sizeof(struct flow_feed) + 24); /* these are foreseen as well */
    assert_true(llabs((long long)(foreseen[TWO_MS_APART] - foreseen[ONE_MS_APART])) < 10000);
    assert_true(llabs((long long)(foreseen[TWO_MS_APART] - waiting)) < 10000 + loops);
    assert_true(foreseen[TOGETHER] > foreseen[ONE_MS_APART] + FLOWS * 2 * sizeof(struct connection));
}

/* A table forgets flows that ended long ago. */
static void foreseen__tables_forget(void **state) {
    (void)state;
    uint64_t foreseen[2];
    for (int forgets = 0; forgets < 2; forgets++) {
        struct lab *l = lab_new(spec_fat_tree(4));
        lab_balance(l, "expeditus");
        if (forgets) lab_balance_param(l, "pst_timeout", 100 * US);
        lab_random_flows(l, 16, 4000, 3000, 200 * MS);
        foreseen[forgets] = foreseen_of(l);
    }
    assert_true(foreseen[1] + 100000 < foreseen[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(foreseen__grows_with_the_fabric),
        UNIT(foreseen__of_a_run_without_flows),
        UNIT(foreseen__each_part_adds_its_own),
        UNIT(foreseen__of_the_leader),
        UNIT(foreseen__packed_tallies),
        UNIT(foreseen__what_balancers_keep),
        UNIT(foreseen__frames_of_open_flows),
        UNIT(foreseen__flows_one_after_another),
        UNIT(foreseen__flows_that_wait_do_not_pile_up),
        UNIT(foreseen__flows_share_a_link),
        UNIT(foreseen__frames_of_flows_that_share),
        UNIT(foreseen__flows_wait_for_loaded_uplinks),
        UNIT(foreseen__flows_pile_up),
        UNIT(foreseen__tables_forget),
    };
    return RUN_UNITS(tests);
}
