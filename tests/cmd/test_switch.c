/* SPDX-License-Identifier: Apache-2.0 */
/* heddle switch: the switches of a file run in one process, and obey the requests on its socket. */
#include "live/control.h"

#include "program.h"
#include "unit.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FABRIC "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 100Mbps"

static pid_t switches; /* 0: none run */

/* Starts the switches and waits until they serve their socket. */
static void start_switches(const char *options) {
    char line[512];
    const struct timespec moment = {0, 5000000};
    snprintf(line, sizeof line, "switch x.yaml --socket ./s.sock %s", options);
    switches = heddle_start_into(line, "said", "warned");
    for (int i = 0; i < 2000 && !control_is_served("./s.sock"); i++) nanosleep(&moment, NULL);
    assert_true(control_is_served("./s.sock"));
}

/* Ends them as a user does. They end well, and take their socket along. */
static void end_switches(int signal) {
    kill(switches, signal);
    int code = heddle_wait(switches);
    switches = 0;
    assert_int_equal(code, 0);
    assert_int_equal(access("./s.sock", F_OK), -1);
}

static int begin(void **state) {
    (void)state;
    file_write("x.yaml", FABRIC "}\n");
    return 0;
}

/* Ends the switches that a failed test has left. */
static int end(void **state) {
    (void)state;
    if (switches > 0) kill(switches, SIGTERM);
    if (switches > 0) heddle_wait(switches);
    switches = 0;
    return 0;
}

/* The switches carry a request out, and have nothing to say of it. */
static void carries_out(const char *request) {
    struct diag d = {0};
    char *reply = control_ask("./s.sock", request, &d);
    assert_string_equal(d.text, "");
    assert_string_equal(reply, "");
    free(reply);
}

static void refuses(const char *request, const char *why) {
    struct diag d = {0};
    assert_null(control_ask("./s.sock", request, &d));
    assert_string_equal(d.text, why);
}

static json_t *status_of(const char *request) {
    struct diag d = {0};
    char *reply = control_ask("./s.sock", request, &d);
    assert_non_null(reply);
    json_t *status = json_loads(reply, 0, NULL);
    assert_non_null(status);
    free(reply);
    return status;
}

/* Returns the member of a list that has this name. */
static json_t *named(json_t *list, const char *name) {
    size_t i;
    json_t *o;
    json_array_foreach(list, i, o) if (strcmp(json_string_value(json_object_get(o, "name")), name) == 0) return o;
    return NULL;
}

static json_t *port_of(json_t *status, const char *node, const char *port) {
    return named(json_object_get(named(json_object_get(status, "switches"), node), "ports"), port);
}

/* Writes which ends of the four links between switches have a link: "leaf0: - spine1, leaf1: ...". */
static const char *links_up(void) {
    static const char *const nodes[] = {"leaf0", "leaf1", "spine0", "spine1"};
    static char text[256];
    size_t used = 0;
    json_t *status = status_of("status");
    for (int i = 0; i < 4; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:", i ? ", " : "", nodes[i]);
        for (int k = 0; k < 2; k++) {
            const char *port = nodes[i < 2 ? 2 + k : k];
            bool up = json_is_true(json_object_get(port_of(status, nodes[i], port), "up"));
            used += (size_t)snprintf(text + used, sizeof text - used, " %s", up ? port : "-");
        }
    }
    json_decref(status);
    return text;
}

#define ALL_UP "leaf0: spine0 spine1, leaf1: spine0 spine1, spine0: leaf0 leaf1, spine1: leaf0 leaf1"

static void switch__links_fail_and_come_back(void **state) {
    (void)state;
    start_switches("--node all");
    assert_string_equal(links_up(), ALL_UP);
    carries_out("link down leaf1-spine0");
    assert_string_equal(links_up(), "leaf0: spine0 spine1, leaf1: - spine1, spine0: leaf0 -, spine1: leaf0 leaf1");
    carries_out("link up leaf1-spine0");
    assert_string_equal(links_up(), ALL_UP);
    end_switches(SIGTERM);
}

static void switch__switches_fail_and_come_back(void **state) {
    (void)state;
    start_switches("--node all");
    carries_out("switch down spine1");
    assert_string_equal(links_up(), "leaf0: spine0 -, leaf1: spine0 -, spine0: leaf0 leaf1, spine1: - -");
    carries_out("switch up spine1");
    assert_string_equal(links_up(), ALL_UP);
    end_switches(SIGINT);
}

#define NO_LINK(name)                                                                                                  \
    "there is no link \"" name "\"; write NODE-NODE of two neighbours, nodes are host0.0 to host1.1, leaf0 to leaf1, " \
    "spine0 to spine1"

