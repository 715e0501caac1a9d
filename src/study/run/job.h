/* SPDX-License-Identifier: Apache-2.0 */
/* One run as a child process. */
#ifndef HEDDLE_STUDY_RUN_JOB_H
#define HEDDLE_STUDY_RUN_JOB_H

#include "study/experiment/experiment.h"
#include "study/results/outcome.h"
#include "study/run/run.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

/* Seen by both processes. */
struct job_board {
    atomic_llong sim_ps, flows_done, flows_total, packet_hops, wall_ns, done_ppb;
    atomic_bool abandon;
    char last_words[256]; /* why the child gave up, where it leaves no outcome that says it; "" otherwise */
};

struct job {
    size_t run;        /* index into the experiment */
    int64_t row;       /* in the store */
    pid_t pid;         /* 0: on another rank */
    uint32_t rank;     /* that carries it out */
    double begun_s;    /* clock_s() at its begin */
    double foreseen_s; /* time that is foreseen for it on one core */
    int outcome_fd;    /* a file in memory */
    struct job_board *board;
};

enum job_end { JOB_DONE, JOB_FAILED, JOB_ABANDONED };

/* Makes the outcome's file and the board. False with errno set: there is no memory, or no file to be had. */
bool job_prepare(struct job *j);
/* Frees both, once the child's outcome has been sent to another rank. */
void job_forget(struct job *j);
/* Blocks the signals that who waits for runs takes by sigtimedwait: a child's end, and SIGINT, SIGTERM and SIGHUP, which ends a
 * run too unless it is ignored (nohup). */
void job_signals(sigset_t *awaited, sigset_t *before);
/* Returns whether a signal asks the runs to end. */
bool job_signal_ends(int number);
/* False after filling *d: no process or memory to be had. `pcap_dir`: where captures go, if there are any. */
bool job_start(struct job *j, const struct experiment *e, size_t run, const struct run_options *o, const char *pcap_dir,
               struct diag *d);
/* After the child has ended with `status` (waitpid): what it left. *has_outcome says whether *o was filled. */
enum job_end job_finish(struct job *j, int status, struct outcome *o, bool *has_outcome, char *failure, size_t size);
void job_abandon(struct job *j);

/* Returns how many of the wanted threads each rank of the run takes: threads that would only wait for each other are left
 * out. */
uint32_t job_threads(const struct assembly *a, uint32_t ranks, uint32_t wanted);

/* A progress_fn: writes to the board that is its context. */
bool job_progress(const struct progress *p, void *board);
/* Makes the folder of captures if the run has any. Returns false after writing to r->failure. */
bool job_captures(const struct assembly *a, const char *pcap_dir, struct run_result *r);

#endif
