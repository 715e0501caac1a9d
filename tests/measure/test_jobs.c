/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/jobs.h"

#include "feeds.h"

#include <stdlib.h>
#include <string.h>

/* Two iterations of a job of three ranks, on hosts 4, 5 and 6: 4 sends to 5, then 5 to 6; beside it, 6 to 4. Each message
 * has a lower bound of 100 ps; host 6 takes 7 ps to compute before the next iteration. A flow of another entry comes first. */
#define PER_ITERATION 3
struct made {
    struct flow flow[7];
    struct flow_tally tally[7];
    int64_t bound[7], host_bps[8];
    uint64_t wire[7];
    struct gate gate[4];
    uint32_t gated[4], rank[3], first_gate[3];
    struct feeds feeds;
    struct gates gates;
    struct workload_job job;
    struct job_log log;
    struct run_result r;
};

static void message(struct made *m, uint32_t flow, uint32_t src, uint32_t dst, time_ps start, time_ps end) {
    m->flow[flow] = (struct flow){.src = src, .dst = dst, .entry = 1, .index = flow - 1, .bytes = 10};
    m->tally[flow].started_at = start;
    m->tally[flow].finished_at = end;
    m->bound[flow] = 100;
    m->wire[flow] = 10;
}

static struct made *made_new(void) {
    struct made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->flow[0] = (struct flow){.src = 1, .dst = 2, .entry = 0};
    message(m, 1, 4, 5, 1000, 1120);
    message(m, 2, 5, 6, 1120, 1300);
    message(m, 3, 6, 4, 1010, 1140);
    message(m, 4, 4, 5, 1140, 1290);
    message(m, 5, 5, 6, 1290, 1400);
    message(m, 6, 6, 4, 1307, 1500);
    /* 0: host 5 has the message; 1: host 4, 2: host 6 begin the second iteration */
    m->gate[0] = (struct gate){.host = 5, .needs = 1, .first = 0, .n = 1};
    m->gate[1] = (struct gate){.host = 4, .needs = 1, .first = 1, .n = 1};
    m->gate[2] = (struct gate){.host = 6, .needs = 1, .first = 2, .n = 1, .delay = 7};
    m->gate[3] = (struct gate){.host = 5, .needs = 1, .first = 3, .n = 1, .delay = 3};
    memcpy(m->gated, (uint32_t[]){2, 4, 6, 5}, sizeof m->gated);
    feeds_add(&m->feeds, 1, FED_RECEIVED, 0);
    feeds_add(&m->feeds, 3, FED_RECEIVED, 1);
    feeds_add(&m->feeds, 2, FED_RECEIVED, 2);
    feeds_add(&m->feeds, 4, FED_RECEIVED, 3);
    m->gates = (struct gates){.gate = m->gate, .gated = m->gated, .n_gates = 4, .n_gated = 4};
    feeds_finish(&m->feeds, &m->gates, 7);
    memcpy(m->rank, (uint32_t[]){4, 5, 6}, sizeof m->rank);
    memcpy(m->first_gate, (uint32_t[]){0, 1, 4}, sizeof m->first_gate);
    m->job = (struct workload_job){.entry = 1,
                                   .rank = m->rank,
                                   .n_ranks = 3,
                                   .iterations = 2,
                                   .flows_each = PER_ITERATION,
                                   .first_gate = m->first_gate,
                                   .op = "broadcast",
                                   .bytes = 10,
                                   .bus = 1,
                                   .bus_per = 1};
    for (int i = 0; i < 8; i++) m->host_bps[i] = 1000000000000LL; /* 8 ps a byte */
    m->log = (struct job_log){.job = &m->job,
                              .n = 1,
                              .flow = m->flow,
                              .tally = tallies_of(m->tally),
                              .bound_ps = m->bound,
                              .wire_bytes = m->wire,
                              .n_flows = 7,
                              .gates = &m->gates,
                              .host_bps = m->host_bps,
                              .n_hosts = 8};
    return m;
}

/* Forgets a result, so that the same job can be summarised again. */
static void result_forget(struct made *m) {
    free(m->r.job);
    free(m->r.job_iteration);
    free(m->r.job_step);
    free(m->r.job_span);
    memset(&m->r, 0, sizeof m->r);
}

static void made_free(struct made *m) {
    result_forget(m);
    free(m);
}