static void switch__requests_that_make_no_sense(void **state) {
    (void)state;
    start_switches("--node all");
    refuses("link down leaf0-leaf1", NO_LINK("leaf0-leaf1"));
    refuses("link up leaf0", NO_LINK("leaf0"));
    refuses("switch down spine2", "there is no switch spine2; heddle lab status --json lists them");
    refuses("switch up host1.1", "there is no switch host1.1; heddle lab status --json lists them");
    refuses("impair leaf0-spine7 loss=1%", NO_LINK("leaf0-spine7"));
    refuses("impair leaf0-spine0 gravel=1%",
            "'gravel=1%': write loss=1%, corrupt=1%, duplicate=1%, reorder=1%, delay=1ms, or none");
    refuses("capture leaf0-spine7 ./x.pcapng", NO_LINK("leaf0-spine7"));
    refuses("dance", "a switch knows no request 'dance'");
    refuses("link leaf0-spine0", "a switch knows no request 'link leaf0-spine0'");
    assert_string_equal(links_up(), ALL_UP);
    end_switches(SIGTERM);
}

/* Whether frames that leave by a port are impaired. */
static bool is_impaired(const char *node, const char *port) {
    json_t *status = status_of("status");
    bool is = json_object_get(port_of(status, node, port), "impaired_out") != NULL;
    json_decref(status);
    return is;
}

static void switch__links_are_impaired_both_ways(void **state) {
    (void)state;
    start_switches("--node all");
    carries_out("impair leaf0-spine1 loss=1% delay=1ms");
    assert_true(is_impaired("leaf0", "spine1"));
    assert_true(is_impaired("spine1", "leaf0"));
    assert_false(is_impaired("leaf0", "spine0"));
    assert_false(is_impaired("spine1", "leaf1"));
    carries_out("impair leaf0-spine1 none");
    assert_string_equal(links_up(), ALL_UP);
    end_switches(SIGTERM);
}

/* Tables are long, so they are told where they are asked for. */
static void switch__status_with_tables_and_metrics(void **state) {
    (void)state;
    struct diag d = {0};
    start_switches("--node leaf0 --node spine1");
    json_t *status = status_of("status"), *tables = status_of("status tables");
    json_t *plain = json_object_get(status, "switches"), *whole = json_object_get(tables, "switches");
    assert_int_equal(json_array_size(plain), 2);
    assert_non_null(named(plain, "leaf0"));
    assert_non_null(named(plain, "spine1"));
    assert_null(json_object_get(named(plain, "leaf0"), "tables"));
    assert_non_null(json_object_get(named(whole, "leaf0"), "tables"));
    json_decref(status);
    json_decref(tables);
    char *metrics = control_ask("./s.sock", "metrics", &d);
    assert_non_null(metrics);
    assert_non_null(strstr(metrics, "# TYPE heddle_"));
    free(metrics);
    end_switches(SIGTERM);
}

/* A capture lasts as long as its client holds the connection. */
static void switch__a_capture(void **state) {
    (void)state;
    struct diag d = {0};
    char here[256], ask[512];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(ask, sizeof ask, "%s/a b.pcapng", here);
    char *word = control_word(ask);
    snprintf(ask, sizeof ask, "capture leaf0-spine1 %s", word);
    free(word);
    start_switches("--node all");
    int held = control_begin("./s.sock", ask, &d);
    assert_true(held >= 0);
    assert_true(control_end(held, &d));
    assert_int_equal(access("a b.pcapng", F_OK), 0);
    refuses("capture leaf0-spine1 /no/such/folder/x",
            "cannot write it: No such file or directory; check the folder, its permissions and the space left");
    end_switches(SIGTERM);
}

static void switch__says_what_it_is(void **state) {
    (void)state;
    start_switches("--node all");
    end_switches(SIGTERM);
    assert_string_equal(file_text("said"), "all: 4 switches, 0 ports to the outside; heddle status ./s.sock\n");
    start_switches("--node leaf0 --port host0.1=ring:b --node spine1");
    end_switches(SIGTERM);
    assert_string_equal(file_text("said"), "leaf0 ..: 2 switches, 1 port to the outside; heddle status ./s.sock\n");
    start_switches("--node leaf1 --port host1.0=ring:a --port leaf1:spine0=ring:b");
    end_switches(SIGTERM);
    assert_string_equal(file_text("said"), "leaf1: 1 switch, 2 ports to the outside; heddle status ./s.sock\n");
}

static void device_is(const char *node, const char *port, const char *device) {
    json_t *status = status_of("status");
    const char *live = json_string_value(json_object_get(port_of(status, node, port), "live"));
    assert_string_equal(live ? live : "none", device);
    json_decref(status);
}

/* [NODE:]PORT=LIVE: a port that only one switch has needs no node. */
static void switch__ports_are_named_by_their_neighbours(void **state) {
    (void)state;
    start_switches("--node leaf0 --node leaf1 --port host1.0=ring:a --port leaf0:spine1=ring:b");
    device_is("leaf1", "host1.0", "ring:a");
    device_is("leaf0", "spine1", "ring:b");
    device_is("leaf1", "spine1", "none");
    device_is("leaf0", "host0.0", "none");
    end_switches(SIGTERM);
}

static void switch__records_what_passes(void **state) {
    (void)state;
    start_switches("--node leaf0 --node leaf1 --record rec --port host0.0=ring:a");
    end_switches(SIGTERM);
    assert_int_equal(access("rec/leaf0.pcapng", F_OK), 0);
    assert_int_equal(access("rec/leaf1.pcapng", F_OK), 0);
}

