/* SPDX-License-Identifier: Apache-2.0 */
/* heddle flow: the timeline of one flow. */
#include "bad_stores.h"
#include "fresh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void flow__prints_the_timeline(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {flow: [2]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    const struct ended *e = heddle("flow x.db 2");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "flow 2 of run 1: 200000 B from host"));
    assert_non_null(strstr(e->out, "sent"));
    assert_non_null(strstr(e->out, " us  cwnd       host1.0        window "));
    assert_non_null(strstr(e->out, "finished"));
    assert_int_equal(heddle("flow x.db 1")->code, 2);
    assert_int_equal(heddle("flow x.db 99")->code, 2);
    assert_int_equal(heddle("flow x.db --run 7 2")->code, 2);
}

static void flow__tells_credits_by_number(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {flow: [2]}\nhost: {transport: spraypass}\n"
                               "switch: {ecmp: {hash: symmetric}}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    const struct ended *e = heddle("flow x.db 2");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, " request 0 "));
    assert_non_null(strstr(e->out, " credit 0, expects 0 "));
    assert_non_null(strstr(e->out, " data 0 +1460 B, credit 0 "));
    assert_non_null(strstr(e->out, " done 137 "));
    assert_null(strstr(e->out, " ack "));
    assert_null(strstr(e->out, " syn "));
}

/* heddle flow leaves the store as it is. It does not roll back the journal of a killed run, but answers from the state
 * before that run. */
static void flow__writes_nothing(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {flow: [2]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    store_writer_killed("x.db", "UPDATE flows SET bytes=1");
    assert_int_equal(system("cp x.db x.before"), 0);
    const struct ended *e = heddle("flow x.db 2");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "flow 2 of run 1: 200000 B from host"));
    assert_int_equal(access("x.db-journal", F_OK), 0);
    assert_int_equal(system("cmp x.db x.before"), 0);
    unlink("x.before");
    unlink("x.db-journal");
}

static void flow__numbers_end_at_32_bits(void **state) {
    (void)state;
    heddle_refuses("flow g.db 4294967296", "heddle: error: ID 4294967296: write a number from 0 to 4294967294", "none");
    heddle_refuses("flow g.db -1", "heddle: error: unknown option '-1'; see heddle flow --help", "none");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(flow__prints_the_timeline),
        CASE(flow__tells_credits_by_number),
        CASE(flow__writes_nothing),
        CASE(flow__numbers_end_at_32_bits),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
