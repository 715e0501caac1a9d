/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/schedule/schedules.h"
#include "study/assemble/assemble.h"

#include "assembly_test.h"

#include <stdio.h>
#include <unistd.h>

#define FAT_TREE "fabric: {kind: fat-tree, k: 4}\n"
#define LEAF_SPINE "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"

/* ---- what cannot be ---- */

static void assembly_create__a_class_reserves_at_most_its_share(void **state) {
    (void)state;
#define RESERVED(bytes)                                                                                                \
    "fabric: {kind: star, hosts: 2}\nswitch: {classes: 4, schedule: strict, buffer: 100KB, class_reserve: " bytes      \
    "}\n"                                                                                                              \
    "workload: [{kind: permutation, sizes: 10KB}]\n"
    assembly_free(assemble(RESERVED("25000B")));
    impossible(RESERVED("25001B"),
               "x.yaml:2:70: error: switch.class_reserve: 4 classes cannot have that much each of switch.buffer; "
               "write at most 25000B");
#undef RESERVED
}

/* The default buffer exceeds the marking threshold of DCTCP at every rate; a buffer in the file applies to every
 * port. */
static void assembly_create__a_crossbar_has_a_reserve_of_its_own(void **state) {
    (void)state;
#define CROSSBAR(key)                                                                                                  \
    "fabric: {kind: star, hosts: 2}\nswitch: {crossbar: islip, classes: 4, schedule: strict, " key "}\n"               \
    "workload: {kind: permutation, sizes: 1MB}\n"
    assembly_free(assemble(CROSSBAR("class_reserve: 0B")));
    assembly_free(assemble(CROSSBAR("islip: {reserve: 8KB}")));
    refuse(CROSSBAR("class_reserve: 8KB"),
           "x.yaml:2:72: error: switch.class_reserve: with crossbar: islip the reserve is switch.islip.reserve; leave "
           "out one of them");
#undef CROSSBAR
}

