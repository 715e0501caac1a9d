/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store_reader.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/claims/verdict.h"
#include "study/store/packed_flows.h"
#include "study/store/store.h"
#include "study/store/store_guard.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- ownership, columns ---- */

static void *own(struct store_reader *r, void *memory) {
    r->owned = memory_grow(r->owned, r->n_owned + 1, sizeof *r->owned);
    return r->owned[r->n_owned++] = memory;
}

/* Returns the text of a column; NULL stays NULL. */
static const char *text(struct store_reader *r, sqlite3_stmt *q, int at) {
    const char *t = (const char *)sqlite3_column_text(q, at);
    return t ? own(r, text_clean(text_copy(t))) : NULL;
}

static const char *text_or_empty(struct store_reader *r, sqlite3_stmt *q, int at) {
    const char *t = text(r, q, at);
    return t ? t : "";
}

/* Replaces JSON escapes of control characters by the escape of a blank, as text_clean does. */
static void escapes_clean(char *json) {
    for (char *at = json; (at = strchr(at, '\\')); at += at[1] ? 2 : 1) {
        char digits[5] = "";
        if (at[1] == 'u') memcpy(digits, at + 2, strnlen(at + 2, 4));
        unsigned long c = strtoul(digits, NULL, 16);
        if (at[1] != 'u' || strlen(digits) != 4 || (c >= ' ' && (c < 0x7f || c >= 0xa0))) continue;
        at[2] = at[3] = at[5] = '0'; /* the digits of a blank */
        at[4] = '2';
    }
}

/* Returns the JSON of a column; NULL if it holds no JSON of this kind. */
static json_t *json_of_kind(sqlite3_stmt *q, int at, json_type kind) {
    const char *t = (const char *)sqlite3_column_text(q, at);
    if (!t) return NULL;
    char *copy = text_clean(text_copy(t));
    escapes_clean(copy);
    json_t *value = json_loads(copy, 0, NULL);
    free(copy);
    if (value && json_typeof(value) == kind) return value;
    json_decref(value);
    return NULL;
}

static json_t *json(sqlite3_stmt *q, int at) { return json_of_kind(q, at, JSON_OBJECT); }

