/* SPDX-License-Identifier: Apache-2.0 */
/* What ports and hosts have counted by some instants: measure.from, the end of the averages over time, and the edges of
 * phases.
 *
 * Averages over time (utilisation, goodput, mean queues, shares of pauses) run from measure.from to the end of the last
 * flow, or to measure.until or `until` if that comes first. Those of a phase run from edge to edge, as far as these do. The engine itself goes on to the next multiple of 100 us, or to `until`
 * (sim/epoch.h); what it does after the last flow is in no average. sim/observe/last_flow.h finds the instant in time.
 *
 * A mark has the counts of this rank's nodes. The first partition of each rank takes it while all partitions stand still.
 */
#ifndef HEDDLE_SIM_OBSERVE_MARKS_H
#define HEDDLE_SIM_OBSERVE_MARKS_H

#include "node/port.h"
#include "sim/engine/notice.h"
#include "sim/engine/world.h"

/* The counts of one port. */
struct port_counts {
    struct port_area area;
    uint64_t sent, credits; /* wire bytes; credits are a part of `sent` */
    uint64_t ingress;       /* integral of the ingress queue behind it (cioq_ingress_area) */
    span_ps blocked;
};

/* What has a maximum of its own in each phase: the backlog of a port, and the bytes in a switch. */
enum marked_most { MOST_QUEUED, MOST_HELD, MARKED_MOST };

struct mark {
    bool is_taken;
    time_ps at;
    bool is_now; /* the run stands still at `at`: counts are read where they are, and port, paused are NULL */
    struct port_counts *port; /* [n_ports]; NULL: all 0 */
    span_ps *paused;          /* [n_ports * PAUSE_CLASSES]; NULL: all 0 */
    int64_t *received;        /* [n_hosts] payload bytes, each once; NULL: all 0 */
    /* With phases alone: the counts of this rank so far, and the maxima since the mark before in time, which begin anew
     * with what is there now: [n_ports] and [n_switches]; NULL if is_now */
    struct phase_counts counts;
    int64_t *most[MARKED_MOST];
};

struct marks {
    struct mark begin, end; /* the world at measure.from and at the end of the averages */
    struct mark *edge;      /* [2 * n_phases] at the edges of each phase */
};

/* What a port counted between the marks. */
struct port_span {
    uint64_t sent, credits;
    int64_t mean_queue_bytes;
    span_ps paused, blocked; /* sum over classes */
};

/* Creates w->marks. */
void marks_init(struct world *w);
/* Returns the next epoch after `now` at which a mark is certain to be due; TIME_NONE: none. */
time_ps marks_next(const struct world *w, time_ps now);
/* Takes a mark if it is due at this epoch. */
void marks_step(struct world *w, time_ps now, const struct notice *all);
/* Takes at the end of the run the marks that are still missing. */
void marks_close(struct world *w);
void marks_fini(struct world *w);

/* Returns the time between the marks; 0 if the run ended before measure.from. All averages are 0 then. */
span_ps marks_span(const struct world *w);
struct port_span marks_port(const struct world *w, uint32_t port);
/* Return the time that a class of the port was paused, and the mean of the ingress queue behind the port. */
span_ps marks_paused(const struct world *w, uint32_t port, uint32_t class);
int64_t marks_ingress_mean(const struct world *w, uint32_t port);
/* Returns the largest value of the whole run: of a port by its global number, or of a switch by its number among switches. */
int64_t marks_most(const struct world *w, enum marked_most what, uint32_t i);

/* Returns the time of a phase, as far as the averages go: `to` is no later than their end. */
struct averaged marks_phase(const struct world *w, uint32_t phase);
struct port_span marks_phase_port(const struct world *w, uint32_t phase, uint32_t port);
/* Returns the payload bytes that a host of this rank received within the phase. */
int64_t marks_phase_received(const struct world *w, uint32_t phase, uint32_t host);
int64_t marks_phase_ingress_mean(const struct world *w, uint32_t phase, uint32_t port);
/* Returns what nodes of this rank counted within the phase. */
struct phase_counts marks_phase_counts(const struct world *w, uint32_t phase);
/* Returns the largest value within the phase, as marks_most of the run; 0 if the run did not reach it. */
int64_t marks_phase_most(const struct world *w, uint32_t phase, enum marked_most what, uint32_t i);

/* Returns the bytes of marks in a fabric with so many ports. */
uint64_t marks_bytes(const struct measure_config *m, bool flow_control, const struct fabric *f, uint64_t ports);

#endif
