/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"
#include "study/assemble/parts.h"

#include <stdio.h>
#include <sys/resource.h>

/* ---- what the machine has ---- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns MemAvailable of /proc/meminfo; UINT64_MAX if it is not there. */
static uint64_t meminfo_bytes(void) {
    FILE *f = fopen("/proc/meminfo", "r");
    long long kib = -1;
    char line[128];
    while (f && kib < 0 && fgets(line, sizeof line, f)) {
        if (sscanf(line, "MemAvailable: %lld kB", &kib) != 1) kib = -1;
    }
    if (f) fclose(f);
    return kib < 0 ? UINT64_MAX : (uint64_t)kib * 1024;
}

static uint64_t cgroup_bytes(void) {
    long long limit;
    FILE *f = fopen("/sys/fs/cgroup/memory.max", "r");
    bool limited = f && fscanf(f, "%lld", &limit) == 1 && limit >= 0;
    if (f) fclose(f);
    return limited ? (uint64_t)limit : UINT64_MAX;
}

/* Returns the lower of `ulimit -v` and `ulimit -d`; UINT64_MAX if neither is set. */
static uint64_t ulimit_bytes(void) {
    struct rlimit space, data;
    uint64_t bytes = UINT64_MAX;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) bytes = least(bytes, space.rlim_cur);
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY) bytes = least(bytes, data.rlim_cur);
    return bytes;
}

uint64_t machine_memory_bytes(void) { return least(meminfo_bytes(), least(cgroup_bytes(), ulimit_bytes())); }

const char *machine_memory_text(uint64_t bytes, char *buf, size_t size) {
    uint64_t unit = bytes >= 10000000000 ? 1000000000 : 1000000;
    uint64_t whole = bytes / unit + (bytes % unit != 0);
    snprintf(buf, size, "%llu %s", (unsigned long long)whole, unit == 1000000 ? "MB" : "GB");
    return buf;
}

/* ---- before a run ---- */

bool assembly_memory_check(const struct config *c, uint64_t one, uint32_t jobs, uint32_t ranks, struct diag *d) {
    uint64_t available = machine_memory_bytes();
    if (c->force || one <= available / jobs) return true;
    char needed[UNITS_TEXT_MAX], had[UNITS_TEXT_MAX];
    return config_fail(c, d, "fabric.kind",
                       "memory: about %s for each of %u %s, but this machine has %s; %s, or go on with --force",
                       machine_memory_text(one, needed, sizeof needed), jobs,
                       ranks > 1 ? "ranks here" : "runs side by side", machine_memory_text(available, had, sizeof had),
                       ranks > 1  ? "take fewer ranks on each machine"
                       : jobs > 1 ? "lower --jobs"
                                  : "take a smaller fabric or fewer flows");
}

bool assemble_flows_check(const struct assembly *a, const struct config *c, struct diag *d) {
    uint64_t flows = 0, most = 0, available = machine_memory_bytes(), each = world_flow_bytes();
    size_t largest = 0;
    for (size_t i = 0; i < a->n_workload; i++) {
        uint64_t n = workload_flows_foreseen(&a->workload[i], &a->fabric->population);
        if (n > most) most = n, largest = i;
        if (__builtin_add_overflow(flows, n, &flows)) flows = UINT64_MAX;
    }
    uint64_t rest = fabric_memory_bytes(a->fabric), room = available > rest ? available - rest : 0;
    if (c->force || flows <= room / each) return true;
    char needed[UNITS_TEXT_MAX], had[UNITS_TEXT_MAX], path[KEY_PATH_MAX], list[KEY_PATH_MAX];
    path_join(path, path_item(list, "workload", largest), "kind");
    return config_fail(
        c, d, path,
        "workload.%zu makes about %llu flows; the memory for all flows is about %s, but this machine has "
        "%s; take fewer flows, a lower load or a shorter run, or go on with --force",
        largest, (unsigned long long)most,
        machine_memory_text(flows > UINT64_MAX / each ? UINT64_MAX : flows * each, needed, sizeof needed),
        machine_memory_text(available, had, sizeof had));
}
