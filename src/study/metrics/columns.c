/* SPDX-License-Identifier: Apache-2.0 */
#include "study/metrics/columns.h"

#include "base/memory.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what results are of ---- */

/* What a set of results is about; several may hold. */
enum {
    QUERIES = 1,   /* a query was started */
    SETS = 2,      /* queries were asked in sets */
    FLOWS = 4,     /* no query was started */
    SIZES = 8,     /* flows of more than one class of sizes finished */
    INCAST = 16,   /* some workload is an incast */
    LONG = 32,     /* some workload is of long flows */
    BATCH = 64,    /* all flows are sent at once or one after the other, no load is offered */
    PAUSES = 128,  /* pause frames were sent */
    CREDITS = 256, /* credits were sent */
    JOBS = 512,    /* some workload is a job */
    ANY = 1024
};

static double number_of(const json_t *result, const char *path) {
    double value;
    return json_metric(result, path, &value) ? value : NAN;
}

/* Returns whether the workload of a configuration has an entry of this kind. */
static bool has_kind(const char *config, const char *kind) {
    char line[64];
    snprintf(line, sizeof line, "kind: %s\n", kind);
    return config && strstr(config, line);
}

/* Returns whether a class has some of the flows, but not all. Without numbers of flows: whether it has any. */
static bool is_part(const json_t *result, const char *class) {
    char n[64], mean[64];
    snprintf(n, sizeof n, "fct_us.%s.n", class);
    snprintf(mean, sizeof mean, "fct_us.%s.mean", class);
    double of = number_of(result, n), all = number_of(result, "fct_us.all.n");
    if (isnan(of) || isnan(all)) return !isnan(number_of(result, mean));
    return of > 0 && of < all;
}

static unsigned traits_of(const json_t *result, const char *config) {
    if (!result) return 0;
    bool queries = number_of(result, "queries.started") > 0;
    bool incast = has_kind(config, "incast"), is_long = has_kind(config, "long");
    bool finished = number_of(result, "fct_us.all.n") > 0, offered = number_of(result, "open_flows.arrivals") > 0;
    return ANY | (queries ? QUERIES : FLOWS) | (number_of(result, "queries.sets.all.n") > 0 ? SETS : 0) |
           (is_part(result, "mice") || is_part(result, "elephant") ? SIZES : 0) | (incast ? INCAST : 0) |
           (is_long ? LONG : 0) | (!queries && !is_long && finished && !offered ? BATCH : 0) |
           (json_array_size(json_object_get(result, "jobs")) > 0 ? JOBS : 0) |
           (number_of(result, "pauses.sent") > 0 ? PAUSES : 0) | (number_of(result, "credits.sent") > 0 ? CREDITS : 0);
}

static unsigned traits_of_all(const struct columns_request *q) {
    unsigned traits = 0;
    for (size_t i = 0; i < q->n; i++) traits |= traits_of(q->result[i], q->config ? q->config[i] : NULL);
    return traits ? traits : ANY | FLOWS | SIZES;
}

/* ---- the table ---- */

struct row {
    const char *path;
    unsigned matters; /* for results with one of these traits */
    unsigned not_for; /* but with none of these */
    const char *unless[COLUMN_UNLESS_MAX];
    const char *head;    /* head of the column; NULL: that of the metric */
    const char *doc;     /* what a head of its own means; NULL: what the metric means */
    unsigned shows_zero; /* a column with nothing but 0 tells something for results with one of these traits */
    bool is_rest;        /* the column shows 1 minus this share */
    bool own_keys;       /* the placeholder stands only for keys that not all results have */
};

/* In the order of columns. Completion times tell more than goodput where a load is offered; the goodput of hosts counts
 * flows that measure.from leaves out. */
