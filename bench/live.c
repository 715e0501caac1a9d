/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the whole way of a real frame through a switch, in memory, in nanoseconds per packet.
 *
 *   bench_live [--rounds N] [--json] [--only NAME]
 *
 *   frames_take, headers into the cell -> forwarder_receive (parse, forward, queue) -> leave (emit, release)
 *
 * The switch is that of bench/forward.c with the same 65,536 flows. Frames come in bursts of 32 from all six hosts, at
 * 90 % load of the links, as full frames (1514 B) or minimum frames (60 B). As a port does, the benchmark fills the
 * cells of a whole burst before the switch sees its first frame. It writes only the 54 bytes of headers, since a device
 * puts the payload in place itself. The row `refill` is this work alone, with taking and releasing the cells; the other
 * rows include it.
 *
 *   ecmp, expeditus   10 Gbps; Expeditus with a warm path table, so each frame finds its path
 *   cioq              DeTail's switch: 1 Gbps, iSlip, eight classes, PFC, adaptive load balancing
 *   station           ECMP over two switches of one station, joined by a link in memory, from edge to edge
 *   ring              one frame into a ring port and out of it
 *
 * `descriptor` is the same switch fed with descriptors alone; the difference is the cost of the bytes. Rows take turns
 * round by round, each after an unmeasured round of its own. The report has median, mean and best of the rounds.
 */
#include "base/memory.h"
#include "fabric/kinds.h"
#include "live/station.h"
#include "mech/balance/balancers.h"
#include "mech/crossbar/crossbars.h"
#include "mech/flowctl/flowctls.h"
#include "mech/schedule/schedules.h"
#include "tor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BURST 32u
#define HOSTS 6u /* of the ToR, and of each side of the station */
#define HEADER_BYTES 54u
#define SLOT_BYTES 64u
#define FULL_BYTES 1514u
#define MIN_BYTES 60u
#define DETAIL_BUFFER 131072

enum scheme_kind { ECMP, EXPEDITUS, CIOQ, SCHEMES };
static const char *const scheme_name[SCHEMES] = {"ecmp", "expeditus", "cioq"};

struct scheme {
    struct fabric *fabric;
    struct switch_config config;
    int64_t params[PARAMS_MAX];
    struct forwarder forwarder;
    time_ps now;
    span_ps full_gap; /* gap between full frames at 90 % load of the uplinks */
    uint64_t left;
};

struct bench {
    struct frames frames;
    uint32_t *packet;   /* [FLOWS] descriptors of full frames */
    uint8_t *header[2]; /* [FLOWS][SLOT_BYTES] headers of full and of minimum frames */
    struct scheme scheme[SCHEMES];
    struct fabric *dumbbell;
    struct switch_config dumbbell_config;
    struct station *station;
    time_ps station_now;
    uint8_t *station_header; /* [FLOWS][SLOT_BYTES] */
    struct live_port *ring[2];
    uint64_t sum;
};

/* ---- building ---- */

static struct switch_config plain_config(const struct balancer_ops *ops, int64_t *params) {
    for (size_t i = 0; i < ops->n_params; i++) params[i] = ops->params[i].def;
    return (struct switch_config){.balance = ops, .balance_params = params, .buffer_bytes = 225000, .port.classes = 1};
}

static struct switch_config detail_config(int64_t *params) {
    struct switch_config c = plain_config(&balance_alb, params);
    c.buffer_bytes = DETAIL_BUFFER;
    c.port.classes = 8;
    c.port.schedule.ops = &schedule_strict;
    c.cioq = (struct crossbar_config){.ops = &crossbar_islip,
                                      .iterations = 4,
                                      .speedup = 4,
                                      .ingress_bytes = DETAIL_BUFFER,
                                      .reserve_bytes = 6120,
                                      .forward_delay = 3100 * PS_PER_NS};
    c.flow = (struct flowctl_config){
        .ops = &flowctl_pfc,
        .params = {.max_frame_bytes = 1530, .buffer_bytes = DETAIL_BUFFER, .classes = 8, .headroom = HEADROOM_EXACT}};
    return c;
}

