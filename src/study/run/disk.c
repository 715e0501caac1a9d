/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/disk.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* Returns the free bytes of the folder of a file; UINT64_MAX if it cannot be asked. */
static uint64_t free_bytes(const char *path) {
    struct statvfs s;
    const char *slash = strrchr(path, '/');
    char *folder = text_format("%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    bool known = statvfs(folder, &s) == 0 && s.f_frsize > 0;
    free(folder);
    return known ? (uint64_t)s.f_bavail * s.f_frsize : UINT64_MAX;
}

static const char *bytes_text(uint64_t bytes, char buf[32]) {
    static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB"};
    double value = (double)bytes / 1e3;
    size_t i = 0;
    for (; value >= 1000 && i + 1 < sizeof unit / sizeof *unit; i++) value /= 1e3;
    snprintf(buf, 32, value < 9.95 ? "%.1f %s" : "%.0f %s", value, unit[i]);
    return buf;
}

bool disk_check(const char *store, uint64_t bytes, struct diag *d) {
    char needed[32], had[32];
    uint64_t room = free_bytes(store);
    if (bytes <= room) return true;
    return diag_fail_in(
        d, store,
        "disk: the results will take about %s, but %s are free there; name a file elsewhere with -o, take "
        "fewer runs, flows or samples (measure.max_samples), or go on with --force",
        bytes_text(bytes, needed), bytes_text(room, had));
}
