/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the forwarding decision in nanoseconds per packet: ECMP, ECMP with DRE meters, Expeditus (EXP-T1).
 *
 *   bench_forward [--rounds N] [--json]
 *
 * The measured code is switch_receive of node/switch.h, which the simulator and live switches call. The switch is ToR
 * 0.0 of the paper's 12-pod fat-tree: 6 hosts, 6 uplinks, 10 Gbps. It forwards full frames of 65,536 flows from its
 * hosts to other pods, northbound, at 90 % load.
 *
 * The path table of Expeditus is flat, as on a live switch, and warm: each of its 65,536 entries belongs to one of the
 * flows, whose Exp-request left and whose Exp-response came back before. So each packet finds its path, and accesses to
 * the table (1 MiB) are random.
 *
 * The cost of a packet includes reading a descriptor (from a stream of 4 MiB, as frames come from a NIC), route lookup,
 * balancing, the egress port (backlog, drop decision, departure) and resetting the descriptor. It excludes parsing and
 * I/O. The row "loop" is the same walk over the descriptors without the switch.
 *
 * A round is one packet of each flow. Rows take turns round by round; an unmeasured round before each measured one
 * fills the caches with the row's own data. The report has the median and the best round.
 */
#include "base/memory.h"
#include "mech/balance/balancers.h"
#include "tor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP_PS 228000 /* six uplinks of 10 Gbps at 90 %: 1230.4 ns / 6 / 0.9 */
#define BUFFER_BYTES 225000

enum row_kind { ROW_LOOP, ROW_ECMP, ROW_DRE, ROW_EXPEDITUS, ROW_COUNT };
static const char *const row_name[ROW_COUNT] = {"loop", "ecmp", "ecmp+dre", "expeditus"};

struct row {
    struct switch_config config;
    int64_t params[PARAMS_MAX];
    struct fabric_switch sw;
    struct port *port;
    struct port_view *view;
    struct port_extra *extra;
    time_ps now;
    double ns[ROUNDS_MAX]; /* per packet */
};

struct bench {
    struct fabric *fabric;
    struct packet_pool pool;
    uint32_t tor;     /* node */
    uint32_t *packet; /* [FLOWS] one descriptor each */
    struct row row[ROW_COUNT];
};

/* ---- building ---- */

static void bench_build_fabric(struct bench *b) {
    b->fabric = tor_fabric(10000000000);
    b->tor = tor_node(b->fabric);
    packet_pool_init(&b->pool);
}

/* Returns ECMP with DRE meters at its uplinks, of Expeditus' period and alpha: the cost of DRE alone. */
static const struct balancer_ops *metered_ecmp(void) {
    static struct param params[PARAMS_MAX];
    static struct balancer_ops ops;
    size_t n = balance_ecmp.n_params;
    memcpy(params, balance_ecmp.params, n * sizeof *params);
    params[n] = balance_expeditus.params[balance_expeditus.dre_period_param];
    params[n + 1] = balance_expeditus.params[balance_expeditus.dre_alpha_param];
    ops = balance_ecmp;
    ops.params = params;
    ops.n_params = n + 2;
    ops.wants_loads = true;
    ops.dre_period_param = n;
    ops.dre_alpha_param = n + 1;
    return &ops;
}

static void row_init(struct row *r, struct bench *b, const struct balancer_ops *ops) {
    for (size_t i = 0; i < ops->n_params; i++) r->params[i] = ops->params[i].def;
    r->config.balance = ops;
    r->config.balance_params = r->params;
    r->config.buffer_bytes = BUFFER_BYTES;
    r->config.port.classes = 1;
    uint16_t ports = b->fabric->place[0].n_ports;
    r->port = memory_get_lines(ports, sizeof *r->port);
    r->view = memory_get_lines(ports, sizeof *r->view);
    r->extra = memory_get(ports, sizeof *r->extra);
    struct switch_setup setup = {.fabric = b->fabric,
                                 .config = &r->config,
                                 .pool = &b->pool,
                                 .view = r->view,
                                 .port = r->port,
                                 .extra = r->extra,
                                 .seed = 1,
                                 .flat_tables = true};
    switch_init(&r->sw, b->tor, &setup);
}

static void row_fini(struct row *r) {
    switch_fini(&r->sw);
    free(r->port);
    free(r->view);
    free(r->extra);
}

static void bench_find_flows(struct bench *b) {
    struct row *r = &b->row[ROW_EXPEDITUS];
    struct tor t = {.fabric = b->fabric, .pool = &b->pool, .sw = &r->sw};
    b->packet = memory_get(FLOWS, sizeof *b->packet);
    tor_find_flows(&t, b->packet);
    r->now = t.now;
}

/* ---- measuring ---- */

static uint64_t round_switch(struct row *r, const struct bench *b) {
    struct switch_out out;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < FLOWS; i++) {
        switch_receive(&r->sw, r->now, 0, b->packet[i], &out);
        r->now += GAP_PS;
        sum += out.e[0].port + out.e[0].drop;
        packet_at(&b->pool, b->packet[i])->ttl = TTL;
    }
    return sum;
}

static uint64_t round_loop(const struct bench *b) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < FLOWS; i++) {
        struct packet *p = packet_at(&b->pool, b->packet[i]);
        sum += p->ttl + p->dst_ip;
        p->ttl = TTL;
    }
    return sum;
}

