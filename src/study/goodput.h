/* SPDX-License-Identifier: Apache-2.0 */
/* Part of study/outcome: what flows got, in bits per second of payload. */
#ifndef HEDDLE_STUDY_GOODPUT_H
#define HEDDLE_STUDY_GOODPUT_H

#include "study/outcome.h"

/* By class of the flows that `measure` selects; flows that never finished are left out unless they have no end. */
void goodput_summarise(const struct world_config *w, const struct run_result *r, struct goodput goodput[FLOW_CLASSES]);

#endif