static void assembly_create__the_board_has_the_epoch_of_its_balancer(void **state) {
    (void)state;
#define BOARD(keys) "fabric: {kind: star, hosts: 2}\nswitch: {" keys "}\nworkload: {kind: permutation, sizes: 1MB}\n"
    static const struct {
        const char *text;
        span_ps epoch;
    } row[] = {{BOARD("balance: clairvoyant"), PS_PER_US},
               {BOARD("balance: clairvoyant, clairvoyant: {epoch: 20us}"), 20 * PS_PER_US},
               {BOARD("balance: ecmp"), 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct assembly *a = assemble(row[i].text);
        assert_int_equal(a->world.board_epoch, row[i].epoch);
        assembly_free(a);
    }
#undef BOARD
}

static void assembly_create__default_buffers_scale_with_the_rate(void **state) {
    (void)state;
    static const int gbps[] = {1, 10, 25, 40, 100, 400};
    for (size_t i = 0; i < sizeof gbps / sizeof *gbps; i++) {
        char text[256];
        snprintf(text, sizeof text, "scheme: dctcp\nfabric: {kind: star, hosts: 4, rate: %dGbps}\n" PERMUTATION,
                 gbps[i]);
        struct assembly *a = assemble(text);
        const struct switch_config *s = &a->world.switches;
        int64_t rate = gbps[i] * 1000000000LL, buffer = switch_buffer_at(s, rate);
        assert_int_equal(buffer, gbps[i] > 10 ? gbps[i] * 22500 : 225000);
        assert_true(s->admit.ecn_bytes_per_10g * gbps[i] / 10 < buffer);
        assembly_free(a);
    }
    struct assembly *a =
        assemble("fabric: {kind: star, hosts: 4, rate: 100Gbps}\n" PERMUTATION "switch: {buffer: 225KB}\n");
    assert_int_equal(switch_buffer_at(&a->world.switches, 100000000000), 225000);
    assembly_free(a);
}

/* K is 65 frames per 10 Gbps, so 40 Gbps need more than this buffer. */
static void assembly_create__a_buffer_that_fills_before_it_marks(void **state) {
    (void)state;
    impossible(
        "fabric: {kind: star, hosts: 4, rate: 40Gbps}\n" PERMUTATION "switch: {admit: ecn, buffer: 384500B}\n",
        "x.yaml:3:30: error: switch.buffer: 384500B fill before ports of 40Gbps mark, above 399880B; senders need room "
        "above the threshold until they react; write switch.ecn_threshold_per_10g: 32KB, a third of the buffer, or "
        "switch.buffer: 1.2MB");
    impossible(
        STAR PERMUTATION "switch: {admit: ecn, ecn_threshold: 30KB, buffer: 30KB}\n",
        "x.yaml:3:51: error: switch.buffer: 30KB fill before ports of 10Gbps mark, above 30KB; senders need room above "
        "the "
        "threshold until they react; write switch.ecn_threshold: 10KB, a third of the buffer, or switch.buffer: 90KB");
}

static void assembly_create__a_load_on_a_tier_that_does_not_exist(void **state) {
    (void)state;
    impossible(STAR "workload:\n  - {kind: poisson, sizes: 1KB, load: 0.5, load_at: agg-uplink, flows: 5}\n",
               "x.yaml:3:12: error: load_at: agg-uplink: this fabric has no such tier; it has: host");
}

static void assembly_create__arrivals_or_flows_without_end(void **state) {
    (void)state;
    impossible(
        STAR "workload:\n  - {kind: poisson, sizes: 1KB, load: 0.5, load_at: host}\n",
        "x.yaml:3:5: error: workload.0.flows: these arrivals never end; give flows: N or stop here, or run.until");
    impossible(STAR "workload:\n  - {kind: long}\n",
               "x.yaml:3:5: error: workload.0.stop: these flows never end; give stop here or run.until");
    impossible(STAR "workload:\n  - {kind: long, transport: udp, rate: 1Gbps}\n",
               "x.yaml:3:5: error: workload.0.stop: these flows never end; give stop here or run.until");
}

static void assembly_create__a_balancer_that_does_not_fit(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(FAT_TREE PERMUTATION "switch: {balance: conga-flow}\n");
    assert_null(assembly_create(&e->run[0].config, "", &d));
    assert_int_equal(d.line, 3);
    assert_int_equal(d.col, 19);
    assert_non_null(strstr(d.text, "leaf-spine"));
    experiment_free(e);
}

static void assembly_create__more_failures_than_links(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e =
        read_text("fabric:\n  kind: fat-tree\n  k: 4\n  fail_random: {tier: agg-core, links: 17}\n" PERMUTATION);
    assert_null(assembly_create(&e->run[0].config, "", &d));
    assert_string_equal(d.file, "x.yaml");
    assert_int_equal(d.line, 4);
    assert_non_null(strstr(d.text, "16"));
    experiment_free(e);
}

static void assembly_create__an_unknown_link(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e =
        read_text("fabric:\n  kind: fat-tree\n  k: 4\n  failed: [{link: agg0.1-core9.0}]\n" PERMUTATION);
    assert_null(assembly_create(&e->run[0].config, "", &d));
    assert_int_equal(d.line, 4);
    assert_int_equal(d.col, 19);
    experiment_free(e);
}

static void assembly_create__names_of_hosts_nodes_and_groups(void **state) {
    (void)state;
    impossible(
        STAR "workload: [{kind: incast, sizes: 1KB, receiver: host0.9}]\n",
        "x.yaml:2:49: error: workload.0.receiver: there is no host 'host0.9'; they are host0.0 to host0.3, or 0 to 3");
    impossible(FAT_TREE "workload: [{kind: permutation, sizes: 1KB, among: [pod0, pod7]}]\n",
               "x.yaml:2:58: error: workload.0.among.1: there is no 'pod7' here; they are pod0 to pod3");
    impossible(LEAF_SPINE "workload: [{kind: permutation, sizes: 1KB, among: [pod0]}]\n",
               "x.yaml:2:52: error: workload.0.among.0: there is no 'pod0' here; they are leaf0 to leaf1");
    impossible(STAR PERMUTATION "measure: {pcap: [tor0.0]}\n",
               "x.yaml:3:18: error: there is no node 'tor0.0'; the first switch is leaf0");
    impossible(STAR PERMUTATION "measure: {flow: [3, 4]}\n",
               "x.yaml:3:21: error: there is no flow 4; they are numbered 0 to 3");
    impossible(STAR "workload: [{kind: long, src: 0}]\nrun: {until: 1ms}\n",
               "x.yaml:2:12: error: workload.0.dst: give both src and dst, or neither");
}

static void assembly_create__shuffle(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR "workload: [{kind: shuffle, sizes: 1KB, tasks: 3, within: 5us, start: 2us}]\n");
    assert_int_equal(a->flows.n, 4 * 3 * 3 * 3);
    assert_int_equal(a->workload[0].within, 5 * PS_PER_US);
    assert_in_range(a->flows.flow[0].start, 2 * PS_PER_US, 7 * PS_PER_US - 1);
    assembly_free(a);
    a = assemble(STAR "workload: [{kind: shuffle, sizes: 1KB}]\n");
    assert_int_equal(a->flows.n, 4 * 3);
    assert_int_equal(a->workload[0].within, PS_PER_MS);
    assembly_free(a);
    impossible(STAR "workload: [{kind: shuffle, sizes: 1KB, tasks: 1000000}]\n",
               "x.yaml:2:19: error: tasks: 1000000 on each of 4 hosts make more than 4294967295 flows; lower it");
}

