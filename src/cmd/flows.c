/* SPDX-License-Identifier: Apache-2.0 */
/* heddle flows: lists the flows of a run, one a line; the slowest first on request. */
#include "cmd/commands.h"
#include "cmd/stored_run.h"

#include "base/memory.h"
#include "base/text.h"
#include "measure/result.h"
#include "study/print/csv.h"
#include "study/series/selection.h"
#include "study/store/store_guard.h"
#include "study/store/store_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_TEXT 512

struct link {
    int64_t node, neighbour;
};

struct listing {
    const struct store_reader *r;
    const struct run_row *run;
    struct node_names names;
    struct link *link; /* link of each port, sorted by node and neighbour */
    size_t n_links;
    bool has_timelines;
    double end_us; /* end of the run; NaN: unknown */
    bool csv, fct;
};

/* ---- one flow ---- */

/* A flow, and whether it counts in the results of the run (measure.from, measure.until, measure.starts). */
struct listed {
    struct flow_row row;
    bool counts;
};

static double us(int64_t ps) { return ps == STORE_NULL ? NAN : (double)ps / (double)PS_PER_US; }

/* Returns the time between two instants, exact to the picosecond; NaN if one of them is unknown. */
static double us_between(int64_t from_ps, int64_t to_ps) {
    return from_ps == STORE_NULL || to_ps == STORE_NULL ? NAN : us(to_ps - from_ps);
}

static bool is_endless(const struct flow_row *f) { return f->bytes == STORE_NULL; }
static bool is_open(const struct flow_row *f) { return f->finished_ps == STORE_NULL && !is_endless(f); }

static const char *class_of(const struct flow_row *f) {
    return is_endless(f) ? "endless" : flow_class_names[flow_class_of((uint64_t)f->bytes)];
}

static const char *state_of(const struct flow_row *f) {
    if (f->start_ps == STORE_NULL) return "not started";
    return is_open(f) ? "unfinished" : is_endless(f) ? "endless" : "finished";
}

/* Returns the mean goodput until the flow finished, was stopped, or the run ended. */
static double goodput_mbps(const struct listing *l, const struct flow_row *f) {
    double end = us(f->finished_ps), stop = us(f->stop_ps);
    if (isnan(end)) end = isnan(stop) || stop > l->end_us ? l->end_us : stop;
    double span = end - us(f->start_ps);
    return span > 0 && f->received_bytes >= 0 ? (double)f->received_bytes * 8 / span : NAN;
}

static double slowdown(const struct flow_row *f) {
    return f->fct_ps == STORE_NULL || f->bound_ps <= 0 ? NAN : (double)f->fct_ps / (double)f->bound_ps;
}

/* ---- its path ---- */

static sqlite3_stmt *ask(const struct listing *l, const char *sql, int64_t key) {
    sqlite3_stmt *q = NULL;
    store_guard_ask(l->r->guard);
    if (sqlite3_prepare_v2(l->r->db, sql, -1, &q, NULL) != SQLITE_OK) return NULL;
    sqlite3_bind_int64(q, 1, l->run->id);
    sqlite3_bind_int64(q, 2, key);
    return q;
}

static void path_add(const struct listing *l, char *path, int64_t node) {
    char buf[NODE_TEXT];
    size_t used = strlen(path);
    snprintf(path + used, PATH_MAX_TEXT - used, "%s%s", used ? ">" : "", node_name(&l->names, node, buf));
}

/* Writes the path of a flow with a timeline: the nodes that queued the first data frame that reached the receiver. */
static void path_seen(const struct listing *l, const struct flow_row *f, char *path) {
    sqlite3_stmt *q = ask(l,
                          "SELECT DISTINCT node FROM timelines WHERE run=?1 AND flow=?2 AND frame='data' AND size>0"
                          " AND kind IN ('sent','enqueued') AND offset=(SELECT min(offset) FROM timelines WHERE run=?1"
                          " AND flow=?2 AND frame='data' AND size>0 AND kind='delivered') ORDER BY at_ps",
                          f->flow);
    while (q && sqlite3_step(q) == SQLITE_ROW) path_add(l, path, sqlite3_column_int64(q, 0));
    sqlite3_finalize(q);
    if (path[0]) path_add(l, path, f->dst);
}

static int link_compare(const void *a, const void *b) {
    const struct link *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->neighbour > y->neighbour) - (x->neighbour < y->neighbour);
}

