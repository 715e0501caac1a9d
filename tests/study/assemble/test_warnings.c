/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about experiments that can run but are probably not meant. */
#include "study/assemble/warnings.h"

#include "study/run/run.h"
#include "study_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOSSLESS(more)                                                                                                 \
    "scheme: detail\nfabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 1Gbps, delay: 1600ns}\n"         \
    "switch: {" more "}\n"
#define FAR(rate, delay) "fabric: {kind: star, hosts: 2, rate: " rate ", delay: " delay "}\n"
#define PRINTED "transceiver_delay: 2500ns, headroom: paper, pause_classes: 8"
#define FLOWS(n) "workload:\n" FLOWS_##n
#define FLOWS_1 "  - {kind: permutation, sizes: 10KB}\n"
#define FLOWS_2 FLOWS_1 "  - {kind: permutation, sizes: 10KB, priority: 7}\n"
#define FLOWS_8                                                                                                        \
    FLOWS_2                                                                                                            \
    "  - {kind: permutation, sizes: 10KB, priority: 1}\n  - {kind: permutation, sizes: 10KB, priority: 2}\n"           \
    "  - {kind: permutation, sizes: 10KB, priority: 3}\n  - {kind: permutation, sizes: 10KB, priority: 4}\n"           \
    "  - {kind: permutation, sizes: 10KB, priority: 5}\n  - {kind: permutation, sizes: 10KB, priority: 6}\n"

static bool is_fine(const struct experiment *e, FILE *warnings, struct diag *d) {
    struct run_cost *cost = calloc(e->n_runs, sizeof *cost);
    bool fine = runs_check(e, &(struct run_options){.jobs = 1}, cost, warnings, d);
    free(cost);
    return fine;
}

/* Returns all warnings of an experiment, as printed; with is_live, of its runs on real frames. */
static const char *warnings_in(const char *text, bool is_live) {
    static char said[4096];
    char *buf = NULL;
    size_t size;
    struct diag d = {0};
    struct experiment *e = read_text(text);
    if (is_live) experiment_mark_live(e, "on real frames");
    FILE *out = open_memstream(&buf, &size);
    if (!is_fine(e, out, &d)) fail_msg("%s", d.text);
    fclose(out);
    snprintf(said, sizeof said, "%s", buf);
    free(buf);
    experiment_free(e);
    return said;
}

static const char *warnings_of(const char *text) { return warnings_in(text, false); }

