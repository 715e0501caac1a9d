/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/claim_lines.h"

#include "study/experiment/settings.h"
#include "study/print/fold.h"

#include <string.h>

static void claim_print(const struct claim_words *w, bool shouts, int width, FILE *out) {
    char place[300], than[300], measured[160], range[140], compared[700], outcome[256], line[2600];
    settings_text(w->place, place, sizeof place);
    settings_text(w->than, than, sizeof than);
    claim_measured_text(w, measured, sizeof measured);
    claim_outcome_text(w, shouts, outcome, sizeof outcome);
    claim_range_text(w, range, sizeof range);
    comparison_text(w->subject, w->against, compared, sizeof compared);
    snprintf(line, sizeof line, "%s%s%s%s%s%s%s%s: %s; %s: %s, claimed %s", w->claim, compared[0] ? ", " : "", compared,
             than[0] ? " less the same at " : "", than, place[0] ? " (" : "", place, place[0] ? ")" : "", outcome,
             w->metric, measured, range);
    fold_print(line, width, 2, 2, out);
}

void claim_lines_print(const struct claim_words *w, size_t n, bool shouts, int width, FILE *out) {
    struct claim_counts counts = {0};
    char text[256] = "claims: ";
    if (n == 0) return;
    for (size_t i = 0; i < n; i++) claim_count(&counts, &w[i]);
    claim_counts_text(&counts, text + strlen(text), sizeof text - strlen(text));
    fputc('\n', out);
    fold_print(text, width, 0, 2, out);
    for (size_t i = 0; i < n; i++) claim_print(&w[i], shouts, width, out);
}