/* The link behind a switch: reads the bytes of each frame that leaves, then releases its cell. */
struct taker {
    struct bench *bench;
    struct scheme *scheme;
};

static void taker_leave(void *to, const struct departure *x) {
    static const uint8_t mine[6] = {2, 0, 0, 0, 0, 1}, theirs[6] = {2, 0, 0, 0, 0, 2};
    const struct taker *t = to;
    struct frame_bytes b = frames_emit(&t->bench->frames, x->index, mine, theirs);
    t->bench->sum += b.at[0] + b.length;
    t->scheme->left++;
    frames_release(&t->bench->frames, x->index);
}

static void scheme_init(struct bench *b, enum scheme_kind kind, struct taker *taker) {
    struct scheme *s = &b->scheme[kind];
    bool detail = kind == CIOQ;
    s->fabric = tor_fabric(detail ? 1000000000 : 10000000000);
    s->full_gap = detail ? 2280000 : 228000;
    s->config =
        detail ? detail_config(s->params) : plain_config(kind == ECMP ? &balance_ecmp : &balance_expeditus, s->params);
    *taker = (struct taker){b, s};
    forwarder_init(&s->forwarder, &(struct forwarder_setup){.fabric = s->fabric,
                                                            .config = &s->config,
                                                            .seed = 1,
                                                            .node = tor_node(s->fabric),
                                                            .frames = &b->frames,
                                                            .sink = {taker, taker_leave}});
}

/* Writes the headers of a flow's frame of `bytes`; its class is one of eight. */
static void write_header(uint8_t *slot, struct packet p, uint32_t flow, uint32_t bytes) {
    static const uint8_t mine[6] = {2, 0, 0, 0, 0, 3}, theirs[6] = {2, 0, 0, 0, 0, 4};
    p.payload_bytes = (uint16_t)(bytes - HEADER_BYTES);
    p.wire_bytes = (uint16_t)(bytes + FRAME_UNSEEN_BYTES);
    p.tos = (uint8_t)(flow % 8 << 5);
    if (frame_build(&p, NULL, mine, theirs, slot, HEADER_BYTES) != bytes) bench_fail("a frame could not be built");
}

static void bench_write_headers(struct bench *b) {
    for (int size = 0; size < 2; size++) b->header[size] = memory_get(FLOWS, SLOT_BYTES);
    for (uint32_t i = 0; i < FLOWS; i++) {
        write_header(b->header[0] + i * SLOT_BYTES, *packet_at(&b->frames.pool, b->packet[i]), i, FULL_BYTES);
        write_header(b->header[1] + i * SLOT_BYTES, *packet_at(&b->frames.pool, b->packet[i]), i, MIN_BYTES);
        packet_at(&b->frames.pool, b->packet[i])->tos = (uint8_t)(i % 8 << 5);
    }
}

static void bench_build_station(struct bench *b) {
    static int64_t params[PARAMS_MAX];
    struct diag d;
    struct fabric_spec spec = {.kind = &fabric_dumbbell,
                               .pairs = HOSTS,
                               .host_bps = 10000000000,
                               .uplink_bps = 100000000000,
                               .host_delay = PS_PER_US,
                               .uplink_delay = PS_PER_US,
                               .seed = 1};
    b->dumbbell = fabric_create(&spec, &d);
    if (!b->dumbbell) bench_fail("the dumbbell could not be built");
    b->dumbbell_config = plain_config(&balance_ecmp, params);
    uint32_t node[2] = {2 * HOSTS, 2 * HOSTS + 1};
    b->station = station_create(
        &(struct station_setup){.fabric = b->dumbbell, .config = &b->dumbbell_config, .seed = 1, .node = node, .n = 2},
        &d);
    if (!b->station) bench_fail("the station could not be built");
    b->station_header = memory_get(FLOWS, SLOT_BYTES);
    for (uint32_t i = 0; i < FLOWS; i++) {
        struct packet p = *packet_at(&b->frames.pool, b->packet[i]);
        p.src_ip = fabric_host_ip(b->dumbbell, i % HOSTS);
        p.dst_ip = fabric_host_ip(b->dumbbell, HOSTS + i % HOSTS);
        write_header(b->station_header + i * SLOT_BYTES, p, i, FULL_BYTES);
    }
}

