/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/spaces.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

char *space_name(const char *lab, const char *host) { return text_format("heddle-%s.%s", lab, host); }

static void space_path(const char *name, char path[300]) { snprintf(path, 300, SPACES "/%.255s", name); }

bool space_is_taken(const char *name) {
    char path[300];
    struct stat s;
    space_path(name, path);
    return lstat(path, &s) == 0;
}

static bool is_namespace(const char *path) {
    struct statfs of;
    return statfs(path, &of) == 0 && of.f_type == NSFS_MAGIC;
}

bool space_is_there(const char *name) {
    char path[300];
    space_path(name, path);
    return is_namespace(path);
}

/* ---- making ---- */

/* Makes the folder of names as ip netns does: a mount of its own that is shared, so that a name which is removed here goes
 * from the mount namespaces of all programs. */
static bool names_folder(struct diag *d) {
    bool is_mount = false;
    if (mkdir(SPACES, 0755) != 0 && errno != EEXIST) return diag_fail_in(d, SPACES, "%s", strerror(errno));
    while (mount("", SPACES, "none", MS_SHARED | MS_REC, NULL) != 0) {
        if (errno != EINVAL || is_mount) return diag_fail_in(d, SPACES, "%s", strerror(errno));
        if (mount(SPACES, SPACES, "none", MS_BIND | MS_REC, NULL) != 0)
            return diag_fail_in(d, SPACES, "%s", strerror(errno));
        is_mount = true;
    }
    return true;
}

struct making {
    const char *const *name;
    size_t n;
    const char *mark;
    pid_t owner; /* a process whose namespace gets the name; 0: new ones do */
    struct diag *d;
    bool good;
};

/* Moves the calling thread to a new namespace, or to that of a process. */
static bool space_enter(pid_t owner, struct diag *d) {
    char path[64];
    if (owner == 0) return unshare(CLONE_NEWNET) == 0 || diag_say(d, "no network namespace: %s", strerror(errno));
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)owner);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = (fd >= 0 && setns(fd, CLONE_NEWNET) == 0) || diag_fail_in(d, path, "%s", strerror(errno));
    if (fd >= 0) close(fd);
    return good;
}

/* Moves the calling thread to the namespace, which gets the mark, and then the name. */
static bool space_make(const char *name, const struct making *m) {
    struct diag *d = m->d;
    char path[300];
    space_path(name, path);
    if (!space_enter(m->owner, d) || !lab_mark_set_here(m->mark, d)) return false;
    int fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
    if (fd < 0) return diag_fail_in(d, path, "%s", strerror(errno));
    close(fd);
    if (mount("/proc/thread-self/ns/net", path, "none", MS_BIND, NULL) == 0) return true;
    diag_fail_in(d, path, "%s", strerror(errno));
    unlink(path);
    return false;
}

static void *make_all(void *arg) {
    struct making *m = arg;
    m->good = true;
    for (size_t i = 0; m->good && i < m->n; i++) m->good = space_make(m->name[i], m);
    return NULL;
}

static bool make_in_thread(struct making *m) {
    pthread_t thread;
    if (!names_folder(m->d)) return false;
    if (pthread_create(&thread, NULL, make_all, m) != 0) return diag_say(m->d, "no thread could be started");
    pthread_join(thread, NULL);
    return m->good;
}

bool spaces_make(const char *const *name, size_t n, const char *mark, struct diag *d) {
    return make_in_thread(&(struct making){.name = name, .n = n, .mark = mark, .d = d});
}

bool space_adopt(const char *name, pid_t pid, const char *mark, struct diag *d) {
    return make_in_thread(&(struct making){.name = &name, .n = 1, .mark = mark, .owner = pid, .d = d});
}

/* ---- finding ---- */

void processes_each(void (*fn)(void *to, pid_t pid), void *to) {
    DIR *folder = opendir("/proc");
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 1 && pid != getpid()) fn(to, pid);
    }
    if (folder) closedir(folder);
}

/* What is found, with a question for the mark of each. */
struct search {
    struct lab_spaces *found;
    struct lab_mark_question *ask;
};

static void search_add(struct search *s, const char *path, bool has_name, const struct stat *at, enum space_kind kind) {
    size_t n = s->found->n++;
    s->found->at = memory_grow(s->found->at, n + 1, sizeof *s->found->at);
    s->ask = memory_grow(s->ask, n + 1, sizeof *s->ask);
    s->found->at[n] = (struct lab_space){.device = at->st_dev, .inode = at->st_ino, .kind = kind};
    if (has_name) snprintf(s->found->at[n].path, sizeof s->found->at[n].path, "%s", path);
    snprintf(s->ask[n].path, sizeof s->ask[n].path, "%s", path);
}

static void search_names(struct search *s, const char *lab) {
    char *prefix = space_name(lab, ""), path[300];
    DIR *folder = opendir(SPACES);
    struct stat at;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        space_path(entry->d_name, path);
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || lstat(path, &at) != 0) continue;
        bool is_empty = S_ISREG(at.st_mode) && at.st_size == 0 && !is_namespace(path);
        search_add(s, path, true, &at, is_empty ? SPACE_UNBEGUN : SPACE_FOREIGN);
    }
    if (folder) closedir(folder);
    free(prefix);
}

/* Adds the namespace of a process if it is another than ours and those found so far. */
static void search_process(void *to, pid_t pid) {
    struct search *s = to;
    struct stat at, own;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    if (stat(path, &at) != 0 || stat("/proc/self/ns/net", &own) != 0) return;
    if (at.st_ino == own.st_ino && at.st_dev == own.st_dev) return;
    for (size_t i = 0; i < s->found->n; i++)
        if (s->found->at[i].inode == at.st_ino && s->found->at[i].device == at.st_dev) return;
    search_add(s, path, false, &at, SPACE_FOREIGN);
}

bool spaces_find(const char *lab, const char *id, struct lab_spaces *found, struct diag *d) {
    struct search s = {.found = found};
    size_t kept = 0;
    *found = (struct lab_spaces){0};
    search_names(&s, lab);
    processes_each(search_process, &s);
    bool good = lab_marks_read(s.ask, found->n, d);
    for (size_t i = 0; i < found->n; i++) {
        struct lab_space *space = &found->at[i];
        if (lab_mark_is(s.ask[i].mark, lab, id)) space->kind = SPACE_MARKED;
        if (space->path[0] || space->kind == SPACE_MARKED) found->at[kept++] = *space;
    }
    found->n = kept;
    free(s.ask);
    return good;
}

bool space_remove(const struct lab_space *s, struct diag *d) {
    if (!s->path[0]) return true;
    umount2(s->path, MNT_DETACH); /* fails for a name without a namespace */
    return unlink(s->path) == 0 || errno == ENOENT || diag_fail_in(d, s->path, "%s", strerror(errno));
}
