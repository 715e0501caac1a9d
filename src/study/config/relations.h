/* SPDX-License-Identifier: Apache-2.0 */
/* Part of study/config/config: relations between the values of keys.
 *
 * The row of a parameter names the other key and the relation (`order`, base/param.h): "<=max_rto" of min_rto. The other
 * key stands beside it, in the same block or list item. "0|>=KEY" allows 0 too, "+KEY" refuses that both are 0. A key may
 * be refused beside another one too (`refuse`).
 * Relations hold between keys that both have a value and act (study/config/acts.h).
 */
#ifndef HEDDLE_STUDY_CONFIG_RELATIONS_H
#define HEDDLE_STUDY_CONFIG_RELATIONS_H

#include "study/config/config.h"

/* Returns whether all relations hold; else fills *d with the place of one key and, in its text, that of the other. */
bool relations_check(const struct config *c, struct diag *d);

#endif
