/* SPDX-License-Identifier: Apache-2.0 */
#include "base/input_file.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 8192 /* room of input_read at first */

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

/* Returns the bytes of the file and a 0, at most `most` + 1 of them; NULL with errno set. */
static char *stream_read(FILE *in, size_t most, size_t *n) {
    size_t room = FIRST_BYTES;
    char *text = memory_get(room + 1, 1);
    *n = 0;
    while (!feof(in) && !ferror(in) && *n <= most) {
        if (*n == room) text = memory_grow(text, (room *= 2) + 1, 1);
        *n += fread(text + *n, 1, room - *n, in);
    }
    int reason = ferror(in) ? errno : EFBIG;
    if (!ferror(in) && *n <= most) {
        text[*n] = '\0';
        return text;
    }
    free(text);
    errno = reason;
    return NULL;
}

char *input_read(const char *path, size_t most, size_t *n, const char **why) {
    FILE *in = input_open(path, why);
    if (!in) return NULL;
    char *text = stream_read(in, most, n);
    int reason = errno;
    fclose(in);
    errno = reason;
    if (!text && why) *why = strerror(reason);
    return text;
}

char *input_numbered(const char *path, uint32_t n) {
    const char *slash = strrchr(path, '/'), *part = NULL;
    for (const char *at = slash ? slash : path; (at = strstr(at, ".0.")); at++) part = at;
    return part ? text_format("%.*s.%u.%s", (int)(part - path), path, n, part + 3) : NULL;
}

bool input_is_plain_or_absent(const char *path) {
    struct stat at;
    return stat(path, &at) != 0 || S_ISREG(at.st_mode);
}
