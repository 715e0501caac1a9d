/* SPDX-License-Identifier: Apache-2.0 */
/* heddle fabric: names, roles, addresses, rates and what fails, of small fabrics that can be drawn on paper. */
#include "fresh.h"
#include "json_of.h"

#include <stdio.h>
#include <string.h>

/* Prints the fabric of x.yaml. Fails the test if the program does not print exactly `expected`. */
static void prints(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_string_equal(e->err, "");
    assert_string_equal(e->out, expected);
    assert_int_equal(e->code, 0);
}

/* A cut and its repair, a rate and a loss that change, and a loss from the start. */
#define CHANGING                                                                                                       \
    "fabric:\n  kind: leaf-spine\n  leaves: 2\n  spines: 1\n  hosts: 2\n  uplink_rate: 40Gbps\n"                       \
    "  links: [{match: leaf1-spine0, loss: 0.1%}]\n"                                                                   \
    "  failed:\n"                                                                                                      \
    "    - {link: leaf0-spine0, at: 1ms, repair_at: 5ms, detect: 100us}\n"                                             \
    "    - {link: host1.0-leaf1, at: 2ms, rate: 1Gbps}\n"                                                              \
    "    - {link: host1.1-leaf1, at: 3ms, loss: 2%}\n"

static void fabric__as_text(void **state) {
    (void)state;
    file_write("x.yaml", CHANGING);
    prints("fabric x.yaml", "leaf-spine: 4 hosts, 3 switches, 6 links\n"
                            "\n"
                            "node     role   address          mac                ports\n"
                            "host0.0  host   10.0.0.1         02:00:00:00:00:00  leaf0\n"
                            "host0.1  host   10.0.0.2         02:00:00:00:01:00  leaf0\n"
                            "host1.0  host   10.0.1.1         02:00:00:00:02:00  leaf1\n"
                            "host1.1  host   10.0.1.2         02:00:00:00:03:00  leaf1\n"
                            "leaf0    leaf   10.255.0.1       -                  2 down, 1 up\n"
                            "leaf1    leaf   10.255.0.2       -                  2 down, 1 up\n"
                            "spine0   spine  10.255.0.3       -                  2 down, 0 up\n"
                            "\n"
                            "link           rate       delay\n"
                            "host0.0-leaf0  10Gbps     2us\n"
                            "host0.1-leaf0  10Gbps     2us\n"
                            "host1.0-leaf1  10Gbps     2us  1Gbps from 2ms\n"
                            "host1.1-leaf1  10Gbps     2us  loses 2% from 3ms\n"
                            "leaf0-spine0   40Gbps     2us  fails at 1ms  is back at 5ms\n"
                            "leaf1-spine0   40Gbps     2us  loses 0.1%\n");
}

/* Fails the test unless a list of nodes or links has these members: JSON objects, one a line, with ' in place of ". */
static void list_is(const json_t *list, const char *const *expected, size_t n) {
    assert_int_equal(json_array_size(list), n);
    for (size_t i = 0; i < n; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s", expected[i]);
        for (char *c = text; *c; c++) *c = *c == '\'' ? '"' : *c;
        json_t *wanted = json_loads(text, 0, NULL);
        if (!wanted || !json_equal(json_array_get(list, i), wanted))
            fail_msg("%s: %s", text, json_dumps(json_array_get(list, i), JSON_COMPACT));
        json_decref(wanted);
    }
}

/* Values are in bits per second, microseconds and shares; each change has its time and what it sets. */
static void fabric__as_json(void **state) {
    (void)state;
    static const char *const nodes[] = {
        "{'name': 'host0.0', 'role': 'host', 'address': '10.0.0.1', 'down': 0, 'up': 1, 'mac': '02:00:00:00:00:00', "
        "'leaf': 'leaf0'}",
        "{'name': 'host0.1', 'role': 'host', 'address': '10.0.0.2', 'down': 0, 'up': 1, 'mac': '02:00:00:00:01:00', "
        "'leaf': 'leaf0'}",
        "{'name': 'host1.0', 'role': 'host', 'address': '10.0.1.1', 'down': 0, 'up': 1, 'mac': '02:00:00:00:02:00', "
        "'leaf': 'leaf1'}",
        "{'name': 'host1.1', 'role': 'host', 'address': '10.0.1.2', 'down': 0, 'up': 1, 'mac': '02:00:00:00:03:00', "
        "'leaf': 'leaf1'}",
        "{'name': 'leaf0', 'role': 'leaf', 'address': '10.255.0.1', 'down': 2, 'up': 1}",
        "{'name': 'leaf1', 'role': 'leaf', 'address': '10.255.0.2', 'down': 2, 'up': 1}",
        "{'name': 'spine0', 'role': 'spine', 'address': '10.255.0.3', 'down': 2, 'up': 0}",
    };
#define LINK(a, b, gbps, loss, changes)                                                                                \
    "{'name': '" a "-" b "', 'a': '" a "', 'b': '" b "', 'rate_bps': " gbps                                            \
    "000000000, 'delay_us': 2.0, 'loss': " loss ", 'changes': [" changes "]}"
    static const char *const links[] = {
        LINK("host0.0", "leaf0", "10", "0.0", ""),
        LINK("host0.1", "leaf0", "10", "0.0", ""),
        LINK("host1.0", "leaf1", "10", "0.0", "{'at_us': 2000.0, 'rate_bps': 1000000000}"),
        LINK("host1.1", "leaf1", "10", "0.0", "{'at_us': 3000.0, 'loss': 0.02}"),
        LINK("leaf0", "spine0", "40", "0.0", "{'at_us': 1000.0, 'up': false}, {'at_us': 5000.0, 'up': true}"),
        LINK("leaf1", "spine0", "40", "0.001", ""),
    };
    file_write("x.yaml", CHANGING);
    const struct ended *e = heddle("fabric x.yaml --json");
    assert_int_equal(e->code, 0);
    json_t *o = json_of(e->out, 0);
    assert_int_equal(lines_in(e->out), 1);
    assert_string_equal(json_string_value(json_object_get(o, "kind")), "leaf-spine");
    list_is(json_object_get(o, "nodes"), nodes, 7);
    list_is(json_object_get(o, "links"), links, 6);
    json_decref(o);
}

