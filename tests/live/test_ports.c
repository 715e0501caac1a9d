/* SPDX-License-Identifier: Apache-2.0 */
/* Ports to the outside: one end receives what the other sends, complete and in order; lost frames are counted. */
#include "live/port/port.h"

#include "live/netns.h"

#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

struct pair {
    struct live_port *a, *b;
    struct frames frames;
};

static struct live_port *opened(const char *what) {
    struct diag d = {0};
    struct live_port *p = live_port_open(what, &d);
    if (!p) fail_msg("%s", d.text);
    return p;
}

static struct pair pair_of(const char *a, const char *b) {
    struct pair p = {.a = opened(a), .b = opened(b)};
    frames_init(&p.frames);
    return p;
}

static void pair_end(struct pair *p) {
    live_port_close(p->a);
    live_port_close(p->b);
    frames_fini(&p->frames);
}

/* Fills a frame of n bytes with content that only number k has. */
static void fill(uint8_t *frame, uint32_t n, uint32_t k) {
    for (uint32_t i = 0; i < n; i++) frame[i] = (uint8_t)(k * 31 + i * 7);
    memcpy(frame, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14);
}

static void send_one(struct live_port *p, uint32_t n, uint32_t k) {
    static uint8_t frame[70000];
    fill(frame, n, k);
    live_port_send(p, &(struct port_bytes){frame, n}, 1);
}

/* Waits for the next frame, for a second at most, and compares it. */
static void expect(struct pair *p, struct live_port *from, uint32_t n, uint32_t k) {
    static uint8_t frame[70000];
    struct port_arrival a;
    uint32_t got = 0;
    for (int i = 0; i < 100 && !(got = live_port_receive(from, &p->frames, &a, 1)); i++)
        if (live_port_idle(from)) poll(&(struct pollfd){.fd = from->fd, .events = POLLIN}, 1, 10);
    if (!got) fail_msg("frame %u did not come", k);
    fill(frame, n, k);
    assert_int_equal(a.length, n);
    assert_int_equal(a.captured, n);
    const struct frame_cell *cell = &p->frames.cell[a.index];
    assert_memory_equal(cell->bytes + cell->begin, frame, n);
    frames_release(&p->frames, a.index);
}

static void expect_nothing(struct pair *p, struct live_port *from) {
    struct port_arrival a;
    assert_int_equal(live_port_receive(from, &p->frames, &a, 1), 0);
}

static void both_ways(struct pair *p, uint32_t longest) {
    for (uint32_t k = 0; k < 200; k++) {
        uint32_t n = k % 3 ? 60 + k * 7 % (longest - 60) : longest;
        send_one(p->a, n, k);
        send_one(p->b, n, k + 1000);
        expect(p, p->b, n, k);
        expect(p, p->a, n, k + 1000);
    }
    expect_nothing(p, p->a);
    expect_nothing(p, p->b);
    assert_int_equal(p->a->count.tx_frames, 200);
    assert_int_equal(p->b->count.rx_frames, 200);
    assert_int_equal(p->b->count.rx_bytes, p->a->count.tx_bytes);
    assert_int_equal(p->a->count.tx_lost + p->a->count.rx_lost + p->b->count.tx_lost + p->b->count.rx_lost, 0);
}

/* ---- names ---- */

static void refused(const char *what, const char *text) {
    struct diag d = {0};
    assert_null(live_port_open(what, &d));
    assert_string_equal(d.text, text);
}

static void open__errors_name_the_remedy(void **state) {
    (void)state;
    refused("rong:a", "rong:a: there is no such kind of port; write INTERFACE, xdp:INTERFACE, tap:NAME or ring:NAME");
    refused("ring:", "ring:: the name of the port is missing");
    refused("no-such-if", "no-such-if: there is no such network interface; `ip link` lists them");
    refused("tap:a-name-that-is-too-long",
            "tap:a-name-that-is-too-long: the name of an interface has at most 15 characters");
}

/* ---- rings ---- */

static void ring__both_ways(void **state) {
    (void)state;
    struct pair p = pair_of("ring:a", "ring:a");
    refused("ring:a", "ring:a: both ends are in use; name another ring");
    both_ways(&p, 9600);
    pair_end(&p);
    p = pair_of("ring:a", "ring:a"); /* the name is free again */
    pair_end(&p);
}

