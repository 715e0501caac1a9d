/* SPDX-License-Identifier: Apache-2.0 */
/* The NIC of a real host: one port of node/ between the host's stack and its link, so that the link is lossless.
 *
 *   stack  ->  nic_send  ->  queue of its class  ->  port (rate, pauses)  ->  line  ->  nic_departing  ->  switch
 *   stack  <-  nic_receive, at once  <-  switch                      pause frames stay here
 *
 * Linux does not honour pause frames on veth. A NIC does for its host what the host of the simulator does with nic: fifo
 * (node/host.h): the same port, with a queue for each class of the switches, strict priority, the pause state of
 * mech/flowctl and its reaction time. The class of a frame is that of its DSCP, min(dscp >> 3, classes - 1); a frame
 * that is no IPv4 has class 0, as in the switch. Frames leave unchanged, in order within their class.
 *
 * A queue takes what host.nic_queue says, in bytes or in frames. A frame that finds its queue full is held back in front
 * of it, and nic_takes is false until the queue has room: the caller then leaves the frames of the stack where they are.
 * The NIC drops nothing, but for frames on a link of the fabric that loses frames.
 *
 * Time is the caller's, as in live/station.h. Everything is stamped with the time at which it is due, with one exception:
 * frames that are overdue by more than `make_up` start late instead, and after a pause frame none starts before it. A
 * loop that was not run for a while would otherwise send a burst that the headroom of the switch does not count.
 *
 *     nic_receive(n, now, index, captured, length)       first: a pause frame stops what is overdue
 *     nic_until(n, now)
 *     while (nic_takes(n)) nic_send(n, now, index, captured, length)
 *     nic_until(n, now)
 *     nic_departing_burst, nic_departed                  what has arrived at the switch by now
 *
 * One thread owns a NIC. Cost: that of a port with classes for each frame, and a parse.
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
    span_ps make_up; /* most lateness that is made up for; 0: nic_make_up */
};

/* taken = left + lost + nic_held. */
struct nic_counts {
    uint64_t taken, taken_bytes;       /* frames of the stack, without FCS */
    uint64_t left, left_bytes;         /* frames on their way to the switch */
    uint64_t lost;                     /* on the wire of a link that loses frames */
    uint64_t unplaced, unplaced_bytes; /* of the stack, longer than any frame: not taken */
    uint64_t passed;                   /* frames of the switch for the stack */
    uint64_t pauses;                   /* pause frames that were obeyed */
    uint64_t ignored;                  /* other frames of MAC control, which do not reach the stack */
    uint64_t held_back;                /* frames that found their queue full */
};

/* What the NIC is doing. */
struct nic_view {
    struct nic_counts count;
    uint32_t classes, paused; /* bit k: class k is paused now */
    uint64_t queued_frames[MAX_CLASSES], queued_bytes[MAX_CLASSES];
    int64_t max_queue_bytes; /* largest backlog of all classes together */
    span_ps paused_time[MAX_CLASSES];
};

struct nic;

#define NIC_MAKE_UP_BYTES 24000

/* Returns the time of the link that a late NIC may make up for: that of NIC_MAKE_UP_BYTES, or of a quarter of the room
 * that the switch keeps above a pause threshold if that is less, but of a full frame at least. The rest of the room is
 * for pause frames that are late. */
span_ps nic_make_up(const struct host_config *config, int64_t rate_bps, span_ps delay);

struct nic *nic_create(const struct nic_setup *setup);
void nic_destroy(struct nic *n); /* NULL is fine */
struct frames *nic_frames(struct nic *n);

/* Returns whether nic_send may be called: no frame is held back. */
bool nic_takes(const struct nic *n);
/* Takes over a frame of the stack: `captured` of its `length` bytes stand in the cell of `index`. */
void nic_send(struct nic *n, time_ps now, uint32_t index, size_t captured, size_t length);

/* Handles a frame of the switch, whose last bit arrived at `now`. Returns true if it is for the stack: it is still the
 * caller's. False: it was a pause frame or other MAC control, and is released. */
bool nic_receive(struct nic *n, time_ps now, uint32_t index, size_t captured, size_t length);

/* Starts the frames that may start up to and at `until`. */
void nic_until(struct nic *n, time_ps until);
/* Returns when the next frame may start, as far as is known; TIME_NONE: none waits. */
time_ps nic_next(const struct nic *n);

/* Fills `out` with at most `most` frames whose last bit has arrived at the switch by `now`, and returns how many.
 * nic_departed takes one of them away. */
uint32_t nic_departing_burst(const struct nic *n, time_ps now, struct port_bytes *out, uint32_t most);
void nic_departed(struct nic *n);
/* Returns when the next one arrives there; TIME_NONE. */
time_ps nic_next_departure(const struct nic *n);

/* Returns how many frames of the stack are here: held back, queued or on the line. */
uint64_t nic_held(const struct nic *n);
/* Returns how full the queue of a class is: 1000 when it takes no more. */
uint32_t nic_fill_permille(const struct nic *n, uint32_t class);
uint32_t nic_classes(const struct nic *n);
int64_t nic_rate_bps(const struct nic *n);
struct nic_view nic_view(struct nic *n, time_ps now);

#endif
