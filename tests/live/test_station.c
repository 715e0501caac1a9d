/* SPDX-License-Identifier: Apache-2.0 */
/* The links of a station, by its own clock: a star of two hosts, both outside. tests/parity/test_station.c compares whole fabrics
 * with the simulator. */
#include "live/station.h"

#include "base/tie.h"
#include "live/replaying.h"

#include <string.h>

#define BPS 1000000000LL
#define DELAY (3 * US)
#define PAYLOAD 1000
#define FRAME_BYTES (PAYLOAD + 42)                           /* Ethernet without FCS, IPv4, UDP */
#define FRAME_PS ((FRAME_BYTES + 24) * 8 * (PS_PER_S / BPS)) /* FCS, preamble and gap too */

struct stand {
    struct fabric *fabric;
    int64_t params[24];
    struct switch_config config;
    struct station *station;
    uint16_t came[8]; /* ports at which frames arrived at the switch, in their order */
    time_ps at[8];
    uint32_t n_came, n_left;
};

static void see(void *to, uint32_t place, const struct outlet_frame *f) {
    struct stand *x = to;
    assert_int_equal(place, 0);
    assert_int_equal(f->original, FRAME_BYTES);
    if (f->direction == CAPTURE_OUTBOUND) x->n_left++;
    if (f->direction == CAPTURE_OUTBOUND || x->n_came == 8) return;
    x->came[x->n_came] = f->port;
    x->at[x->n_came++] = f->at;
}

static struct stand *stand_new(uint64_t seed, bool paces_hosts) {
    struct stand *x = calloc(1, sizeof *x);
    struct fabric_spec spec = spec_star(2);
    struct diag d = {0};
    spec.host_bps = BPS;
    spec.host_delay = DELAY;
    x->fabric = made(spec);
    const struct balancer_ops *ops = balancer_find("ecmp");
    for (size_t i = 0; i < ops->n_params; i++) x->params[i] = ops->params[i].def;
    x->config =
        (struct switch_config){.buffer_bytes = 4000000, .port.classes = 1, .balance = ops, .balance_params = x->params};
    x->station = station_create(&(struct station_setup){.fabric = x->fabric,
                                                        .config = &x->config,
                                                        .seed = seed,
                                                        .node = &x->fabric->n_hosts,
                                                        .n = 1,
                                                        .paces_hosts = paces_hosts,
                                                        .tap = {x, see}},
                                &d);
    if (!x->station) fail_msg("%s", d.text);
    return x;
}

static void stand_end(struct stand *x) {
    station_destroy(x->station);
    fabric_destroy(x->fabric);
    free(x);
}

/* Hands over a datagram from one host to the other. */
static void send(struct stand *x, uint32_t from, time_ps at) {
    uint8_t frame[2048], *cell;
    struct packet p = blank_packet(PROTO_UDP);
    p.src_ip = fabric_host_ip(x->fabric, from);
    p.dst_ip = fabric_host_ip(x->fabric, 1 - from);
    p.payload_bytes = PAYLOAD;
    size_t n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    assert_int_equal(n, FRAME_BYTES);
    uint32_t index = frames_take(station_frames(x->station), n, &cell);
    memcpy(cell, frame, n);
    station_arrive(x->station, 0, (uint16_t)from, at, index, n, n);
}

static uint32_t held(const struct stand *x) { return station_frames(x->station)->pool.in_use; }
static const struct forwarder *leaf(const struct stand *x) { return station_switch(x->station, 0); }

/* Returns when the next frame arrives at a host, and removes it. */
static time_ps arrival(struct stand *x, uint16_t host) {
    time_ps at = station_next_departure(x->station, 0, host);
    struct port_bytes out;
    assert_int_equal(station_departing_burst(x->station, 0, host, at - 1, &out, 1), 0);
    assert_null(station_departing(x->station, 0, host, at - 1));
    assert_int_equal(station_departing_burst(x->station, 0, host, at, &out, 1), 1);
    assert_non_null(station_departing(x->station, 0, host, at));
    assert_int_equal(out.bytes, FRAME_BYTES);
    station_departed(x->station, 0, host);
    return at;
}

/* ---- time ---- */

/* A frame crosses the switch at once, then the link at its rate. */
static void frame__takes_the_time_of_its_link(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    assert_int_equal(station_next(x->station), TIME_NONE);
    send(x, 0, 10 * US);
    send(x, 0, 10 * US);
    assert_int_equal(station_next(x->station), 10 * US);
    station_until(x->station, 10 * US - 1);
    assert_int_equal(x->n_came, 0);
    station_until(x->station, 10 * US);
    assert_int_equal(x->n_came, 2);
    assert_int_equal(arrival(x, 1), 10 * US + FRAME_PS + DELAY);
    assert_int_equal(arrival(x, 1), 10 * US + 2 * FRAME_PS + DELAY);
    assert_int_equal(station_next_departure(x->station, 0, 1), TIME_NONE);
    assert_int_equal(held(x), 0);
    assert_int_equal(x->n_left, 2);
    stand_end(x);
}