static void assembly_create__sizes_are_needed_and_read(void **state) {
    (void)state;
    impossible(STAR "workload: [{kind: permutation}]\n", "x.yaml:2:12: error: workload.0.sizes: it is missing; give a "
                                                         "distribution such as web-search, a size such as 1MB, "
                                                         "or a file");
    struct diag d = {0};
    FILE *f = fopen("assemble.cdf", "w");
    fputs("1000 0\n2000 0.5\n1500 1\n", f);
    fclose(f);
    struct experiment *e = read_text(STAR "workload: [{kind: permutation, sizes: assemble.cdf}]\n");
    assert_null(assembly_create(&e->run[0].config, "", &d));
    assert_non_null(strstr(d.file, "assemble.cdf"));
    assert_int_equal(d.line, 3);
    experiment_free(e);
    unlink("assemble.cdf");
}

static void assembly_create__nothing_to_do(void **state) {
    (void)state;
    impossible(STAR, "x.yaml:1:16: error: there is no workload; give workload: [{kind: ...}]");
}

static void assembly_create__measured_parts_and_classes(void **state) {
    (void)state;
    impossible(STAR PERMUTATION "measure: {starts: [80%, 20%]}\n",
               "x.yaml:3:20: error: measure.starts: write two shares of the arrivals, [20%, 80%]");
    impossible(STAR PERMUTATION "switch: {classes: 2}\n", "x.yaml:3:19: error: switch.classes: fifo has one class; "
                                                          "write switch.schedule: strict, or switch.schedule: drr");
}

static void assembly_create__failures_that_leave_no_way(void **state) {
    (void)state;
    impossible(
        "fabric:\n  kind: leaf-spine\n  leaves: 2\n  spines: 2\n  hosts: 2\n"
        "  fail_random: {tier: leaf-spine, links: 4}\nworkload: [{kind: stride, sizes: 1KB}]\n",
        "x.yaml:6:23: error: with these failures there is never a path from host0.0 to host1.0, as flow 0 needs; "
        "have fewer, or repair_at, or run.until");
    assembly_free(assemble("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, fail_random: {tier: leaf-spine, "
                           "links: 4, repair_at: 1ms}}\nworkload: [{kind: stride, sizes: 1KB}]\n"));
}

