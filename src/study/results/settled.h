/* SPDX-License-Identifier: Apache-2.0 */
/* Had a run settled? The rule for CLAIMS AM-28.
 *
 * The window of arrivals (measure.from, measure.starts) is parted into 20 equal parts. Through the mean numbers of open
 * flows in them goes a straight line by least squares. The run had not settled if that line climbs over the window
 *   by more than three of its standard errors, enlarged by sqrt((1 + r) / (1 - r)) for the correlation r (0 to 0.9) of
 *   neighbouring parts,
 *   by more than a tenth of the mean number, and by two flows at least.
 * With fewer than 100 arrivals, or no time between the first and the last, nothing can be said.
 *
 * How often it errs, over 60 draws of 2,000 arrivals each at a processor-sharing server, window 20 to 80 %: at loads
 * of 0.6, 0.8 (heavy-tailed sizes) and 0.95 it sees growth in 0, 2 and 3 % of them, at 1.2 and 1.5 in 95 %; of 200
 * arrivals it errs in 2 to 12 % and finds 40 to 48 %.
 */
#ifndef HEDDLE_STUDY_RESULTS_SETTLED_H
#define HEDDLE_STUDY_RESULTS_SETTLED_H

#include "measure/result.h"

#include <jansson.h>

#define SETTLED_ARRIVALS 100

struct settling {
    bool is_known, settled;
    double first, last, mean; /* open flows: in the first and the last fifth of the window, and in all of it */
    double growth;            /* of the line over the window, flows */
};

struct settling settling_of(const struct open_flows *o);

/* Returns true if a --json object says that its run had not settled; false where nothing is known. */
bool result_is_unsettled(const json_t *result);

/* Returns by what factor the number of open flows grew over the window of a --json object whose run had not settled,
 * from its first to its last fifth; 1 of a run that had, or of which nothing is known. */
double result_growth(const json_t *result);

#endif
