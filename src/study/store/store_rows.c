/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/flow_block.h"
#include "study/store/packed_flows.h"
#include "study/store/store_parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "measure/queries.h"
#include "measure/timeline.h"
#include "study/store/store_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A row of a statement that inserts several. */
struct row {
    sqlite3_stmt *q;
    int before; /* parameters of the rows before it */
};

/* Binds the columns after `run` of row i. Returns false, with nothing bound, to leave the row out. */
typedef bool (*row_fn)(const struct row *q, const struct outcome *o, size_t i);

static void integer(const struct row *r, int at, int64_t value) { sqlite3_bind_int64(r->q, r->before + at, value); }
static void real(const struct row *r, int at, double value) { sqlite3_bind_double(r->q, r->before + at, value); }
static void word(const struct row *r, int at, const char *text) {
    sqlite3_bind_text(r->q, r->before + at, text, -1, SQLITE_STATIC);
}

static bool node_row(const struct row *q, const struct outcome *o, size_t i) {
    integer(q, 2, (int64_t)i);
    word(q, 3, o->node[i]);
    if (i < o->n_hosts || i - o->n_hosts >= o->result.n_buffers) return true; /* a host, or a run on real frames */
    const struct buffer_total *t = &o->result.buffer[i - o->n_hosts];
    integer(q, 4, t->mean_bytes);
    integer(q, 5, t->max_bytes);
    return true;
}

static bool port_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct port_total *t = &o->result.port[i];
    if (t->port >= o->n_ports) return false;
    const struct outcome_port *p = &o->port[t->port];
    integer(q, 2, t->port);
    integer(q, 3, p->node);
    integer(q, 4, p->neighbour);
    integer(q, 5, p->parallel);
    word(q, 6, link_word(p->link_tier));
    integer(q, 7, (int64_t)t->sent_bytes);
    real(q, 8, (double)t->utilisation_ppb / 1e9);
    integer(q, 9, t->mean_queue_bytes);
    integer(q, 10, t->max_queue_bytes);
    integer(q, 11, (int64_t)t->dropped);
    integer(q, 12, (int64_t)t->credit_bytes);
    real(q, 13, (double)t->data_ppb / 1e9);
    integer(q, 14, t->paused);
    integer(q, 15, t->blocked);
    return true;
}

static bool pause_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct pause_total *t = &o->result.pause[i];
    integer(q, 2, t->port);
    integer(q, 3, t->class);
    integer(q, 4, t->paused);
    integer(q, 5, (int64_t)t->stops);
    integer(q, 6, (int64_t)t->storms);
    integer(q, 7, t->longest);
    integer(q, 8, t->longest_from);
    return true;
}

static bool ring_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct pause_ring_lane *t = &o->result.ring[i];
    size_t first = i;
    while (first && o->result.ring[first - 1].ring == t->ring) first--;
    integer(q, 2, t->ring);
    integer(q, 3, (int64_t)(i - first));
    integer(q, 4, t->port);
    integer(q, 5, t->class);
    integer(q, 6, t->since);
    integer(q, 7, t->first);
    integer(q, 8, t->last);
    return true;
}

static bool iteration_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct run_result *r = &o->result;
    const struct job_iteration *t = &r->job_iteration[i];
    size_t job = 0, first = 0;
    while (i >= first + r->job[job].iterations) first += r->job[job++].iterations;
    integer(q, 2, (int64_t)job);
    integer(q, 3, (int64_t)(i - first));
    if (t->start != TIME_NONE) integer(q, 4, t->start);
    if (t->end != TIME_NONE) integer(q, 5, t->end);
    integer(q, 6, t->ideal);
    if (t->end != TIME_NONE && r->job[job].computes) integer(q, 7, t->exposed);
    if (t->end != TIME_NONE) integer(q, 8, t->last_rank);
    return true;
}

static bool span_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct job_span *t = &o->result.job_span[i];
    integer(q, 2, (int64_t)i);
    integer(q, 3, t->job);
    integer(q, 4, t->rank);
    integer(q, 5, t->host);
    word(q, 6, t->computes ? "compute" : "receive");
    word(q, 7, t->phase);
    integer(q, 8, t->start);
    integer(q, 9, t->end);
    return true;
}

