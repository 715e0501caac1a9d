/* SPDX-License-Identifier: Apache-2.0 */
/* The observed way: as the plain one, but an observer sees each frame arrive and leave. It sees a switch in the order of time, so
 * every service of a port is an event, and so is every event of a crossbar. It reads frames by their descriptors. */
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

time_ps way_observed(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return step_switch(part, b, start, end, true);
}
