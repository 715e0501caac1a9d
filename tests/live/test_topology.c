/* SPDX-License-Identifier: Apache-2.0 */
/* Links of a live fabric that fail and come back: which frames are lost, when other switches know it, and that no state
 * remains. Two pods of two ToRs, two aggs and two hosts a ToR, two cores a plane. */
#include "live/topology.h"
#include "mech/crossbar/crossbars.h"

#include "live/replaying.h"

#include <string.h>
#include <unistd.h>

#define DETECT (10 * PS_PER_MS)

struct fixture {
    struct topology *topology;
    const struct fabric *fabric;
    struct station *station;
    uint32_t n_switches;
    time_ps now;
};

static struct fixture fixture_of(const char *balance, struct fabric_spec spec, bool paces_hosts, bool crossbars) {
    struct fixture x = {.now = PS_PER_S};
    static int64_t params[24];
    static struct switch_config config;
    static uint32_t node[64];
    struct diag d = {0};
    const struct balancer_ops *ops = balancer_find(balance);
    for (size_t i = 0; i < ops->n_params; i++) params[i] = ops->params[i].def;
    config =
        (struct switch_config){.buffer_bytes = 4000000, .port.classes = 1, .balance = ops, .balance_params = params};
    if (crossbars)
        config.cioq = (struct crossbar_config){
            .ops = &crossbar_islip, .iterations = 4, .speedup = 4, .ingress_bytes = 4000000, .drops = true};
    x.topology = topology_create(&spec, DETECT, &d);
    if (!x.topology) fail_msg("%s", d.text);
    x.fabric = topology_fabric(x.topology);
    x.n_switches = x.fabric->n_switches;
    for (uint32_t i = 0; i < x.n_switches; i++) node[i] = x.fabric->n_hosts + i;
    struct station_setup setup = {
        .fabric = x.fabric, .config = &config, .seed = 1, .node = node, .n = x.n_switches, .paces_hosts = paces_hosts};
    x.station = station_create(&setup, &d);
    if (!x.station) fail_msg("%s", d.text);
    return x;
}

static struct fixture fixture_new(const char *balance, struct fabric_spec spec) {
    return fixture_of(balance, spec, false, false);
}

static uint64_t dropped(const struct fixture *x, enum drop_cause cause) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < x->n_switches; i++) n += station_switch(x->station, i)->count.dropped[cause];
    return n;
}

static void fixture_end(struct fixture *x) {
    for (uint32_t i = 0; i < x->n_switches; i++) {
        const struct forwarder *f = station_switch(x->station, i);
        uint64_t ended = f->count.left + f->count.consumed;
        for (int k = 0; k < DROP_COUNT; k++) ended += f->count.dropped[k];
        assert_int_equal(f->count.refused[FRAME_OK] + forwarder_created(f), ended);
        uint64_t at_ports = 0; /* a port counts what its link lost, too */
        for (uint16_t p = 0; p < f->sw.n_ports; p++)
            at_ports += port_dropped(&f->port[p], &f->extra[p], DROP_LINK_DOWN);
        assert_int_equal(at_ports, f->count.dropped[DROP_LINK_DOWN]);
    }
    assert_int_equal(station_frames(x->station)->pool.in_use, 0);
    station_destroy(x->station);
    topology_destroy(x->topology);
}

static void until(struct fixture *x, time_ps now) {
    x->now = now;
    topology_until(x->topology, x->station, now);
    station_until(x->station, now);
}

/* Sends one datagram of each of `n` flows between two hosts. */
static void send_flows(struct fixture *x, uint32_t from, uint32_t to, uint32_t n) {
    const struct place_port *link = &x->fabric->paths.port[x->fabric->paths.first_port[from]];
    for (uint32_t k = 0; k < n; k++) {
        uint8_t *at;
        struct packet p = blank_packet(PROTO_UDP);
        p.src_ip = fabric_host_ip(x->fabric, from);
        p.dst_ip = fabric_host_ip(x->fabric, to);
        p.src_port = (uint16_t)(1000 + k);
        p.payload_bytes = 100;
        uint32_t index = frames_take(station_frames(x->station), 2048, &at);
        size_t bytes = frame_build(&p, NULL, mac_a, mac_b, at, 2048);
        station_arrive(x->station, station_find(x->station, link->neighbour), x->fabric->paths.port[link->peer].port,
                       x->now, index, bytes, bytes);
    }
}