/* ---- rounds: one packet of each flow ---- */

static void take_burst(struct frames *f, const uint8_t *header, uint32_t first, uint32_t bytes, uint32_t *index) {
    for (uint32_t k = 0; k < BURST; k++) {
        uint8_t *at;
        index[k] = frames_take(f, bytes, &at);
        memcpy(at, header + (size_t)(first + k) * SLOT_BYTES, HEADER_BYTES);
    }
}

static void round_refill(struct bench *b) {
    uint32_t index[BURST];
    for (uint32_t i = 0; i < FLOWS; i += BURST) {
        take_burst(&b->frames, b->header[0], i, FULL_BYTES, index);
        for (uint32_t k = BURST; k-- > 0;) frames_release(&b->frames, index[k]);
    }
}

static span_ps gap_of(const struct scheme *s, uint32_t bytes) {
    return s->full_gap * (bytes + FRAME_UNSEEN_BYTES) / FULL_WIRE_BYTES;
}

static void round_bytes(struct bench *b, struct scheme *s, uint32_t bytes) {
    const uint8_t *header = b->header[bytes == MIN_BYTES];
    span_ps gap = gap_of(s, bytes);
    uint32_t index[BURST];
    for (uint32_t i = 0; i < FLOWS; i += BURST) {
        take_burst(&b->frames, header, i, bytes, index);
        for (uint32_t k = 0; k < BURST; k++, s->now += gap) {
            forwarder_until(&s->forwarder, s->now);
            forwarder_receive(&s->forwarder, s->now, (uint16_t)((i + k) % HOSTS), index[k], bytes, bytes);
        }
    }
    forwarder_until(&s->forwarder, TIME_NONE);
    s->now += PS_PER_MS;
}

static void count_out(struct scheme *s, const struct switch_out *out) {
    for (uint32_t k = 0; k < out->n; k++) s->left += !out->e[k].drop;
}

static void drain_descriptors(struct scheme *s, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_next_timer(&s->forwarder.sw)) <= until && at != TIME_NONE;) {
        switch_timer(&s->forwarder.sw, at, &out);
        count_out(s, &out);
    }
}

static void round_descriptors(struct bench *b, struct scheme *s) {
    struct switch_out out;
    for (uint32_t i = 0; i < FLOWS; i++, s->now += s->full_gap) {
        drain_descriptors(s, s->now);
        packet_at(&b->frames.pool, b->packet[i])->ttl = TTL;
        switch_receive(&s->forwarder.sw, s->now, (uint16_t)(i % HOSTS), b->packet[i], &out);
        count_out(s, &out);
    }
    drain_descriptors(s, TIME_NONE);
    s->now += PS_PER_MS;
}

static void station_out(struct bench *b) {
    struct port_bytes out[BURST];
    for (uint16_t port = 0; port < HOSTS; port++)
        for (uint32_t n = BURST; n == BURST;) {
            n = station_departing_burst(b->station, 1, port, b->station_now, out, BURST);
            for (uint32_t k = 0; k < n; k++) {
                b->sum += out[k].at[0] + out[k].bytes;
                station_departed(b->station, 1, port);
            }
        }
}

static void round_station(struct bench *b) {
    uint32_t index[BURST];
    for (uint32_t i = 0; i < FLOWS; i += BURST) {
        take_burst(station_frames(b->station), b->station_header, i, FULL_BYTES, index);
        for (uint32_t k = 0; k < BURST; k++)
            station_arrive(b->station, 0, (uint16_t)((i + k) % HOSTS), b->station_now + k * 228000ll, index[k],
                           FULL_BYTES, FULL_BYTES);
        b->station_now += BURST * 228000ll;
        station_until(b->station, b->station_now);
        station_out(b);
    }
    b->station_now += PS_PER_MS;
    station_until(b->station, b->station_now);
    station_out(b);
}

