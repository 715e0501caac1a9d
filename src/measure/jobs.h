/* SPDX-License-Identifier: Apache-2.0 */
/* Times of a run's jobs and of their iterations, from the tallies of their flows.
 *
 * An iteration lasts from the start of its first message to the arrival of the last byte of its last one; that of a job that
 * computes (workload_job.computes) lasts from the begin of its first gate to the end of its last one as well. Its ideal is
 * a lower bound: the longest chain of messages that wait for each other, each taking the lower bound of its FCT, with the
 * delays between them; or, if that is longer, the time that some host's link needs for all that the host sends, or
 * receives, in the iteration, or that some rank computes. Messages of earlier iterations count as over. No iteration can
 * take less, on any fabric and under any scheme; a run in which one does has failed.
 */
#ifndef HEDDLE_MEASURE_JOBS_H
#define HEDDLE_MEASURE_JOBS_H

#include "measure/result.h"

/* A run's jobs and their flows, in the order of the flow list. */
struct job_log {
    const struct workload_job *job;
    uint32_t n;
    const struct flow *flow;
    struct tallies tally;
    const int64_t *bound_ps;    /* lower bound of each flow's FCT */
    const uint64_t *wire_bytes; /* of each flow, on its sender's link */
    uint32_t n_flows;
    const struct gates *gates;
    const int64_t *host_bps; /* [n_hosts] */
    uint32_t n_hosts;
    const char *const *entry_name; /* of the workload's entries; NULL: it has none. May be NULL */
};

/* Writes the name of a job in results: that of its entry, else "job" and the entry's number. Returns buf. */
char *job_name(const char *entry_name, uint32_t entry, char buf[PART_NAME_MAX]);

/* Fills r->job[r->n_jobs] and r->job_iteration[]. False, with r->failure naming job and iteration, if one took less than
 * its ideal. */
bool jobs_summarise(const struct job_log *l, struct run_result *r);

#endif
