/* SPDX-License-Identifier: Apache-2.0 */
/* Replay: one switch of an experiment fed with real frames from captures, on the captures' clock.
 *
 *  captures -> inlet -> frame_parse -> the switch of node/ -> frame_rewrite, frame_build -> outlet -> capture
 *
 * The switch is the one that the simulator drives, with the seed, parameters and failures of that run, in its live
 * form (directly indexed path tables). Events at one instant happen in the order topology < timer < arrival, keyed
 * hash, port (base/tie.h). A replay sends the frames that a simulation recorded at the switch (measure.pcap), at the
 * same ports and times, byte for byte as far as the capture has them (tests/parity/). After the last frame the switch
 * continues until its queues are empty; a simulation that ended before that has recorded less.
 *
 * Frames that cannot be parsed are counted by cause and skipped. The switch drops frames for addresses outside the
 * fabric (DROP_NO_ROUTE). A forwarded frame keeps its bytes except MACs, tags, TOS, TTL and the header checksum.
 * Frames that the switch makes itself (Exp-responses) are built. A frame lost on a gray link has left its port and is
 * in the output. If a capture truncates a frame, the output is truncated too.
 *
 * Fields that mechanisms never read get arbitrary values: origin, serial and flow of descriptors.
 */
#ifndef HEDDLE_LIVE_REPLAY_H
#define HEDDLE_LIVE_REPLAY_H

#include "live/forwarder.h"
#include "live/inlet.h"

struct replay_config {
    const struct fabric *fabric;
    struct switch_config switches;
    uint64_t seed;
    uint32_t node; /* a switch */
    const struct inlet_source *in;
    size_t n_in;
    const char *out_dir; /* folder of NODE.pcapng */
    bool force;          /* may replace a file that no replay wrote */
    bool answers;        /* answers ARP and ICMP as heddle switch does (live/answer.h) */
    uint32_t snap_bytes; /* most bytes of a frame that are written; 0: all captured bytes */
};

struct replay_report {
    char path[4096]; /* path of the capture written */
    struct forwarder_counts count;
    uint64_t created;          /* made by the switch */
    uint64_t late;             /* stamps before that of the previous frame */
    time_ps first_at, last_at; /* times of arrivals; TIME_NONE: none */
};

enum replay_outcome {
    REPLAY_DONE,
    REPLAY_REFUSED, /* nothing was written; *d has the reason */
    REPLAY_FAILED,  /* there is no output; *d has the reason */
};

enum replay_outcome replay_run(const struct replay_config *c, struct replay_report *r, struct diag *d);

#endif