static void assembly_create__links_have_the_names_of_their_fabric(void **state) {
    (void)state;
    impossible("fabric: {kind: fat-tree, k: 4, fail_random: {tier: leaf-spine, links: 1}}\n" PERMUTATION,
               "x.yaml:1:52: error: this fabric has no leaf-spine links; its uplinks are tor-agg");
    impossible("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, fail_random: {tier: tor-agg, links: "
               "1}}\n" PERMUTATION,
               "x.yaml:1:80: error: this fabric has no tor-agg links; its uplinks are leaf-spine");
}

static void assembly_create__an_override_must_change_something(void **state) {
    (void)state;
    impossible("fabric: {kind: star, hosts: 4, links: [{match: 'host0.1-*'}]}\n" PERMUTATION,
               "x.yaml:1:48: error: fabric.links.0 changes nothing; give rate, delay or loss");
}

static void assembly_create__queues_hold_a_full_frame(void **state) {
    (void)state;
    impossible(STAR PERMUTATION "switch: {buffer: 1500B}\n",
               "x.yaml:3:18: error: switch.buffer: no full frame of newreno fits in; write at least 1518B");
    impossible(STAR PERMUTATION "host: {nic: fifo, nic_queue: 2KB, mss: 8960B}\n",
               "x.yaml:3:30: error: host.nic_queue: no full frame of newreno fits in; write at least 9018B");
    impossible(STAR PERMUTATION "host: {mss: 8960B}\nswitch: {crossbar: islip, islip: {ingress: 4KB}}\n",
               "x.yaml:4:44: error: switch.islip.ingress: no full frame of newreno fits in; write at least 9018B");
    assembly_free(assemble(STAR PERMUTATION "switch: {buffer: 1518B}\n"));
}

static void assembly_create__queues_of_the_nic(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR PERMUTATION "host: {nic: fifo, nic_queue: 100 frames, processing_delay: 0us}\n");
    assert_int_equal(a->world.hosts.nic_queue_frames, 100);
    assembly_free(a);
    a = assemble(STAR PERMUTATION "host: {nic: fifo, nic_queue: 20KB, processing_delay: 2us}\n");
    assert_int_equal(a->world.hosts.processing_delay, 2 * PS_PER_US);
    assembly_free(a);
    impossible(STAR PERMUTATION "host: {nic: fifo, nic_queue: 100 frames, processing_delay: 2us}\n",
               "x.yaml:3:13: error: host.nic: counted in frames the queues of fifo have no place for "
               "host.processing_delay; write pull");
    impossible(STAR PERMUTATION "switch: {schedule: strict, classes: 2}\n"
                                "host: {nic: fifo, processing_delay: 2us}\n",
               "x.yaml:4:13: error: host.nic: with several switch.classes the queues of fifo have no place for "
               "host.processing_delay; write pull");
}

/* ---- what comes out ---- */

static void assembly_create__links_in_a_row_are_uplinks(void **state) {
    (void)state;
    static const char *const kinds[] = {"kind: dumbbell, pairs: 2", "kind: parking-lot, bottlenecks: 2"};
    for (size_t i = 0; i < 2; i++) {
        char text[200];
        snprintf(text, sizeof text, "fabric: {%s, uplink_rate: 1Gbps, uplink_delay: 7us}\n" PERMUTATION, kinds[i]);
        struct assembly *a = assemble(text);
        const struct place *leaf0 = &a->fabric->place[0];
        const struct place_port *last = &leaf0->port[leaf0->n_ports - 1];
        assert_int_equal(last->rate_bps, 1000000000);
        assert_int_equal(last->delay, 7 * PS_PER_US);
        assert_int_equal(leaf0->port[0].rate_bps, 10000000000);
        assert_int_equal(a->fabric_spec.core_bps, 10000000000); /* a kind may have both */
        assert_int_equal(a->fabric_spec.core_delay, 2 * PS_PER_US);
        assembly_free(a);
    }
}

