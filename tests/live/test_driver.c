/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric of switches under the machine's clock, with rings at its edges. Frames cross it in order, no earlier than
 * the links allow, with only the changes that switches make, and all of them are accounted for. */
#include "live/driver.h"

#include "live/idle.h"
#include "live/replaying.h"
#include "wire/bytes.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#define HOSTS 4
#define SWITCHES 4

struct fixture {
    struct fabric *fabric;
    int64_t params[24];
    struct switch_config config;
    struct station *station;
    struct driver_edge edge[HOSTS];
    struct live_port *host[HOSTS]; /* the hosts' ends */
    struct frames frames;          /* of the hosts */
    struct driver *driver;
    atomic_bool stop;
    bool runs; /* in a thread of its own */
    pthread_t thread;
};

static void *fixture_thread(void *arg) {
    struct fixture *x = arg;
    driver_run(x->driver, &x->stop);
    return NULL;
}

/* Returns a fabric of two leaves with two hosts each and two spines; links between switches have `delay`. The caller
 * runs its driver. */
static struct fixture *fixture_still(int64_t rate_bps, span_ps delay, const char *balance) {
    struct fixture *x = calloc(1, sizeof *x);
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    struct diag d = {0};
    uint32_t node[SWITCHES];
    spec.host_bps = spec.uplink_bps = rate_bps;
    spec.uplink_delay = delay;
    x->fabric = made(spec);
    const struct balancer_ops *ops = balancer_find(balance);
    for (size_t i = 0; i < ops->n_params; i++) x->params[i] = ops->params[i].def;
    x->config =
        (struct switch_config){.buffer_bytes = 4000000, .port.classes = 1, .balance = ops, .balance_params = x->params};
    for (uint32_t i = 0; i < SWITCHES; i++) node[i] = HOSTS + i;
    struct station_setup setup = {.fabric = x->fabric, .config = &x->config, .seed = 1, .node = node, .n = SWITCHES};
    x->station = station_create(&setup, &d);
    if (!x->station) fail_msg("%s", d.text);
    for (uint32_t h = 0; h < HOSTS; h++) {
        const struct place_port *link = &x->fabric->paths.port[x->fabric->paths.first_port[h]];
        char name[32];
        snprintf(name, sizeof name, "ring:host%u", h);
        x->edge[h] = (struct driver_edge){.place = station_find(x->station, link->neighbour),
                                          .port = x->fabric->paths.port[link->peer].port,
                                          .live = live_port_open(name, &d)};
        x->host[h] = live_port_open(name, &d);
        assert_non_null(x->host[h]);
    }
    frames_init(&x->frames);
    x->driver = driver_create(&(struct driver_setup){.station = x->station, .edge = x->edge, .n = HOSTS});
    return x;
}

/* The same, with a thread that runs the driver. */
static struct fixture *fixture_new(int64_t rate_bps, span_ps delay, const char *balance) {
    struct fixture *x = fixture_still(rate_bps, delay, balance);
    x->runs = true;
    assert_int_equal(pthread_create(&x->thread, NULL, fixture_thread, x), 0);
    return x;
}

/* Fails unless each frame that came in has left, was dropped, or is in the station. */
static void assert_accounted(const struct fixture *x) {
    uint64_t in = 0, out = 0, dropped = 0;
    for (uint32_t h = 0; h < HOSTS; h++) {
        in += x->edge[h].live->count.rx_frames;
        out += x->edge[h].live->count.tx_frames;
    }
    for (uint32_t i = 0; i < SWITCHES; i++) {
        const struct forwarder *f = station_switch(x->station, i);
        for (int k = 0; k < DROP_COUNT; k++) dropped += f->count.dropped[k];
        for (int k = FRAME_OK + 1; k < REFUSAL_COUNT; k++) dropped += f->count.refused[k];
    }
    assert_int_equal(in, out + dropped + station_frames(x->station)->pool.in_use);
}

static void fixture_end(struct fixture *x) {
    atomic_store(&x->stop, true);
    if (x->runs) pthread_join(x->thread, NULL);
    assert_accounted(x);
    driver_destroy(x->driver);
    for (uint32_t h = 0; h < HOSTS; h++) {
        live_port_close(x->edge[h].live);
        live_port_close(x->host[h]);
    }
    station_destroy(x->station);
    frames_fini(&x->frames);
    fabric_destroy(x->fabric);
    free(x);
}

