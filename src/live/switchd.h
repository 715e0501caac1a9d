/* SPDX-License-Identifier: Apache-2.0 */
/* A process that is switches of a fabric: their ports, links and threads.
 *
 *     struct switchd *s = switchd_start(&setup, &d);       opens the ports, starts the threads
 *     switchd_each(s, fn, arg);                            fn(arg, &view) for every switch, by the thread that owns it
 *     switchd_link(s, node, port, false);                  the operator cuts a link
 *     switchd_switch(s, node, false);                      the operator takes a switch down
 *     switchd_stop(s, &d);                                 takes no more frames, lets go what it holds, ends
 *
 * Each thread has a station of its own (live/station.h), joined to the others by rings. A port that leads to a switch of
 * the process is a link in memory; any other needs an edge, or it has no carrier. A link is up while its operator has
 * not cut it, both its switches are up and its real ports have a carrier.
 *
 * With `record_dir` every frame that comes into or leaves a switch is written to DIR/NODE.pcapng, which heddle replay
 * reads.
 */
#ifndef HEDDLE_LIVE_SWITCHD_H
#define HEDDLE_LIVE_SWITCHD_H

#include "live/driver.h"

/* What is at a port: "eth1", "tap:NAME", "ring:NAME" (live/port/port.h). */
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
    bool paces_hosts;       /* station_setup */
    span_ps detect;         /* until ports and routes know that a link has failed or come back */
    const char *record_dir; /* NULL: nothing is recorded */
    bool force;             /* captures there that heddle switch did not write may be replaced */
};

struct switchd;

/* NULL after filling *d: a node is no switch, a port leads to no edge, is not there or cannot be opened. What *setup
 * points to is the caller's and outlives the switchd. */
struct switchd *switchd_start(const struct switchd_setup *setup, struct diag *d);
/* False after filling *d: a capture could not be written. All is freed either way. */
bool switchd_stop(struct switchd *s, struct diag *d);

const struct fabric *switchd_fabric(const struct switchd *s);

/* One switch, as the thread that owns it sees it. */
struct switchd_view {
    uint32_t node;
    time_ps now;
    const struct forwarder *forwarder;
    const struct driver_counts *driver;
    const struct frames *frames; /* of the thread; NULL but for its first switch */
    const struct topology *topology;
    const struct station *station;
    uint32_t place;                      /* of the switch in it */
    const struct live_port *const *live; /* [n_ports] NULL: leads to a switch of the process, or to nothing */
};
void switchd_each(struct switchd *s, void (*fn)(void *arg, const struct switchd_view *v), void *arg);

/* Writes what passes the link in both directions, as its lower switch sees it, to the file at `path` from now on;
 * switchd_capture_end puts the file into its place. False after filling *d. A link has one capture at a time; those that
 * run when the process stops are ended then. */
bool switchd_capture(struct switchd *s, uint32_t node, uint16_t port, const char *path, struct diag *d);
bool switchd_capture_end(struct switchd *s, uint32_t node, uint16_t port, struct diag *d);

/* The operator cuts the link, named by either end, or mends it. */
void switchd_link(struct switchd *s, uint32_t node, uint16_t port, bool up);
/* The operator makes a switch fail, which means all its links at once, or brings it back. Its tables stay as they are, and
 * links that are down for another reason stay down. */
void switchd_switch(struct switchd *s, uint32_t node, bool up);
/* Both directions of the link are impaired from now on (live/impair.h). */
void switchd_impair(struct switchd *s, uint32_t node, uint16_t port, const struct impairment *what);

#endif
