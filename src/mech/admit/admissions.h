/* SPDX-License-Identifier: Apache-2.0 */
/* The admissions, a row each, in the order in which they are listed. admissions.c makes the table of them.
 *
 * The rows stand apart from the interface (admit.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_ADMIT_ADMISSIONS_H
#define HEDDLE_ADMIT_ADMISSIONS_H

#include "mech/admit/admit.h"

#define ADMISSIONS(ROW)                                                                                                \
    ROW(droptail)                                                                                                      \
    ROW(ecn)                                                                                                           \
    ROW(phantom)

#define ADMIT_DECLARE(id) extern const struct admit_ops admit_##id;
ADMISSIONS(ADMIT_DECLARE)

#endif