/* Writes a datagram with a number; all datagrams of a flow have the same ports. Returns its length. */
static size_t datagram(const struct fixture *x, uint8_t *frame, uint32_t from, uint32_t to, uint32_t number,
                       uint16_t payload) {
    struct packet p = blank_packet(PROTO_UDP);
    p.src_ip = fabric_host_ip(x->fabric, from);
    p.dst_ip = fabric_host_ip(x->fabric, to);
    p.seq = number;
    p.payload_bytes = payload;
    return frame_build(&p, NULL, mac_a, mac_b, frame, 2048);
}

static void host_send(struct fixture *x, uint32_t from, uint32_t to, uint32_t number, uint16_t payload) {
    uint8_t frame[2048];
    size_t n = datagram(x, frame, from, to, number, payload);
    live_port_send(x->host[from], &(struct port_bytes){frame, (uint32_t)n}, 1);
}

/* Waits for the next frame at a host, for ten seconds at most. Returns its index in x->frames; the caller releases
 * it. */
static uint32_t host_receive(struct fixture *x, uint32_t host, struct port_arrival *a) {
    struct live_port *p = x->host[host];
    for (int i = 0; i < 1000; i++) {
        if (live_port_receive(p, &x->frames, a, 1)) return a->index;
        if (live_port_idle(p)) poll(&(struct pollfd){.fd = p->fd, .events = POLLIN}, 1, 10);
    }
    fail_msg("nothing came to host %u", host);
    return UINT32_MAX;
}

/* Fails unless the checksum over addresses, header and payload is correct. */
static void assert_transport_is_intact(const struct fixture *x, uint32_t index, const struct port_arrival *a) {
    const struct frame_cell *cell = &x->frames.cell[index];
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    assert_int_equal(frame_parse(cell->bytes + cell->begin, a->captured, a->length, &p, &ext, &info), FRAME_OK);
    assert_int_equal(info.check, L4_GOOD);
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- tests ---- */

/* Behind three switches the TTL is three less and the MACs are those of the last link; the rest is unchanged. */
static void driver__a_frame_crosses_the_fabric(void **state) {
    (void)state;
    struct fixture *x = fixture_new(10000000000, 20 * PS_PER_MS, "ecmp");
    struct port_arrival a;
    uint8_t sent[2048], mine[6], theirs[6];
    size_t n = datagram(x, sent, 0, 3, 7, 1000);
    double start = now_s();
    host_send(x, 0, 3, 7, 1000);
    uint32_t index = host_receive(x, 3, &a);
    double took = now_s() - start;
    assert_true(took >= 0.040); /* two links of 20 ms */
    if (took > 5) fail_msg("%f s", took);
    const uint8_t *got = x->frames.cell[index].bytes + x->frames.cell[index].begin;
    assert_int_equal(a.length, n);
    assert_int_equal(got[14 + 8], sent[14 + 8] - 3);
    fabric_port_mac(HOSTS + 1, x->edge[3].port, mine);
    fabric_port_mac(3, 0, theirs);
    assert_memory_equal(got, theirs, 6);
    assert_memory_equal(got + 6, mine, 6);
    assert_memory_equal(got + 26, sent + 26, n - 26);
    assert_transport_is_intact(x, index, &a);
    assert_int_equal(frames_parse(&x->frames, index, a.captured, a.length), FRAME_OK);
    frames_release(&x->frames, index);
    fixture_end(x);
}

/* A port of host 0 whose loop loses the processor before it takes a frame, which is sent meanwhile. */
static struct fixture *preempted;
static time_ps sent_at = TIME_NONE;

static uint32_t preempted_receive(struct live_port *p, struct frames *f, struct port_arrival *a, uint32_t n) {
    if (sent_at == TIME_NONE) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        sent_at = driver_now(preempted->driver);
        host_send(preempted, 0, 3, 7, 1000);
    }
    return live_port_ring.receive(p, f, a, n);
}