static void assembly_create__a_trace_may_name_hosts(void **state) {
    (void)state;
    FILE *f = fopen("names.csv", "w");
    fputs("start,source,destination,bytes\n1us,host0.1,host0.3,10KB\n", f);
    fclose(f);
    struct assembly *a = assemble(STAR "workload: [{kind: trace, path: names.csv}]\n");
    assert_int_equal(a->flows.n, 1);
    assert_int_equal(a->flows.flow[0].src, 1);
    assert_int_equal(a->flows.flow[0].dst, 3);
    assembly_free(a);
    unlink("names.csv");
}

static void assembly_create__fills_the_world(void **state) {
    (void)state;
    struct assembly *a =
        assemble("fabric: {kind: leaf-spine, leaves: 2, spines: 3, hosts: 4, host_rate: 10Gbps, uplink_rate: 40Gbps, "
                 "delay: 1us}\n"
                 "switch: {balance: conga-flow, buffer: 100KB, schedule: strict, classes: 3}\n"
                 "host: {transport: cubic, min_rto: 1ms, nic: fifo, nic_queue: 20KB}\n"
                 "workload:\n  - {kind: permutation, sizes: 1KB, priority: 2}\n"
                 "  - {kind: long, transport: udp, rate: 1Gbps, src: host0.1, dst: 5, start: 3us}\n"
                 "run: {seed: 9, until: 1ms}\nmeasure: {from: 1us, starts: [10%, 90%], queues: 5us, flow: [2]}\n");
    const struct world_config *w = &a->world;
    assert_int_equal(a->fabric->n_hosts, 8);
    assert_string_equal(w->switches.balance->name, "conga-flow");
    assert_int_equal(w->switches.buffer_bytes, 100000);
    assert_ptr_equal(w->switches.port.schedule.ops, &schedule_strict);
    assert_int_equal(w->switches.port.classes, 3);
    assert_int_equal(w->hosts.n_transports, 2);
    assert_string_equal(w->hosts.transport[0]->name, "cubic");
    assert_string_equal(w->hosts.transport[1]->name, "udp");
    assert_int_equal(w->hosts.nic, NIC_FIFO);
    assert_int_equal(w->hosts.nic_queue_bytes, 20000);
    assert_int_equal(w->hosts.nic_queue_frames, 0);
    assert_int_equal(w->seed, 9);
    assert_int_equal(w->until, PS_PER_MS);
    assert_int_equal(w->measure.arrivals.starts_to_ppb, PPB * 9 / 10);
    assert_int_equal(w->measure.flow[0], 2);
    assert_int_equal(a->flows.n, 9);
    const struct flow *last = &a->flows.flow[8];
    assert_int_equal(last->src, 1);
    assert_int_equal(last->dst, 5);
    assert_int_equal(last->transport, 1);
    assert_int_equal(last->rate_bps, 1000000000);
    assert_int_equal(a->flows.flow[0].priority, 2);
    assembly_free(a);
}

static void assembly_create__wire_bytes_of_a_full_frame(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR PERMUTATION);
    assert_int_equal(a->workload[0].payload_full_bytes, 1460);
    assert_int_equal(a->workload[0].wire_full_bytes, 1538);
    assembly_free(a);
}

