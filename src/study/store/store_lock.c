/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a store: which names may be one, and the lock that gives it one writer.
 *
 * The lock lasts as long as the store is open. SQLite's own locks last for a transaction and do not see it. It is a
 * lock of one byte (fcntl, of the open file), in the page that SQLite keeps free for locks and behind the bytes that SQLite
 * locks, 0x40000000 to 0x400001ff. A lock of the whole file would do on a local disk, but over NFS flock() locks the same
 * bytes at the server as SQLite does: the store would wait for itself.
 *
 * The lock is the process's alone. A child would otherwise keep it for the moment in which it outlives a parent that
 * was killed, and the next command would be refused.
 *
 * A file system that cannot lock is refused. Two runs that write at the same time would give runs the same numbers, and
 * SQLite could not keep their pages apart.
 */
#include "study/store/store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITER_BYTE 0x400003ff

bool store_path_check(const char *path, struct diag *d) {
    struct stat at;
    if (path[0] == '\0') return diag_say(d, "the name of the results store is empty; name a file with -o");
    if (path[0] == ':' || strncmp(path, "file:", 5) == 0)
        return diag_fail_in(d, path,
                            "SQLite takes this for no plain file name, and results would not be kept where it says; "
                            "name a file with -o, such as ./%s",
                            path[0] == ':' ? "results.db" : path);
    if (stat(path, &at) != 0 || S_ISREG(at.st_mode)) return true;
    return diag_fail_in(d, path, "this is %s and cannot hold a results store; name a file with -o",
                        S_ISDIR(at.st_mode) ? "a folder" : "no plain file");
}

static bool lock_fail(const struct store *s, int why, struct diag *d) {
    if (why == EAGAIN || why == EACCES)
        return diag_fail_in(d, s->path,
                            "another heddle run is writing to this store; wait for it, or name another file with -o");
    return diag_fail_in(
        d, s->path,
        "its file system cannot lock the store (%s), which must have one writer; name a file on a local "
        "disk with -o, and copy it afterwards",
        strerror(why));
}

static struct store *first_locked;

/* Gives up, in a process that was forked, its part of every lock. */
static void locks_leave(void) {
    for (struct store *s = first_locked; s; s = s->next_locked) close(s->lock);
    first_locked = NULL;
}

static void locks_leave_prepare(void) { pthread_atfork(NULL, NULL, locks_leave); }

bool store_lock(struct store *s, struct diag *d) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WRITER_BYTE, .l_len = 1};
    pthread_once(&once, locks_leave_prepare);
    s->lock = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->lock < 0)
        return diag_fail_in(
            d, s->path, "cannot write to this store: %s; check the file and its permissions, or name another with -o",
            strerror(errno));
    s->next_locked = first_locked;
    first_locked = s;
    return fcntl(s->lock, F_OFD_SETLK, &lock) == 0 || lock_fail(s, errno, d);
}

void store_unlock(struct store *s) {
    struct store **at = &first_locked;
    while (*at && *at != s) at = &(*at)->next_locked;
    if (!*at) return;
    *at = s->next_locked;
    close(s->lock);
}
