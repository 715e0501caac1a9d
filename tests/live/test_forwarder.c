/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a live switch beside forwarding: it answers ARP and ICMP, learns the MACs of its hosts, passes frames that
 * are not IPv4, and believes no host that speaks like a switch. Two leaves with two hosts each and two spines, in one station. */
#include "live/station.h"

#include "live/replaying.h"
#include "mech/crossbar/crossbars.h"
#include "mech/schedule/schedules.h"
#include "wire/bytes.h"
#include "wire/checksum.h"

#include <string.h>

#define HOSTS 4
#define SWITCHES 4

/* Sets the ports of DeTail, with this flow control. */
static void pause_with(struct switch_config *c, const char *flowctl) {
    c->port.classes = 8;
    c->port.schedule.ops = &schedule_strict;
    c->cioq = (struct crossbar_config){
        .ops = &crossbar_islip, .iterations = 4, .speedup = 4, .ingress_bytes = 131072, .reserve_bytes = 6120};
    c->flow = (struct flowctl_config){
        .ops = flowctl_find(flowctl),
        .params = {.max_frame_bytes = 1530, .buffer_bytes = 131072, .classes = 8, .headroom = HEADROOM_PAPER}};
}

struct fixture {
    struct fabric *fabric;
    struct station *station;
    uint32_t place[HOSTS]; /* place of each host's leaf */
    uint16_t port[HOSTS];
    time_ps now;
    uint32_t asked; /* ARP requests that came to hosts */
};

