/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/run_warnings.h"

#include "base/text.h"
#include "study/results/pauses.h"
#include "study/results/queue_bounds.h"
#include "study/results/rounds.h"

#include <stdlib.h>
#include <string.h>

/* Each writes lines that begin with "FILE: warning: run N: ", or nothing. */
static void (*const warn_of[RUN_WARNING_KINDS])(const struct outcome *o, const char *file, uint32_t run, FILE *out) = {
    pauses_warn_storms, pauses_warn_rings, rounds_warn, queue_bounds_warn};

void run_warnings_add(struct run_warnings *w, const struct outcome *o, const char *file, uint32_t run) {
    for (size_t i = 0; i < RUN_WARNING_KINDS; i++) {
        struct run_warning *k = &w->kind[i];
        char *lines = NULL;
        size_t size = 0;
        FILE *out = text_stream(&lines, &size);
        warn_of[i](o, file, run, out);
        text_stream_end(out, &lines);
        bool is_first = size > 0 && (k->n_runs == 0 || run < k->run);
        k->n_runs += size > 0;
        if (is_first) {
            free(k->lines);
            k->lines = lines;
            k->run = run;
        } else {
            free(lines);
        }
    }
}

/* Prints the lines of a kind. Where other runs deserve it too, "run 3: " becomes "11 runs, as run 3: ". */
static void kind_print(const struct run_warning *k, const char *file, FILE *out) {
    char *begin = text_format("%s: warning: ", file);
    size_t length = strlen(begin);
    for (const char *line = k->lines, *end; (end = strchr(line, '\n')); line = end + 1) {
        if (k->n_runs > 1 && strncmp(line, begin, length) == 0)
            fprintf(out, "%s%u runs, as %.*s\n", begin, k->n_runs, (int)(end - line - (ptrdiff_t)length),
                    line + length);
        else
            fprintf(out, "%.*s\n", (int)(end - line), line);
    }
    free(begin);
}

void run_warnings_print(struct run_warnings *w, const char *file, FILE *out) {
    for (struct run_warning *k = w->kind; k < w->kind + RUN_WARNING_KINDS; k++) {
        if (k->lines) kind_print(k, file, out);
        free(k->lines);
        *k = (struct run_warning){0};
    }
}