static void ring__a_full_one_loses_and_counts(void **state) {
    (void)state;
    struct pair p = pair_of("ring:b", "ring:b");
    for (uint32_t k = 0; k < 1100; k++) send_one(p.a, 60, k);
    assert_int_equal(p.a->count.tx_frames, 1024);
    assert_int_equal(p.a->count.tx_lost, 76);
    for (uint32_t k = 0; k < 1024; k++) expect(&p, p.b, 60, k);
    expect_nothing(&p, p.b);
    send_one(p.a, 20000, 0); /* longer than a slot */
    assert_int_equal(p.a->count.tx_lost, 77);
    pair_end(&p);
}

static void ring__carrier_is_the_other_end(void **state) {
    (void)state;
    struct live_port *a = opened("ring:c");
    assert_false(live_port_has_carrier(a));
    struct live_port *b = opened("ring:c");
    assert_true(live_port_has_carrier(a));
    live_port_close(b);
    assert_false(live_port_has_carrier(a));
    live_port_close(a);
}

/* The bell rings only for a reader that has announced that it waits. */
static void ring__bell(void **state) {
    (void)state;
    struct pair p = pair_of("ring:d", "ring:d");
    struct pollfd bell = {.fd = p.b->fd, .events = POLLIN};
    send_one(p.a, 60, 1);
    assert_int_equal(poll(&bell, 1, 0), 0);
    assert_false(live_port_idle(p.b));
    expect(&p, p.b, 60, 1);
    assert_true(live_port_idle(p.b));
    send_one(p.a, 60, 2);
    assert_int_equal(poll(&bell, 1, 0), 1);
    expect(&p, p.b, 60, 2);
    assert_true(live_port_idle(p.b));
    assert_int_equal(poll(&bell, 1, 0), 0);
    pair_end(&p);
}

/* ---- interfaces ---- */

/* Opens both ends of a new veth pair. */
static void veth_pair(struct pair *p, int mtu) {
    netns_enter();
    netns_veth("v0", "v1", mtu);
    *p = pair_of("v0", "v1");
}

static void veth_pair_end(struct pair *p) {
    pair_end(p);
    netns_ip("link del v0");
}

static void packet__both_ways(void **state) {
    (void)state;
    struct pair p;
    veth_pair(&p, 1600);
    both_ways(&p, 1614);
    assert_true(live_port_has_carrier(p.a));
    netns_ip("link set v1 down");
    assert_false(live_port_has_carrier(p.a));
    veth_pair_end(&p);
}

/* The kernel leaves an error on the socket of an interface that goes down. A poll on the port must not return for it
 * again and again. */
static void packet__goes_down_and_comes_back(void **state) {
    (void)state;
    struct pair p;
    veth_pair(&p, 1600);
    netns_ip("link set v0 down");
    assert_false(live_port_has_carrier(p.a));
    assert_true(live_port_idle(p.a));
    assert_int_equal(poll(&(struct pollfd){.fd = p.a->fd, .events = POLLIN}, 1, 20), 0);
    send_one(p.a, 100, 1);
    assert_int_equal(p.a->count.tx_lost, 1);
    netns_ip("link set v0 up");
    assert_true(live_port_has_carrier(p.a));
    send_one(p.a, 1614, 2);
    expect(&p, p.b, 1614, 2);
    send_one(p.b, 60, 3);
    expect(&p, p.a, 60, 3);
    veth_pair_end(&p);
}

/* A frame that is too long is lost; the frames behind it are not. */
static void packet__too_long(void **state) {
    (void)state;
    struct pair p;
    veth_pair(&p, 1500);
    static uint8_t frame[3][2000];
    struct port_bytes out[3] = {{frame[0], 60}, {frame[1], 2000}, {frame[2], 1514}};
    for (uint32_t i = 0; i < 3; i++) fill(frame[i], out[i].bytes, i);
    live_port_send(p.a, out, 3);
    expect(&p, p.b, 60, 0);
    expect(&p, p.b, 1514, 2);
    assert_int_equal(p.a->count.tx_frames, 2);
    assert_int_equal(p.a->count.tx_lost, 1);
    veth_pair_end(&p);
}

/* The frame of an MTU that was raised later is longer than a cell of the ring. It is lost and counted; half a frame never
 * arrives. */
static void packet__longer_than_a_cell_is_counted(void **state) {
    (void)state;
    struct pair p;
    veth_pair(&p, 1500);
    netns_ip("link set v0 mtu 9000");
    netns_ip("link set v1 mtu 9000");
    send_one(p.a, 8942, 1);
    send_one(p.a, 1514, 2);
    expect(&p, p.b, 1514, 2);
    expect_nothing(&p, p.b);
    assert_int_equal(p.a->count.tx_frames, 2);
    assert_int_equal(p.b->count.rx_frames, 1);
    assert_int_equal(p.b->count.rx_lost, 1);
    veth_pair_end(&p);
}

