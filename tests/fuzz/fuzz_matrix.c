/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a connection matrix of htsim. */
#include "fuzz_job.h"
#include "workload/files/matrix.h"

static bool make(struct generator *g, const void *data, size_t n) {
    return matrix_make(g, data, n, "fuzz.cm", UNIT_US, n % 2 ? SEND_DONE_RECEIVER : SEND_DONE_SENDER);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    const struct workload_spec spec = {.kind = &workload_matrix};
    fuzz_job(&spec, make, data, n);
    return 0;
}
