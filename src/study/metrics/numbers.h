/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people read them: in tables, texts, claims and names of rows. There is no exponent, and thousands are
 * grouped from 10,000 on: "16,820". The page writes the same in JavaScript (base/web/base.js). */
#ifndef HEDDLE_STUDY_METRICS_NUMBERS_H
#define HEDDLE_STUDY_METRICS_NUMBERS_H

#include "study/metrics/metrics.h"

#define NUMBER_TEXT_MAX 48

/* Writes a plain number with so many significant digits, but all digits of its whole part: "16,820", "0.0123", "-3.5".
 * Returns buf. */
const char *number_plain(double value, int digits, char *buf, size_t size);

/* Writes a value of a metric of this unit with three significant digits: "9.98 ms", "209 Mbps", "225 KB", "0.25 %",
 * "0.689"; counts up to 99,999 with all digits of their whole part. Returns buf. */
const char *number_text(enum metric_unit unit, double value, char *buf, size_t size);

#endif
