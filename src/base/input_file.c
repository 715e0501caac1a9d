/* SPDX-License-Identifier: Apache-2.0 */
#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether the path names a descriptor of this process. */
static bool is_own_descriptor(const char *path) {
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

/* Returns why the file is no input, and sets errno; NULL if it is one. */
static const char *objection(const char *path, const struct stat *at) {
    if (S_ISREG(at->st_mode) || (S_ISFIFO(at->st_mode) && is_own_descriptor(path))) return NULL;
    errno = S_ISDIR(at->st_mode) ? EISDIR : EINVAL;
    return errno == EISDIR ? strerror(EISDIR) : "it is no plain file";
}

/* Opens the file, and looks at it once more: another may have taken its place. O_NONBLOCK keeps a FIFO from blocking. */
static int descriptor_open(const char *path, const char **why) {
    struct stat at;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *why = fd < 0 || fstat(fd, &at) != 0 ? strerror(errno) : objection(path, &at);
    if (!*why && fcntl(fd, F_SETFL, 0) == 0) return fd; /* reads wait for a pipe's writer */
    if (!*why) *why = strerror(errno);
    int reason = errno;
    if (fd >= 0) close(fd);
    errno = reason;
    return -1;
}

FILE *input_open(const char *path, const char **why) {
    struct stat at;
    const char *reason = stat(path, &at) != 0 ? strerror(errno) : objection(path, &at);
    int fd = reason ? -1 : descriptor_open(path, &reason);
    FILE *in = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!in && fd >= 0) {
        reason = strerror(errno);
        close(fd);
    }
    if (why) *why = in ? NULL : reason;
    return in;
}

bool input_is_plain_or_absent(const char *path) {
    struct stat at;
    return stat(path, &at) != 0 || S_ISREG(at.st_mode);
}
