/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/query_classes.h"

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

static size_t items_of(const struct config *c, size_t entry, const char *key, char path[KEY_PATH_MAX]) {
    char list[KEY_PATH_MAX];
    return config_count(c, path_join(path, path_item(list, "workload", entry), key));
}

static bool entry_read(const struct config *c, size_t entry, struct query_classes *q, struct diag *d) {
    char path[KEY_PATH_MAX];
    size_t n = items_of(c, entry, "responses", path);
    for (size_t i = 0; i < n; i++) {
        if (!size_insert(q, (uint64_t)config_value(c, 0, "%s.%zu", path, i)))
            return config_fail(c, d, path, "%s: more than %d different sizes in all; have fewer", path,
                               QUERY_SIZES_MAX);
    }
    n = items_of(c, entry, "fanout", path);
    for (size_t i = 0; i < n; i++) {
        if (!fanout_insert(q, (uint32_t)config_value(c, 0, "%s.%zu", path, i)))
            return config_fail(c, d, path, "%s: more than %d different numbers in all; have fewer", path, FANOUTS_MAX);
    }
    return true;
}

bool query_classes_read(const struct config *c, struct query_classes *q, struct diag *d) {
    *q = (struct query_classes){0};
    for (size_t i = 0; i < config_count(c, "workload"); i++) {
        if (!entry_read(c, i, q, d)) return false;
    }
    return true;
}
