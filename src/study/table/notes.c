/* SPDX-License-Identifier: Apache-2.0 */
/* What a table is about, and the sentences that explain its columns. */
#include "study/table/table.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Returns whether the table has a column whose path begins with `prefix`, and has the key `key` unless that is NULL. */
static bool has(const struct metric_columns *c, const char *prefix, const char *key) {
    char part[64];
    snprintf(part, sizeof part, ".%s.", key ? key : "");
    for (size_t i = 0; i < c->n; i++) {
        if (strncmp(c->of[i].path, prefix, strlen(prefix)) != 0) continue;
        char path[COLUMN_PATH_MAX + 1];
        snprintf(path, sizeof path, "%s.", c->of[i].path);
        if (!key || strstr(path, part)) return true;
    }
    return false;
}

const char *table_subject(const struct table *t) {
    static const char *const subjects[][2] = {{"job.", "job completion times"},
                                              {"queries.", "query completion times"},
                                              {"fct_us.", "flow completion times"},
                                              {"goodput_", "goodput"}};
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (has(&t->columns, subjects[i][0], NULL)) return subjects[i][1];
    }
    return "results";
}

/* ---- notes ---- */

/* A sentence for the columns whose path begins with `prefix` and has the key `key` (NULL: any). */
static const struct note {
    const char *prefix, *key, *text;
} notes[] = {
    {"job.", "jct_us", "JCT is the completion time of an iteration of a job."},
    {"job.", "slowdown", "A job's slowdown is its JCT over the least that is possible."},
    {"job.", "busbw_gbps",
     "Busbw is the bus bandwidth: the share of a rank's buffer that must cross its link, over the JCT."},
    {"job.", "exposed_us",
     "Exposed is the time of an iteration in which a rank does not compute, the mean over ranks."},
    {"slowdown.", NULL, "Slowdown is the completion time over the least that is possible."},
    {"goodput_mbps.", "mean", "Goodput is the payload of a flow over the time that it was open."},
    {"goodput_gbps.", NULL, "Host goodput is the payload that a host receives over time."},
    {"goodput_", "jain", "Jain's index is 1 where all have the same goodput."},
    {"buffers_bytes.", "max", "Fullest buffer is the most bytes in one switch, its ingress queues included."},
    {"fairness.", "jain_mean", "Jain mean is Jain's index over the intervals of measure.jain; 1 is fair."},
};

/* Prints "Times are flow completion times; mice are under 100 KB, elephants over 1 MB.", as far as the columns need
 * it. */
static void times_print(const struct metric_columns *c, FILE *out) {
    bool flows = has(c, "fct_us.", NULL), queries = has(c, "queries.", NULL);
    bool mice = has(c, "", "mice"), elephants = has(c, "", "elephant");
    const char *sizes = mice && elephants ? "mice are under 100 KB, elephants over 1 MB"
                        : mice            ? "mice are under 100 KB"
                        : elephants       ? "elephants are over 1 MB"
                                          : NULL;
    if (flows && queries)
        fprintf(out,
                "Times are flow completion times, from the start of the flow, and query completion times, from the "
                "first request%s",
                sizes ? "; " : "");
    else if (flows || queries)
        fprintf(out, "Times are %s completion times%s", flows ? "flow" : "query", sizes ? "; " : "");
    else if (sizes)
        fprintf(out, "Flow sizes: ");
    if (flows || queries || sizes) fprintf(out, "%s.", sizes ? sizes : "");
}

char *table_notes(const struct metric_columns *c) {
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    times_print(c, out);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (has(c, notes[i].prefix, notes[i].key)) fprintf(out, "%s%s", ftell(out) > 0 ? " " : "", notes[i].text);
    }
    text_stream_end(out, &text);
    return text;
}
