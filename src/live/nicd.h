/* SPDX-License-Identifier: Apache-2.0 */
/* A process that is the NIC of one host: a TAP device for its stack, an interface for its link, and a thread between.
 *
 *     struct nicd *s = nicd_start(&setup, &d);       opens both, starts the thread
 *     nicd_read(s, &reading);                        what it is doing
 *     nicd_stop(s);                                  takes no more of the stack, lets go what it holds, ends
 *
 * The stack's senders wait while the queue of their class is full: live/gate.h.
 *
 * The thread runs live/nic.h under the machine's clock. It reads the link first, so that a pause frame stops frames that
 * are overdue; it spins and waits as the loop of a switch does (live/pace.h).
 */
#ifndef HEDDLE_LIVE_NICD_H
#define HEDDLE_LIVE_NICD_H

#include "live/gate.h"
#include "live/nic.h"

struct nicd_setup {
    struct nic_setup nic;
    const char *stack;  /* what leads to the host's stack: "tap:eth0" (live/port/port.h) */
    const char *device; /* the interface of the stack, "eth0", whose senders wait (live/gate.h); NULL: no gate */
    const char *link;   /* what leads to its switch: "nic0" */
};

struct nicd_reading {
    struct nic_view nic;
    struct gate_counts gate;
    struct port_counts stack, link; /* of the two ports, seen from here: rx is what came in */
    time_ps now;                    /* since it started */
    span_ps late_max;               /* longest time between when a frame was due and when it was sent */
    uint64_t held;                  /* frames of the stack that are here */
};

struct nicd;

/* NULL after filling *d: a port or the gate cannot be opened. What *setup points to is the caller's and outlives the nicd. */
struct nicd *nicd_start(const struct nicd_setup *setup, struct diag *d);
void nicd_read(struct nicd *s, struct nicd_reading *r);
/* Ends at the latest after a second. Returns how many frames it still held then: they are lost. */
uint64_t nicd_stop(struct nicd *s);

#endif
