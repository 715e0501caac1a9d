/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics have a form for the phases of a run (measure.phases), and why the others have none.
 *
 * phases.PHASE.PATH is the form of PATH: the same number over the time of a phase, or of what starts in it.
 */
#ifndef HEDDLE_STUDY_METRICS_PHASE_FORMS_H
#define HEDDLE_STUDY_METRICS_PHASE_FORMS_H

#include "study/metrics/metrics.h"

#include <stdio.h>

/* Returns the path of which a row is the form for phases; NULL if it is no such row. */
const char *phase_form(const struct metric *row);
/* Returns why a metric of the whole run has no form for phases, as half a sentence; NULL if nothing is known of it. */
const char *phase_form_missing(const char *path);

/* Prints a section of docs/results.md. */
void phase_forms_print(FILE *out);

#endif