/* Returns the number of frames that reached a host since the last call. */
static uint32_t received(struct fixture *x, uint32_t host) {
    const struct place_port *link = &x->fabric->paths.port[x->fabric->paths.first_port[host]];
    uint32_t place = station_find(x->station, link->neighbour), n = 0;
    uint16_t port = x->fabric->paths.port[link->peer].port;
    for (; station_departing(x->station, place, port, x->now); n++) station_departed(x->station, place, port);
    return n;
}

static void set_link(struct fixture *x, const char *a, const char *b, bool up) {
    uint32_t n = node(x->fabric, a);
    topology_link(x->topology, x->station, x->now, n, fabric_port_find(x->fabric, n, b), up);
}

/* Until the failure is detected, flows that hash to the dead link are lost; then all take the other link. */
static void link__is_avoided_when_its_failure_is_known(void **state) {
    (void)state;
    struct fixture x = fixture_new("ecmp", spec_leaf_spine(2, 2, 2));
    send_flows(&x, 0, 3, 100);
    until(&x, x.now + PS_PER_MS);
    assert_int_equal(received(&x, 3), 100);
    set_link(&x, "leaf0", "spine0", false);
    send_flows(&x, 0, 3, 100);
    until(&x, x.now + PS_PER_MS);
    uint32_t got = received(&x, 3);
    assert_true(got > 20 && got < 80);
    assert_int_equal(dropped(&x, DROP_LINK_DOWN), 100 - got);
    until(&x, x.now + DETECT);
    send_flows(&x, 0, 3, 100);
    until(&x, x.now + PS_PER_MS);
    assert_int_equal(received(&x, 3), 100);
    set_link(&x, "leaf0", "spine0", true);
    until(&x, x.now + DETECT);
    send_flows(&x, 0, 3, 100);
    until(&x, x.now + PS_PER_MS);
    assert_int_equal(received(&x, 3), 100);
    uint32_t spine0 = station_find(x.station, node(x.fabric, "spine0"));
    assert_int_equal(station_switch(x.station, spine0)->count.received, (100 - got) * 2); /* before and after */
    fixture_end(&x);
}

/* Frames in the queue of a link when it fails are lost and counted. */
static void link__loses_what_is_on_it(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 1, 2);
    spec.uplink_bps = 10000000; /* a frame of 166 bytes takes 133 us */
    struct fixture x = fixture_new("ecmp", spec);
    send_flows(&x, 0, 3, 20);
    until(&x, x.now + PS_PER_MS);
    set_link(&x, "spine0", "leaf0", false); /* either end may come first */
    until(&x, x.now + PS_PER_S);
    uint32_t got = received(&x, 3);
    assert_true(got >= 6 && got <= 8);
    assert_int_equal(dropped(&x, DROP_LINK_DOWN), 20 - got);
    send_flows(&x, 0, 3, 5); /* the only path */
    until(&x, x.now + PS_PER_S);
    assert_int_equal(dropped(&x, DROP_NO_ROUTE), 5);
    set_link(&x, "spine0", "leaf0", true);
    until(&x, x.now + DETECT);
    send_flows(&x, 0, 3, 5);
    until(&x, x.now + PS_PER_S);
    assert_int_equal(received(&x, 3), 5);
    fixture_end(&x);
}

/* An impaired link duplicates a frame behind the switch, so frame and copy count as one lost frame when the link
 * fails. */
