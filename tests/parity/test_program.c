/* SPDX-License-Identifier: Apache-2.0 */
/* From end to end with the program: heddle run captures switches, heddle replay sends the same frames. argv[1] is the
 * program; the test runs in a folder of its own. */
#include "cmd/program.h"
#include "parity/records.h"

#include <sys/stat.h>
#include <unistd.h>

#define EXPERIMENT                                                                                                     \
    "fabric: {kind: fat-tree, k: 4, failed: [{link: agg0.1-core1.0, at: 500us, repair_at: 2ms, detect: 100us}]}\n"     \
    "switch: {buffer: 30KB}\n"                                                                                         \
    "workload:\n"                                                                                                      \
    "  - {kind: permutation, sizes: 200KB, pairs: inter-pod}\n"                                                        \
    "  - {kind: incast, sizes: 20KB, senders: 8}\n"                                                                    \
    "measure: {pcap: [tor0.0, agg0.1, core1.0]}\n"                                                                     \
    "sweep: {switch.balance: [ecmp, expeditus, clairvoyant]}\n"

static char folder[] = "replay-XXXXXX", home[512], absolute[512];

static int setup(void **state) {
    (void)state;
    if (!getcwd(home, sizeof home) || !mkdtemp(folder) || chdir(folder) != 0) return 1;
    file_write("x.yaml", EXPERIMENT);
    return heddle("run x.yaml --quiet")->code;
}

static int teardown(void **state) {
    (void)state;
    static const char *const made[] = {"tor0.0", "agg0.1", "core1.0"};
    char path[128];
    for (int run = 1; run <= 3; run++) {
        for (int i = 0; i < 3; i++) {
            snprintf(path, sizeof path, "x.captures/run%d/%s.pcapng", run, made[i]);
            unlink(path);
        }
        snprintf(path, sizeof path, "x.captures/run%d", run);
        rmdir(path);
    }
    rmdir("x.captures");
    unlink("x.yaml");
    unlink("x.db");
    return chdir(home) != 0 || rmdir(folder) != 0;
}

static void replays_as_it_ran(int run, const char *node) {
    char line[256], in[128], out[128];
    snprintf(in, sizeof in, "x.captures/run%d/%s.pcapng", run, node);
    snprintf(out, sizeof out, "out/%s.pcapng", node);
    snprintf(line, sizeof line, "replay x.yaml --run %d --node %s --in all=%s --out out", run, node, in);
    const struct ended *e = heddle(line);
    if (e->code != 0) fail_msg("%s: exit %d, %s", line, e->code, e->err);
    snprintf(line, sizeof line, "written: %s", out);
    assert_non_null(strstr(e->out, line));
    assert_null(strstr(e->out, "skipped"));
    struct records simulated = records_read(in, CAPTURE_OUTBOUND), replayed = records_read(out, CAPTURE_OUTBOUND);
    assert_true(simulated.n > 500);
    records_assert_same(&simulated, &replayed);
    records_free(&simulated);
    records_free(&replayed);
    assert_int_equal(unlink(out), 0);
    assert_int_equal(rmdir("out"), 0);
}

static void program__ecmp(void **state) {
    (void)state;
    replays_as_it_ran(1, "tor0.0");
    replays_as_it_ran(1, "agg0.1");
    replays_as_it_ran(1, "core1.0");
}

static void program__expeditus(void **state) {
    (void)state;
    replays_as_it_ran(2, "tor0.0");
    replays_as_it_ran(2, "agg0.1");
    replays_as_it_ran(2, "core1.0");
}

/* Replaying one capture port by port gives the same as `all`. */
static void program__port_by_port(void **state) {
    (void)state;
    const struct ended *e = heddle("replay x.yaml --run=2 --node core1.0 --in agg0.1=x.captures/run2/core1.0.pcapng "
                                   "--in agg1.1=x.captures/run2/core1.0.pcapng "
                                   "--in agg2.1=x.captures/run2/core1.0.pcapng "
                                   "--in agg3.1=x.captures/run2/core1.0.pcapng --out out");
    assert_int_equal(e->code, 0);
    struct records simulated = records_read("x.captures/run2/core1.0.pcapng", CAPTURE_OUTBOUND);
    struct records replayed = records_read("out/core1.0.pcapng", CAPTURE_OUTBOUND);
    records_assert_same(&simulated, &replayed);
    records_free(&simulated);
    records_free(&replayed);
    unlink("out/core1.0.pcapng");
    assert_int_equal(rmdir("out"), 0);
}

#define CREDITS                                                                                                        \
    "fabric: {kind: fat-tree, k: 4}\n"                                                                                 \
    "host: {transport: %s}\n"                                                                                          \
    "switch: {%s}\n"                                                                                                   \
    "workload:\n"                                                                                                      \
    "  - {kind: shuffle, sizes: 20KB}\n"                                                                               \
    "measure: {pcap: [agg0.1]}\n"

