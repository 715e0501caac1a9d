/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities as people write them, read exactly: 10Gbps, 2us, 250KB, 128KiB, 0.01%.
 *
 * A quantity is a decimal number (1500, 0.5, 1e-6) and the unit of its type (enum param_type), without or with one
 * blank between; it becomes an int64 in base units. Nothing is rounded: what is finer than a base unit or too large is
 * an error.
 *
 *   time      ps ns us ms s                           picoseconds
 *   bytes     B KB MB GB TB (1000), KiB MiB GiB (1024)
 *   rate      bps Kbps Mbps Gbps Tbps                 bits per second
 *   frequency /s                                  events per 1000 s
 *   fraction  a plain number or %                     parts per thousand million
 *   count     a plain number
 *
 * 0 needs no unit. Errors are one line with the remedy, without the name of the key, which the caller knows.
 */
#ifndef HEDDLE_BASE_UNITS_H
#define HEDDLE_BASE_UNITS_H

#include "base/param.h"

/* Enough for any value units_print or param_print writes, choices aside. */
#define UNITS_TEXT_MAX 64

/* Reads a quantity of a numeric type into *value, or returns false after writing into `why`. */
bool units_parse(enum param_type type, const char *text, int64_t *value, char *why, size_t size);

/* The shortest form that units_parse reads back as the same value; returns buf. Equal lengths: without a point. */
const char *units_print(enum param_type type, int64_t value, char *buf, size_t size);

/* Returns the name of unit `i` of a numeric type, smallest first; NULL after the last. "": a plain number will do. */
const char *units_name(enum param_type type, size_t i);

/* The same for a declared parameter: choices and booleans too, and the range is checked. */
bool param_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size);
const char *param_print(const struct param *p, int64_t value, char *buf, size_t size);

/* The number of `text` among "a|b|c", or -1. */
int64_t choice_index(const char *choices, const char *text);

#endif