static const struct row rows[] = {
    {.path = "queries.SIZE.p50", .matters = QUERIES},
    {.path = "queries.SIZE.p99", .matters = QUERIES},
    {.path = "queries.sets.all.p99", .matters = SETS},
    {.path = "queries.timeouts.share.0",
     .matters = QUERIES,
     .head = "with timeouts",
     .is_rest = true,
     .doc = "share of the queries in which a sender waited for a retransmission timeout: 1 less the metric"},
    {.path = "job.JOB.jct_us.mean", .matters = JOBS},
    {.path = "job.JOB.jct_us.max", .matters = JOBS},
    {.path = "job.JOB.slowdown.mean", .matters = JOBS},
    {.path = "job.JOB.busbw_gbps", .matters = JOBS},
    {.path = "job.JOB.exposed_us", .matters = JOBS},
    {.path = "phases.PHASE.queries.all.p99", .matters = QUERIES},
    {.path = "phases.PHASE.fct_us.all.p99", .matters = FLOWS},
    {.path = "phases.PHASE.goodput_gbps.mean", .matters = LONG},
    {.path = "phases.PHASE.packets.dropped", .matters = ANY},
    {.path = "fct_us.ENTRY.all.p99", .matters = FLOWS, .not_for = JOBS},
    {.path = "fct_us.CLASS.p99", .matters = FLOWS, .own_keys = true},
    {.path = "fct_us.mice.mean", .matters = SIZES, .not_for = QUERIES | JOBS},
    {.path = "fct_us.mice.p99", .matters = SIZES, .not_for = QUERIES | JOBS},
    {.path = "fct_us.elephant.mean", .matters = SIZES, .not_for = QUERIES | JOBS},
    {.path = "fct_us.all.mean", .matters = FLOWS, .not_for = JOBS},
    {.path = "fct_us.all.p99", .matters = FLOWS, .not_for = JOBS},
    {.path = "fct_us.all.max",
     .matters = INCAST | BATCH,
     .not_for = JOBS,
     .head = "last completion",
     .doc = "largest FCT: where all flows start together, the time until the last one is done"},
    {.path = "goodput_mbps.all.mean", .matters = LONG | BATCH, .not_for = INCAST | JOBS},
    {.path = "goodput_mbps.all.mean", .matters = FLOWS, .not_for = INCAST | JOBS, .unless = {"fct_us.all.mean"}},
    {.path = "goodput_mbps.all.jain", .matters = LONG | BATCH, .not_for = INCAST | JOBS},
    {.path = "goodput_mbps.all.jain", .matters = FLOWS, .not_for = INCAST | JOBS, .unless = {"fct_us.all.mean"}},
    {.path = "goodput_gbps.mean",
     .matters = FLOWS,
     .not_for = JOBS,
     .unless = {"fct_us.all.mean", "goodput_mbps.all.mean"}},
    {.path = "goodput_gbps.jain",
     .matters = FLOWS,
     .not_for = JOBS,
     .unless = {"fct_us.all.mean", "goodput_mbps.all.mean"}},
    {.path = "fairness.jain_mean", .matters = ANY},
    {.path = "convergence_us.last", .matters = ANY},
    {.path = "packets.dropped", .matters = ANY, .shows_zero = INCAST | JOBS},
    {.path = "counters.drop_link_down", .matters = ANY},
    {.path = "buffers_bytes.max", .matters = INCAST | PAUSES},
    {.path = "queues_bytes.max", .matters = CREDITS, .not_for = INCAST | PAUSES},
    {.path = "pauses.paused_us", .matters = PAUSES},
};
#define N_ROWS (sizeof rows / sizeof *rows)

/* Metrics that a reader may look for next, the most telling first. */
static const char *const further[] = {
    "slowdown.all.p99",      "goodput_gbps.mean",     "queues_bytes.max",
    "packets.retransmitted", "links.uplink.max",      "queries.all.p50",
    "queries.all.p99",       "fct_us.all.p95",        "fct_us.all.p99",
    "buffers_bytes.max",     "goodput_mbps.all.mean", "goodput_mbps.all.jain",
    "slowdown.all.p50",      "goodput_gbps.min",      "queries.timeouts.of_p99.0",
    "queues_bytes.mean",     "links.core.max",        "reorder.p99",
    "credits.wasted",        "pauses.blocked_us",     "imbalance.tor.mean",
    "imbalance.agg.mean",
};

#define KEYS_SHOWN 4 /* most keys in place of a placeholder */

/* ---- placeholders ---- */

/* Returns the placeholder of a path but STAT; NULL if there is none. *at: its offset in the path. */
static const struct metric_word *placeholder_of(const char *path, size_t *at) {
    for (*at = 0; path[*at];) {
        size_t length = strcspn(path + *at, ".");
        const struct metric_word *word = metric_word_find(path + *at, length);
        if (word) return word;
        *at += length + (path[*at + length] == '.');
    }
    return NULL;
}

static bool has_same_placeholder(const struct row *a, const struct row *b) {
    size_t at_a, at_b;
    const struct metric_word *word = placeholder_of(a->path, &at_a);
    return word && word == placeholder_of(b->path, &at_b) && at_a == at_b && strncmp(a->path, b->path, at_a) == 0;
}