static void link__loses_copies_with_their_frames(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 1, 2);
    spec.uplink_bps = 10000000;
    struct fixture x = fixture_new("ecmp", spec);
    uint32_t leaf0 = node(x.fabric, "leaf0"), place = station_find(x.station, leaf0);
    uint16_t port = fabric_port_find(x.fabric, leaf0, "spine0");
    const struct forwarder_counts *leaf = &station_switch(x.station, place)->count;
    station_impair(x.station, leaf0, port, &(struct impairment){.duplicate_ppb = PPB});
    send_flows(&x, 0, 3, 20);
    until(&x, x.now + PS_PER_MS);
    set_link(&x, "leaf0", "spine0", false);
    until(&x, x.now + PS_PER_S);
    assert_in_range(leaf->left, 6, 8);
    assert_int_equal(leaf->dropped[DROP_LINK_DOWN], 20 - leaf->left);
    assert_int_equal(station_impaired(x.station, place, port, false)->duplicated, leaf->left);
    assert_int_equal(received(&x, 3), 2 * leaf->left);
    fixture_end(&x);
}

/* A host knows nothing of its link, so the switch does not hear what it sends while the link is down. */
static void link__of_a_host_is_cut_both_ways(void **state) {
    (void)state;
    struct fixture x = fixture_new("ecmp", spec_leaf_spine(2, 1, 2));
    uint32_t leaf0 = node(x.fabric, "leaf0"), place = station_find(x.station, leaf0);
    uint16_t port = fabric_port_find(x.fabric, leaf0, "host0.0");
    for (int i = 1; i <= 3; i++) {
        set_link(&x, "leaf0", "host0.0", false);
        send_flows(&x, 0, 3, 7);
        send_flows(&x, 1, 3, 5);
        send_flows(&x, 3, 0, 2);
        until(&x, x.now + PS_PER_MS);
        assert_int_equal(received(&x, 3), 5);
        assert_int_equal(received(&x, 0), 0);
        assert_int_equal(station_lost_outside(x.station, place, port), 7 * i);
        assert_int_equal(dropped(&x, DROP_LINK_DOWN), 2 * i);
        set_link(&x, "leaf0", "host0.0", true);
        send_flows(&x, 0, 3, 7);
        send_flows(&x, 3, 0, 2);
        until(&x, x.now + PS_PER_MS);
        assert_int_equal(received(&x, 3), 7);
        assert_int_equal(received(&x, 0), 2);
    }
    assert_int_equal(station_switch(x.station, place)->count.received, 3 * (5 + 2 + 7 + 2));
    fixture_end(&x);
}

/* What a host's NIC has not sent when the link fails is lost too; a copy that an impaired link made counts with its frame. */
static void link__of_a_host_loses_what_is_on_it(void **state) {
    (void)state;
    for (int copies = 0; copies < 2; copies++) {
        struct fabric_spec spec = spec_leaf_spine(2, 1, 2);
        spec.host_bps = 10000000; /* a frame of 166 bytes takes 133 us */
        struct fixture x = fixture_of("ecmp", spec, true, false);
        uint32_t leaf0 = node(x.fabric, "leaf0"), place = station_find(x.station, leaf0);
        uint16_t port = fabric_port_find(x.fabric, leaf0, "host0.0");
        if (copies) station_impair(x.station, leaf0, port, &(struct impairment){.duplicate_ppb = PPB});
        send_flows(&x, 0, 3, 20);
        until(&x, x.now + PS_PER_MS);
        set_link(&x, "leaf0", "host0.0", false);
        until(&x, x.now + PS_PER_S);
        uint64_t lost = station_lost_outside(x.station, place, port);
        assert_in_range(lost, 12, 14);
        assert_int_equal(station_switch(x.station, place)->count.received, (20 - lost) * (copies ? 2 : 1));
        if (copies) assert_int_equal(station_impaired(x.station, place, port, true)->duplicated, 20 - lost);
        assert_int_equal(received(&x, 3), station_switch(x.station, place)->count.received);
        fixture_end(&x);
    }
}

