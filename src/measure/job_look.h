/* SPDX-License-Identifier: Apache-2.0 */
/* An iteration of a job as critical_path.h and job_spans.h look at it. */
#ifndef HEDDLE_MEASURE_JOB_LOOK_H
#define HEDDLE_MEASURE_JOB_LOOK_H

#include "measure/gate_times.h"
#include "measure/result.h"

struct job_look {
    const struct gates *gates;
    const struct gate_times *times;
    const uint32_t *gate_of; /* [flows of the run] gate that starts the flow; FLOW_NONE */
    const struct flow *flow;
    struct tallies tally;
    const int64_t *bound_ps;
    const struct workload_job *job;
    uint32_t job_number, iteration;
    const uint32_t *message; /* [job->flows_each] flows of the iteration */
};

/* Returns the name of a phase, by its number in `of`; a job without phases is one, its operation. */
static inline const char *job_phase(const struct workload_job *job, const uint8_t *of, uint32_t number) {
    return of ? job->phase[of[number]] : job->op;
}

#endif