static bool step_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct job_step *t = &o->result.job_step[i];
    integer(q, 2, t->job);
    integer(q, 3, t->step);
    integer(q, 4, t->iteration);
    if (t->flow != FLOW_NONE) integer(q, 5, t->flow);
    word(q, 6, t->phase);
    integer(q, 7, t->src);
    integer(q, 8, t->dst);
    if (t->flow != FLOW_NONE) integer(q, 9, (int64_t)t->bytes);
    integer(q, 10, t->start);
    integer(q, 11, t->end);
    integer(q, 12, t->ideal);
    return true;
}

/* Tiers host, uplink, core, and the watched links. */
#define LINK_ROWS 4

static bool link_row(const struct row *q, const struct outcome *o, size_t i) {
    bool watched = i + 1 == LINK_ROWS;
    const struct link_use *u = watched ? &o->result.watched : &o->result.link[i];
    if (u->n == 0) return false;
    word(q, 2, watched ? "watch" : link_word((unsigned)i));
    const int64_t share[] = {u->mean_ppb, u->max_ppb, u->min_ppb, u->data_mean_ppb, u->data_max_ppb, u->data_min_ppb};
    for (int k = 0; k < 6; k++) real(q, 3 + k, (double)share[k] / 1e9);
    return true;
}

/* What every world counts of a flow. */
static void flow_counts(int64_t *value, const struct flow_tally *t) {
    value[9] = t->received_bytes;
    value[11] = t->retransmitted_pkts;
    if (t->first_data_at != TIME_NONE) value[20] = t->first_data_at;
}

/* What only a simulated host counts; NULL on real frames. */
static void flow_counts_simulated(int64_t *value, const struct flow_tally *t) {
    value[10] = t->sent_pkts;
    value[12] = (int64_t)t->syn_timeouts + t->synack_timeouts + t->data_timeouts;
    value[13] = t->reordered_pkts;
    value[14] = t->max_reorder_pkts;
    value[15] = t->marked_pkts;
    value[16] = (int64_t)t->credits_sent;
    value[17] = t->credits_used;
    value[18] = t->credits_wasted;
    value[19] = (int64_t)t->unfilled_bytes;
}

/* Sets the values of flow i in the order of store_columns. */
static void flow_values(const struct outcome *o, size_t i, int64_t *value) {
    const struct flow *f = &o->flow[i];
    struct flow_tally tally = tally_of(result_tallies(&o->result, o->flow), (uint32_t)i), *t = &tally;
    for (int c = 0; c < FLOW_COLUMNS; c++) value[c] = STORE_NULL;
    value[0] = (int64_t)i;
    value[1] = f->entry;
    value[2] = f->src;
    value[3] = f->dst;
    if (t->started_at != TIME_NONE) value[4] = t->started_at;
    if (f->bytes != UINT64_MAX) value[5] = (int64_t)f->bytes;
    if (t->finished_at != TIME_NONE) {
        value[6] = t->finished_at;
        value[7] = t->finished_at - t->started_at;
    }
    if (o->result.bound_ps) value[8] = o->result.bound_ps[i];
    flow_counts(value, t);
    if (!o->result.is_live) flow_counts_simulated(value, t);
    if (f->stop != TIME_NONE) value[21] = f->stop;
}

static bool flow_row(const struct row *q, const struct outcome *o, size_t i) {
    int64_t value[FLOW_COLUMNS];
    flow_values(o, i, value);
    for (int c = 0; c < FLOW_COLUMNS; c++)
        if (value[c] != STORE_NULL) integer(q, 2 + c, value[c]);
    return true;
}

static bool query_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct query_log log = {o->query, o->n_queries, o->flow, result_tallies(&o->result, o->flow)};
    const struct query *x = &o->query[i];
    const struct flow *response = &o->flow[x->response];
    time_ps start = tally_started_at(log.tally, x->request);
    span_ps time = query_time(&log, (uint32_t)i);
    integer(q, 2, (int64_t)i);
    integer(q, 3, x->request);
    integer(q, 4, x->response);
    if (x->set != FLOW_NONE) integer(q, 5, x->set);
    integer(q, 6, response->dst);
    integer(q, 7, response->src);
    integer(q, 8, (int64_t)response->bytes);
    integer(q, 9, response->priority);
    if (start != TIME_NONE) integer(q, 10, start);
    if (time != TIME_NONE) integer(q, 11, time);
    if (!o->result.is_live) integer(q, 12, query_timeouts(&log, (uint32_t)i));
    return true;
}

