/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a workload file of SimAI. */
#include "fuzz_job.h"
#include "workload/files/simai.h"

static bool make(struct generator *g, const void *data, size_t n) { return simai_make(g, g->spec->fields, data, n); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    const struct simai_fields fields = {.path = "fuzz",
                                        .channels = 1,
                                        .iterations = 1,
                                        .algorithm = ALGORITHM_COUNT,
                                        .scale_up_bps = n % 2 ? 1000000000 : -1};
    const struct workload_spec spec = {.kind = &workload_simai, .fields = &fields, .placement = PLACEMENT_PACKED};
    fuzz_job(&spec, make, data, n);
    return 0;
}
