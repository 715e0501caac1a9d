/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/crew.h"

#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_NS 200000000

/* ---- notes ---- */

void crew_send(const struct ranks *r, uint32_t to, const struct crew_note *note) {
    ranks_send(r, to, note, sizeof *note);
}

bool crew_take(const struct ranks *r, struct crew_note *note, uint32_t *from) {
    if (!ranks_poll(r, from)) return false;
    ranks_receive(r, *from, note, sizeof *note);
    return true;
}

void crew_send_progress(const struct ranks *r, const struct job *j, size_t n, int64_t *told_ns) {
    int64_t now = clock_ns();
    if (now - *told_ns < PROGRESS_NS) return;
    *told_ns = now;
    for (size_t i = 0; i < n; i++) {
        struct job_board *b = j[i].board;
        struct crew_note note = {.kind = NOTE_PROGRESS,
                                 .run = j[i].run,
                                 .sim_ps = atomic_load(&b->sim_ps),
                                 .flows_done = atomic_load(&b->flows_done),
                                 .flows_total = atomic_load(&b->flows_total),
                                 .packet_hops = atomic_load(&b->packet_hops),
                                 .wall_ns = atomic_load(&b->wall_ns),
                                 .done_ppb = atomic_load(&b->done_ppb)};
        crew_send(r, RANKS_LEADER, &note);
    }
}

void crew_send_end(const struct ranks *r, const struct job *j, int status) {
    struct crew_note note = {.kind = NOTE_END, .run = j->run, .status = status};
    struct stat file;
    void *outcome = MAP_FAILED;
    snprintf(note.text, sizeof note.text, "%s", j->board->last_words);
    if (fstat(j->outcome_fd, &file) == 0 && file.st_size > 0)
        outcome = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_SHARED, j->outcome_fd, 0);
    if (outcome != MAP_FAILED) note.bytes = (uint64_t)file.st_size;
    crew_send(r, RANKS_LEADER, &note);
    if (outcome == MAP_FAILED) return;
    ranks_send_bytes(r, RANKS_LEADER, outcome, note.bytes);
    munmap(outcome, note.bytes);
}

/* ---- the leader ---- */

uint32_t crew_choose(const struct ranks *r, uint32_t each, const struct job *job, size_t n) {
    uint32_t groups = r->size / each, *runs = memory_get(groups, sizeof *runs), best = groups - 1;
    for (size_t i = 0; i < n; i++) runs[job[i].rank / each]++;
    for (uint32_t group = groups; group-- > 0;)
        if (runs[group] < runs[best]) best = group;
    free(runs);
    return best * each;
}

bool crew_start(const struct ranks *r, struct job *j, uint32_t rank, size_t run, const char *pcap_dir, struct diag *d) {
    j->run = run;
    j->rank = rank;
    j->pid = 0;
    if (!job_prepare(j)) return diag_say(d, "cannot start a run: %s; lower --jobs", strerror(errno));
    struct crew_note note = {.kind = NOTE_RUN, .run = run};
    snprintf(note.text, sizeof note.text, "%s", pcap_dir);
    crew_send(r, rank, &note);
    return true;
}

static void tell_all(const struct ranks *r, uint32_t each, enum note_kind kind) {
    for (uint32_t rank = 0; rank < r->size; rank += each)
        if (rank != r->rank) crew_send(r, rank, &(struct crew_note){.kind = kind});
}

void crew_abandon(const struct ranks *r, uint32_t each) { tell_all(r, each, NOTE_ABANDON); }
void crew_kill(const struct ranks *r, uint32_t each) { tell_all(r, each, NOTE_KILL); }
void crew_dismiss(const struct ranks *r, uint32_t each) { tell_all(r, each, NOTE_DISMISS); }

static void progress_take(struct job *j, const struct crew_note *note) {
    atomic_store(&j->board->sim_ps, note->sim_ps);
    atomic_store(&j->board->flows_done, note->flows_done);
    atomic_store(&j->board->flows_total, note->flows_total);
    atomic_store(&j->board->packet_hops, note->packet_hops);
    atomic_store(&j->board->wall_ns, note->wall_ns);
    atomic_store(&j->board->done_ppb, note->done_ppb);
}

