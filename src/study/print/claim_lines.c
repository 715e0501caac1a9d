/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/claim_lines.h"

#include "base/memory.h"
#include "study/experiment/settings.h"
#include "study/print/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_LEAST 4 /* places of one outcome that share a line */

/* An outcome in words. */
struct line {
    char what[1200];   /* "DT-F3.1, host.min_rto 10ms against host.min_rto 1ms" */
    char outcome[256]; /* "holds, as recorded" */
    char claimed[400]; /* "queries.sets.all.p99, at most 0%" */
    size_t n_places;   /* of this claim: outcomes with the same words but the outcome's */
    size_t n_alike;    /* of those, outcomes with the same outcome */
    bool is_told;      /* by the line of another */
};

static void line_make(const struct claim_words *w, bool shouts, struct line *l) {
    char than[300], compared[700], range[140];
    settings_text(w->than, than, sizeof than);
    comparison_text(w->subject, w->against, compared, sizeof compared);
    claim_range_text(w, range, sizeof range);
    snprintf(l->what, sizeof l->what, "%s%s%s%s%s", w->claim, compared[0] ? ", " : "", compared,
             than[0] ? " less the same at " : "", than);
    snprintf(l->claimed, sizeof l->claimed, "%s, %s", w->metric, range);
    claim_outcome_text(w, shouts, l->outcome, sizeof l->outcome);
}

static bool is_same_claim(const struct line *a, const struct line *b) {
    return strcmp(a->what, b->what) == 0 && strcmp(a->claimed, b->claimed) == 0;
}

static bool is_alike(const struct line *a, const struct line *b) {
    return is_same_claim(a, b) && strcmp(a->outcome, b->outcome) == 0;
}

static void places_count(struct line *line, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            line[i].n_places += is_same_claim(&line[i], &line[k]);
            line[i].n_alike += is_alike(&line[i], &line[k]);
        }
    }
}

/* Returns whether the places of this outcome share a line. A claim that does not hold, or came out otherwise than it was recorded,
 * names each place, unless it is every one. */
static bool shares_line(const struct claim_words *w, const struct line *l) {
    bool tells_place = verdict_sign(w->verdict) < 0 || w->is_news;
    return l->n_alike >= PLACES_LEAST && (!tells_place || l->n_alike == l->n_places);
}

/* ---- one place ---- */

static void claim_print(const struct claim_words *w, const struct line *l, int width, FILE *out) {
    char place[300], measured[160], range[140], text[2600];
    settings_text(w->place, place, sizeof place);
    claim_measured_text(w, measured, sizeof measured);
    claim_range_text(w, range, sizeof range);
    snprintf(text, sizeof text, "%s%s%s%s: %s; %s: %s, claimed %s", l->what, place[0] ? " (" : "", place,
             place[0] ? ")" : "", l->outcome, w->metric, measured, range);
    fold_print(text, width, 2, 2, out);
}

/* ---- several places ---- */

/* Writes "fabric.hosts 8, 16, 24; host.newreno.initial_window 3, 10". */
static void axes_text(const json_t *axes, char *buf, size_t size) {
    const char *key;
    json_t *list;
    size_t used = 0;
    json_object_foreach((json_t *)axes, key, list) {
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "; " : "", key);
        for (size_t i = 0; i < json_array_size(list) && used < size; i++) {
            char text[128];
            setting_text(json_array_get(list, i), text, sizeof text);
            used += (size_t)snprintf(buf + used, size - used, "%s %s", i ? "," : "", text);
        }
        if (used >= size) return;
    }
}

/* Writes the least and the largest of measured figures: "0", "-24.2% to -13.1%". */
static void range_measured(const struct claim_words *w, double low, double high, char *buf, size_t size) {
    char least[64], most[64];
    claim_number_text(w, low, least, sizeof least);
    claim_number_text(w, high, most, sizeof most);
    snprintf(buf, size, strcmp(least, most) == 0 ? "%s" : "%s to %s", least, most);
}

/* Prints the line of all outcomes that are like the one at `first`. */
static void places_print(const struct claim_words *w, struct line *line, size_t n, size_t first, int width, FILE *out) {
    const struct line *l = &line[first];
    double low = NAN, high = NAN;
    char places[900] = "", measured[140], range[140], number[48] = "all", text[3200];
    json_t *axes = json_object();
    for (size_t i = first; i < n; i++) {
        if (!is_alike(l, &line[i])) continue;
        double value = claim_shown(&w[i]).value;
        low = fmin(low, value);
        high = fmax(high, value);
        if (w[i].place) settings_axes_add(axes, w[i].place);
        line[i].is_told = true;
    }
    axes_text(axes, places, sizeof places);
    range_measured(&w[first], low, high, measured, sizeof measured);
    claim_range_text(&w[first], range, sizeof range);
    if (l->n_alike < l->n_places) snprintf(number, sizeof number, "%zu of", l->n_alike);
    snprintf(text, sizeof text, "%s, at %s %zu places (%s): %s; %s: %s, claimed %s", l->what, number, l->n_places,
             places, l->outcome, w[first].metric, measured, range);
    fold_print(text, width, 2, 2, out);
    json_decref(axes);
}

/* ---- all ---- */

static void counts_print(const struct claim_words *w, size_t n, bool is_short, int width, FILE *out) {
    struct claim_counts counts = {0};
    char text[320] = "claims: ";
    for (size_t i = 0; i < n; i++) claim_count(&counts, &w[i]);
    claim_counts_text(&counts, text + strlen(text), sizeof text - strlen(text));
    size_t used = strlen(text);
    if (is_short) snprintf(text + used, sizeof text - used, " (the page lists each place)");
    fputc('\n', out);
    fold_print(text, width, 0, 2, out);
}

void claim_lines_print(const struct claim_words *w, size_t n, bool shouts, int width, FILE *out) {
    struct line *line = memory_get(n + 1, sizeof *line);
    bool is_short = false;
    for (size_t i = 0; i < n; i++) line_make(&w[i], shouts, &line[i]);
    places_count(line, n);
    for (size_t i = 0; i < n; i++) is_short = is_short || shares_line(&w[i], &line[i]);
    if (n) counts_print(w, n, is_short, width, out);
    for (size_t i = 0; i < n; i++) {
        if (line[i].is_told) continue;
        if (shares_line(&w[i], &line[i]))
            places_print(w, line, n, i, width, out);
        else
            claim_print(&w[i], &line[i], width, out);
    }
    free(line);
}
