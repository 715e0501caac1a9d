/* SPDX-License-Identifier: Apache-2.0 */
/* heddle check --lab: what this machine can do for labs, and for those of one run of an experiment. */
#ifndef HEDDLE_CMD_CHECK_LAB_H
#define HEDDLE_CMD_CHECK_LAB_H

#include "sim/world.h"

enum { CHECK_LAB_GOOD = 0, CHECK_LAB_LACKS = 1 };

/* Prints a line for each row of live/lab/machine.h, or one JSON object. w: the network of a run, whose needs count too;
 * NULL: none. Returns the exit status: CHECK_LAB_LACKS if something that is needed is missing. */
int check_lab(const struct world_config *w, bool json);

#endif
