/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of transports for tests: parameters by name, by default. */
#ifndef HEDDLE_TESTS_TRANSPORT_ROWS_H
#define HEDDLE_TESTS_TRANSPORT_ROWS_H

#include "mech/transport/transport.h"

#include <string.h>

/* Its number; false if the row has none of that name. */
static inline bool row_param(const struct transport_ops *t, const char *name, size_t *at) {
    for (*at = 0; *at < transport_n_params(t); ++*at)
        if (strcmp(transport_param(t, *at).name, name) == 0) return true;
    return false;
}

/* Sets it if the row has it; false if not. */
static inline bool row_set(const struct transport_ops *t, int64_t *params, const char *name, int64_t value) {
    size_t at;
    if (!row_param(t, name, &at)) return false;
    params[at] = value;
    return true;
}

#endif