static void assert_refused(const char *text, const char *line) {
    struct diag d = {0};
    char buf[1024];
    struct experiment *e = read_text(text);
    assert_false(is_fine(e, stderr, &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
    experiment_free(e);
}

/* ---- headroom ---- */

/* DT-11 keeps 131,072 B for eight classes but for the frames that cross the threshold and the pause frame itself. */
static void warnings__the_papers_thresholds_with_eight_classes(void **state) {
    (void)state;
    assert_string_equal(warnings_of(LOSSLESS(PRINTED) FLOWS(2)), "");
    assert_string_equal(
        warnings_of(LOSSLESS(PRINTED) FLOWS(8)),
        "x.yaml:3:47: warning: switch.headroom: frames may be lost despite flow control: with 8 classes in "
        "use as many as 143984 B may come into an ingress queue of 131072 B at 1Gbps; write "
        "switch.headroom: exact\n");
    assert_string_equal(warnings_of(LOSSLESS("transceiver_delay: 2500ns") FLOWS(8)), "");
}

/* AM-50: with room for one class and two in use, frames are lost. */
static void thresholds__for_fewer_classes_than_are_used_are_refused(void **state) {
    (void)state;
    assert_refused(
        LOSSLESS("headroom: exact, pause_classes: 1") FLOWS(2),
        "x.yaml:3:42: error: switch.pause_classes: room for 1 class, and the workload uses 2: frames would be "
        "lost despite flow control; write switch.pause_classes: 2");
    assert_refused(
        LOSSLESS("headroom: paper, islip: {ingress: 50KB}, pause_classes: 3") FLOWS(8),
        "x.yaml:3:66: error: switch.pause_classes: room for 3 classes, and the workload uses 8: frames would be "
        "lost despite flow control; write switch.pause_classes: 8 and switch.islip.ingress: 70400B and "
        "switch.headroom: exact");
    assert_refused(
        "scheme: detail-fast\n" FAR("100Gbps", "1us") "switch: {classes: 8, pause_classes: 2}\n" FLOWS(8),
        "x.yaml:3:37: error: switch.pause_classes: room for 2 classes, and the workload uses 8: frames would be "
        "lost despite flow control; write switch.pause_classes: 8");
    assert_refused(
        "scheme: detail-fast\n" FAR("100Gbps", "1us") "switch: {classes: 8}\n" FLOWS(8),
        "x.yaml:3:9: error: switch.pause_classes: room for 2 classes, and the workload uses 8: frames would be "
        "lost despite flow control; write switch.pause_classes: 8");
    /* pauses of whole links, and thresholds of the file */
    assert_string_equal(warnings_of("scheme: detail-fc\n" FAR(
                            "1Gbps", "1us") "switch: {pause_classes: 1, classes: 8, schedule: strict}\n" FLOWS(2)),
                        "");
    assert_non_null(strstr(warnings_of(LOSSLESS("headroom: exact, pause_above: 120KB") FLOWS(2)),
                           "; write switch.pause_above: 60334B"));
}

static void warnings__thresholds_for_more_classes_than_are_used(void **state) {
    (void)state;
    assert_string_equal(
        warnings_of(LOSSLESS("headroom: exact, pause_classes: 4") FLOWS(2)),
        "x.yaml:3:42: warning: switch.pause_classes: room is kept for 4 classes, the workload uses 2, so "
        "they are paused earlier than they need be; write 2, or give flows a priority\n");
    assert_string_equal(warnings_of(LOSSLESS("headroom: exact, pause_classes: 2") FLOWS(2)), "");
}

/* ---- the SYN that a balancer waits for ---- */

#define WAITS(balance, more)                                                                                           \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"                                                     \
    "switch: {balance: " balance ", " balance ": {" more "}}\n"
#define NO_SYN ": no flow begins with a SYN, so all go by ECMP; leave it out, or take a transport of TCP\n"

static void warnings__no_flow_begins_with_a_syn(void **state) {
    (void)state;
    assert_string_equal(warnings_of(WAITS("expeditus", "carry: handshake") "host: {transport: udp}\n" FLOWS(1)),
                        "x.yaml:2:49: warning: switch.expeditus.carry: handshake" NO_SYN);
    assert_string_equal(warnings_of(WAITS("clairvoyant", "trigger: syn") "host: {transport: udp}\n" FLOWS(1)),
                        "x.yaml:2:55: warning: switch.clairvoyant.trigger: syn" NO_SYN);
    assert_string_equal(warnings_of(WAITS("expeditus", "carry: handshake") FLOWS(1)), "");
    assert_string_equal(warnings_of(WAITS("expeditus", "carry: response") "host: {transport: udp}\n" FLOWS(1)), "");
    assert_string_equal(warnings_of(WAITS("clairvoyant", "trigger: syn") FLOWS(1)), "");
}

/* ---- rates ---- */

#define TOO_FAST " longer than they should on average, since times are whole picoseconds; write 8Tbps, or at most 4Tbps"

/* 1,538 B at 20 Tbps take 615.2 ps and 84 B 33.6 ps; both last a part of a picosecond longer. */
static void warnings__rates_that_whole_picoseconds_cannot_tell(void **state) {
    (void)state;
    assert_string_equal(warnings_of(FAR("20Tbps", "1us") FLOWS(1)),
                        "x.yaml:1:38: warning: fabric.rate: at 20Tbps frames of 64 to 1518 B take 0.2 %" TOO_FAST "\n");
    static const char *const fine[] = {FAR("8Tbps", "1us"), FAR("4Tbps", "1us"), FAR("3999Gbps", "1us"),
                                       FAR("1600Gbps", "1us")};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s" FLOWS(1), fine[i]);
        assert_string_equal(warnings_of(text), "");
    }
}

static void rates__above_one_percent_are_refused_at_their_key(void **state) {
    (void)state;
    assert_refused(FAR("100Tbps", "1us") FLOWS(1),
                   "x.yaml:1:38: error: fabric.rate: at 100Tbps frames of 64 to 1518 B take 1.2 %" TOO_FAST);
    assert_refused("fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2, uplink_rate: 100Tbps}\n" FLOWS(1),
                   "x.yaml:1:73: error: fabric.uplink_rate: at 100Tbps frames of 64 to 1518 B take 1.2 %" TOO_FAST);
    assert_refused("fabric: {kind: star, hosts: 2, links: [{match: \"host0.1-*\", rate: 100Tbps}]}\n" FLOWS(1),
                   "x.yaml:1:67: error: fabric.links.0.rate: at 100Tbps frames of 64 to 1518 B take 1.2 %" TOO_FAST);
    assert_refused("fabric: {kind: star, hosts: 2, rate: 80Tbps, failed: [{link: host0.0-leaf0, at: 1us, rate: "
                   "79900Gbps}]}\n" FLOWS(1),
                   "x.yaml:1:92: error: fabric.failed.0.rate: at 79.9Tbps frames of 64 to 1518 B take 1 %" TOO_FAST);
}

/* ---- far pairs ---- */

#define LARGE "workload: {kind: permutation, sizes: 100MB}\n"

static void warnings__first_timeout_below_the_round_trip(void **state) {
    (void)state;
    assert_string_equal(
        warnings_of(FAR("10Gbps", "10ms") FLOWS(1) "host: {newreno: {initial_rto: 39ms}}\n"),
        "x.yaml:4:31: warning: host.newreno.initial_rto: 39ms, but the base round trip of the farthest hosts is 40ms: "
        "first frames are sent again without need; write auto\n");
    assert_string_equal(warnings_of(FAR("10Gbps", "10ms") FLOWS(1) "host: {newreno: {initial_rto: 41ms}}\n"), "");
    assert_string_equal(warnings_of(FAR("10Gbps", "10ms") FLOWS(1)), "");
    assert_non_null(strstr(warnings_of(FAR("10Gbps", "10ms") FLOWS(1) "host: {newreno: {initial_rto: 0s}}\n"),
                           "host.newreno.initial_rto: 10ms, but")); /* min_rto */
    assert_non_null(strstr(warnings_of(FAR("10Gbps", "5us") FLOWS(1) "host: {processing_delay: 10ms, newreno: "
                                                                     "{initial_rto: 10ms}}\n"),
                           "host.newreno.initial_rto: 10ms, but the base round trip of the farthest hosts is 40.02ms"));
}

/* Each of the two timeouts is named at its own key. */
static void warnings__timeout_of_handshakes_below_the_round_trip(void **state) {
    (void)state;
    assert_string_equal(
        warnings_of(FAR("10Gbps", "10ms") FLOWS(1) "host: {newreno: {syn_rto: 39ms}}\n"),
        "x.yaml:4:27: warning: host.newreno.syn_rto: 39ms, but the base round trip of the farthest hosts is 40ms: "
        "handshakes are sent again without need; write at least 40.1ms\n");
    assert_string_equal(warnings_of(FAR("10Gbps", "10ms") FLOWS(1) "host: {newreno: {syn_rto: 40.1ms}}\n"), "");
    assert_string_equal(
        warnings_of(FAR("10Gbps", "10ms") FLOWS(1) "host: {newreno: {initial_rto: 39ms, syn_rto: 41ms}}\n"), "");
    assert_string_equal(
        warnings_of(FAR("10Gbps", "10ms")
                        FLOWS(1) "host: {newreno: {initial_rto: 39ms, syn_rto: 41ms, handshake_sample: false}}\n"),
        "x.yaml:4:31: warning: host.newreno.initial_rto: 39ms, but the base round trip of the farthest hosts is 40ms: "
        "first data is sent again without need; write auto\n");
    assert_string_equal(warnings_of(FAR("1Mbps", "1us") FLOWS(1) "host: {newreno: {handshake_sample: false}}\n"), "");
}

/* Far hosts that have no flows do not matter. */
static void warnings__only_pairs_with_flows(void **state) {
    (void)state;
#define UNEVEN "fabric: {kind: star, hosts: 4, rate: 10Gbps, links: [{match: \"host0.3-*\", delay: 20ms}]}\n"
    assert_string_equal(warnings_of(UNEVEN "workload: {kind: long, src: 0, dst: 1, stop: 1ms}\n"
                                           "host: {newreno: {initial_rto: 10ms}}\n"),
                        "");
    assert_non_null(strstr(warnings_of(UNEVEN "workload: {kind: long, src: 0, dst: host0.3, stop: 1ms}\n"
                                              "host: {newreno: {initial_rto: 10ms}}\n"),
                           "host.newreno.initial_rto: 10ms, but the base round trip of the farthest hosts is 40"));
}

static void warnings__largest_timeout_below_the_round_trip(void **state) {
    (void)state;
    assert_non_null(strstr(warnings_of(FAR("10Gbps", "20s") FLOWS(1)),
                           "host.newreno.max_rto: 60s, but the base round trip of the farthest hosts is 80s: every "
                           "frame is sent again without need; write at least 161s\n"));
    assert_string_equal(warnings_of(FAR("10Gbps", "20s") FLOWS(1) "host: {newreno: {max_rto: 161s}}\n"), "");
}

/* 90 B take 0.72 ms over such a link, 1,538 B 12.3 ms. */
static void warnings__full_frames_on_slow_links(void **state) {
    (void)state;
    assert_non_null(strstr(warnings_of(FAR("1Mbps", "1us") FLOWS(1)),
                           "host.newreno.min_rto: 10ms, but a full frame and its ACK take 25.96ms between the farthest "
                           "hosts: first data is sent again without need; write at least 26ms\n"));
    assert_string_equal(warnings_of(FAR("1Mbps", "1us") FLOWS(1) "host: {newreno: {min_rto: 26ms}}\n"), "");
}

/* 100 Gbps and 400 us: 2 MB are in flight at most. With both values that the warnings name there is none. */
static void warnings__window_and_buffer_below_the_round_trip(void **state) {
    (void)state;
    const char *both = warnings_of(FAR("100Gbps", "100us") LARGE);
    assert_non_null(strstr(both,
                           "host.newreno.receive_window: 2MB, but 4751KB fill the base round trip of the farthest "
                           "hosts, 400.3us at 100Gbps: a flow carries 39970Mbps of payload at most; write at "
                           "least 4760KB\n"));
    assert_non_null(strstr(both, "switch.buffer: 2250KB at 100Gbps, but newreno needs 5003KB to keep a link busy after "
                                 "a loss, with the base round trip of the farthest hosts, 400.3us; write at least "
                                 "5010KB\n"));
    assert_string_equal(warnings_of(FAR("100Gbps", "100us") LARGE
                                    "host: {newreno: {receive_window: 4760KB}}\nswitch: {buffer: 5010KB}\n"),
                        "");
    assert_string_equal(warnings_of(FAR("100Gbps", "100us") FLOWS(1)), ""); /* flows that fit into the window */
    assert_non_null(strstr(warnings_of(FAR("100Gbps", "1ms") LARGE),
                           "16776960B, the most, is not enough: divide the data among several flows\n"));
}

/* Cubic keeps seven tenths of its window, DCTCP marks before it loses, and credits have a window of segments. */
static void warnings__what_each_transport_needs(void **state) {
    (void)state;
    assert_non_null(
        strstr(warnings_of(FAR("100Gbps", "150us") LARGE "host: {transport: cubic, receive_window: 16MB}\n"),
               "but cubic needs 3219KB to keep a link busy"));
    assert_string_equal(warnings_of(FAR("100Gbps", "150us") LARGE "host: {transport: dctcp, receive_window: 16MB}\n"),
                        "");
    assert_non_null(strstr(warnings_of("scheme: expresspass\n" FAR("100Gbps", "1ms") LARGE),
                           "host.expresspass.reorder_window: 4096, but 47470KB fill the base round trip of the "
                           "farthest hosts, 4ms at 100Gbps: a flow carries 11960Mbps of payload at most; write at "
                           "least 32600\n"));
    assert_string_equal(
        warnings_of("scheme: expresspass\n" FAR("100Gbps", "1ms") LARGE "host: {reorder_window: 32600}\n"), "");
}

/* ---- order ---- */

static void warnings__reordering_that_reads_as_loss(void **state) {
    (void)state;
    assert_string_equal(
        warnings_of(LOSSLESS("headroom: exact, pause_classes: 1")
                        FLOWS(1) "host: {newreno: {fast_retransmit: true}}\n"),
        "x.yaml:6:35: warning: host.newreno.fast_retransmit: switch.balance: alb reorders packets, flow "
        "control loses none, and newreno takes reordered packets for lost; write "
        "host.newreno.fast_retransmit: false\n");
    assert_non_null(strstr(warnings_of(LOSSLESS("headroom: exact, pause_classes: 1, balance: spray")
                                           FLOWS(1) "host: {transport: dctcp}\n"),
                           "host.dctcp.fast_retransmit: switch.balance: spray reorders"));
    assert_string_equal(warnings_of(LOSSLESS("headroom: exact, pause_classes: 1, balance: ecmp")
                                        FLOWS(1) "host: {newreno: {fast_retransmit: true}}\n"),
                        "");
    assert_string_equal(warnings_of(LOSSLESS("headroom: exact, pause_classes: 1")
                                        FLOWS(1) "host: {newreno: {fast_retransmit: true, dupack_threshold: 1000}}\n"),
                        "");
    assert_string_equal(
        warnings_of(LOSSLESS("flowctl: none, balance: spray") FLOWS(1) "host: {newreno: {fast_retransmit: true}}\n"),
        "x.yaml:3:34: warning: switch.balance: spray reorders packets, and newreno takes reordered packets for lost: "
        "it sends it again and slows down; write host.newreno.dupack_threshold: 100, or take a transport that "
        "tolerates "
        "it\n");
    assert_string_equal(warnings_of(LOSSLESS("flowctl: none, balance: spray") FLOWS(1) "host: {newreno: "
                                                                                       "{fast_retransmit: false}}\n"),
                        "");
    assert_string_equal(
        warnings_of(STAR "switch: {balance: spray, buffer: 4MB}\nhost: {transport: spraypass}\n" FLOWS(1)), "");
}

/* Fails unless `row` gets this warning under a balancer that reorders; "": none. `row` replaces the row of its name in
 * the table. */
static void assert_order_warning(const struct transport_ops *row, const char *more, const char *warning) {
    char text[512];
    struct diag d = {0}, said[WARNINGS_MAX] = {0};
    snprintf(text, sizeof text, STAR PERMUTATION "host: {transport: %s}\nswitch: {balance: spray, buffer: 4MB%s}\n",
             row->name, more);
    struct experiment *e = read_text(text);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    if (!a) fail_msg("%s: %s", row->name, d.text);
    a->world.hosts.transport[0] = row;
    assembly_warnings(a, &e->run[0].config, said);
    assert_string_equal(said[0].text, warning);
    assembly_free(a);
    experiment_free(e);
}

/* Checks the warning without flow control. `dupacks` is the parameter to raise, "" if the transport has none. */
static void assert_slows_down(const struct transport_ops *row, const char *dupacks) {
    char raise[128] = "", warning[512];
    if (*dupacks) snprintf(raise, sizeof raise, "write host.%s.%s: 100, or ", row->name, dupacks);
    snprintf(warning, sizeof warning,
             "switch.balance: spray reorders packets, and %s takes reordered packets for lost: it sends it again and "
             "slows down; %stake a transport that tolerates it",
             row->name, raise);
    assert_order_warning(row, "", warning);
}

/* Checks the warning with flow control. `fast` is the parameter to set. */
static void assert_needs_not(const struct transport_ops *row, const char *fast) {
    char warning[512];
    snprintf(warning, sizeof warning,
             "host.%s.%s: switch.balance: spray reorders packets, flow control loses none, and %s takes reordered "
             "packets for lost; write host.%s.%s: false",
             row->name, fast, row->name, row->name, fast);
    assert_order_warning(row, ", crossbar: islip, flowctl: pause", warning);
}

static void warnings__reordering_and_the_parameters_of_each_transport(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        const struct transport_base *base = row[i]->base;
        if (base->tolerates_reordering) {
            assert_order_warning(row[i], "", "");
            continue;
        }
        assert_slows_down(row[i], transport_param(row[i], base->dupack_param).name);
        assert_needs_not(row[i], transport_param(row[i], base->fast_retransmit_param).name);
    }
}

