/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that were set and cannot have any effect: for `heddle check` and `run`, each a warning at its place.
 *
 * A key that the file (its profile, --set) sets has an effect in a run if
 *   it applies there: it is part of the effective configuration. The parameters of a balancer or transport that is not
 *   in use are not;
 *   what it is only a default for is not all given: fabric.rate, where every tier has its own;
 *   what it needs is there: the rows of the table in effect.c, such as a mark threshold without an ECN-capable
 *   transport.
 * A key that has an effect in one run of a sweep is told of for none; nor is one whose values are swept.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_EFFECT_H
#define HEDDLE_STUDY_EXPERIMENT_EFFECT_H

#include "study/experiment/experiment.h"

/* Calls `say` with a diag for each of them, in the order of the file. */
void effect_find(const struct experiment *e, void (*say)(const struct diag *d, void *context), void *context);

#endif
