/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/samples.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- reading ---- */

static sqlite3_stmt *ask(const struct store_reader *r, const struct run_row *run, const struct sample_window *w,
                         const char *sql, struct diag *d) {
    sqlite3_stmt *q = store_ask(r, run->id, sql, d);
    if (!q) return NULL;
    sqlite3_bind_text(q, 2, w->kind, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 3, w->from_ps);
    sqlite3_bind_int64(q, 4, w->to_ps);
    return q;
}

bool run_samples_each(const struct store_reader *r, const struct run_row *run, const struct sample_window *w,
                      sample_visitor *visit, void *to, struct diag *d) {
    sqlite3_stmt *q = ask(r, run, w,
                          "SELECT s.at_ps, s.value, n.name FROM samples s"
                          " LEFT JOIN ports p ON p.run=s.run AND p.port=s.port"
                          " LEFT JOIN nodes n ON n.run=s.run AND n.node=p.node"
                          " WHERE s.run=?1 AND s.kind=?2 AND s.at_ps BETWEEN ?3 AND ?4 ORDER BY s.at_ps, s.port",
                          d);
    int code;
    if (!q) return false;
    while ((code = sqlite3_step(q)) == SQLITE_ROW)
        visit(to, sqlite3_column_int64(q, 0), (const char *)sqlite3_column_text(q, 2), sqlite3_column_double(q, 1));
    return store_answered(r, q, code, d);
}

bool run_samples_extent(const struct store_reader *r, const struct run_row *run, const struct sample_window *w,
                        int64_t *n_times, int64_t *length_ps, struct diag *d) {
    sqlite3_stmt *q = ask(r, run, w,
                          "SELECT count(DISTINCT at_ps), max(at_ps) - min(at_ps) FROM samples WHERE run=?1 AND kind=?2"
                          " AND at_ps BETWEEN ?3 AND ?4",
                          d);
    if (!q) return false;
    int code = sqlite3_step(q);
    *n_times = code == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    *length_ps = *n_times ? sqlite3_column_int64(q, 1) : 0;
    return store_answered(r, q, code == SQLITE_ROW ? SQLITE_DONE : code, d);
}

/* ---- over ports or hosts ---- */

void over_ports_add(struct over_ports *o, double value) {
    o->sum += value;
    o->squares += value * value;
    o->most = value > o->most ? value : o->most;
    o->n++;
}

double over_ports_mean(const struct over_ports *o) { return o->sum / (double)o->n; }

double over_ports_jain(const struct over_ports *o) {
    return o->squares > 0 ? o->sum * o->sum / ((double)o->n * o->squares) : NAN;
}

/* ---- bins of time ---- */

struct time_bins time_bins_of(const int64_t *time, size_t n_times, size_t most) {
    return (struct time_bins){.n = n_times < most ? n_times : most, .n_times = n_times, .time = time};
}

size_t time_bins_find(struct time_bins *b, int64_t at_ps) {
    while (b->at + 1 < b->n_times && b->time[b->at] < at_ps) b->at++;
    return b->at * b->n / b->n_times;
}

int64_t time_bins_end(const struct time_bins *b, size_t bin) {
    return b->time[((bin + 1) * b->n_times + b->n - 1) / b->n - 1];
}

struct bin_sums bin_sums_make(size_t rows, size_t bins) {
    size_t n = rows * bins + 1;
    return (struct bin_sums){memory_get(n, sizeof(double)), memory_get(n, sizeof(double)),
                             memory_get(n, sizeof(uint32_t)), rows, bins};
}

void bin_sums_add(struct bin_sums *s, size_t row, size_t bin, double value) {
    size_t at = row * s->bins + bin;
    s->sum[at] += value;
    s->count[at]++;
    if (value > s->max[at]) s->max[at] = value;
}

double bin_sums_mean(const struct bin_sums *s, size_t row, size_t bin) {
    size_t at = row * s->bins + bin;
    return s->count[at] ? s->sum[at] / s->count[at] : NAN;
}

bool bin_sums_has(const struct bin_sums *s, size_t row) {
    for (size_t i = 0; i < s->bins; i++) {
        if (s->count[row * s->bins + i]) return true;
    }
    return false;
}

void bin_sums_free(struct bin_sums *s) {
    free(s->sum);
    free(s->max);
    free(s->count);
    *s = (struct bin_sums){0};
}
