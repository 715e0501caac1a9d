/* SPDX-License-Identifier: Apache-2.0 */
/* Replay: one switch of an experiment fed with real frames from captures, on the captures' clock.
 *
 *   captures -> inlet -> frame_parse -> the switch of node/ -> frame_rewrite, frame_build -> outlet -> capture
 *
 * It is the first form of the live world: the switch is the one that the simulator drives, with the seed, parameters
 * and failures of that run, in its live form (directly indexed path tables), and everything at one instant happens in
 * the order topology < timer < arrival, keyed hash, port (base/tie.h). What a simulation recorded at a switch
 * (measure.pcap) and what a replay of it sends are the same frames, at the same ports and times, byte for byte as far
 * as the capture has them (tests/parity/). After the last frame the switch goes on until its queues are empty; a
 * simulation that ended before that has recorded less.
 *
 * Frames that cannot be parsed are counted by cause and skipped. Frames for addresses outside the fabric are
 * dropped by the switch (DROP_NO_ROUTE). A frame that is forwarded keeps its bytes but for MACs, tags, TOS, TTL
 * and the header checksum; a frame that the switch makes itself (an Exp-response) is built. A frame lost on a gray
 * link has left its port and is in the output. If a capture cut a frame, what leaves is cut as well.
 *
 * What mechanisms never read is made up: origin, serial and flow of descriptors.
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
    const char *out_dir; /* gets NODE.pcapng */
    bool force;          /* which may replace a file that no replay wrote */
    bool answers;        /* ARP and ICMP as heddle switch does (live/answer.h) */
    uint32_t snap_bytes; /* most bytes of a frame that are written; 0 = all that were captured */
};

struct replay_report {
    char path[4096]; /* of the capture written */
    struct forwarder_counts count;
    uint64_t created;          /* by the switch */
    uint64_t late;             /* stamps before that of the frame before */
    time_ps first_at, last_at; /* arrivals; TIME_NONE if there was none */
};

enum replay_outcome {
    REPLAY_DONE,
    REPLAY_REFUSED, /* *d says why; nothing was written */
    REPLAY_FAILED,  /* *d says why; there is no output */
};

enum replay_outcome replay_run(const struct replay_config *c, struct replay_report *r, struct diag *d);

#endif
