/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/removal.h"

#include "base/memory.h"
#include "live/lab/containers.h"
#include "live/lab/description.h"
#include "live/lab/folder.h"
#include "live/lab/names.h"
#include "live/lab/spaces.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define END_MAX_MS 3000 /* most time until processes end, each by SIGTERM and by SIGKILL */
#define LOOK_MS 20

static void told(const struct lab_telling *t, const struct diag *d, bool is_of_lab) {
    if (t && t->tell) t->tell(t->to, d, is_of_lab);
}

/* ---- processes ---- */

/* A signal to processes of the lab. */
struct ending {
    const struct lab *lab;
    const char *id;
    const struct lab_spaces *space;
    bool hosts_only; /* not to those in the namespace of the switches */
    int number;
    uint32_t n; /* processes that were there */
    bool any;   /* some process was there at any time */
    pid_t last; /* one of them */
};

static bool is_of_switches(const char *lab, const struct lab_space *s) {
    char *name = space_name(lab, SPACE_OF_SWITCHES);
    const char *slash = strrchr(s->path, '/');
    bool same = slash && strcmp(slash + 1, name) == 0;
    free(name);
    return same;
}

/* Returns whether a process is in a namespace of the lab, or was started for it. */
static bool is_of_lab(const struct ending *e, pid_t pid) {
    char path[64], mark[LAB_MARK_MAX];
    struct stat in;
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    if (stat(path, &in) != 0) return false; /* it has ended */
    for (size_t i = 0; i < e->space->n; i++) {
        const struct lab_space *s = &e->space->at[i];
        if (s->kind != SPACE_MARKED || s->inode != in.st_ino || s->device != in.st_dev) continue;
        return !e->hosts_only || !is_of_switches(e->lab->name, s);
    }
    if (e->hosts_only) return false;
    lab_mark_of_process(pid, mark);
    return lab_mark_is(mark, e->lab->name, e->id);
}

/* Sends the signal if the process is the lab's. The pidfd is opened first: if the number comes to name another process after
 * that, the signal does not reach that one. */
static void process_end(void *to, pid_t pid) {
    struct ending *e = to;
    int process = pidfd_open(pid, 0);
    if (process >= 0 && is_of_lab(e, pid) && pidfd_send_signal(process, e->number, NULL, 0) == 0) {
        e->n++;
        e->last = pid;
    }
    if (process >= 0) close(process);
}

/* Sends a signal to all processes. Returns how many there were. */
static uint32_t processes_signal(struct ending *e, int number) {
    e->n = 0;
    e->number = number;
    processes_each(process_end, e);
    e->any |= e->n > 0;
    return e->n;
}