static bool sample_row(const struct row *q, const struct outcome *o, size_t i) {
    static const char *const words[] = {
        [SAMPLE_QUEUE] = "queue", [SAMPLE_LINK] = "link", [SAMPLE_GOODPUT] = "goodput", [SAMPLE_PAUSE] = "pause"};
    const struct sample *s = &o->result.sample[i];
    integer(q, 2, s->at);
    integer(q, 3, s->port);
    word(q, 4, words[s->kind]);
    bool in_ppb = s->kind == SAMPLE_LINK || s->kind == SAMPLE_PAUSE;
    real(q, 5, in_ppb ? (double)s->value / 1e9 : (double)s->value);
    return true;
}

/* Binds the middle of part i of the run and the mean number of open flows in it. */
static bool open_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct open_flows *f = &o->result.open;
    if (f->end < OPEN_POINTS) return false;
    integer(q, 2, f->end / (2 * OPEN_POINTS) * (2 * (int64_t)i + 1));
    real(q, 3, (double)f->point_milli[i] / 1e3);
    return true;
}

static bool fairness_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct fairness_total *t = &o->result.fairness[i];
    if (t->interval == 0) return false;
    integer(q, 2, (int64_t)i);
    integer(q, 3, t->interval);
    integer(q, 4, (int64_t)t->intervals);
    if (t->intervals == 0) return true;
    real(q, 5, (double)t->sum_ppm / (double)t->intervals / 1e6);
    real(q, 6, (double)t->min_ppm / 1e6);
    return true;
}

static bool join_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct join_episode *e = &o->result.join[i];
    integer(q, 2, e->at);
    integer(q, 3, e->flows);
    integer(q, 4, e->intervals);
    if (e->first_ps != TIME_NONE) integer(q, 5, e->first_ps);
    if (e->settled_ps != TIME_NONE) integer(q, 6, e->settled_ps);
    return true;
}

static bool imbalance_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct imbalance_sample *s = &o->result.imbalance[i];
    integer(q, 2, s->at);
    integer(q, 3, s->node);
    real(q, 4, (double)s->value_ppm / 1e6);
    return true;
}

/* Returns true for events at a port; windows, timeouts and ends happen at the host. */
static bool at_port(const struct timeline_entry *t) {
    return t->kind != TIMELINE_CWND && t->kind != TIMELINE_TIMEOUT && t->kind != TIMELINE_FINISHED;
}

static bool timeline_row(const struct row *q, const struct outcome *o, size_t i) {
    const struct timeline_entry *t = &o->result.timeline[i];
    integer(q, 2, t->flow);
    integer(q, 3, (int64_t)i);
    integer(q, 4, t->at);
    word(q, 5, timeline_kind_name(t->kind));
    integer(q, 6, t->node);
    if (at_port(t) && t->node < o->n_nodes) integer(q, 7, (int64_t)o->first_port[t->node] + t->port);
    integer(q, 8, t->seq_offset);
    integer(q, 9, t->size);
    integer(q, 10, t->backlog_bytes);
    word(q, 11, timeline_frame_name((enum timeline_frame)t->frame));
    if (t->credit != TIMELINE_NO_CREDIT) integer(q, 12, t->credit);
    return true;
}

/* Rows that one statement inserts. A row then costs a quarter less than in a statement of its own, which opens the table anew and
 * looks for its last row; more rows in a statement gain no more, and take longer to prepare. */
#define ROWS_TOGETHER 8
#define ROWS_MANY                                                                                                      \
    128 /* tables with fewer rows are stored row by row: preparing the longer statement costs more than it saves */

/* Returns "INSERT INTO TABLE(run, ...) VALUES(?, ...), ..." for so many rows, with the columns in the order in which they are
 * bound. Stores that were upgraded may have them in another. The caller frees it. */
