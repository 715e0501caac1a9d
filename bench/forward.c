/* SPDX-License-Identifier: Apache-2.0 */
/* Nanoseconds per packet of the forwarding decision: ECMP, ECMP with DRE meters, Expeditus (EXP-T1).
 *
 *   bench_forward [--rounds N] [--json]
 *
 * The code under measurement is switch_receive of node/switch.h, as the simulator and a live switch call it, on
 * ToR 0.0 of the paper's 12-pod fat-tree: 6 hosts, 6 uplinks, 10 Gbps. It forwards full frames of 65,536 flows from its
 * hosts to other pods, northbound, at 90 % load.
 *
 * For Expeditus the path table is flat, as on a live switch, and warm: every one of its 65,536 entries is taken by one
 * of the flows, each settled by an Exp-request that left and an Exp-response that came back. So each packet finds its
 * path, and the table (1 MiB) is touched at random.
 *
 * What one packet costs here: reading a descriptor (a stream of 4 MiB, as frames come from a NIC), route lookup,
 * balancing, the egress port (backlog, drop decision, departure), and resetting the descriptor. Parsing and I/O are not
 * in it. The row "loop" is the same walk over the descriptors without the switch.
 *
 * A round is one packet of each flow; rows take turns round by round, and each round is preceded by an unmeasured one,
 * so that caches hold what this row left there. Reported: median and best over the rounds.
 */
#include "base/memory.h"
#include "fabric/fabric.h"
#include "node/switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FLOWS 65536u /* as many as the path table has entries */
#define TRIES_MAX (64u * FLOWS)
#define ROUNDS_MAX 1001
#define FRAME_BYTES 1538
#define GAP_PS 228000      /* six uplinks of 10 Gbps at 90 %: 1230.4 ns / 6 / 0.9 */
#define PROBE_GAP_PS 15000 /* the same for minimum frames at 75 %: the table is filled long before entries age */
#define BUFFER_BYTES 225000
#define TTL 64
#define PARAMS_MAX 16

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

_Noreturn static void fail(const char *what) {
    fprintf(stderr, "bench_forward: %s\n", what);
    exit(1);
}

/* ---- building ---- */

static void bench_build_fabric(struct bench *b) {
    struct diag d;
    struct fabric_spec spec = {.kind = &fabric_fat_tree,
                               .k = 12,
                               .host_bps = 10000000000,
                               .uplink_bps = 10000000000,
                               .core_bps = 10000000000,
                               .host_delay = PS_PER_US,
                               .uplink_delay = PS_PER_US,
                               .core_delay = PS_PER_US,
                               .seed = 1};
    b->fabric = fabric_create(&spec, &d);
    if (!b->fabric) fail("the fabric could not be built");
    b->tor = b->fabric->n_hosts; /* switches follow the hosts, ToRs first */
    packet_pool_init(&b->pool);
}

/* ECMP whose uplinks are metered with Expeditus' period and alpha: what DRE alone adds. */
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

/* ---- flows ---- */

static uint64_t row_counter(const struct row *r, const char *name) {
    const struct balancer_ops *ops = r->config.balance;
    for (size_t i = 0; i < ops->n_counters; i++)
        if (strcmp(ops->counters[i].name, name) == 0) return r->sw.counters[i];
    fail("expeditus has no such counter");
}

/* A minimum frame of flow `n`, from a host of this ToR to one of another pod. */
static uint32_t flow_packet(struct bench *b, struct random_stream *draw, uint32_t n) {
    const struct fabric *f = b->fabric;
    uint32_t hosts = f->place[0].first_uplink, pod_hosts = f->n_hosts / f->n_pods;
    uint32_t dst = pod_hosts + (uint32_t)random_below(draw, f->n_hosts - pod_hosts);
    uint32_t index = packet_get(&b->pool);
    *packet_at(&b->pool, index) = (struct packet){.src_ip = fabric_host_ip(f, n % hosts),
                                                  .dst_ip = fabric_host_ip(f, dst),
                                                  .src_port = (uint16_t)random_u32(draw),
                                                  .dst_port = (uint16_t)random_u32(draw),
                                                  .wire_bytes = WIRE_MIN_BYTES,
                                                  .tcp_flags = TCP_ACK,
                                                  .proto = PROTO_TCP,
                                                  .ttl = TTL,
                                                  .path = PATH_NONE,
                                                  .ext = EXT_NONE};
    return index;
}

