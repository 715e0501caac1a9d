/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a workload between the hosts of a lab, over real TCP sockets.
 *
 * One process is all endpoints: a socket belongs to the namespace in which it was made, so the loop makes each in that
 * of its host. All times are of one clock, CLOCK_MONOTONIC since the start of the run.
 *
 *   connection   flows with the same hosts and ports, in either direction, share one: a request and its response, the
 *                queries of a persistent connection. It has the addresses and ports that the simulator's frames have,
 *                so the same hashes; only a source port that is taken is replaced.
 *   start        connect() is called, or the first byte is handed to an open connection. A connection that is to be open
 *                already (FLOW_ESTABLISHED) is opened before time 0.
 *   end          the receiver's socket has given all bytes
 *   gates        open as in the simulator: at the receiver when a flow has been received completely, at the sender when
 *                it was (half a round trip earlier than its last acknowledgement arrives there)
 *   class        priority k is sent with DSCP 8k
 *
 * Tallies have the times, bytes and retransmitted segments (TCP_INFO) of each flow; what only the stack knows is 0.
 */
#ifndef HEDDLE_LIVE_LAB_ENDPOINT_H
#define HEDDLE_LIVE_LAB_ENDPOINT_H

#include "fabric/fabric.h"
#include "workload/workload.h"

struct endpoint_config {
    const struct fabric *fabric;
    const struct flow_list *flows;
    const char *const *space;      /* [hosts] namespaces */
    const char *const *congestion; /* by flow->transport: the name of the kernel's congestion control */
    time_ps until;                 /* TIME_NONE: until all flows that a run waits for have finished */
    span_ps silence;               /* the run fails if nothing is delivered for so long while flows are open */
    bool (*progress)(void *to, time_ps now, uint64_t done); /* a few times a second; false: give up */
    void *to;
};

enum endpoint_outcome { ENDPOINT_DONE, ENDPOINT_STUCK, ENDPOINT_ABANDONED, ENDPOINT_FAILED };

/* Fills tally[flows->n], zeroed by the caller, and *end with when the run ended. Other outcomes than ENDPOINT_DONE fill
 * *d. The process is left in the namespace that it began in. */
enum endpoint_outcome endpoint_run(const struct endpoint_config *config, struct flow_tally *tally, time_ps *end,
                                   struct diag *d);

#endif