static const uint8_t everybody[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, own_mac[6] = {0x52, 0x54, 0, 1, 2, 3};

/* Time of the last departure of each port. Frames leave in order of time, an ARP request behind the frame that caused
 * it. */
static time_ps left_at[SWITCHES][8];
static void see_departure(void *to, uint32_t place, const struct outlet_frame *f) {
    (void)to;
    if (f->direction != CAPTURE_OUTBOUND) return;
    assert_true(f->at > left_at[place][f->port]);
    left_at[place][f->port] = f->at;
}

/* Returns the fabric; `host_bps` is the rate of hosts' links, 0: fast and not paced. `detail`: the ports of DeTail, with
 * flow control of this name. */
static struct fixture fixture_with(int64_t host_bps, const char *balance, const char *flowctl) {
    struct fixture x = {.now = 1000};
    memset(left_at, 0, sizeof left_at);
    struct diag d = {0};
    uint32_t node[SWITCHES];
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    if (host_bps) spec.host_bps = host_bps;
    x.fabric = made(spec);
    static int64_t params[24];
    static struct switch_config config;
    const struct balancer_ops *ops = balancer_find(balance);
    for (size_t i = 0; i < ops->n_params; i++) params[i] = ops->params[i].def;
    config =
        (struct switch_config){.buffer_bytes = 4000000, .port.classes = 1, .balance = ops, .balance_params = params};
    if (flowctl) pause_with(&config, flowctl);
    for (uint32_t i = 0; i < SWITCHES; i++) node[i] = HOSTS + i;
    struct station_setup setup = {.fabric = x.fabric,
                                  .config = &config,
                                  .seed = 1,
                                  .node = node,
                                  .n = SWITCHES,
                                  .answers = true,
                                  .paces_hosts = host_bps > 0,
                                  .tap.frame = see_departure};
    x.station = station_create(&setup, &d);
    if (!x.station) fail_msg("%s", d.text);
    for (uint32_t h = 0; h < HOSTS; h++) {
        const struct place_port *link = &x.fabric->paths.port[x.fabric->paths.first_port[h]];
        x.place[h] = station_find(x.station, link->neighbour);
        x.port[h] = x.fabric->paths.port[link->peer].port;
    }
    return x;
}

static struct fixture fixture_of(int64_t host_bps) { return fixture_with(host_bps, "ecmp", NULL); }
static struct fixture fixture_new(void) { return fixture_of(0); }

static size_t host_gets(struct fixture *x, uint32_t host, uint8_t *bytes);

/* Fails unless each frame that came in or was created has left, was dropped or was consumed, and only ARP requests are
 * on their way to hosts. */
static void fixture_end(struct fixture *x) {
    uint8_t got[2048];
    for (uint32_t h = 0; h < HOSTS; h++) assert_int_equal(host_gets(x, h, got), 0);
    for (uint32_t i = 0; i < SWITCHES; i++) {
        const struct forwarder *f = station_switch(x->station, i);
        uint64_t ended = f->count.left + f->count.unbuilt + f->count.consumed, refused = 0;
        for (int k = 0; k < DROP_COUNT; k++) ended += f->count.dropped[k];
        for (int k = 0; k < REFUSAL_COUNT; k++) refused += f->count.refused[k];
        assert_int_equal(f->count.refused[FRAME_OK] + forwarder_created(f), ended);
        assert_int_equal(f->count.received, refused);
    }
    assert_int_equal(station_frames(x->station)->pool.in_use, 0);
    station_destroy(x->station);
    fabric_destroy(x->fabric);
}

static void host_sends(struct fixture *x, uint32_t host, const uint8_t *bytes, size_t n) {
    uint8_t *at;
    uint32_t index = frames_take(station_frames(x->station), n, &at);
    memcpy(at, bytes, n);
    x->now += PS_PER_MS;
    station_arrive(x->station, x->place[host], x->port[host], x->now, index, n, n);
    station_until(x->station, x->now + PS_PER_MS / 2);
}

/* Returns whether the frame is an ARP request by which a switch asks for the MAC of a host. */
static bool is_question(const uint8_t *frame) { return get_be16(frame + 12) == 0x0806 && frame[21] == 1; }

/* Takes the next frame to the host that is no ARP request of a switch. Returns its length; 0: there is none. */
static size_t host_gets(struct fixture *x, uint32_t host, uint8_t *bytes) {
    const struct line_frame *f = station_departing(x->station, x->place[host], x->port[host], x->now + PS_PER_MS);
    if (!f) return 0;
    size_t n = f->length;
    memcpy(bytes, f->bytes, n);
    station_departed(x->station, x->place[host], x->port[host]);
    if (!is_question(bytes)) return n;
    x->asked++;
    return host_gets(x, host, bytes);
}

static const struct forwarder *leaf_of(const struct fixture *x, uint32_t host) {
    return station_switch(x->station, x->place[host]);
}

static void mac_of_host(uint32_t host, uint8_t mac[6]) { fabric_port_mac(host, 0, mac); }

/* ---- ARP ---- */

static size_t arp_request(uint8_t *frame, const uint8_t mac[6], uint32_t from_ip, uint32_t for_ip) {
    memset(frame, 0, 60);
    memcpy(frame, everybody, 6);
    memcpy(frame + 6, mac, 6);
    from_hex("0806 0001 0800 06 04 0001", frame + 12);
    memcpy(frame + 22, mac, 6);
    put_be32(frame + 28, from_ip);
    put_be32(frame + 38, for_ip);
    return 42; /* without padding, as from TAP and veth */
}

static void assert_arp_reply(struct fixture *x, uint32_t host, const uint8_t mac[6], uint32_t for_ip) {
    uint8_t got[2048], switch_mac[6], want[10];
    fabric_port_mac(HOSTS + x->place[host], x->port[host], switch_mac);
    assert_int_equal(host_gets(x, host, got), 60);
    assert_memory_equal(got, mac, 6);
    assert_memory_equal(got + 6, switch_mac, 6);
    from_hex("0806 0001 0800 06 04 0002", want);
    assert_memory_equal(got + 12, want, 10);
    assert_memory_equal(got + 22, switch_mac, 6);
    assert_int_equal(get_be32(got + 28), for_ip);
    assert_memory_equal(got + 32, mac, 6);
    assert_int_equal(get_be32(got + 38), fabric_host_ip(x->fabric, host));
}

/* All traffic is routed, so the switch answers for itself and for the hosts of every rack. */
static void arp__is_answered_for_every_other_host_and_the_switch(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[64], got[2048];
    uint32_t own_ip = fabric_host_ip(x.fabric, 0);
    const uint32_t asked[] = {fabric_host_ip(x.fabric, 1), fabric_host_ip(x.fabric, 3),
                              fabric_switch_ip(x.fabric, HOSTS)};
    for (int i = 0; i < 3; i++) {
        host_sends(&x, 0, frame, arp_request(frame, own_mac, own_ip, asked[i]));
        assert_arp_reply(&x, 0, own_mac, asked[i]);
    }
    host_sends(&x, 0, frame, arp_request(frame, own_mac, own_ip, own_ip)); /* the host probes its own address */
    host_sends(&x, 0, frame, arp_request(frame, own_mac, own_ip, 0x0a0000fe));
    host_sends(&x, 0, frame, arp_request(frame, own_mac, own_ip, fabric_switch_ip(x.fabric, HOSTS + 1)));
    assert_int_equal(host_gets(&x, 0, got), 0);
    assert_int_equal(leaf_of(&x, 0)->count.refused[FRAME_NOT_IPV4], 3);
    assert_int_equal(leaf_of(&x, 0)->count.answers, 3);
    fixture_end(&x);
}

static size_t datagram(const struct fixture *x, uint8_t *frame, uint32_t from, uint32_t to, uint8_t ttl,
                       const uint8_t src_mac[6]) {
    struct packet p = blank_packet(PROTO_UDP);
    p.src_ip = fabric_host_ip(x->fabric, from);
    p.dst_ip = fabric_host_ip(x->fabric, to);
    p.dst_port = 33434;
    p.ttl = ttl;
    p.payload_bytes = 1000;
    return frame_build(&p, NULL, src_mac, mac_b, frame, 2048);
}

/* Frames to a host go to the MAC of the fabric's description until the host sends a packet, then to the MAC of that
 * packet. */
static void hosts__are_found_by_what_they_send(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048], described[6];
    mac_of_host(3, described);
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 64, mac_a));
    assert_true(host_gets(&x, 3, got) > 0);
    assert_memory_equal(got, described, 6);
    host_sends(&x, 3, frame, datagram(&x, frame, 3, 0, 64, own_mac));
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 64, mac_a));
    assert_true(host_gets(&x, 3, got) > 0);
    assert_memory_equal(got, own_mac, 6);
    assert_true(host_gets(&x, 0, got) > 0);
    fixture_end(&x);
}

