/* SPDX-License-Identifier: Apache-2.0 */
/* Fills config structs from the effective configuration, by the rows of parameters (PARAM_IN, base/param.h).
 *
 * A field gets the value of its key if the key applies and is not none, else `without` of the row. A field that depends
 * on other values is corrected by the caller afterwards.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_FILL_H
#define HEDDLE_STUDY_ASSEMBLE_FILL_H

#include "study/assemble/parts.h"

struct fill {
    struct assembly *a; /* owns lists and paths; its fabric names hosts and pods */
    const struct config *c;
    const char *base_dir; /* directory where relative paths start */
    struct diag *d;
};

/* Fills the field of one parameter, whose key is BLOCK.NAME. False after filling *d if there is no such host or pod.
 * Leaves parameters without a field, and sizes, alone. */
bool fill_param(const struct fill *f, const char *block, const struct param *p, void *into);
/* Fill the fields of several parameters: up to a row without a name, or up to NULL. */
bool fill_params(const struct fill *f, const char *block, const struct param *p, void *into);
bool fill_list(const struct fill *f, const char *block, const struct param *const *p, void *into);
/* Fills the keys of a row, some of which have a field in the row's own struct (PARAM_OWN_IN). */
bool fill_row(const struct fill *f, const char *block, const struct param *const *p, void *into, void *own);
/* Returns the values of n parameters in their order, owned by the assembly; NULL if n is 0. */
const int64_t *fill_values(const struct fill *f, const char *block, const struct param *p, size_t n);

#endif
