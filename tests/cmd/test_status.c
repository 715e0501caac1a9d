/* SPDX-License-Identifier: Apache-2.0 */
/* heddle status: what a socket answers, as text. Here the test answers in place of a switch or a NIC. */
#include "live/control.h"

#include "program.h"
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *said; /* the answer, with ' in place of " */
static char asked[64];   /* the last request */
static atomic_bool ends;
static struct control *control;
static pthread_t thread;

static char *answer(void *to, const char *request, struct diag *d) {
    (void)to;
    snprintf(asked, sizeof asked, "%s", request);
    if (!said) {
        diag_fail(d, "", 0, 0, "it is busy");
        return NULL;
    }
    char *text = strdup(said);
    for (char *c = text; *c; c++) *c = *c == '\'' ? '"' : *c;
    return text;
}

static void *serve(void *none) {
    while (!atomic_load(&ends)) control_serve(control, 5);
    return none;
}

static int server_start(void **state) {
    (void)state;
    struct diag d = {0};
    atomic_store(&ends, false);
    control = control_open("./s.sock", answer, NULL, &d);
    return control ? pthread_create(&thread, NULL, serve, NULL) : -1;
}

static int server_end(void **state) {
    (void)state;
    atomic_store(&ends, true);
    int failed = pthread_join(thread, NULL);
    control_close(control);
    return failed;
}

static void prints(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_string_equal(e->err, "");
    assert_string_equal(e->out, expected);
    assert_int_equal(e->code, 0);
}

#define HEAD "{'fabric': 'leaf-spine', 'balancer': 'expeditus', 'uptime_s': 12.34, 'frames_held': 3, 'switches': ["
#define TITLE "  port             link      load %    queue B  largest B   dropped   marked   pauses  device\n"

/* Counters of 0 are left out. The four states of a link: what it is, and what its port has been told. */
static void status__of_a_switch(void **state) {
    (void)state;
    said = HEAD
        "{'name': 'tor0.1', 'address': '10.255.0.2', 'frames': {'received': 7, 'left': 5, 'made': 1, 'dropped': "
        "{'ttl': 0, "
        "'full': 2, 'no_route': 0, 'noise': 4}, 'refused': {}, 'stripped': {'tags': 6}}, 'counters': {'requests': 0, "
        "'entries': 8}, 'ports': ["
        "{'name': 'host0', 'up': true, 'known_up': true, 'load': 0.256, 'queue_bytes': 1518, 'max_queue_bytes': 3036, "
        "'drops': 9, 'marks': 10, 'pauses_sent': 11, 'live': 'veth7'},"
        "{'name': 'agg0', 'up': true, 'known_up': false, 'load': 1}, {'name': 'agg1', 'up': false, 'known_up': true, "
        "'load': 0}, {'name': 'agg2', 'up': false, 'known_up': false, 'load': 0, 'live': null}],"
        "'tables': {'paths': [{'leaf': 1, 'path': 2}, {'leaf': 3, 'path': 4}], 'empty': []}}]}";
    prints("status ./s.sock",
           "leaf-spine, expeditus, up 12.3 s, 3 frames held\n"
           "tor0.1 10.255.0.2: 7 frames received, 5 sent, 1 made\n"
           "  dropped: full 2, noise 4\n"
           "  stripped from hosts: tags 6\n"
           "  entries 8\n" TITLE
           "  host0            up          25.6       1518       3036         9       10       11  veth7\n"
           "  agg0             coming up  100.0          0          0         0        0        0  \n"
           "  agg1             dead         0.0          0          0         0        0        0  \n"
           "  agg2             down         0.0          0          0         0        0        0  \n"
           "  paths: 2\n"
           "    leaf 1 path 2\n"
           "    leaf 3 path 4\n"
           "  empty: 0\n");
    assert_string_equal(asked, "status");
}

