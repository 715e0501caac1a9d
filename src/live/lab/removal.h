/* SPDX-License-Identifier: Apache-2.0 */
/* Private to live/lab: removes what bears the mark of a lab. */
#ifndef HEDDLE_LIVE_LAB_REMOVAL_H
#define HEDDLE_LIVE_LAB_REMOVAL_H

#include "live/lab/lab.h"

/* Ends the processes of a lab, and removes its namespaces, its DCTCP and the files of its folder. The caller has the lock of
 * the folder. id NULL: of every lab of this name. Returns false if anything of the lab stays, and keeps the record then. *any
 * becomes true if there was a process or a namespace of the lab; any may be NULL. */
bool lab_remove(const struct lab *lab, const char *id, const struct lab_telling *t, bool *any);

#endif
