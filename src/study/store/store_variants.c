/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store_reader.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the run's command line as "KEY=VALUE KEY=VALUE". The caller frees it. */
static char *variant_text(const struct run_row *x) {
    char *text = NULL;
    size_t size, n = json_array_size(x->set);
    FILE *out = text_stream(&text, &size);
    if (!x->set) fputs("not remembered", out);
    if (x->set && n == 0) fputs("as written", out);
    for (size_t i = 0; i < n; i++) {
        const char *set = json_string_value(json_array_get(x->set, i));
        fprintf(out, "%s%s", i ? " " : "", set ? set : "?");
    }
    text_stream_end(out, &text);
    return text;
}

static bool is_hidden(const struct run_row *x) { return x->number == 0 && x->status == RUN_DONE; }

/* Returns true if an earlier run has the same settings and the same `variant`. */
static bool is_taken(const struct store_reader *r, size_t run) {
    for (size_t i = 0; i < run; i++) {
        const struct run_row *x = &r->run[i];
        if (x->experiment == r->run[run].experiment && x->number && json_equal(x->settings, r->run[run].settings))
            return true;
    }
    return false;
}

static void variant_set(struct store_reader *r, size_t run) {
    struct run_row *x = &r->run[run];
    char *text = variant_text(x), *longer;
    json_object_set_new(x->settings, "variant", json_string(text));
    if (is_taken(r, run)) {
        longer = text_format("%s (%.8s)", text, x->identity);
        json_object_set_new(x->settings, "variant", json_string(longer));
        free(longer);
    }
    free(text);
}

static void experiment_show(struct store_reader *r, size_t experiment) {
    uint32_t last = 0;
    size_t hidden = 0;
    for (size_t i = 0; i < r->n_runs; i++) {
        if (r->run[i].experiment != experiment) continue;
        hidden += is_hidden(&r->run[i]);
        if (r->run[i].number > last) last = r->run[i].number;
    }
    for (size_t i = 0; hidden && i < r->n_runs; i++) {
        if (r->run[i].experiment != experiment) continue;
        if (is_hidden(&r->run[i])) r->run[i].number = ++last;
        if (r->run[i].number) variant_set(r, i);
    }
}

void store_reader_show_variants(struct store_reader *r) {
    for (size_t i = 0; i < r->n_experiments; i++) experiment_show(r, i);
}
