/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the kernel of a lab's hosts that bring its TCP as close as possible to the experiment's transport:
 *
 *   mss                the MTU of hosts' interfaces: the longest segment of all transports, and its headers
 *   min_rto            rto_min of the route
 *   initial_window     initcwnd of the route
 *   classes            net.ipv4.tcp_reflect_tos = 1: SYN-ACKs have the class of their SYN
 *   marking switches   net.ipv4.tcp_ecn = 1
 *   sack: false        net.ipv4.tcp_sack = 0, which ends RACK and tail loss probes too
 *   transport          the hosts' congestion control; for DCTCP its gain g, too
 *   reordering         where the balancer reorders by design or the transport never retransmits fast: the highest
 *                      duplicate-ACK threshold, no RACK, no early retransmission (DT-23). Linux 6.17 and later have
 *                      RACK always; tcp_recovery = 4 is what it can be told there: no threshold of duplicate ACKs, but a
 *                      segment that is late by more than its reordering window (least RTT / 4, up to smoothed RTT / 8 as
 *                      spurious retransmissions are noticed) is still sent again
 */
#ifndef HEDDLE_CMD_LAB_HOSTS_H
#define HEDDLE_CMD_LAB_HOSTS_H

#include "sim/world.h"

struct lab_hosts {
    char route[120];        /* addition to the route */
    char sysctl[1000];      /* lines for sysctl */
    const char *congestion; /* the kernel's name of the hosts' transport; NULL: it has none */
    uint32_t mtu;           /* 0: no transport of the experiment is the kernel's */
    uint32_t dctcp_g_ppb;   /* the gain of DCTCP; 0: no flow uses it */
};

void lab_hosts_of(const struct world_config *w, struct lab_hosts *h);

#endif