static double bench_round(struct bench *b, enum row_kind kind, volatile uint64_t *sink) {
    int64_t begin = bench_ns();
    *sink += kind == ROW_LOOP ? round_loop(b) : round_switch(&b->row[kind], b);
    return (double)(bench_ns() - begin) / FLOWS;
}

static void bench_measure(struct bench *b, uint32_t rounds) {
    volatile uint64_t sink = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        for (int kind = 0; kind < ROW_COUNT; kind++) {
            bench_round(b, kind, &sink);
            b->row[kind].ns[i] = bench_round(b, kind, &sink);
        }
    }
}

/* Fails unless each row forwarded the packets that it claims. */
static void bench_verify(const struct bench *b, uint32_t rounds) {
    const struct row *r = &b->row[ROW_EXPEDITUS];
    if (tor_counter(&r->sw, "selections_begun") != FLOWS)
        bench_fail("a flow of the warm table began a selection again");
    if (tor_counter(&r->sw, "pst_hits") < 2ull * rounds * FLOWS) bench_fail("some packets did not find their path");
    for (int kind = ROW_ECMP; kind < ROW_COUNT; kind++) {
        uint64_t bytes = 0;
        for (uint16_t p = 0; p < b->row[kind].sw.n_ports; p++) {
            if (b->row[kind].port[p].refused) bench_fail("a port dropped a frame");
            bytes += b->row[kind].port[p].sent_bytes;
        }
        if (bytes < 2ull * rounds * FLOWS * FULL_WIRE_BYTES) bench_fail("not every frame was sent");
    }
}

/* ---- reporting ---- */

static void row_sort(struct row *r, uint32_t rounds) { bench_sort(r->ns, rounds); }

static double row_median(const struct bench *b, enum row_kind kind, uint32_t rounds) {
    return b->row[kind].ns[rounds / 2];
}

static void print_json(const struct bench *b, uint32_t rounds) {
    double ecmp = row_median(b, ROW_ECMP, rounds), expeditus = row_median(b, ROW_EXPEDITUS, rounds);
    printf("{\"loop_ns\":%.2f,\"ecmp_ns\":%.2f,\"dre_ns\":%.2f,\"expeditus_ns\":%.2f,\"adds_ns\":%.2f,"
           "\"best\":{\"ecmp_ns\":%.2f,\"expeditus_ns\":%.2f}}\n",
           row_median(b, ROW_LOOP, rounds), ecmp, row_median(b, ROW_DRE, rounds) - ecmp, expeditus, expeditus - ecmp,
           b->row[ROW_ECMP].ns[0], b->row[ROW_EXPEDITUS].ns[0]);
}

/* The paper measured its Click elements separately: the 473 ns of EXPRoute exclude the 151 ns of DRE. */
static void print_table(const struct bench *b, uint32_t rounds) {
    static const char *const paper[ROW_COUNT] = {"", "275", "426 (275 + 151)", "624 (473 + 151)"};
    printf("ns per packet over %u rounds of %u packets\n\n", rounds, FLOWS);
    printf("%-12s %8s %8s %12s   %s\n", "row", "median", "best", "over ecmp", "paper (Click on a 3 GHz Xeon)");
    double ecmp = row_median(b, ROW_ECMP, rounds);
    for (int kind = 0; kind < ROW_COUNT; kind++) {
        double ns = row_median(b, kind, rounds);
        printf("%-12s %8.1f %8.1f ", row_name[kind], ns, b->row[kind].ns[0]);
        if (kind > ROW_ECMP)
            printf("%12.1f   %s\n", ns - ecmp, paper[kind]);
        else
            printf("%12s   %s\n", "", paper[kind]);
    }
    double adds = row_median(b, ROW_EXPEDITUS, rounds) - ecmp;
    printf("\nExpeditus adds %.1f ns to ECMP (paper: 349; aim: at most 30): %s\n", adds,
           adds <= 30 ? "met" : "not met");
}

static void usage(void) {
    fprintf(stderr, "usage: bench_forward [--rounds 1..%d] [--json]\n", ROUNDS_MAX);
    exit(2);
}

int main(int argc, char **argv) {
    static struct bench b;
    uint32_t rounds = 101;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            usage();
    }
    if (rounds < 1 || rounds > ROUNDS_MAX) usage();

    bench_build_fabric(&b);
    row_init(&b.row[ROW_ECMP], &b, &balance_ecmp);
    row_init(&b.row[ROW_DRE], &b, metered_ecmp());
    row_init(&b.row[ROW_EXPEDITUS], &b, &balance_expeditus);
    bench_find_flows(&b);
    bench_measure(&b, rounds);
    bench_verify(&b, rounds);

    for (int kind = 0; kind < ROW_COUNT; kind++) row_sort(&b.row[kind], rounds);
    if (json)
        print_json(&b, rounds);
    else
        print_table(&b, rounds);

    for (int kind = ROW_ECMP; kind < ROW_COUNT; kind++) row_fini(&b.row[kind]);
    packet_pool_fini(&b.pool);
    fabric_destroy(b.fabric);
    free(b.packet);
    return 0;
}
