/* SPDX-License-Identifier: Apache-2.0 */
/* The choices of the `figure` block, which its keys (schema_figure.c) and its reader (study/experiment/figure.c)
 * share. */
#ifndef HEDDLE_STUDY_CONFIG_FIGURE_CHOICES_H
#define HEDDLE_STUDY_CONFIG_FIGURE_CHOICES_H

#include "base/param.h"

/* clang-format off */
#define FIGURE_KINDS(X) \
    X(FIGURE_LINES, "lines") X(FIGURE_BARS, "bars") X(FIGURE_CDF, "cdf") X(FIGURE_CCDF, "ccdf") \
    X(FIGURE_RANK, "rank") X(FIGURE_TIME, "time") X(FIGURE_TABLE, "table")
#define FIGURE_BANDS(X) X(BAND_AUTO, "auto") X(BAND_NONE, "none") X(BAND_INTERVAL, "interval") X(BAND_RANGE, "range")
#define FIGURE_COMPARISONS(X) \
    X(AS_RATIO, "ratio") X(AS_CHANGE, "change") X(AS_REDUCTION, "reduction") X(AS_DIFFERENCE, "difference")
/* clang-format on */
enum figure_band { FIGURE_BANDS(PARAM_ENUM) };
enum figure_kind { FIGURE_KINDS(PARAM_ENUM) };
enum figure_as { FIGURE_COMPARISONS(PARAM_ENUM) AS_VALUE }; /* AS_VALUE: compared with nothing */

#endif