/* Fills key[] with the result's own keys in place of the row's placeholder: keys of this run, such as 8KB. Without
 * any it is the first key that all results have. Returns their number. */
static size_t keys_find(const struct row *row, const json_t *result, const char *key[KEYS_SHOWN]) {
    size_t at, n = 0;
    const struct metric_word *word = placeholder_of(row->path, &at);
    char before[COLUMN_PATH_MAX];
    snprintf(before, sizeof before, "%.*s", (int)(at ? at - 1 : 0), row->path);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)json_at(result, before), name, value) {
        if (n < KEYS_SHOWN && word->is_more && word->is_more(name)) key[n++] = name;
    }
    if (n == 0 && word->key && !row->own_keys) key[n++] = word->key[0];
    return n;
}

/* ---- columns ---- */

/* Returns the column of this path; NULL if there is none. */
static struct metric_column *column_find(const struct metric_columns *c, const char *path) {
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->of[i].path, path) == 0) return &c->of[i];
    }
    return NULL;
}

bool metric_columns_have(const struct metric_columns *c, const char *path) { return column_find(c, path) != NULL; }

static struct metric_column *column_append(struct metric_columns *c, const char *path) {
    struct metric_info info;
    metric_describe(path, &info);
    c->of = memory_grow(c->of, c->n + 1, sizeof *c->of);
    struct metric_column *to = &c->of[c->n++];
    *to = (struct metric_column){.unit = info.unit, .better = info.better};
    to->is_signed = info.row && info.row->is_signed;
    snprintf(to->path, sizeof to->path, "%s", path);
    snprintf(to->head, sizeof to->head, "%s", info.head);
    snprintf(to->label, sizeof to->label, "%s", info.label);
    return to;
}

static void column_ask(struct metric_columns *c, const char *path) {
    if (metric_columns_have(c, path)) return;
    struct metric_column *to = column_append(c, path);
    to->is_asked = to->shows_zero = true;
}

/* Adds the column of a row, with this path in place of the row's, unless the path is there. */
static void column_add(struct metric_columns *c, const char *path, const struct row *row, unsigned traits) {
    if (metric_columns_have(c, path)) return;
    struct metric_column *to = column_append(c, path);
    if (row->head) snprintf(to->head, sizeof to->head, "%s", row->head);
    to->is_rest = row->is_rest;
    to->shows_zero = row->shows_zero & traits;
    if (to->is_rest) to->better = (enum metric_better) - to->better;
    for (size_t i = 0; i < COLUMN_UNLESS_MAX; i++) to->unless[i] = row->unless[i];
}

static void column_of_key_add(struct metric_columns *c, const struct row *row, const char *key, unsigned traits) {
    char path[COLUMN_PATH_MAX];
    size_t at;
    const struct metric_word *word = placeholder_of(row->path, &at);
    snprintf(path, sizeof path, "%.*s%.60s%s", (int)at, row->path, key, row->path + at + strlen(word->name));
    column_add(c, path, row, traits);
}

/* Adds `n` adjacent rows with the same placeholder, key by key. */
static void family_add(struct metric_columns *c, const struct row *family, size_t n, const json_t *result,
                       unsigned traits) {
    const char *key[KEYS_SHOWN];
    size_t n_keys = keys_find(family, result, key);
    for (size_t k = 0; k < n_keys; k++) {
        for (size_t i = 0; i < n; i++) column_of_key_add(c, &family[i], key[k], traits);
    }
}

/* Returns the result whose keys stand in place of placeholders: the first with queries, else the first; NULL if there
 * is none. */
static const json_t *like_find(const json_t *const *result, size_t n) {
    const json_t *first = NULL;
    for (size_t i = 0; i < n; i++) {
        if (number_of(result[i], "queries.started") > 0) return result[i];
        if (!first) first = result[i];
    }
    return first;
}

static bool row_matters(const struct row *row, unsigned traits) {
    return (row->matters & traits) && !(row->not_for & traits);
}