/* The switch asks a host that has sent nothing for its MAC with the first frame to it, then once a second. */
static void hosts__are_asked_for_their_mac(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048], switch_mac[6];
    fabric_port_mac(HOSTS + x.place[3], x.port[3], switch_mac);
    station_ask_hosts(x.station, x.now);
    const struct line_frame *f = station_departing(x.station, x.place[3], x.port[3], PS_PER_S);
    assert_non_null(f);
    assert_true(is_question(f->bytes));
    assert_memory_equal(f->bytes, everybody, 6);
    assert_memory_equal(f->bytes + 6, switch_mac, 6);
    assert_int_equal(get_be32(f->bytes + 38), fabric_host_ip(x.fabric, 3));
    for (uint32_t h = 0; h < HOSTS; h++) assert_int_equal(host_gets(&x, h, got), 0);
    assert_int_equal(x.asked, HOSTS);
    for (int i = 0; i < 10; i++) host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 64, mac_a));
    while (host_gets(&x, 3, got)) continue;
    assert_int_equal(x.asked, HOSTS);
    x.now += PS_PER_S;
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 64, mac_a));
    while (host_gets(&x, 3, got)) continue;
    assert_int_equal(x.asked, HOSTS + 1);
    x.now += PS_PER_S;
    host_sends(&x, 3, frame, datagram(&x, frame, 3, 0, 64, own_mac));
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 64, mac_a));
    while (host_gets(&x, 3, got)) continue;
    while (host_gets(&x, 0, got)) continue;
    assert_int_equal(x.asked, HOSTS + 1);
    fixture_end(&x);
}

/* Sends a datagram to host 3 and asserts that it leaves for the MAC. */
static void assert_found_at(struct fixture *x, const uint8_t mac[6]) {
    uint8_t frame[2048], got[2048];
    host_sends(x, 0, frame, datagram(x, frame, 0, 3, 64, mac_a));
    assert_true(host_gets(x, 3, got) > 0);
    assert_memory_equal(got, mac, 6);
}

/* Sends a frame of `n` bytes from host 3 with a foreign source MAC, and takes what it makes the fabric send. */
static void foreign_frame(struct fixture *x, uint8_t *frame, size_t n) {
    uint8_t got[2048];
    host_sends(x, 3, frame, n);
    for (uint32_t h = 0; h < HOSTS; h++)
        while (host_gets(x, h, got)) continue;
    assert_found_at(x, own_mac);
}

/* A bridge, a switch or another machine behind a host's port sends frames with other source MACs. None of them moves the
 * host. */
