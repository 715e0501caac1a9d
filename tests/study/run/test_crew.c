/* SPDX-License-Identifier: Apache-2.0 */
/* How the leader gives runs to ranks, and to groups of ranks that carry out a run together. */
#include "ranks/fake_ranks.h"
#include "study/run/crew.h"
#include "study/run/together.h"
#include "study_test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void crew_choose__the_fewest_runs_and_the_leader_last(void **state) {
    (void)state;
    struct ranks r = {.rank = 0, .size = 3, .on_machine = 3};
    struct job job[6] = {0};
    uint32_t order[6];
    for (size_t n = 0; n < 6; n++) order[n] = job[n].rank = crew_choose(&r, 1, job, n);
    assert_int_equal(order[0] + order[1], 3); /* 1 and 2, in some order */
    assert_int_equal(order[2], 0);
    assert_int_equal(order[3] + order[4], 3);
    assert_int_equal(order[5], 0);
}

static void crew_choose__the_first_rank_of_a_group(void **state) {
    (void)state;
    struct ranks r = {.rank = 0, .size = 6, .on_machine = 6};
    struct job job[3] = {0};
    uint32_t order[3];
    for (size_t n = 0; n < 3; n++) order[n] = job[n].rank = crew_choose(&r, 2, job, n);
    assert_int_equal(order[0] + order[1], 6); /* 2 and 4, in some order */
    assert_int_equal(order[2], 0);
    job[0].rank = 0;
    job[1].rank = 2;
    assert_int_equal(crew_choose(&r, 2, job, 2), 4);
}

/* ---- two groups of two ranks ---- */

/* A run that ends, and one that does not. */
#define RUNS                                                                                                           \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: {kind: long, src: 0, dst: 2}\n"             \
    "sweep: {run.until: [1ms, 1000s]}\n"

/* What the leader found. */
struct finding {
    struct experiment *e;
    uint64_t theirs, ours;     /* digests of the first run, by the other group and by the leader's */
    enum job_end end, own_end; /* of the same */
    enum job_end abandoned;    /* of the second run */
    int64_t heard_ps;          /* how far it was when the leader gave it up */
    bool in_time;
};