/* A row may lack these parameters; then the warning names none, in particular not parameter 0 of another. */
static void warnings__reordering_and_a_transport_without_such_parameters(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        struct transport_ops changed = *row[i];
        struct transport_base base = *row[i]->base;
        changed.base = &base;
        base.tolerates_reordering = false;
        base.dupack_param = 0;
        if (base.fast_retransmit_param) {
            assert_slows_down(&changed, "");
            assert_needs_not(&changed, transport_param(&changed, base.fast_retransmit_param).name);
        }
        base.fast_retransmit_param = 0;
        assert_slows_down(&changed, "");
        base.dupack_param = row[i]->base->dupack_param;
        if (base.dupack_param) assert_slows_down(&changed, transport_param(&changed, base.dupack_param).name);
    }
}

/* A warning that applies to several runs is printed once. */
static void warnings__is_said_once(void **state) {
    (void)state;
    const char *said = warnings_of(LOSSLESS(PRINTED) FLOWS(8) "sweep: {run.seed: [1, 2], "
                                                              "workload.0.sizes: [1KB, 2KB]}\n");
    assert_true(strchr(said, '\n') == said + strlen(said) - 1);
}

/* ---- load ---- */

#define SMALL_FABRIC "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 10Gbps}\n"

/* The ToR uplinks have half the capacity of the hosts, so a load at the hosts is twice as much at the uplinks. */
static void warnings__more_than_the_narrowest_tier_carries(void **state) {
    (void)state;
    assert_string_equal(
        warnings_of(SMALL_FABRIC "workload: {kind: poisson, sizes: 1MB, load: 1.5, load_at: tor-uplink, flows: 50}\n"),
        "x.yaml:2:45: warning: workload: overload: 1.67 of what the ToR uplinks carry is offered, with headers, ACKs "
        "and "
        "credits; flows pile up as long as it lasts, and times depend on when the run ends: offer less\n");
    assert_non_null(strstr(warnings_of(SMALL_FABRIC "workload: {kind: poisson, sizes: 1MB, load: 0.9, load_at: host, "
                                                    "pairs: inter-rack, flows: 50}\n"),
                           "overload: 2.00 of what the ToR uplinks carry"));
    assert_string_equal(warnings_of(SMALL_FABRIC
                                    "workload: {kind: poisson, sizes: 1MB, load: 0.8, load_at: tor-uplink, "
                                    "flows: 50}\n"),
                        "");
}

