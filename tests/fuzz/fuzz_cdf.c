/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a CDF file. It must refuse them with a message, or return a distribution whose draws and means lie
 * within its sizes. */
#include "workload/sizes.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct diag d = {0};
    int64_t cap = n > 0 && data[n - 1] % 2 ? 5000 : 0;
    struct sizes *s = sizes_parse((const char *)data, n, "fuzz.cdf", cap, &d);
    if (!s) {
        require(d.text[0] != '\0' && d.line >= 0);
        return 0;
    }
    int64_t least = s->point[0].bytes, most = s->point[s->n - 1].bytes;
    if (cap > 0 && most > cap) most = cap;
    if (cap > 0 && least > cap) least = cap;
    require(least <= s->mean_bytes && s->mean_bytes <= most);
    require(sizes_mean_wire_bytes(s, 1538, 1460) >= s->mean_bytes);
    struct random_stream r;
    random_init(&r, n, RANDOM_SIZES, 0);
    for (int i = 0; i < 16; i++) {
        int64_t x = sizes_draw(s, &r);
        require(x >= 1 && x >= least && x <= most);
    }
    sizes_destroy(s);
    return 0;
}