/* What the watchdog found at a port stands under the ports; storms that go on have their classes. */
static void status__of_pause_storms(void **state) {
    (void)state;
    said = HEAD "{'name': 's', 'address': '10.255.0.1', 'frames': {'received': 0, 'left': 0, 'made': 0}, 'ports': ["
                "{'name': 'a', 'storms_found': 1, 'storms_ended': 1, 'storm_drops': 5, 'stormed': 0},"
                "{'name': 'b', 'storms_found': 0, 'storms_ended': 0, 'storm_drops': 0, 'stormed': 0},"
                "{'name': 'c', 'storms_found': 4, 'storms_ended': 2, 'storm_drops': 0, 'stormed': 261}]}]}";
    prints("status ./s.sock",
           "leaf-spine, expeditus, up 12.3 s, 3 frames held\n"
           "s 10.255.0.1: 0 frames received, 0 sent, 0 made\n" TITLE
           "  a                down         0.0          0          0         0        0        0  \n"
           "  b                down         0.0          0          0         0        0        0  \n"
           "  c                down         0.0          0          0         0        0        0  \n"
           "  a                pause storms: 1 found, 1 over, 5 frames dropped\n"
           "  c                pause storms: 4 found, 2 over, 0 frames dropped; not obeyed now: class 0 class 2 "
           "credits\n");
}

static void status__of_several_switches(void **state) {
    (void)state;
    said = HEAD "{'name': 'a', 'address': '1.2.3.4', 'frames': {'received': 1, 'left': 2, 'made': 3}, 'ports': []},"
                "{'name': 'b', 'address': '1.2.3.5', 'frames': {'received': 4, 'left': 5, 'made': 6}, 'ports': []}]}";
    prints("status ./s.sock --tables", "leaf-spine, expeditus, up 12.3 s, 3 frames held\n"
                                       "a 1.2.3.4: 1 frames received, 2 sent, 3 made\n" TITLE
                                       "b 1.2.3.5: 4 frames received, 5 sent, 6 made\n" TITLE);
    assert_string_equal(asked, "status tables");
}

static void status__of_a_nic(void **state) {
    (void)state;
    said =
        "{'nic': 'host0.0', 'uptime_s': 1.5, 'frames': {'out': 3, 'in': 0}, 'stack': {'lost': 4}, 'link': {'lost': 0}, "
        "'classes': [{'queue_frames': 1, 'queue_bytes': 1518, 'paused_us': 2500, 'paused': true},"
        "{'queue_frames': 0, 'queue_bytes': 0, 'paused_us': 0.5, 'paused': false}]}";
    prints("status ./s.sock", "NIC of host0.0, up 1.5 s\n"
                              "  frames: out 3\n"
                              "  stack: lost 4\n"
                              "  class      queue    queue B    paused ms\n"
                              "  0              1       1518        2.500  now\n"
                              "  1              0          0        0.001\n");
}

/* A script gets the answer as it is. */
static void status__for_scripts(void **state) {
    (void)state;
    said = "{'a':1}";
    prints("status ./s.sock --json", "{\"a\":1}\n");
    assert_string_equal(asked, "status");
    said = "up 1\n";
    prints("status ./s.sock --metrics", "up 1\n");
    assert_string_equal(asked, "metrics");
}

static void status__answers_that_are_none(void **state) {
    (void)state;
    said = "hello";
    heddle_refuses("status ./s.sock", "heddle: error: the process that answers is no switch of heddle", "x");
    said = NULL;
    heddle_refuses("status ./s.sock", "error: it is busy", "x");
    const struct ended *e = heddle("status ./none.sock");
    assert_int_equal(e->code, 2);
    assert_string_equal(e->out, "");
    assert_non_null(strstr(e->err, "none.sock"));
}

/* With --watch the status comes again each second, until an answer fails. */
static void status__watched(void **state) {
    (void)state;
    said = "{'nic': 'h', 'uptime_s': 0, 'classes': []}";
    pid_t pid = heddle_start("status ./s.sock --watch");
    for (int i = 0; i < 200 && !asked[0]; i++) usleep(10000);
    asked[0] = 0;
    for (int i = 0; i < 500 && !asked[0]; i++) usleep(10000);
    assert_string_equal(asked, "status"); /* the second */
    said = "hello";
    assert_int_equal(heddle_wait(pid), 2);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, server_start, server_end)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(status__of_a_switch), CASE(status__of_pause_storms), CASE(status__of_several_switches),
        CASE(status__of_a_nic),    CASE(status__for_scripts),     CASE(status__answers_that_are_none),
        CASE(status__watched),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
