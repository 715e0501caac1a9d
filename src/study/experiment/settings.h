/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of runs as JSON objects, key to value: comparing and printing them. */
#ifndef HEDDLE_STUDY_EXPERIMENT_SETTINGS_H
#define HEDDLE_STUDY_EXPERIMENT_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns whether two values are equal. Numbers compare by value: 1 is 1.0. NULL equals nothing. */
bool setting_equal(const json_t *a, const json_t *b);
/* Returns whether every key of `wanted` has its value in `settings`. */
bool settings_match(const json_t *settings, const json_t *wanted);

/* Adds each value of `settings` to the list of its key in `axes`, {KEY: [values]}, if it is not there yet. */
void settings_axes_add(json_t *axes, const json_t *settings);

/* Returns the key whose values are the rows of a table of runs with these axes, {KEY: [values]}; the others make groups. It is the
 * scheme, the balancer, the transport or the store if these have several values; else the last key whose several values are no
 * numbers; else the last key with several values, the innermost of the sweep; else the first key. The seed is the last choice, "run.seed". */
const char *settings_row_key(const json_t *axes);

/* Writes a value: "0.5", "ecmp", "true". */
void setting_text(const json_t *value, char *buf, size_t size);
/* Writes "workload.0.load 0.5, fabric.cores 3". */
void settings_text(const json_t *settings, char *buf, size_t size);
/* Writes the two sides of a comparison: "expresspass against dctcp". A text value whose key both sides have stands
 * alone, other settings stand with their keys. "" if both sides are empty; either may be NULL. */
void comparison_text(const json_t *subject, const json_t *against, char *buf, size_t size);

#endif
