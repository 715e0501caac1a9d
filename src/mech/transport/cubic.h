/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of Cubic (RFC 9438), in its own header so that tests can compare it with high precision. Time is in
 * ticks of 2^-20 s. */
#ifndef HEDDLE_MECH_TRANSPORT_CUBIC_H
#define HEDDLE_MECH_TRANSPORT_CUBIC_H

#include "mech/transport/tcp.h"

/* Returns the largest y with y^3 <= x, for x < 2^126. */
uint64_t cubic_root(uint128 x);
int64_t cubic_ticks(span_ps span);
/* Returns K for W_max - cwnd_epoch = missing_bytes. */
uint64_t cubic_k_ticks(uint32_t missing_bytes, uint32_t mss_bytes);
/* Returns W_cubic(t) in bytes, held in [0, TCP_CWND_MAX]. */
uint32_t cubic_window(int64_t t_ticks, uint64_t k_ticks, uint32_t w_max_bytes, uint32_t mss_bytes);

#endif
