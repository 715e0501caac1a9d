/* SPDX-License-Identifier: Apache-2.0 */
/* Units of the whole program.
 *
 * Time is int64 picoseconds: 106 days fit, and one byte at 400 Gbps is exactly 20 ps. Instants and durations are
 * different names so that a signature says which it takes. Sizes carry their unit in the name: `_bytes`, `_pkts`,
 * `_bps`. Fixed point carries its scale: `alpha_q16`, `loss_ppb` (parts per thousand million).
 */
#ifndef HEDDLE_BASE_TYPES_H
#define HEDDLE_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t time_ps; /* an instant, from the start of the run */
typedef int64_t span_ps; /* a duration */

__extension__ typedef __int128 int128; /* products of two 64-bit values, before they are divided again */
__extension__ typedef unsigned __int128 uint128;

#define TIME_NONE INT64_MAX /* "never" */
#define NODE_NONE UINT32_MAX
#define PORT_NONE UINT16_MAX
#define FLOW_NONE UINT32_MAX

#define PS_PER_NS 1000LL
#define PS_PER_US 1000000LL
#define PS_PER_MS 1000000000LL
#define PS_PER_S 1000000000000LL
#define PPB 1000000000LL /* one, in parts per thousand million */
#define PPM 1000000LL    /* one, in parts per million */

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

#endif
