/* SPDX-License-Identifier: Apache-2.0 */
/* How tables write a number with its unit. */
#ifndef HEDDLE_STUDY_METRICS_NUMBERS_H
#define HEDDLE_STUDY_METRICS_NUMBERS_H

#include "study/metrics/metrics.h"

enum number_style {
    NUMBER_LONG, /* "9.98 ms", "209.1 Mbps", "0.25 %", "0.689" */
    NUMBER_SHORT /* three digits: "9.98 ms", "209 Mbps", "225 KB" */
};

/* Writes a value of a metric of this unit. Returns buf. */
const char *number_text(enum number_style style, enum metric_unit unit, double value, char *buf, size_t size);

#endif
