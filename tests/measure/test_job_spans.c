/* SPDX-License-Identifier: Apache-2.0 */
/* What each rank does when in an iteration: times of one kind and phase with hardly a gap between them are one. */
#include "measure/job_spans.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* A job of two ranks on hosts 7 and 3: rank 0 computes in gates 0 and 1, and sends flows 0 to 2 to rank 1. The iteration takes
 * 20,000 ps, so gaps of up to 10 ps are filled. */
struct made {
    struct gate gate[2];
    struct gates gates;
    time_ps begun[2], ended[2];
    struct gate_times times;
    struct flow flow[3];
    struct flow_tally tally[3];
    struct workload_job job;
    struct job_look look;
    struct run_result r;
};
#define TOOK 20000

static const uint32_t rank_of[] = {7, 3}, first_gate[] = {0, 2}, messages[] = {0, 1, 2};
static const uint8_t phase_of[] = {1, 1, 1}, phase_of_gate[] = {0, 0};

static void computes(struct made *m, uint32_t gate, time_ps begun, time_ps ended) {
    m->gate[gate] = (struct gate){.host = 7, .needs = 1, .delay = ended - begun};
    m->begun[gate] = begun;
    m->ended[gate] = ended;
}

static void message(struct made *m, uint32_t flow, time_ps started, time_ps finished) {
    m->flow[flow] = (struct flow){.src = 7, .dst = 3, .index = flow};
    m->tally[flow] = (struct flow_tally){.started_at = started, .finished_at = finished};
}

static struct made *made_new(void) {
    struct made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    computes(m, 0, 100, 5000);
    computes(m, 1, 5010, 6000);
    message(m, 0, 6000, 7000);
    message(m, 1, 7011, 8000);
    message(m, 2, 7500, 9000);
    m->gates = (struct gates){.gate = m->gate, .n_gates = 2};
    m->times = (struct gate_times){m->begun, m->ended};
    m->job = (struct workload_job){.rank = rank_of,
                                   .n_ranks = 2,
                                   .iterations = 1,
                                   .flows_each = 3,
                                   .first_gate = first_gate,
                                   .op = "training",
                                   .computes = true,
                                   .phase = {"forward", "gradients"},
                                   .phase_of = phase_of,
                                   .phase_of_gate = phase_of_gate};
    m->look = (struct job_look){.gates = &m->gates,
                                .times = &m->times,
                                .flow = m->flow,
                                .tally = tallies_of(m->tally),
                                .job = &m->job,
                                .job_number = 4,
                                .message = messages};
    return m;
}

static void made_free(struct made *m) {
    free(m->r.job_span);
    free(m);
}

static void span_is(const struct job_span *s, uint32_t rank, bool computes, const char *phase, time_ps start,
                    time_ps end) {
    assert_int_equal(s->job, 4);
    assert_int_equal(s->rank, rank);
    assert_int_equal(s->host, rank_of[rank]);
    assert_int_equal(s->computes, computes);
    assert_string_equal(s->phase, phase);
    assert_int_equal(s->start, start);
    assert_int_equal(s->end, end);
}

/* Messages belong to the rank that they are sent to: host 3 stands first, since times are sorted by host. The gap of 11 ps
 * stays, that of 10 ps is filled, and what overlaps is one time. */
static void job_spans__small_gaps_are_filled(void **state) {
    (void)state;
    struct made *m = made_new();
    job_spans_add(&m->look, TOOK, &m->r);
    assert_int_equal(m->r.n_job_spans, 3);
    span_is(&m->r.job_span[0], 1, false, "gradients", 6000, 7000);
    span_is(&m->r.job_span[1], 1, false, "gradients", 7011, 9000);
    span_is(&m->r.job_span[2], 0, true, "forward", 100, 6000);
    made_free(m);
}

static void job_spans__phases_and_kinds_stay_apart(void **state) {
    (void)state;
    static const uint8_t apart[] = {0, 1};
    struct made *m = made_new();
    m->job.phase_of_gate = apart;
    computes(m, 1, 5000, 6000);
    message(m, 0, 4000, 5500);
    m->flow[0].dst = 7; /* rank 0 receives while it computes */
    job_spans_add(&m->look, TOOK, &m->r);
    assert_int_equal(m->r.n_job_spans, 4);
    span_is(&m->r.job_span[1], 0, true, "forward", 100, 5000);
    span_is(&m->r.job_span[2], 0, true, "gradients", 5000, 6000);
    span_is(&m->r.job_span[3], 0, false, "gradients", 4000, 5500);
    made_free(m);
}

/* A rank that waits for nothing at all begins to compute at the start of the job, which its delay contains. A job that does not
 * compute has messages alone, in one phase that has the name of its operation. */
static void job_spans__the_start_and_jobs_that_do_not_compute(void **state) {
    (void)state;
    struct made *m = made_new();
    m->gate[0].needs = 0;
    m->job.start = 2500;
    job_spans_add(&m->look, TOOK, &m->r);
    span_is(&m->r.job_span[2], 0, true, "forward", 2500, 6000);
    made_free(m);
    m = made_new();
    m->job.computes = false;
    m->job.op = "all-gather";
    memset(m->job.phase, 0, sizeof m->job.phase);
    m->job.phase_of = m->job.phase_of_gate = NULL;
    job_spans_add(&m->look, TOOK, &m->r);
    assert_int_equal(m->r.n_job_spans, 2);
    span_is(&m->r.job_span[0], 1, false, "all-gather", 6000, 7000);
    made_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(job_spans__small_gaps_are_filled),
        UNIT(job_spans__phases_and_kinds_stay_apart),
        UNIT(job_spans__the_start_and_jobs_that_do_not_compute),
    };
    return RUN_UNITS(tests);
}