static void round_ring(struct bench *b) {
    static uint8_t frame[FULL_BYTES];
    struct port_bytes out[BURST];
    struct port_arrival in[BURST];
    for (uint32_t k = 0; k < BURST; k++) out[k] = (struct port_bytes){frame, FULL_BYTES};
    for (uint32_t i = 0; i < FLOWS; i += BURST) {
        live_port_send(b->ring[0], out, BURST);
        if (live_port_receive(b->ring[1], &b->frames, in, BURST) != BURST) bench_fail("a ring lost frames");
        for (uint32_t k = BURST; k-- > 0;) frames_release(&b->frames, in[k].index);
    }
}

/* ---- measuring ---- */

enum what { REFILL, FULL, MIN, DESCRIPTOR, STATION, RING };
static const char *const what_name[] = {"refill", "full", "min", "descriptor", "station", "ring"};

struct row {
    enum what what;
    enum scheme_kind scheme;
    double aim; /* ns; 0: none */
    double ns[ROUNDS_MAX];
};

static struct row rows[] = {
    {.what = REFILL},
    {.what = DESCRIPTOR, .scheme = ECMP},
    {.what = FULL, .scheme = ECMP, .aim = 60},
    {.what = MIN, .scheme = ECMP, .aim = 60},
    {.what = DESCRIPTOR, .scheme = EXPEDITUS},
    {.what = FULL, .scheme = EXPEDITUS, .aim = 90},
    {.what = MIN, .scheme = EXPEDITUS, .aim = 90},
    {.what = DESCRIPTOR, .scheme = CIOQ},
    {.what = FULL, .scheme = CIOQ, .aim = 200},
    {.what = MIN, .scheme = CIOQ, .aim = 200},
    {.what = STATION},
    {.what = RING},
};
#define ROWS (sizeof rows / sizeof *rows)

static bool row_has_scheme(const struct row *r) { return r->what == FULL || r->what == MIN || r->what == DESCRIPTOR; }

static const char *row_name(const struct row *r, char *buf, size_t size) {
    if (row_has_scheme(r))
        snprintf(buf, size, "%s_%s", scheme_name[r->scheme], what_name[r->what]);
    else
        snprintf(buf, size, "%s", what_name[r->what]);
    return buf;
}

static double row_round(const struct row *r, struct bench *b) {
    struct scheme *s = &b->scheme[r->scheme];
    int64_t begin = bench_ns();
    switch (r->what) {
    case REFILL: round_refill(b); break;
    case FULL: round_bytes(b, s, FULL_BYTES); break;
    case MIN: round_bytes(b, s, MIN_BYTES); break;
    case DESCRIPTOR: round_descriptors(b, s); break;
    case STATION: round_station(b); break;
    case RING: round_ring(b); break;
    }
    return (double)(bench_ns() - begin) / FLOWS;
}

/* Fails unless every frame of the rounds left: none was refused, dropped or is still queued. */
static void row_verify(const struct row *r, const struct bench *b, uint64_t left_before) {
    const struct scheme *s = &b->scheme[r->scheme];
    if (row_has_scheme(r) && s->left - left_before != 2 * FLOWS) bench_fail("not every frame left its switch");
    if (station_frames(b->station)->pool.in_use) bench_fail("frames are left in the station");
    if (b->frames.pool.in_use != FLOWS) bench_fail("a cell was not released");
}

static void measure(struct bench *b, uint32_t rounds, const char *only) {
    char name[32];
    for (uint32_t i = 0; i < rounds; i++)
        for (size_t k = 0; k < ROWS; k++) {
            if (only && strcmp(only, row_name(&rows[k], name, sizeof name)) != 0) continue;
            uint64_t left = b->scheme[rows[k].scheme].left;
            row_round(&rows[k], b);
            rows[k].ns[i] = row_round(&rows[k], b);
            row_verify(&rows[k], b, left);
        }
    const struct fabric_switch *sw = &b->scheme[EXPEDITUS].forwarder.sw;
    if (tor_counter(sw, "selections_begun") != FLOWS) bench_fail("a flow of the warm table began a selection again");
}

