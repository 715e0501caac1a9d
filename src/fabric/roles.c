/* SPDX-License-Identifier: Apache-2.0 */
/* The line that tells which roles the reader of a fabric file has inferred, by name.
 *
 * A server with two links is no host unless the file says so, and a transit router with one link is one: whoever wrote the file
 * must see it.
 * Names that count up, such as h1, h2, h3, are written h1 to h3.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fabric/fabric_build.h"
#include "fabric/file_lists.h"

#define NAMES_MAX 40 /* names or ranges of one role; the rest is a number */
#define RANGE_MIN 3  /* names that are written as a range */

static int names_order(const void *pa, const void *pb) {
    const char *const *a = pa, *const *b = pb;
    return strverscmp(*a, *b);
}

/* Returns the number at the end of a name and sets *prefix to the length before it; -1 if it has none, or one of more
 * than nine digits or with a 0 in front. */
static int64_t number_of(const char *name, size_t *prefix) {
    size_t end = strlen(name), at = end;
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') at--;
    *prefix = at;
    if (at == end || end - at > 9 || (name[at] == '0' && end - at > 1)) return -1;
    return strtol(name + at, NULL, 10);
}

static bool follows(const char *before, const char *name) {
    size_t prefix, prefix_before;
    int64_t number = number_of(name, &prefix), number_before = number_of(before, &prefix_before);
    return number_before >= 0 && number == number_before + 1 && prefix == prefix_before &&
           strncmp(name, before, prefix) == 0;
}

/* Writes sorted names: "a, h1 to h4 and 20 more". */
static void names_write(FILE *out, const char **name, size_t n) {
    size_t written = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && follows(name[end - 1], name[end]);) end++;
        if (end - i < RANGE_MIN) end = i + 1;
        if (written == NAMES_MAX) {
            fprintf(out, " and %zu more", n - i);
            return;
        }
        fprintf(out, written++ ? ", %s" : " %s", name[i]);
        if (end > i + 1) fprintf(out, " to %s", name[end - 1]);
    }
}

char *roles_text(struct fabric *f, const char *path, const struct file_lists *l) {
    static const char *const word[] = {"hosts", "leaves", "aggs", "cores"};
    const char **name = memory_get(l->n_nodes, sizeof *name);
    char *text = NULL, *kept = NULL;
    size_t size = 0, told = 0;
    FILE *out = text_stream(&text, &size);
    fprintf(out, "%s: note: roles inferred from links:", path);
    for (int tier = TIER_HOST; tier < TIER_COUNT; tier++) {
        size_t n = 0;
        for (uint32_t i = 0; i < l->n_nodes; i++)
            if (l->node[i].inferred && l->node[i].tier == tier) name[n++] = l->node[i].name;
        if (n == 0) continue;
        qsort(name, n, sizeof *name, names_order);
        fprintf(out, "%s %s", told++ ? ";" : "", word[tier]);
        names_write(out, name, n);
    }
    fprintf(out, "; write tier: host, leaf, agg or core beside a name to change one");
    text_stream_end(out, &text);
    if (told) kept = memcpy(fabric_own(f, size + 1, 1), text, size + 1);
    free(text);
    free(name);
    return kept;
}

const char *fabric_roles(const struct fabric *f) { return fabric_store(f)->roles; }