/* A frame takes the delays of its links even if the loop was kept from running just before it took the frame. */
static void driver__no_frame_is_early(void **state) {
    (void)state;
    struct fixture *x = preempted = fixture_still(10000000000, 20 * PS_PER_MS, "ecmp");
    struct live_port_ops ops = live_port_ring;
    struct port_arrival a;
    ops.receive = preempted_receive;
    x->edge[0].live->ops = &ops;
    while (!live_port_receive(x->host[3], &x->frames, &a, 1)) driver_turn(x->driver);
    assert_true(driver_now(x->driver) - sent_at >= 40 * PS_PER_MS); /* two links of 20 ms */
    frames_release(&x->frames, a.index);
    fixture_end(x);
}

/* Between hosts of one rack on links of 10 Mbps, the switch queues frames and sends as many a second as the link
 * takes. */
static void driver__rates_are_those_of_the_links(void **state) {
    (void)state;
    struct fixture *x = fixture_new(10000000, 0, "ecmp");
    struct port_arrival a;
    double start = now_s();
    for (uint32_t k = 0; k < 200; k++) host_send(x, 0, 1, k, 1472);
    for (uint32_t k = 0; k < 200; k++) {
        uint32_t index = host_receive(x, 1, &a);
        assert_int_equal(frames_parse(&x->frames, index, a.captured, a.length), FRAME_OK);
        assert_int_equal(packet_at(&x->frames.pool, index)->seq, k); /* in order */
        frames_release(&x->frames, index);
    }
    double took = now_s() - start, least = 200 * 1538 * 8 / 10e6;
    assert_true(took >= least);
    assert_true(took < least + 5);
    fixture_end(x);
}

/* All hosts send to all hosts through each balancer that runs live; nothing is lost, since the buffers suffice. */
static void driver__all_balancers(void **state) {
    (void)state;
    static const char *const names[] = {"ecmp", "expeditus", "conga-flow", "spray", "alb"};
    for (size_t b = 0; b < sizeof names / sizeof *names; b++) {
        struct fixture *x = fixture_new(1000000000, PS_PER_US, names[b]);
        uint32_t got[HOSTS] = {0};
        for (uint32_t k = 0; k < 100; k++)
            for (uint32_t from = 0; from < HOSTS; from++)
                for (uint32_t to = 0; to < HOSTS; to++)
                    if (from != to) host_send(x, from, to, k, (uint16_t)(20 + k * 14));
        for (uint32_t to = 0; to < HOSTS; to++)
            for (; got[to] < 300; got[to]++) {
                struct port_arrival a;
                uint32_t index = host_receive(x, to, &a);
                assert_transport_is_intact(x, index, &a);
                assert_int_equal(frames_parse(&x->frames, index, a.captured, a.length), FRAME_OK);
                assert_int_equal(packet_at(&x->frames.pool, index)->dst_ip, fabric_host_ip(x->fabric, to));
                frames_release(&x->frames, index);
            }
        fixture_end(x);
    }
}

/* Frames that the fabric refuses are counted by cause and hold up no others. */
static void driver__bad_frames(void **state) {
    (void)state;
    struct fixture *x = fixture_new(1000000000, PS_PER_US, "ecmp");
    struct port_arrival a;
    uint8_t frame[2048];
    size_t n = datagram(x, frame, 0, 3, 1, 100);
    for (uint32_t cut = 1; cut < n; cut++) live_port_send(x->host[0], &(struct port_bytes){frame, cut}, 1);
    frame[14] = 0x65; /* another version of IP */
    live_port_send(x->host[0], &(struct port_bytes){frame, (uint32_t)n}, 1);
    host_send(x, 0, 3, 2, 100);
    frames_release(&x->frames, host_receive(x, 3, &a));
    const struct forwarder *leaf = station_switch(x->station, x->edge[0].place);
    assert_int_equal(leaf->count.received, n + 1);
    assert_int_equal(leaf->count.refused[FRAME_IP_VERSION], 1);
    assert_int_equal(leaf->count.refused[FRAME_OK], 1);
    fixture_end(x);
}

/* ---- the loop ---- */

