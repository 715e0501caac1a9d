/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/file_names.h"

#include <stdio.h>
#include <string.h>

const char *path_from(const char *base_dir, const char *name, char *buf, size_t size) {
    bool absolute = name[0] == '/' || !base_dir || !base_dir[0];
    snprintf(buf, size, "%s%s%s", absolute ? "" : base_dir, absolute ? "" : "/", name);
    return buf;
}