/* A leaf with two uplinks that loses one, or half the rate of one, is offered 2 or 4/3 of what it was. A failure after the
 * run is none; a repair does not undo that flows piled up. */
static void warnings__what_failures_leave(void **state) {
    (void)state;
#define FAILING(link_) "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 10Gbps, failed: [" link_ "]}\n"
#define OFFERED(load_)                                                                                                 \
    "workload: {kind: poisson, sizes: 1MB, load: " load_ ", load_at: tor-uplink, pairs: inter-rack, flows: 50}\n"
    const char *said = warnings_of(FAILING("{link: leaf1-spine0, at: 1ms, repair_at: 2ms}") OFFERED("0.6"));
    assert_non_null(strstr(
        said, "fabric.failed: from 1ms on 1.33 of what the ToR uplinks of leaf1 carry is offered (0.67 before)"));
    assert_string_equal(warnings_of(FAILING("{link: leaf1-spine0, at: 1ms}") OFFERED("0.4")), "");
    said = warnings_of(FAILING("{link: leaf0-spine1, at: 1ms, rate: 5Gbps}") OFFERED("0.8"));
    assert_non_null(strstr(said, "from 1ms on 1.19 of what the ToR uplinks of leaf0"));
    said = warnings_of(FAILING("{link: leaf1-spine0, at: 90ms}") OFFERED("0.6") "run: {until: 50ms}\n");
    assert_null(strstr(said, "carry is offered"));
}

