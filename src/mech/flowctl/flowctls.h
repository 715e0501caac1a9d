/* SPDX-License-Identifier: Apache-2.0 */
/* The flow controls, a row each, in the order in which they are listed. flowctls.c makes the table of them.
 *
 * The rows stand apart from the interface (flowctl.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_FLOWCTL_FLOWCTLS_H
#define HEDDLE_FLOWCTL_FLOWCTLS_H

#include "mech/flowctl/flowctl.h"

#define FLOWCTLS(ROW)                                                                                                  \
    ROW(none)                                                                                                          \
    ROW(pause)                                                                                                         \
    ROW(pfc)

#define FLOWCTL_DECLARE(id) extern const struct flowctl_ops flowctl_##id;
FLOWCTLS(FLOWCTL_DECLARE)

#endif
