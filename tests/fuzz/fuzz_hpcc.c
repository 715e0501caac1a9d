/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a topology of the HPCC simulator. */
#include "fuzz_fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fabric_fuzz(FORMAT_hpcc, data, size);
    return 0;
}
