/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/size_classes.h"

#include "base/units.h"

#include <inttypes.h>

/* ---- reading ---- */

static bool not_ascending(const struct config *c, const struct size_classes *sizes, uint32_t i, struct diag *d) {
    char path[KEY_PATH_MAX], here[UNITS_TEXT_MAX], before[UNITS_TEXT_MAX];
    return config_fail(c, d, path_item(path, "measure.classes", i),
                       "measure.classes: %s does not come after %s; write the sizes in ascending order, each once",
                       units_print(PARAM_BYTES, (int64_t)sizes->edge[i], here, sizeof here),
                       units_print(PARAM_BYTES, (int64_t)sizes->edge[i - 1], before, sizeof before));
}

bool size_classes_read(const struct config *c, struct size_classes *sizes, struct diag *d) {
    int64_t edge[SIZE_EDGES_MAX];
    size_t n = config_numbers(c, "measure.classes", edge, SIZE_EDGES_MAX);
    *sizes = (struct size_classes){0};
    if (n > SIZE_EDGES_MAX)
        return config_fail(c, d, "measure.classes", "measure.classes: %zu sizes; write at most %d", n, SIZE_EDGES_MAX);
    for (uint32_t i = 0; i < n; i++) {
        sizes->edge[i] = (uint64_t)edge[i];
        if (i > 0 && sizes->edge[i] <= sizes->edge[i - 1]) return not_ascending(c, sizes, i, d);
    }
    sizes->n_edges = (uint32_t)n;
    return true;
}

/* ---- names ---- */

const char *size_name(uint64_t bytes, char buf[SIZE_NAME_MAX]) {
    static const char *const decimal[] = {"B", "KB", "MB", "GB", "TB"}, *const binary[] = {"B", "KiB", "MiB", "GiB"};
    bool is_binary = bytes % 1000 != 0;
    uint64_t step = is_binary ? 1024 : 1000;
    unsigned u = 0, last = is_binary ? 3 : 4;
    for (; u < last && bytes % step == 0; u++) bytes /= step;
    snprintf(buf, SIZE_NAME_MAX, "%" PRIu64 "%s", bytes, is_binary ? binary[u] : decimal[u]);
    return buf;
}

const char *size_class_name(const struct size_classes *sizes, uint32_t class, char buf[SIZE_CLASS_NAME_MAX]) {
    char low[SIZE_NAME_MAX], high[SIZE_NAME_MAX];
    if (class == 0)
        snprintf(buf, SIZE_CLASS_NAME_MAX, "under_%s", size_name(sizes->edge[0], high));
    else if (class == sizes->n_edges)
        snprintf(buf, SIZE_CLASS_NAME_MAX, "from_%s", size_name(sizes->edge[class - 1], low));
    else
        snprintf(buf, SIZE_CLASS_NAME_MAX, "%s_to_%s", size_name(sizes->edge[class - 1], low),
                 size_name(sizes->edge[class], high));
    return buf;
}
