/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool diag_fail(struct diag *d, const char *file, int line, int col, const char *fmt, ...) {
    snprintf(d->file, sizeof d->file, "%s", file ? file : "");
    d->line = line;
    d->col = col;
    va_list args;
    va_start(args, fmt);
    vsnprintf(d->text, sizeof d->text, fmt, args);
    va_end(args);
    return false;
}

bool diag_fail_in(struct diag *d, const char *file, const char *fmt, ...) {
    *d = (struct diag){0};
    snprintf(d->file, sizeof d->file, "%s", file ? file : "");
    va_list args;
    va_start(args, fmt);
    vsnprintf(d->text, sizeof d->text, fmt, args);
    va_end(args);
    return false;
}

bool diag_say(struct diag *d, const char *fmt, ...) {
    *d = (struct diag){0};
    va_list args;
    va_start(args, fmt);
    vsnprintf(d->text, sizeof d->text, fmt, args);
    va_end(args);
    return false;
}

static const char *line_write(const struct diag *d, const char *severity, char *buf, size_t size) {
    char place[sizeof d->file + 32] = "";
    if (d->file[0] && d->line > 0 && d->col > 0) {
        snprintf(place, sizeof place, "%s:%d:%d: ", d->file, d->line, d->col);
    } else if (d->file[0] && d->line > 0) {
        snprintf(place, sizeof place, "%s:%d: ", d->file, d->line);
    } else if (d->file[0]) {
        snprintf(place, sizeof place, "%s: ", d->file);
    }
    snprintf(buf, size, "%s%s: %s", place, severity, d->text);
    return text_clean(buf);
}

const char *diag_line(const struct diag *d, char *buf, size_t size) { return line_write(d, "error", buf, size); }
const char *diag_warning(const struct diag *d, char *buf, size_t size) { return line_write(d, "warning", buf, size); }

#define WORD_MAX 64

/* Returns the edit distance, in which an exchange of two adjacent letters is one edit (optimal string alignment). */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
    size_t row[3][WORD_MAX + 1];
    size_t *before = row[0], *above = row[1], *here = row[2];
    for (size_t j = 0; j <= m; j++) above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        here[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (here[j - 1] + 1 < best) best = here[j - 1] + 1;
            bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            here[j] = best;
        }
        size_t *spare = before;
        before = above;
        above = here;
        here = spare;
    }
    return above[m];
}

/* Returns the shortest known word that begins with a word of three letters and more; NULL if none does. */
static const char *longer(const char *word, size_t length, const char *const *known, size_t n) {
    const char *shortest = NULL;
    for (size_t i = 0; i < n && length >= 3; i++) {
        bool begins = strncmp(known[i], word, length) == 0;
        if (begins && (!shortest || strlen(known[i]) < strlen(shortest))) shortest = known[i];
    }
    return shortest;
}

const char *diag_nearest(const char *word, const char *const *known, size_t n) {
    size_t length = strnlen(word, WORD_MAX + 1);
    if (length > WORD_MAX) return NULL;
    const char *nearest = NULL;
    size_t least = 1 + (length + 2) / 3; /* near: at most (length + 2) / 3 edits, one in three letters */
    for (size_t i = 0; i < n; i++) {
        size_t m = strnlen(known[i], WORD_MAX + 1);
        if (m > WORD_MAX) continue;
        size_t distance = edit_distance(word, length, known[i], m);
        bool nothing_in_common = distance >= (length > m ? length : m);
        if (distance < least && !nothing_in_common) {
            least = distance;
            nearest = known[i];
        }
    }
    return nearest ? nearest : longer(word, length, known, n);
}

#define NAMES_MORE 32 /* characters of ", ... (4294967295 more)" */

const char *diag_names(const char *const *name, size_t n, char *buf, size_t size) {
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (used + strlen(name[i]) + 2 + NAMES_MORE > size) {
            snprintf(buf + used, size - used, ", ... (%zu more)", n - i);
            break;
        }
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", name[i]);
    }
    return buf;
}
