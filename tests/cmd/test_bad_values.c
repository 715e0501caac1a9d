/* SPDX-License-Identifier: Apache-2.0 */
/* Stores whose values cannot be: every column of every table set to NULL, a text, a huge and a negative number and a
 * blob, without the constraints that would refuse it. Whoever reads such a store ends with exit code 0, or with 2 and
 * one line; nothing crashes. argv[1] is the program; argv[2] "all": every command on every value (suite long). */
#include "bad_stores.h"
#include "program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool all;

#define EXPERIMENT                                                                                                     \
    "title: values\n"                                                                                                  \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"                                                     \
    "workload:\n"                                                                                                      \
    "  - {kind: permutation, sizes: 20KB}\n"                                                                           \
    "  - {kind: query, responses: [2KB], queries: 6, schedule: [{for: 1ms, rate: 20000/s}]}\n"                         \
    "measure: {goodput: 100us, queues: 100us, links: 100us, imbalance: 100us, jain: [100us], convergence: {interval: " \
    "100us}, flow: [0]}\n"                                                                                             \
    "sweep: {switch.balance: [ecmp, expeditus]}\n"                                                                     \
    "expect:\n"                                                                                                        \
    "  - {claim: C, metric: fct_us.all.mean, of: {switch.balance: expeditus}, against: {switch.balance: ecmp}, "       \
    "ratio: [0, null]}\n"                                                                                              \
    "figure:\n"                                                                                                        \
    "  - {name: t, kind: table, x: metric, series: switch.balance, y: [{metric: fct_us.all.mean, label: mean}]}\n"     \
    "  - {name: c, kind: cdf, series: switch.balance, y: {metric: fct_us.all}}\n"                                      \
    "  - {name: s, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n"                                    \
    "  - {name: q, kind: cdf, series: switch.balance, y: {metric: queries.2KB}}\n"                                     \
    "  - {name: i, kind: cdf, series: switch.balance, y: {metric: imbalance.tor}}\n"                                   \
    "  - {name: r, kind: cdf, series: switch.balance, y: {metric: reorder}}\n"                                         \
    "  - {name: f, kind: cdf, series: switch.balance, y: {metric: reorder.frames}}\n"                                  \
    "  - {name: g, kind: rank, series: switch.balance, y: {metric: goodput_gbps}}\n"                                   \
    "  - {name: h, kind: time, series: host, panels: switch.balance, y: {metric: goodput.host}}\n"                     \
    "  - {name: m, kind: time, series: switch.balance, y: {metric: queue.max}}\n"

/* What a run of this experiment leaves empty. */
#define ROWS                                                                                                           \
    "INSERT INTO pauses SELECT id, 6, 1, 300, 3, 1, 200, 50 FROM runs;"                                                \
    "INSERT INTO pause_rings SELECT id, 0, 0, 6, 1, 10, 20, 40 FROM runs;"                                             \
    "INSERT INTO convergence SELECT id, 10, 3, 6, 100, 200 FROM runs;"

static const char *const values[] = {"NULL", "'text'", "9223372036854775807", "-9223372036854775807", "x'00ff1b'"};
#define N_VALUES (sizeof values / sizeof *values)
static const char *const commands[] = {"report v.db -o v.html --force", "report v.db --text",
                                       "export v.db --csv v-csv --force", "report v.db --figures v-figures --force",
                                       "flow v.db 0"};
#define N_COMMANDS (sizeof commands / sizeof *commands)

/* gnuplot takes most of the time and reads no store. */
static void gnuplot_replace(void) {
    char path[8192], here[4096];
    assert_int_equal(mkdir("bin", 0777), 0);
    file_write("bin/gnuplot", "#!/bin/sh\nn=${1%.gp}\necho x >$n.svg\necho x >$n.pdf\n");
    assert_int_equal(chmod("bin/gnuplot", 0755), 0);
    snprintf(path, sizeof path, "%s/bin:%s", getcwd(here, sizeof here), getenv("PATH"));
    setenv("PATH", path, 1);
}

/* A copy of the table without its constraints. */
static void constraints_drop(sqlite3 *db, const char *table) {
    char sql[512];
    snprintf(sql, sizeof sql, "CREATE TABLE bare AS SELECT * FROM %s; DROP TABLE %s; ALTER TABLE bare RENAME TO %s",
             table, table, table);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

struct column {
    char table[64], name[64];
};

/* Every column of every table, into a static list. */
static size_t columns_list(sqlite3 *db, struct column *list, size_t room) {
    sqlite3_stmt *q;
    size_t n = 0;
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c"
                                        " WHERE m.type='table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid",
                                        -1, &q, NULL),
                     SQLITE_OK);
    for (; sqlite3_step(q) == SQLITE_ROW; n++) {
        assert_true(n < room);
        snprintf(list[n].table, sizeof list[n].table, "%s", (const char *)sqlite3_column_text(q, 0));
        snprintf(list[n].name, sizeof list[n].name, "%s", (const char *)sqlite3_column_text(q, 1));
    }
    sqlite3_finalize(q);
    return n;
}