/* Waits until no process is left. Returns whether that is so after END_MAX_MS. */
static bool processes_await(struct ending *e) {
    for (long waited = 0; waited < END_MAX_MS; waited += LOOK_MS) {
        if (processes_signal(e, 0) == 0) return true;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
    return false;
}

/* Ends processes, by SIGKILL if SIGTERM is not enough. */
static bool processes_end(struct ending *e, const struct lab_telling *t) {
    struct diag d = {0};
    if (processes_signal(e, SIGTERM) == 0 || processes_await(e)) return true;
    if (processes_signal(e, SIGKILL) == 0 || processes_await(e)) return true;
    diag_say(&d, "process %d of the lab does not end; lab down again removes the rest", (int)e->last);
    told(t, &d, true);
    return false;
}

/* ---- namespaces ---- */

/* Takes the namespaces of a record that was written before labs had marks: their names are all that says whose they are. */
static void unmarked_take(const struct lab *lab, struct lab_spaces *found) {
    for (uint32_t h = 0; h <= lab->n_hosts; h++) {
        const char *name = h < lab->n_hosts ? lab->host[h].space : lab->switches;
        struct lab_space s = {.kind = SPACE_MARKED};
        struct stat at;
        snprintf(s.path, sizeof s.path, SPACES "/%.255s", name);
        if (stat(s.path, &at) != 0) continue;
        s.device = at.st_dev;
        s.inode = at.st_ino;
        found->at = memory_grow(found->at, found->n + 1, sizeof *found->at);
        found->at[found->n++] = s;
    }
}

static bool is_ours(const struct lab_space *s, const char *id) {
    return s->kind == SPACE_MARKED || (s->kind == SPACE_UNBEGUN && !id);
}

static bool any_is_ours(const struct lab_spaces *found, const char *id) {
    for (size_t i = 0; i < found->n; i++)
        if (is_ours(&found->at[i], id)) return true;
    return false;
}

static bool spaces_end(const struct lab_spaces *found, const char *id, const struct lab_telling *t) {
    bool good = true;
    for (size_t i = 0; i < found->n; i++) {
        const struct lab_space *s = &found->at[i];
        struct diag d = {0};
        if (is_ours(s, id) && !space_remove(s, &d)) {
            told(t, &d, true);
            good = false;
        }
        if (s->kind != SPACE_FOREIGN) continue;
        diag_fail_in(&d, s->path, "no lab of heddle made this namespace, so it stays; ip netns del removes it");
        told(t, &d, false);
    }
    return good;
}

static void file_stays(void *to, const char *path) {
    struct diag d = {0};
    diag_fail_in(&d, path, "this file is not the lab's, so it stays");
    told(to, &d, false);
}

/* ---- the whole ---- */

static bool dctcp_end(const struct lab *lab, const struct lab_telling *t) {
    struct diag d = {0};
    bool good = !lab->dctcp[0] || dctcp_unload(lab->dctcp, &d);
    if (!good) told(t, &d, true);
    return good;
}

static bool containers_are_gone(const struct lab *lab, const struct lab_telling *t) {
    struct diag d = {0};
    bool good = !lab->tool[0] || containers_end(lab, &d);
    if (!good) told(t, &d, true);
    return good;
}

bool lab_remove(const struct lab *lab, const char *id, const struct lab_telling *t, bool *any) {
    struct lab_spaces found;
    struct diag d = {0};
    bool good = containers_are_gone(lab, t) & spaces_find(lab->name, id, &found, &d);
    if (!good) told(t, &d, true);
    if (lab->is_unmarked) unmarked_take(lab, &found);
    struct ending e = {.lab = lab, .id = id, .space = &found, .hosts_only = true};
    good &= processes_end(&e, t);
    e.hosts_only = false; /* the switches last, so that programs of hosts end while their network exists */
    good &= processes_end(&e, t);
    if (any) *any |= e.any || any_is_ours(&found, id);
    good &= spaces_end(&found, id, t);
    names_remove(lab);
    good &= dctcp_end(lab, t); /* after the namespaces, whose sockets use it */
    if (good) folder_clear(lab, file_stays, (void *)t);
    free(found.at);
    return good;
}

enum lab_end lab_down(const char *state, const char *name, const struct lab_telling *t) {
    struct lab place = {0};
    struct diag d = {0}, none = {0};
    if (!lab_place(&place, state, name, &d)) {
        told(t, &d, true);
        return LAB_STAYS;
    }
    bool any = access(place.folder, F_OK) == 0;
    int lock = folder_lock(&place, state, &d);
    if (lock < 0 &&
        access(place.folder, F_OK) == 0) { /* without a folder no lab is being made: there is no room for one */
        told(t, &d, true);
        return LAB_STAYS;
    }
    struct lab *lab = lab_find(state, name, &none); /* NULL: its record is lost */
    if (!lab) dctcp_name(place.folder, place.dctcp);
    bool good = lab_remove(lab ? lab : &place, NULL, t, &any);
    folder_unlock(&place, lock);
    lab_free(lab);
    return !good ? LAB_STAYS : any ? LAB_REMOVED : LAB_NOT_THERE;
}

bool lab_down_own(const char *state, const char *name, const char *id, const struct lab_telling *t) {
    struct diag none = {0};
    struct lab *lab = lab_find(state, name, &none);
    bool is_own = lab && strcmp(lab->id, id) == 0;
    lab_free(lab);
    return !is_own || lab_down(state, name, t) != LAB_STAYS;
}