/* Two pods of four hosts share 10 Gbps between them: their agg uplinks carry a quarter of what hosts do. */
static void warnings__more_than_the_pods_uplinks_carry(void **state) {
    (void)state;
#define TWO_PODS                                                                                                       \
    "fabric: {kind: clos, pods: 2, tors: 2, aggs: 1, cores: 1, hosts: 2, rate: 10Gbps, uplink_rate: 20Gbps, "          \
    "core_rate: 10Gbps}\n"
    const char *said = warnings_of(
        TWO_PODS "workload: {kind: poisson, sizes: 1MB, load: 0.5, load_at: host, pairs: inter-pod, flows: 50}\n");
    assert_non_null(strstr(said, "overload: 2.22 of what the agg uplinks carry"));
    assert_string_equal(
        warnings_of(TWO_PODS
                    "workload: {kind: poisson, sizes: 1MB, load: 0.2, load_at: host, pairs: inter-pod, flows: 50}\n"),
        "");
}

/* The warning names the entry whose load is too high. */
static void warnings__name_the_entry_with_a_load(void **state) {
    (void)state;
    const char *said =
        warnings_of(SMALL_FABRIC "workload:\n  - {kind: permutation, sizes: 1KB}\n"
                                 "  - {kind: poisson, sizes: 1MB, load: 1.5, load_at: tor-uplink, flows: 50}\n");
    assert_int_equal(strncmp(said, "x.yaml:4:39: warning: workload: overload: ", 42), 0);
}

/* Arrivals of a file have a load too, if they are enough to tell one. 10 KB each 10 us from four hosts of a rack are 1.6 of
 * its uplinks' 20 Gbps; with headers (x 1.053) and as many ACKs of 84 B as frames it is 1.78, and 800 arrivals have 799
 * intervals between the first and the last at 990 us (x 1.009). */
static void warnings__arrivals_of_a_file(void **state) {
    (void)state;
    for (int flows = 99; flows <= 800; flows += 701) {
        FILE *out = fopen("arrivals.csv", "w");
        fputs("start_us,src,dst,bytes\n", out);
        for (int i = 0; i < flows; i++)
            fprintf(out, "%d,host%d.%d,host%d.%d,10000\n", i / 8 * 10, i % 2, i / 2 % 4, 1 - i % 2, i / 2 % 4);
        fclose(out);
        const char *said = warnings_of(SMALL_FABRIC "workload: {kind: trace, path: arrivals.csv}\n");
        if (flows < 100) assert_string_equal(said, "");
        if (flows >= 100) assert_non_null(strstr(said, "overload: 1.79 of what the ToR uplinks carry"));
    }
    unlink("arrivals.csv");
}