static void assembly_create__marking(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR PERMUTATION "switch: {admit: ecn}\n");
    assert_int_equal(a->world.switches.admit.ecn_bytes, 0);
    assert_int_equal(a->world.switches.admit.ecn_bytes_per_10g, 99970);
    assembly_free(a);
    a = assemble(STAR PERMUTATION "switch: {admit: ecn, ecn_threshold: 30KB}\n");
    assert_int_equal(admit_limits_of(&a->world.switches.admit, 225000, 40000000000).mark_bytes, 30000);
    assembly_free(a);
    a = assemble(STAR PERMUTATION);
    assert_int_equal(a->world.switches.admit.ecn_bytes + a->world.switches.admit.ecn_bytes_per_10g, 0);
    assembly_free(a);
}

/* Assembles one transport for all hosts and another for one entry of the workload; ports mark as both need. */
static struct assembly *assemble_two(const char *all, const char *entry) {
    char text[512];
    snprintf(text, sizeof text,
             STAR "host: {transport: %s}\nworkload:\n  - {kind: permutation, sizes: 1KB}\n"
                  "  - {kind: permutation, sizes: 1KB, transport: %s}\n",
             all, entry);
    return assemble(text);
}

static void assembly_create__marking_for_every_transport(void **state) {
    (void)state;
    static const char *const pair[][2] = {{"expresspass", "dctcp"}, {"dctcp", "expresspass"}, {"newreno", "dctcp"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct assembly *a = assemble_two(pair[i][0], pair[i][1]);
        assert_int_equal(a->world.switches.admit.ecn_bytes_per_10g, 65 * 1538);
        assert_int_equal(a->world.switches.admit.phantom_bytes_per_10g, 0);
        assert_int_equal(a->world.switches.credit.on, i < 2);
        assembly_free(a);
    }
    struct assembly *a = assemble_two("spraypass", "hull");
    assert_int_equal(a->world.switches.admit.phantom_bytes_per_10g, 10000);
    assert_int_equal(a->world.switches.admit.ecn_bytes_per_10g, 0);
    assert_true(a->world.switches.credit.on && a->world.switches.credit.mark_window > 0);
    assembly_free(a);
}

/* An entry without brackets, whose transport makes a key of marking apply. */
static void assembly_create__marking_for_a_single_entry(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR "switch: {ecn_threshold: 30KB}\nhost: {transport: expresspass}\n"
                                       "workload: {kind: permutation, sizes: 1KB, transport: dctcp}\n");
    assert_int_equal(a->world.switches.admit.ecn_bytes, 30000);
    assembly_free(a);
}

/* A flow that no path will ever serve would keep a run without an end going for ever. */
static void assembly_create__a_rack_cut_off_for_good(void **state) {
    (void)state;
#define CUT_OFF(more)                                                                                                  \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 1, failed: [{link: leaf0-spine0" more "}]}\n"
#define ACROSS "workload: {kind: permutation, sizes: 1KB}\n"
    impossible(
        CUT_OFF("") ACROSS,
        "x.yaml:1:76: error: with these failures there is never a path from host0.0 to host1.0, as flow 0 needs; "
        "have fewer, or repair_at, or run.until");
    assembly_free(assemble(CUT_OFF("") ACROSS "run: {until: 2ms}\n"));
    assembly_free(assemble(CUT_OFF(", repair_at: 2ms") ACROSS));
}

/* Ports mark by their queue or by a phantom queue. If transports need both, the experiment must choose. */
static void assembly_create__two_ways_of_marking(void **state) {
    (void)state;
    const char *both = "workload:\n  - {kind: permutation, sizes: 1KB}\n"
                       "  - {kind: permutation, sizes: 1KB, transport: hull}\n";
    char text[512];
    snprintf(text, sizeof text, STAR "host: {transport: dctcp}\n%s", both);
    impossible(text, "x.yaml:1:1: error: dctcp needs switch.admit: ecn, hull needs phantom; write one of them");
    snprintf(text, sizeof text, STAR "host: {transport: dctcp}\nswitch: {admit: ecn}\n%s", both);
    struct assembly *a = assemble(text);
    assert_int_equal(a->world.switches.admit.ecn_bytes_per_10g, 99970);
    assert_int_equal(a->world.switches.admit.phantom_bytes_per_10g, 0);
    assembly_free(a);
}

