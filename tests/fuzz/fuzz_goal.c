/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a schedule in GOAL, text or binary. */
#include "fuzz_job.h"
#include "workload/files/goal.h"

static bool make(struct generator *g, const void *data, size_t n) {
    struct operations o;
    operations_init(&o, "fuzz");
    bool ok = goal_is_binary(data, n) ? goal_binary_read(&o, data, n, g->d) : goal_text_read(&o, data, n, g->d);
    if (ok && o.n_ranks > FUZZ_HOSTS) {
        diag_fail(g->d, "fuzz", 0, 0, "more ranks than hosts");
        ok = false;
    }
    if (ok) {
        uint32_t *host = calloc(FUZZ_HOSTS, sizeof *host);
        for (uint32_t i = 0; i < FUZZ_HOSTS; i++) host[i] = i;
        ok = operations_make(g, &o, host, "goal");
    }
    operations_fini(&o);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    const struct workload_spec spec = {.kind = &workload_goal, .start = n % 2 ? 7 : 0};
    fuzz_job(&spec, make, data, n);
    return 0;
}
