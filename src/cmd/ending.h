/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that serve until SIGTERM, SIGINT or SIGHUP asks them to end. */
#ifndef HEDDLE_CMD_ENDING_H
#define HEDDLE_CMD_ENDING_H

#include "base/types.h"

/* From now on these signals no longer end the process; they interrupt its waits. SIGHUP stays ignored if it is (nohup). */
void ending_await(void);
/* Returns whether one of them has come. */
bool ending_is_asked(void);

#endif