static void hosts__are_not_moved_by_frames_of_others(void **state) {
    (void)state;
    static const uint8_t other[6] = {0x52, 0x54, 0, 9, 9, 9};
    static const char *const foreign[] = {
        "0180c200000e 525400090909 88cc 0207 04 525400090909 0405 05 70 6f 72 74 0602 0078 0000", /* LLDP */
        "0180c2000000 525400090909 0026 42 42 03 0000 00 00 00 8000 525400090909",                /* STP in 802.3 */
        "ffffffffffff 525400090909 88b5 0001",                                                    /* experimental */
        "333300000001 525400090909 86dd 60000000 0000 3a ff",                                     /* IPv6 */
        "0180c2000002 525400090909 8809 0101"};                                                   /* LACP */
    struct fixture x = fixture_new();
    uint8_t frame[2048] = {0};
    foreign_frame(&x, frame, arp_request(frame, own_mac, fabric_host_ip(x.fabric, 3), fabric_host_ip(x.fabric, 0)));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        memset(frame, 0, 64);
        from_hex(foreign[i], frame);
        foreign_frame(&x, frame, 60);
    }
    mac_of_host(0, frame); /* bridged: both MACs are of hosts */
    mac_of_host(2, frame + 6);
    put_be16(frame + 12, 0x86dd);
    foreign_frame(&x, frame, 60);
    foreign_frame(&x, frame, datagram(&x, frame, 2, 0, 64, other)); /* the source address is of another host */
    foreign_frame(&x, frame, arp_request(frame, other, fabric_host_ip(x.fabric, 2), fabric_host_ip(x.fabric, 0)));
    foreign_frame(&x, frame, arp_request(frame, other, 0, fabric_host_ip(x.fabric, 3))); /* a probe (RFC 5227) */
    foreign_frame(&x, frame, arp_request(frame, everybody, fabric_host_ip(x.fabric, 3), fabric_host_ip(x.fabric, 0)));
    foreign_frame(&x, frame, datagram(&x, frame, 3, 0, 64, everybody)); /* no machine has a group's MAC */
    assert_true(leaf_of(&x, 3)->count.refused[FRAME_NOT_IPV4] >= 5);
    fixture_end(&x);
}

/* An ARP reply of the host's own address teaches its MAC, as a request does. */
static void hosts__are_found_by_their_arp_replies(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[64];
    size_t n = arp_request(frame, own_mac, fabric_host_ip(x.fabric, 3), fabric_switch_ip(x.fabric, HOSTS + x.place[3]));
    frame[21] = 2;
    host_sends(&x, 3, frame, n);
    assert_found_at(&x, own_mac);
    fixture_end(&x);
}

/* A MAC that nothing confirms for 30 s is stale: frames still go there, and the switch asks once a second. When the link
 * has come back, it asks with the first frame. */
static void hosts__are_asked_again(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048];
    for (int i = 0; i < 3; i++, x.now += 29 * PS_PER_S) {
        host_sends(&x, 3, frame, datagram(&x, frame, 3, 0, 64, own_mac));
        while (host_gets(&x, 0, got)) continue;
        x.asked = 0;
        assert_found_at(&x, own_mac);
        assert_int_equal(host_gets(&x, 3, got), 0);
        assert_int_equal(x.asked, 0);
    }
    x.now += 2 * PS_PER_S;
    for (int i = 0; i < 5; i++) assert_found_at(&x, own_mac);
    assert_int_equal(host_gets(&x, 3, got), 0);
    assert_int_equal(x.asked, 1);
    host_sends(&x, 3, frame, datagram(&x, frame, 3, 0, 64, own_mac));
    while (host_gets(&x, 0, got)) continue;
    x.now += 2 * PS_PER_S;
    struct fabric_event e = {.node = HOSTS + x.place[3], .port = x.port[3], .kind = EVENT_LINK_DOWN, .at = x.now};
    station_event(x.station, &e);
    e.kind = EVENT_LINK_UP;
    e.at = x.now += PS_PER_S;
    station_event(x.station, &e);
    for (int i = 0; i < 5; i++) assert_found_at(&x, own_mac);
    assert_int_equal(host_gets(&x, 3, got), 0);
    assert_int_equal(x.asked, 2);
    fixture_end(&x);
}

/* ---- messages of switches, from hosts ---- */

/* Builds a frame of host 0 for host 3 in which a switch would tell something. Returns its length. */
static size_t forged(const struct fixture *x, uint8_t *frame, uint8_t proto, uint8_t shape, uint8_t stage) {
    struct packet p = blank_packet(proto);
    struct packet_ext ext = {.tag = {.stage = stage, .entries = 2, .load = {7, 7}}};
    p.src_ip = fabric_host_ip(x->fabric, 0);
    p.dst_ip = fabric_host_ip(x->fabric, 3);
    p.shape = shape;
    p.overlay = shape & SHAPE_CONGA ? 0x7ffe : 0x0700;
    p.tcp_flags = proto == PROTO_TCP ? TCP_SYN | TCP_ACK : proto == PROTO_CREDIT ? CREDIT_ANSWER : 0;
    p.payload_bytes = proto == PROTO_UDP ? 200 : 0;
    return frame_build(&p, &ext, mac_a, mac_b, frame, 2048);
}