static double real(sqlite3_stmt *q, int at) {
    return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

typedef void (*row_fn)(struct store_reader *r, sqlite3_stmt *q);

/* Returns whether a column holds what its kind says: 'i' an integer, 'u' one that fits 32 bits, 'r' a number, 't' a text;
 * NULL is allowed but for a kind in upper case. */
static bool is_of_kind(sqlite3_stmt *q, int at, char kind) {
    int type = sqlite3_column_type(q, at);
    if (type == SQLITE_NULL) return islower((unsigned char)kind);
    switch (tolower((unsigned char)kind)) {
    case 't': return type == SQLITE_TEXT;
    case 'r': return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    case 'u': return type == SQLITE_INTEGER && (uint64_t)sqlite3_column_int64(q, at) <= UINT32_MAX;
    default: return type == SQLITE_INTEGER;
    }
}

static bool kinds_check(const struct store_reader *r, sqlite3_stmt *q, const char *kinds, struct diag *d) {
    for (int i = 0; kinds[i]; i++) {
        if (is_of_kind(q, i, kinds[i])) continue;
        return diag_fail_in(
            d, r->path, "this store is damaged: a value of %s is no %s; run the experiment again into another file",
            sqlite3_column_name(q, i), tolower((unsigned char)kinds[i]) == 't' ? "text" : "such number");
    }
    return true;
}

#define ROW_BYTES_LEAST 8 /* of an experiment, a run or a claim in the file */

/* Reads all rows of a query whose columns are of these kinds. */
static bool rows_read(struct store_reader *r, const char *sql, const char *kinds, row_fn take, struct diag *d) {
    sqlite3_stmt *q = NULL;
    bool fine = true;
    int64_t bytes = 0;
    store_guard_ask(r->guard);
    int code = sqlite3_prepare_v2(r->db, sql, -1, &q, NULL);
    while (fine && (code == SQLITE_OK || code == SQLITE_ROW)) {
        code = sqlite3_step(q);
        if (code != SQLITE_ROW) continue;
        bytes += ROW_BYTES_LEAST;
        fine = kinds_check(r, q, kinds, d);
        if (bytes > r->guard->bytes) fine = diag_fail_in(d, r->path, "results store: %s", STORE_ENDLESS);
        if (fine) take(r, q);
    }
    sqlite3_finalize(q);
    return !fine ? false : code == SQLITE_DONE || diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
}

static void experiment_take(struct store_reader *r, sqlite3_stmt *q) {
    r->experiment = memory_grow(r->experiment, r->n_experiments + 1, sizeof *r->experiment);
    r->experiment[r->n_experiments++] = (struct experiment_row){.id = sqlite3_column_int64(q, 0),
                                                                .name = text_or_empty(r, q, 1),
                                                                .title = text_or_empty(r, q, 2),
                                                                .file = text_or_empty(r, q, 3),
                                                                .created = text_or_empty(r, q, 4)};
}

static size_t experiment_place(const struct store_reader *r, int64_t id) {
    size_t at = 0;
    while (at < r->n_experiments && r->experiment[at].id != id) at++;
    return at;
}

static enum run_status status_of(const char *word) {
    if (strcmp(word, "done") == 0) return RUN_DONE;
    return strcmp(word, "failed") == 0 ? RUN_FAILED : RUN_LEFT;
}

static void run_take(struct store_reader *r, sqlite3_stmt *q) {
    size_t experiment = experiment_place(r, sqlite3_column_int64(q, 1));
    if (experiment == r->n_experiments) return;
    r->run = memory_grow(r->run, r->n_runs + 1, sizeof *r->run);
    struct run_row *x = &r->run[r->n_runs++];
    *x = (struct run_row){.id = sqlite3_column_int64(q, 0), .experiment = experiment};
    x->number = (uint32_t)sqlite3_column_int64(q, 2);
    x->settings = json(q, 3);
    if (!x->settings) x->settings = json_object();
    x->identity = text_or_empty(r, q, 4);
    x->status = status_of(text_or_empty(r, q, 5));
    x->config = text_or_empty(r, q, 6);
    x->version = text_or_empty(r, q, 7);
    x->result = json(q, 8);
    x->failure = text(r, q, 9);
    x->started = text_or_empty(r, q, 10);
    x->finished = text_or_empty(r, q, 11);
    x->profile = text(r, q, 12);
    x->set = json_of_kind(q, 13, JSON_ARRAY);
}

/* Derives the verdict of a claim in stores that keep only whether it was met and whether that was expected. */
static void claim_take_older(struct claim_row *x) {
    x->verdict = verdict_word(isnan(x->measured) ? VERDICT_UNMEASURED : x->met ? VERDICT_HOLDS : VERDICT_FAILS);
    x->recorded = verdict_word(x->expected ? VERDICT_HOLDS : VERDICT_FAILS);
    x->as_recorded = x->met == x->expected;
}

/* Returns the reason of an outcome without a verdict in stores without reasons; NULL if it has a verdict. */
static const char *reason_of_older(const struct claim_row *x) {
    if (strcmp(x->verdict, verdict_word(VERDICT_UNDECIDED)) != 0) return NULL;
    if (x->n_missing) return "runs are missing";
    return x->n_seeds == 1 && isnan(x->standard_error) ? "one seed" : "the store is older and does not say why";
}

static void claim_take(struct store_reader *r, sqlite3_stmt *q) {
    size_t experiment = experiment_place(r, sqlite3_column_int64(q, 0));
    if (experiment == r->n_experiments) return;
    r->claim = memory_grow(r->claim, r->n_claims + 1, sizeof *r->claim);
    struct claim_row *x = &r->claim[r->n_claims++];
    *x = (struct claim_row){.experiment = experiment, .claim = text_or_empty(r, q, 1), .place = json(q, 2)};
    if (!x->place) x->place = json_object();
    x->metric = text_or_empty(r, q, 3);
    x->form = text_or_empty(r, q, 4);
    x->n_seeds = (uint32_t)sqlite3_column_int64(q, 5);
    x->measured = real(q, 6);
    x->spread = real(q, 7);
    x->low = real(q, 8);
    x->high = real(q, 9);
    x->met = sqlite3_column_int(q, 10);
    x->expected = sqlite3_column_int(q, 11);
    x->note = text(r, q, 12);
    x->subject = json(q, 13);
    x->against = json(q, 14);
    x->than = json(q, 15);
    x->standard_error = real(q, 16);
    x->interval_low = real(q, 17);
    x->interval_high = real(q, 18);
    x->verdict = text(r, q, 19);
    x->recorded = text(r, q, 20);
    x->as_recorded = sqlite3_column_int(q, 21);
    x->every = sqlite3_column_int(q, 22);
    x->roughly = text(r, q, 23);
    x->paper = text(r, q, 24);
    x->n_missing = (uint32_t)sqlite3_column_int64(q, 25);
    x->reason = text(r, q, 26);
    if (!x->verdict) claim_take_older(x);
    if (!x->reason) x->reason = reason_of_older(x);
}

static bool claims_have(const struct store_reader *r, const char *column) {
    return sqlite3_table_column_metadata(r->db, NULL, "claims", column, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* Reads the claims. Older stores lack the columns of settings and verdicts. */
static bool claims_read(struct store_reader *r, struct diag *d) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT experiment, claim, place, metric, form, n_seeds, measured, spread, low, high, met, expected, note,"
             " %s, %s, %s, %s FROM claims ORDER BY experiment, rowid",
             claims_have(r, "against") ? "subject, against" : "NULL, NULL",
             claims_have(r, "paper") ? "than, standard_error, interval_low, interval_high, verdict, recorded,"
                                       " as_recorded, every, roughly, paper"
                                     : "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL",
             claims_have(r, "missing") ? "missing" : "NULL", claims_have(r, "reason") ? "reason" : "NULL");
    return rows_read(r, sql,
                     "I"
                     "tttt"
                     "u"
                     "rrrr"
                     "ii"
                     "tttt"
                     "rrr"
                     "tt"
                     "ii"
                     "tt"
                     "u"
                     "t",
                     claim_take, d);
}

/* Reads the runs. Older stores lack the table of command lines. */
static bool runs_read(struct store_reader *r, struct diag *d) {
    char sql[512];
    bool has = sqlite3_table_column_metadata(r->db, NULL, "options", "sets", NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
    snprintf(sql, sizeof sql,
             "SELECT r.id, experiment, number, settings, identity, status, config, version, result, failure,"
             " started, finished, %s ORDER BY experiment, number IS NULL, number, r.id",
             has ? "o.profile, o.sets FROM runs r LEFT JOIN options o ON o.run = r.id" : "NULL, NULL FROM runs r");
    return rows_read(r, sql,
                     "IIuTTT"
                     "tttttt"
                     "tt",
                     run_take, d);
}

static bool contents_read(struct store_reader *r, struct diag *d) {
    return rows_read(r, "SELECT id, name, title, file, created FROM experiments ORDER BY id", "ITttt", experiment_take,
                     d) &&
           runs_read(r, d) && claims_read(r, d);
}

bool store_finished_check(const struct store_reader *r, struct diag *d) {
    if (r->n_experiments == 0) return diag_fail_in(d, r->path, "this store holds no experiment; heddle run fills it");
    for (size_t i = 0; i < r->n_runs; i++) {
        if (r->run[i].number > 0 && r->run[i].status == RUN_DONE) return true;
    }
    return diag_fail_in(d, r->path, "'%s' has no finished run; heddle run goes on with it", r->experiment[0].name);
}

const char *run_status_word(enum run_status status) {
    static const char *const words[] = {[RUN_LEFT] = "running", [RUN_DONE] = "done", [RUN_FAILED] = "failed"};
    return words[status];
}

/* ---- a temporary copy, where reading would change the file ---- */

static bool file_copy(const char *from, const char *to) {
    char buf[1 << 16];
    int in = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC),
        out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    ssize_t n = -1;
    while (in >= 0 && out >= 0 && (n = read(in, buf, sizeof buf)) > 0 && write(out, buf, (size_t)n) == n) continue;
    if (in >= 0) close(in);
    return (out < 0 || close(out) == 0) && n == 0;
}

/* Copies the store with the files that SQLite keeps beside it: a rollback journal or a write-ahead log. */
static bool copy_make(struct store_reader *r, struct diag *d) {
    static const char *const part[] = {"", "-journal", "-wal"};
    const char *folder = getenv("TMPDIR");
    r->copy = text_format("%s/heddle-XXXXXX", folder ? folder : "/tmp");
    bool ok = mkdtemp(r->copy) != NULL;
    for (size_t i = 0; ok && i < sizeof part / sizeof *part; i++) {
        char from[4096], to[4096];
        snprintf(from, sizeof from, "%s%s", r->path, part[i]);
        snprintf(to, sizeof to, "%s/store%s", r->copy, part[i]);
        ok = (i > 0 && access(from, F_OK) != 0) || file_copy(from, to);
    }
    return ok ||
           diag_fail_in(d, r->path,
                        "a killed process left this store half written and there is no room to look at a copy; set "
                        "TMPDIR to a folder with room, or run the same heddle run again");
}

static void copy_remove(struct store_reader *r) {
    static const char *const part[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; r->copy && i < sizeof part / sizeof *part; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/store%s", r->copy, part[i]);
        unlink(path);
    }
    if (r->copy) rmdir(r->copy);
    free(r->copy);
}

/* ---- opening ---- */

/* Checks the first bytes of the file and sets *has_wal. Returns false if it is no SQLite file. */
static bool header_check(const char *path, bool *has_wal, struct diag *d) {
    unsigned char head[20];
    if (access(path, F_OK) != 0)
        return diag_fail_in(d, path, "there is no such results store; name the file that heddle run wrote");
    errno = 0;
    FILE *f = input_is_plain_or_absent(path) ? input_open(path, NULL) : NULL;
    size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    if (f) fclose(f);
    if (!f && errno == EACCES) return diag_fail_in(d, path, "cannot read it: %s", strerror(EACCES));
    if (!f) return diag_fail_in(d, path, "this is no file; name the file that heddle run wrote");
    if (n == 0) return diag_fail_in(d, path, "this file is empty; name the file that heddle run wrote");
    if (n < sizeof head || memcmp(head, "SQLite format 3", 16) != 0)
        return diag_fail_in(d, path, "this is no heddle results store; name the file that heddle run wrote");
    *has_wal = head[18] == 2;
    return true;
}

static bool database_open(struct store_reader *r, bool has_wal, struct diag *d) {
    if (has_wal && !copy_make(r, d)) return false;
    char *copied = NULL;
    if (r->copy) copied = text_format("%s/store", r->copy);
    /* One thread uses a reader; a mutex around each value of each row would take half of the time. */
    int flags = SQLITE_OPEN_NOMUTEX | (copied ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
    bool ok = sqlite3_open_v2(copied ? copied : r->path, &r->db, flags, NULL) == SQLITE_OK;
    free(copied);
    if (!ok) return diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
    sqlite3_extended_result_codes(r->db, 1);
    r->guard = store_guard_begin(r->db, r->path);
    sqlite3_busy_timeout(r->db, 10000);
    return true;
}

/* Reads the schema. Fails if a journal must be rolled back first. */
static int look(struct store_reader *r) { return sqlite3_exec(r->db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL); }

static bool begin(struct store_reader *r, struct diag *d) {
    int code = look(r);
    if (!r->copy && (code == SQLITE_READONLY_ROLLBACK || (code & 0xff) == SQLITE_CANTOPEN)) {
        sqlite3_close(r->db);
        store_guard_end(r->guard);
        r->db = NULL;
        r->guard = NULL;
        if (!copy_make(r, d) || !database_open(r, false, d)) return false;
        code = look(r);
    }
    if (code == SQLITE_OK) return true;
    return diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
}

struct store_reader *store_reader_open(const char *path, struct diag *d) {
    struct store_reader *r = memory_get(1, sizeof *r);
    r->path = text_copy(path);
    r->shown = own(r, text_clean(text_copy(path)));
    bool has_wal = false;
    if (header_check(path, &has_wal, d) && store_beside_check(path, d) && database_open(r, has_wal, d) && begin(r, d) &&
        store_schema_check(r->db, path, d) && store_guard_schema(r->db, path, d) && packed_flows_show(r, d) &&
        contents_read(r, d)) {
        return r;
    }
    store_reader_close(r);
    return NULL;
}

void store_reader_close(struct store_reader *r) {
    if (!r) return;
    sqlite3_close(r->db);
    store_guard_end(r->guard);
    copy_remove(r);
    for (size_t i = 0; i < r->n_runs; i++) {
        json_decref(r->run[i].settings);
        json_decref(r->run[i].result);
        json_decref(r->run[i].set);
    }
    for (size_t i = 0; i < r->n_claims; i++) {
        json_decref(r->claim[i].than);
        json_decref(r->claim[i].place);
        json_decref(r->claim[i].subject);
        json_decref(r->claim[i].against);
    }
    for (size_t i = 0; i < r->n_owned; i++) free(r->owned[i]);
    free(r->owned);
    free(r->experiment);
    free(r->run);
    free(r->claim);
    free(r->path);
    free(r);
}
