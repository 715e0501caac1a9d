/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cores.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t cores_allowed(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 0;
}

/* Takes the number that the user gave. */
static bool cores_read(const char *text, uint32_t *cores, struct diag *d) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    bool fine = text[0] >= '0' && text[0] <= '9' && *end == '\0' && n >= 1 && n <= CORES_MOST;
    if (!fine)
        return diag_say(d, CORES_VARIABLE " is '%s', not a number of cores from 1 to %d; set or unset it", text,
                        CORES_MOST);
    *cores = (uint32_t)n;
    return true;
}

bool cores_count(uint32_t sharing, uint32_t *cores, struct diag *d) {
    const char *given = getenv(CORES_VARIABLE);
    if (given) return cores_read(given, cores, d);
    *cores = cores_allowed();
    if (*cores == sysconf(_SC_NPROCESSORS_ONLN)) *cores = *cores > sharing ? *cores / sharing : 1;
    return true;
}
