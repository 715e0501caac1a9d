/* SPDX-License-Identifier: Apache-2.0 */
/* The table of metrics: every key of a run's result, in one row each.
 *
 * The object that `heddle run --json` prints and the store keeps is written by walking the rows in their order; its
 * description in docs/results.md is printed from them. Checks of `expect` and `figure`, tables, the report page,
 * figures and exports take units, labels and directions from here, so that a metric is known everywhere as soon as it
 * has a row.
 *
 * A row's path names a key of the object, `packets.sent`, or a family of keys: parts in capitals are placeholders
 * (`fct_us.CLASS.STAT`), which metric_words() explains. A run expands them: CLASS to the classes of its flows, SIZE to
 * the sizes of its queries. Keys of all runs are always there; a statistic of nothing is null.
 *
 * A row says where its value comes from: a count or a number of struct outcome, a summary, or a function.
 *
 * To add a metric: a row in one of the files rows_*.c of this folder, beside the metrics it belongs to, and its test.
 * CONTRIBUTING.md goes through an example. scripts/docs-keys writes docs/results.md anew.
 *
 * Results carry metrics_version(), a hash of the paths and units of all rows, as `metrics`. So a stored result that
 * lacks a metric because it was written before the metric existed is told from one that has no value (study/store/older.h).
 */
#ifndef HEDDLE_STUDY_METRICS_METRICS_H
#define HEDDLE_STUDY_METRICS_METRICS_H

#include "study/results/outcome.h"

#include <jansson.h>

#define METRIC_WORDS_MAX 3 /* placeholders of one path */

/* Which values are better. */
enum metric_better { METRIC_LESS = -1, METRIC_NEITHER = 0, METRIC_MORE = 1 };

/* What values are in: the enum, its name in documents and on the page, and its name in the `unit` of figures, "" for
 * plain numbers (figures/figure_units.c). */
#define METRIC_UNITS(ROW)                                                                                              \
    ROW(UNIT_NUMBER, "number", "")                                                                                     \
    ROW(UNIT_COUNT, "count", "")                                                                                       \
    ROW(UNIT_SHARE, "share", "") /* 0.1 = ten percent */                                                               \
    ROW(UNIT_TIMES, "times", "")                                                                                       \
    ROW(UNIT_US, "us", "us")                                                                                           \
    ROW(UNIT_S, "s", "s")                                                                                              \
    ROW(UNIT_BYTES, "bytes", "B")                                                                                      \
    ROW(UNIT_MBPS, "Mbit/s", "Mbps")                                                                                   \
    ROW(UNIT_GBPS, "Gbit/s", "Gbps")                                                                                   \
    ROW(UNIT_PER_S, "/s", "/s")                                                                                        \
    ROW(UNIT_TEXT, "text", "")                                                                                         \
    ROW(UNIT_LIST, "list", "")                                                                                         \
    ROW(UNIT_OBJECT, "object", "")
#define METRIC_UNIT_ENUM(id, name, drawn) id,
enum metric_unit { METRIC_UNITS(METRIC_UNIT_ENUM) METRIC_N_UNITS };

/* Where a row's value comes from. */
enum metric_kind {
    METRIC_COUNT,   /* a uint64_t of struct outcome, at `offset` */
    METRIC_SCALED,  /* an int64_t of struct outcome, at `offset`, divided by `per` */
    METRIC_SUMMARY, /* a struct summary of struct outcome, at `offset`, or what summary() returns; the last placeholder
                       is STAT */
    METRIC_VALUE    /* what value() returns: anything, null too */
};

/* One key of a result while it is written. */
struct metric_cell {
    const struct metric *row;
    uint32_t number;        /* of the run in its experiment */
    const json_t *settings; /* swept keys and run.seed */
    const struct outcome *outcome;
    uint32_t at[METRIC_WORDS_MAX]; /* the key of each placeholder, in the order of the path, by its place */
    uint32_t n;                    /* placeholders */
};

