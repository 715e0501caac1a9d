/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a job: who sends how much to whom, and what each message waits for. Private to workload.
 *
 * A job is written down as a program for all ranks together, iteration after iteration:
 *
 *     jobs_init(&b, g, &job, window);
 *     for (iterations) {
 *         jobs_iteration(&b);
 *         for (ranks) jobs_go_on(&b, r, compute, JOB_AWAITED);     a rank waits, then computes
 *         for (channels) {
 *             jobs_lane(&b, channel, JOB_AWAITED);
 *             for (steps) {
 *                 jobs_stage(&b);
 *                 for (ranks) ok = ok && jobs_message(&b, r, (r + 1) % n, bytes);
 *             }
 *         }
 *     }
 *     jobs_finish(&b, ok);
 *
 * A lane is one communication among some ranks. In it, what waits for what follows from the stages: the messages of a rank
 * in one stage wait for all that the rank has received in earlier stages of this lane since it sent last: a ring's step
 * waits for the message of the step before. If it has received nothing since, they wait until what it sent last is
 * acknowledged (a binomial tree's root sends one after the other). A rank never begins a stage before the one before. In
 * its first stage of a lane it waits for what it went on from (jobs_go_on), at first for the start of the job. So lanes do
 * not wait for each other until a rank goes on: it then waits for all that it received in the lanes since, or, if it
 * received nothing, until all that it sent in them is acknowledged. Lanes in the background are awaited by jobs_go_on with
 * JOB_ALL alone.
 *
 * A rank sends at most `window` messages of one stage at a time. The next one leaves when an earlier one is acknowledged.
 * Messages between two ranks over one channel use one connection, which is open from the start.
 */
#ifndef HEDDLE_WORKLOAD_JOB_H
#define HEDDLE_WORKLOAD_JOB_H

#include "workload/generate.h"

/* Numbers of flows. */
struct flow_numbers {
    uint32_t *at;
    uint32_t n, room;
};

/* Ends that a rank is to wait for: of flows that it received, and of flows that it sent. */
struct job_ends {
    struct flow_numbers got, sent;
};

/* Whether a rank waits for a lane as soon as it goes on, or only when it waits for all. */
enum job_wait { JOB_AWAITED, JOB_ALL, JOB_BACKGROUND = JOB_ALL };

/* A rank while its job is made. */
struct job_rank {
    uint32_t front;            /* the gate whose end let it go on last; FLOW_NONE: the start of the job */
    struct job_ends wait[2];   /* by enum job_wait: lanes that have ended since */
    struct job_ends lane;      /* the lane at hand */
    struct flow_numbers heard; /* received in it since the rank sent last, in earlier stages */
    struct flow_numbers told;  /* sent in the last stage of it in which the rank sent */
    struct flow_numbers now;   /* sends in this stage */
    uint32_t step;             /* gate of the stage in which it sent last; FLOW_NONE: it has none but `front` */
    bool is_in_lane;
};

/* A message of the current stage, which its receiver does not wait for before the next. */
struct job_arrival {
    uint32_t rank, flow;
};

/* The phases of a job that things numbered from 0 are in. */
struct phase_notes {
    uint8_t *at;
    uint32_t room;
};

struct job_builder {
    struct generator *g;
    struct workload_job job;
    struct job_rank *rank; /* [n_ranks] */
    uint32_t *in_lane;     /* [n_ranks] ranks that the lane at hand has met, */
    uint32_t n_in_lane;    /* so many */
    struct job_arrival *arrival;
    uint32_t n_arrivals, arrivals_room;
    uint32_t *first_gate;               /* of each iteration */
    struct phase_notes messages, gates; /* phases: of the messages of the first iteration, of all gates */
    uint32_t window;                    /* 0: all at once */
    uint32_t channel;
    enum job_wait lane_is;
    uint8_t phase;       /* at hand */
    uint32_t iterations; /* begun */
    uint32_t first_flow; /* of this iteration */
};

/* Begins a job. The builder owns job->rank until jobs_finish; flows_each, iterations, start, first_gate and the phases of
 * *job are set there. */
void jobs_init(struct job_builder *b, struct generator *g, const struct workload_job *job, uint32_t window);
void jobs_iteration(struct job_builder *b);
/* Says which phase of the job the next messages and computations are; names are string constants, JOB_PHASES_MAX at most. */
void jobs_phase(struct job_builder *b, const char *name);
/* Makes a rank wait for what it is to wait for, and then compute. Without either it does nothing. */
void jobs_go_on(struct job_builder *b, uint32_t rank, span_ps compute, enum job_wait wait);
/* The same for all ranks. */
void jobs_all_go_on(struct job_builder *b, span_ps compute, enum job_wait wait);
void jobs_lane(struct job_builder *b, uint32_t channel, enum job_wait wait);
void jobs_stage(struct job_builder *b);
/* Adds a message between two ranks; false as generator_add. */
bool jobs_message(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes);

/* A single message outside of lanes, which leaves when its sender has gone on this far; the sender waits for its end with
 * JOB_ALL, the receiver when jobs_await has said so. Sets *flow; false as generator_add. */
bool jobs_send(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes, uint32_t channel, uint32_t *flow);
void jobs_await(struct job_builder *b, uint32_t rank, uint32_t flow);

/* Ends the last iteration and, if `ok`, adds the job; frees the builder. Returns `ok`. */
bool jobs_finish(struct job_builder *b, bool ok);

/* ---- who takes part (ranks.c) ---- */

/* Returns the hosts of the ranks that `rank` names, or, where it is one number or nothing, that many hosts (all of them) in
 * the order of the placement: packed, in that of the hosts; round-robin, one rack after the other; random. The caller
 * frees it. NULL after filling *d: an unknown host, a host twice, fewer than two ranks, more ranks than hosts. */
uint32_t *ranks_of(const struct generator *g, const char *const *rank, uint32_t n_names, enum placement placement,
                   uint32_t *n);
/* The key `placement` of kinds with ranks. */
extern const struct param ranks_placement;
/* Fails if the entry's placement is not one of ranks. */
bool ranks_placement_check(const struct generator *g);
/* Returns how many ranks that would be; 0 if `rank` is wrong. */
uint32_t ranks_foreseen(const char *const *rank, uint32_t n_names, const struct population *p);

#endif