/* In three tiers a leaf is a tor and has an agg above it. Half of a switch's ports lead up, but for a core. */
static void fabric__roles_of_a_fat_tree(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: fat-tree, k: 4}\n");
    const char *out = heddle("fabric x.yaml")->out;
    assert_string_equal(line_of(out, 0), "fat-tree: 16 hosts, 20 switches, 48 links");
    assert_string_equal(line_of(out, 3 + 15), "host3.1.1  host   10.0.7.2         02:00:00:00:0f:00  tor3.1");
    assert_string_equal(line_of(out, 3 + 16), "tor0.0     tor    10.255.0.1       -                  2 down, 2 up");
    assert_string_equal(line_of(out, 3 + 24), "agg0.0     agg    10.255.0.9       -                  2 down, 2 up");
    assert_string_equal(line_of(out, 3 + 35), "core1.1    core   10.255.0.20      -                  4 down, 0 up");
    assert_string_equal(line_of(out, 3 + 36), "");
    assert_int_equal(lines_in(out), 3 + 36 + 2 + 48);
}

/* Nodes of a file have its names. Columns are as wide as the longest name, and at least as their title. A lab's link without
 * a rate never is the limit. */
static void fabric__of_a_file(void **state) {
    (void)state;
    file_write("net.yaml", "nodes: [{name: s}, {name: w1}, {name: w2}]\n"
                           "links: [{a: w1, b: s}, {a: w2, b: s, delay: 3us}]\n");
    file_write("x.yaml", "fabric: {kind: file, path: net.yaml, rate: none}\n");
    prints("fabric x.yaml", "file: 2 hosts, 1 switches, 2 links\n"
                            "\n"
                            "node  role   address          mac                ports\n"
                            "w1    host   10.0.0.1         02:00:00:00:00:00  s\n"
                            "w2    host   10.0.0.2         02:00:00:00:01:00  s\n"
                            "s     leaf   10.255.0.1       -                  2 down, 0 up\n"
                            "\n"
                            "link  rate       delay\n"
                            "w1-s  100Gbps    0s\n"
                            "w2-s  100Gbps    3us\n");
    unlink("net.yaml");
}

/* A failure at a share of the arrivals has the time of that arrival; without flows there is no such time. */
static void fabric__failures_at_a_share(void **state) {
    (void)state;
    file_write(
        "x.yaml",
        "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, failed: {link: leaf0-spine0, at: 50%, "
        "repair_at: 100%}}\n"
        "workload: {kind: poisson, sizes: 20KB, load: 0.2, load_at: tor-uplink, pairs: inter-rack, flows: 100}\n");
    const struct ended *e = heddle("fabric x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "\nleaf0-spine0   10Gbps     2us  fails at 779.1us  is back at 1.589ms\n"));
    heddle_refuses("fabric x.yaml --set workload=null",
                   "x.yaml:1:16: error: there is no workload; give workload: [{kind: ...}]", "x.db");
}

/* Each run of a sweep has its own fabric. */
static void fabric__of_a_run(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: star}\nsweep: {fabric.hosts: [2, 5]}\n");
    assert_string_equal(line_of(heddle("fabric x.yaml")->out, 0), "star: 2 hosts, 1 switches, 2 links");
    assert_string_equal(line_of(heddle("fabric x.yaml --run 2")->out, 0), "star: 5 hosts, 1 switches, 5 links");
    heddle_refuses("fabric x.yaml --run 3", "heddle: error: --run 3: there are 2 runs", "x.db");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(fabric__as_text),
        CASE(fabric__as_json),
        CASE(fabric__roles_of_a_fat_tree),
        CASE(fabric__of_a_file),
        CASE(fabric__failures_at_a_share),
        CASE(fabric__of_a_run),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