/* An interface that is deleted and made again has its name and another index. The port follows the name: it has no carrier
 * meanwhile, and then receives, sends and takes frames of the new MTU. */
static void follows_its_name(const char *port) {
    struct pair p = {.a = opened(port)};
    frames_init(&p.frames);
    assert_true(live_port_has_carrier(p.a));
    for (int round = 0; round < 3; round++) {
        int fd = p.a->fd, mtu = round == 1 ? 3600 : 1500;
        netns_ip("link del v0");
        assert_false(live_port_has_carrier(p.a));
        assert_true(live_port_idle(p.a));
        assert_int_equal(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 20), 0);
        send_one(p.a, 100, 1);
        netns_veth("v0", "v1", mtu);
        struct live_port *other = p.b = opened("v1");
        bool is_up = false;
        for (int i = 0; i < 100 && !(is_up = live_port_has_carrier(p.a)); i++) usleep(1000);
        assert_true(is_up);
        assert_int_equal(p.a->fd, fd); /* a loop polls it */
        for (uint32_t k = 0; k < 20; k++) {
            send_one(p.a, (uint32_t)mtu + 14, k);
            expect(&p, other, (uint32_t)mtu + 14, k);
            send_one(other, (uint32_t)mtu + 14, k + 100);
            expect(&p, p.a, (uint32_t)mtu + 14, k + 100);
        }
        assert_int_equal(p.a->count.rx_lost, 0);
        live_port_close(other);
    }
    assert_int_equal(p.a->count.tx_lost, 3);
    assert_int_equal(p.a->count.tx_frames, 60);
    p.b = NULL;
    veth_pair_end(&p);
}

static void packet__follows_its_name(void **state) {
    (void)state;
    netns_enter();
    netns_veth("v0", "v1", 1500);
    follows_its_name("v0");
}

/* Another interface takes the name of one that is renamed. The port goes with the name, and leaves the former interface as it
 * was: no longer promiscuous. */
static void packet__follows_a_name_that_moves(void **state) {
    (void)state;
    netns_enter();
    netns_veth("v0", "v1", 1500);
    netns_veth("w0", "w1", 1500);
    struct pair p = pair_of("v0", "w1");
    netns_ip("link set v0 down");
    netns_ip("link set v0 name u0");
    netns_ip("link set w0 down");
    netns_ip("link set w0 name v0");
    netns_ip("link set u0 up");
    netns_ip("link set v0 up");
    bool is_up = false;
    for (int i = 0; i < 100 && !(is_up = live_port_has_carrier(p.a)); i++) usleep(1000);
    assert_true(is_up);
    send_one(p.a, 700, 1);
    expect(&p, p.b, 700, 1);
    send_one(p.b, 700, 2);
    expect(&p, p.a, 700, 2);
    assert_int_not_equal(system("ip -d link show u0 | grep -q 'promiscuity 1'"), 0);
    assert_int_equal(system("ip -d link show v0 | grep -q 'promiscuity 1'"), 0);
    pair_end(&p);
    netns_ip("link del u0");
    netns_ip("link del v0");
}

/* A full ring loses frames and counts them. */
static void packet__a_full_ring_is_counted(void **state) {
    (void)state;
    struct pair p;
    veth_pair(&p, 1500);
    uint32_t sent = 4000, came = 0;
    for (uint32_t k = 0; k < sent; k++) send_one(p.a, 60, k);
    struct port_arrival a;
    while (live_port_receive(p.b, &p.frames, &a, 1)) {
        came++;
        frames_release(&p.frames, a.index);
    }
    live_port_idle(p.b);
    assert_int_equal(p.a->count.tx_frames, sent);
    assert_true(p.b->count.rx_lost > 1000);
    assert_int_equal(came + p.b->count.rx_lost, sent);
    veth_pair_end(&p);
}

/* The port restores the VLAN tag that the kernel takes out of a frame. */
static void packet__keeps_vlan_tags(void **state) {
    (void)state;
    struct pair p;
    veth_pair(&p, 1500);
    uint8_t frame[64];
    fill(frame, sizeof frame, 5);
    memcpy(frame + 12, "\x81\x00\x60\x07\x08\x00", 6);
    live_port_send(p.a, &(struct port_bytes){frame, sizeof frame}, 1);
    struct port_arrival a;
    uint32_t got = 0;
    for (int i = 0; i < 100 && !(got = live_port_receive(p.b, &p.frames, &a, 1)); i++) usleep(1000);
    assert_int_equal(got, 1);
    assert_int_equal(a.length, sizeof frame);
    const struct frame_cell *cell = &p.frames.cell[a.index];
    assert_memory_equal(cell->bytes + cell->begin, frame, sizeof frame);
    frames_release(&p.frames, a.index);
    veth_pair_end(&p);
}

