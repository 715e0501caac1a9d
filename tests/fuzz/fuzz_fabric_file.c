/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a fabric file. It must refuse them with a message, or return a fabric with consistent routes. */
#include <stdlib.h>

#include "fabric/fabric_build.h"
#include "fabric/kinds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts unless each set of next hops that a switch may use exists and names ports of that switch. */
static void check_routes(const struct fabric *f) {
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct route_row *row = &f->paths.state[0].row[s];
        for (uint32_t leaf = 0; leaf < f->n_leaves; leaf++) {
            uint16_t entry = row->to_leaf[leaf];
            if (entry == ROUTE_NONE) continue;
            bool fine = entry & ROUTE_SET ? (entry & ~ROUTE_SET) < row->n_sets : entry < f->place[s].n_ports;
            if (!fine) abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fabric_spec spec = {
        .kind = &fabric_file,
        .path = "fuzz.yaml",
        .host_bps = 10000000000,
        .uplink_bps = 10000000000,
        .core_bps = 10000000000,
        .where = {.file = "fuzz.yaml"},
    };
    struct diag d = {.file = ""};
    struct fabric *f = fabric_create_text(&spec, (const char *)data, size, &d);
    if (!f && d.text[0] == '\0') abort(); /* a refusal without a message */
    if (!f) return 0;
    struct fabric_bound bound;
    fabric_bound(f, 0, f->n_hosts - 1, 1538, &bound);
    if (bound.bottleneck_bps <= 0) abort();
    check_routes(f);
    fabric_destroy(f);
    return 0;
}
