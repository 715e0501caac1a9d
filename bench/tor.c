/* SPDX-License-Identifier: Apache-2.0 */
#include "tor.h"

#include "fabric/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRIES_MAX (64u * FLOWS)
#define PROBE_GAP_PS 15000 /* minimum frames at 75 % of six uplinks of 10 Gbps: fills the table before entries age */

_Noreturn void bench_fail(const char *what) {
    fprintf(stderr, "benchmark: %s\n", what);
    exit(1);
}

int64_t bench_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *ns, uint32_t n) { qsort(ns, n, sizeof *ns, by_size); }

struct fabric *tor_fabric(int64_t rate_bps) {
    struct diag d;
    struct fabric_spec spec = {.kind = &fabric_fat_tree,
                               .k = 12,
                               .host_bps = rate_bps,
                               .uplink_bps = rate_bps,
                               .core_bps = rate_bps,
                               .host_delay = PS_PER_US,
                               .uplink_delay = PS_PER_US,
                               .core_delay = PS_PER_US,
                               .seed = 1};
    struct fabric *f = fabric_create(&spec, &d);
    if (!f) bench_fail("the fabric could not be built");
    return f;
}

/* ---- flows ---- */

uint64_t tor_counter(const struct fabric_switch *sw, const char *name) {
    for (size_t i = 0; i < sw->balance->n_counters; i++)
        if (strcmp(sw->balance->counters[i].name, name) == 0) return sw->counters[i];
    bench_fail("the balancer has no such counter");
}

/* Returns a minimum frame of flow `n`, from a host of this ToR to a host of another pod. */
static uint32_t flow_packet(const struct tor *t, struct random_stream *draw, uint32_t n) {
    const struct fabric *f = t->fabric;
    uint32_t hosts = f->place[0].first_uplink, pod_hosts = f->n_hosts / f->n_pods;
    uint32_t dst = pod_hosts + (uint32_t)random_below(draw, f->n_hosts - pod_hosts);
    uint32_t index = packet_get(t->pool);
    *packet_at(t->pool, index) = (struct packet){.src_ip = fabric_host_ip(f, n % hosts),
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

static uint16_t tor_probe(struct tor *t, uint32_t packet) {
    struct switch_out out;
    switch_receive(t->sw, t->now, 0, packet, &out);
    if (out.n != 1 || out.e[0].drop) bench_fail("a frame was not forwarded");
    t->now += PROBE_GAP_PS;
    return out.e[0].port;
}

/* Passes the Exp-response to `request` in by uplink `port`, which settles the flow's path. */
static void tor_settle(struct tor *t, uint32_t request, uint16_t port) {
    uint32_t index = packet_get(t->pool);
    const struct packet *p = packet_at(t->pool, request);
    struct packet *answer = packet_at(t->pool, index);
    *answer = *p;
    answer->src_ip = p->dst_ip;
    answer->dst_ip = p->src_ip;
    answer->wire_bytes = WIRE_MIN_BYTES;
    answer->ttl = TTL;
    answer->shape = SHAPE_EXPEDITUS;
    answer->ext = packet_ext_get_wide(t->pool);
    packet_ext_at(t->pool, answer->ext)->tag.stage = 1;
    struct switch_out out;
    switch_receive(t->sw, t->now, port, index, &out);
    if (out.n != 1 || !out.e[0].consumed) bench_fail("an Exp-response was not consumed");
    packet_put(t->pool, index);
}

/* Removes the tag with which the frame left, and makes its descriptor that of a full frame of data. */
static void packet_make_plain(struct packet_pool *pool, struct packet *p) {
    packet_ext_put(pool, p->ext);
    p->ext = EXT_NONE;
    p->shape = 0;
    p->payload_bytes = 1460;
    p->wire_bytes = FULL_WIRE_BYTES;
    p->ttl = TTL;
}

void tor_find_flows(struct tor *t, uint32_t *packet) {
    struct random_stream draw;
    random_init(&draw, 1, RANDOM_PAIRS, 0);
    uint32_t n = 0;
    for (uint32_t tried = 0; n < FLOWS; tried++) {
        if (tried == TRIES_MAX) bench_fail("the path table has fewer than 65,536 entries");
        uint32_t index = flow_packet(t, &draw, n);
        uint64_t begun = tor_counter(t->sw, "selections_begun");
        uint16_t port = tor_probe(t, index);
        if (tor_counter(t->sw, "selections_begun") == begun) {
            packet_put(t->pool, index);
            continue;
        }
        tor_settle(t, index, port);
        packet_make_plain(t->pool, packet_at(t->pool, index));
        packet[n++] = index;
    }
}