static void jobs__an_iteration_lasts_from_its_first_start_to_its_last_arrival(void **state) {
    (void)state;
    struct made *m = made_new();
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.n_jobs, 1);
    assert_int_equal(m->r.n_job_iterations, 2);
    const struct job_total *t = m->r.job;
    assert_string_equal(t->name, "job1");
    assert_string_equal(t->op, "broadcast");
    assert_int_equal(t->ranks, 3);
    assert_int_equal(m->r.job_iteration[0].start, 1000);
    assert_int_equal(m->r.job_iteration[0].end, 1300);
    assert_int_equal(m->r.job_iteration[0].last_rank, 2);
    assert_int_equal(m->r.job_iteration[1].start, 1140);
    assert_int_equal(m->r.job_iteration[1].end, 1500);
    assert_int_equal(m->r.job_iteration[1].last_rank, 0);
    assert_int_equal(t->jct_ps.n, 2);
    assert_int_equal(t->jct_ps.mean, 330);
    assert_int_equal(t->slowest_rank, 0); /* each was the last once: the lower one */
    made_free(m);
}

/* Two messages in a row and the delay between them; what earlier iterations brought does not count, nor its delay. */
static void jobs__the_ideal_is_the_longest_chain(void **state) {
    (void)state;
    struct made *m = made_new();
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[0].ideal, 200);
    assert_int_equal(m->r.job_iteration[1].ideal, 203);
    assert_int_equal(m->r.job[0].ideal_ps, 203);
    assert_int_equal(m->r.job[0].slowdown_ppm.max, 360 * PPM / 203);
    made_free(m);
}

/* A computation of 40 between the two messages of the first iteration, which one gate begins and another counts at its end.
 * The gates of the second one follow. */
static void jobs__gates_between_messages_are_part_of_the_chain(void **state) {
    (void)state;
    struct made *m = made_new();
    struct gate between[6];
    uint32_t follow[] = {1, 2};
    struct feeds feeds = {0};
    between[0] = (struct gate){.host = 5, .needs = 1, .delay = 15, .next = 0, .n_on_end = 1}; /* message 1 has come */
    between[1] = (struct gate){.host = 5, .needs = 1, .delay = 25, .next = 1, .n_on_end = 1};
    between[2] = (struct gate){.host = 5, .needs = 1, .first = 0, .n = 1};
    memcpy(&between[3], &m->gate[1], 3 * sizeof *between);
    memcpy(m->first_gate, (uint32_t[]){0, 3, 6}, sizeof m->first_gate);
    feeds_add(&feeds, 1, FED_RECEIVED, 0);
    feeds_add(&feeds, 3, FED_RECEIVED, 3);
    feeds_add(&feeds, 2, FED_RECEIVED, 4);
    feeds_add(&feeds, 4, FED_RECEIVED, 5);
    m->gates =
        (struct gates){.gate = between, .gated = m->gated, .follow = follow, .n_gates = 6, .n_gated = 4, .n_follow = 2};
    feeds_finish(&feeds, &m->gates, 7);
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[0].ideal, 240);
    assert_int_equal(m->r.job_iteration[1].ideal, 203);
    result_forget(m);
    between[0].n_on_begin = 1; /* the second counts the begin of the first */
    between[0].n_on_end = 0;
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[0].ideal, 225);
    made_free(m);
}

/* The same job, as one that computes: its second iteration begins when host 4 has what it waits for, at 1140, contains the 7
 * and 3 ps that ranks compute in it, and ends with the last message. */
static void jobs__of_one_that_computes_the_gates_count(void **state) {
    (void)state;
    struct made *m = made_new();
    m->job.computes = true;
    m->job.start = 1000;
    m->gate[1].delay = 40;
    m->tally[4].started_at = 1180;
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[1].start, 1140);
    assert_int_equal(m->r.job_iteration[1].end, 1500);
    assert_int_equal(m->r.job_iteration[1].ideal, 40 + 100 + 3 + 100);
    assert_int_equal(m->r.job_iteration[1].exposed, ((360 - 40) + (360 - 3) + (360 - 7)) / 3);
    assert_int_equal(m->r.job[0].exposed_ps, (300 + 343) / 2);
    m->gate[2].delay = 300; /* host 6 computes longer than all else takes: it is the last */
    m->tally[6].started_at = 1600;
    m->tally[6].finished_at = 1700;
    result_forget(m);
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[1].ideal, 400);
    made_free(m);
}

/* Host 6 sends 10 bytes and host 4 receives them; 30 more that host 4 sends take its link 240 ps. */
static void jobs__or_the_time_of_the_busiest_link(void **state) {
    (void)state;
    struct made *m = made_new();
    m->wire[1] = 31;
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[0].ideal, 248);
    made_free(m);
    m = made_new();
    m->wire[1] = 31;
    m->host_bps[5] /= 2; /* the receiver's is slower */
    m->tally[2].finished_at = 1600;
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job_iteration[0].ideal, 496);
    made_free(m);
}

