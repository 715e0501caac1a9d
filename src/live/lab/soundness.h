/* SPDX-License-Identifier: Apache-2.0 */
/* Whether all parts of a lab are there: its processes run, and its namespaces exist. A part that was killed or removed stays
 * away, so the remedy is always to remove the lab and to make it again. */
#ifndef HEDDLE_LIVE_LAB_SOUNDNESS_H
#define HEDDLE_LIVE_LAB_SOUNDNESS_H

#include "live/lab/lab.h"

/* Returns true if all parts are there. False after filling *d with the first that is missing, and the remedy; or with that another
 * process makes or removes the lab. */
bool lab_is_sound(const struct lab *lab, struct diag *d);

/* Sends a request of live/control.h to the switches and returns the reply, which the caller frees. NULL after filling *d, with
 * the remedy if the switches do not run. */
char *lab_ask(const struct lab *lab, const char *request, struct diag *d);
/* Returns true if the switches run. False after filling *d with the remedy. */
bool lab_has_switches(const struct lab *lab, struct diag *d);

#endif
