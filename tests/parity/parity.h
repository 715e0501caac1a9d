/* SPDX-License-Identifier: Apache-2.0 */
/* The drivers of one switch, compared: what a simulation recorded at switches, what a replay of it sends, and what a
 * station with all switches sends when it gets what the simulated hosts sent.
 *
 *     struct lab *l = ...;                              a world of tests/sim/fixture.h
 *     struct parity p = parity_check(l, names, n);      runs it, replays each of these switches, compares
 *
 * Every frame must leave by the same port at the same time with the same bytes, in the same order. `p` tells what was
 * compared, so that a test can insist that it saw what it is about. Replays use directly indexed path tables, the
 * simulation does not.
 */
#ifndef HEDDLE_TESTS_PARITY_H
#define HEDDLE_TESTS_PARITY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/replay.h"
#include "live/station.h"
#include "parity/records.h"
#include "sim/fixture.h"
#include "wire/credit_header.h"

#define PARITY_PORTS 64

/* The frames that all switches sent together. */
struct parity {
    uint64_t frames, requests, responses, created, conga, sack, stamps, tagged_stamps, marked, syn;
    uint64_t credits, credits_marked, credits_void, pinned; /* pinned: credits and data that carry their choices */
    uint64_t pauses, core_reports;
    uint64_t sizes_told; /* requests of credits that tell the flow's size */
    uint64_t delivered;  /* frames to hosts when one station drives all switches */
    uint64_t dropped[DROP_COUNT];
};

static inline void parity_count(struct parity *p, const struct record *r) {
    struct packet parsed;
    struct packet_ext ext;
    struct frame_info info;
    assert_int_equal(frame_parse(r->bytes, r->captured, r->original, &parsed, &ext, &info), FRAME_OK);
    p->frames++;
    p->pauses += (parsed.shape & SHAPE_PAUSE) != 0;
    p->conga += (parsed.shape & SHAPE_CONGA) != 0;
    p->core_reports += (parsed.shape & SHAPE_CORE_LOADS) != 0;
    p->sack += (parsed.shape & SHAPE_SACK) != 0;
    p->stamps += (parsed.shape & SHAPE_STAMP) != 0;
    p->tagged_stamps += (parsed.shape & SHAPE_STAMP) && (parsed.shape & SHAPE_EXPEDITUS);
    p->marked += (parsed.tos & ECN_MASK) == ECN_CE;
    p->syn += parsed.tcp_flags & TCP_SYN && parsed.proto == PROTO_TCP;
    p->credits += (parsed.shape & SHAPE_CREDIT) != 0;
    p->credits_marked += (parsed.shape & SHAPE_CREDIT) && (parsed.tos & ECN_MASK) == ECN_CE;
    p->credits_void += (parsed.shape & SHAPE_CREDIT) && parsed.tcp_flags & CREDIT_VOID;
    p->pinned += parsed.proto == PROTO_CREDIT && parsed.path != PATH_NONE;
    p->sizes_told += parsed.proto == PROTO_CREDIT && credit_kind(&parsed) == CREDIT_REQUEST && parsed.ack > 0;
    if (!(parsed.shape & SHAPE_EXPEDITUS)) return;
    p->requests += ext.tag.stage == 0;
    p->responses += ext.tag.stage == 1;
}

/* Asserts that a link sends one frame at a time: the last bit leaves no earlier than a serialization after that of the
 * frame before. Rates only fall in these tests, so the nominal rate is a bound. */
static inline void parity_departures(const struct fabric *f, uint32_t n, const struct records *all) {
    time_ps busy_until[PARITY_PORTS] = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct record *r = &all->record[i];
        uint16_t port = fabric_port_find(f, n, r->if_name);
        assert_true(port < PARITY_PORTS);
        int64_t rate = f->paths.port[f->paths.first_port[n] + port].rate_bps;
        span_ps s = ((int64_t)r->original + FRAME_UNSEEN_BYTES) * 8 * PS_PER_S / rate;
        if (busy_until[port] > r->at - s)
            fail_msg("%s: frame %zu leaves for %s at %lld ps, while the one before it is on the wire", all->path, i,
                     r->if_name, (long long)r->at);
        busy_until[port] = r->at;
    }
}

static inline struct replay_report parity_replay(const struct lab *l, uint32_t n, const char *in, const char *out) {
    struct inlet_source source = {.port = "all", .path = in};
    struct replay_config c = {.fabric = l->fabric,
                              .switches = l->config.switches,
                              .seed = l->config.seed,
                              .node = n,
                              .in = &source,
                              .n_in = 1,
                              .out_dir = out,
                              .snap_bytes = l->config.measure.snap_bytes ? l->config.measure.snap_bytes : 128};
    struct replay_report r;
    struct diag d = {0};
    if (replay_run(&c, &r, &d) != REPLAY_DONE) fail_msg("replay of %s: %s", in, d.text);
    return r;
}

/* Asserts conservation: the frames received or made equal the frames that left, were consumed or were dropped. */
static inline void parity_conserves(const struct replay_report *r) {
    uint64_t ends = r->count.left + r->count.consumed;
    for (int i = 0; i < DROP_COUNT; i++) ends += r->count.dropped[i];
    assert_int_equal(r->count.refused[FRAME_OK], r->count.received);
    assert_int_equal(r->count.received + r->created, ends);
}

