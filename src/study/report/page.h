/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report`: one or several results stores as one HTML file that needs nothing else.
 *
 * Whatever is large is aggregated here and only what is drawn goes into the page, so that its size depends on the
 * number of runs and not on that of flows: under 5 MB for a store of a million flows. The page is our own HTML, CSS and
 * JavaScript (study/report/web, base/web) and uPlot (third_party/uplot), built into the program, and the data as JSON.
 *
 *   page.c        the file: template, escaping, all or nothing
 *   page_data.c   experiments, runs, claims; how many runs get their details
 *   points.c      runs that differ in their seed only belong together: a point
 *   cdfs.c        distributions of a point: flows, queries, queues, pauses, imbalance; slowdown by flow size
 *   series.c      what happened over time in one run
 *   topology.c    the fabric of a run and what its ports carried; which links failed
 *   slowest.c     the slowest flows of a run, and where they went
 *   pack.c        numbers in few bytes
 */
#ifndef HEDDLE_STUDY_REPORT_PAGE_H
#define HEDDLE_STUDY_REPORT_PAGE_H

#include "base/diag.h"

#include <jansson.h>

struct report_page_options {
    const char *version; /* of the program */
    bool variants;       /* runs of other settings too (store_reader_show_variants) */
    bool force;          /* `out` is replaced though it is no page of ours */
};

/* Writes the page of `n` stores to `out`; what was there before is replaced only by a whole page, and only if it is an
 * earlier page (base/output_file.h). False after filling *d. */
bool report_page(const char *const *stores, size_t n, const char *out, const struct report_page_options *o,
                 struct diag *d);

/* The data of the page alone (tests). NULL after filling *d. */
json_t *report_page_data(const char *const *stores, size_t n, const struct report_page_options *o, struct diag *d);

#endif
