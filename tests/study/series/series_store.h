/* SPDX-License-Identifier: Apache-2.0 */
/* A store with one finished run, whose tables a test fills with SQL; ?1 stands for the run. */
#ifndef HEDDLE_TESTS_SERIES_STORE_H
#define HEDDLE_TESTS_SERIES_STORE_H

#include "study/store/store.h"
#include "study/store/store_reader.h"
#include "study_test.h"

#include <stdio.h>
#include <unistd.h>

/* Makes the store `path` of the experiment `text`, with `result` as the result of its only run and the rows of `sql`,
 * and opens it. Takes over the result. store_reader_close ends it. */
static struct store_reader *series_store(const char *path, const char *text, json_t *result, const char *const *sql,
                                         size_t n_sql) {
    struct diag d = {0};
    unlink(path);
    struct experiment *e = read_text(text);
    struct store *s = store_open(path, &d);
    int64_t experiment, run;
    assert_non_null(s);
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    assert_true(store_run_end(s, run, NULL, result, NULL, &d));
    for (size_t i = 0; i < n_sql; i++) {
        sqlite3_stmt *q = NULL;
        if (sqlite3_prepare_v2(store_database(s), sql[i], -1, &q, NULL) != SQLITE_OK)
            fail_msg("%s: %s", sql[i], sqlite3_errmsg(store_database(s)));
        sqlite3_bind_int64(q, 1, run);
        assert_int_equal(sqlite3_step(q), SQLITE_DONE);
        sqlite3_finalize(q);
    }
    store_close(s);
    json_decref(result);
    experiment_free(e);
    struct store_reader *r = store_reader_open(path, &d);
    if (!r) fail_msg("%s", d.text);
    return r;
}

#endif