/* Asserts that each switch has done and counted the same in both fabrics. */
static void assert_same_switches(const struct fixture *x, const struct fixture *y) {
    for (uint32_t i = 0; i < SWITCHES; i++) {
        const struct fabric_switch *a = &station_switch(x->station, i)->sw, *b = &station_switch(y->station, i)->sw;
        assert_int_equal(a->created, b->created);
        for (size_t c = 0; c < a->balance->n_counters; c++) assert_int_equal(a->counters[c], b->counters[c]);
    }
}

static const struct {
    uint8_t shape, stage;
    enum stripped what;
} forged_tag[] = {{SHAPE_EXPEDITUS, 0, STRIPPED_EXP_REQUEST},
                  {SHAPE_EXPEDITUS, 1, STRIPPED_EXP_RESPONSE},
                  {SHAPE_CONGA, 0, STRIPPED_CONGA},
                  {SHAPE_CORE_LOADS, 0, STRIPPED_CORE_LOADS}};

/* Sends two frames of host 0 that differ only in the tag, in a fabric each. */
static void compare_forged(const char *balance, uint8_t proto, size_t k) {
    struct fixture x = fixture_with(0, balance, NULL), y = fixture_with(0, balance, NULL);
    uint8_t frame[2048], got[2048], want[2048];
    size_t n = forged(&x, frame, proto, forged_tag[k].shape, forged_tag[k].stage);
    assert_true(n > 0);
    host_sends(&x, 0, frame, n);
    memset(left_at, 0, sizeof left_at); /* the other fabric's switches begin */
    host_sends(&y, 0, frame, forged(&y, frame, proto, 0, 0));
    size_t left = host_gets(&x, 3, got);
    assert_true(left > 0);
    assert_int_equal(left, host_gets(&y, 3, want));
    assert_memory_equal(got, want, left);
    assert_int_equal(leaf_of(&x, 0)->count.stripped[forged_tag[k].what], 1);
    assert_same_switches(&x, &y);
    fixture_end(&x);
    fixture_end(&y);
}

/* A tag of a switch in a frame of a host is counted and taken off. The switches do what they would do without it: none
 * answers, and no table learns. */
static void forged_tags__are_stripped(void **state) {
    (void)state;
    static const char *const balance[] = {"ecmp", "expeditus", "conga-flow"};
    for (size_t b = 0; b < 3; b++)
        for (size_t k = 0; k < STRIPPED_COUNT; k++) {
            compare_forged(balance[b], PROTO_UDP, k);
            compare_forged(balance[b], PROTO_TCP, k);
        }
}

/* Likewise in frames that are not IPv4, and with every tag that a frame can have. */
static void forged_tags__are_stripped_from_other_protocols(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[128] = {0}, got[2048];
    mac_of_host(3, frame);
    mac_of_host(0, frame + 6);
    size_t n = 12 + from_hex("9900 82 77", frame + 12);
    put_be16(frame + n, CONGA_TPID);
    put_be16(frame + n + 2, 0);
    put_be16(frame + n + 4, 0x86dd);
    for (uint8_t i = 0; i < 80; i++) frame[n + 6 + i] = i;
    host_sends(&x, 0, frame, n + 86);
    assert_int_equal(host_gets(&x, 3, got), 14 + 80);
    assert_int_equal(get_be16(got + 12), 0x86dd);
    assert_memory_equal(got + 14, frame + n + 6, 80);
    assert_int_equal(leaf_of(&x, 0)->count.stripped[STRIPPED_EXP_RESPONSE], 1);
    assert_int_equal(leaf_of(&x, 0)->count.stripped[STRIPPED_CONGA], 1);
    fixture_end(&x);
}

/* An Exp-response for a flow of credits is a frame of its own, of switches alone. */
static void forged_answers__are_refused(void **state) {
    (void)state;
    struct fixture x = fixture_with(0, "expeditus", NULL);
    uint8_t frame[2048], got[2048];
    for (uint8_t shape = 0; shape <= SHAPE_EXPEDITUS; shape++) {
        size_t n = forged(&x, frame, PROTO_CREDIT, shape, 1);
        assert_true(n > 0);
        host_sends(&x, 0, frame, n);
    }
    assert_int_equal(host_gets(&x, 3, got), 0);
    assert_int_equal(leaf_of(&x, 0)->count.refused[REFUSED_SWITCH_ANSWER], 2);
    assert_int_equal(leaf_of(&x, 0)->count.stripped[STRIPPED_EXP_RESPONSE], 1);
    fixture_end(&x);
}

