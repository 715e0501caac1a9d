/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/admit/admissions.h"

#include <string.h>

#define ADMIT_ROW(id) &admit_##id,
static const struct admit_ops *const table[] = {ADMISSIONS(ADMIT_ROW)};

const struct admit_ops *const *admissions(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct admit_ops *admission_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

struct admit_limits admit_limits_of(const struct admit_config *config, int64_t buffer_bytes, int64_t rate_bps) {
    const struct admit_ops *ops = config->ops ? config->ops : &admit_droptail;
    return ops->limits(config, buffer_bytes, rate_bps);
}
