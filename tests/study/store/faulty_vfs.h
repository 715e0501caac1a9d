/* SPDX-License-Identifier: Apache-2.0 */
/* A file system under SQLite that fails at the n-th change: a write, a sync, a truncation or a deletion.
 *
 * faulty_vfs_install puts it in the place of the system's. It counts changes of this process, and syncs are counted, not
 * carried out: they matter for a power cut only. At the change `faulty.at` it does what `faulty.mode` says.
 */
#ifndef HEDDLE_TESTS_FAULTY_VFS_H
#define HEDDLE_TESTS_FAULTY_VFS_H

#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum fault_mode {
    FAULT_KILL,      /* the process is killed before the change */
    FAULT_KILL_TORN, /* the same; of a write, the first half is written */
    FAULT_ONCE,      /* the change fails with an error of the disk, and later ones succeed */
    FAULT_FROM,      /* this change and all later ones fail, reads too: the handle is stale */
    FAULT_FULL,      /* this write and all later ones fail: the disk is full */
    FAULT_LOCKS,     /* counts locks instead of changes: this one and all later ones fail */
    FAULT_MODES
};

static struct {
    enum fault_mode mode;
    long at;   /* number of the change that fails, from 1; 0: none */
    long seen; /* changes so far */
} faulty;

struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real; /* in the same memory, behind this */
};

static sqlite3_vfs *faulty_below;

static inline sqlite3_file *faulty_real(sqlite3_file *f) { return ((struct faulty_file *)f)->real; }

/* Returns whether the next change fails. A kill that tears no write happens here. */
static inline int faulty_now(void) {
    if (faulty.mode == FAULT_LOCKS || faulty.at == 0) return 0;
    faulty.seen++;
    if (faulty.seen == faulty.at && faulty.mode == FAULT_KILL) kill(getpid(), SIGKILL);
    return faulty.seen == faulty.at || (faulty.seen > faulty.at && faulty.mode >= FAULT_FROM);
}

static int faulty_close(sqlite3_file *f) { return faulty_real(f)->pMethods->xClose(faulty_real(f)); }

static int faulty_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at) {
    if (faulty.mode == FAULT_FROM && faulty.at && faulty.seen >= faulty.at) return SQLITE_IOERR_READ;
    return faulty_real(f)->pMethods->xRead(faulty_real(f), to, n, at);
}

static int faulty_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at) {
    const sqlite3_io_methods *real = faulty_real(f)->pMethods;
    if (!faulty_now()) return real->xWrite(faulty_real(f), from, n, at);
    if (faulty.mode == FAULT_KILL_TORN) {
        real->xWrite(faulty_real(f), from, n / 2, at);
        kill(getpid(), SIGKILL);
    }
    return faulty.mode == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int faulty_truncate(sqlite3_file *f, sqlite3_int64 size) {
    if (faulty_now()) return faulty.mode == FAULT_KILL_TORN ? kill(getpid(), SIGKILL) : SQLITE_IOERR_TRUNCATE;
    return faulty_real(f)->pMethods->xTruncate(faulty_real(f), size);
}

static int faulty_sync(sqlite3_file *f, int flags) {
    (void)f;
    (void)flags;
    if (!faulty_now()) return SQLITE_OK;
    return faulty.mode == FAULT_KILL_TORN ? kill(getpid(), SIGKILL) : SQLITE_IOERR_FSYNC;
}

static int faulty_size(sqlite3_file *f, sqlite3_int64 *size) {
    return faulty_real(f)->pMethods->xFileSize(faulty_real(f), size);
}

static int faulty_lock(sqlite3_file *f, int level) {
    if (faulty.mode == FAULT_LOCKS && faulty.at && ++faulty.seen >= faulty.at) return SQLITE_IOERR_LOCK;
    return faulty_real(f)->pMethods->xLock(faulty_real(f), level);
}

static int faulty_unlock(sqlite3_file *f, int level) {
    return faulty_real(f)->pMethods->xUnlock(faulty_real(f), level);
}

static int faulty_reserved(sqlite3_file *f, int *is) {
    return faulty_real(f)->pMethods->xCheckReservedLock(faulty_real(f), is);
}

static int faulty_control(sqlite3_file *f, int what, void *with) {
    return faulty_real(f)->pMethods->xFileControl(faulty_real(f), what, with);
}

static int faulty_sector(sqlite3_file *f) { return faulty_real(f)->pMethods->xSectorSize(faulty_real(f)); }

static int faulty_characteristics(sqlite3_file *f) {
    return faulty_real(f)->pMethods->xDeviceCharacteristics(faulty_real(f));
}

static int faulty_open(sqlite3_vfs *v, sqlite3_filename name, sqlite3_file *f, int flags, int *flags_out) {
    static const sqlite3_io_methods methods = {.iVersion = 1,
                                               .xClose = faulty_close,
                                               .xRead = faulty_read,
                                               .xWrite = faulty_write,
                                               .xTruncate = faulty_truncate,
                                               .xSync = faulty_sync,
                                               .xFileSize = faulty_size,
                                               .xLock = faulty_lock,
                                               .xUnlock = faulty_unlock,
                                               .xCheckReservedLock = faulty_reserved,
                                               .xFileControl = faulty_control,
                                               .xSectorSize = faulty_sector,
                                               .xDeviceCharacteristics = faulty_characteristics};
    struct faulty_file *x = (struct faulty_file *)f;
    (void)v;
    x->base.pMethods = NULL;
    x->real = (sqlite3_file *)(x + 1);
    int code = faulty_below->xOpen(faulty_below, name, x->real, flags, flags_out);
    if (code == SQLITE_OK) x->base.pMethods = &methods;
    return code;
}

static int faulty_delete(sqlite3_vfs *v, const char *name, int sync) {
    (void)v;
    (void)sync;
    if (faulty_now()) return faulty.mode == FAULT_KILL_TORN ? kill(getpid(), SIGKILL) : SQLITE_IOERR_DELETE;
    return faulty_below->xDelete(faulty_below, name, 0);
}

static inline void faulty_vfs_install(void) {
    static sqlite3_vfs v;
    faulty_below = sqlite3_vfs_find(NULL);
    v = *faulty_below;
    v.zName = "faulty";
    v.szOsFile += (int)sizeof(struct faulty_file);
    v.xOpen = faulty_open;
    v.xDelete = faulty_delete;
    sqlite3_vfs_register(&v, 1);
}

#endif
