/* SPDX-License-Identifier: Apache-2.0 */
#include "study/metrics/phase_forms.h"

#include "base/text.h"
#include "study/config/markdown.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "phases.PHASE."

/* Beginnings of paths, the more special ones first, and why these metrics are of the whole run alone. */
static const struct {
    const char *path, *why;
} reason[] = {
    {"packets.", "it is known when a run or a flow ends"},
    {"counters.timeouts_spurious", "whether a timeout was in vain is known later"},
    {"counters.", "the mechanism counts over the whole run"},
    {"credits.in_flight", "it is known when a run or a flow ends"},
    {"credits.wasted_per_flow.", "a flow's count is of its whole life"},
    {"credits.unfilled_bytes_per_flow.", "a flow's count is of its whole life"},
    {"credits.", "the bound is one of the whole run"},
    {"queues_bytes.by_tier.", "the bound is one of the whole run"},
    {"pauses.", "pauses reach over the edges of phases, and are listed for the whole run"},
    {"imbalance.", "light intervals are counted for the whole run"},
    {"fairness.", "the length of intervals is the same in all phases"},
    {"convergence_us.", "it is of joins and leaves, which are phases of their own"},
    {"goodput_gbps.variation.", "it is of intervals with a period of their own (measure.goodput)"},
    {"goodput_mbps.", "a flow's goodput is over its own time; phases have its FCT, and goodput_gbps of hosts"},
    {"links.watch.n", "the watched links are the same in all phases"},
    {"links.watch.data_", "phases have the watched links with credits"},
    {"fct_us.", "phases have all flows that start in them, by class"},
    {"slowdown.", "phases have all flows that start in them, by class"},
    {"handshake_us.", "phases have all flows that start in them, by class"},
    {"data_us.", "phases have all flows that start in them, by class"},
    {"unwindowed.", "a phase has all flows that start in it, whatever measure.from and measure.starts leave out"},
    {"flows.", "phases have the number of flows that start in them (fct_us.all.n, fct_us.all.unfinished)"},
    {"queries.", "parts of queries and their timeouts are of the whole run"},
    {"reorder.", "a flow's largest degree is of its whole life"},
    {"jobs", "its iterations are its phases"},
    {"job.", "its iterations are its phases"},
    {"open_flows.", "it compares parts of the window of arrivals"},
    {"trend.", "it compares halves of the window of arrivals"},
    {"averages.", "phases have from_us and to_us"},
    {"memory.", "it is of the program"},
    {"engine.", "it is of the program"},
};

#define N_REASONS (sizeof reason / sizeof *reason)

const char *phase_form(const struct metric *row) {
    const char *rest = row->path + strlen(PREFIX);
    if (strncmp(row->path, PREFIX, strlen(PREFIX)) != 0) return NULL;
    return strcmp(rest, "from_us") != 0 && strcmp(rest, "to_us") != 0 ? rest : NULL;
}

const char *phase_form_missing(const char *path) {
    for (size_t i = 0; i < N_REASONS; i++)
        if (strncmp(path, reason[i].path, strlen(reason[i].path)) == 0) return reason[i].why;
    return NULL;
}

static void forms_print(FILE *out) {
    size_t n;
    const struct metric *const *row = metrics(&n);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const char *form = phase_form(row[i]);
        if (form) fprintf(out, "%s `%s`", any ? "," : "", form);
        any |= form != NULL;
    }
}

static void reasons_print(FILE *out) {
    static const char *const heads[] = {"other keys that begin with", "are of the whole run because"};
    struct markdown_table t;
    markdown_begin(&t, out, heads, 2);
    for (size_t i = 0; i < N_REASONS; i++) {
        char *path = text_format("`%s`", reason[i].path);
        markdown_row(&t, (const char *const[]){path, reason[i].why});
        free(path);
    }
    markdown_end(&t);
}

void phase_forms_print(FILE *out) {
    fprintf(out, "\n## Metrics of phases\n\n"
                 "These keys have a form for each phase of `measure.phases`, `" PREFIX "` before the key:");
    forms_print(out);
    fprintf(out,
            ".\n\nAll others are of the whole run; averages are those from `measure.from` to `measure.until`.\n\n");
    reasons_print(out);
}
