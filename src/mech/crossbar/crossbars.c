/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/crossbar/crossbars.h"

#include <string.h>

#define CROSSBAR_ROW(id) &crossbar_##id,
static const struct crossbar_ops *const table[] = {CROSSBARS(CROSSBAR_ROW)};

const struct crossbar_ops *const *crossbars(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct crossbar_ops *crossbar_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
