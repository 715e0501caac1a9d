/* SPDX-License-Identifier: Apache-2.0 */
/* How far the runs are, on standard error: one line that is drawn anew on a terminal and never wraps there, or whole
 * lines, one each ten seconds, in a file or a pipe.
 *
 *     3 of 24 runs done, 2 running: 1200 of 6000 flows, 14.2 M packet-hops/s, about 1:20 min left
 *
 * Packet-hops per second are those of all running runs together. The time left counts a run as long as is foreseen
 * (study/assemble/run_cost.h), and of one that runs the share that is done: of its time if run.until ends it, else of the
 * packet-hops foreseen for its flows (node/flow_work.h). It is unknown ("...") before a hundredth is done, and at most
 * what a budget leaves.
 */
#ifndef HEDDLE_STUDY_RUN_PROGRESS_H
#define HEDDLE_STUDY_RUN_PROGRESS_H

#include "study/run/job.h"

struct progress_line {
    bool shown;                /* anyone wants to know */
    bool terminal;             /* standard error is one: the line is drawn over */
    bool dirty;                /* something stands in the line */
    size_t n_runs, n_finished; /* those of this command, not the ones the store had */
    double all_s, finished_s;  /* seconds foreseen for them on one core */
    double started;            /* seconds of a clock */
    double drawn;
    double most_s; /* time that the command has from its start; 0: as much as it needs */
};

void progress_begin(struct progress_line *p, bool shown, size_t n_runs);
/* At most a few times a second on a terminal, else each ten seconds. */
void progress_draw(struct progress_line *p, const struct job *job, size_t n_jobs);
/* Before anything else is printed. */
void progress_clear(struct progress_line *p);

/* The line alone, `elapsed` seconds after the beginning, cut to `width` characters; returns buf. */
const char *progress_text(const struct progress_line *p, const struct job *job, size_t n_jobs, double elapsed,
                          int width, char *buf, size_t size);

#endif
