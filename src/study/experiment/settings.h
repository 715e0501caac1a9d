/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of runs as JSON objects, key to value: how they are compared and said. */
#ifndef HEDDLE_STUDY_EXPERIMENT_SETTINGS_H
#define HEDDLE_STUDY_EXPERIMENT_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Numbers by value: 1 is 1.0. NULL equals nothing. */
bool setting_equal(const json_t *a, const json_t *b);
/* Does every key of `wanted` have its value in `settings`? */
bool settings_match(const json_t *settings, const json_t *wanted);

/* "0.5", "ecmp", "true" */
void setting_text(const json_t *value, char *buf, size_t size);
/* "workload.0.load 0.5, fabric.cores 3" */
void settings_text(const json_t *settings, char *buf, size_t size);
/* "expresspass against dctcp": what a claim compares; a word that both sides name stands alone, other settings with
 * their keys. "" where there is nothing to say; either may be NULL. */
void comparison_text(const json_t *subject, const json_t *against, char *buf, size_t size);

#endif
