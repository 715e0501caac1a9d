/* SPDX-License-Identifier: Apache-2.0 */
/* The rule whether a run had settled (AM-28).
 *
 * The window of arrivals (measure.from, measure.starts) has 20 equal parts. A straight line is fitted by least squares
 * to the mean numbers of open flows in them. The run had not settled if that line climbs over the window
 *   by more than three of its standard errors, enlarged by sqrt((1 + r) / (1 - r)) for the correlation r (0 to 0.9) of
 *   neighbouring parts,
 *   by more than a tenth of the mean number, and by two flows at least.
 * With fewer than 100 arrivals, or no time between the first and the last, the rule does not apply.
 *
 * Error rates, over 60 draws of 2,000 arrivals each at a processor-sharing server, window 20 to 80 %: at loads of 0.6,
 * 0.8 (heavy-tailed sizes) and 0.95 the rule sees growth in 0, 2 and 3 % of the draws, at 1.2 and 1.5 in 95 %. With 200
 * arrivals it sees growth that is not there in 2 to 12 %, and finds growth that is there in 40 to 48 %.
 */
#ifndef HEDDLE_STUDY_RESULTS_SETTLED_H
#define HEDDLE_STUDY_RESULTS_SETTLED_H

#include "measure/result.h"

#include <jansson.h>

#define SETTLED_ARRIVALS 100

struct settling {
    bool is_known, settled;   /* is_known: the rule applies, and the other fields count */
    double first, last, mean; /* mean open flows: in the first and the last fifth of the window, and in all of it */
    double growth;            /* climb of the line over the window, flows */
};

/* Returns the verdict of the rule for the open flows of a run. */
struct settling settling_of(const struct open_flows *o);

/* Returns true if a --json object says that its run had not settled; false if the rule did not apply. */
bool result_is_unsettled(const json_t *result);

/* Returns the factor by which a metric may grow if the run went on, for a --json object whose run had not settled. 1 for a
 * run that had, or if the rule did not apply. A metric that has a trend (`trend.METRIC`: its value over the second half of
 * the window over that of the first) has that factor: that open flows become more need not make them longer. Another may
 * grow as the number of open flows did from the first to the last fifth of the window. */
double result_growth(const json_t *result, const char *metric);

#endif