static bool links_read(struct listing *l, struct diag *d) {
    struct store_rows rows;
    struct port_row x;
    size_t room = 0;
    l->has_timelines = store_count(l->r, STORE_TIMELINES, l->run->id, d) > 0;
    if (!store_rows_begin(l->r, STORE_PORTS, l->run->id, &rows, d)) return false;
    while (store_next_port(&rows, &x)) {
        if (l->n_links == room) l->link = memory_grow(l->link, room = room ? 2 * room : 256, sizeof *l->link);
        l->link[l->n_links++] = (struct link){x.node, x.neighbour};
    }
    if (l->n_links > 1) qsort(l->link, l->n_links, sizeof *l->link, link_compare);
    return store_rows_end(&rows, d);
}

/* Returns the index of the first link not before `from`. */
static size_t links_find(const struct listing *l, struct link from) {
    size_t low = 0, high = l->n_links;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (link_compare(&l->link[middle], &from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the switch of a host; STORE_NULL if it has several links, since the store does not tell which of them a flow uses. */
static int64_t leaf_of(const struct listing *l, int64_t host) {
    size_t i = links_find(l, (struct link){host, INT64_MIN});
    bool one = i < l->n_links && l->link[i].node == host && !(i + 1 < l->n_links && l->link[i + 1].node == host);
    return one ? l->link[i].neighbour : STORE_NULL;
}

/* Returns true if exactly one link joins the two switches. */
static bool is_joined(const struct listing *l, int64_t from, int64_t to) {
    const struct link wanted = {from, to};
    size_t i = links_find(l, wanted);
    bool one = i < l->n_links && link_compare(&l->link[i], &wanted) == 0;
    return one && !(i + 1 < l->n_links && link_compare(&l->link[i + 1], &wanted) == 0);
}

/* Writes the path: hosts of one rack, or of racks joined by a single link, have only one. "-": the path was not
 * stored. */
static void path_find(const struct listing *l, const struct flow_row *f, char path[PATH_MAX_TEXT]) {
    path[0] = '\0';
    if (l->has_timelines) path_seen(l, f, path);
    if (path[0]) return;
    int64_t from = leaf_of(l, f->src), to = leaf_of(l, f->dst);
    if (from == STORE_NULL || to == STORE_NULL || (from != to && !is_joined(l, from, to))) {
        snprintf(path, PATH_MAX_TEXT, "-");
        return;
    }
    path_add(l, path, f->src);
    path_add(l, path, from);
    if (from != to) path_add(l, path, to);
    path_add(l, path, f->dst);
}

/* ---- printing ---- */

static void head_print(const struct listing *l) {
    static const char *const head[] = {
        "flow",     "class",          "src",          "dst",      "bytes",        "start_us",
        "end_us",   "fct_us",         "handshake_us", "slowdown", "goodput_mbps", "retransmitted",
        "timeouts", "received_bytes", "state",        "counts",   "path"};
    if (l->fct) return;
    if (!l->csv) {
        printf("%8s %-8s %-14s %-14s %11s %13s %13s %12s %8s %10s %6s %6s %6s  %s\n", "flow", "class", "from", "to",
               "bytes", "start us", "end us", "fct us", "slowdown", "Mbps", "retx", "rtos", "counts", "path");
        return;
    }
    struct csv c = {.out = stdout};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) csv_text(&c, head[i]);
    csv_row_end(&c);
}

static void whole(struct csv *c, int64_t value) {
    if (value == STORE_NULL)
        csv_text(c, NULL);
    else
        csv_integer(c, value);
}

static void csv_print(const struct listing *l, const struct listed *x, const char *path) {
    const struct flow_row *f = &x->row;
    struct csv c = {.out = stdout};
    char a[NODE_TEXT], b[NODE_TEXT];
    whole(&c, f->flow);
    csv_text(&c, class_of(f));
    csv_text(&c, node_name(&l->names, f->src, a));
    csv_text(&c, node_name(&l->names, f->dst, b));
    whole(&c, f->bytes);
    csv_number(&c, us(f->start_ps));
    csv_number(&c, us(f->finished_ps));
    csv_number(&c, us(f->fct_ps));
    csv_number(&c, us_between(f->start_ps, f->first_data_ps));
    csv_number(&c, slowdown(f));
    csv_number(&c, goodput_mbps(l, f));
    whole(&c, f->retransmitted);
    whole(&c, f->timeouts);
    whole(&c, f->received_bytes);
    csv_text(&c, state_of(f));
    csv_text(&c, x->counts ? "yes" : "no");
    csv_text(&c, strcmp(path, "-") == 0 ? NULL : path);
    csv_row_end(&c);
}

/* Formats a number, or returns `none` for NaN. */
static const char *cell(char buf[40], const char *format, double value, const char *none) {
    if (isnan(value)) return none;
    snprintf(buf, 40, format, value);
    return buf;
}

/* Formats a count; "-" if nobody counted. */
static const char *count(char buf[24], int64_t value) {
    if (value == STORE_NULL) return "-";
    snprintf(buf, 24, "%lld", (long long)value);
    return buf;
}

static void text_print(const struct listing *l, const struct listed *x, const char *path) {
    const struct flow_row *f = &x->row;
    char a[NODE_TEXT], b[NODE_TEXT], bytes[24] = "endless", cells[5][40], counts[2][24];
    if (!is_endless(f)) snprintf(bytes, sizeof bytes, "%lld", (long long)f->bytes);
    const char *open = f->start_ps == STORE_NULL ? "not started" : is_endless(f) ? "-" : "unfinished";
    printf("%8lld %-8s %-14s %-14s %11s %13s %13s %12s %8s %10s %6s %6s %6s  %s\n", (long long)f->flow, class_of(f),
           node_name(&l->names, f->src, a), node_name(&l->names, f->dst, b), bytes,
           cell(cells[0], "%.3f", us(f->start_ps), "-"), cell(cells[1], "%.3f", us(f->finished_ps), open),
           cell(cells[2], "%.3f", us(f->fct_ps), "-"), cell(cells[3], "%.2f", slowdown(f), "-"),
           cell(cells[4], "%.1f", goodput_mbps(l, f), "-"), count(counts[0], f->retransmitted),
           count(counts[1], f->timeouts), x->counts ? "yes" : "no", path);
}

/* Returns the address of a host in the HPCC simulator. */
static uint32_t hpcc_address(int64_t host) {
    return 0x0b000001u + ((uint32_t)(host / 256) << 16) + ((uint32_t)(host % 256) << 8);
}

/* Prints the line of a finished flow as the HPCC simulator writes it to its fct file: addresses, ports, bytes, start, FCT and
 * ideal FCT in nanoseconds. The ports say nothing; by 100 the scripts of that simulator know flows of a workload. */
static void fct_print(const struct flow_row *f) {
    if (f->fct_ps == STORE_NULL || f->bytes == STORE_NULL || f->bound_ps <= 0) return;
    printf("%08x %08x %lld 100 %lld %lld %lld %lld\n", hpcc_address(f->src), hpcc_address(f->dst),
           (long long)(10000 + f->flow % 50000), (long long)f->bytes, (long long)(f->start_ps / PS_PER_NS),
           (long long)(f->fct_ps / PS_PER_NS), (long long)(f->bound_ps / PS_PER_NS));
}

static void flow_print(const struct listing *l, const struct listed *x) {
    char path[PATH_MAX_TEXT];
    if (l->fct) {
        fct_print(&x->row);
        return;
    }
    path_find(l, &x->row, path);
    if (l->csv)
        csv_print(l, x, path);
    else
        text_print(l, x, path);
}

/* ---- selection and order ---- */

/* Orders flows by slowness: unfinished flows first, the oldest of them first, then by FCT. Endless flows come last. */
static int slower(const void *a, const void *b) {
    const struct flow_row *x = &((const struct listed *)a)->row, *y = &((const struct listed *)b)->row;
    int place_x = is_open(x) && x->start_ps != STORE_NULL ? 0 : x->fct_ps != STORE_NULL ? 1 : 2;
    int place_y = is_open(y) && y->start_ps != STORE_NULL ? 0 : y->fct_ps != STORE_NULL ? 1 : 2;
    if (place_x != place_y) return place_x - place_y;
    if (place_x == 0 && x->start_ps != y->start_ps) return x->start_ps < y->start_ps ? -1 : 1;
    if (place_x == 1 && x->fct_ps != y->fct_ps) return x->fct_ps > y->fct_ps ? -1 : 1;
    return (x->flow > y->flow) - (x->flow < y->flow);
}

struct counts {
    uint64_t all, open;
};

/* The flows of a table, in its order. */
struct feed {
    struct store_rows rows;
    struct arrivals arrivals;
    struct counts *counts;
};

static bool feed_next(struct feed *f, struct listed *x) {
    if (!store_next_flow(&f->rows, &x->row)) return false;
    x->counts = arrivals_next(&f->arrivals, x->row.start_ps);
    f->counts->all++;
    f->counts->open += is_open(&x->row);
    return true;
}

/* Prints the slowest flows. Keeps at most twice as many as wanted, and reduces them to the slowest. */
static void slowest_print(const struct listing *l, struct feed *f, uint32_t wanted) {
    struct listed *kept = memory_get(2 * (size_t)wanted, sizeof *kept);
    size_t n = 0;
    while (feed_next(f, &kept[n])) {
        if (++n < 2 * (size_t)wanted) continue;
        qsort(kept, n, sizeof *kept, slower);
        n = wanted;
    }
    qsort(kept, n, sizeof *kept, slower);
    for (size_t i = 0; i < n && i < wanted; i++) flow_print(l, &kept[i]);
    free(kept);
}

static bool flows_print(const struct listing *l, uint32_t slowest, struct counts *counts, struct diag *d) {
    struct run_selection s = run_selection(l->run);
    struct feed f = {.counts = counts};
    struct listed x;
    bool ok = arrivals_begin(&f.arrivals, l->r, l->run, STORE_FLOWS, &s.arrivals, d) &&
              store_rows_begin(l->r, STORE_FLOWS, l->run->id, &f.rows, d);
    if (ok) {
        head_print(l);
        if (slowest) slowest_print(l, &f, slowest);
        while (!slowest && feed_next(&f, &x)) flow_print(l, &x);
        ok = store_rows_end(&f.rows, d);
    }
    arrivals_end(&f.arrivals);
    return ok;
}

struct flows_request {
    const char *store;
    uint32_t run, slowest;
    bool csv, fct;
};
#define T struct flows_request

/* Says how many flows had not finished: below the lines, and beside the output that a program reads. */
static void open_print(const struct listing *l, const struct counts *c) {
    if (l->csv || c->open == 0) return;
    fprintf(l->fct ? stderr : stdout, "%llu of %llu flows had not finished when the run ended%s\n",
            (unsigned long long)c->open, (unsigned long long)c->all, l->fct ? "; they have no line" : "");
}

static int list(const struct store_reader *r, const struct flows_request *asked) {
    struct diag d = {0};
    struct counts counts = {0};
    uint32_t number = asked->run, slowest = asked->slowest;
    struct listing l = {.r = r, .run = stored_run_find(r, number), .csv = asked->csv, .fct = asked->fct, .end_us = NAN};
    if (!l.run) return exit_no_stored_run(r->path, number, r->n_runs);
    const json_t *end = json_object_get(json_object_get(l.run->result, "engine"), "sim_s");
    if (json_is_number(end)) l.end_us = json_number_value(end) * 1e6;
    bool ok = node_names_read(r, l.run, &l.names, &d) && links_read(&l, &d) && flows_print(&l, slowest, &counts, &d);
    node_names_free(&l.names);
    free(l.link);
    if (!ok) return exit_diag(&d);
    if (counts.all == 0)
        return exit_usage("%s: run %u is %s and has no flows stored", r->path, number, run_status_word(l.run->status));
    open_print(&l, &counts);
    return 0;
}

static int flows_run(void *request) {
    const struct flows_request *q = request;
    struct diag d = {0};
    if (q->csv && q->fct) return exit_usage("--csv and --fct are two forms of the same flows; give one");
    struct store_reader *r = store_reader_open(q->store, &d);
    if (!r) return exit_diag(&d);
    int code = list(r, q);
    store_reader_close(r);
    return code;
}

const struct command command_flows = {
    .name = "flows",
    .purpose = "list the flows of a run",
    .about = "Prints one flow a line: class, hosts, size, times, slowdown, goodput, retransmissions, timeouts, and the "
             "path where it is known, and whether the flow counts in the results (measure.from, until and starts). "
             "Flows that did "
             "not finish are marked.",
    .arguments = (const struct argument[]){ARGUMENT(T, store, "RESULTS.db", VALUE_STORE, "the results store"), {0}},
    .options = (const struct option_row[]){NUMBER(T, run, "run", 0, "N", 1, UINT32_MAX, 1, "the run"),
                                           NUMBER(T, slowest, "slowest", 0, "N", 1, 1000000, 0,
                                                  "only the N slowest flows, unfinished ones first"),
                                           FLAG(T, csv, "csv", 0, "prints CSV"),
                                           FLAG(T, fct, "fct", 0,
                                                "prints finished flows as the HPCC simulator does: sip dip sport dport "
                                                "bytes start_ns fct_ns ideal_ns"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"flows first.db --slowest 10", "which flows make the tail?"}, {0}},
    .see = "flow export report",
    .request_size = sizeof(T),
    .run = flows_run,
};
