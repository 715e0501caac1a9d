/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/ranks.h"

#include "ranks/launch.h"
#include "ranks/ranks_ops.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TAG_NOTE, TAG_BYTES };
#define PIECE ((size_t)1 << 30)

/* ---- the module ---- */

#ifdef HEDDLE_HAS_MPI

static void *module_open(char *why, size_t size) {
    char beside[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", beside, sizeof beside - sizeof "/" RANKS_MODULE);
    char *slash = n > 0 ? memrchr(beside, '/', (size_t)n) : NULL;
    if (slash) {
        memcpy(slash, "/" RANKS_MODULE, sizeof "/" RANKS_MODULE);
        if (access(beside, R_OK) != 0) slash = NULL;
    }
    /* Parts of Open MPI that it loads itself look for its symbols among the global ones. */
    void *module = dlopen(slash ? beside : HEDDLE_LIBRARIES "/" RANKS_MODULE, RTLD_NOW | RTLD_GLOBAL);
    if (!module) snprintf(why, size, "%s", dlerror());
    return module;
}

static const struct ranks_ops *ops_load(struct diag *d) {
    char why[300];
    void *module = module_open(why, sizeof why);
    if (!module) {
        diag_say(d, "Open MPI cannot be used: %s", why);
        return NULL;
    }
    const struct ranks_ops *ops = dlsym(module, RANKS_SYMBOL);
    if (ops && strcmp(ops->version, HEDDLE_VERSION) == 0) return ops;
    diag_say(d, RANKS_MODULE " is not of this version of heddle, " HEDDLE_VERSION "; install both together");
    return NULL;
}

static bool is_built_with_mpi(void) { return true; }

#else

static bool is_built_with_mpi(void) { return false; }

static const struct ranks_ops *ops_load(struct diag *d) {
    diag_say(d, "several processes were started, but this heddle was built without Open MPI; start one, or install "
                "libopenmpi-dev and build again");
    return NULL;
}

#endif

/* ---- joining ---- */

/* Opens the library with all signals blocked. Its threads inherit that, so signals reach the thread that waits for
 * them. */
static bool ops_open(const struct ranks_ops *ops, struct ranks *r) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool ok = ops->open(&r->rank, &r->size, &r->on_machine);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

bool ranks_join(struct ranks *r, struct diag *d) {
    struct launch l = launch_find();
    *r = (struct ranks){.rank = l.rank, .size = 1, .on_machine = 1};
    if (l.size == 1) return true;
    const struct ranks_ops *ops = ops_load(d);
    if (!ops) return false;
    if (!l.open_mpi)
        return diag_say(d,
                        "%s started %u processes that Open MPI cannot connect, so each would run everything; use "
                        "mpirun of Open MPI, or srun --mpi=pmix",
                        l.launcher, l.size);
    if (!ops_open(ops, r)) return diag_say(d, "Open MPI could not be opened for %u processes", l.size);
    r->ops = ops;
    if (r->size == l.size) return true;
    diag_say(d,
             "%s started %u processes, but Open MPI found %u of them; use the mpirun of the Open MPI that heddle uses",
             l.launcher, l.size, r->size);
    ranks_leave(r);
    r->rank = l.rank;
    return false;
}

bool ranks_divide(const struct ranks *r, uint32_t each, struct diag *d) {
    if (r->size % each == 0) return true;
    if (!is_built_with_mpi())
        return diag_say(d,
                        "--ranks-per-run %u needs Open MPI, and this heddle was built without it; install "
                        "libopenmpi-dev and build again, or take --threads",
                        each);
    return diag_say(
        d, "--ranks-per-run %u needs as many ranks, or a multiple, and there %s %u: mpirun -n %u heddle run ...", each,
        r->size == 1 ? "is" : "are", r->size, each);
}

void ranks_leave(struct ranks *r) {
    if (r->ops) r->ops->close();
    r->ops = NULL;
}

/* ---- messages ---- */

void ranks_gather(const struct ranks *r, const void *one, void *all, size_t each) {
    if (r->ops)
        r->ops->gather(one, all, each);
    else
        memcpy(all, one, each);
}

void ranks_spread(const struct ranks *r, void *data, size_t size) {
    if (r->ops) r->ops->spread(data, size);
}

bool ranks_poll(const struct ranks *r, uint32_t *from) { return r->ops && r->ops->poll(TAG_NOTE, from); }

void ranks_send(const struct ranks *r, uint32_t to, const void *note, size_t size) {
    r->ops->send(to, TAG_NOTE, note, size);
}

void ranks_receive(const struct ranks *r, uint32_t from, void *note, size_t size) {
    r->ops->receive(from, TAG_NOTE, note, size);
}

void ranks_send_bytes(const struct ranks *r, uint32_t to, const void *data, size_t size) {
    for (size_t at = 0; at < size; at += PIECE)
        r->ops->send(to, TAG_BYTES, (const char *)data + at, size - at < PIECE ? size - at : PIECE);
}

void ranks_receive_bytes(const struct ranks *r, uint32_t from, void *data, size_t size) {
    for (size_t at = 0; at < size; at += PIECE)
        r->ops->receive(from, TAG_BYTES, (char *)data + at, size - at < PIECE ? size - at : PIECE);
}
