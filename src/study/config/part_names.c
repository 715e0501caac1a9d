/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/part_names.h"

#include "base/memory.h"
#include "measure/result.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(const char *name) {
    size_t n = 0;
    for (; name[n]; n++)
        if (!isalnum((unsigned char)name[n]) && name[n] != '-' && name[n] != '_') return false;
    return n > 0 && n < PART_NAME_MAX;
}

static bool is_class(const char *name) {
    for (unsigned i = 0; flow_class_names[i]; i++)
        if (strcmp(flow_class_names[i], name) == 0) return true;
    return strncmp(name, "under_", 6) == 0 || strncmp(name, "from_", 5) == 0 || strstr(name, "_to_");
}

bool part_name_is_free(const char *name) { return is_word(name) && !is_class(name) && strcmp(name, "unfinished") != 0; }

static bool name_check(const struct config *c, const char *path, const struct part_names *names, size_t i,
                       struct diag *d) {
    const char *name = names->name[i];
    if (!is_word(name))
        return config_fail(c, d, path, "%s: '%.40s' is no name; write letters, digits, - and _, at most %d", path, name,
                           PART_NAME_MAX - 1);
    if (!part_name_is_free(name))
        return config_fail(c, d, path, "%s: '%s' is the name of a class of flows in results; take another name", path,
                           name);
    for (size_t k = 0; k < i; k++)
        if (names->name[k] && strcmp(names->name[k], name) == 0)
            return config_fail(c, d, path, "%s: '%s' stands twice; give each its own name", path, name);
    return true;
}

static bool names_read(const struct config *c, const char *list, struct part_names *names, struct diag *d) {
    *names = (struct part_names){.n = config_count(c, list)};
    names->name = memory_get(names->n, sizeof *names->name);
    for (size_t i = 0; i < names->n; i++) {
        char item[KEY_PATH_MAX], path[KEY_PATH_MAX];
        names->name[i] = config_text(c, "%s", path_join(path, path_item(item, list, i), "name"));
        if (!names->name[i] || name_check(c, path, names, i, d)) continue;
        part_names_free(names);
        return false;
    }
    return true;
}

bool entry_names_read(const struct config *c, struct part_names *names, struct diag *d) {
    return names_read(c, "workload", names, d);
}

bool phase_names_read(const struct config *c, struct part_names *names, struct diag *d) {
    return names_read(c, "measure.phases", names, d);
}

void part_names_free(struct part_names *names) {
    free(names->name);
    *names = (struct part_names){0};
}
