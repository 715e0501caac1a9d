/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "measure/result.h"
#include "study/store/store_reader.h"

#include <stdlib.h>
#include <string.h>

struct question {
    sqlite3 *db;
    const char *file;
    int64_t run; /* row id in the store */
    uint32_t number, flow;
};

static sqlite3_stmt *ask(const struct question *q, const char *sql) {
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) != SQLITE_OK) return NULL;
    sqlite3_bind_int64(s, 1, q->run);
    sqlite3_bind_int64(s, 2, q->flow);
    return s;
}

/* Finds the run of this number in the experiment that ran last. */
static bool run_find(struct question *q) {
    sqlite3_stmt *s = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(q->db, "SELECT id FROM runs WHERE number=?1 ORDER BY finished DESC, id DESC LIMIT 1", -1, &s,
                           NULL) == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, q->number);
        found = sqlite3_step(s) == SQLITE_ROW;
        if (found) q->run = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    return found;
}

/* Returns the text of a column without characters that control a terminal. */
static const char *text(sqlite3_stmt *s, int column) {
    const unsigned char *t = sqlite3_column_text(s, column);
    for (const unsigned char *c = t; c && *c; c++) {
        if (*c < ' ' || *c >= 0x7f) return "?";
    }
    return t ? (const char *)t : "-";
}

static bool print_summary(const struct question *q) {
    sqlite3_stmt *s =
        ask(q, "SELECT f.bytes, a.name, b.name, f.start_ps, f.fct_ps, f.bound_ps, f.retransmitted, f.timeouts,"
               " f.reordered FROM flows f JOIN nodes a ON a.run=f.run AND a.node=f.src"
               " JOIN nodes b ON b.run=f.run AND b.node=f.dst WHERE f.run=?1 AND f.flow=?2");
    bool found = s && sqlite3_step(s) == SQLITE_ROW;
    if (found) {
        printf("flow %u of run %u: %s B from %s to %s, starts at %.3f us\n", q->flow, q->number,
               sqlite3_column_type(s, 0) == SQLITE_NULL ? "endless" : text(s, 0), text(s, 1), text(s, 2),
               sqlite3_column_double(s, 3) / 1e6);
        if (sqlite3_column_type(s, 4) == SQLITE_NULL) {
            printf("not finished");
        } else {
            double fct = sqlite3_column_double(s, 4), bound = sqlite3_column_double(s, 5);
            printf("finished in %.3f us, slowdown %.2f", fct / 1e6, bound > 0 ? fct / bound : 0);
        }
        printf("; retransmitted %s, timeouts %s, reordered %s\n", text(s, 6), text(s, 7), text(s, 8));
    }
    sqlite3_finalize(s);
    return found;
}

/* Writes the identity of a frame: bytes of data, the acknowledged byte of an ACK, the number of a credit. */
static const char *frame_text(sqlite3_stmt *s, char *buf, size_t size) {
    long long offset = sqlite3_column_int64(s, 4), bytes = sqlite3_column_int64(s, 5);
    long long credit = sqlite3_column_int64(s, 8);
    bool has_credit = sqlite3_column_type(s, 8) != SQLITE_NULL;
    const char *frame = text(s, 7);
    if (strcmp(frame, "switch") == 0)
        snprintf(buf, size, "made by a switch");
    else if (strcmp(frame, "credit") == 0)
        snprintf(buf, size, "credit %lld, expects %lld", credit, offset);
    else if (strcmp(frame, "data") != 0)
        snprintf(buf, size, "%s %lld", frame, offset);
    else if (bytes == 0)
        snprintf(buf, size, "syn");
    else if (has_credit)
        snprintf(buf, size, "data %lld +%lld B, credit %lld", offset, bytes, credit);
    else
        snprintf(buf, size, "data %lld +%lld B", offset, bytes);
    return buf;
}

static void print_entry(sqlite3_stmt *s) {
    double at_us = sqlite3_column_double(s, 0) / 1e6;
    const char *kind = text(s, 1);
    if (strcmp(kind, "cwnd") == 0) {
        printf("%14.3f us  %-10s %-14s window %lld B\n", at_us, kind, text(s, 2),
               (long long)sqlite3_column_int64(s, 5));
        return;
    }
    if (sqlite3_column_type(s, 3) == SQLITE_NULL) {
        printf("%14.3f us  %-10s %s\n", at_us, kind, text(s, 2));
        return;
    }
    char what[64];
    printf("%14.3f us  %-10s %-14s %-31s", at_us, kind, text(s, 2), frame_text(s, what, sizeof what));
    printf("  %s %s", strcmp(kind, "delivered") == 0 ? "from" : "to", text(s, 3));
    if (sqlite3_column_int64(s, 6) > 0) printf("  behind %lld B", (long long)sqlite3_column_int64(s, 6));
    printf("\n");
}

static size_t print_timeline(const struct question *q) {
    sqlite3_stmt *s = ask(
        q,
        "SELECT t.at_ps, t.kind, n.name, m.name, t.offset, t.size, t.backlog_bytes, t.frame, t.credit FROM timelines t"
        " LEFT JOIN nodes n ON n.run=t.run AND n.node=t.node"
        " LEFT JOIN ports p ON p.run=t.run AND p.port=t.port"
        " LEFT JOIN nodes m ON m.run=t.run AND m.node=p.neighbour"
        " WHERE t.run=?1 AND t.flow=?2 ORDER BY t.line");
    size_t n = 0;
    for (; s && sqlite3_step(s) == SQLITE_ROW; n++) print_entry(s);
    sqlite3_finalize(s);
    return n;
}

static int answer(struct question *q) {
    if (!run_find(q)) return exit_usage("%s: there is no run %u", q->file, q->number);
    if (!print_summary(q)) return exit_usage("%s: run %u has no flow %u", q->file, q->number, q->flow);
    if (print_timeline(q)) return 0;
    return exit_usage("%s: no timeline of flow %u was stored; run with --set 'measure.flow=[%u]'", q->file, q->flow,
                      q->flow);
}

struct flow_request {
    const char *store;
    uint32_t run, flow;
};
#define T struct flow_request

static int flow_run(void *request) {
    const struct flow_request *r = request;
    struct diag d = {0};
    struct store_reader *store = store_reader_open(r->store, &d);
    if (!store) return exit_diag(&d);
    struct question q = {.db = store->db, .file = r->store, .number = r->run, .flow = r->flow};
    int code = answer(&q);
    store_reader_close(store);
    return code;
}

const struct command command_flow = {
    .name = "flow",
    .purpose = "print the timeline of one flow",
    .about = "Prints when each frame of the flow was sent, queued and delivered, and how its window changed. The "
             "timeline is stored for flows that the experiment names, such as measure: {flow: [17]}.",
    .arguments = (const struct argument[]){ARGUMENT(T, store, "RESULTS.db", VALUE_STORE, "the results store"),
                                           ARGUMENT_NUMBER(T, flow, "ID", 0, UINT32_MAX - 1, "the number of the flow"),
                                           {0}},
    .options = (const struct option_row[]){NUMBER(T, run, "run", 0, "N", 1, UINT32_MAX, 1, "the run"), {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"run first.yaml --set 'measure.flow=[17]'", "stores the timeline"},
                                             {"flow first.db 17", "prints that of run 1"},
                                             {0}},
    .see = "flows run",
    .request_size = sizeof(T),
    .run = flow_run,
};
