/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a workload between the hosts of a lab, over real TCP sockets.
 *
 * One process is all endpoints. A socket belongs to the namespace in which it is made, so the loop makes each socket in
 * the namespace of its host. All times are of one clock, CLOCK_MONOTONIC since the start of the run.
 *
 *  connection   flows with the same hosts and ports, in either direction, share one: a request and its response, the
 *               queries of a persistent connection. Addresses and ports are those of the simulator's frames, and so are
 *               the hashes; only a source port in use is replaced.
 *  start        connect() is called, or the first byte is written to an open connection. A connection that is open from
 *               the start (FLOW_ESTABLISHED) is opened before time 0.
 *  end          the receiver's socket has delivered all bytes
 *  stop         the connection is reset, so what is still in the sender's socket is not sent. The flow has not finished, and
 *               is not waited for
 *  gates        open as in the simulator. The receiver's gates count the end of a flow when it has received the whole flow,
 *               and so do the sender's, half a round trip before the last acknowledgement reaches it.
 *  class        priority k is sent with DSCP 8k; the accepting end has the class of the SYN until it sends a flow itself
 *
 * Tallies have the times, bytes and retransmitted segments (TCP_INFO) of each flow; counts that only the stack knows
 * are 0 here and NULL in the store.
 */
#ifndef HEDDLE_LIVE_LAB_ENDPOINT_H
#define HEDDLE_LIVE_LAB_ENDPOINT_H

#include "fabric/fabric.h"
#include "workload/workload.h"

#include <time.h>

struct endpoint_config {
    const struct fabric *fabric;
    const struct flow_list *flows;
    const char *const *space;      /* [hosts] network namespaces */
    const char *const *congestion; /* by flow->transport: name of the kernel's congestion control */
    time_ps until;                 /* TIME_NONE: until all awaited flows have finished */
    span_ps silence;               /* the run fails if no byte arrives for this long while flows are open */
    /* called once, before any flow starts, with time 0 of CLOCK_MONOTONIC; NULL: not asked for */
    void (*begun)(void *begun_to, const struct timespec *zero);
    void *begun_to;
    bool (*progress)(void *to, time_ps now, uint64_t done); /* called a few times a second; false: abort */
    void *to;
};

enum endpoint_outcome { ENDPOINT_DONE, ENDPOINT_STUCK, ENDPOINT_ABANDONED, ENDPOINT_FAILED };

/* Runs the flows. Fills tally[flows->n], which the caller has zeroed, and sets *end to the end of the run. Outcomes
 * other than ENDPOINT_DONE fill *d. The process returns to the namespace in which it began. */
enum endpoint_outcome endpoint_run(const struct endpoint_config *config, struct flow_tally *tally, time_ps *end,
                                   struct diag *d);

#endif
