/* The result of a run as the object that `heddle run --json` prints, one line each (docs/results.md describes every
 * key).
 *
 * All keys are always there; statistics of nothing are null. Floating point appears here first: everything before is
 * integers.
 */
#ifndef HEDDLE_STUDY_JSON_OUT_H
#define HEDDLE_STUDY_JSON_OUT_H

#include "study/outcome.h"

#include <jansson.h>
#include <stdio.h>

/* `settings` is not taken over. */
json_t *result_json(uint32_t number, const json_t *settings, const struct outcome *outcome);
/* The number at "fct_us.mice.p95": true and *value; *value is NaN where it is null. False if there is no such number.
 */
bool json_metric(const json_t *result, const char *path, double *value);
/* One line, without spaces, and a newline. */
void json_line(const json_t *object, FILE *out);
char *json_text(const json_t *object); /* the caller frees it */

/* null for NaN */
json_t *json_number(double value);
/* {n, mean, p50, p95, p99, max}, divided by `unit`; null where there is nothing, or never. */
json_t *json_summary(const struct summary *s, double unit);

/* Parts of the result (json_measure.c, json_queries.c, pauses.c). */
json_t *json_pauses(const struct outcome *outcome);
json_t *json_queries(const struct run_result *r);
json_t *json_links(const struct run_result *r);
json_t *json_queues(const struct run_result *r);
json_t *json_host_goodput(const struct run_result *r);
json_t *json_fairness(const struct run_result *r);
json_t *json_convergence(const struct run_result *r);
json_t *json_reorder(const struct run_result *r);

/* Words for causes of drops ("buffer") and kinds of timeline entries ("enqueued"). */
const char *drop_word(unsigned cause);
const char *tier_word(unsigned tier); /* of switches: host, tor, agg, core */
const char *link_word(unsigned link_tier);

#endif
