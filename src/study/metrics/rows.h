/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the table of metrics, and macros and helpers for their rows. Only files of this folder include it.
 *
 *     {"packets.sent", UNIT_COUNT, METRIC_NEITHER, "packets sent", COUNT(packets.sent),
 *      .doc = "frames given to a port by the node that made them"},
 */
#ifndef HEDDLE_STUDY_METRICS_ROWS_H
#define HEDDLE_STUDY_METRICS_ROWS_H

#include "study/metrics/metrics.h"

/* The parts, in the order of the object. */
#define METRIC_PARTS(ROW)                                                                                              \
    ROW(flow)                                                                                                          \
    ROW(trend)                                                                                                         \
    ROW(phase)                                                                                                         \
    ROW(query)                                                                                                         \
    ROW(job)                                                                                                           \
    ROW(packet)                                                                                                        \
    ROW(queue)                                                                                                         \
    ROW(memory)                                                                                                        \
    ROW(link)                                                                                                          \
    ROW(share)                                                                                                         \
    ROW(engine)

struct metric_part {
    const struct metric *row;
    size_t n;
};
#define METRIC_PART_DECLARE(id) extern const struct metric_part metric_part_##id;
METRIC_PARTS(METRIC_PART_DECLARE)

/* Ends a file of rows: METRIC_PART(flow, flow_rows). */
#define METRIC_PART(id, rows) const struct metric_part metric_part_##id = {(rows), sizeof(rows) / sizeof *(rows)}

/* Source of a value. `field` is a field of struct run_result, or of the struct `type`. */
#define AT(field) offsetof(struct outcome, result.field)
#define COUNT(field) .kind = METRIC_COUNT, .offset = AT(field)
#define SCALED(field, scale) .kind = METRIC_SCALED, .offset = AT(field), .per = (scale)
#define SUMMARY(field, scale) .kind = METRIC_SUMMARY, .offset = AT(field), .per = (scale)
#define SUMMARY_OF(function, scale) .kind = METRIC_SUMMARY, .summary = (function), .per = (scale)
#define SUMMARY_IN(function, type, field, scale) SUMMARY_OF(function, scale), .offset = offsetof(struct type, field)
#define VALUE(function) .kind = METRIC_VALUE, .value = (function)
#define VALUE_IN(function, type, field) VALUE(function), .offset = offsetof(struct type, field)

/* Returns the row's field (`offset`) of the struct at `of`: an outcome, or the struct that SUMMARY_IN or VALUE_IN
 * names. */
static inline const void *metric_field(const struct metric_cell *c, const void *of) {
    return (const char *)of + c->row->offset;
}

#define PER_US ((double)PS_PER_US)
#define PER_SHARE 1e6 /* from parts per million */
#define PER_MILLI 1e3 /* from thousandths */

static inline json_t *metric_count(uint64_t value) { return json_integer((json_int_t)value); }

/* Returns a number; null if it is not known. */
static inline json_t *metric_real(bool is_known, double value) { return is_known ? json_real(value) : json_null(); }

/* Returns part / all; null if `all` is 0. */
static inline json_t *metric_share(uint64_t part, uint64_t all) {
    return metric_real(all > 0, (double)part / (double)all);
}

/* Returns value / per; null if the summary has no values, or the value is TIME_NONE (never). */
static inline json_t *metric_statistic(const struct summary *s, int64_t value, double per) {
    return metric_real(s->n && value != TIME_NONE, (double)value / per);
}

/* Return Jain's index over intervals; null if no interval has one. */
static inline json_t *metric_jain_mean(const struct fairness_total *t) {
    return metric_real(t->intervals > 0, (double)t->sum_ppm / (double)t->intervals / 1e6);
}

static inline json_t *metric_jain_min(const struct fairness_total *t) {
    return metric_real(t->intervals > 0, (double)t->min_ppm / 1e6);
}

/* Returns the tier that the i-th key of SWITCHES names. */
static inline enum tier metric_switches(uint32_t i) { return i == 0 ? TIER_LEAF : TIER_AGG; }

/* Returns the times of a part's flows by the index among the keys of CLASS: built-in classes, then those of
 * measure.classes. */
static inline const struct flow_times *metric_part_times(const struct flow_part *part, uint32_t class) {
    return class < FLOW_CLASSES ? &part->times[class] : &part->size_times[class - FLOW_CLASSES];
}

/* Returns a statistic of a summary by its index among the keys of STAT; index 0 is n. */
static inline int64_t metric_summary_value(const struct summary *s, uint32_t stat) {
    const int64_t value[] = {(int64_t)s->n, s->mean, s->p50, s->p95, s->p99, s->p999, s->max};
    return value[stat];
}

/* Returns Jain's index from parts per million; null for JAIN_NONE. */
static inline json_t *metric_jain(int64_t ppm) { return metric_real(ppm != JAIN_NONE, (double)ppm / 1e6); }

#endif