static void jobs__an_iteration_that_did_not_end_has_no_time(void **state) {
    (void)state;
    struct made *m = made_new();
    m->tally[5].finished_at = TIME_NONE;
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job[0].jct_ps.n, 1);
    assert_int_equal(m->r.job[0].jct_ps.max, 300);
    assert_int_equal(m->r.job[0].slowest_rank, 2);
    for (int i = 1; i < 7; i++) m->tally[i].started_at = m->tally[i].finished_at = TIME_NONE;
    result_forget(m);
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.job[0].jct_ps.n, 0);
    assert_int_equal(m->r.job[0].slowest_rank, UINT32_MAX);
    made_free(m);
}

static void step_is(const struct job_step *s, uint32_t flow, uint32_t src, uint32_t dst, time_ps start, time_ps end) {
    assert_int_equal(s->flow, flow);
    assert_int_equal(s->src, src);
    assert_int_equal(s->dst, dst);
    assert_int_equal(s->start, start);
    assert_int_equal(s->end, end);
}

/* The second iteration is the slowest: host 4 sends to host 5, which computes 3 ps and sends to host 6, the last to have all.
 * What host 4 waited for before the iteration is no part of it. */
static void jobs__the_critical_path_leads_to_the_last_end(void **state) {
    (void)state;
    struct made *m = made_new();
    m->tally[5].started_at = 1293;
    m->tally[5].finished_at = 1700;
    assert_true(jobs_summarise(&m->log, &m->r));
    assert_int_equal(m->r.n_job_steps, 3);
    const struct job_step *s = m->r.job_step;
    step_is(&s[0], 4, 4, 5, 1140, 1290);
    step_is(&s[1], FLOW_NONE, 5, 5, 1290, 1293);
    step_is(&s[2], 5, 5, 6, 1293, 1700);
    assert_int_equal(s[0].ideal, 100);
    assert_int_equal(s[1].ideal, 3);
    assert_int_equal(s[2].step, 2);
    assert_int_equal(s[2].iteration, 1);
    assert_string_equal(s[2].phase, "broadcast");
    made_free(m);
}

/* What a rank computes first is a part of an iteration of a job that computes; phases have names. */
static void jobs__a_critical_path_may_begin_with_a_computation(void **state) {
    (void)state;
    static const uint8_t messages[PER_ITERATION] = {1, 1, 1}, gates[4] = {0, 0, 0, 0};
    struct made *m = made_new();
    m->job.computes = true;
    m->job.phase[0] = "forward";
    m->job.phase[1] = "gradients";
    m->job.phase_of = messages;
    m->job.phase_of_gate = gates;
    assert_true(jobs_summarise(&m->log, &m->r)); /* host 6 computes 7 from 1300 on, then sends to host 4 */
    const struct job_step *s = m->r.job_step;
    assert_int_equal(m->r.n_job_steps, 2);
    step_is(&s[0], FLOW_NONE, 6, 6, 1300, 1307);
    step_is(&s[1], 6, 6, 4, 1307, 1500);
    assert_string_equal(s[0].phase, "forward");
    assert_string_equal(s[1].phase, "gradients");
    made_free(m);
}

static void jobs__an_iteration_below_its_ideal_fails(void **state) {
    (void)state;
    struct made *m = made_new();
    const char *const name[] = {NULL, "train"};
    m->log.entry_name = name;
    m->bound[2] = 201;
    assert_false(jobs_summarise(&m->log, &m->r));
    assert_string_equal(m->r.failure, "train: iteration 0 took 300 ps, and its ideal is 301 ps");
    made_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(jobs__an_iteration_lasts_from_its_first_start_to_its_last_arrival),
        UNIT(jobs__the_ideal_is_the_longest_chain),
        UNIT(jobs__gates_between_messages_are_part_of_the_chain),
        UNIT(jobs__of_one_that_computes_the_gates_count),
        UNIT(jobs__or_the_time_of_the_busiest_link),
        UNIT(jobs__an_iteration_that_did_not_end_has_no_time),
        UNIT(jobs__the_critical_path_leads_to_the_last_end),
        UNIT(jobs__a_critical_path_may_begin_with_a_computation),
        UNIT(jobs__an_iteration_below_its_ideal_fails),
    };
    return RUN_UNITS(tests);
}
