/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that serve until SIGTERM or SIGINT asks them to end. */
#ifndef HEDDLE_CMD_ENDING_H
#define HEDDLE_CMD_ENDING_H

#include "base/types.h"

/* From now on SIGTERM and SIGINT no longer end the process; they interrupt its waits. */
void ending_await(void);
/* Returns whether one of them has come. */
bool ending_is_asked(void);

#endif