/* Puts the outcome that follows the note where a process of this machine would have written it. */
static void outcome_take(const struct ranks *r, struct job *j, const struct crew_note *note) {
    snprintf(j->board->last_words, sizeof j->board->last_words, "%.*s", (int)sizeof j->board->last_words - 1,
             note->text);
    if (note->bytes == 0) return;
    void *room = ftruncate(j->outcome_fd, (off_t)note->bytes) == 0
                     ? mmap(NULL, note->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, j->outcome_fd, 0)
                     : MAP_FAILED;
    if (room == MAP_FAILED)
        memory_out("memory ran out: none for the %llu bytes of an outcome", (unsigned long long)note->bytes);
    ranks_receive_bytes(r, j->rank, room, note->bytes);
    munmap(room, note->bytes);
}

bool crew_poll(const struct ranks *r, struct job *job, size_t n, size_t *at, int *status) {
    struct crew_note note;
    for (uint32_t from; crew_take(r, &note, &from);) {
        size_t i = 0;
        while (i < n && !(job[i].rank == from && job[i].run == note.run)) i++;
        if (i == n) continue;
        if (note.kind == NOTE_PROGRESS) progress_take(&job[i], &note);
        if (note.kind != NOTE_END) continue;
        outcome_take(r, &job[i], &note);
        *at = i;
        *status = note.status;
        return true;
    }
    return false;
}

/* ---- the others ---- */

struct member {
    const struct experiment *e;
    const struct run_options *o;
    const struct ranks *ranks;
    struct job *job; /* [o->jobs] */
    size_t n;
    int64_t told_ns; /* when the leader last heard how far the runs are */
    bool dismissed;
};

static void member_start(struct member *m, const struct crew_note *order) {
    struct diag d;
    if (job_start(&m->job[m->n], m->e, (size_t)order->run, m->o, order->text, &d)) {
        m->n++;
        return;
    }
    struct crew_note note = {.kind = NOTE_END, .run = order->run, .status = JOB_FAILED << 8};
    snprintf(note.text, sizeof note.text, "%s", d.text);
    crew_send(m->ranks, RANKS_LEADER, &note);
}

static void member_take_notes(struct member *m) {
    struct crew_note note;
    for (uint32_t from; crew_take(m->ranks, &note, &from);) {
        if (note.kind == NOTE_RUN) member_start(m, &note);
        if (note.kind == NOTE_DISMISS) m->dismissed = true;
        for (size_t i = 0; i < m->n && note.kind == NOTE_ABANDON; i++) job_abandon(&m->job[i]);
        for (size_t i = 0; i < m->n && note.kind == NOTE_KILL; i++) kill(m->job[i].pid, SIGKILL);
    }
}

static void member_reap(struct member *m) {
    for (size_t i = 0; i < m->n;) {
        int status;
        if (waitpid(m->job[i].pid, &status, WNOHANG) != m->job[i].pid) {
            i++;
            continue;
        }
        crew_send_end(m->ranks, &m->job[i], status);
        job_forget(&m->job[i]);
        m->job[i] = m->job[--m->n];
    }
}

/* mpirun sends SIGTERM to all ranks, and SIGKILL a second later, or as soon as the first rank has ended. The leader needs
 * that second to print what is missing, so members do not end before it. */
static _Noreturn void member_interrupted(void) {
    sleep(CREW_LAST_WORDS_S);
    _exit(RUN_INCOMPLETE);
}

void crew_serve(const struct experiment *e, const struct run_options *o) {
    struct member m = {.e = e, .o = o, .ranks = o->ranks, .job = memory_get(o->jobs, sizeof *m.job)};
    const struct timespec moment = {0, CREW_POLL_NS};
    sigset_t awaited, before;
    job_signals(&awaited, &before);
    while (!m.dismissed) {
        int number = sigtimedwait(&awaited, NULL, &moment);
        if (job_signal_ends(number)) member_interrupted();
        member_reap(&m);
        member_take_notes(&m);
        crew_send_progress(m.ranks, m.job, m.n, &m.told_ns);
    }
    for (size_t i = 0; i < m.n; i++) kill(m.job[i].pid, SIGKILL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(m.job);
}
