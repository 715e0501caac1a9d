/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a trace. */
#include "fuzz_flows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return flows_fuzz(trace_parse, data, n); }