/* Frames of one time arrive in the order that the simulator gives them under that seed. */
static void ties__follow_the_seed(void **state) {
    (void)state;
    uint32_t firsts[2] = {0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stand *x = stand_new(seed, false);
        uint32_t first_port = x->fabric->paths.first_port[x->fabric->n_hosts], rank[2];
        for (uint32_t p = 0; p < 2; p++) rank[p] = tie_rank(tie_key(seed), 5 * US, first_port + p);
        send(x, 1, 5 * US);
        send(x, 0, 5 * US);
        station_until(x->station, 5 * US);
        assert_int_equal(x->n_came, 2);
        assert_int_equal(x->came[0], rank[1] < rank[0]);
        assert_int_equal(x->came[1], !x->came[0]);
        firsts[x->came[0]]++;
        stand_end(x);
    }
    assert_true(firsts[0] > 2 && firsts[1] > 2);
}

/* ---- hosts that do not keep the rate ---- */

/* Each frame arrives as if a NIC had sent it: after the one before it, and after the delay of the link. */
static void paced__hosts(void **state) {
    (void)state;
    struct stand *x = stand_new(1, true);
    send(x, 0, 0);
    send(x, 0, 0);
    send(x, 1, 0); /* another NIC */
    send(x, 0, 100 * US);
    station_until(x->station, 200 * US);
    assert_int_equal(x->n_came, 4);
    static const time_ps expected[] = {FRAME_PS + DELAY, FRAME_PS + DELAY, 2 * FRAME_PS + DELAY,
                                       100 * US + FRAME_PS + DELAY};
    for (int i = 0; i < 4; i++) assert_int_equal(x->at[i], expected[i]);
    stand_end(x);
}

/* The queue of a NIC holds a thousand full frames; the frame beyond them is not taken. */
static void paced__a_queue_that_is_full(void **state) {
    (void)state;
    struct stand *x = stand_new(1, true);
    uint32_t most = (uint32_t)(1000 * 1538LL * 8 * (PS_PER_S / BPS) / FRAME_PS) + 1; /* the last one begins within */
    for (uint32_t i = 0; i < most; i++) send(x, 0, 0);
    assert_int_equal(leaf(x)->count.not_taken, 0);
    send(x, 0, 0);
    assert_int_equal(leaf(x)->count.not_taken, 1);
    assert_int_equal(held(x), most);
    send(x, 0, 2 * FRAME_PS); /* there is room again */
    assert_int_equal(leaf(x)->count.not_taken, 1);
    stand_end(x);
}

/* ---- impaired links ---- */

#define ALWAYS 1000000000

static void impaired__loss(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    station_impair(x->station, x->fabric->n_hosts, 1, &(struct impairment){.loss_ppb = ALWAYS});
    assert_null(station_impaired(x->station, 0, 0, false));
    send(x, 0, 0); /* lost behind the port that it leaves by */
    send(x, 1, 0); /* lost before it arrives */
    station_until(x->station, 50 * US);
    assert_int_equal(station_impaired(x->station, 0, 1, false)->lost, 1);
    assert_int_equal(station_impaired(x->station, 0, 1, true)->lost, 1);
    assert_int_equal(x->n_came, 1);
    assert_int_equal(x->n_left, 1);
    assert_int_equal(held(x), 0);
    assert_int_equal(station_next_departure(x->station, 0, 1), TIME_NONE);
    station_impair(x->station, x->fabric->n_hosts, 1, &(struct impairment){0}); /* as before */
    send(x, 0, 60 * US);
    station_until(x->station, 60 * US);
    assert_int_equal(arrival(x, 1), 60 * US + FRAME_PS + DELAY);
    assert_int_equal(station_impaired(x->station, 0, 1, false)->lost, 1);
    station_impair(x->station, 0, 0, &(struct impairment){.loss_ppb = ALWAYS}); /* a host, which is not here */
    assert_null(station_impaired(x->station, 0, 0, false));
    stand_end(x);
}

/* Both copies are frames of their own, with the same bytes. */
static void impaired__duplicates(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    struct port_bytes out[3];
    station_impair(x->station, x->fabric->n_hosts, 1, &(struct impairment){.duplicate_ppb = ALWAYS});
    send(x, 0, 0);
    station_until(x->station, 0);
    assert_int_equal(held(x), 2);
    assert_int_equal(station_departing_burst(x->station, 0, 1, 50 * US, out, 1), 1);
    assert_int_equal(station_departing_burst(x->station, 0, 1, 50 * US, out, 3), 2);
    assert_ptr_not_equal(out[0].at, out[1].at);
    assert_memory_equal(out[0].at, out[1].at, FRAME_BYTES);
    for (int i = 0; i < 2; i++) assert_int_equal(arrival(x, 1), FRAME_PS + DELAY);
    assert_int_equal(station_impaired(x->station, 0, 1, false)->duplicated, 1);
    assert_int_equal(held(x), 0);
    stand_end(x);
}

