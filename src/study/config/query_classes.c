/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/query_classes.h"

#include <stdlib.h>

/* Inserts a size in ascending order unless it is there; false if the array is full. */
static bool size_insert(struct query_classes *q, uint64_t bytes) {
    uint32_t at = 0;
    while (at < q->n_sizes && q->size[at] < bytes) at++;
    if (at < q->n_sizes && q->size[at] == bytes) return true;
    if (q->n_sizes == QUERY_SIZES_MAX) return false;
    for (uint32_t i = q->n_sizes++; i > at; i--) q->size[i] = q->size[i - 1];
    q->size[at] = bytes;
    return true;
}

static bool fanout_insert(struct query_classes *q, uint32_t n) {
    uint32_t at = 0;
    while (at < q->n_fanouts && q->fanout[at] < n) at++;
    if (at < q->n_fanouts && q->fanout[at] == n) return true;
    if (q->n_fanouts == FANOUTS_MAX) return false;
    for (uint32_t i = q->n_fanouts++; i > at; i--) q->fanout[i] = q->fanout[i - 1];
    q->fanout[at] = n;
    return true;
}

/* Returns the items of a list of an entry, which the caller frees, and writes its path. */
static int64_t *items_of(const struct config *c, size_t entry, const char *key, char path[KEY_PATH_MAX], size_t *n) {
    char list[KEY_PATH_MAX];
    return config_list(c, path_join(path, path_item(list, "workload", entry), key), n);
}

static bool entry_read(const struct config *c, size_t entry, struct query_classes *q, struct diag *d) {
    char path[KEY_PATH_MAX];
    size_t n;
    bool ok = true;
    int64_t *size = items_of(c, entry, "responses", path, &n);
    for (size_t i = 0; ok && i < n; i++) ok = size_insert(q, (uint64_t)size[i]);
    free(size);
    if (!ok)
        return config_fail(c, d, path, "%s: more than %d different sizes in all; have fewer", path, QUERY_SIZES_MAX);
    int64_t *fanout = items_of(c, entry, "fanout", path, &n);
    for (size_t i = 0; ok && i < n; i++) ok = fanout_insert(q, (uint32_t)fanout[i]);
    free(fanout);
    return ok || config_fail(c, d, path, "%s: more than %d different numbers in all; have fewer", path, FANOUTS_MAX);
}

bool query_classes_read(const struct config *c, struct query_classes *q, struct diag *d) {
    *q = (struct query_classes){0};
    for (size_t i = 0; i < config_count(c, "workload"); i++) {
        if (!entry_read(c, i, q, d)) return false;
    }
    return true;
}
