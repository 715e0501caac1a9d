/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a job: who sends how much to whom, and what each message waits for. Private to workload.
 *
 * A job is written down as an algorithm is explained, iteration after iteration, lane after lane, stage after stage:
 *
 *     jobs_init(&b, g, &job, window, compute);
 *     for (iterations) {
 *         jobs_iteration(&b);
 *         for (channels) {
 *             jobs_lane(&b);
 *             for (steps) {
 *                 jobs_stage(&b);
 *                 for (ranks) ok = ok && jobs_message(&b, r, (r + 1) % n, bytes);
 *             }
 *         }
 *     }
 *     jobs_finish(&b, ok);
 *
 * What waits for what follows from it. The messages of a rank in one stage wait for all that the rank has received in the
 * stages of this lane since it sent last: a ring's step waits for the message of the step before. If it has received
 * nothing since, they wait until what it sent last is acknowledged (a binomial tree's root sends one after the other). In
 * its first stage of a lane a rank waits for nothing but the iteration, and that begins for a rank, `compute` later, when
 * it has received all messages of the iteration before; a rank that receives none waits until its own are acknowledged.
 * Lanes do not wait for each other. Of the messages that a rank sends in one stage, `window` are under way at once; the
 * next leaves when one is acknowledged.
 *
 * Messages between two ranks in one lane use one connection, which is open from the start.
 */
#ifndef HEDDLE_WORKLOAD_JOB_H
#define HEDDLE_WORKLOAD_JOB_H

#include "workload/generate.h"

/* Numbers of flows. */
struct flow_numbers {
    uint32_t *at;
    uint32_t n, room;
};

/* A rank while its job is made. */
struct job_rank {
    struct flow_numbers heard;                   /* received in this lane since it sent last, in earlier stages */
    struct flow_numbers told;                    /* sent in the last stage of this lane in which it sent */
    struct flow_numbers now;                     /* sends in this stage */
    struct flow_numbers first;                   /* wait for nothing but the iteration */
    struct flow_numbers got, sent;               /* in this iteration, all lanes */
    struct flow_numbers got_before, sent_before; /* in the one before */
};

/* A message of the current stage, which its receiver does not wait for before the next. */
struct job_arrival {
    uint32_t rank, flow;
};

struct job_builder {
    struct generator *g;
    struct workload_job job;
    struct job_rank *rank; /* [n_ranks] */
    struct job_arrival *arrival;
    uint32_t n_arrivals, arrivals_room;
    uint32_t window; /* 0: all at once */
    span_ps compute;
    uint32_t lanes; /* begun in this iteration */
    uint32_t iterations;
    uint32_t first_flow; /* of this iteration */
};

/* Begins a job. The builder owns job->rank until jobs_finish; flows_each and iterations of *job are set there. */
void jobs_init(struct job_builder *b, struct generator *g, const struct workload_job *job, uint32_t window,
               span_ps compute);
void jobs_iteration(struct job_builder *b);
void jobs_lane(struct job_builder *b);
void jobs_stage(struct job_builder *b);
/* Adds a message between two ranks; false as generator_add. */
bool jobs_message(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes);
/* Adds the gates of the last stage and iteration and, if `ok`, the job; frees the builder. Returns `ok`. */
bool jobs_finish(struct job_builder *b, bool ok);

/* ---- who takes part (ranks.c) ---- */

/* Returns the hosts of the ranks that `rank` names, or, where it is one number or nothing, that many hosts (all of them) in
 * the order of the placement: packed, in that of the hosts; round-robin, one rack after the other; random. The caller
 * frees it. NULL after filling *d: an unknown host, a host twice, fewer than two ranks, more ranks than hosts. */
uint32_t *ranks_of(const struct generator *g, const char *const *rank, uint32_t n_names, enum placement placement,
                   uint32_t *n);
/* Returns how many ranks that would be; 0 if `rank` is wrong. */
uint32_t ranks_foreseen(const char *const *rank, uint32_t n_names, const struct population *p);

#endif