/* ---- reporting ---- */

static double row_mean(const struct row *r, uint32_t rounds) {
    double sum = 0;
    for (uint32_t i = 0; i < rounds; i++) sum += r->ns[i];
    return sum / rounds;
}

static void print_json(uint32_t rounds) {
    char name[32];
    for (size_t k = 0; k < ROWS; k++)
        printf("%s\"%s\":{\"median_ns\":%.2f,\"mean_ns\":%.2f,\"best_ns\":%.2f}", k ? "," : "{",
               row_name(&rows[k], name, sizeof name), rows[k].ns[rounds / 2], row_mean(&rows[k], rounds),
               rows[k].ns[0]);
    printf("}\n");
}

static void print_table(uint32_t rounds) {
    char name[32];
    printf("ns per packet over %u rounds of %u packets\n\n%-22s %8s %8s %8s %8s\n", rounds, FLOWS, "row", "median",
           "mean", "best", "aim");
    for (size_t k = 0; k < ROWS; k++) {
        const struct row *r = &rows[k];
        double median = r->ns[rounds / 2];
        if (median == 0) continue; /* left out by --only */
        printf("%-22s %8.1f %8.1f %8.1f", row_name(r, name, sizeof name), median, row_mean(r, rounds), r->ns[0]);
        if (r->aim > 0) printf(" %8.0f   %s", r->aim, median <= r->aim ? "met" : "not met");
        printf("\n");
    }
}

static void bench_init(struct bench *b, struct taker *taker) {
    struct diag d;
    frames_init(&b->frames);
    for (int k = 0; k < SCHEMES; k++) scheme_init(b, (enum scheme_kind)k, &taker[k]);
    struct scheme *warm = &b->scheme[EXPEDITUS];
    struct tor t = {.fabric = warm->fabric, .pool = &b->frames.pool, .sw = &warm->forwarder.sw};
    b->packet = memory_get(FLOWS, sizeof *b->packet);
    tor_find_flows(&t, b->packet);
    warm->now = t.now;
    bench_write_headers(b);
    bench_build_station(b);
    for (int i = 0; i < 2; i++)
        if (!(b->ring[i] = live_port_open("ring:bench", &d))) bench_fail("no ring");
}

static void bench_fini(struct bench *b) {
    for (int i = 0; i < 2; i++) live_port_close(b->ring[i]);
    station_destroy(b->station);
    fabric_destroy(b->dumbbell);
    free(b->station_header);
    for (int k = 0; k < SCHEMES; k++) {
        forwarder_fini(&b->scheme[k].forwarder);
        fabric_destroy(b->scheme[k].fabric);
    }
    for (int size = 0; size < 2; size++) free(b->header[size]);
    free(b->packet);
    frames_fini(&b->frames);
}

static void usage(void) {
    fprintf(stderr, "usage: bench_live [--rounds 1..%d] [--json] [--only ROW]\n", ROUNDS_MAX);
    exit(2);
}

static bool row_is_there(const char *name) {
    char of[32];
    for (size_t k = 0; k < ROWS; k++)
        if (strcmp(name, row_name(&rows[k], of, sizeof of)) == 0) return true;
    fprintf(stderr, "bench_live: there is no row '%s'; without --only the first column names all\n", name);
    return false;
}

int main(int argc, char **argv) {
    static struct bench b;
    static struct taker taker[SCHEMES];
    uint32_t rounds = 21;
    bool json = false;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else
            usage();
    }
    if (rounds < 1 || rounds > ROUNDS_MAX) usage();
    if (only && !row_is_there(only)) return 2;
    bench_init(&b, taker);
    measure(&b, rounds, only);
    for (size_t k = 0; k < ROWS; k++) bench_sort(rows[k].ns, rounds);
    if (json)
        print_json(rounds);
    else
        print_table(rounds);
    bench_fini(&b);
    return 0;
}
