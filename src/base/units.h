/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities as people write them, read exactly: 10Gbps, 2us, 250KB, 128KiB, 0.01%.
 *
 * A quantity is a decimal number (1500, 0.5, 1e-6) and a unit of its type (enum param_type), with at most one blank
 * between them. It becomes an int64 in base units. Nothing is rounded: a value finer than a base unit or too large is
 * an error.
 *
 *   time      ps ns us ms s                           picoseconds
 *   bytes     B KB MB GB TB (1000), KiB MiB GiB (1024)
 *   rate      bps Kbps Mbps Gbps Tbps                 bits per second
 *   frequency /s                                  events per 1000 s
 *   fraction  a plain number or %                     parts per thousand million
 *   count     a plain number
 *
 * 0 needs no unit. An error is one line with the remedy. It does not name the key: the caller knows that.
 */
#ifndef HEDDLE_BASE_UNITS_H
#define HEDDLE_BASE_UNITS_H

#include "base/param.h"

/* Buffer size for any value that units_print or param_print writes, except the name of a choice. */
#define UNITS_TEXT_MAX 64

/* Reads a quantity of a numeric type into *value. Returns false after writing the error into `why`. */
bool units_parse(enum param_type type, const char *text, int64_t *value, char *why, size_t size);

/* Writes the shortest form that units_parse reads back as the same value; returns buf. Of two forms of equal length it
 * writes the one without a decimal point. */
const char *units_print(enum param_type type, int64_t value, char *buf, size_t size);

/* Returns a value of at least 0 with four digits, for reading; rounded up to three, for a remedy that a user writes. */
int64_t units_rounded(int64_t value);
int64_t units_rounded_up(int64_t value);

/* Returns the name of unit `i` of a numeric type, smallest first; NULL after the last. "" stands for a plain number. */
const char *units_name(enum param_type type, size_t i);

/* Do the same for a declared parameter: they know choices and booleans too, and param_parse checks the range. */
bool param_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size);
const char *param_print(const struct param *p, int64_t value, char *buf, size_t size);

/* Returns the index of `text` among "a|b|c", or -1. */
int64_t choice_index(const char *choices, const char *text);

#endif