/* A load of 0.93 in payload is 0.98 with headers; ACKs or credits make it more than the link carries. */
static void warnings__acks_and_credits_are_load(void **state) {
    (void)state;
#define FULL                                                                                                           \
    SMALL_FABRIC "workload: {kind: poisson, sizes: 1MB, load: 0.93, load_at: tor-uplink, pairs: inter-rack, flows: "   \
                 "20}\n"
    assert_non_null(strstr(warnings_of(FULL), "overload: 1.03"));
    assert_non_null(strstr(warnings_of(FULL "host: {transport: expresspass}\nswitch: {ecmp: {hash: symmetric}}\n"),
                           "overload: 1.03"));
    assert_string_equal(warnings_of(FULL "host: {delayed_ack: 4}\n"), "");
    assert_string_equal(warnings_of(FULL "host: {transport: udp}\n"), "");
}

/* ---- keys without an effect ---- */

static const char *effects_of(const char *more) {
    static char text[2048];
    snprintf(text, sizeof text, SMALL_FABRIC "workload: {kind: permutation, sizes: 1KB}\n%s", more);
    return warnings_of(text);
}

/* ---- rounds ---- */

#define INCAST(more) STAR "workload: {kind: incast, sizes: 100KB, senders: 2, receiver: 0, " more "}\n"

/* Two flows of 100 KB keep a link of 10 Gbps busy for 169 us, headers and gaps included. */
static void warnings__rounds_that_cannot_end_in_time(void **state) {
    (void)state;
    assert_string_equal(
        warnings_of(INCAST("rounds: 5, gap: 100us")),
        "x.yaml:2:81: warning: workload.0.gap: rounds overlap: 2 senders fill 10Gbps for 169us, and the "
        "next round begins after 100us; raise it above 169us, or give request: then each round waits for "
        "the one before\n");
    assert_string_equal(warnings_of(INCAST("rounds: 5, gap: 170us")), "");
    assert_string_equal(warnings_of(INCAST("rounds: 5, gap: 100us, request: 1KB")), "");
    assert_null(strstr(warnings_of(INCAST("gap: 100us")), "overlap")); /* one round */
    assert_non_null(strstr(warnings_of(INCAST("rounds: 5")), "the next round begins after 0s"));
}

/* ---- keys without effect ---- */

static void effect__mechanisms_that_no_run_uses(void **state) {
    (void)state;
    assert_string_equal(effects_of("host: {dctcp: {g: 0.1}}\n"),
                        "x.yaml:3:19: warning: host.dctcp.g has no effect: no run has transport=dctcp; leave it out\n");
    assert_string_equal(effects_of("host: {dctcp: {g: 0.1}}\nsweep: {host.transport: [newreno, dctcp]}\n"), "");
    assert_non_null(strstr(effects_of("switch: {expeditus: {dre_period: 1ms}}\n"), "no run has balance=expeditus"));
    assert_string_equal(effects_of("host: {min_rto: 1ms}\n"), ""); /* a key of the transport in use */
    assert_non_null(strstr(effects_of("host: {transport: udp, min_rto: 1ms}\n"), "host.min_rto has no effect"));
}

static void effect__defaults_of_what_is_all_given(void **state) {
    (void)state;
    const char *text = "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 10Gbps, host_rate: 1Gbps, "
                       "uplink_rate: 2Gbps}\nworkload: {kind: permutation, sizes: 1KB}\n";
    assert_string_equal(warnings_of(text),
                        "x.yaml:1:66: warning: fabric.rate has no effect: host_rate, uplink_rate are "
                        "all given; leave it out\n");
    assert_string_equal(warnings_of("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 10Gbps, "
                                    "host_rate: 1Gbps}\nworkload: {kind: permutation, sizes: 1KB}\n"),
                        "");
    assert_non_null(strstr(warnings_of("fabric: {kind: star, hosts: 4, delay: 1us, host_link_delay: 2us}\n"
                                       "workload: {kind: permutation, sizes: 1KB}\n"),
                           "fabric.delay has no effect: host_link_delay is given"));
}

/* A preset is not reported as without effect: it gives settings to the run. */
static void effect__a_preset_has_one(void **state) {
    (void)state;
    assert_string_equal(warnings_of("fabric: {preset: altoona, pods: 2, tors: 2}\n"
                                    "workload: {kind: stride, sizes: 1KB, offset: 1}\n"),
                        "");
}

static void effect__thresholds_that_nobody_asks(void **state) {
    (void)state;
    assert_non_null(strstr(effects_of("switch: {admit: ecn, ecn_threshold: 30KB}\n"),
                           "switch.ecn_threshold has no effect: no transport here is ECN-capable"));
    assert_string_equal(effects_of("switch: {admit: ecn, ecn_threshold: 30KB}\nhost: {ecn: true}\n"), "");
    assert_non_null(
        strstr(effects_of("switch: {ecn_threshold: 30KB, ecn_threshold_per_10g: 40KB}\nhost: {transport: dctcp}\n"),
               "switch.ecn_threshold_per_10g has no effect: switch.ecn_threshold holds at every rate"));
    assert_non_null(strstr(effects_of("host: {delayed_ack_timeout: 1ms}\n"), "no ACK is delayed"));
    assert_string_equal(effects_of("host: {delayed_ack_timeout: 1ms, delayed_ack: 2}\n"), "");
    assert_non_null(strstr(effects_of("measure: {snap: 64B}\n"), "nothing is captured"));
    assert_string_equal(effects_of("measure: {snap: 64B, pcap: [leaf0]}\n"), "");
    assert_non_null(strstr(effects_of("measure: {max_samples: 64}\n"), "no samples are taken"));
    assert_string_equal(effects_of("measure: {max_samples: 64, links: 1ms}\n"), "");
    assert_non_null(
        strstr(effects_of("host: {transport: expresspass}\nswitch: {ecmp: {hash: symmetric}, credit_mark_window: 8}\n"),
               "no transport here has its credits marked"));
    assert_string_equal(
        effects_of("host: {transport: spraypass}\nswitch: {ecmp: {hash: symmetric}, credit_mark_window: 8}\n"), "");
}

