/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/folder.h"

#include "base/text.h"
#include "live/lab/description.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RETRY_MS 20

/* ---- the lock ---- */

/* Opens and locks the folder. Returns -1 with errno set; EWOULDBLOCK: somebody else has the lock, or removed the folder. The
 * file is no O_CLOEXEC: programs of this process share the lock. */
static int lock_try(const char *path) {
    struct stat mine, there;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd < 0) return -1;
    bool good = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (good && fstat(fd, &mine) == 0 && lstat(path, &there) == 0 && mine.st_ino == there.st_ino &&
        mine.st_dev == there.st_dev)
        return fd;
    int code = good ? EWOULDBLOCK : errno;
    close(fd);
    errno = code;
    return -1;
}

int folder_lock(const struct lab *lab, const char *state, struct diag *d) {
    for (long waited = 0; waited <= FOLDER_PATIENCE_MS; waited += RETRY_MS) {
        bool is_there =
            (mkdir(state, 0755) == 0 || errno == EEXIST) && (mkdir(lab->folder, 0755) == 0 || errno == EEXIST);
        int fd = is_there ? lock_try(lab->folder) : -1;
        if (fd >= 0) return fd;
        if (errno != EWOULDBLOCK && errno != ENOENT) {
            diag_fail_in(d, lab->folder, "%s", strerror(errno));
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000L}, NULL);
    }
    diag_say(d, "another process makes or removes the lab '%s'; try again when it has ended", lab->name);
    return -1;
}

bool folder_is_in_use(const struct lab *lab) {
    int fd = lock_try(lab->folder);
    if (fd < 0) return errno == EWOULDBLOCK;
    close(fd);
    return false;
}

void folder_unlock(const struct lab *lab, int fd) {
    if (fd < 0) return;
    rmdir(lab->folder);
    close(fd);
}

/* ---- the record ---- */

bool folder_has_record(const struct lab *lab) {
    char *path = lab_description_path(lab);
    struct stat s;
    bool there = lstat(path, &s) == 0;
    free(path);
    return there;
}

static bool text_write(const char *path, const char *text) {
    unlink(path); /* what a killed process left, or another put there */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    size_t left = strlen(text);
    if (fd < 0) return false;
    for (ssize_t put; left > 0; text += put, left -= (size_t)put)
        if ((put = write(fd, text, left)) <= 0) break;
    int code = errno;
    bool good = close(fd) == 0 && left == 0;
    if (left > 0) errno = code;
    return good;
}

bool folder_put_record(const struct lab *lab, const char *text, struct diag *d) {
    char *path = lab_description_path(lab), *beside = text_format("%s.new", path);
    bool good = text_write(beside, text) && rename(beside, path) == 0;
    if (!good) {
        diag_fail_in(d, path, "%s", strerror(errno));
        unlink(beside);
    }
    free(beside);
    free(path);
    return good;
}

/* ---- the end ---- */

static bool ends_with(const char *name, const char *end) {
    size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

/* Returns whether a lab makes files of this name, besides the record. */
static bool is_made(const char *name) {
    return ends_with(name, ".sock") || ends_with(name, ".log") || strcmp(name, RECORD ".new") == 0 ||
           strcmp(name, DCTCP_OBJECT) == 0;
}

void folder_clear(const struct lab *lab, void (*stays)(void *to, const char *path), void *to) {
    DIR *folder = opendir(lab->folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        char path[LAB_PATH_MAX + 300];
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, RECORD) == 0) continue;
        snprintf(path, sizeof path, "%s/%s", lab->folder, name);
        if (!is_made(name) || unlink(path) != 0) stays(to, path);
    }
    if (folder) closedir(folder);
    char *record = lab_description_path(lab);
    unlink(record);
    free(record);
}
