/* SPDX-License-Identifier: Apache-2.0 */
/* A process that is the NIC of one host: a TAP device for its stack, an interface for its link, and a thread between
 * them.
 *
 *    struct nicd *s = nicd_start(&setup, &d);       opens both, starts the thread
 *    nicd_read(s, &reading);                        its state and counts
 *    nicd_stop(s);                                  takes no more frames of the stack, sends the frames it holds, ends
 *
 * Senders of the stack wait while the queue of their class is full: live/gate.h.
 *
 * The thread runs live/nic.h by the machine's clock. It reads the link first, so that a pause frame stops overdue
 * frames.
 * It spins and waits as the loop of a switch does (live/pace.h).
 */
#ifndef HEDDLE_LIVE_NICD_H
#define HEDDLE_LIVE_NICD_H

#include "live/gate.h"
#include "live/nic.h"

struct nicd_setup {
    struct nic_setup nic;
    const char *stack;  /* port to the host's stack: "tap:eth0" (live/port/port.h) */
    const char *device; /* the interface of the stack, "eth0", whose senders wait (live/gate.h); NULL: no gate */
    const char *link;   /* port to the switch: "nic0" */
};

struct nicd_reading {
    struct nic_view nic;
    struct gate_counts gate;
    struct port_counts stack, link; /* counts of the two ports; rx is what the NIC received */
    time_ps now;                    /* time since the start */
    span_ps late_max;               /* longest delay from due time to sending of a frame */
    uint64_t held;                  /* frames of the stack held here */
    uint64_t frames_peak;           /* most frames of both directions held at once; their memory is kept */
};

struct nicd;

/* Starts the NIC. *setup and what it points to belong to the caller and outlive the nicd. Returns NULL after filling
 * *d: a port or the gate cannot be opened. */
struct nicd *nicd_start(const struct nicd_setup *setup, struct diag *d);
void nicd_read(struct nicd *s, struct nicd_reading *r);
/* Stops the NIC within a second. Returns the number of frames that it still held, which are lost. */
uint64_t nicd_stop(struct nicd *s);

#endif