/* Two processes cannot have one socket. */
static void switch__a_socket_that_is_served(void **state) {
    (void)state;
    start_switches("--node leaf0");
    const struct ended *e = heddle("switch x.yaml --node leaf1 --socket ./s.sock");
    assert_int_equal(e->code, 2);
    assert_non_null(strstr(e->err, "s.sock: error: "));
    end_switches(SIGTERM);
}

static void is_refused(const char *options, const char *expected) {
    char line[512];
    snprintf(line, sizeof line, "switch x.yaml --socket ./s.sock %s", options);
    heddle_refuses(line, expected, "./s.sock");
}

static void switch__options_that_make_no_sense(void **state) {
    (void)state;
    is_refused("--node leaf9",
               "heddle: error: --node leaf9: there is no such node; the switches are leaf0 to spine1, or all");
    is_refused("--node leaf9 --node all",
               "heddle: error: --node leaf9: there is no such node; the switches are leaf0 to spine1, or all");
    is_refused("--node all --node leaf0",
               "heddle: error: --node all: there is no such node; the switches are leaf0 to spine1, or all");
    is_refused("--node spine0 --node leaf0 --node spine0",
               "heddle: error: --node spine0 is given twice; give each switch once");
    is_refused("--node leaf0 --port leaf1=ring:x",
               "heddle: error: --port leaf1: no switch of this process has such a port; "
               "ports are named by their neighbour");
    is_refused(
        "--node leaf0 --port leaf1:spine0=ring:x",
        "heddle: error: --port leaf1:spine0: no switch of this process has such a port; ports are named by their "
        "neighbour");
    is_refused("--node all --port host0.0=ring:x --port spine0=ring:y",
               "heddle: error: --port spine0: 2 switches have such a port; write NODE:PORT=LIVE");
    static const char *const halves[] = {"spine0", "spine0=", "=ring:x"};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        char options[64], expected[256];
        snprintf(options, sizeof options, "--node leaf0 --port %s", halves[i]);
        snprintf(
            expected, sizeof expected,
            "heddle: error: --port %s: write PORT=LIVE, the port named by its neighbour, LIVE an interface, tap:NAME "
            "or ring:NAME",
            halves[i]);
        is_refused(options, expected);
    }
    is_refused("--node leaf0 --cpu 0 --cpu 1",
               "heddle: error: --cpu is given 2 times; give one for each of the 1 threads");
    static const char *const processors[] = {"1024", "-1", "first"};
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        char options[64], expected[128];
        snprintf(options, sizeof options, "--node leaf0 --cpu %s", processors[i]);
        snprintf(expected, sizeof expected, "heddle: error: --cpu %s: write the number of a processor, from 0",
                 processors[i]);
        is_refused(options, expected);
    }
    is_refused("--node leaf0 --detect -1us", "heddle: error: --detect -1us: write a time, such as 10ms");
    is_refused("--node leaf0 --detect soon", "heddle: error: --detect soon: write a time, such as 10ms");
}

/* A switch waits for requests, so nothing fails by itself. */
static void switch__warns_of_failures_of_the_file(void **state) {
    (void)state;
    file_write("x.yaml", FABRIC ", failed: [{link: leaf0-spine0, at: 1s}]}\n");
    start_switches("--node leaf0");
    end_switches(SIGTERM);
    assert_string_equal(file_text("warned"),
                        "x.yaml: warning: no link fails by itself, whatever the file says of failures; "
                        "heddle lab run carries failures out\n");
}

static void switch__a_socket_that_cannot_be_made(void **state) {
    (void)state;
    heddle_refuses("switch x.yaml --node leaf0 --socket /no/such/folder/s.sock",
                   "/no/such/folder/s.sock: error: No such file or directory; name another --socket", "./s.sock");
}

int main(int argc, char **argv) {
    if (!program_enter(argc, argv)) return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(switch__links_fail_and_come_back, begin, end),
        cmocka_unit_test_setup_teardown(switch__switches_fail_and_come_back, begin, end),
        cmocka_unit_test_setup_teardown(switch__requests_that_make_no_sense, begin, end),
        cmocka_unit_test_setup_teardown(switch__links_are_impaired_both_ways, begin, end),
        cmocka_unit_test_setup_teardown(switch__status_with_tables_and_metrics, begin, end),
        cmocka_unit_test_setup_teardown(switch__a_capture, begin, end),
        cmocka_unit_test_setup_teardown(switch__says_what_it_is, begin, end),
        cmocka_unit_test_setup_teardown(switch__ports_are_named_by_their_neighbours, begin, end),
        cmocka_unit_test_setup_teardown(switch__records_what_passes, begin, end),
        cmocka_unit_test_setup_teardown(switch__a_socket_that_is_served, begin, end),
        cmocka_unit_test_setup_teardown(switch__a_socket_that_cannot_be_made, begin, end),
        cmocka_unit_test_setup_teardown(switch__options_that_make_no_sense, begin, end),
        cmocka_unit_test_setup_teardown(switch__warns_of_failures_of_the_file, begin, end),
    };
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