/* ---- AF_XDP ---- */

/* Returns whether the kernel has AF_XDP and lets this process load programs, without asking the code under test. */
static bool kernel_has_xdp(void) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    int socket_fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0),
        map_fd = (int)syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map);
    if (socket_fd >= 0) close(socket_fd);
    if (map_fd >= 0) close(map_fd);
    return socket_fd >= 0 && map_fd >= 0;
}

/* Opens the first end through AF_XDP and the other as `other`. The case is skipped if program or kernel lack AF_XDP. */
static void xdp_pair(struct pair *p, const char *other, int mtu) {
    struct diag d = {0};
    netns_enter();
    netns_veth("v0", "v1", mtu);
    struct live_port *a = live_port_open("xdp:v0", &d);
    if (!a && kernel_has_xdp() && !strstr(d.text, "built without")) fail_msg("%s", d.text);
    if (!a) {
        print_message("%s\n", d.text);
        skip();
    }
    *p = (struct pair){.a = a, .b = opened(other)};
    frames_init(&p->frames);
}

static void xdp__both_ways(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "xdp:v1", 1600);
    both_ways(&p, 1614);
    assert_true(live_port_has_carrier(p.a));
    netns_ip("link set v1 down");
    assert_false(live_port_has_carrier(p.a));
    veth_pair_end(&p);
}

/* More frames than chunks: the chunks of sent frames are used again. */
static void xdp__chunks_are_used_again(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "xdp:v1", 1500);
    for (uint32_t k = 0; k < 5000; k++) {
        send_one(p.a, 60 + k % 1400, k);
        expect(&p, p.b, 60 + k % 1400, k);
    }
    assert_int_equal(p.a->count.tx_frames, 5000);
    assert_int_equal(p.a->count.tx_lost + p.b->count.rx_lost, 0);
    veth_pair_end(&p);
}

/* MTUs up to the largest that fits a chunk; a driver that refuses native mode runs in generic mode. */
static void xdp__largest_mtu(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "v1", 3822);
    both_ways(&p, 3836);
    pair_end(&p);
    netns_ip("link set v0 mtu 3823");
    refused("xdp:v0", "xdp:v0: its MTU is 3823, AF_XDP takes 3822 at most; `ip link set v0 mtu 3822`");
    netns_ip("link del v0");
}

static void xdp__too_long(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "v1", 1500);
    static uint8_t frame[3][2000];
    struct port_bytes out[3] = {{frame[0], 60}, {frame[1], 2000}, {frame[2], 1514}};
    for (uint32_t i = 0; i < 3; i++) fill(frame[i], out[i].bytes, i);
    live_port_send(p.a, out, 3);
    expect(&p, p.b, 60, 0);
    expect(&p, p.b, 1514, 2);
    assert_int_equal(p.a->count.tx_frames, 2);
    assert_int_equal(p.a->count.tx_lost, 1);
    veth_pair_end(&p);
}

/* 1024 chunks hold frames that nobody reads; further frames are lost and counted. */
static void xdp__full_rings_are_counted(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "v1", 1500);
    uint32_t sent = 4000, came = 0;
    for (uint32_t k = 0; k < sent; k++) send_one(p.b, 60, k);
    for (int i = 0; i < 100 && 1024 + p.a->count.rx_lost < sent; i++) {
        usleep(10000);
        live_port_idle(p.a);
    }
    struct port_arrival a;
    while (live_port_receive(p.a, &p.frames, &a, 1)) {
        uint8_t frame[60];
        fill(frame, 60, came++); /* each chunk has kept its own frame */
        assert_memory_equal(p.frames.cell[a.index].bytes + p.frames.cell[a.index].begin, frame, 60);
        frames_release(&p.frames, a.index);
    }
    assert_int_equal(came, 1024);
    assert_int_equal(came + p.a->count.rx_lost, sent);
    send_one(p.b, 60, 1);
    expect(&p, p.a, 60, 1); /* the port still works */
    veth_pair_end(&p);
}

static void xdp__follows_its_name(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "v1", 1500); /* or skips */
    pair_end(&p);
    follows_its_name("xdp:v0");
}

static void xdp__errors_name_the_remedy(void **state) {
    (void)state;
    struct pair p;
    xdp_pair(&p, "v1", 1500);
    refused("xdp:no-such-if", "xdp:no-such-if: there is no such network interface; `ip link` lists them");
    refused("xdp:v0", "xdp:v0: Device or resource busy; another program is attached to it (`ip link show`)");
    veth_pair_end(&p);
}

