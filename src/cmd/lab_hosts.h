/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the kernel of a lab's hosts that bring its TCP as close as possible to the experiment's transport:
 *
 *  min_rto            rto_min of the route
 *  initial_window     initcwnd of the route
 *  marking switches   net.ipv4.tcp_ecn = 1
 *  reordering         the highest duplicate-ACK threshold, no RACK, no early retransmission, if the balancer reorders
 *  by
 *                     design or the transport never retransmits fast (DT-23)
 */
#ifndef HEDDLE_CMD_LAB_HOSTS_H
#define HEDDLE_CMD_LAB_HOSTS_H

#include "sim/world.h"

struct lab_hosts {
    char route[120];   /* addition to the route */
    char sysctl[1000]; /* lines for sysctl */
};

void lab_hosts_of(const struct world_config *w, struct lab_hosts *h);

#endif