/* A loop that comes late restores a link whose port had frames to send in the meantime. They leave then, and time goes on:
 * with a crossbar too, whose next event was that service. */
static void link__comes_back_while_services_are_overdue(void **state) {
    (void)state;
    for (int crossbars = 0; crossbars < 2; crossbars++) {
        struct fabric_spec spec = spec_leaf_spine(2, 1, 2);
        spec.uplink_bps = 10000000; /* a frame of 166 bytes takes 133 us */
        struct fixture x = fixture_of("ecmp", spec, false, crossbars);
        alarm(20);
        send_flows(&x, 0, 3, 20);
        until(&x, x.now + PS_PER_MS);
        x.now += PS_PER_MS;
        set_link(&x, "leaf0", "spine0", false);
        set_link(&x, "leaf0", "spine0", true);
        until(&x, x.now + PS_PER_S);
        alarm(0);
        assert_int_equal(received(&x, 3) + dropped(&x, DROP_LINK_DOWN), 20);
        send_flows(&x, 0, 3, 5);
        until(&x, x.now + PS_PER_S);
        assert_int_equal(received(&x, 3), 5);
        fixture_end(&x);
    }
}

static const struct place_beyond *beyond(const struct fixture *x, const char *of, const char *port) {
    uint32_t n = node(x->fabric, of);
    const struct fabric_switch *sw = &station_switch(x->station, station_find(x->station, n))->sw;
    return &sw->place.beyond[fabric_port_find(x->fabric, n, port)];
}

/* An agg tells its ToRs how many uplinks it has left, and when they are back. */
static void notices__reach_the_switches_below(void **state) {
    (void)state;
    struct fixture x = fixture_new("expeditus", spec_clos(2, 2, 2, 2, 2));
    assert_int_equal(beyond(&x, "tor0.1", "agg0.0")->alive, 2);
    set_link(&x, "agg0.0", "core0.1", false);
    until(&x, x.now + DETECT - 1);
    assert_int_equal(beyond(&x, "tor0.1", "agg0.0")->alive, 2);
    until(&x, x.now + 1);
    assert_int_equal(beyond(&x, "tor0.1", "agg0.0")->alive, 1);
    assert_int_equal(beyond(&x, "tor0.0", "agg0.0")->alive, 1);
    assert_int_equal(beyond(&x, "tor0.0", "agg0.1")->alive, 2);
    set_link(&x, "agg0.0", "core0.1", true);
    until(&x, x.now + DETECT);
    assert_int_equal(beyond(&x, "tor0.1", "agg0.0")->alive, 2);
    fixture_end(&x);
}

/* A link comes back before its failure is detected. Both changes take effect in order, and the final state is that of
 * the beginning. */
static void link__flaps(void **state) {
    (void)state;
    struct fixture x = fixture_new("expeditus", spec_clos(2, 2, 2, 2, 2));
    for (int i = 0; i < 1000; i++) {
        set_link(&x, "tor0.0", "agg0.0", i % 2);
        set_link(&x, "tor0.0", "agg0.0", i % 2); /* the second call changes nothing */
        send_flows(&x, 0, 7, 3);
        until(&x, x.now + PS_PER_MS);
    }
    set_link(&x, "tor0.0", "agg0.0", true);
    until(&x, x.now + PS_PER_S);
    assert_int_equal(topology_next(x.topology), TIME_NONE);
    received(&x, 7);
    send_flows(&x, 0, 7, 50);
    until(&x, x.now + PS_PER_S);
    assert_int_equal(received(&x, 7), 50);
    fixture_end(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(link__is_avoided_when_its_failure_is_known), UNIT(link__loses_what_is_on_it),
        UNIT(link__loses_copies_with_their_frames),       UNIT(link__comes_back_while_services_are_overdue),
        UNIT(link__of_a_host_is_cut_both_ways),           UNIT(link__of_a_host_loses_what_is_on_it),
        UNIT(notices__reach_the_switches_below),          UNIT(link__flaps),
    };
    return RUN_UNITS(tests);
}
