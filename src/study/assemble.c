#include "study/assemble.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/assemble_parts.h"
#include "study/credits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *assembly_own(struct assembly *a, size_t n, size_t size) {
    if (n == 0) return NULL;
    a->owned = memory_grow(a->owned, a->n_owned + 1, sizeof *a->owned);
    return a->owned[a->n_owned++] = memory_get(n, size);
}

/* ---- all of it ---- */

static bool assembly_fill(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    a->world.seed = (uint64_t)config_value(c, 0, "run.seed");
    a->world.until = config_value(c, TIME_NONE, "run.until");
    a->world.board_epoch = config_value(c, PS_PER_US, "clairvoyant.epoch");
    a->world.threads = 1;
    if (!assemble_fabric(a, c, base_dir, d)) return false;
    if (!assemble_nodes(a, c, d) || !credits_check(a, c, d)) return false;
    if (!assemble_workload(a, c, base_dir, d) || !assemble_measure(a, c, d)) return false;
    a->world.fabric = a->fabric;
    a->world.flows = &a->flows;
    return true;
}

struct assembly *assembly_create(const struct config *c, const char *base_dir, struct diag *d) {
    struct assembly *a = memory_get(1, sizeof *a);
    if (assembly_fill(a, c, base_dir, d)) return a;
    assembly_free(a);
    return NULL;
}

void assembly_free(struct assembly *a) {
    if (!a) return;
    for (size_t i = 0; i < a->n_workload; i++) sizes_destroy(a->workload[i].sizes);
    free(a->workload);
    flow_list_free(&a->flows);
    if (a->fabric) fabric_destroy(a->fabric);
    for (size_t i = 0; i < a->n_owned; i++) free(a->owned[i]);
    free(a->owned);
    free(a);
}

/* ---- memory ---- */

/* What this machine can give, in bytes; INT64_MAX if it does not say. */
static int64_t memory_available(void) {
    FILE *f = fopen("/proc/meminfo", "r");
    long long kib = -1;
    char line[128];
    while (f && kib < 0 && fgets(line, sizeof line, f)) {
        if (sscanf(line, "MemAvailable: %lld kB", &kib) != 1) kib = -1;
    }
    if (f) fclose(f);
    int64_t available = kib < 0 ? INT64_MAX : kib * 1024;
    long long limit;
    f = fopen("/sys/fs/cgroup/memory.max", "r");
    if (f && fscanf(f, "%lld", &limit) == 1 && limit < available) available = limit;
    if (f) fclose(f);
    return available;
}

bool assembly_memory_check(const struct assembly *a, const struct config *c, uint32_t jobs, struct diag *d) {
    uint64_t one = world_memory_foreseen(&a->world);
    int64_t available = memory_available();
    if (one <= (uint64_t)available / jobs) return true;
    char needed[UNITS_TEXT_MAX], had[UNITS_TEXT_MAX];
    int64_t mb = 1000000;
    return config_fail(c, d, "fabric.kind", "%s%s for each of %u runs side by side, but this machine has %s; %s",
                       "memory: at least ",
                       units_print(PARAM_BYTES, ((int64_t)one / mb + 1) * mb, needed, sizeof needed), jobs,
                       units_print(PARAM_BYTES, available / mb * mb, had, sizeof had),
                       jobs > 1 ? "lower --jobs" : "take a smaller fabric or fewer flows");
}
