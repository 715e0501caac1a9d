/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/caveats.h"

#include "study/results/settled.h"

#include <stdbool.h>

struct missing_flows missing_flows_of(const json_t *result) {
    const json_t *all = json_object_get(json_object_get(result, "fct_us"), "all");
    const json_t *flows = json_object_get(result, "flows");
    uint64_t missing = (uint64_t)json_integer_value(json_object_get(all, "unfinished"));
    return (struct missing_flows){missing, missing + (uint64_t)json_integer_value(json_object_get(all, "n")),
                                  (uint64_t)json_integer_value(json_object_get(flows, "not_started"))};
}

void missing_flows_add(struct missing_flows *m, const json_t *result) {
    struct missing_flows one = missing_flows_of(result);
    m->missing += one.missing;
    m->of += one.of;
    m->not_started += one.not_started;
}

const char *missing_flows_text(struct missing_flows m, char *buf, size_t size) {
    int n = 0;
    buf[0] = '\0';
    if (m.missing)
        n = snprintf(buf, size, "%llu of %llu flows had not finished", (unsigned long long)m.missing,
                     (unsigned long long)m.of);
    if (m.not_started && n >= 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, "%s%llu%s had not started", m.missing ? ", " : "",
                 (unsigned long long)m.not_started,
                 m.missing            ? ""
                 : m.not_started == 1 ? " flow"
                                      : " flows");
    return buf;
}

/* Returns whether the run failed: the reason why stands in its failure, and no remedy for lacking times would help. */
static bool has_failed(const json_t *result) { return json_object_get(result, "failure") != NULL; }

static long long number_of(const json_t *result) { return json_integer_value(json_object_get(result, "run")); }

/* Warns of unfinished flows, with the numbers of the run that lacks the largest share. */
static void unfinished_warn(json_t *const *result, size_t n, const char *file, FILE *out) {
    size_t runs = 0, of = 0;
    const json_t *worst = NULL;
    struct missing_flows most = {.of = 1};
    for (size_t i = 0; i < n; i++) {
        struct missing_flows m = missing_flows_of(result[i]);
        m.not_started = 0; /* a warning of its own */
        if (has_failed(result[i])) continue;
        of += result[i] != NULL;
        runs += m.missing > 0;
        if (m.missing == 0 || (double)m.missing / (double)m.of <= (double)most.missing / (double)most.of) continue;
        most = m;
        worst = result[i];
    }
    char text[80];
    if (!worst) return;
    fprintf(out, "%s: warning: flows are missing from the completion times of %zu of %zu run%s: ", file, runs, of,
            of == 1 ? "" : "s");
    fprintf(out, "%s when run %lld ended; end later (run.until), or offer less\n",
            missing_flows_text(most, text, sizeof text), number_of(worst));
}

/* Warns of flows that had not started, with the numbers of the run that lacks most. */
static void not_started_warn(json_t *const *result, size_t n, const char *file, FILE *out) {
    size_t runs = 0, of = 0;
    const json_t *worst = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t missing = missing_flows_of(result[i]).not_started;
        if (!result[i] || has_failed(result[i])) continue;
        of++;
        runs += missing > 0;
        if (missing <= most) continue;
        most = missing;
        worst = result[i];
    }
    if (!worst) return;
    fprintf(out,
            "%s: warning: flows had not started in %zu of %zu run%s: %llu when run %lld ended; end later (run.until)\n",
            file, runs, of, of == 1 ? "" : "s", (unsigned long long)most, number_of(worst));
}

static double open_value(const json_t *result, const char *key) {
    return json_number_value(json_object_get(json_object_get(result, "open_flows"), key));
}

static void unsettled_warn(json_t *const *result, size_t n, const char *file, FILE *out) {
    size_t runs = 0, of = 0;
    const json_t *worst = NULL;
    for (size_t i = 0; i < n; i++) {
        if (has_failed(result[i])) continue;
        of += result[i] != NULL;
        if (!result_is_unsettled(result[i])) continue;
        runs++;
        if (!worst || open_value(result[i], "growth") > open_value(worst, "growth")) worst = result[i];
    }
    if (!worst) return;
    fprintf(out, "%s: warning: %zu of %zu run%s had not settled: open flows grew from %.0f to %.0f", file, runs, of,
            of == 1 ? "" : "s", open_value(worst, "first"), open_value(worst, "last"));
    fprintf(out,
            " over the arrivals that count (run %lld%s); take a window of arrivals (measure.starts), more flows, "
            "or less load\n",
            number_of(worst), runs > 1 ? ", which grew most" : "");
}

void caveats_warn(json_t *const *result, size_t n, const char *file, FILE *out) {
    unfinished_warn(result, n, file, out);
    not_started_warn(result, n, file, out);
    unsettled_warn(result, n, file, out);
}
