/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a fabric file of nodes and links in YAML. */
#include "fuzz_fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fabric_fuzz(FORMAT_topology, data, size);
    return 0;
}
