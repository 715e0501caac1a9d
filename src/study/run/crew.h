/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a sweep, spread over ranks by a work queue.
 *
 * The leader keeps the queue and the store. It gives a run to the rank with the fewest runs under way; that rank carries
 * it out as a process of its own and sends back what the process left, which the leader then treats like the outcome of
 * a process on its own machine. The leader carries out runs too. Messages are notes of one size; the note of a run's end
 * announces the bytes of its outcome.
 *
 * Where `each` ranks carry out a run together (study/run/together.h), a run goes to the first rank of such a group, which
 * answers for all of them. `each` is 1 otherwise.
 *
 * A rank that is killed is the launcher's business: mpirun ends all ranks, and the leader has a second to say what is
 * missing, because the other ranks let it end first.
 */
#ifndef HEDDLE_STUDY_RUN_CREW_H
#define HEDDLE_STUDY_RUN_CREW_H

#include "study/run/job.h"

#define CREW_POLL_NS 2000000 /* between looks for messages while nothing else happens */
#define CREW_LAST_WORDS_S 2  /* from a signal to the end of a rank that is not the leader, if nothing ends it earlier */

/* ---- notes ---- */

enum note_kind { NOTE_RUN, NOTE_ABANDON, NOTE_KILL, NOTE_DISMISS, NOTE_PROGRESS, NOTE_END };

struct crew_note {
    enum note_kind kind;
    int status; /* NOTE_END: of the process, as waitpid gives it */
    uint64_t run;
    uint64_t bytes; /* NOTE_END: of the outcome that follows */
    int64_t sim_ps, flows_done, flows_total, packet_hops, wall_ns, done_ppb;
    char text[1024]; /* NOTE_RUN: folder of captures; NOTE_END: why the process gave up, or "" */
};

void crew_send(const struct ranks *r, uint32_t to, const struct crew_note *note);
/* Takes a note that has arrived. Returns false if there is none. */
bool crew_take(const struct ranks *r, struct crew_note *note, uint32_t *from);
/* Tells the leader how far n runs are; at most five times a second, *told_ns being the last time. */
void crew_send_progress(const struct ranks *r, const struct job *j, size_t n, int64_t *told_ns);
/* Sends the leader the end of a run and its outcome. */
void crew_send_end(const struct ranks *r, const struct job *j, int status);

/* ---- the leader ---- */

/* Returns the rank that gets the next run: the one with the fewest of the n jobs, the leader last among equals. */
uint32_t crew_choose(const struct ranks *r, uint32_t each, const struct job *job, size_t n);
/* Gives a run to the rank. False after filling *d: there is no memory for its outcome. */
bool crew_start(const struct ranks *r, struct job *j, uint32_t rank, size_t run, const char *pcap_dir, struct diag *d);
/* Asks the runs of all others to end. crew_poll returns the end of each. */
void crew_abandon(const struct ranks *r, uint32_t each);
/* Makes all others kill their runs, which crew_poll returns too. Groups of several ranks do not take it. */
void crew_kill(const struct ranks *r, uint32_t each);
/* Takes the notes that have arrived. Returns true, and the job's place among the n and its process's status, once a run
 * has ended: its outcome lies where job_finish looks for it. Call it until it returns false. */
bool crew_poll(const struct ranks *r, struct job *job, size_t n, size_t *at, int *status);
/* Tells all others that there is no more work. */
void crew_dismiss(const struct ranks *r, uint32_t each);

/* ---- the others ---- */

/* Carries out what the leader asks for, until it dismisses the crew. A signal ends this process after
 * CREW_LAST_WORDS_S, and the processes of its runs with it; the launcher ends other ranks. */
void crew_serve(const struct experiment *e, const struct run_options *o);

#endif
