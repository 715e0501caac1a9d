/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of transports for tests: sets them by name. */
#ifndef HEDDLE_TESTS_TRANSPORT_ROWS_H
#define HEDDLE_TESTS_TRANSPORT_ROWS_H

#include "mech/transport/transport.h"

#include <string.h>

/* Writes the number of the parameter `name` to *at. Returns false if the transport has no such parameter. */
static inline bool row_param(const struct transport_ops *t, const char *name, size_t *at) {
    for (*at = 0; *at < transport_n_params(t); ++*at)
        if (strcmp(transport_param(t, *at).name, name) == 0) return true;
    return false;
}

/* Sets the parameter `name`. Returns false if the transport has no such parameter. */
static inline bool row_set(const struct transport_ops *t, int64_t *params, const char *name, int64_t value) {
    size_t at;
    if (!row_param(t, name, &at)) return false;
    params[at] = value;
    return true;
}

#endif
