/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/processors.h"

#include <stdio.h>

static void mask_write(const cpu_set_t *set, char mask[PROCESSORS_MASK_MAX]) {
    size_t at = 0;
    for (int group = CPU_SETSIZE / 32 - 1; group >= 0; group--) {
        uint32_t bits = 0;
        for (int i = 0; i < 32; i++) bits |= (uint32_t)(CPU_ISSET(32 * group + i, set) != 0) << i;
        if (bits || at || group == 0)
            at += (size_t)snprintf(mask + at, PROCESSORS_MASK_MAX - at, at ? ",%08x" : "%x", bits);
    }
}

void processors_divide(const cpu_set_t *allowed, uint32_t threads, struct processors *p) {
    cpu_set_t receive = *allowed;
    p->n = 0;
    if ((uint32_t)CPU_COUNT(allowed) > threads) {
        for (int cpu = CPU_SETSIZE - 1; p->n < threads; cpu--) {
            if (!CPU_ISSET(cpu, allowed)) continue;
            p->of_thread[p->n++] = (uint32_t)cpu;
            CPU_CLR(cpu, &receive);
        }
    }
    mask_write(&receive, p->receive);
}
