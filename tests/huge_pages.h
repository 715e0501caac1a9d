/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the kernel was asked for huge pages, for tests of memory. */
#ifndef HEDDLE_TESTS_HUGE_PAGES_H
#define HEDDLE_TESTS_HUGE_PAGES_H

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline void skip_without_huge_pages(void) {
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0) return;
    print_message("skipped: this kernel has no transparent huge pages\n");
    skip();
}

/* Returns whether the memory at this address was advised: flag "hg" in VmFlags of smaps, proc(5). */
static inline bool is_advised(const void *memory) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    assert_non_null(maps);
    char line[512];
    unsigned long from, to, at = (unsigned long)(uintptr_t)memory;
    bool inside = false, advised = false;
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2) inside = from <= at && at < to;
        if (inside && strncmp(line, "VmFlags:", 8) == 0) advised = strstr(line, " hg") != NULL;
    }
    fclose(maps);
    return advised;
}

#endif
