/* SPDX-License-Identifier: Apache-2.0 */
/* The table of metrics: one row for every key, or family of keys, of a run's result.
 *
 * metrics_object walks the rows in their order and writes the object that `heddle run --json` prints and the store
 * keeps. docs/results.md is printed from the same rows. Checks of `expect` and `figure`, tables, the report page,
 * figures and exports take units, labels and directions from here, so a new metric needs only a row.
 *
 * A row's path names a key of the object, `packets.sent`, or a family of keys: parts in capitals are placeholders
 * (`fct_us.CLASS.STAT`), which metric_words() explains. Each run replaces them by its own keys: CLASS by the classes of
 * its flows, SIZE by the sizes of its queries. Keys that all runs have are always present; a statistic of no values is
 * null.
 *
 * A row says where its value comes from: a count or a number in struct outcome, a summary, or a function.
 *
 * To add a metric, add a row to one of the files rows_*.c of this folder, beside the metrics it belongs to, and a test.
 * docs/guides/add-a-metric.md has an example. scripts/docs-keys rewrites docs/results.md.
 *
 * Results carry metrics_version(), a hash of the paths and units of all rows, as `metrics`. It distinguishes a stored
 * result that was written before a metric existed from one without a value (study/store/older.h).
 */
#ifndef HEDDLE_STUDY_METRICS_METRICS_H
#define HEDDLE_STUDY_METRICS_METRICS_H

#include "study/results/outcome.h"

#include <jansson.h>

#define METRIC_WORDS_MAX 3 /* placeholders of one path */

/* Which values are better. */
enum metric_better { METRIC_LESS = -1, METRIC_NEITHER = 0, METRIC_MORE = 1 };

/* Units of values: the enum, the name in documents and on the page, and the name in `unit` of figures, "" for plain
 * numbers (study/experiment/figure_units.c). */
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
    METRIC_SUMMARY, /* a struct summary of struct outcome, at `offset`, or the one that summary() returns; the last
                       placeholder is STAT */
    METRIC_VALUE    /* the value that value() returns, of any type, also null */
};

/* One key of a result while it is written. */
struct metric_cell {
    const struct metric *row;
    uint32_t number;        /* of the run in its experiment, from 1 */
    const json_t *settings; /* swept keys and run.seed */
    const struct outcome *outcome;
    uint32_t at[METRIC_WORDS_MAX]; /* index of each placeholder's key (metric_word_key), in the order of the path */
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
    double per;       /* divisor from the outcome's value to `unit`: 1e6 for us from picoseconds */
    bool names_run;   /* identifies the run: neither drawn nor exported as a metric */
    bool is_signed;   /* may be negative */
    bool varies;      /* time and memory of the program: differs between two runs of one identity */
    const char *head; /* short label for narrow columns: "CLASS STAT"; NULL: the label */
    const char *doc;  /* text in docs/results.md, Markdown, without the last full stop */
};

/* Returns all rows, in the order of the object. */
const struct metric *const *metrics(size_t *n);

/* Returns true if only a simulator can see the metric: it is null in the result of a run on real frames. */
bool metric_is_simulated(const struct metric *row);

/* Returns the whole result object of one run, as a new reference. */
json_t *metrics_object(uint32_t number, const json_t *settings, const struct outcome *outcome);

/* Returns the version of the table, eight hexadecimal digits. */
const char *metrics_version(void);

/* Returns true if the result lacks the metric because it was stored before the metric existed: it has another version
 * of the table (or none), and no key of the metric's row. */
bool metric_is_newer(const json_t *result, const char *path);

/* ---- one key ---- */

#define METRIC_TEXT_MAX 160

/* Description of a key such as "fct_us.mice.p95", or of a whole summary, "fct_us.mice". */
struct metric_info {
    const struct metric *row; /* NULL: no row has such a key */
    enum metric_unit unit;    /* of the row; UNIT_COUNT for the `n` of a summary */
    enum metric_better better;
    char label[METRIC_TEXT_MAX]; /* "FCT mice 95th"; the path if there is no row */
    char head[METRIC_TEXT_MAX];  /* "mice 95th"; the path if there is no row */
};

/* Fills *info. Returns false, with the path as label and head and a plain number as unit, if there is no such row. */
bool metric_describe(const char *path, struct metric_info *info);

const char *metric_unit_name(enum metric_unit unit);       /* "Gbit/s" */
const char *metric_unit_drawn(enum metric_unit unit);      /* "Gbps": as figures name it */
const char *metric_better_word(enum metric_better better); /* "less", "more", "" */

/* ---- placeholders ---- */

#define METRIC_KEY_MAX 128

struct metric_word {
    const char *name; /* "CLASS" */
    const char *doc;
    const char *whole;      /* the word for `all` at the start of a head: "all", "query" */
    const char *const *key; /* keys that every result has; ends at NULL; NULL: none */
    /* Returns the i-th further key in a result of this outcome, perhaps in buf; NULL if there are no more. */
    const char *(*more)(const struct outcome *o, uint32_t i, char buf[METRIC_KEY_MAX]);
    /* Returns whether the result of some run can have this further key. */
    bool (*is_more)(const char *key);
    bool is_constant; /* true: every result has all the further keys, too */
};
const struct metric_word *metric_words(size_t *n);
/* Returns the placeholder of this name, `length` characters long; NULL if there is none. */
const struct metric_word *metric_word_find(const char *name, size_t length);
/* Returns the i-th key in a result of this outcome, perhaps in buf; NULL if there are no more. */
const char *metric_word_key(const struct metric_word *word, const struct outcome *o, uint32_t i,
                            char buf[METRIC_KEY_MAX]);
/* Returns whether the result of some run can have this key. */
bool metric_word_has(const struct metric_word *word, const char *key);

/* ---- documents ---- */

/* Prints the tables of docs/results.md: keys, placeholders, counters of every run. */
void metrics_print_docs(FILE *out);

#endif
