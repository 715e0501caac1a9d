/* SPDX-License-Identifier: Apache-2.0 */
/* Times in sentences: four digits at most, in the unit that leaves one to three of them before the point. units_print writes
 * what a file reads back, in its shortest exact form, which may be 29167361ns where a reader wants 29.17ms. */
#ifndef HEDDLE_BASE_TIME_TEXT_H
#define HEDDLE_BASE_TIME_TEXT_H

#include "base/types.h"

#define TIME_TEXT_MAX 32

/* Writes a time of at least 0: "29.17ms", "1us", "1899s", "0s". Returns buf, of TIME_TEXT_MAX. */
const char *time_text(time_ps time, char *buf);

#endif