/* Waits for the end of the run that another group carries out, as long as that may take on a busy machine. */
static bool job_await(const struct ranks *r, struct job *j, int *status) {
    const struct timespec moment = {0, 1000000};
    size_t at;
    for (int i = 0; i < 60000; i++) {
        if (crew_poll(r, j, 1, &at, status)) return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

static enum job_end digest_take(struct job *j, int status, uint64_t *digest) {
    struct outcome o = {0};
    bool has_outcome;
    char failure[1100];
    enum job_end end = job_finish(j, status, &o, &has_outcome, failure, sizeof failure);
    *digest = has_outcome ? o.result.engine.digest : 0;
    outcome_free(&o);
    return end;
}

/* Lets the other group begin the endless run, hears how far it is, and gives it up. */
static bool endless_run(const struct ranks *r, struct finding *f) {
    struct job j;
    struct diag d;
    int status;
    uint64_t none;
    if (!crew_start(r, &j, 2, 1, "", &d)) return false;
    for (int i = 0; i < 60000 && (f->heard_ps = atomic_load(&j.board->sim_ps)) == 0; i++) {
        size_t at;
        if (crew_poll(r, &j, 1, &at, &status)) return false;
        usleep(1000);
    }
    crew_abandon(r, 2);
    if (!job_await(r, &j, &status)) return false;
    f->abandoned = digest_take(&j, status, &none);
    return true;
}

static bool goes_on(const struct progress *p, void *context) {
    (void)p, (void)context;
    return true;
}

static bool lead(const struct ranks *r, const struct run_options *o, struct finding *f) {
    struct job theirs, own = {.run = 0};
    struct diag d;
    int status;
    if (!crew_start(r, &theirs, 2, 0, "", &d) || !job_prepare(&own)) return false;
    int own_status = together_lead(&own, f->e, o, "", goes_on, NULL);
    if (!job_await(r, &theirs, &status)) return false;
    f->end = digest_take(&theirs, status, &f->theirs);
    f->own_end = digest_take(&own, own_status, &f->ours);
    bool ok = endless_run(r, f);
    crew_dismiss(r, 2);
    together_end(o->group);
    return ok;
}

static void group_live(const struct ranks *ranks, void *context) {
    struct finding *f = context;
    struct ranks_group group;
    ranks_group_join(&group, ranks, 2);
    struct run_options o = {.ranks = ranks, .group = &group, .jobs = 1, .threads = 1};
    if (ranks_leads(ranks))
        f->in_time = lead(ranks, &o, f);
    else
        together_serve(f->e, &o);
}

static void groups__carry_out_runs_side_by_side(void **state) {
    (void)state;
    struct finding f = {.e = read_text(RUNS)};
    assert_int_equal(fake_ranks(4, group_live, &f), 0);
    assert_true(f.in_time);
    assert_int_equal(f.end, JOB_DONE);
    assert_int_equal(f.own_end, JOB_DONE);
    assert_true(f.theirs != 0 && f.theirs == f.ours);
    assert_int_equal(f.abandoned, JOB_ABANDONED);
    assert_true(f.heard_ps > 0);
    experiment_free(f.e);
}

/* ---- the end before the end ---- */

static void member_live(const struct ranks *ranks, void *context) {
    const struct run_options o = {.ranks = ranks, .jobs = 1, .threads = 1};
    if (ranks_leads(ranks))
        pause();
    else
        crew_serve(context, &o);
}

/* mpirun kills the leader as soon as any rank has ended, whether the leader has spoken or not. */
static void crew_serve__a_signal_lets_the_leader_end_first(void **state) {
    (void)state;
    struct experiment *e = read_text(RUNS);
    sigset_t awaited, before;
    job_signals(&awaited, &before);
    pid_t ranks = fork();
    if (ranks == 0) _exit(fake_ranks(2, member_live, e));
    sigprocmask(SIG_SETMASK, &before, NULL);
    kill(ranks, SIGTERM);
    int status = 0;
    usleep(1000000);
    assert_int_equal(waitpid(ranks, &status, WNOHANG), 0);
    assert_int_equal(waitpid(ranks, &status, 0), ranks);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), RUN_INCOMPLETE);
    experiment_free(e);
}

/* ---- runs that are killed ---- */

struct killing {
    struct experiment *e;
    bool ended;
    int status; /* of the process of the endless run */
};

static void killer_live(const struct ranks *ranks, void *context) {
    struct killing *k = context;
    const struct run_options o = {.ranks = ranks, .jobs = 1, .threads = 1};
    struct job j;
    struct diag d;
    size_t at;
    if (!ranks_leads(ranks)) {
        crew_serve(k->e, &o);
        return;
    }
    if (!crew_start(ranks, &j, 1, 1, "", &d)) return;
    for (int i = 0; i < 60000 && atomic_load(&j.board->sim_ps) == 0; i++) {
        crew_poll(ranks, &j, 1, &at, &k->status);
        usleep(1000);
    }
    crew_kill(ranks, 1);
    k->ended = job_await(ranks, &j, &k->status);
    uint64_t none;
    digest_take(&j, k->status, &none);
    crew_dismiss(ranks, 1);
}

static void crew_kill__the_run_ends_by_sigkill(void **state) {
    (void)state;
    struct killing k = {.e = read_text(RUNS)};
    assert_int_equal(fake_ranks(2, killer_live, &k), 0);
    assert_true(k.ended);
    assert_true(WIFSIGNALED(k.status));
    assert_int_equal(WTERMSIG(k.status), SIGKILL);
    experiment_free(k.e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(crew_choose__the_fewest_runs_and_the_leader_last),
        UNIT(crew_choose__the_first_rank_of_a_group),
        UNIT(groups__carry_out_runs_side_by_side),
        UNIT(crew_serve__a_signal_lets_the_leader_end_first),
        UNIT(crew_kill__the_run_ends_by_sigkill),
    };
    return RUN_UNITS(tests);
}