/* Returns the chosen columns with the columns that are asked for; before all others if they are not among them. */
static struct metric_columns with_asked(struct metric_columns chosen, const struct columns_request *q) {
    struct metric_columns c = {0};
    for (size_t i = 0; i < q->n_asked; i++) {
        struct metric_column *there = column_find(&chosen, q->asked[i]);
        if (!there) column_ask(&c, q->asked[i]);
        if (there) there->is_asked = there->shows_zero = true;
        if (there) memset(there->unless, 0, sizeof there->unless);
    }
    c.of = memory_grow(c.of, c.n + chosen.n + 1, sizeof *c.of);
    for (size_t i = 0; i < chosen.n; i++) c.of[c.n++] = chosen.of[i];
    metric_columns_free(&chosen);
    return c;
}

struct metric_columns metric_columns_choose(const struct columns_request *q) {
    struct metric_columns c = {0};
    const json_t *like = like_find(q->result, q->n);
    unsigned traits = traits_of_all(q);
    size_t at;
    for (size_t i = 0; i < N_ROWS; i++) {
        size_t family = 1;
        if (!row_matters(&rows[i], traits)) continue;
        if (!placeholder_of(rows[i].path, &at)) {
            column_add(&c, rows[i].path, &rows[i], traits);
            continue;
        }
        while (i + family < N_ROWS && row_matters(&rows[i + family], traits) &&
               has_same_placeholder(&rows[i], &rows[i + family]))
            family++;
        family_add(&c, &rows[i], family, like, traits);
        i += family - 1;
    }
    return with_asked(c, q);
}

struct metric_columns metric_columns_further(void) {
    struct metric_columns c = {0};
    for (size_t i = 0; i < sizeof further / sizeof *further; i++) column_append(&c, further[i]);
    return c;
}

struct metric_columns metric_columns_of(const char *const *path, size_t n) {
    struct metric_columns c = {0};
    for (size_t i = 0; i < n; i++) column_ask(&c, path[i]);
    return c;
}

void metric_columns_free(struct metric_columns *c) {
    free(c->of);
    *c = (struct metric_columns){0};
}

double metric_column_value(const struct metric_column *c, const json_t *result) {
    double value = number_of(result, c->path);
    return c->is_rest ? 1 - value : value;
}

/* Returns whether a row before this one has its path. */
static bool is_repeated(size_t row) {
    for (size_t i = 0; i < row; i++) {
        if (strcmp(rows[i].path, rows[row].path) == 0) return true;
    }
    return false;
}

const char *metric_shown(size_t i) {
    size_t at;
    for (size_t k = 0; k < N_ROWS; k++) {
        bool of_flows = !(rows[k].matters & (QUERIES | SETS));
        bool counts = of_flows && !placeholder_of(rows[k].path, &at) && !is_repeated(k);
        if (counts && i-- == 0) return rows[k].path;
    }
    return NULL;
}

/* ---- documents ---- */

/* Returns the i-th path of the rows, and then of the further metrics, each once. *row gets its row, or NULL. */
static const char *path_at(size_t i, const struct row **row) {
    for (size_t k = 0; k < N_ROWS; k++) {
        *row = &rows[k];
        if (!is_repeated(k) && i-- == 0) return rows[k].path;
    }
    *row = NULL;
    for (size_t k = 0; k < sizeof further / sizeof *further; k++) {
        bool is_row = false;
        for (size_t r = 0; r < N_ROWS; r++) is_row = is_row || strcmp(rows[r].path, further[k]) == 0;
        if (!is_row && i-- == 0) return further[k];
    }
    return NULL;
}

/* Writes the path with a key that results have in place of its placeholder: a name that is free stands for itself. */
static void example_of(const char *path, char buf[COLUMN_PATH_MAX]) {
    size_t at;
    const struct metric_word *word = placeholder_of(path, &at);
    snprintf(buf, COLUMN_PATH_MAX, "%s", path);
    if (word && word->key)
        snprintf(buf, COLUMN_PATH_MAX, "%.*s%s%s", (int)at, path, word->key[0], path + at + strlen(word->name));
}

bool metric_column_doc(size_t i, struct column_doc *doc) {
    const struct row *row;
    struct metric_info info;
    char example[COLUMN_PATH_MAX];
    const char *path = path_at(i, &row);
    if (!path) return false;
    example_of(path, example);
    metric_describe(example, &info);
    *doc = (struct column_doc){.path = path, .unit = info.unit, .better = info.better};
    snprintf(doc->head, sizeof doc->head, "%s", row && row->head ? row->head : info.head);
    doc->doc = row && row->doc ? row->doc : info.row ? info.row->doc : NULL;
    if (row && row->is_rest) doc->better = (enum metric_better) - info.better;
    return true;
}