static void assembly_memory_check__more_than_the_machine_has(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(STAR PERMUTATION);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    uint64_t one = world_memory_foreseen(&a->world, 1);
    assert_true(assembly_memory_check(&e->run[0].config, one, 1, 1, &d));
    assert_false(assembly_memory_check(&e->run[0].config, one, UINT32_MAX, 1, &d));
    assert_int_equal(d.line, 1);
    assert_non_null(strstr(d.text, "lower --jobs"));
    assert_false(assembly_memory_check(&e->run[0].config, one, UINT32_MAX, 2, &d));
    assert_non_null(strstr(d.text, "for each of 4294967295 ranks here, but this machine has "));
    assert_non_null(strstr(d.text, "take fewer ranks on each machine"));
    e->run[0].config.force = true;
    assert_true(assembly_memory_check(&e->run[0].config, one, UINT32_MAX, 1, &d));
    assembly_free(a);
    experiment_free(e);
}

/* Each workload has more flows than memory holds, and is refused before the first flow is made. */
static void assembly_create__flows_are_foreseen_before_they_are_made(void **state) {
    (void)state;
#define MADE "; the memory for all flows is about "
    static const char *const workload[] = {
        "workload: [{kind: poisson, load: 0.5, load_at: host, sizes: 1KB, flows: 4000000000}]",
        "workload: [{kind: poisson, load: 0.5, load_at: host, sizes: 1KB}]\nrun: {until: 1000s}",
        "workload: [{kind: shuffle, sizes: 1KB, tasks: 8000}]",
        "workload: [{kind: query, responses: [2KB], queries: 2000000000, schedule: {for: 1ms, rate: 2000/s}}]",
        "workload: [{kind: background, sizes: 1KB}]\nrun: {until: 1000s}",
    };
    for (size_t i = 0; i < sizeof workload / sizeof *workload; i++) {
        char text[512];
        struct diag d = {0};
        snprintf(text, sizeof text, "fabric: {kind: star, hosts: 8}\n%s\n", workload[i]);
        struct experiment *e = read_text(text);
        assert_null(assembly_create(&e->run[0].config, "", &d));
        assert_int_equal(d.line, 2);
        if (!strstr(d.text, MADE) || !strstr(d.text, "--force")) fail_msg("%s", d.text);
        experiment_free(e);
    }
}

/* ---- queries ---- */

#define ASKS "workload: [{kind: query, schedule: {for: 1ms, rate: 2000/s}, responses: [2KB, 8KB], "

static void assembly_create__queries(void **state) {
    (void)state;
    struct assembly *a = assemble(LEAF_SPINE ASKS "queries: 10, priorities: [1, 6]}]\n");
    const struct workload_spec *s = &a->workload[0];
    assert_int_equal(s->request_bytes, 1460);
    assert_int_equal(s->n_phases, 1);
    assert_int_equal(s->schedule[0].span, PS_PER_MS);
    assert_int_equal(s->schedule[0].per_1000_s, 2000000);
    assert_int_equal(s->placement, PLACEMENT_ALL);
    assert_int_equal(s->priorities[1], 6);
    assert_false(s->persistent);
    assert_int_equal(s->handshake_wire_bytes, 180);
    assert_int_equal(s->ack_every, 1);
    assert_int_equal(a->flows.n_queries, 10);
    assert_int_equal(a->world.measure.query_classes.n_sizes, 2);
    assert_int_equal(a->world.measure.query_classes.size[0], 2000);
    assembly_free(a);
    a = assemble(LEAF_SPINE
                 "workload: [{kind: web-partition, schedule: {for: 1ms, rate: 9/s}, responses: 2KB, fanout: 1, "
                 "queries: 3, clients: [host0.1, 3], connections: persistent}]\n");
    s = &a->workload[0];
    assert_int_equal(s->placement, PLACEMENT_ALTERNATE);
    assert_true(s->persistent);
    assert_int_equal(s->n_clients, 2);
    assert_int_equal(s->client[0], 1);
    assert_int_equal(s->client[1], 3);
    assembly_free(a);
    a = assemble(LEAF_SPINE "host: {delayed_ack: 2}\n" ASKS "queries: 10}]\n");
    assert_int_equal(a->workload[0].ack_every, 2); /* counted by the load on the wire (AM-6) */
    assembly_free(a);
}