static char *insert_text(enum store_table table, size_t rows) {
    const char *const *column;
    size_t n = store_columns(table, &column), size = 1024 + rows * (2 * n + 8);
    char *sql = memory_get(size, 1);
    FILE *out = text_stream_into(sql, size);
    fprintf(out, "INSERT INTO %s(run", store_table_name(table));
    for (size_t i = 0; i < n; i++) fprintf(out, ", %s", column[i]);
    fprintf(out, ") VALUES");
    for (size_t k = 0; k < rows; k++) {
        fprintf(out, k ? ",(?" : "(?");
        for (size_t i = 0; i < n; i++) fprintf(out, ",?");
        fprintf(out, ")");
    }
    fclose(out);
    return sql;
}

/* The rows of a table that are still to be stored. */
struct rows {
    enum store_table table;
    int64_t run;
    const struct outcome *o;
    size_t next, n;
    row_fn fill;
};

/* Stores rows, so many by a statement, as long as there are enough for one. */
static bool rows_fill(struct store *s, struct rows *r, size_t together, struct diag *d) {
    const char *const *column;
    struct row row = {0};
    size_t columns = 1 + store_columns(r->table, &column), n = 0;
    char *sql = insert_text(r->table, together);
    bool ok = store_prepare(s, sql, &row.q, d);
    for (size_t i = r->next; ok && i < r->n; i++) {
        row.before = (int)(n * columns);
        if (n == 0) sqlite3_clear_bindings(row.q);
        integer(&row, 1, r->run);
        if (!r->fill(&row, r->o, i) || ++n < together) continue;
        ok = store_step(s, row.q, d);
        r->next = i + 1;
        n = 0;
    }
    sqlite3_finalize(row.q);
    free(sql);
    return ok;
}

static bool table_fill(struct store *s, enum store_table table, int64_t run, const struct outcome *o, size_t n,
                       row_fn fill, struct diag *d) {
    struct rows r = {table, run, o, 0, n, fill};
    if (n >= ROWS_MANY && !rows_fill(s, &r, ROWS_TOGETHER, d)) return false;
    return r.next == n || rows_fill(s, &r, 1, d);
}

static bool flows_fill(struct store *s, int64_t run, const struct outcome *o, struct diag *d) {
    size_t n = o->flow ? o->result.n_flows : 0;
    return n > s->flows_as_rows ? packed_flows_write(s, run, o, n, flow_values, d)
                                : table_fill(s, STORE_FLOWS, run, o, n, flow_row, d);
}

bool store_rows(struct store *s, int64_t run, const struct outcome *o, struct diag *d) {
    const struct run_result *r = &o->result;
    size_t n_open = r->open.arrivals ? OPEN_POINTS : 0;
    return table_fill(s, STORE_NODES, run, o, o->n_nodes, node_row, d) &&
           table_fill(s, STORE_PORTS, run, o, r->n_ports, port_row, d) &&
           table_fill(s, STORE_PAUSES, run, o, r->n_pauses, pause_row, d) &&
           table_fill(s, STORE_PAUSE_RINGS, run, o, r->n_ring_lanes, ring_row, d) &&
           table_fill(s, STORE_LINKS, run, o, LINK_ROWS, link_row, d) && flows_fill(s, run, o, d) &&
           table_fill(s, STORE_QUERIES, run, o, o->flow ? o->n_queries : 0, query_row, d) &&
           table_fill(s, STORE_SAMPLES, run, o, r->n_samples, sample_row, d) &&
           table_fill(s, STORE_IMBALANCE, run, o, r->n_imbalance, imbalance_row, d) &&
           table_fill(s, STORE_OPEN_FLOWS, run, o, n_open, open_row, d) &&
           table_fill(s, STORE_JOB_ITERATIONS, run, o, r->n_job_iterations, iteration_row, d) &&
           table_fill(s, STORE_JOB_STEPS, run, o, r->n_job_steps, step_row, d) &&
           table_fill(s, STORE_JOB_SPANS, run, o, r->n_job_spans, span_row, d) &&
           table_fill(s, STORE_FAIRNESS, run, o, FAIRNESS_MAX, fairness_row, d) &&
           table_fill(s, STORE_CONVERGENCE, run, o, r->n_joins, join_row, d) &&
           table_fill(s, STORE_TIMELINES, run, o, r->n_timeline, timeline_row, d);
}
