/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbars, a row each, in the order in which they are listed. crossbars.c makes the table of them.
 *
 * The rows stand apart from the interface (crossbar.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_CROSSBAR_CROSSBARS_H
#define HEDDLE_CROSSBAR_CROSSBARS_H

#include "mech/crossbar/crossbar.h"

#define CROSSBARS(ROW)                                                                                                 \
    ROW(output_queued)                                                                                                 \
    ROW(islip)

#define CROSSBAR_DECLARE(id) extern const struct crossbar_ops crossbar_##id;
CROSSBARS(CROSSBAR_DECLARE)

#endif