static void assembly_create__queries_that_cannot_be(void **state) {
    (void)state;
    impossible(LEAF_SPINE ASKS "request: 1KB}]\n",
               "x.yaml:2:19: error: these queries never end; give queries: N or stop here, or run.until");
    impossible(LEAF_SPINE "workload: [{kind: query, responses: 2KB, queries: 3}]\n",
               "x.yaml:2:19: error: schedule: it is missing; give schedule: [{for: 1s, rate: 2000/s}], say");
    impossible(LEAF_SPINE ASKS "queries: 3, servers: [host9]}]\n",
               "x.yaml:2:107: error: workload.0.servers.0: there is no host 'host9'; they are host0.0 to host1.1, or 0 "
               "to 3");
    impossible(LEAF_SPINE "workload: [{kind: incast, total: 1MB, sizes: 1MB}]\n",
               "x.yaml:2:46: error: workload.0.sizes: `total` says what is sent; leave `sizes` or `total` out");
    impossible(LEAF_SPINE "workload: [{kind: background, sizes: 1MB}]\n",
               "x.yaml:2:19: error: these flows follow each other for ever; give stop here, or run.until");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(assembly_create__default_buffers_scale_with_the_rate),
        UNIT(assembly_create__a_buffer_that_fills_before_it_marks),
        UNIT(assembly_create__a_load_on_a_tier_that_does_not_exist),
        UNIT(assembly_create__arrivals_or_flows_without_end),
        UNIT(assembly_create__a_balancer_that_does_not_fit),
        UNIT(assembly_create__more_failures_than_links),
        UNIT(assembly_create__an_unknown_link),
        UNIT(assembly_create__names_of_hosts_nodes_and_groups),
        UNIT(assembly_create__shuffle),
        UNIT(assembly_create__sizes_are_needed_and_read),
        UNIT(assembly_create__nothing_to_do),
        UNIT(assembly_create__measured_parts_and_classes),
        UNIT(assembly_create__failures_that_leave_no_way),
        UNIT(assembly_create__links_have_the_names_of_their_fabric),
        UNIT(assembly_create__an_override_must_change_something),
        UNIT(assembly_create__queues_hold_a_full_frame),
        UNIT(assembly_create__queues_of_the_nic),
        UNIT(assembly_create__links_in_a_row_are_uplinks),
        UNIT(assembly_create__a_trace_may_name_hosts),
        UNIT(assembly_create__fills_the_world),
        UNIT(assembly_create__wire_bytes_of_a_full_frame),
        UNIT(assembly_create__marking),
        UNIT(assembly_create__marking_for_every_transport),
        UNIT(assembly_create__marking_for_a_single_entry),
        UNIT(assembly_create__a_rack_cut_off_for_good),
        UNIT(assembly_create__two_ways_of_marking),
        UNIT(assembly_memory_check__more_than_the_machine_has),
        UNIT(assembly_create__flows_are_foreseen_before_they_are_made),
        UNIT(assembly_create__a_class_reserves_at_most_its_share),
        UNIT(assembly_create__a_crossbar_has_a_reserve_of_its_own),
        UNIT(assembly_create__the_board_has_the_epoch_of_its_balancer),
        UNIT(assembly_create__queries),
        UNIT(assembly_create__queries_that_cannot_be),
    };
    return RUN_UNITS(tests);
}