/* Pause frames of another kind than that of the switch, or with no flow control at all, are counted and pause
 * nothing. */
static void foreign_pauses__are_refused(void **state) {
    (void)state;
    static const struct {
        const char *flowctl;
        bool is_paused;
    } row[] = {{NULL, false}, {"none", false}, {"pause", true}, {"pfc", true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int pfc = 0; pfc < 2; pfc++) {
            struct fixture x = fixture_with(0, "ecmp", row[i].flowctl);
            struct packet p = pause_packet(0);
            struct packet_ext ext = {.pause = pfc ? pause_fields_pfc(1, 0, 9) : pause_fields_link(9)};
            uint8_t frame[64];
            bool mine = row[i].is_paused && pfc == (strcmp(row[i].flowctl, "pfc") == 0);
            host_sends(&x, 0, frame, frame_build(&p, &ext, mac_a, mac_b, frame, sizeof frame));
            const struct forwarder *leaf = leaf_of(&x, 0);
            assert_int_equal(leaf->count.refused[REFUSED_PAUSE_KIND], !mine);
            const struct port_classes *c = leaf->extra[x.port[0]].classes;
            if (row[i].is_paused) assert_int_equal(c->pause->n_pauses, mine ? pfc ? 1 : PAUSE_LANES : 0);
            fixture_end(&x);
        }
}

/* ---- IPv4 to a group ---- */

/* A frame to a broadcast or multicast MAC comes out of many ports of a network, and a router must not send each copy on
 * (RFC 1812, 5.3.4). It is not answered either. */
static void group_frames__are_not_forwarded(void **state) {
    (void)state;
    static const uint8_t group[2][6] = {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {1, 0, 0x5e, 0, 0, 1}};
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048];
    for (int i = 0; i < 2; i++)
        for (uint8_t ttl = 1; ttl <= 64; ttl += 63) {
            size_t n = datagram(&x, frame, 0, 3, ttl, mac_a);
            memcpy(frame, group[i], 6);
            host_sends(&x, 0, frame, n);
        }
    for (uint32_t h = 0; h < HOSTS; h++) assert_int_equal(host_gets(&x, h, got), 0);
    assert_int_equal(leaf_of(&x, 0)->count.refused[REFUSED_GROUP_MAC], 4);
    fixture_end(&x);
}

/* ---- ICMP ---- */

static void assert_icmp_error(struct fixture *x, uint32_t host, uint32_t from_ip, uint8_t type, uint8_t code,
                              const uint8_t *cause) {
    uint8_t got[2048];
    const uint8_t *ip = got + 14, *icmp = ip + 20;
    assert_int_equal(host_gets(x, host, got), 14 + 576);
    assert_int_equal(checksum_finish(checksum_add(0, ip, 20)), 0);
    assert_int_equal(get_be32(ip + 12), from_ip);
    assert_int_equal(get_be32(ip + 16), fabric_host_ip(x->fabric, host));
    assert_int_equal(ip[9], 1);
    assert_int_equal(icmp[0], type);
    assert_int_equal(icmp[1], code);
    assert_int_equal(checksum_finish(checksum_add(0, icmp, 556)), 0);
    assert_memory_equal(icmp + 8, cause + 14, 8);                  /* up to the TTL, which is 1 if it expired */
    assert_memory_equal(icmp + 8 + 12, cause + 14 + 12, 548 - 12); /* addresses, UDP and as much payload as fits */
    assert_int_equal(icmp[8 + 8], type == 11 ? 1 : cause[14 + 8]);
}

/* An error is written over memory that was used: what RFC 792 leaves unused in it is zero. */
static void icmp__unused_bytes_are_zero(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], out[ANSWER_MAX_BYTES];
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    size_t bytes = datagram(&x, frame, 0, 3, 1, mac_a);
    assert_int_equal(frame_parse_headers(frame, bytes, bytes, &p, &ext, &info), FRAME_OK);
    struct answerer a;
    answerer_init(&a, x.fabric, HOSTS + x.place[0]);
    memset(out, 0xff, sizeof out);
    const struct answer_question q = {x.fabric, frame, bytes, &info, mac_b};
    assert_int_equal(answer_drop(&a, &q, PS_PER_S, DROP_TTL, out), 14 + 576);
    assert_int_equal(get_be32(out + 14 + 20 + 4), 0);
    assert_int_equal(checksum_finish(checksum_add(0, out + 14 + 20, 556)), 0);
    fixture_end(&x);
}

