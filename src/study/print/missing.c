/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/missing.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/experiment/settings.h"

#include <stdio.h>
#include <stdlib.h>

#define VALUES_SHOWN 12

/* A value of an axis, and how many runs have it. */
struct value {
    const json_t *value;
    size_t n, n_missing;
};

static struct value *values_count(const struct sweep_run *run, size_t n, const char *key, size_t *n_values) {
    struct value *v = NULL;
    *n_values = 0;
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_object_get(run[i].settings, key);
        size_t at = 0;
        if (!value) continue; /* a run of another sweep */
        while (at < *n_values && !json_equal(v[at].value, value)) at++;
        if (at == *n_values) {
            v = memory_grow(v, *n_values + 1, sizeof *v);
            v[(*n_values)++] = (struct value){.value = value};
        }
        v[at].n++;
        v[at].n_missing += !run[i].done;
    }
    return v;
}

static void axis_print(const struct sweep_run *run, size_t n, const char *key, FILE *out) {
    size_t n_values, n_shown = 0, n_more = 0;
    struct value *v = values_count(run, n, key, &n_values);
    if (n_values > 1) fprintf(out, "  %s:", key);
    for (size_t i = 0; i < n_values && n_values > 1; i++) {
        char text[128];
        if (v[i].n_missing == 0) continue;
        if (n_shown == VALUES_SHOWN) {
            n_more++;
            continue;
        }
        setting_text(v[i].value, text, sizeof text);
        fprintf(out, "%s %s (", n_shown++ ? "," : "", text);
        if (v[i].n_missing == v[i].n)
            fprintf(out, "all)");
        else
            fprintf(out, "%zu of %zu)", v[i].n_missing, v[i].n);
    }
    if (n_more) fprintf(out, " and %zu more values", n_more);
    if (n_values > 1) fprintf(out, "\n");
    free(v);
}

char *missing_text(const struct sweep_run *run, size_t n) {
    char *text = NULL;
    size_t size, n_done = 0;
    const char *key;
    json_t *value;
    FILE *out = text_stream(&text, &size);
    for (size_t i = 0; i < n; i++) n_done += run[i].done;
    if (n_done < n) {
        fprintf(out, "%zu of %zu runs are done%s\n", n_done, n, n > 1 ? "; missing:" : "");
        json_object_foreach((json_t *)run[0].settings, key, value) axis_print(run, n, key, out);
    }
    text_stream_end(out, &text);
    return text;
}
