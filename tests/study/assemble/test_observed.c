/* SPDX-License-Identifier: Apache-2.0 */
/* Observation does not change a run, whatever the scheme. An unobserved switch with a crossbar runs a slot in one loop
 * (node/cioq_run.c), and ports without an observer have no service events; an observed run executes every event by
 * itself (docs/decisions/0017). Both must send, mark and drop the same frames at the same times: same digest, same
 * totals. */
#include "study/assemble/assemble.h"
#include "study/config/schemes.h"

#include "assembly_test.h"

#include <stdio.h>

#define LOAD                                                                                                           \
    "workload: [{kind: incast, senders: 8, sizes: 60KB, rounds: 3, gap: 500us},\n"                                     \
    "           {kind: poisson, sizes: web-search, max_size: 1MB, load: 0.6, load_at: tor-uplink, pairs: any, flows: " \
    "60}]\n"

static struct run_result run_of(const char *scheme, const char *rest) {
    char text[2048];
    snprintf(text, sizeof text, "scheme: %s\n" LOAD "run: {until: 60ms}\n%s", scheme, rest);
    struct assembly *a = assemble(text);
    struct run_result r;
    if (world_run(&a->world, &r) != WORLD_DONE) fail_msg("%s\n%s", r.failure, text);
    assembly_free(a);
    return r;
}

static void assert_same(const char *scheme, const char *fabric) {
    char watched[1024];
    snprintf(watched, sizeof watched, "%smeasure: {flow: [0, 9, 30]}\n", fabric);
    struct run_result plain = run_of(scheme, fabric), observed = run_of(scheme, watched);
    assert_true(observed.n_timeline > 0);
    assert_int_equal(plain.n_timeline, 0);
    if (plain.engine.digest != observed.engine.digest) fail_msg("%s: another digest when observed\n%s", scheme, fabric);
    assert_int_equal(plain.engine.packet_hops, observed.engine.packet_hops);
    assert_int_equal(plain.packets.sent, observed.packets.sent);
    assert_int_equal(plain.packets.dropped, observed.packets.dropped);
    assert_int_equal(plain.pauses.stops, observed.pauses.stops);
    run_result_free(&plain);
    run_result_free(&observed);
}

#define FABRIC "fabric: {kind: leaf-spine, leaves: 3, spines: 2, hosts: 4, delay: 1us, rate: 1Gbps"

static void observed__every_scheme_runs_the_same(void **state) {
    (void)state;
    size_t n;
    const struct scheme *row = schemes(&n);
    for (size_t i = 0; i < n; i++) assert_same(row[i].name, FABRIC "}\n");
}

/* A failing link empties queues and changes routes in the middle of slots, and so does its repair. */
static void observed__with_a_failure(void **state) {
    (void)state;
    size_t n;
    const struct scheme *row = schemes(&n);
    for (size_t i = 0; i < n; i++)
        assert_same(row[i].name, FABRIC ", failed: [{link: leaf0-spine1, at: 1ms, repair_at: 4ms}]}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(observed__every_scheme_runs_the_same), UNIT(observed__with_a_failure)};
    return RUN_UNITS(tests);
}
