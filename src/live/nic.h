/* SPDX-License-Identifier: Apache-2.0 */
/* The NIC of a real host: one port of node/ between the host's stack and its link, so that the link is lossless.
 *
 *  stack  ->  nic_send  ->  queue of its class  ->  port (rate, pauses)  ->  line  ->  nic_departing  ->  switch
 *  stack  <-  nic_receive, at once  <-  switch                      pause frames stay here
 *
 * Linux does not honour pause frames on veth. A NIC does for its host what the host of the simulator does with nic:
 * fifo (node/host.h): the same port, with a queue for each class of the switches, strict priority, the pause state of
 * mech/flowctl and its reaction time. The class of a frame is that of its DSCP, min(dscp >> 3, classes - 1); a frame
 * that is no IPv4 has class 0, as in the switch. Frames leave unchanged, in order within their class.
 *
 * host.nic_queue limits a queue, in bytes or in frames. A frame that finds its queue full is held back in front of it,
 * and nic_takes is false until the queue has room: the caller then leaves the frames of the stack where they are. The
 * NIC drops no frame, except on a link of the fabric that loses frames. With host.nic_full: drop it always takes, and
 * drops a frame that finds its queue full.
 *
 * The caller passes the time, as in live/station.h. Everything is stamped with its due time, with one exception:
 * frames that are overdue by more than `make_up` start late instead, and after a pause frame none starts before it.
 * Otherwise a loop that was not scheduled for a while would send a burst that the headroom of the switch does not
 * allow for.
 *
 *    nic_receive(n, now, index, captured, length)       first: a pause frame stops overdue frames
 *    nic_until(n, now)
 *    while (nic_takes(n)) nic_send(n, now, index, captured, length)
 *    nic_until(n, now)
 *    nic_departing_burst, nic_departed                  frames that have arrived at the switch by now
 *
 * One thread owns a NIC. Cost per frame: a port with classes, and a parse.
 */
#ifndef HEDDLE_LIVE_NIC_H
#define HEDDLE_LIVE_NIC_H

#include "fabric/fabric.h"
#include "live/frames.h"
#include "live/line.h"
#include "live/port/port.h"
#include "node/config.h"

struct nic_setup {
    const struct fabric *fabric;
    const struct host_config *config; /* host.nic_queue, classes and flow control */
    uint32_t host;
    uint64_t seed;
    span_ps make_up; /* most lateness to make up for; 0: nic_make_up */
};

/* taken = left + lost + dropped + nic_held. */
struct nic_counts {
    uint64_t taken;                    /* frames of the stack */
    uint64_t left, left_bytes;         /* frames on their way to the switch; bytes without FCS, here and below */
    uint64_t lost;                     /* lost on the wire of a link that loses frames */
    uint64_t unplaced, unplaced_bytes; /* frames of the stack longer than any frame: not taken */
    uint64_t passed;                   /* frames of the switch for the stack */
    uint64_t pauses;                   /* pause frames that took effect */
    uint64_t ignored;                  /* other frames of MAC control, which do not reach the stack */
    uint64_t held_back;                /* frames that found their queue full and waited */
    uint64_t dropped;                  /* frames that found their queue full (host.nic_full: drop) */
};

/* The state of the NIC. */
struct nic_view {
    struct nic_counts count;
    uint32_t classes, paused; /* bit k: class k is paused now */
    uint64_t queued_frames[MAX_CLASSES], queued_bytes[MAX_CLASSES];
    int64_t max_queue_bytes; /* largest backlog of all classes together */
    span_ps paused_time[MAX_CLASSES];
};

struct nic;

#define NIC_MAKE_UP_BYTES 24000

/* Returns how much lateness, as time of the link, a late NIC may make up for: NIC_MAKE_UP_BYTES, or less where a
 * quarter of the switch's room above a pause threshold is less, but a full frame at least. The rest of the room is for
 * late pause frames. */
span_ps nic_make_up(const struct host_config *config, int64_t rate_bps, span_ps delay);

struct nic *nic_create(const struct nic_setup *setup);
void nic_destroy(struct nic *n); /* NULL is allowed */
struct frames *nic_frames(struct nic *n);

/* Returns true if nic_send may be called: no frame is held back. */
bool nic_takes(const struct nic *n);
/* Returns whether the NIC drops what does not fit (host.nic_full), instead of holding its stack. */
bool nic_drops(const struct nic *n);
/* Takes over a frame of the stack: `captured` of its `length` bytes are in the cell of `index`. */
void nic_send(struct nic *n, time_ps now, uint32_t index, size_t captured, size_t length);

/* Handles a frame of the switch whose last bit arrived at `now`. Returns true if it is for the stack; the caller then
 * still owns it. Returns false for pause frames and other MAC control, after releasing it. */
bool nic_receive(struct nic *n, time_ps now, uint32_t index, size_t captured, size_t length);

/* Starts the frames that may start up to and at `until`. */
void nic_until(struct nic *n, time_ps until);
/* Returns the earliest known start of the next frame; TIME_NONE: none waits. */
time_ps nic_next(const struct nic *n);

/* Fills `out` with at most `most` frames whose last bit has arrived at the switch by `now`. Returns their number.
 * nic_departed removes one of them. */
uint32_t nic_departing_burst(const struct nic *n, time_ps now, struct port_bytes *out, uint32_t most);
void nic_departed(struct nic *n);
/* Returns when the next frame arrives at the switch; TIME_NONE: none. */
time_ps nic_next_departure(const struct nic *n);

/* Returns the number of frames of the stack here: held back, queued or on the line. */
uint64_t nic_held(const struct nic *n);
/* Returns the fill of the class's queue; 1000: it takes no more. */
uint32_t nic_fill_permille(const struct nic *n, uint32_t class);
uint32_t nic_classes(const struct nic *n);
int64_t nic_rate_bps(const struct nic *n);
struct nic_view nic_view(struct nic *n, time_ps now);

#endif
