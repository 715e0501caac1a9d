/* SPDX-License-Identifier: Apache-2.0 */
/* Whether results will fit on the disk of their store. */
#ifndef HEDDLE_STUDY_RUN_DISK_H
#define HEDDLE_STUDY_RUN_DISK_H

#include "base/diag.h"

/* Returns whether the file system of `store`, a path whose file need not exist, has room for so many more bytes: also if it cannot be
 * asked. False after filling *d with both figures and the remedies. */
bool disk_check(const char *store, uint64_t bytes, struct diag *d);

#endif
