/* SPDX-License-Identifier: Apache-2.0 */
/* heddle convert: a small fabric in each format, as other programs read it, and back. */
#include "fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAR "fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 1us}\nworkload: {kind: permutation, sizes: 20KB}\n"
#define TOPOLOGY                                                                                                       \
    "nodes:\n  - {name: host0.0, tier: host}\n  - {name: host0.1, tier: host}\n  - {name: leaf0, tier: leaf}\n"        \
    "links:\n  - {a: host0.0, b: leaf0, rate: 10Gbps, delay: 1us}\n"                                                   \
    "  - {a: host0.1, b: leaf0, rate: 10Gbps, delay: 1us}\n"

static void prints(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_string_equal(e->err, "");
    assert_string_equal(e->out, expected);
    assert_int_equal(e->code, 0);
}

static void convert__to_each_format(void **state) {
    (void)state;
    file_write("x.yaml", STAR);
    prints("convert x.yaml --to topology", TOPOLOGY);
    prints("convert x.yaml --to containerlab",
           "name: heddle\ntopology:\n  kinds:\n"
           "    linux: {image: IMAGE} # of the nodes; containerlab makes the links, vars are for heddle\n  nodes:\n"
           "    host0.0: {kind: linux, labels: {tier: host}}\n    host0.1: {kind: linux, labels: {tier: host}}\n"
           "    leaf0: {kind: linux, labels: {tier: leaf}}\n  links:\n"
           "    - endpoints: [\"host0.0:eth1\", \"leaf0:eth1\"]\n      vars: {rate: 10Gbps, delay: 1us}\n"
           "    - endpoints: [\"host0.1:eth1\", \"leaf0:eth2\"]\n      vars: {rate: 10Gbps, delay: 1us}\n");
    prints("convert x.yaml --to hpcc",
           "3 1 2\n2\n0 2 10Gbps 1us 0\n1 2 10Gbps 1us 0\n\n"
           "Name and tier of each node, for heddle; the lines above are all that other programs read.\n"
           "# heddle: node 0 host0.0 host\n# heddle: node 1 host0.1 host\n# heddle: node 2 leaf0 leaf\n");
}

/* A file of any format is known by its text; --from says what it is. What it leaves open is given with --set. */
static void convert__from_each_format(void **state) {
    (void)state;
    static const char *const format[] = {"topology", "graphml", "containerlab", "hpcc"};
    file_write("x.yaml", STAR);
    for (size_t i = 0; i < 4; i++) {
        char line[128], said[256];
        snprintf(line, sizeof line, "convert x.yaml --to %s -o net", format[i]);
        snprintf(said, sizeof said, "net: 2 hosts, 1 switches, 2 links; fabric: {kind: file, format: %s, path: net}\n",
                 format[i]);
        prints(line, said);
        prints("convert net --to topology", TOPOLOGY);
        snprintf(line, sizeof line, "convert net --from %s --to topology", format[i]);
        prints(line, TOPOLOGY);
        assert_int_equal(unlink("net"), 0);
    }
    file_write("it's", "nodes: [{name: s}, {name: a}, {name: b}]\nlinks: [{a: a, b: s}, {a: b, b: s}]\n");
    assert_non_null(
        strstr(heddle("convert \"it's\" --to topology")->err, "it")); /* quotes reach the program as they are */
    assert_int_equal(rename("it's", "net"), 0);
    prints("convert net --to topology --set fabric.rate=40Gbps --set fabric.delay=3us",
           "nodes:\n  - {name: a, tier: host}\n  - {name: b, tier: host}\n  - {name: s, tier: leaf}\n"
           "links:\n  - {a: a, b: s, rate: 40Gbps, delay: 3us}\n  - {a: b, b: s, rate: 40Gbps, delay: 3us}\n");
    unlink("net");
}

static void convert__what_stands_in_its_way(void **state) {
    (void)state;
    file_write("x.yaml", STAR);
    file_write("net", "mine\n");
    const struct ended *e = heddle("convert x.yaml --to hpcc -o net");
    assert_int_equal(e->code, 2);
    assert_string_equal(file_text("net"), "mine\n");
    assert_int_equal(heddle("convert x.yaml --to topology -o net --force")->code, 0);
    assert_string_equal(file_text("net"), TOPOLOGY);
    heddle_refuses("convert x.yaml --to hpcc --run 2", "heddle: error: --run 2: there is 1 run", "none");
    unlink("net");
    e = heddle("convert x.yaml --to htsim -o net");
    assert_int_equal(e->code, 2);
    assert_int_equal(strncmp(e->err, "x.yaml: error: htsim has fat-trees alone", 40), 0);
    assert_int_not_equal(access("net", F_OK), 0);
}

/* Failures are no part of a topology, which is said. Each run of a sweep has its fabric. */
static void convert__failures_and_runs(void **state) {
    (void)state;
    file_write("x.yaml",
               "fabric: {kind: star, hosts: 2, failed: {link: host0.0-leaf0, at: 1ms}}\nsweep: {fabric.rate: [10Gbps, "
               "1Gbps]}\n");
    const struct ended *e = heddle("convert x.yaml --to hpcc --run 2");
    assert_int_equal(e->code, 0);
    assert_string_equal(
        e->err, "x.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random\n");
    assert_string_equal(line_of(e->out, 2), "0 2 1Gbps 2us 0");
}

/* The flows of a run for the simulator of HPCC: source, destination, priority, port, bytes, start in seconds. */
static void convert__flows(void **state) {
    (void)state;
    file_write("x.yaml", STAR);
    const struct ended *e = heddle("convert x.yaml --to hpcc-flows -o flows");
    assert_string_equal(e->err, "");
    assert_string_equal(e->out, "flows: 2 flows; workload: {kind: trace, format: hpcc, path: flows}\n");
    assert_string_equal(line_of(file_text("flows"), 0), "2");
    assert_int_equal(strncmp(line_of(file_text("flows"), 1), "0 1 ", 4), 0);
    assert_int_equal(strncmp(line_of(file_text("flows"), 2), "1 0 ", 4), 0);
    unlink("flows");
    heddle_refuses("convert x.yaml --to hpcc-flows --set workload=null",
                   "x.yaml:1:16: error: there is no workload; give workload: [{kind: ...}]", "flows");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(convert__to_each_format),
        CASE(convert__from_each_format),
        CASE(convert__what_stands_in_its_way),
        CASE(convert__failures_and_runs),
        CASE(convert__flows),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