/* The credit settings of the experiment reach the replay, which reports the drops of the class of credits. */
static void credits_replay(const char *transport, const char *switches) {
    char text[1024];
    snprintf(text, sizeof text, CREDITS, transport, switches);
    file_write("y.yaml", text);
    assert_int_equal(heddle("run y.yaml --quiet")->code, 0);
    const struct ended *e = heddle("replay y.yaml --node agg0.1 --in all=y.captures/run1/agg0.1.pcapng --out out");
    if (e->code != 0) fail_msg("%s: exit %d, %s", transport, e->code, e->err);
    assert_non_null(strstr(e->out, ": the queue of credits was full\n"));
    struct records simulated = records_read("y.captures/run1/agg0.1.pcapng", CAPTURE_OUTBOUND);
    struct records replayed = records_read("out/agg0.1.pcapng", CAPTURE_OUTBOUND);
    assert_true(simulated.n > 500);
    records_assert_same(&simulated, &replayed);
    records_free(&simulated);
    records_free(&replayed);
    static const char *const made[] = {"out/agg0.1.pcapng", "y.captures/run1/agg0.1.pcapng", "y.db", "y.yaml"};
    for (int i = 0; i < 4; i++) assert_int_equal(unlink(made[i]), 0);
    static const char *const folders[] = {"out", "y.captures/run1", "y.captures"};
    for (int i = 0; i < 3; i++) assert_int_equal(rmdir(folders[i]), 0);
}

static void program__credits(void **state) {
    (void)state;
    credits_replay("expresspass", "balance: expeditus, record_path: true, credit_queue: 2");
    credits_replay("expresspass", "ecmp: {hash: symmetric}, credit_queue: 2, credit_drop: random");
    credits_replay("expresspass, credit_spread: 8B", "ecmp: {hash: symmetric}, credit_queue: 2, credit_drop: random");
    credits_replay("spraypass", "ecmp: {hash: symmetric}, credit_queue: 2, credit_mark_window: 4");
    credits_replay("expresspass, credit_end: size", "ecmp: {hash: symmetric}, credit_queue: 2, credit_drop: random");
}

static void refused(const char *line, const char *expected) { heddle_refuses(line, expected, "out"); }

static void program__refusals(void **state) {
    (void)state;
    refused("replay", "heddle: error: FILE.yaml is missing; write heddle replay FILE.yaml --node NODE --in "
                      "PORT=FILE.pcapng --out DIR");
    refused("replay x.yaml --in all=x --out out", "heddle: error: --node is missing; write heddle replay FILE.yaml "
                                                  "--node NODE --in PORT=FILE.pcapng --out DIR");
    refused("replay x.yaml --node tor0.0 --in all --out out",
            "heddle: error: --in all: write PORT=FILE, the port named by its neighbour, or all=FILE");
    refused("replay x.yaml --node tor9.0 --in all=x --out out",
            "heddle: error: --node tor9.0: there is no such node; the switches are tor0.0 to core1.1");
    refused("replay x.yaml --run 4 --node tor0.0 --in all=x --out out", "heddle: error: --run 4: there are 3 runs");
    refused("replay x.yaml --node tor0.0 --in all=nosuch --out out",
            "nosuch: error: cannot open the capture: No such file or directory");
    refused("replay x.yaml --node tor0.0 --in agg0.7=x --out out",
            "error: tor0.0 has no port 'agg0.7'; its ports are host0.0.0, host0.0.1, agg0.0, agg0.1");
    refused("replay x.yaml --run 3 --node tor0.0 --in all=x.captures/run3/tor0.0.pcapng --out out",
            "error: clairvoyant sees the links of the whole fabric, which one switch does not; choose "
            "another balancer");
    refused("replay nosuch.yaml --node tor0.0 --in all=x --out out",
            "nosuch.yaml: error: cannot read it: No such file or directory; name an experiment file");
}

/* The disk fills up during the replay: an error, exit 3, and no partial file. */
static void program__full_disk(void **state) {
    (void)state;
    const struct ended *e =
        heddle_limited("replay x.yaml --node tor0.0 --in all=x.captures/run1/tor0.0.pcapng --out out", 20000);
    assert_int_equal(e->code, 3);
    assert_string_equal(e->out, "");
    assert_non_null(strstr(e->err, "out/tor0.0.pcapng: error: "));
    assert_non_null(strstr(e->err, "File too large"));
    assert_int_equal(lines_in(e->err), 1);
    assert_int_equal(rmdir("out"), 0);
}

#define FIFTY "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* A path of more than 500 characters works. */
static void program__a_long_path(void **state) {
    (void)state;
    char line[1024], out[700] = "out" FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY;
    snprintf(line, sizeof line, "mkdir -p %s", out);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "replay x.yaml --node tor0.0 --in all=x.captures/run1/tor0.0.pcapng --out %s", out);
    const struct ended *e = heddle(line);
    assert_int_equal(e->code, 0);
    strcat(out, "/tor0.0.pcapng");
    assert_non_null(strstr(e->out, out));
    assert_int_equal(access(out, R_OK), 0);
    assert_int_equal(system("rm -r out"), 0);
}

/* A replay does not overwrite a recording. */
static void program__keeps_recordings(void **state) {
    (void)state;
    heddle_refuses("replay x.yaml --node tor0.0 --in all=x.captures/run1/tor0.0.pcapng --out x.captures/run2",
                   "x.captures/run2/tor0.0.pcapng: error: this file is there already and is not a capture of heddle "
                   "replay; name another --out, or replace it with --force",
                   "out");
    heddle_refuses("replay x.yaml --node tor0.0 --in all=x.captures/run1/tor0.0.pcapng --out x.captures/run1 --force",
                   "x.captures/run1/tor0.0.pcapng: error: this is x.captures/run1/tor0.0.pcapng, which is read; name "
                   "another file for a capture of heddle replay",
                   "out");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        UNIT(program__ecmp),     UNIT(program__expeditus), UNIT(program__port_by_port), UNIT(program__credits),
        UNIT(program__refusals), UNIT(program__full_disk), UNIT(program__a_long_path),  UNIT(program__keeps_recordings),
    };
    if (argc < 2 || !realpath(argv[1], absolute)) return 2;
    program = absolute;
    return cmocka_run_group_tests(tests, setup, teardown);
}
