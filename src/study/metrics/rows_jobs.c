/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of jobs: operations between ranks, iteration after iteration. */
#include "study/metrics/rows.h"

#include <string.h>

static const struct job_total *job(const struct metric_cell *c) { return &c->outcome->result.job[c->at[0]]; }

static json_t *jobs_by_name(const struct metric_cell *c) {
    (void)c;
    return json_object();
}

static json_t *op(const struct metric_cell *c) { return json_string(job(c)->op); }
static json_t *ranks(const struct metric_cell *c) { return metric_count(job(c)->ranks); }
static json_t *iterations(const struct metric_cell *c) { return metric_count(job(c)->iterations); }
static json_t *unfinished(const struct metric_cell *c) { return metric_count(job(c)->iterations - job(c)->jct_ps.n); }
static json_t *bytes(const struct metric_cell *c) { return metric_count(job(c)->bytes); }
static json_t *ideal(const struct metric_cell *c) { return json_real((double)job(c)->ideal_ps / PER_US); }

static const struct summary *jct(const struct metric_cell *c) { return &job(c)->jct_ps; }
static const struct summary *slowdown(const struct metric_cell *c) { return &job(c)->slowdown_ppm; }

/* Returns the buffer over the mean time, in Gbit/s. */
static double algorithm_bandwidth(const struct job_total *t) {
    return (double)t->bytes * 8 * (double)PS_PER_S / 1e9 / (double)t->jct_ps.mean;
}

static bool has_bandwidth(const struct job_total *t) { return t->jct_ps.n > 0 && t->bus_per > 0; }

static json_t *algbw(const struct metric_cell *c) {
    return metric_real(has_bandwidth(job(c)), algorithm_bandwidth(job(c)));
}

static json_t *busbw(const struct metric_cell *c) {
    const struct job_total *t = job(c);
    return has_bandwidth(t) ? json_real(algorithm_bandwidth(t) * t->bus / t->bus_per) : json_null();
}

static json_t *exposed(const struct metric_cell *c) {
    const struct job_total *t = job(c);
    return metric_real(t->computes && t->jct_ps.n > 0, (double)t->exposed_ps / PER_US);
}

static json_t *slowest_rank(const struct metric_cell *c) {
    return job(c)->slowest_rank == UINT32_MAX ? json_null() : metric_count(job(c)->slowest_rank);
}

/* Returns a summary as an object with the keys of STAT. */
static json_t *summary_object(const struct summary *s, double per) {
    const struct metric_word *stat = metric_word_find("STAT", strlen("STAT"));
    json_t *o = json_object();
    json_object_set_new(o, stat->key[0], metric_count(s->n));
    for (uint32_t i = 1; stat->key[i]; i++)
        json_object_set_new(o, stat->key[i], metric_statistic(s, metric_summary_value(s, i), per));
    return o;
}

static json_t *jobs(const struct metric_cell *c) {
    json_t *list = json_array();
    struct metric_cell of = *c;
    for (uint32_t i = 0; i < c->outcome->result.n_jobs; i++) {
        of.at[0] = i;
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(job(&of)->name));
        json_object_set_new(o, "op", op(&of));
        json_object_set_new(o, "ranks", ranks(&of));
        json_object_set_new(o, "iterations", iterations(&of));
        json_object_set_new(o, "jct_us", summary_object(jct(&of), PER_US));
        json_object_set_new(o, "algbw_gbps", algbw(&of));
        json_object_set_new(o, "busbw_gbps", busbw(&of));
        json_object_set_new(o, "ideal_us", ideal(&of));
        json_object_set_new(o, "slowest_rank", slowest_rank(&of));
        json_object_set_new(o, "exposed_us", exposed(&of));
        json_array_append_new(list, o);
    }
    return list;
}

static const struct metric rows[] = {
    {"jobs", UNIT_LIST, METRIC_NEITHER, "jobs", VALUE(jobs),
     .doc = "the jobs of the workload, one `{\"name\", \"op\", \"ranks\", \"iterations\", \"jct_us\", \"algbw_gbps\", "
            "\"busbw_gbps\", \"ideal_us\", \"slowest_rank\", \"exposed_us\"}` each, with the values of the rows below; "
            "`[]` without any"},
    {"job", UNIT_OBJECT, METRIC_NEITHER, "jobs by name", VALUE(jobs_by_name),
     .doc = "the same jobs by their names; `{}` without any"},
    {"job.JOB.op", UNIT_TEXT, METRIC_NEITHER, "JOB operation", VALUE(op), .doc = "the operation: `all-reduce`"},
    {"job.JOB.ranks", UNIT_COUNT, METRIC_NEITHER, "JOB ranks", VALUE(ranks), .doc = "hosts that take part"},
    {"job.JOB.iterations", UNIT_COUNT, METRIC_NEITHER, "JOB iterations", VALUE(iterations),
     .doc = "how often the operation is carried out"},
    {"job.JOB.unfinished", UNIT_COUNT, METRIC_LESS, "JOB unfinished iterations", VALUE(unfinished),
     .doc = "iterations that had not ended when the run did"},
    {"job.JOB.bytes", UNIT_BYTES, METRIC_NEITHER, "JOB bytes", VALUE(bytes), .doc = "buffer of a rank"},
    {"job.JOB.jct_us.STAT", UNIT_US, METRIC_LESS, "JOB JCT STAT", SUMMARY_OF(jct, PER_US), .head = "JOB JCT STAT",
     .doc =
         "completion time of an iteration: from the start of its first message to the arrival of the last byte of its "
         "last one; of a training step: from its first computation to its last one"},
    {"job.JOB.ideal_us", UNIT_US, METRIC_NEITHER, "JOB ideal", VALUE(ideal),
     .doc = "lower bound of the completion time: the longest chain of messages that wait for each other, each in the "
            "least "
            "time that its path allows, or the time that the busiest host's link needs for what it sends or receives"},
    {"job.JOB.slowdown.STAT", UNIT_TIMES, METRIC_LESS, "JOB slowdown STAT", SUMMARY_OF(slowdown, PER_SHARE),
     .doc = "completion time of an iteration over its ideal"},
    {"job.JOB.algbw_gbps", UNIT_GBPS, METRIC_MORE, "JOB algorithm bandwidth", VALUE(algbw), .head = "JOB algbw",
     .doc = "buffer over the mean completion time"},
    {"job.JOB.busbw_gbps", UNIT_GBPS, METRIC_MORE, "JOB bus bandwidth", VALUE(busbw), .head = "JOB busbw",
     .doc = "the share of the buffer that must cross a rank's link at least, over the mean completion time: algorithm "
            "bandwidth times 2 (n - 1) / n in an all-reduce, (n - 1) / n in a reduce-scatter, all-gather and "
            "all-to-all, 1 "
            "in a broadcast and send-recv"},
    {"job.JOB.slowest_rank", UNIT_NUMBER, METRIC_NEITHER, "JOB slowest rank", VALUE(slowest_rank),
     .doc = "the rank that received the last byte, or computed last, in most iterations; null if none ended"},
    {"job.JOB.exposed_us", UNIT_US, METRIC_LESS, "JOB exposed", VALUE(exposed), .head = "JOB exposed",
     .doc =
         "time of an iteration in which a rank does not compute, the mean over ranks and iterations; what `scale_up` "
         "takes counts as computing; null for a job that does not compute"},
};

METRIC_PART(job, rows);