/* Each hop of the path answers in turn, from its own address. */
static void icmp__time_exceeded_shows_the_path(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048];
    uint32_t leaf[2] = {HOSTS + x.place[0], HOSTS + x.place[3]};
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 1, mac_a));
    assert_icmp_error(&x, 0, fabric_switch_ip(x.fabric, leaf[0]), 11, 0, frame);
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 2, mac_a));
    uint64_t by_spine[2];
    for (uint32_t s = 0; s < 2; s++)
        by_spine[s] = station_switch(x.station, station_find(x.station, HOSTS + 2 + s))->count.answers;
    assert_int_equal(by_spine[0] + by_spine[1], 1);
    assert_icmp_error(&x, 0, fabric_switch_ip(x.fabric, HOSTS + 2 + (by_spine[1] ? 1 : 0)), 11, 0, frame);
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 3, mac_a));
    assert_icmp_error(&x, 0, fabric_switch_ip(x.fabric, leaf[1]), 11, 0, frame);
    host_sends(&x, 0, frame, datagram(&x, frame, 0, 3, 4, mac_a));
    assert_int_equal(host_gets(&x, 0, got), 0);
    assert_int_equal(host_gets(&x, 3, got), 1042);
    assert_int_equal(got[14 + 8], 1);
    fixture_end(&x);
}

static void icmp__unreachable(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048];
    size_t n = datagram(&x, frame, 0, 3, 64, mac_a);
    put_be32(frame + 14 + 16, 0x0a005505); /* 10.0.85.5, in no rack */
    put_be16(frame + 14 + 10, 0);
    put_be16(frame + 14 + 10, checksum_finish(checksum_add(0, frame + 14, 20)));
    host_sends(&x, 0, frame, n);
    assert_icmp_error(&x, 0, fabric_switch_ip(x.fabric, HOSTS + x.place[0]), 3, 0, frame);
    fixture_end(&x);
}

/* No error answers a packet to a group, from an unknown source, a later fragment or another error. */
static void icmp__errors_that_nobody_may_get(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048];
    const struct {
        size_t at;
        uint8_t byte;
    } change[] = {{16, 0xe0}, {12, 192}, {7, 1}};
    for (int i = 0; i < 4; i++) {
        size_t n = datagram(&x, frame, 0, 3, 1, mac_a);
        if (i < 3) frame[14 + change[i].at] = change[i].byte;
        if (i == 3) frame[14 + 9] = 1, frame[14 + 20] = 11;
        put_be16(frame + 14 + 10, 0);
        put_be16(frame + 14 + 10, checksum_finish(checksum_add(0, frame + 14, 20)));
        host_sends(&x, 0, frame, n);
    }
    assert_int_equal(leaf_of(&x, 0)->count.dropped[DROP_TTL], 4);
    assert_int_equal(leaf_of(&x, 0)->count.answers, 0);
    assert_int_equal(host_gets(&x, 0, got), 0);
    fixture_end(&x);
}

static void icmp__errors_are_limited(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048];
    size_t n = datagram(&x, frame, 0, 3, 1, mac_a);
    time_ps now = x.now = PS_PER_S;
    for (int i = 0; i < 2 * ANSWER_BURST; i++, x.now = now) host_sends(&x, 0, frame, n); /* all at the same time */
    x.now += 2 * PS_PER_MS;
    assert_int_equal(leaf_of(&x, 0)->count.answers, ANSWER_BURST);
    for (int i = 0; i < 3; i++) host_sends(&x, 0, frame, n); /* one a millisecond */
    assert_int_equal(leaf_of(&x, 0)->count.answers, ANSWER_BURST + 3);
    while (host_gets(&x, 0, got)) continue;
    fixture_end(&x);
}

static size_t echo_request(uint8_t *frame, uint32_t src, uint32_t dst) {
    memset(frame, 0, 98);
    memcpy(frame, mac_b, 6);
    memcpy(frame + 6, own_mac, 6);
    from_hex("0800 45000054 12344000 4001 0000", frame + 12);
    put_be32(frame + 26, src);
    put_be32(frame + 30, dst);
    put_be16(frame + 24, checksum_finish(checksum_add(0, frame + 14, 20)));
    from_hex("0800 0000 beef 0001", frame + 34);
    for (uint8_t i = 8; i < 64; i++) frame[34 + i] = i;
    put_be16(frame + 36, checksum_finish(checksum_add(0, frame + 34, 64)));
    return 98;
}

