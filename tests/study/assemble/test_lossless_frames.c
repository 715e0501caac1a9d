/* SPDX-License-Identifier: Apache-2.0 */
/* Flow control is lossless for the largest frame that the transports send. Headroom and the room at the egress and
 * in the NIC follow from that frame, at every rate. If a buffer is too small, the experiment is refused with the
 * remedy. */
#include "study/assemble/assemble.h"

#include "assembly_test.h"

#include <stdio.h>

#define BURSTS                                                                                                         \
    "workload: [{kind: incast, senders: 15, sizes: 400KB, rounds: 2, gap: 1ms}, {kind: permutation, sizes: 1MB}]\n"
#define FABRIC(rate) "fabric: {kind: leaf-spine, leaves: 4, spines: 2, hosts: 4, delay: 500ns, rate: " rate "}\n"

/* Runs the experiment; fails unless all flows end, classes are paused and nothing is lost. */
static void assert_lossless(const char *text) {
    struct run_result r;
    struct assembly *a = assemble(text);
    if (world_run(&a->world, &r) != WORLD_DONE) fail_msg("%s\n%s", r.failure, text);
    assert_int_equal(r.flows_unfinished, 0);
    assert_true(r.pauses.stops > 0);
    if (r.packets.dropped) fail_msg("%llu frames lost:\n%s", (unsigned long long)r.packets.dropped, text);
    run_result_free(&r);
    assembly_free(a);
}

static const char *const mss[] = {"1460B", "4096B", "8960B"};
static const char *const nics[] = {"{nic: pull,", "{nic: fifo, nic_queue: 100 frames,", "{nic: fifo, nic_queue: 30KB,"};

static void frames__detail_fast_at_every_rate(void **state) {
    (void)state;
    static const char *const rate[] = {"10Gbps", "40Gbps", "100Gbps", "400Gbps"};
    char text[1024];
    for (int r = 0; r < 4; r++)
        for (int m = 0; m < 3; m++) {
            snprintf(text, sizeof text,
                     "scheme: detail-fast\n"
                     "fabric: {kind: leaf-spine, leaves: 4, spines: 2, hosts: 4, delay: 500ns, rate: %s}\n" BURSTS
                     "host: %s mss: %s, initial_window: 40}\n",
                     rate[r], nics[(r + m) % 3], mss[m]);
            assert_lossless(text);
        }
}

/* 802.3x pauses whole links, so there is one class, which gets all of the headroom. */
static void frames__detail_fc_with_exact_headroom(void **state) {
    (void)state;
    char text[1024];
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            snprintf(text, sizeof text,
                     "scheme: detail-fc\n" FABRIC("1Gbps") BURSTS
                     "switch: {headroom: exact, pause_classes: 1}\nhost: %s mss: %s, initial_window: 40}\n",
                     nics[n], mss[m]);
            assert_lossless(text);
        }
}

/* The paper's frames have 1518 B. Larger frames need more headroom, and a tag of Expeditus a little more. */
static void frames__headroom_follows_from_the_largest(void **state) {
    (void)state;
    struct assembly *a = assemble("scheme: detail\n" FABRIC("1Gbps") BURSTS);
    assert_int_equal(a->world.switches.flow.params.max_frame_bytes, 1530);
    assert_int_equal(a->world.hosts.frame_bytes, 1518);
    assembly_free(a);
    a = assemble("scheme: detail-fc\n" FABRIC("1Gbps") BURSTS "switch: {pause_classes: 1}\nhost: {mss: 4096B}\n");
    assert_int_equal(a->world.switches.flow.params.max_frame_bytes, 4096 + 70);
    assert_int_equal(a->world.hosts.frame_bytes, 4096 + 58);
    assembly_free(a);
    a = assemble("scheme: detail\n" FABRIC("1Gbps") BURSTS "switch: {balance: expeditus}\n");
    assert_true(a->world.switches.flow.params.max_frame_bytes > 1530);
    assembly_free(a);
}

/* The transports of workload entries count like that of the hosts. */
static void frames__the_largest_of_all_transports(void **state) {
    (void)state;
    struct assembly *a = assemble(FABRIC("10Gbps") "workload: [{kind: permutation, sizes: 1KB, transport: cubic}]\n"
                                                   "host: {cubic: {mss: 4096B}, newreno: {mss: 1000B}}\n");
    assert_int_equal(a->world.hosts.frame_bytes, 4096 + 58);
    assert_int_equal(a->world.switches.frame_bytes, 4096 + 58);
    assembly_free(a);
}

static void frames__buffers_too_small_are_refused(void **state) {
    (void)state;
    impossible(
        "scheme: detail-printed\n" FABRIC("1Gbps") BURSTS "host: {mss: 8960B}\n",
        "x.yaml:1:9: error: switch.pause_classes: 131072 B of ingress queue have no headroom for 8 classes at 1000 "
        "Mbps, where 18313 B may still arrive per class; write switch.islip.ingress: 294KB, or switch.pause_classes: "
        "3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(frames__detail_fast_at_every_rate),         UNIT(frames__detail_fc_with_exact_headroom),
        UNIT(frames__headroom_follows_from_the_largest), UNIT(frames__the_largest_of_all_transports),
        UNIT(frames__buffers_too_small_are_refused),
    };
    return RUN_UNITS(tests);
}
