/* SPDX-License-Identifier: Apache-2.0 */
/* JSON objects such as the result of a run (study/metrics/metrics.h): reads numbers by their path, and writes objects
 * as lines of text.
 */
#ifndef HEDDLE_STUDY_RESULTS_JSON_OUT_H
#define HEDDLE_STUDY_RESULTS_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Returns the value at a path such as "fct_us.mice"; NULL if there is none. */
const json_t *json_at(const json_t *object, const char *path);
/* Sets *value to the number at "fct_us.mice.p95", or to NaN if it is null. False if there is no such number. */
bool json_metric(const json_t *result, const char *path, double *value);
/* Takes a value that is no object, and its path. */
typedef void json_leaf_visitor(void *to, const char *path, const json_t *value);
/* Calls `visit` with `to` for each number, text, list and null of an object and the objects in it, in their order. */
void json_leaves_each(const json_t *object, json_leaf_visitor *visit, void *to);
/* Writes one line, without spaces, and a newline. */
void json_line(const json_t *object, FILE *out);
char *json_text(const json_t *object); /* the caller frees it */

/* Returns a JSON number; null for NaN and infinity. */
json_t *json_number(double value);

/* Returns the word for a tier of links: host, uplink, core, peer. */
const char *link_word(unsigned link_tier);

#endif