/* A loop without frames leaves the processor to others, before the first frame and after it. */
static void driver__waits_when_it_is_idle(void **state) {
    (void)state;
    struct fixture *x = fixture_new(1000000000, PS_PER_US, "ecmp");
    struct port_arrival a;
    assert_others_wait();
    host_send(x, 0, 3, 1, 100);
    frames_release(&x->frames, host_receive(x, 3, &a));
    assert_others_wait();
    fixture_end(x);
}

/* It also waits for a frame that is on a slow link: 8.5 ms for each. */
static void driver__waits_for_a_frame_that_is_not_due(void **state) {
    (void)state;
    struct fixture *x = fixture_new(1000000, PS_PER_US, "ecmp");
    struct port_arrival a;
    long before = idle_waits();
    host_send(x, 0, 1, 1, 1000);
    frames_release(&x->frames, host_receive(x, 1, &a));
    assert_true(idle_waits() > before);
    fixture_end(x);
}

/* A turn says whether anything happened. */
static void driver__a_turn_is_busy_or_not(void **state) {
    (void)state;
    struct fixture *x = fixture_still(1000000000, PS_PER_US, "ecmp");
    struct port_arrival a;
    assert_false(driver_turn(x->driver));
    host_send(x, 0, 1, 1, 100);
    assert_true(driver_turn(x->driver));
    for (int i = 0; i < 1000 && live_port_idle(x->host[1]); i++) driver_turn(x->driver);
    frames_release(&x->frames, host_receive(x, 1, &a));
    assert_false(driver_turn(x->driver));
    assert_true(driver_counts(x->driver)->late_max > 0);
    fixture_end(x);
}

static void note(void *arg) {
    static char noted[8];
    if (!arg) noted[0] = 0;
    if (arg) strcat(noted, arg);
    if (arg && strcmp(arg, "!") == 0) assert_string_equal(noted, "abcd!");
}

/* Functions of other threads are called in their order; a loop that waits for nothing is woken for them. */
static void driver__calls_the_functions_of_other_threads(void **state) {
    (void)state;
    struct fixture *x = fixture_new(1000000000, PS_PER_US, "ecmp");
    note(NULL);
    driver_post(x->driver, note, "a");
    driver_post(x->driver, note, "b");
    driver_post(x->driver, note, "c");
    driver_call(x->driver, note, "d");
    driver_call(x->driver, note, "!");
    double start = now_s();
    for (int i = 0; i < 20; i++) {
        usleep(1000); /* it waits again */
        note(NULL);
        driver_call(x->driver, note, "x");
    }
    assert_true(now_s() - start < 1.5); /* a loop that is not woken notices each after a tenth of a second */
    fixture_end(x);
    x = fixture_still(1000000000, PS_PER_US, "ecmp"); /* one that never runs calls them at its end */
    note(NULL);
    static const char *const left[] = {"a", "b", "c", "d", "!"};
    for (int i = 0; i < 5; i++) driver_post(x->driver, note, (void *)left[i]);
    fixture_end(x);
}

/* A stopped loop takes no more frames, and delivers the frames that it holds. */
static void driver__drains_when_it_is_told_to_stop(void **state) {
    (void)state;
    struct fixture *x = fixture_still(1000000, PS_PER_US, "ecmp");
    struct port_arrival a;
    host_send(x, 0, 1, 1, 1000);
    driver_turn(x->driver); /* takes it */
    host_send(x, 0, 1, 2, 1000);
    atomic_store(&x->stop, true);
    driver_run(x->driver, &x->stop);
    assert_int_equal(station_frames(x->station)->pool.in_use, 0);
    frames_release(&x->frames, host_receive(x, 1, &a));
    assert_true(live_port_idle(x->host[1]));
    assert_int_equal(x->edge[0].live->count.rx_frames, 1);
    fixture_end(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(driver__a_frame_crosses_the_fabric),
        UNIT(driver__no_frame_is_early),
        UNIT(driver__rates_are_those_of_the_links),
        UNIT(driver__all_balancers),
        UNIT(driver__bad_frames),
        UNIT(driver__waits_when_it_is_idle),
        UNIT(driver__waits_for_a_frame_that_is_not_due),
        UNIT(driver__a_turn_is_busy_or_not),
        UNIT(driver__calls_the_functions_of_other_threads),
        UNIT(driver__drains_when_it_is_told_to_stop),
    };
    return RUN_UNITS(tests);
}
