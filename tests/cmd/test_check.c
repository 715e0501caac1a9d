/* SPDX-License-Identifier: Apache-2.0 */
/* heddle check: the experiment as the program understands it, its fabric, its cost, and errors. */
#include "fresh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void refused(const char *line, const char *expected) { heddle_refuses(line, expected, "x.db"); }

static void check__prints_an_experiment_that_means_the_same(void **state) {
    (void)state;
    file_write("x.yaml", "scheme: expeditus\n" SMALL);
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "# fabric: 4 hosts, 4 switches (2 at the leaves), 8 links"));
    assert_non_null(strstr(e->out, "# base round trip host0.0 to host1.1: "));
    assert_non_null(strstr(e->out, "# memory: about "));
    assert_non_null(strstr(e->out, "    pst_timeout: 0.1s"));
    assert_int_equal(access("x.db", F_OK), -1);
    char *printed = strdup(e->out);
    file_write("y.yaml", printed);
    const char *again = heddle("check y.yaml")->out;
    assert_string_equal(strstr(again, "identity"), strstr(printed, "identity"));
    free(printed);
    unlink("y.yaml");
}

static double number_after(const char *text, const char *key) {
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* scripts/reproduce plans by the foreseen packet-hops of one run and of all runs; they must be within 20 %. */
static void check__foresees_packet_hops(void **state) {
    (void)state;
    file_write("x.yaml", SWEPT);
    const struct ended *e = heddle("check x.yaml");
    assert_non_null(strstr(e->out, "# foreseen: "));
    e = heddle("check x.yaml --json --run 2");
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 1);
    double runs = number_after(e->out, "{\"runs\":"), all = number_after(e->out, "\"packet_hops\":");
    assert_int_equal(number_after(e->out, "\"run\":2"), 0);
    assert_true(number_after(e->out, "\"seconds\":") > 0);
    e = heddle("run x.yaml --json --quiet");
    double sum = 0;
    for (int i = 0; i < (int)runs; i++) sum += number_after(line_of(e->out, i), "\"packet_hops\":");
    assert_true(all > 0.8 * sum && all < 1.2 * sum);
}

/* 500 queries a second for 1 s, then none for 3 s; each asks two responses of 2 KB. */
static void check__prints_the_rate_of_queries(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: star, hosts: 4}\n"
                         "workload: [{kind: query, schedule: [{for: 1s, rate: 500/s}, {for: 3s, rate: 0/s}], "
                         "responses: [2KB], queries: 100}]\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    const char *line = strstr(e->out, "# workload.0: ");
    assert_non_null(line);
    double mean = number_after(e->out, "# workload.0: "), busiest = number_after(e->out, "in the busiest phase ");
    assert_true(mean > 0 && fabs(busiest / mean - 4) < 0.01);
    assert_non_null(strstr(line, "mean response 2KB"));
}

/* AM-15: papers quote the base RTT without serialization. */
static void check__prints_the_base_round_trip(void **state) {
    (void)state;
    file_write("x.yaml",
               "fabric: {kind: clos, pods: 8, tors: 4, aggs: 2, cores: 4, hosts: 6, rate: 10Gbps, delay: 4us}\n"
               "host: {processing_delay: 1us}\nworkload: [{kind: permutation, sizes: 100KB}]\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "# base round trip host0.0.0 to host7.3.5: 59.79us (6 links each way; 1538 B out, "
                                   "84 B back), 52us without serialization\n"));
    assert_null(strstr(e->out, "data queues under credits"));
}

/* XP-9, tier by tier; tests/fabric/test_credit_bound.c computes the bound by hand, here with links of 4 us. */
static void check__prints_the_bound_of_credits(void **state) {
    (void)state;
    file_write("x.yaml",
               "fabric: {kind: clos, pods: 8, tors: 4, aggs: 2, cores: 4, hosts: 6, rate: 10Gbps, delay: 4us}\n"
               "host: {processing_delay: 1us, transport: expresspass}\n"
               "workload: [{kind: permutation, sizes: 100KB}]\nswitch: {ecmp: {hash: symmetric}}\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "# data queues under credits hold at most, in wire bytes; ToR down: 1067288 B; ToR "
                                   "up: 35600 B; agg down: 508920 B; agg up: 100312 B; core down: 229736 B\n"));
    e = heddle("check x.yaml --set switch.credit_share=10%");
    assert_non_null(strstr(e->out, "ToR down: no bound; ToR up: no bound"));
    refused(
        "check x.yaml --set switch.ecmp.hash=asymmetric",
        "--set switch.ecmp.hash:1:1: error: switch.ecmp.hash: asymmetric, but expresspass needs data to go back over "
        "the links of its credits; write symmetric, or switch.record_path: true");
}

static void check__errors(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "expect: [{claim: C, metric: nothing, value: [0, 1]}]\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 2);
    assert_non_null(strstr(e->err, "x.yaml:3:29: error: there is no number 'nothing' in a result"));
    file_write("x.yaml", SMALL);
    refused("check x.yaml --run 2", "heddle: error: --run 2: there is 1 run");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(check__prints_an_experiment_that_means_the_same),
        CASE(check__foresees_packet_hops),
        CASE(check__prints_the_rate_of_queries),
        CASE(check__prints_the_base_round_trip),
        CASE(check__prints_the_bound_of_credits),
        CASE(check__errors),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