/* The kernel's end of the TAP device is an interface, which the test opens by AF_PACKET. */
static void tap__both_ways(void **state) {
    (void)state;
    netns_enter();
    if (access("/dev/net/tun", R_OK | W_OK) != 0) {
        print_message("no /dev/net/tun\n");
        skip();
    }
    struct live_port *tap = opened("tap:t0");
    netns_ip("link set t0 mtu 1600");
    if (system("echo 1 >/proc/sys/net/ipv6/conf/t0/disable_ipv6") != 0) fail();
    netns_ip("link set t0 up");
    struct pair p = {.a = tap, .b = opened("t0")};
    frames_init(&p.frames);
    assert_true(live_port_has_carrier(p.a));
    both_ways(&p, 1614);
    pair_end(&p);
}

/* A device that is deleted, and made again by its owner. */
static void tap__follows_its_name(void **state) {
    (void)state;
    netns_enter();
    if (access("/dev/net/tun", R_OK | W_OK) != 0) {
        print_message("no /dev/net/tun\n");
        skip();
    }
    struct pair p = {.a = opened("tap:t1")};
    frames_init(&p.frames);
    for (int round = 0; round < 3; round++) {
        if (round > 0) {
            netns_ip("link del t1");
            assert_false(live_port_has_carrier(p.a));
            netns_ip("tuntap add dev t1 mode tap");
        }
        if (system("echo 1 >/proc/sys/net/ipv6/conf/t1/disable_ipv6") != 0) fail();
        netns_ip("link set t1 up");
        for (int i = 0; i < 100 && !live_port_has_carrier(p.a); i++) usleep(1000);
        assert_true(live_port_has_carrier(p.a));
        p.b = opened("t1");
        send_one(p.a, 1000, 5);
        expect(&p, p.b, 1000, 5);
        send_one(p.b, 1000, 6);
        expect(&p, p.a, 1000, 6);
        live_port_close(p.b);
    }
    netns_ip("link del t1");
    p.b = NULL;
    pair_end(&p);
}

static int cases_rings(void) {
    const struct CMUnitTest tests[] = {
        UNIT(open__errors_name_the_remedy),   UNIT(ring__both_ways), UNIT(ring__a_full_one_loses_and_counts),
        UNIT(ring__carrier_is_the_other_end), UNIT(ring__bell),
    };
    return RUN_UNITS(tests);
}

static int cases_packet(void) {
    const struct CMUnitTest tests[] = {
        UNIT(packet__both_ways),
        UNIT(packet__goes_down_and_comes_back),
        UNIT(packet__too_long),
        UNIT(packet__longer_than_a_cell_is_counted),
        UNIT(packet__a_full_ring_is_counted),
        UNIT(packet__keeps_vlan_tags),
    };
    return RUN_UNITS(tests);
}

static int cases_packet_names(void) {
    const struct CMUnitTest tests[] = {
        UNIT(packet__follows_its_name),
        UNIT(packet__follows_a_name_that_moves),
    };
    return RUN_UNITS(tests);
}

static int cases_xdp(void) {
    const struct CMUnitTest tests[] = {
        UNIT(xdp__both_ways),
        UNIT(xdp__chunks_are_used_again),
        UNIT(xdp__errors_name_the_remedy),
    };
    return RUN_UNITS(tests);
}

static int cases_xdp_long(void) {
    const struct CMUnitTest tests[] = {
        UNIT(xdp__largest_mtu),
        UNIT(xdp__too_long),
    };
    return RUN_UNITS(tests);
}

static int cases_xdp_names(void) {
    const struct CMUnitTest tests[] = {
        UNIT(xdp__full_rings_are_counted),
        UNIT(xdp__follows_its_name),
    };
    return RUN_UNITS(tests);
}

static int cases_tap(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tap__both_ways),
        UNIT(tap__follows_its_name),
    };
    return RUN_UNITS(tests);
}

/* Runs a part of the cases, since making interfaces takes its time: without an argument the cases that make none. */
int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*cases)(void);
    } part[] = {{"packet", cases_packet},     {"packet_names", cases_packet_names}, {"xdp", cases_xdp},
                {"xdp_long", cases_xdp_long}, {"xdp_names", cases_xdp_names},       {"tap", cases_tap}};
    if (argc < 2) return cases_rings();
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (strcmp(argv[1], part[i].name) == 0) return part[i].cases();
    return 1;
}
