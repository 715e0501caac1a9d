/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/sockets.h"

#include "live/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sockets_folder(char *path, size_t size, bool make, struct diag *d) {
    const char *own = getenv("XDG_RUNTIME_DIR");
    if (geteuid() != 0 && (!own || !*own))
        return diag_say(d, "there is no folder for sockets: set XDG_RUNTIME_DIR, or give --socket");
    int n = snprintf(path, size, "%s/heddle", geteuid() == 0 ? "/run" : own);
    if (n < 0 || (size_t)n >= size) return diag_say(d, "XDG_RUNTIME_DIR is too long; give --socket");
    if (make && mkdir(path, 0755) != 0 && errno != EEXIST)
        return diag_fail_in(d, path, "%s; give --socket", strerror(errno));
    return true;
}

bool socket_path(const char *name, char *path, size_t size, bool make, struct diag *d) {
    char folder[512];
    int n;
    if (strchr(name, '/')) {
        n = snprintf(path, size, "%s", name);
    } else {
        if (!sockets_folder(folder, sizeof folder, make, d)) return false;
        n = snprintf(path, size, "%s/%s.sock", folder, name);
    }
    if (n < 0 || (size_t)n >= size)
        return diag_fail_in(d, name, "too long for a socket; at most %d characters", CONTROL_PATH_MAX);
    return true;
}
