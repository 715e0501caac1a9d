/* SPDX-License-Identifier: Apache-2.0 */
#include "base/output_file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- whether the path may be written ---- */

static bool same_file(const struct stat *a, const char *path) {
    struct stat b;
    return stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

static bool is_ours(const char *path, const struct output_rules *r) {
    int fd = r->is_ours ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    FILE *in = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!in && fd >= 0) close(fd);
    bool ours = in && r->is_ours(in, r->context);
    if (in) fclose(in);
    return ours;
}

/* Returns whether the path may be written; false after filling *d. Sets *exists if a file is there. */
static bool place_check(const char *path, const struct output_rules *r, bool *exists, struct diag *d) {
    struct stat at, to;
    *exists = false;
    if (lstat(path, &at) != 0) return true; /* any other error shows when the file is made */
    bool found = stat(path, &to) == 0;
    for (size_t i = 0; found && i < r->n_input; i++) {
        if (same_file(&to, r->input[i]))
            return diag_fail_in(d, path, "this is %s, which is read; name another file for %s", r->input[i], r->kind);
    }
    if (S_ISLNK(at.st_mode)) return diag_fail_in(d, path, "this is a link; name the file itself, or another");
    if (!S_ISREG(at.st_mode)) return diag_fail_in(d, path, "this is no plain file; name another for %s", r->kind);
    *exists = true;
    if (r->force || is_ours(path, r)) return true;
    return diag_fail_in(d, path, "this file is there already%s%s; %s", r->is_ours ? " and is not " : "",
                        r->is_ours ? r->kind : "", r->remedy ? r->remedy : "name another, or replace it with --force");
}

bool output_check(const char *path, const struct output_rules *rules, struct diag *d) {
    bool exists;
    return place_check(path, rules, &exists, d);
}

/* ---- the temporary file ---- */

static bool write_fails(struct output_file *f, struct diag *d) {
    diag_fail_in(d, f->path, "cannot write it: %s; check the folder, its permissions and the space left",
                 strerror(errno ? errno : EIO));
    output_abandon(f);
    return false;
}

#define NAMES_TRIED 1000

/* Creates a temporary file in the folder of `path` and returns its descriptor, or -1 with errno set. Writes its name
 * into *beside, which the caller frees. */
static int beside_open(const char *path, char **beside) {
    static atomic_uint serial;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    for (int i = 0; i < NAMES_TRIED; i++) {
        *beside = text_format("%.*s.heddle-%d-%u", folder, path, (int)getpid(), atomic_fetch_add(&serial, 1));
        int fd = open(*beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0) return fd;
        int why = errno;
        free(*beside);
        *beside = NULL;
        errno = why;
        if (why != EEXIST) break;
    }
    return -1;
}

bool output_begin(struct output_file *f, const char *path, const struct output_rules *rules, struct diag *d) {
    *f = (struct output_file){0};
    if (!place_check(path, rules, &f->replaces, d)) return false;
    f->path = text_copy(path);
    int fd = beside_open(path, &f->beside);
    f->out = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (!f->out) return write_fails(f, d);
    setvbuf(f->out, NULL, _IOFBF, 1 << 16);
    return true;
}

/* ---- the rename ---- */

/* Renames `beside` to `path`. Fails with EEXIST if `replaces` is false and a file is at `path`. File systems without
 * RENAME_NOREPLACE are checked just before, which leaves a short race. */
static bool move(const char *beside, const char *path, bool replaces) {
    if (replaces) return rename(beside, path) == 0;
    if (renameat2(AT_FDCWD, beside, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    struct stat at;
    if (lstat(path, &at) != 0) return rename(beside, path) == 0;
    errno = EEXIST;
    return false;
}

bool output_end(struct output_file *f, struct diag *d) {
    errno = 0;
    bool ok = fflush(f->out) == 0 && !ferror(f->out);
    int why = errno;
    ok = fclose(f->out) == 0 && ok;
    f->out = NULL;
    if (why) errno = why;
    if (!ok || !move(f->beside, f->path, f->replaces)) return write_fails(f, d);
    free(f->path);
    free(f->beside);
    *f = (struct output_file){0};
    return true;
}

bool output_move(const char *beside, const char *path, const struct output_rules *rules, struct diag *d) {
    struct output_file f = {.path = text_copy(path), .beside = text_copy(beside)};
    bool ok = place_check(path, rules, &f.replaces, d);
    if (ok && !move(f.beside, f.path, f.replaces)) return write_fails(&f, d);
    if (!ok) {
        output_abandon(&f);
        return false;
    }
    free(f.path);
    free(f.beside);
    return true;
}

void output_abandon(struct output_file *f) {
    int why = errno;
    if (f->out) fclose(f->out);
    if (f->beside) unlink(f->beside);
    free(f->path);
    free(f->beside);
    *f = (struct output_file){0};
    errno = why;
}

/* ---- folders, recognition of earlier output ---- */

/* Makes a folder on the way to another one; it may be there. */
static bool parent_make(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return mkdir(path, 0777) == 0 || errno == EEXIST;
    if (!S_ISDIR(s.st_mode)) errno = ENOTDIR;
    return S_ISDIR(s.st_mode);
}

bool output_folder(const char *path, struct diag *d) {
    struct stat s;
    char part[4096];
    bool ok = snprintf(part, sizeof part, "%s", path) < (int)sizeof part;
    if (!ok) errno = ENAMETOOLONG;
    for (char *slash = strchr(part + (part[0] == '/'), '/'); ok && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ok = parent_make(part);
        *slash = '/';
    }
    if (ok && (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &s) == 0 && S_ISDIR(s.st_mode)))) return true;
    return diag_fail_in(d, path, "cannot make this folder: %s; name another", strerror(errno));
}

bool output_holds(FILE *in, const char *text, size_t most) {
    char head[4096];
    size_t n = fread(head, 1, most < sizeof head ? most : sizeof head, in);
    return memmem(head, n, text, strlen(text)) != NULL;
}
