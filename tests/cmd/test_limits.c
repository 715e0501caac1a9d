/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the machine: too few addresses, too little memory, a full disk. The program gives the reason on standard
 * error and in the store, and the runs that it reports as done are in the store. argv[1] is the program. */
#include "program.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SMALL                                                                                                          \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 20KB}]\n"
#define SEEDS                                                                                                          \
    "sweep: {run.seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]}\n"

/* Returns the text of one cell of the store, static. */
static const char *cell(const char *sql) {
    static char text[1024];
    sqlite3 *db;
    sqlite3_stmt *q = NULL;
    text[0] = '\0';
    assert_int_equal(sqlite3_open("x.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_text(q, 0))
        snprintf(text, sizeof text, "%s", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
    return text;
}

static int fresh(void **state) {
    (void)state;
    unlink("x.db");
    unlink("x.yaml");
    unlink("x.db-journal");
    return 0;
}

/* ulimit -v limits addresses. A run reserves addresses for frames, not memory. */
static void limits__too_few_addresses(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "sweep: {run.seed: [1, 2]}\n");
    const struct ended *e = heddle_within("run x.yaml --quiet", RLIMIT_AS, 4000000000);
    assert_int_equal(e->code, 3);
    assert_int_equal(lines_in(e->err), 3);
    assert_string_equal(line_of(e->err, 0),
                        "x.yaml: error: run 1 failed: too few addresses: 8589 MB of them (not of memory) are reserved "
                        "for frames; raise the limit (ulimit -v)");
    assert_string_equal(line_of(e->err, 2), "x.yaml: 2 of 2 runs are not done; what finished is in x.db, the same "
                                            "command goes on from there");
    assert_string_equal(cell("SELECT failure FROM runs WHERE number=2"),
                        "too few addresses: 8589 MB of them (not of memory) are reserved for frames; raise the limit "
                        "(ulimit -v)");
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='failed'"), 2);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
}

/* A run under --force that needs more memory than there is fails with that reason, not as a crash. */
static void limits__too_little_memory(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: leaf-spine, leaves: 8, spines: 8, hosts: 8}\n"
                         "workload: [{kind: poisson, sizes: 1KB, load: 0.5, load_at: host, flows: 2000000}]\n"
                         "run: {until: 1ms}\n");
    const struct ended *e = heddle_within("run x.yaml --quiet --force", RLIMIT_DATA, 150000000);
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(e->err, "memory ran out: "));
    assert_null(strstr(e->err, "signal"));
    assert_true(lines_in(e->err) <= 2);
}

/* Flows have the memory that the fabric leaves: these would fit alone, in 152 of 154 MB. */
static void limits__flows_beside_their_fabric(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: leaf-spine, leaves: 200, spines: 8, hosts: 100}\n"
                         "workload: [{kind: poisson, sizes: 1KB, load: 0.5, load_at: host, flows: 640000}]\n"
                         "run: {until: 1ms}\n");
    const struct ended *e = heddle_within("check x.yaml", RLIMIT_DATA, 153600000);
    assert_int_equal(e->code, 2);
    assert_non_null(strstr(e->err, "x.yaml:2:19: error: workload.0 makes about 640000 flows; "));
}

/* The number of missing runs includes the one whose transaction was rolled back. */
static void limits__a_full_disk(void **state) {
    (void)state;
    file_write("x.yaml", SMALL SEEDS);
    const struct ended *e = heddle_within("run x.yaml", RLIMIT_FSIZE, 240000);
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(e->err, "results store: "));
    long long missing = -1, done = store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'");
    const char *said = strstr(e->err, " of 24 runs are not done");
    assert_non_null(said);
    while (said > e->err && said[-1] >= '0' && said[-1] <= '9') said--;
    assert_int_equal(sscanf(said, "%lld", &missing), 1);
    assert_true(done >= 1 && done < 24);
    assert_int_equal(missing, 24 - done);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 24);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, fresh, fresh)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(limits__too_few_addresses),
        CASE(limits__too_little_memory),
        CASE(limits__flows_beside_their_fabric),
        CASE(limits__a_full_disk),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
