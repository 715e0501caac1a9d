/* SPDX-License-Identifier: Apache-2.0 */
/* Path symmetry: whether both directions between two racks have the same choices (ExpressPass; AM-11).
 *
 * Credits bound the data queue only if data crosses the links of its credit in reverse. Both directions of a flow share
 * one number per tier, by which switches choose (a symmetric hash with the tier's salt, or the path pinned in the
 * frame). So it suffices that along every path the switches of a tier choose the same index among equally many next
 * hops in both directions. Clos, fat-tree and leaf-spine are always symmetric, also with links withdrawn: a next hop is
 * one from which a complete path is left, and that is the same set from both ends (tests/scenario/test_path_symmetry.c
 * walks it). A fabric from a file may be asymmetric: it may have parallel links, among which only the upper switch has
 * to choose on the way down, or racks with different uplinks.
 *
 * Cost: only for fabrics from a file, every path of every pair of racks in every settled state.
 */
#ifndef HEDDLE_FABRIC_SYMMETRY_H
#define HEDDLE_FABRIC_SYMMETRY_H

#include "fabric/fabric.h"

struct fabric_asymmetry {
    uint32_t rack, other; /* first pair whose paths differ between the two directions */
    uint32_t state;       /* settled state in which they differ */
};

/* Returns whether the fabric is symmetric; if not, *first is the first pair that is not. Walks only fabrics from a
 * file. */
bool fabric_is_symmetric(const struct fabric *f, struct fabric_asymmetry *first);
/* Returns whether the fabric is symmetric, by a walk over fabrics of every kind; sets *first likewise. */
bool fabric_symmetry_walk(const struct fabric *f, struct fabric_asymmetry *first);

#endif