static inline void parity_switch(struct parity *p, const struct lab *l, const char *name, const char *dir) {
    char in[256], out[256];
    uint32_t n = node(l->fabric, name);
    snprintf(out, sizeof out, "%s/replayed", dir);
    snprintf(in, sizeof in, "%s/%s.pcapng", dir, name);
    struct replay_report r = parity_replay(l, n, in, out);
    struct records simulated = records_read(in, CAPTURE_OUTBOUND), replayed = records_read(r.path, CAPTURE_OUTBOUND);
    records_assert_same(&simulated, &replayed);
    parity_departures(l->fabric, n, &simulated);
    parity_conserves(&r);
    assert_int_equal(r.count.left + r.count.dropped[DROP_LOSS], replayed.n);
    for (size_t i = 0; i < simulated.n; i++) parity_count(p, &simulated.record[i]);
    for (int i = 0; i < DROP_COUNT; i++) p->dropped[i] += r.count.dropped[i];
    p->created += r.created;
    records_free(&simulated);
    records_free(&replayed);
    assert_int_equal(unlink(r.path), 0);
    assert_int_equal(unlink(in), 0);
    assert_int_equal(rmdir(out), 0);
}

/* ---- all switches at once ---- */

static inline bool parity_is_host_port(const struct fabric *f, uint32_t n, uint16_t port) {
    return f->paths.port[f->paths.first_port[n] + port].neighbour < f->n_hosts;
}

/* Feeds the frames that hosts sent in the simulation to the edges of the station. */
static inline void parity_feed(struct station *s, const struct fabric *f, uint32_t place, uint32_t n, const char *in) {
    struct records all = records_read(in, CAPTURE_INBOUND);
    for (size_t i = 0; i < all.n; i++) {
        const struct record *r = &all.record[i];
        uint16_t port = fabric_port_find(f, n, r->if_name);
        uint8_t *at;
        if (!parity_is_host_port(f, n, port)) continue;
        uint32_t index = frames_take(station_frames(s), r->captured, &at);
        memcpy(at, r->bytes, r->captured);
        station_arrive(s, place, port, r->at, index, r->captured, r->original);
    }
    records_free(&all);
}

/* Compares the frames that leave towards hosts with those of the simulation. A line stamps a frame at its arrival, a
 * capture at its departure. Returns the number of frames. */
static inline size_t parity_reap(struct station *s, const struct fabric *f, uint32_t place, uint32_t n, const char *in,
                                 time_ps ended) {
    struct records all = records_read(in, CAPTURE_OUTBOUND);
    size_t frames = 0;
    for (size_t i = 0; i < all.n; i++) {
        const struct record *r = &all.record[i];
        uint16_t port = fabric_port_find(f, n, r->if_name);
        if (!parity_is_host_port(f, n, port)) continue;
        const struct line_frame *x = station_departing(s, place, port, TIME_NONE - 1);
        span_ps delay = f->paths.port[f->paths.first_port[n] + port].delay;
        uint32_t common = x && x->captured < r->captured ? x->captured : r->captured;
        if (!x || x->at != r->at + delay || x->length != r->original || memcmp(x->bytes, r->bytes, common) != 0) {
            record_print(in, r);
            fail_msg("frame %zu is the first that the station sends otherwise: %lld ps, %u bytes", i,
                     x ? (long long)(x->at - delay) : -1, x ? x->length : 0);
        }
        station_departed(s, place, port);
        frames++;
    }
    for (uint16_t port = 0; port < f->paths.first_port[n + 1] - f->paths.first_port[n]; port++) {
        const struct line_frame *x;
        for (; (x = station_departing(s, place, port, TIME_NONE - 1)); station_departed(s, place, port))
            assert_true(x->at > ended); /* in flight when the simulation ended */
    }
    records_free(&all);
    return frames;
}

/* Runs the whole fabric in one station on the frames that hosts sent: hosts must get the same frames at the same
 * times. */
static inline void parity_station(struct parity *p, const struct lab *l, const uint32_t *nodes, uint32_t n,
                                  const char *dir) {
    struct station_setup setup = {
        .fabric = l->fabric, .config = &l->config.switches, .seed = l->config.seed, .node = nodes, .n = n};
    struct diag d = {0};
    struct station *s = station_create(&setup, &d);
    char path[256], name[64];
    if (!s) fail_msg("%s", d.text);
    for (int reap = 0; reap < 2; reap++) {
        for (uint32_t i = 0; i < n; i++) {
            snprintf(path, sizeof path, "%s/%s.pcapng", dir, fabric_node_name(l->fabric, nodes[i], name, sizeof name));
            if (reap)
                p->delivered += parity_reap(s, l->fabric, i, nodes[i], path, l->r.engine.sim_ps);
            else
                parity_feed(s, l->fabric, i, nodes[i], path);
        }
        station_until(s, TIME_NONE);
    }
    assert_int_equal(station_frames(s)->pool.in_use, 0);
    station_destroy(s);
}

/* ---- the check ---- */

static inline struct parity parity_check(struct lab *l, const char *const *names, uint32_t n) {
    char dir[] = "parity-XXXXXX", path[256], name[64];
    struct parity p = {0};
    assert_non_null(mkdtemp(dir));
    lab_fabric(l);
    uint32_t n_switches = l->fabric->n_switches, *nodes = calloc(n_switches, sizeof *nodes);
    for (uint32_t i = 0; i < n_switches; i++) nodes[i] = l->fabric->n_hosts + i;
    l->config.measure.pcap_node = nodes;
    l->config.measure.n_pcap = n_switches;
    l->config.measure.pcap_dir = dir;
    lab_run_done(l);
    parity_station(&p, l, nodes, n_switches, dir);
    assert_true(p.delivered > 1000);
    for (uint32_t i = 0; i < n; i++) parity_switch(&p, l, names[i], dir);
    for (uint32_t i = 0; i < n_switches; i++) {
        snprintf(path, sizeof path, "%s/%s.pcapng", dir, fabric_node_name(l->fabric, nodes[i], name, sizeof name));
        unlink(path); /* belongs to a switch that is not replayed */
    }
    free(nodes);
    assert_int_equal(rmdir(dir), 0);
    return p;
}

#endif
