/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes that an experiment file makes itself:
 *
 *     schemes:
 *       mine: {scheme: expeditus, switch: {expeditus: {pst_timeout: 1ms}}, host: {transport: dctcp}}
 *
 * `scheme: mine` then stands for these keys as `scheme: expeditus` does for those of its row (study/config/schemes.h). A key
 * comes from the file's own `switch` and `host` first, then from the scheme that the file makes, then from the scheme that
 * this one starts from. Only a scheme of heddle's may be started from. Names are letters, digits, - and _; those of heddle's
 * schemes are refused, so that a name says the same in every file.
 *
 * A run's configuration has the keys alone, so a scheme that sets what another one sets has the identity of its runs.
 */
#ifndef HEDDLE_STUDY_CONFIG_OWN_SCHEMES_H
#define HEDDLE_STUDY_CONFIG_OWN_SCHEMES_H

#include "study/config/config.h"
#include "study/config/schemes.h"

/* Returns the block of the file's own scheme that its `scheme` names; NULL if it names none of them. */
const struct tree_node *own_scheme(const struct tree_node *root);
/* Returns the scheme of heddle's whose keys apply: the one that `scheme` names, or that the file's own one starts from; NULL
 * if there is none. */
const struct scheme *scheme_of_tree(const struct tree_node *root);

/* Checks each of the file's schemes as if `scheme` named it, used or not: its name, its keys, their values. False after
 * filling *d. */
bool own_schemes_check(const struct config_input *in, struct diag *d);
/* Checks that `scheme` names a scheme, of the file or of heddle. False after filling *d. */
bool scheme_name_check(const struct tree_node *root, struct diag *d);

#endif
