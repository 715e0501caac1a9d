/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/job.h"

#include "base/memory.h"
#include "study/results/queue_bounds.h"
#include "study/results/rounds.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child ---- */

bool job_progress(const struct progress *p, void *board) {
    struct job_board *b = board;
    atomic_store(&b->sim_ps, p->now);
    atomic_store(&b->flows_done, (long long)p->flows_done);
    atomic_store(&b->flows_total, (long long)p->flows_total);
    atomic_store(&b->packet_hops, (long long)p->packet_hops);
    atomic_store(&b->wall_ns, p->wall_ns);
    atomic_store(&b->done_ppb, p->done_ppb);
    return !atomic_load(&b->abandon);
}

/* Makes the folder and those above it. */
static bool folder_make(const char *path) {
    char part[1024];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
        *slash = '/';
    }
    return mkdir(part, 0777) == 0 || errno == EEXIST;
}

static enum world_outcome carry_out(const struct job *j, const struct experiment *e, const struct run_options *o,
                                    struct assembly *a, struct run_result *r) {
    return o->carrier ? o->carrier(o->carrier_to, e, j->run, a, r) : world_run(&a->world, r);
}

bool job_captures(const struct assembly *a, const char *pcap_dir, struct run_result *r) {
    if (!a->world.measure.n_pcap || a->is_live || folder_make(pcap_dir)) return true;
    snprintf(r->failure, sizeof r->failure, "cannot make the folder of captures %s: %s", pcap_dir, strerror(errno));
    return false;
}

static enum job_end run_world(const struct job *j, const struct experiment *e, const struct run_options *o,
                              struct assembly *a, struct run_result *r, const char *pcap_dir) {
    if (!job_captures(a, pcap_dir, r)) return JOB_FAILED;
    switch (carry_out(j, e, o, a, r)) {
    case WORLD_DONE: return JOB_DONE;
    case WORLD_ABANDONED: return JOB_ABANDONED;
    default: return JOB_FAILED;
    }
}

uint32_t job_threads(const struct assembly *a, uint32_t ranks, uint32_t wanted) {
    uint32_t useful = wanted > 1 ? world_useful_threads(&a->world, ranks) : 1;
    return wanted < useful ? wanted : useful;
}

/* Whom a run without memory tells; its process has one. */
static struct job_board *board_of_child;

static _Noreturn void child_gives_up(const char *why) {
    snprintf(board_of_child->last_words, sizeof board_of_child->last_words, "%s", why);
    _exit(JOB_FAILED);
}

static void child(const struct job *j, const struct experiment *e, const struct run_options *o, const char *pcap_dir) {
    uint32_t threads = o->threads;
    board_of_child = j->board;
    memory_on_out(child_gives_up);
    struct diag d = {0};
    struct assembly *a = assembly_create(&e->run[j->run].config, e->base_dir, &d);
    FILE *out = fdopen(j->outcome_fd, "wb");
    if (!a) child_gives_up(d.text);
    if (!out) child_gives_up("its result cannot be handed over: memory ran out");
    a->world.threads = job_threads(a, 1, threads);
    a->world.measure.pcap_dir = pcap_dir;
    a->world.progress = job_progress;
    a->world.progress_context = j->board;
    struct run_result *r = calloc(1, sizeof *r);
    enum job_end end = r ? run_world(j, e, o, a, r, pcap_dir) : JOB_FAILED;
    if (r && a->world.threads < threads) r->engine.window_frames = world_window_frames(&a->world, 1, threads);
    if (r && r->port) queue_bounds_compare(a, r);
    if (r) rounds_compare(a, r);
    if (end != JOB_ABANDONED && r && !outcome_hand_over(out, a, r))
        child_gives_up(
            "its result cannot be handed over: memory, or the size that files may have (ulimit -f), ran out");
    _exit(end);
}

/* The terminal sends SIGINT and SIGHUP to all: the parent decides. If the parent is killed the child ends too. */
static void child_signals(pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(JOB_ABANDONED);
}

/* ---- the parent ---- */

void job_signals(sigset_t *awaited, sigset_t *before) {
    sigemptyset(awaited);
    sigaddset(awaited, SIGCHLD);
    sigaddset(awaited, SIGINT);
    sigaddset(awaited, SIGTERM);
    struct sigaction hangup; /* nohup ignores it; a blocked signal is delivered all the same */
    if (sigaction(SIGHUP, NULL, &hangup) != 0 || hangup.sa_handler != SIG_IGN) sigaddset(awaited, SIGHUP);
    sigprocmask(SIG_BLOCK, awaited, before);
}

bool job_signal_ends(int number) { return number == SIGINT || number == SIGTERM || number == SIGHUP; }

void job_forget(struct job *j) {
    munmap(j->board, sizeof *j->board);
    close(j->outcome_fd);
}

bool job_prepare(struct job *j) {
    j->outcome_fd = memfd_create("heddle-outcome", MFD_CLOEXEC);
    if (j->outcome_fd < 0) return false;
    j->board = mmap(NULL, sizeof *j->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (j->board != MAP_FAILED) return true;
    close(j->outcome_fd);
    return false;
}

bool job_start(struct job *j, const struct experiment *e, size_t run, const struct run_options *o, const char *pcap_dir,
               struct diag *d) {
    j->run = run;
    j->rank = o->ranks ? o->ranks->rank : RANKS_LEADER;
    pid_t parent = getpid();
    if (!job_prepare(j)) return diag_say(d, "cannot start a run: %s; lower --jobs", strerror(errno));
    fflush(NULL);
    j->pid = fork();
    if (j->pid == 0) {
        child_signals(parent);
        child(j, e, o, pcap_dir);
    }
    if (j->pid > 0) return true;
    diag_say(d, "cannot start a process: %s; lower --jobs", strerror(errno));
    job_forget(j);
    return false;
}

static bool take_outcome(struct job *j, struct outcome *o) {
    FILE *in = fdopen(j->outcome_fd, "rb");
    if (!in) {
        close(j->outcome_fd);
        return false;
    }
    rewind(in);
    bool ok = outcome_take_over(in, o);
    if (!ok) outcome_free(o);
    fclose(in);
    return ok;
}

enum job_end job_finish(struct job *j, int status, struct outcome *o, bool *has_outcome, char *failure, size_t size) {
    bool asked = atomic_load(&j->board->abandon);
    char last_words[sizeof j->board->last_words];
    snprintf(last_words, sizeof last_words, "%s", j->board->last_words);
    *has_outcome = take_outcome(j, o);
    munmap(j->board, sizeof *j->board);
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        if (asked) return JOB_ABANDONED;
        snprintf(failure, size, "the process ended by signal %d (%s)%s", number, strsignal(number),
                 number == SIGKILL ? "; perhaps memory ran out" : "");
        return JOB_FAILED;
    }
    enum job_end end = (enum job_end)WEXITSTATUS(status);
    if (end == JOB_ABANDONED || (end == JOB_DONE && *has_outcome)) return end;
    bool said = *has_outcome && o->result.failure[0];
    snprintf(failure, size, "%s",
             last_words[0] ? last_words
             : said        ? o->result.failure
                           : "it left no result; perhaps memory ran out");
    return JOB_FAILED;
}

void job_abandon(struct job *j) { atomic_store(&j->board->abandon, true); }
