/* SPDX-License-Identifier: Apache-2.0 */
/* The plain way: one frame after the other, through the whole switch. */
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

time_ps way_plain(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return step_switch(part, b, start, end, false);
}
