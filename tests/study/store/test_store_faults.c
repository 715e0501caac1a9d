/* SPDX-License-Identifier: Apache-2.0 */
/* A run that is killed, or whose disk fails, at the n-th change of its store, for every n: while the store is made, while
 * it is upgraded from each earlier layout, and while a run is recorded. Afterwards the same command ends as if nothing
 * had happened. Each command is a process of its own.
 *
 * An upgraded store is like a new one, so what comes after the upgrade is tried with a new store. With the argument `all`
 * it is tried with every layout, and all modes of failure are. With a number N only every Nth change is. */
#include "base/memory.h"
#include "faulty_vfs.h"
#include "store_layouts.h"
#include "study/run/run.h"
#include "study/store/store.h"
#include "study_test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define PATH "test_store_faults.db"
#define TEXT                                                                                                           \
    "fabric: {kind: star, hosts: 2}\nworkload: [{kind: permutation, sizes: 2KB}]\nmeasure: {flow: [0]}\n"              \
    "expect:\n- {claim: C, metric: flows.finished, every: true, value: [2, 2]}\n"

static struct experiment *experiment;
static bool tries_all;
static long step = 1; /* between two changes that are tried */

static void store_remove(void) {
    unlink(PATH);
    unlink(PATH "-journal");
}

/* Makes a store of layout `layout`; 0: none. */
static void layout_make(size_t layout) {
    sqlite3 *db;
    store_remove();
    if (layout == 0) return;
    assert_int_equal(sqlite3_open(PATH, &db), SQLITE_OK);
    for (size_t i = 0; i < layout; i++)
        assert_int_equal(sqlite3_exec(db, store_layouts[i].sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, STORE_LAYOUT_ROWS, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Carries out the experiment in a process whose disk fails at change `at` (0: never). Returns the exit code; minus the
 * number of a signal that ended it. */
static int run_with(enum fault_mode mode, long at) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct diag d = {0};
        struct run_options o = {.jobs = 1, .threads = 1, .store = PATH, .version = "test", .quiet = true};
        int null = open("/dev/null", O_WRONLY);
        faulty.mode = mode;
        faulty.at = at;
        if (dup2(null, STDERR_FILENO) < 0) _exit(99);
        _exit((int)experiment_run(experiment, &o, &d));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Returns one text of the store, static; "" if there is none. */
static const char *text_of(const char *sql) {
    static char text[256];
    sqlite3 *db;
    sqlite3_stmt *q = NULL;
    text[0] = '\0';
    if (sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW &&
        sqlite3_column_text(q, 0))
        snprintf(text, sizeof text, "%s", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
    return text;
}

/* Everything that a user gets of both runs: state, digest, rows of each kind, verdict. */
#define OUTCOME                                                                                                        \
    "SELECT group_concat(number || status || json_extract(result, '$.engine.digest') || (SELECT count(*) FROM flows f" \
    " WHERE f.run = r.id AND f.fct_ps > 0) || (SELECT count(*) FROM timelines t WHERE t.run = r.id AND t.frame > '')"  \
    " || (SELECT sets FROM options o WHERE o.run = r.id) || (SELECT verdict FROM claims c"                             \
    " WHERE c.experiment = r.experiment), ' ') FROM (SELECT * FROM runs ORDER BY number) r"                            \
    " JOIN experiments e ON e.id = r.experiment WHERE e.name = 'x'"

static char undisturbed[256];

/* Returns whether the same command, undisturbed, ends with the outcome of an undisturbed run, and nothing was lost. */
static bool heals(size_t layout) {
    if (run_with(FAULT_KILL, 0) != RUN_AS_EXPECTED) return false;
    if (strcmp(text_of(OUTCOME), undisturbed) != 0) return false;
    if (strcmp(text_of("PRAGMA integrity_check"), "ok") != 0) return false;
    return strcmp(text_of(STORE_LAYOUT_ROWS_KEPT), layout ? "1" : "0") == 0;
}

/* Returns how many changes opening a store makes that was as layout_make left it. */
static long changes_of_opening(size_t layout) {
    int status;
    layout_make(layout);
    pid_t pid = fork();
    if (pid == 0) {
        struct diag d;
        faulty.at = LONG_MAX;
        _exit(store_open(PATH, &d) ? (int)faulty.seen : 255);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 255);
    return WEXITSTATUS(status);
}

/* Carries out the command with a fault at change `at`. Returns false if the command made fewer changes. */
static bool point_try(enum fault_mode mode, size_t layout, long at) {
    bool dies = mode == FAULT_KILL || mode == FAULT_KILL_TORN;
    layout_make(layout);
    int code = run_with(mode, at);
    if (code == RUN_AS_EXPECTED && (dies || strcmp(text_of(OUTCOME), undisturbed) == 0)) return false;
    if (code != (dies ? -SIGKILL : RUN_INCOMPLETE) && (dies || code != RUN_BAD_CONFIG))
        fail_msg("mode %d, layout %zu, change %ld: the command ended with %d", (int)mode, layout, at, code);
    return true;
}

struct tally {
    long tried, unusable;
};

/* Tries the changes of one layout: all of a new store, of the others those of the upgrade and the two after it. */
static void points_try(enum fault_mode mode, size_t layout, struct tally *t) {
    long last = layout == 0 || tries_all ? LONG_MAX : changes_of_opening(layout) + 2;
    for (long at = 1; at <= last && point_try(mode, layout, at); at += step) {
        t->tried++;
        if (heals(layout)) continue;
        print_error("mode %d, layout %zu, change %ld: %s instead of %s\n", (int)mode, layout, at, text_of(OUTCOME),
                    undisturbed);
        t->unusable++;
    }
}

static void layouts_try(enum fault_mode mode, const char *what) {
    struct tally t = {0};
    for (size_t layout = 0; layout <= N_STORE_LAYOUTS; layout++) points_try(mode, layout, &t);
    print_message("%s: %ld points, a new store and %zu layouts: %ld unusable\n", what, t.tried, N_STORE_LAYOUTS,
                  t.unusable);
    assert_int_equal(t.unusable, 0);
    assert_true(t.tried > 300 / step);
}

/* ---- kills ---- */

static void kill__at_every_change(void **state) {
    (void)state;
    layouts_try(FAULT_KILL, "killed before a write, sync, truncation or deletion");
}

static void kill__inside_every_write(void **state) {
    (void)state;
    layouts_try(FAULT_KILL_TORN, "killed inside one");
}

/* ---- failing disks ---- */

/* Every error ends the command with one of its exit codes; no run counts as done that the store does not have. */
static void fails__once_from_then_on_full_and_without_locks(void **state) {
    (void)state;
    static const char *const what[FAULT_MODES] = {[FAULT_ONCE] = "fails once",
                                                  [FAULT_FROM] = "is stale from a change on",
                                                  [FAULT_FULL] = "is full from a change on",
                                                  [FAULT_LOCKS] = "refuses locks from one on"};
    for (enum fault_mode mode = FAULT_ONCE; mode < FAULT_MODES; mode++) {
        struct tally t = {0};
        points_try(mode, 0, &t);
        if (tries_all) points_try(mode, 1, &t);
        print_message("a disk that %s: %ld points: %ld unusable\n", what[mode], t.tried, t.unusable);
        assert_int_equal(t.unusable, 0);
        assert_true(t.tried > 0);
    }
}

static int setup(void **state) {
    (void)state;
    faulty_vfs_install();
    experiment = read_text(TEXT);
    store_remove();
    if (run_with(FAULT_KILL, 0) != RUN_AS_EXPECTED) return -1;
    snprintf(undisturbed, sizeof undisturbed, "%s", text_of(OUTCOME));
    print_message("an undisturbed run leaves %s\n", undisturbed);
    return undisturbed[0] ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    store_remove();
    experiment_free(experiment);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        UNIT(kill__at_every_change),
        UNIT(kill__inside_every_write),
        UNIT(fails__once_from_then_on_full_and_without_locks),
    };
    tries_all = argc > 1 && strcmp(argv[1], "all") == 0;
    if (argc > 1 && !tries_all) step = atol(argv[1]);
    return cmocka_run_group_tests(tests, setup, teardown);
}
