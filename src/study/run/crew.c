/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/crew.h"

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

enum note_kind { NOTE_RUN, NOTE_ABANDON, NOTE_DISMISS, NOTE_PROGRESS, NOTE_END };

struct crew_note {
    enum note_kind kind;
    int status; /* NOTE_END: of the process, as waitpid gives it */
    uint64_t run;
    uint64_t bytes; /* NOTE_END: of the outcome that follows */
    int64_t sim_ps, flows_done, flows_total, packet_hops, wall_ns;
    char text[1024]; /* NOTE_RUN: folder of captures; NOTE_END: why the process gave up, or "" */
};

static void note_send(const struct ranks *r, uint32_t to, const struct crew_note *note) {
    ranks_send(r, to, note, sizeof *note);
}

/* ---- the leader ---- */

uint32_t crew_choose(const struct ranks *r, const struct job *job, size_t n) {
    uint32_t *runs = memory_get(r->size, sizeof *runs), best = r->size - 1;
    for (size_t i = 0; i < n; i++) runs[job[i].rank]++;
    for (uint32_t rank = r->size; rank-- > 0;)
        if (runs[rank] < runs[best]) best = rank;
    free(runs);
    return best;
}

bool crew_start(const struct ranks *r, struct job *j, uint32_t rank, size_t run, const char *pcap_dir, struct diag *d) {
    j->run = run;
    j->rank = rank;
    j->pid = 0;
    if (!job_prepare(j)) return diag_fail(d, "", 0, 0, "cannot start a run: %s; lower --jobs", strerror(errno));
    struct crew_note note = {.kind = NOTE_RUN, .run = run};
    snprintf(note.text, sizeof note.text, "%s", pcap_dir);
    note_send(r, rank, &note);
    return true;
}

static void tell_all(const struct ranks *r, enum note_kind kind) {
    for (uint32_t rank = 0; rank < r->size; rank++)
        if (rank != r->rank) note_send(r, rank, &(struct crew_note){.kind = kind});
}

void crew_abandon(const struct ranks *r) { tell_all(r, NOTE_ABANDON); }
void crew_dismiss(const struct ranks *r) { tell_all(r, NOTE_DISMISS); }

static void progress_take(struct job *j, const struct crew_note *note) {
    atomic_store(&j->board->sim_ps, note->sim_ps);
    atomic_store(&j->board->flows_done, note->flows_done);
    atomic_store(&j->board->flows_total, note->flows_total);
    atomic_store(&j->board->packet_hops, note->packet_hops);
    atomic_store(&j->board->wall_ns, note->wall_ns);
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
    for (uint32_t from; ranks_poll(r, &from);) {
        ranks_receive(r, from, &note, sizeof note);
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

static int64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void member_start(struct member *m, const struct crew_note *order) {
    struct diag d;
    if (job_start(&m->job[m->n], m->e, (size_t)order->run, m->o, order->text, &d)) {
        m->n++;
        return;
    }
    struct crew_note note = {.kind = NOTE_END, .run = order->run, .status = JOB_FAILED << 8};
    snprintf(note.text, sizeof note.text, "%s", d.text);
    note_send(m->ranks, RANKS_LEADER, &note);
}

static void member_take_notes(struct member *m) {
    struct crew_note note;
    for (uint32_t from; ranks_poll(m->ranks, &from);) {
        ranks_receive(m->ranks, from, &note, sizeof note);
        if (note.kind == NOTE_RUN) member_start(m, &note);
        if (note.kind == NOTE_DISMISS) m->dismissed = true;
        if (note.kind != NOTE_ABANDON) continue;
        for (size_t i = 0; i < m->n; i++) job_abandon(&m->job[i]);
    }
}

static void member_send_end(struct member *m, const struct job *j, int status) {
    struct crew_note note = {.kind = NOTE_END, .run = j->run, .status = status};
    struct stat file;
    void *outcome = MAP_FAILED;
    snprintf(note.text, sizeof note.text, "%s", j->board->last_words);
    if (fstat(j->outcome_fd, &file) == 0 && file.st_size > 0)
        outcome = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_SHARED, j->outcome_fd, 0);
    if (outcome != MAP_FAILED) note.bytes = (uint64_t)file.st_size;
    note_send(m->ranks, RANKS_LEADER, &note);
    if (outcome == MAP_FAILED) return;
    ranks_send_bytes(m->ranks, RANKS_LEADER, outcome, note.bytes);
    munmap(outcome, note.bytes);
}

static void member_reap(struct member *m) {
    for (size_t i = 0; i < m->n;) {
        int status;
        if (waitpid(m->job[i].pid, &status, WNOHANG) != m->job[i].pid) {
            i++;
            continue;
        }
        member_send_end(m, &m->job[i], status);
        job_forget(&m->job[i]);
        m->job[i] = m->job[--m->n];
    }
}

static void member_send_progress(struct member *m) {
    int64_t now = clock_ns();
    if (now - m->told_ns < PROGRESS_NS) return;
    m->told_ns = now;
    for (size_t i = 0; i < m->n; i++) {
        struct job_board *b = m->job[i].board;
        struct crew_note note = {.kind = NOTE_PROGRESS,
                                 .run = m->job[i].run,
                                 .sim_ps = atomic_load(&b->sim_ps),
                                 .flows_done = atomic_load(&b->flows_done),
                                 .flows_total = atomic_load(&b->flows_total),
                                 .packet_hops = atomic_load(&b->packet_hops),
                                 .wall_ns = atomic_load(&b->wall_ns)};
        note_send(m->ranks, RANKS_LEADER, &note);
    }
}

void crew_serve(const struct experiment *e, const struct run_options *o) {
    struct member m = {.e = e, .o = o, .ranks = o->ranks, .job = memory_get(o->jobs, sizeof *m.job)};
    const struct timespec moment = {0, CREW_POLL_NS};
    sigset_t awaited, before;
    job_signals(&awaited, &before);
    while (!m.dismissed) {
        int number = sigtimedwait(&awaited, NULL, &moment);
        /* The processes of the runs end with this one; the launcher ends the others. */
        if (number == SIGINT || number == SIGTERM) _exit(RUN_INCOMPLETE);
        member_reap(&m);
        member_take_notes(&m);
        member_send_progress(&m);
    }
    for (size_t i = 0; i < m.n; i++) kill(m.job[i].pid, SIGKILL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(m.job);
}
