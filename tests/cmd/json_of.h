/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of JSON that the program printed. */
#ifndef HEDDLE_TESTS_JSON_OF_H
#define HEDDLE_TESTS_JSON_OF_H

#include "program.h"
#include "unit.h"

#include <jansson.h>

/* Returns the object on one line; the caller releases it with json_decref. Fails the test if the line is not JSON. */
static inline json_t *json_of(const char *out, int line) {
    json_t *o = json_loads(line_of(out, line), 0, NULL);
    if (!o) fail_msg("no JSON: %s", line_of(out, line));
    return o;
}

#endif
