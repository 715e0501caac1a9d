/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a flow file of the HPCC simulator. */
#include "fuzz_flows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return flows_fuzz(trace_hpcc_parse, data, n); }