static void icmp__echo(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[2048], got[2048];
    uint32_t host_ip = fabric_host_ip(x.fabric, 0), switch_ip = fabric_switch_ip(x.fabric, HOSTS + x.place[0]);
    host_sends(&x, 0, frame, echo_request(frame, host_ip, switch_ip));
    assert_int_equal(host_gets(&x, 0, got), 98);
    assert_memory_equal(got, own_mac, 6);
    assert_int_equal(get_be32(got + 26), switch_ip);
    assert_int_equal(get_be32(got + 30), host_ip);
    assert_int_equal(got[34], 0);
    assert_memory_equal(got + 38, frame + 38, 60);
    assert_int_equal(checksum_finish(checksum_add(0, got + 34, 64)), 0);
    host_sends(&x, 0, frame,
               echo_request(frame, host_ip, fabric_host_ip(x.fabric, 2))); /* one to a host is forwarded */
    assert_int_equal(host_gets(&x, 2, got), 98);
    assert_int_equal(got[34], 8);
    frame[40]++; /* an echo request with a wrong checksum is ignored */
    put_be32(frame + 30, switch_ip);
    put_be16(frame + 24, 0);
    put_be16(frame + 24, checksum_finish(checksum_add(0, frame + 14, 20)));
    host_sends(&x, 0, frame, 98);
    assert_int_equal(host_gets(&x, 0, got), 0);
    fixture_end(&x);
}

/* ---- what hosts send faster than their links carry ---- */

/* The link of 10 Mbps takes 853 us for each frame of 1,042 bytes, however fast the host hands them over. A thousand
 * full frames of 1,231 us may wait; further frames are refused. */
static void hosts__are_paced(void **state) {
    (void)state;
    struct fixture x = fixture_of(10000000);
    uint8_t frame[2048], got[2048];
    size_t n = datagram(&x, frame, 0, 1, 64, mac_a);
    const struct forwarder *leaf = leaf_of(&x, 0);
    time_ps start = x.now;
    for (int i = 0; i < 1500; i++, x.now = start) host_sends(&x, 0, frame, n);
    assert_int_equal(leaf->count.received, 0);
    station_until(x.station, start + PS_PER_MS + 10 * 853 * PS_PER_US);
    assert_in_range(leaf->count.received, 9, 10);
    assert_in_range(leaf->count.not_taken, 1500 - 1445, 1500 - 1440); /* 1000 x 1538 / 1066 and the one on the wire */
    x.now = start + 10 * PS_PER_S;
    station_until(x.station, x.now);
    assert_int_equal(leaf->count.received + leaf->count.not_taken, 1500);
    while (host_gets(&x, 1, got)) continue;
    fixture_end(&x);
}

/* ---- what is not IPv4 ---- */

/* Frames that are not IPv4 go unchanged along the routes to the host that has their MAC in the fabric's description.
 * They are refused unless the description has both of their MACs. */
static void other_protocols__go_by_mac(void **state) {
    (void)state;
    struct fixture x = fixture_new();
    uint8_t frame[128] = {0}, got[2048];
    mac_of_host(3, frame);
    mac_of_host(0, frame + 6);
    put_be16(frame + 12, 0x86dd);
    for (uint8_t i = 14; i < 100; i++) frame[i] = i;
    host_sends(&x, 0, frame, 100);
    assert_int_equal(host_gets(&x, 3, got), 100);
    assert_memory_equal(got, frame, 100);
    memcpy(frame, everybody, 6);
    host_sends(&x, 0, frame, 100);
    mac_of_host(3, frame);
    memcpy(frame + 6, own_mac, 6);
    host_sends(&x, 0, frame, 100);
    assert_int_equal(leaf_of(&x, 0)->count.refused[FRAME_NOT_IPV4], 2);
    fixture_end(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(arp__is_answered_for_every_other_host_and_the_switch),
        UNIT(hosts__are_found_by_what_they_send),
        UNIT(hosts__are_asked_for_their_mac),
        UNIT(hosts__are_not_moved_by_frames_of_others),
        UNIT(hosts__are_found_by_their_arp_replies),
        UNIT(hosts__are_asked_again),
        UNIT(forged_tags__are_stripped),
        UNIT(forged_tags__are_stripped_from_other_protocols),
        UNIT(forged_answers__are_refused),
        UNIT(foreign_pauses__are_refused),
        UNIT(group_frames__are_not_forwarded),
        UNIT(icmp__unused_bytes_are_zero),
        UNIT(icmp__time_exceeded_shows_the_path),
        UNIT(icmp__unreachable),
        UNIT(icmp__errors_that_nobody_may_get),
        UNIT(icmp__errors_are_limited),
        UNIT(icmp__echo),
        UNIT(hosts__are_paced),
        UNIT(other_protocols__go_by_mac),
    };
    return RUN_UNITS(tests);
}