static void file_copy(const char *from, const char *to) {
    char line[256];
    snprintf(line, sizeof line, "%s", from);
    FILE *in = fopen(line, "rb"), *out = fopen(to, "wb");
    char piece[1 << 16];
    assert_true(in && out);
    for (size_t n; (n = fread(piece, 1, sizeof piece, in)) > 0;) assert_int_equal(fwrite(piece, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static bool ends_well(const char *command, const char *change) {
    const struct ended *e = heddle(command);
    bool good = e->code == 0 || (e->code == 1 && strncmp(command, "run", 3) == 0) ||
                (e->code == 2 && lines_in(e->err) == 1 && strstr(e->err, "error: "));
    bool plain = !strchr(e->out, '\x1b') && !strchr(e->err, '\x1b');
    if (!good || !plain) print_error("%s\n  after %s:\n  exit %d: %.300s\n", command, change, e->code, e->err);
    return good && plain;
}

/* The store as it is, to begin with: every command ends with 0. */
static struct column column[256];
static size_t n_columns;

static int setup(void **state) {
    (void)state;
    sqlite3 *db;
    gnuplot_replace();
    file_write("v.yaml", EXPERIMENT);
    if (heddle("run v.yaml --quiet")->code > 1) return -1; /* one seed decides no claim */
    if (sqlite3_open("v.db", &db) != SQLITE_OK || sqlite3_exec(db, ROWS, NULL, NULL, NULL) != SQLITE_OK) return -1;
    n_columns = columns_list(db, column, sizeof column / sizeof *column);
    for (size_t i = 0; i < n_columns; i++) {
        if (i == 0 || strcmp(column[i].table, column[i - 1].table) != 0) constraints_drop(db, column[i].table);
    }
    sqlite3_close(db);
    file_copy("v.db", "good.db");
    return 0;
}

static void values__a_good_store_is_read(void **state) {
    (void)state;
    assert_true(n_columns > 100);
    for (size_t i = 0; i < N_COMMANDS; i++) assert_int_equal(heddle(commands[i])->code, 0);
}

/* In release every column is set to NULL, and a third of the other changes is made; under sanitizers, where a start of the
 * program costs ten times as much, a seventh of all changes. Since 3 and 7 divide neither number of values, every value has
 * its turn. */
#ifdef __SANITIZE_ADDRESS__
#define SHARE 7
static const bool every_null = false;
#else
#define SHARE 3
static const bool every_null = true;
#endif

static bool has_turn(size_t value, size_t turn) { return all || (every_null && value == 0) || turn % SHARE == 0; }

/* Returns true if the change meets the command. The turn of commands shifts by one after each round of values; otherwise
 * a value would always meet the same command. */
static bool is_chosen(size_t command, size_t value, size_t turn) {
    size_t taken = turn / SHARE;
    return all || (every_null && value == 0) || (taken + taken / N_VALUES) % N_COMMANDS == command;
}

/* NULL meets every command where every column has it; the other values, which have much in common, one command each in
 * turn. */
static void values__none_of_them_crashes_a_reader(void **state) {
    (void)state;
    size_t bad = 0, turn = 0;
    for (size_t i = 0; i < n_columns; i++) {
        for (size_t v = 0; v < N_VALUES; v++, turn++) {
            if (!has_turn(v, turn)) continue;
            char sql[512];
            snprintf(sql, sizeof sql, "UPDATE %.60s SET \"%.60s\"=%s", column[i].table, column[i].name, values[v]);
            file_copy("good.db", "v.db");
            store_change("v.db", sql);
            for (size_t c = 0; c < N_COMMANDS; c++) {
                if (is_chosen(c, v, turn)) bad += !ends_well(commands[c], sql);
            }
        }
    }
    assert_int_equal(bad, 0);
}

/* What a run keeps about runs is read by the next heddle run too: it goes on, or says why not. */
static void values__a_run_goes_on_with_what_it_finds(void **state) {
    (void)state;
    size_t bad = 0, turn = 0;
    for (size_t i = 0; i < n_columns; i++) {
        static const char *const read_back[] = {"experiments", "runs", "claims", "figures"};
        bool is_read = false;
        for (size_t k = 0; k < 4; k++) is_read = is_read || strcmp(column[i].table, read_back[k]) == 0;
        for (size_t v = 0; is_read && v < (all ? N_VALUES : 2); v++, turn++) {
            if (!has_turn(v, turn)) continue;
            char sql[512];
            snprintf(sql, sizeof sql, "UPDATE %.60s SET \"%.60s\"=%s", column[i].table, column[i].name, values[v]);
            file_copy("constrained.db", "v.db");
            sqlite3 *db;
            assert_int_equal(sqlite3_open("v.db", &db), SQLITE_OK);
            sqlite3_exec(db, "PRAGMA ignore_check_constraints=1", NULL, NULL, NULL);
            int code = sqlite3_exec(db, sql, NULL, NULL, NULL); /* a constraint may refuse it */
            sqlite3_close(db);
            if (code == SQLITE_OK) bad += !ends_well("run v.yaml --quiet -o v.db", sql);
        }
    }
    assert_int_equal(bad, 0);
}

static int constrained(void **state) {
    (void)state;
    unlink("v.db");
    if (heddle("run v.yaml --quiet")->code > 1) return -1; /* one seed decides no claim */
    file_copy("v.db", "constrained.db");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    return system("rm -rf bin v.* v-csv v-figures good.db constrained.db");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values__a_good_store_is_read),
        cmocka_unit_test(values__none_of_them_crashes_a_reader),
        cmocka_unit_test_setup(values__a_run_goes_on_with_what_it_finds, constrained),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: test_bad_values PROGRAM [all]\n");
        return 2;
    }
    program = realpath(argv[1], NULL);
    all = argc > 2;
    char folder[] = "/tmp/heddle-test-XXXXXX";
    if (!program || !mkdtemp(folder) || chdir(folder) != 0) return 2;
    int failed = cmocka_run_group_tests(tests, setup, teardown);
    if (chdir("/") == 0) rmdir(folder);
    return failed;
}
