/* SPDX-License-Identifier: Apache-2.0 */
/* The axes of a sweep: `sweep: {KEY: [values]}`, and `--set KEY=VALUE` on one of its keys. A value FIRST..LAST stands for all whole
 * numbers from the first to the last: `run.seed: [1..20]`.
 *
 * The values of a block or list may have names: `switch: {hashed: {balance: ecmp}, sprayed: {balance: spray}}`. Settings, and
 * what is made of them, have the name in place of the value; --set switch=sprayed takes the value of that name. */
#ifndef HEDDLE_STUDY_EXPERIMENT_SWEEP_H
#define HEDDLE_STUDY_EXPERIMENT_SWEEP_H

#include "study/experiment/experiment.h"

/* Returns whether --set on this key changes an axis: the key is swept, or written sweep.KEY. */
bool sweep_takes(const struct tree_node *root, const char *key);
/* Replaces the values of an axis by the list `value`, or by this one value; null removes the axis. Owns `value`. */
bool sweep_set(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d);
/* Gives the key a value as --set does: its axis if it is swept, else its place in the tree. Owns `value`. */
bool sweep_or_place(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d);

/* Fills *axis with copies of the tree's axes in file order, ranges written out; sweep_axes_free frees them. False after filling *d. */
bool sweep_axes(const struct tree_node *root, struct axis **axis, size_t *n, struct diag *d);
/* Returns the key whose values tables compare, as rows (settings_row_key). */
const char *sweep_row_key(const struct experiment *e);
void sweep_axes_free(struct axis *axis, size_t n);

#endif
