/* SPDX-License-Identifier: Apache-2.0 */
/* The network namespaces of a lab: heddle-LAB.HOST and heddle-LAB.switches.
 *
 * The name of a lab has no dot, so the first dot ends it, and names of two labs are never the same. A namespace gets its
 * lab's mark (live/lab/mark.h) before its name: whatever has the name and not the mark was made by somebody else.
 */
#ifndef HEDDLE_LIVE_LAB_SPACES_H
#define HEDDLE_LIVE_LAB_SPACES_H

#include "live/lab/mark.h"

#define SPACES "/run/netns" /* as ip netns has them */
#define SPACE_OF_SWITCHES "switches"

/* Returns the name of the namespace of a host, or of SPACE_OF_SWITCHES, which the caller frees. */
char *space_name(const char *lab, const char *host);

/* Returns whether anything has the name already. */
bool space_is_taken(const char *name);

/* Returns whether there is a namespace of this name: a name whose namespace is gone does not count. */
bool space_is_there(const char *name);

/* Makes marked namespaces with these names. Returns false after filling *d; those made so far stay, and bear the mark. */
bool spaces_make(const char *const *name, size_t n, const char *mark, struct diag *d);

/* Gives the network namespace of a process the mark, and then the name. Returns false after filling *d. */
bool space_adopt(const char *name, pid_t pid, const char *mark, struct diag *d);

enum space_kind {
    SPACE_MARKED,  /* a namespace of the lab */
    SPACE_FOREIGN, /* has a name of the lab and not its mark */
    SPACE_UNBEGUN, /* a name without a namespace: its maker was killed between the two */
};

struct lab_space {
    char path[300]; /* its name with SPACES before it, or "" if it has none any more */
    dev_t device;   /* which namespace it is, with `inode` */
    ino_t inode;
    enum space_kind kind;
};

struct lab_spaces {
    struct lab_space *at; /* [n], by names and then by processes; the caller frees it */
    size_t n;
};

/* Finds what there is of a lab: all that has one of its names, and the namespaces of processes that bear its mark. id NULL: of
 * any lab of this name. Returns false after filling *d. */
bool spaces_find(const char *lab, const char *id, struct lab_spaces *found, struct diag *d);

/* Removes the name; the namespace ends with its last process. Returns false after filling *d. */
bool space_remove(const struct lab_space *s, struct diag *d);

/* Calls fn for each process but this one. */
void processes_each(void (*fn)(void *to, pid_t pid), void *to);

#endif
