/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the execution traces of two ranks in Chakra, which are the same. */
#include "fuzz_job.h"
#include "workload/files/chakra.h"

static bool make(struct generator *g, const void *data, size_t n) {
    struct operations o;
    struct chakra_file file[2];
    char *bytes = chakra_inflate(data, n, "fuzz", &file[0].size, g->d);
    if (!bytes) return false;
    file[0].bytes = bytes;
    file[1] = file[0];
    operations_init(&o, "fuzz");
    bool ok = chakra_read(&o, file, 2, g->d);
    if (ok) {
        uint32_t *host = calloc(2, sizeof *host);
        host[1] = 1;
        ok = operations_make(g, &o, host, "chakra");
    }
    operations_fini(&o);
    free(bytes);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    const struct workload_spec spec = {.kind = &workload_chakra};
    fuzz_job(&spec, make, data, n);
    return 0;
}
