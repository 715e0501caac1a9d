/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/file_names.h"

#include "workload/sizes.h"

#include <stdio.h>
#include <string.h>

const char *path_from(const char *base_dir, const char *name, char *buf, size_t size) {
    bool absolute = name[0] == '/' || !base_dir || !base_dir[0];
    snprintf(buf, size, "%s%s%s", absolute ? "" : base_dir, absolute ? "" : "/", name);
    return buf;
}

bool sizes_is_file(const char *text) {
    size_t n;
    const char *const *names = sizes_names(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], text) == 0) return false;
    }
    return text[0] < '0' || text[0] > '9' || strchr(text, '/') || strchr(text, '.');
}
