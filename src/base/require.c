/* SPDX-License-Identifier: Apache-2.0 */
#include "base/require.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void require_failed(const char *what, const char *file, int line) {
    const char *inside = strstr(file, "src/");
    fprintf(stderr, "heddle: internal error: %s:%d: %s does not hold; no result of this run can be trusted\n",
            inside ? inside : file, line, what);
    abort();
}
