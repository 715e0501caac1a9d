/* SPDX-License-Identifier: Apache-2.0 */
/* The mark of a lab, on all that it makes outside its folder. Labs are removed by it, so a record that is lost loses nothing,
 * and nothing that only has a lab's name is ever removed.
 *
 *    heddle lab NAME ID        ID is random: no other lab has it, nor a later one of the same name
 *
 *  namespaces   the alias of the interface lo, set before the namespace has a name. The kernel reuses the inodes of
 *               namespaces, so an inode could be that of a stranger's; the alias goes with its namespace.
 *  processes    LAB_MARK_ENVIRONMENT in the environment with which the switches and the NICs were started. Process ids are
 *               reused too; the environment goes with its process.
 */
#ifndef HEDDLE_LIVE_LAB_MARK_H
#define HEDDLE_LIVE_LAB_MARK_H

#include "base/diag.h"

#include <stddef.h>
#include <sys/types.h>

#define LAB_ID_BYTES 17 /* 16 hexadecimal digits and the final 0 */
#define LAB_MARK_MAX 80
#define LAB_MARK_ENVIRONMENT "HEDDLE_LAB_MARK"

/* Draws the id of a new lab. */
void lab_id_draw(char id[LAB_ID_BYTES]);

/* Writes the mark of a lab. Returns mark. */
const char *lab_mark_write(char mark[LAB_MARK_MAX], const char *name, const char *id);
/* Returns whether this is the mark of the lab of this name and id; id NULL: of any lab of this name. */
bool lab_mark_is(const char *mark, const char *name, const char *id);

/* Marks the network namespace of the calling thread. Returns false after filling *d. */
bool lab_mark_set_here(const char *mark, struct diag *d);

/* A question for the mark of the network namespace at a path, such as /proc/1/ns/net. */
struct lab_mark_question {
    char path[300];
    char mark[LAB_MARK_MAX]; /* the answer; "" if there is no namespace, or none with a mark */
};
/* Answers the questions. The process stays in its namespace: a thread of its own enters the others. Returns false after
 * filling *d: there is no such thread. */
bool lab_marks_read(struct lab_mark_question *q, size_t n, struct diag *d);

/* Fills the mark in the environment of a process; "" if it has none, or is gone. */
void lab_mark_of_process(pid_t pid, char mark[LAB_MARK_MAX]);

#endif
