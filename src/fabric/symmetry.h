/* SPDX-License-Identifier: Apache-2.0 */
/* Do both directions between two racks have the same choices? (ExpressPass, path symmetry; CLAIMS AM-11)
 *
 * Credits bound the data queue only where data crosses the links of its credit backwards. Switches choose by a number
 * that both directions share, one per tier (a symmetric hash with the tier's salt, or the path pinned in the frame), so
 * it suffices that along every path each tier's switches choose the same place among as many next hops in both
 * directions. In clos, fat-tree and leaf-spine they always do, also with links withdrawn: next hops of a rack are those
 * from which a whole way is left, which is the same question from both ends (tests/scenario/test_path_symmetry.c walks
 * it). A fabric from a file may have parallel links, which only the upper switch has to choose from on the way down, or
 * racks with unlike uplinks.
 *
 * Cost: every path of every pair of racks in every settled state, of fabrics from a file.
 */
#ifndef HEDDLE_FABRIC_SYMMETRY_H
#define HEDDLE_FABRIC_SYMMETRY_H

#include "fabric/fabric.h"

struct fabric_asymmetry {
    uint32_t rack, other; /* the first pair whose ways there and back differ */
    uint32_t state;       /* settled state in which they do */
};

/* False: *first says which pair is not. The kinds that always are do not cost a walk. */
bool fabric_is_symmetric(const struct fabric *f, struct fabric_asymmetry *first);
/* The same by walking, whatever the kind. */
bool fabric_symmetry_walk(const struct fabric *f, struct fabric_asymmetry *first);

#endif
