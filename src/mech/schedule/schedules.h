/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules, a row each, in the order in which they are listed. schedules.c makes the table of them.
 *
 * The rows stand apart from the interface (schedule.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_SCHEDULE_SCHEDULES_H
#define HEDDLE_SCHEDULE_SCHEDULES_H

#include "mech/schedule/schedule.h"

#define SCHEDULES(ROW)                                                                                                 \
    ROW(fifo)                                                                                                          \
    ROW(strict)                                                                                                        \
    ROW(drr)

#define SCHEDULE_DECLARE(id) extern const struct schedule_ops schedule_##id;
SCHEDULES(SCHEDULE_DECLARE)

#endif