struct metric {
    const char *path; /* "fct_us.CLASS.STAT" */
    enum metric_unit unit;
    enum metric_better better;
    const char *label; /* for axes, legends and the page; placeholders are replaced by words: "FCT CLASS STAT" */
    enum metric_kind kind;
    size_t offset; /* in struct outcome; summary() and value() may give it another meaning */
    const struct summary *(*summary)(const struct metric_cell *c);
    json_t *(*value)(const struct metric_cell *c); /* returns a new reference */
    double per;       /* what one of the unit is in the values of the outcome: 1e6 for us from picoseconds */
    bool names_run;   /* says which run this is: it is neither drawn nor exported as a metric */
    const char *head; /* for narrow columns, where the table says the rest: "CLASS STAT"; NULL: the label */
    const char *doc;  /* what docs/results.md says, without the last full stop; Markdown */
};

/* All rows, in the order of the object. */
const struct metric *const *metrics(size_t *n);

/* Returns the whole object of one run. */
json_t *metrics_object(uint32_t number, const json_t *settings, const struct outcome *outcome);

/* Returns the version of the table, eight hexadecimal digits. */
const char *metrics_version(void);

/* Returns true if the result lacks the metric because it was stored before the metric existed: it carries the version
 * of another table, and no number of the metric's row. */
bool metric_is_newer(const json_t *result, const char *path);

/* ---- one key ---- */

#define METRIC_TEXT_MAX 160

/* What is known of a key such as "fct_us.mice.p95", or of a whole summary, "fct_us.mice". */
struct metric_info {
    const struct metric *row; /* NULL: no row has such a key */
    enum metric_unit unit;    /* the row's; of the `n` of a summary: UNIT_COUNT */
    enum metric_better better;
    char label[METRIC_TEXT_MAX]; /* "FCT mice 95th"; without a row the path */
    char head[METRIC_TEXT_MAX];  /* "mice 95th" */
};

/* Fills *info. Returns false, with the path as label and head and a plain number as unit, if there is no such row. */
bool metric_describe(const char *path, struct metric_info *info);

const char *metric_unit_name(enum metric_unit unit);       /* "Gbit/s" */
const char *metric_unit_drawn(enum metric_unit unit);      /* "Gbps": as figures name it */
const char *metric_better_word(enum metric_better better); /* "less", "more", "" */

/* ---- which are shown ---- */

/* Metrics that a table or the page shows without being asked, in their order. */
enum metric_place {
    METRIC_IN_TABLE = 1, /* the closing table of heddle run */
    METRIC_IN_TEXT = 2,  /* heddle report --text */
    METRIC_IN_PAGE = 4   /* the first tables and charts of the report page */
};
/* The i-th of them, NULL if there are no more. */
const char *metric_shown(enum metric_place place, size_t i);

/* ---- placeholders ---- */

#define METRIC_KEY_MAX 128

struct metric_word {
    const char *name; /* "CLASS" */
    const char *doc;
    const char *whole;      /* the word for `all` at the start of a head: "all", "query" */
    const char *const *key; /* keys of every result, ended by NULL; NULL: none */
    /* The key of the i-th further value in a result of this outcome, perhaps in buf; NULL: there are no more. */
    const char *(*more)(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]);
    /* Can the result of some run have this further key? */
    bool (*is_more)(const char *key);
    bool is_constant; /* the further keys are those of every result, too */
};
const struct metric_word *metric_words(size_t *n);
/* The placeholder of this name, `length` letters long; NULL if it is none. */
const struct metric_word *metric_word_find(const char *name, size_t length);
/* The i-th key in a result of this outcome, perhaps in buf; NULL: there are no more. */
const char *metric_word_key(const struct metric_word *word, const struct outcome *o, uint32_t i,
                            char buf[METRIC_KEY_MAX]);
/* Can the result of some run have this key? */
bool metric_word_has(const struct metric_word *word, const char *key);

/* ---- documents ---- */

/* Prints the tables of docs/results.md: keys, placeholders, counters of every run. */
void metrics_print_docs(FILE *out);

#endif
