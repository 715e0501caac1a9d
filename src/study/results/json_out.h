/* SPDX-License-Identifier: Apache-2.0 */
/* Objects such as the result of a run (study/metrics/metrics.h writes it): reading numbers by their path, and writing
 * them as lines of text.
 */
#ifndef HEDDLE_STUDY_RESULTS_JSON_OUT_H
#define HEDDLE_STUDY_RESULTS_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Returns what stands at a path such as "fct_us.mice"; NULL: nothing does. */
const json_t *json_at(const json_t *object, const char *path);
/* Reads the number at "fct_us.mice.p95": true and *value; *value is NaN where it is null. False if there is no such
 * number. */
bool json_metric(const json_t *result, const char *path, double *value);
/* Writes one line, without spaces, and a newline. */
void json_line(const json_t *object, FILE *out);
char *json_text(const json_t *object); /* the caller frees it */

/* Returns null for NaN. */
json_t *json_number(double value);

/* Returns the word for a tier of links: host, uplink, core, peer. */
const char *link_word(unsigned link_tier);

#endif
