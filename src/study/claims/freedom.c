/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/freedom.h"

#include "base/memory.h"
#include "study/results/json_out.h"

#include <stdlib.h>
#include <string.h>

static const char *digest_of(const json_t *result) {
    return json_string_value(json_object_get(json_object_get(result, "engine"), "digest"));
}

/* A run with a digest. */
struct seeded {
    char *place; /* settings without the seed, as text */
    const char *digest;
    size_t run; /* index in the experiment */
};

static int by_place(const void *pa, const void *pb) {
    const struct seeded *a = pa, *b = pb;
    int order = strcmp(a->place, b->place);
    if (order) return order;
    return a->run < b->run ? -1 : a->run > b->run;
}

/* Returns the settings of a run without the seed, as text. The caller frees it. */
static char *place_of(const struct experiment *e, size_t run) {
    json_t *settings = json_copy(e->run[run].settings);
    json_object_del(settings, "run.seed");
    char *text = json_text(settings);
    json_decref(settings);
    return text;
}

/* Returns the runs that have a digest, sorted by place; the caller frees them with seeded_free. */
static struct seeded *seeded_list(const struct experiment *e, json_t *const *result, size_t *n) {
    struct seeded *s = memory_get(e->n_runs + 1, sizeof *s);
    *n = 0;
    for (size_t i = 0; i < e->n_runs; i++) {
        const char *digest = result[i] ? digest_of(result[i]) : NULL;
        if (digest) s[(*n)++] = (struct seeded){place_of(e, i), digest, i};
    }
    qsort(s, *n, sizeof *s, by_place);
    return s;
}

static void seeded_free(struct seeded *s, size_t n) {
    for (size_t i = 0; i < n; i++) free(s[i].place);
    free(s);
}

/* Returns the end (one past the last run) of the group that begins at `first`. *same: all its digests are equal. */
static size_t group_end(const struct seeded *s, size_t first, size_t n, bool *same) {
    size_t end = first + 1;
    *same = true;
    for (; end < n && strcmp(s[end].place, s[first].place) == 0; end++)
        *same = *same && strcmp(s[end].digest, s[first].digest) == 0;
    return end;
}

struct freedom freedom_of(const struct experiment *e, json_t *const *result) {
    struct freedom f = {0};
    size_t n;
    struct seeded *s = seeded_list(e, result, &n);
    bool same;
    for (size_t i = 0, end; i < n; i = end) {
        end = group_end(s, i, n, &same);
        if (end - i < 2) continue;
        f.groups++;
        if (same && (f.without++ == 0 || s[i].run < f.first)) f.first = s[i].run;
    }
    seeded_free(s, n);
    return f;
}

bool freedom_is_missing(const struct experiment *e, json_t *const *result, size_t run) {
    size_t n;
    struct seeded *s = seeded_list(e, result, &n);
    bool same, missing = false;
    for (size_t i = 0, end; i < n; i = end) {
        end = group_end(s, i, n, &same);
        for (size_t k = i; k < end; k++) missing = missing || (s[k].run == run && same && end - i > 1);
    }
    seeded_free(s, n);
    return missing;
}

void freedom_warn(const struct experiment *e, json_t *const *result, FILE *out) {
    struct freedom f = freedom_of(e, result);
    if (f.without == 0) return;
    char *where = place_of(e, f.first);
    fprintf(
        out,
        "%s: warning: in %zu of %zu combinations all seeds gave the same run, first in run %u %s: no frames tied and "
        "nothing was drawn, so there is no spread; draw starts (`within`, an open-loop kind) or set host.jitter, or "
        "run one seed\n",
        e->file, f.without, f.groups, e->run[f.first].number, where);
    free(where);
}