/* In a sweep, a key is reported only if it has no effect in any run. */
static void effect__in_one_run_of_a_sweep_is_enough(void **state) {
    (void)state;
    const char *text =
        SMALL_FABRIC "workload: {kind: permutation, sizes: 1KB, priority: 3}\nswitch: {schedule: strict}\n";
    assert_non_null(strstr(warnings_of(text), "workload.0.priority has no effect: ports have one class"));
    assert_string_equal(warnings_of(SMALL_FABRIC "workload: {kind: permutation, sizes: 1KB, priority: 3}\n"
                                                 "switch: {schedule: strict}\nsweep: {switch.classes: [1, 8]}\n"),
                        "");
}

/* Runs that differ in nothing but a key without effect are all the same: the swept key is reported, once, at its first
 * value; not the value in the file that it replaces. */
static void effect__of_a_swept_key(void **state) {
    (void)state;
    static const char no_conga[] =
        " warning: switch.conga-flow.flow_timeout has no effect: no run has balance=conga-flow; "
        "leave it out\n";
    char expected[256];
    snprintf(expected, sizeof expected, "x.yaml:4:48:%s", no_conga);
    assert_string_equal(effects_of("switch: {conga-flow: {flow_timeout: 1ms}}\n"
                                   "sweep: {switch.conga-flow.flow_timeout: [null, 2ms, 3ms]}\n"),
                        expected);
    snprintf(expected, sizeof expected, "x.yaml:3:44:%s", no_conga);
    assert_string_equal(effects_of("sweep: {switch.conga-flow: [{flow_timeout: 1ms}]}\n"), expected);
    assert_string_equal(
        effects_of("sweep: {switch.balance: [ecmp, conga-flow], switch.conga-flow.flow_timeout: [1ms, 2ms]}\n"), "");
    assert_non_null(strstr(effects_of("host: {transport: udp}\nsweep: {host.min_rto: [1ms, 2ms]}\n"),
                           "host.min_rto has no effect"));
    assert_non_null(
        strstr(warnings_of(SMALL_FABRIC "sweep: {workload: [[{kind: permutation, sizes: 1KB, priority: 3}], "
                                        "{kind: permutation, sizes: 1KB}]}\nswitch: {schedule: strict}\n"),
               "workload.0.priority has no effect: ports have one class"));
    assert_string_equal(effects_of("sweep: {run.seed: [1, 2], scheme: [ecmp, expeditus]}\n"), "");
    assert_string_equal(warnings_of("fabric: {kind: fat-tree, k: 4, fail_random: {tier: agg-core, links: 1}}\n"
                                    "workload: {kind: permutation, sizes: 1KB}\n"
                                    "sweep: {fabric.fail_random.links: [1, 2]}\n"),
                        "");
}

/* A lab has the kernel's TCP and takes no samples; the simulator has both. */
static void effect__on_real_frames(void **state) {
    (void)state;
    static const char text[] = "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 100Mbps}\n"
                               "workload: {kind: permutation, sizes: 1KB}\n"
                               "host: {transport: cubic, min_rto: 50ms, receive_window: 64KB, cubic: {sack: false}}\n"
                               "measure: {queues: 1ms, jain: [1ms], watch: [\"leaf0-*\"]}\n";
    assert_string_equal(warnings_in(text, false), "");
    assert_string_equal(warnings_in(text, true),
                        "x.yaml:3:57: warning: host.receive_window has no effect: the kernel's TCP has its own\n"
                        "x.yaml:4:19: warning: measure.queues has no effect: a lab takes no samples\n"
                        "x.yaml:4:31: warning: measure.jain.0 has no effect: a lab takes no samples\n");
}

/* Hosts of a lab have a NIC of heddle if something needs it; it has a queue for each class and pulls from nobody. */
static void effect__on_the_nic_of_real_hosts(void **state) {
    (void)state;
#define ON_LINKS "fabric: {kind: star, hosts: 4, rate: 100Mbps}\nworkload: {kind: permutation, sizes: 1KB}\n"
#define WITHOUT                                                                                                        \
    "without --nic on, hosts have a NIC of heddle only under flow control, with several classes or if it drops "       \
    "(nic_full)\n"
    static const char fifo[] = ON_LINKS "host: {nic: fifo, nic_queue: 15KB}\n";
    static const char lossless[] =
        ON_LINKS "scheme: detail\nhost: {nic: fifo, nic_queue: 15KB}\nswitch: {pause_storm: 1s}\n";
    assert_string_equal(warnings_in(fifo, false), "");
    assert_string_equal(warnings_in(fifo, true), "x.yaml:3:13: warning: host.nic has no effect: " WITHOUT
                                                 "x.yaml:3:30: warning: host.nic_queue has no effect: " WITHOUT);
    assert_string_equal(
        warnings_in(ON_LINKS "host: {nic: fifo, nic_queue: 15KB}\nswitch: {classes: 2, schedule: strict}\n", true), "");
    assert_string_equal(warnings_in(ON_LINKS "host: {nic: fifo, nic_queue: 15KB, nic_full: drop}\n", true), "");
    assert_string_equal(warnings_in(lossless, false), "");
    assert_string_equal(warnings_in(lossless, true),
                        "x.yaml:5:23: warning: switch.pause_storm has no effect: a lab counts no pause storms\n");
    assert_string_equal(warnings_in(ON_LINKS "scheme: detail\nhost: {nic: pull}\n", true),
                        "x.yaml:4:13: warning: host.nic has no effect: the NIC of a lab's host is a fifo\n");
}