static uint16_t row_probe(struct row *r, uint32_t packet) {
    struct switch_out out;
    switch_receive(&r->sw, r->now, 0, packet, &out);
    if (out.n != 1 || out.e[0].drop) fail("a frame was not forwarded");
    r->now += PROBE_GAP_PS;
    return out.e[0].port;
}

/* The answer to the request that `request` was comes in by uplink `port`: the flow's path is settled. */
static void row_settle(struct row *r, struct bench *b, uint32_t request, uint16_t port) {
    uint32_t index = packet_get(&b->pool);
    const struct packet *p = packet_at(&b->pool, request);
    struct packet *answer = packet_at(&b->pool, index);
    *answer = *p;
    answer->src_ip = p->dst_ip;
    answer->dst_ip = p->src_ip;
    answer->wire_bytes = WIRE_MIN_BYTES;
    answer->ttl = TTL;
    answer->shape = SHAPE_EXPEDITUS;
    answer->ext = packet_ext_get(&b->pool);
    packet_ext_at(&b->pool, answer->ext)->tag.stage = 1;
    struct switch_out out;
    switch_receive(&r->sw, r->now, port, index, &out);
    if (out.n != 1 || !out.e[0].consumed) fail("an Exp-response was not consumed");
    packet_put(&b->pool, index);
}

/* The frame left with a tag; from now on its descriptor stands for a full frame of data. */
static void packet_make_plain(struct packet_pool *pool, struct packet *p) {
    packet_ext_put(pool, p->ext);
    p->ext = EXT_NONE;
    p->shape = 0;
    p->payload_bytes = 1460;
    p->wire_bytes = FRAME_BYTES;
    p->ttl = TTL;
}

/* Finds flows until each has an entry of the table to itself; every flow's path is settled. */
static void bench_find_flows(struct bench *b) {
    struct row *r = &b->row[ROW_EXPEDITUS];
    struct random_stream draw;
    random_init(&draw, 1, RANDOM_PAIRS, 0);
    b->packet = memory_get(FLOWS, sizeof *b->packet);
    uint32_t n = 0;
    for (uint32_t tried = 0; n < FLOWS; tried++) {
        if (tried == TRIES_MAX) fail("the path table has fewer than 65,536 entries");
        uint32_t index = flow_packet(b, &draw, n);
        uint64_t begun = row_counter(r, "selections_begun");
        uint16_t port = row_probe(r, index);
        if (row_counter(r, "selections_begun") == begun) {
            packet_put(&b->pool, index);
            continue;
        }
        row_settle(r, b, index, port);
        packet_make_plain(&b->pool, packet_at(&b->pool, index));
        b->packet[n++] = index;
    }
}

/* ---- measuring ---- */

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

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
    int64_t begin = now_ns();
    *sink += kind == ROW_LOOP ? round_loop(b) : round_switch(&b->row[kind], b);
    return (double)(now_ns() - begin) / FLOWS;
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

/* Were these the packets that the rows claim to be? */
static void bench_verify(const struct bench *b, uint32_t rounds) {
    const struct row *r = &b->row[ROW_EXPEDITUS];
    if (row_counter(r, "selections_begun") != FLOWS) fail("a flow of the warm table began a selection again");
    if (row_counter(r, "pst_hits") < 2ull * rounds * FLOWS) fail("some packets did not find their path");
    for (int kind = ROW_ECMP; kind < ROW_COUNT; kind++) {
        uint64_t bytes = 0;
        for (uint16_t p = 0; p < b->row[kind].sw.n_ports; p++) {
            if (b->row[kind].extra[p].dropped[DROP_BUFFER]) fail("a port dropped a frame");
            bytes += b->row[kind].port[p].sent_bytes;
        }
        if (bytes < 2ull * rounds * FLOWS * FRAME_BYTES) fail("not every frame was sent");
    }
}

/* ---- reporting ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void row_sort(struct row *r, uint32_t rounds) { qsort(r->ns, rounds, sizeof *r->ns, by_size); }

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

/* The paper measured its Click elements apart: EXPRoute's 473 ns are without DRE's 151. */
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
