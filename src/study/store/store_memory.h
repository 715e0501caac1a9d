/* SPDX-License-Identifier: Apache-2.0 */
/* What SQLite does when memory runs out. */
#ifndef HEDDLE_STUDY_STORE_STORE_MEMORY_H
#define HEDDLE_STUDY_STORE_STORE_MEMORY_H

/* From now on the program ends through memory_out (base/memory.h) where SQLite finds no memory. Must be called before the
 * first use of SQLite. SQLite itself would return SQLITE_NOMEM, but from some functions only NULL: a text that is bound
 * would be stored as NULL, and one that is read would look like NULL. Ending at any instant harms no store. */
void store_memory_begin(void);

#endif
