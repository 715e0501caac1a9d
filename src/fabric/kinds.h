/* SPDX-License-Identifier: Apache-2.0 */
/* The topologies, a row each, in the order in which they are listed. kinds.c makes the table of them.
 *
 * The rows stand apart from the interface (fabric.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_FABRIC_KINDS_H
#define HEDDLE_FABRIC_KINDS_H

#include "fabric/fabric.h"

#define FABRICS(ROW)                                                                                                   \
    ROW(clos)                                                                                                          \
    ROW(leaf_spine)                                                                                                    \
    ROW(dual_tor)                                                                                                      \
    ROW(rails)                                                                                                         \
    ROW(fat_tree)                                                                                                      \
    ROW(star)                                                                                                          \
    ROW(dumbbell)                                                                                                      \
    ROW(parking_lot)                                                                                                   \
    ROW(file)

#define FABRIC_DECLARE(id) extern const struct fabric_ops fabric_##id;
FABRICS(FABRIC_DECLARE)

#endif
