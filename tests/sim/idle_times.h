/* SPDX-License-Identifier: Apache-2.0 */
/* Times on an idle network of 10 Gbps links, computed by hand to the picosecond. */
#ifndef HEDDLE_TESTS_SIM_IDLE_TIMES_H
#define HEDDLE_TESTS_SIM_IDLE_TIMES_H

#include "base/units.h"

/* Serialization delays of a minimum frame, a SYN (12 bytes of options) and a full segment at 10 Gbps. */
#define PS_PER_BYTE 800LL
#define MIN_PS (84 * PS_PER_BYTE)
#define SYN_PS (90 * PS_PER_BYTE)
#define FULL_PS (1538 * PS_PER_BYTE)

/* Returns the FCT of a single segment: SYN, SYN-ACK and segment are stored and forwarded at every link. */
static inline span_ps single_segment_fct(uint32_t links, span_ps delay) {
    return links * (2 * (SYN_PS + delay) + FULL_PS + delay);
}

#endif
