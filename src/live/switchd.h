/* SPDX-License-Identifier: Apache-2.0 */
/* A process that runs switches of a fabric: their ports, links and threads.
 *
 *    struct switchd *s = switchd_start(&setup, &d);       opens the ports, starts the threads
 *    switchd_each(s, fn, arg);                            fn(arg, &view) for every switch, by the thread that owns it
 *    switchd_link(s, node, port, false);                  the operator cuts a link
 *    switchd_switch(s, node, false);                      the operator takes a switch down
 *    switchd_stop(s, &d);                                 takes no more frames, sends the frames it holds, ends
 *
 * Each thread has a station of its own (live/station.h), joined to the others by rings. A port that leads to a switch
 * of the process is a link in memory; any other port needs an edge, or it has no carrier. A link is up unless its
 * operator has cut it, one of its switches is down, or one of its real ports has no carrier.
 *
 * With `record_dir` every frame that arrives at or leaves a switch is written to DIR/NODE.pcapng, the input of heddle
 * replay.
 */
#ifndef HEDDLE_LIVE_SWITCHD_H
#define HEDDLE_LIVE_SWITCHD_H

#include "live/driver.h"

/* The real port of a switch's port: "eth1", "tap:NAME", "ring:NAME" (live/port/port.h). */
struct switchd_edge {
    uint32_t node;
    uint16_t port;
    const char *live;
};

struct switchd_setup {
    const struct fabric_spec *spec;
    const struct switch_config *switches;
    uint64_t seed;
    const uint32_t *node; /* [n] the switches, each once */
    uint32_t n;
    const struct switchd_edge *edge; /* [n_edges] */
    uint32_t n_edges, threads;
    const uint32_t *cpu;    /* [threads] the processor on which each thread stays; NULL: any */
    bool paces_hosts;       /* station_setup */
    span_ps detect;         /* time until ports and routes know that a link has failed or recovered */
    const char *record_dir; /* NULL: no recording */
    bool force;             /* may replace captures there that heddle switch did not write */
};

struct switchd;

/* Starts the switches. *setup and what it points to belong to the caller and outlive the switchd. Returns NULL after
 * filling *d: a node is no switch, a port leads to no edge, or a real port does not exist or cannot be opened. */
struct switchd *switchd_start(const struct switchd_setup *setup, struct diag *d);
/* Stops and frees everything. Returns false after filling *d: a capture could not be written. */
bool switchd_stop(struct switchd *s, struct diag *d);

const struct fabric *switchd_fabric(const struct switchd *s);

/* A switch, as seen by the thread that owns it. */
struct switchd_view {
    uint32_t node;
    time_ps now;
    const struct forwarder *forwarder;
    const struct driver_counts *driver;
    const struct frames *frames; /* frames of the thread, for its first switch only; else NULL */
    const struct topology *topology;
    const struct station *station;
    uint32_t place;                      /* index of the switch in the station */
    const struct live_port *const *live; /* [n_ports] NULL: leads to a switch of the process, or nowhere */
};
void switchd_each(struct switchd *s, void (*fn)(void *arg, const struct switchd_view *v), void *arg);

/* Starts a capture of a link in both directions, as its lower switch sees it, into the file at `path`.
 * switchd_capture_end completes the file. A link has one capture at a time. switchd_stop ends running captures. Returns
 * false after filling *d. */
bool switchd_capture(struct switchd *s, uint32_t node, uint16_t port, const char *path, struct diag *d);
bool switchd_capture_end(struct switchd *s, uint32_t node, uint16_t port, struct diag *d);

/* Cuts the link, named by either end, or restores it. */
void switchd_link(struct switchd *s, uint32_t node, uint16_t port, bool up);
/* Takes a switch down, which fails all its links at once, or brings it back. Its tables stay as they are, and links that
 * are down for another reason stay down. */
void switchd_switch(struct switchd *s, uint32_t node, bool up);
/* Impairs both directions of the link from now on (live/impair.h). */
void switchd_impair(struct switchd *s, uint32_t node, uint16_t port, const struct impairment *what);

#endif