/* ---- what cannot work ---- */

static void thresholds__that_cannot_work_are_refused_at_their_key(void **state) {
    (void)state;
    assert_refused(
        LOSSLESS("headroom: exact, buffer: 40KB") FLOWS(1),
        "x.yaml:3:35: error: switch.buffer: 40KB, and switch.islip.reserve of it for each of 7 higher classes, "
        "leave class 0 no room; write switch.buffer: 45876B, or switch.islip.reserve: 5280B");
    assert_refused(
        LOSSLESS("pause_above: 200KB") FLOWS(1),
        "x.yaml:3:23: error: switch.pause_above: the high threshold, 200000 B, is above the ingress queue of 131072 B; "
        "write switch.pause_above: 125870B, or switch.islip.ingress: 206KB");
    assert_refused(
        "scheme: detail\nfabric: {kind: star, hosts: 2, rate: 10Gbps}\nswitch: {headroom: paper, pause_classes: "
        "8}\n" FLOWS(1),
        "x.yaml:3:42: error: switch.pause_classes: 131072 B of ingress queue have no headroom for 8 classes at 10000 "
        "Mbps, where 11900 B may still arrive per class; write scheme: detail-fast, or switch.islip.ingress: 191KB, or "
        "switch.pause_classes: 5");
}

/* ---- by rate (AM-4) ---- */

static const struct crossbar_config *cioq_of(const char *text, struct experiment **e, struct assembly **a) {
    struct diag d = {0};
    *e = read_text(text);
    *a = assembly_create(&(*e)->run[0].config, "", &d);
    if (!*a) fail_msg("%s", d.text);
    return &(*a)->world.switches.cioq;
}

static void preset__queues_grow_with_the_rate(void **state) {
    (void)state;
    static const char *const rates[] = {"1Gbps", "10Gbps", "40Gbps", "100Gbps", "400Gbps"};
    int64_t before = 0;
    for (int i = 0; i < 5; i++) {
        char text[256];
        struct experiment *e;
        struct assembly *a;
        snprintf(text, sizeof text, "scheme: detail-fast\nfabric: {kind: star, hosts: 4, rate: %s}\n" FLOWS(1),
                 rates[i]);
        const struct crossbar_config *s = cioq_of(text, &e, &a);
        const struct flowctl_params *flow = &a->world.switches.flow.params;
        assert_int_equal(flow->classes, 2);
        assert_int_equal(flow->buffer_bytes, s->ingress_bytes);
        if (i == 0) assert_int_equal(s->ingress_bytes, 131072);
        if (i > 1) assert_true(s->ingress_bytes > before);
        before = s->ingress_bytes;
        assembly_free(a);
        experiment_free(e);
    }
    refuse("scheme: detail-fast\n" STAR "switch: {islip: {ingress: 200KB}}\n" FLOWS(1),
           "x.yaml:3:27: error: switch.islip.ingress: switch.pause_preset: by-rate computes it; leave out one of "
           "them");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(warnings__the_papers_thresholds_with_eight_classes),
        UNIT(thresholds__for_fewer_classes_than_are_used_are_refused),
        UNIT(warnings__thresholds_for_more_classes_than_are_used),
        UNIT(warnings__no_flow_begins_with_a_syn),
        UNIT(warnings__rates_that_whole_picoseconds_cannot_tell),
        UNIT(rates__above_one_percent_are_refused_at_their_key),
        UNIT(warnings__first_timeout_below_the_round_trip),
        UNIT(warnings__timeout_of_handshakes_below_the_round_trip),
        UNIT(warnings__only_pairs_with_flows),
        UNIT(warnings__largest_timeout_below_the_round_trip),
        UNIT(warnings__full_frames_on_slow_links),
        UNIT(warnings__window_and_buffer_below_the_round_trip),
        UNIT(warnings__what_each_transport_needs),
        UNIT(warnings__reordering_that_reads_as_loss),
        UNIT(warnings__reordering_and_the_parameters_of_each_transport),
        UNIT(warnings__reordering_and_a_transport_without_such_parameters),
        UNIT(warnings__is_said_once),
        UNIT(warnings__more_than_the_narrowest_tier_carries),
        UNIT(warnings__what_failures_leave),
        UNIT(warnings__more_than_the_pods_uplinks_carry),
        UNIT(warnings__name_the_entry_with_a_load),
        UNIT(warnings__acks_and_credits_are_load),
        UNIT(warnings__arrivals_of_a_file),
        UNIT(warnings__rounds_that_cannot_end_in_time),
        UNIT(effect__mechanisms_that_no_run_uses),
        UNIT(effect__defaults_of_what_is_all_given),
        UNIT(effect__a_preset_has_one),
        UNIT(effect__thresholds_that_nobody_asks),
        UNIT(effect__in_one_run_of_a_sweep_is_enough),
        UNIT(effect__of_a_swept_key),
        UNIT(effect__on_real_frames),
        UNIT(effect__on_the_nic_of_real_hosts),
        UNIT(thresholds__that_cannot_work_are_refused_at_their_key),
        UNIT(preset__queues_grow_with_the_rate),
    };
    return RUN_UNITS(tests);
}
