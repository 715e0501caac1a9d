/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report`: one or several results stores as one HTML file that needs no other file.
 *
 * Large tables are aggregated here, and the page gets only what it draws. Its size depends on the number of runs, not
 * on the number of flows: under 5 MB for a store of a million flows. The page consists of our HTML, CSS and JavaScript
 * (study/report/web, base/web) and uPlot (third_party/uplot), which are built into the program, and of the data as
 * JSON.
 *
 *  page.c        the file: template, escaping, written whole or not at all
 *  page_data.c   experiments, runs, claims; the number of runs with details
 *  page_table.c  the table of results of the summary
 *  cdfs.c        distributions of a point: flows, queries, queues, pauses, imbalance; slowdown by flow size
 *  series.c      one run over time
 *  topology.c    the fabric of a run, the load of its ports, its failed links
 *  slowest.c     the slowest flows of a run, and their paths
 *  pack.c        compact numbers
 */
#ifndef HEDDLE_STUDY_REPORT_PAGE_H
#define HEDDLE_STUDY_REPORT_PAGE_H

#include "study/experiment/table_wish.h"

#include <jansson.h>

struct report_page_options {
    const char *version;           /* of the program */
    bool variants;                 /* shows runs of other settings too (store_reader_show_variants) */
    bool force;                    /* replaces `out` even if it is no page of heddle */
    const struct table_wish *wish; /* what the command line asks of the summary's tables; NULL: nothing */
};

/* Writes the page of `n` stores to `out`. An existing file is replaced by a whole page only, and only if it is an
 * earlier page (base/output_file.h). Returns false after filling *d. */
bool report_page(const char *const *stores, size_t n, const char *out, const struct report_page_options *o,
                 struct diag *d);

/* Returns the data of the page without the page, for tests. NULL after filling *d. */
json_t *report_page_data(const char *const *stores, size_t n, const struct report_page_options *o, struct diag *d);

#endif
