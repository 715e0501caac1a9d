/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a lab, STATE/LAB: its record (lab.json), the sockets and logs of its processes, and a lock.
 *
 * Whoever makes or removes the lab holds the lock. The programs that it runs meanwhile hold the lock with it, so a lab whose
 * maker was killed is locked until the last of them has ended. Then nothing more can come to the lab, and what there is can
 * be removed.
 *
 * The record is the first thing of a lab, and the last that is removed. It appears whole, by a rename: it is there or it is
 * not. A folder without a record reserves nothing.
 */
#ifndef HEDDLE_LIVE_LAB_FOLDER_H
#define HEDDLE_LIVE_LAB_FOLDER_H

#include "live/lab/lab.h"

/* Makes the folder if it is missing, and locks it. Returns a file for folder_unlock; -1 after filling *d: no folder can be
 * made, or another process holds the lock for FOLDER_PATIENCE_MS. */
int folder_lock(const struct lab *lab, const char *state, struct diag *d);
#define FOLDER_PATIENCE_MS 10000
/* Releases the lock; removes the folder if it is empty. */
void folder_unlock(const struct lab *lab, int fd);

/* Returns whether another process makes or removes the lab. */
bool folder_is_in_use(const struct lab *lab);

/* Returns whether there is a record, whole or not. */
bool folder_has_record(const struct lab *lab);
/* Replaces the record. Returns false after filling *d: the record is as it was. */
bool folder_put_record(const struct lab *lab, const char *text, struct diag *d);

/* Removes what a lab has in its folder, the record last. Calls `stays` for each other file. */
void folder_clear(const struct lab *lab, void (*stays)(void *to, const char *path), void *to);

#endif
