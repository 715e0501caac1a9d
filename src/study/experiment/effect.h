/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of keys that are set and cannot have any effect, each at its place, for `heddle check`, `run` and `lab run`.
 *
 * A key that the file, a profile or --set sets has an effect in a run if it applies (it is part of the effective
 * configuration, unlike a parameter of a balancer that is not in use) and acts (study/config/acts.h). A key that has an
 * effect in some run of a sweep gets no warning. A swept key without effect in any run gets one, at its first value: its runs
 * are all the same. A key that a base sets (study/experiment/base_file.h) gets none: it may have its effect there, as the
 * timeout of DCTCP in the base of a file that runs DX alone.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_EFFECT_H
#define HEDDLE_STUDY_EXPERIMENT_EFFECT_H

#include "study/experiment/experiment.h"

/* Calls `say` with a diag for each key without effect, in the order of the file, those of the sweep last. */
void effect_find(const struct experiment *e, void (*say)(const struct diag *d, void *context), void *context);

#endif