static void impaired__delay_and_order(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    station_impair(x->station, x->fabric->n_hosts, 1, &(struct impairment){.delay = 7 * US});
    send(x, 0, 0);
    station_until(x->station, 0);
    assert_int_equal(arrival(x, 1), FRAME_PS + DELAY + 7 * US);
    station_impair(x->station, x->fabric->n_hosts, 1, &(struct impairment){.reorder_ppb = ALWAYS});
    send(x, 0, MS);
    station_until(x->station, MS);
    assert_int_equal(arrival(x, 1), MS + FRAME_PS + DELAY + IMPAIR_LATE);
    assert_int_equal(station_impaired(x->station, 0, 1, false)->reordered, 1);
    stand_end(x);
}

static void impaired__corruption(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    station_impair(x->station, x->fabric->n_hosts, 0, &(struct impairment){.corrupt_ppb = ALWAYS});
    for (int i = 0; i < 20; i++) send(x, 0, i * 20 * US);
    assert_int_equal(station_impaired(x->station, 0, 0, true)->corrupted, 20);
    assert_int_equal(station_impaired(x->station, 0, 0, true)->lost, 0);
    assert_int_equal(held(x), 20);
    stand_end(x);
}

/* ---- a link that fails ---- */

static void event(struct stand *x, time_ps at, uint16_t port, bool up) {
    station_event(x->station, &(struct fabric_event){.at = at,
                                                     .node = x->fabric->n_hosts,
                                                     .port = port,
                                                     .kind = up ? EVENT_LINK_UP : EVENT_LINK_DOWN});
}

/* What has not arrived by then is lost in both directions; so is what a host sends until the link is back. */
static void link_down__loses_what_is_on_it(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    for (int i = 0; i < 3; i++) send(x, 0, 0);
    station_until(x->station, 0);
    send(x, 1, 40 * US); /* still on its way to the switch when the link fails */
    assert_int_equal(leaf(x)->count.left, 3);
    event(x, DELAY + 2 * FRAME_PS, 1, false); /* when the second frame has arrived */
    assert_int_equal(leaf(x)->count.left, 2);
    assert_int_equal(leaf(x)->count.dropped[DROP_LINK_DOWN], 1);
    assert_int_equal(leaf(x)->extra[1].dropped[DROP_LINK_DOWN], 1);
    assert_int_equal(station_lost_outside(x->station, 0, 1), 1);
    assert_int_equal(arrival(x, 1), DELAY + FRAME_PS);
    assert_int_equal(arrival(x, 1), DELAY + 2 * FRAME_PS);
    assert_int_equal(held(x), 0);
    send(x, 1, 50 * US);
    assert_int_equal(station_lost_outside(x->station, 0, 1), 2);
    assert_int_equal(station_lost_outside(x->station, 0, 0), 0);
    assert_int_equal(held(x), 0);
    event(x, 60 * US, 1, true);
    send(x, 1, 60 * US);
    station_until(x->station, 60 * US);
    assert_int_equal(arrival(x, 0), 60 * US + FRAME_PS + DELAY);
    stand_end(x);
}

/* A duplicate never left the port, so it is not counted as lost with the link. */
static void link_down__does_not_count_duplicates(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    station_impair(x->station, x->fabric->n_hosts, 1, &(struct impairment){.duplicate_ppb = ALWAYS});
    send(x, 0, 0);
    station_until(x->station, 0);
    event(x, 1, 1, false);
    assert_int_equal(leaf(x)->count.dropped[DROP_LINK_DOWN], 1);
    assert_int_equal(leaf(x)->count.left, 0);
    assert_int_equal(station_impaired(x->station, 0, 1, false)->duplicated, 0);
    assert_int_equal(held(x), 0);
    stand_end(x);
}

static void create__of_a_host_is_refused(void **state) {
    (void)state;
    struct stand *x = stand_new(1, false);
    struct diag d = {0};
    assert_int_equal(station_find(x->station, x->fabric->n_hosts), 0);
    assert_int_equal(station_node(x->station, 0), x->fabric->n_hosts);
    assert_int_equal(station_find(x->station, 0), UINT32_MAX);
    assert_null(station_create(
        &(struct station_setup){.fabric = x->fabric, .config = &x->config, .node = (const uint32_t[]){1}, .n = 1}, &d));
    assert_string_equal(d.text, "host0.1 is a host; name a switch");
    stand_end(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(frame__takes_the_time_of_its_link),
        UNIT(ties__follow_the_seed),
        UNIT(paced__hosts),
        UNIT(paced__a_queue_that_is_full),
        UNIT(impaired__loss),
        UNIT(impaired__duplicates),
        UNIT(impaired__delay_and_order),
        UNIT(impaired__corruption),
        UNIT(link_down__loses_what_is_on_it),
        UNIT(link_down__does_not_count_duplicates),
        UNIT(create__of_a_host_is_refused),
    };
    return RUN_UNITS(tests);
}
