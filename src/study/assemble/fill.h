/* SPDX-License-Identifier: Apache-2.0 */
/* From the effective configuration into structs of settings, by the rows of parameters (PARAM_IN, base/param.h).
 *
 * A key that applies and is not none gives its value; else the field holds `without`. What a row cannot say (one value
 * that depends on others) its caller puts right afterwards.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_FILL_H
#define HEDDLE_STUDY_ASSEMBLE_FILL_H

#include "study/assemble/parts.h"

struct fill {
    struct assembly *a; /* owns lists and paths; its fabric names hosts and pods */
    const struct config *c;
    const char *base_dir; /* where relative paths start */
    struct diag *d;
};

/* The field of one parameter, whose key is BLOCK.NAME. False after filling *d: no such host or pod. Parameters without
 * a field, and sizes, are left alone. */
bool fill_param(const struct fill *f, const char *block, const struct param *p, void *into);
/* Of several: up to a row without a name; up to NULL. */
bool fill_params(const struct fill *f, const char *block, const struct param *p, void *into);
bool fill_list(const struct fill *f, const char *block, const struct param *const *p, void *into);
/* The values of n parameters in their order; NULL for none. Owned by the assembly. */
const int64_t *fill_values(const struct fill *f, const char *block, const struct param *p, size_t n);

#endif
