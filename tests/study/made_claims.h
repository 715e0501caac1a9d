/* SPDX-License-Identifier: Apache-2.0 */
/* Claims over made-up results. */
#ifndef HEDDLE_TESTS_STUDY_MADE_CLAIMS_H
#define HEDDLE_TESTS_STUDY_MADE_CLAIMS_H

#include "study/claims/expect.h"

#include "study_test.h"

#include <math.h>
#include <stdio.h>

#define SWEEP                                                                                                          \
    STAR "workload: [{kind: poisson, sizes: 1KB, load: 0.1, load_at: host, flows: 3}]\n"                               \
         "sweep: {switch.balance: [ecmp, expeditus], workload.0.load: [0.3, 0.5], run.seed: [1, 2]}\n"
#define AGAINST "of: {switch.balance: expeditus}, against: {switch.balance: ecmp}, each: workload.0.load"

/* ---- made-up results: mice.p95 by run; runs in order ecmp 0.3 s1, s2, 0.5 s1, s2, expeditus likewise ---- */

struct made {
    struct experiment *e;
    struct expectations x;
    json_t *result[16];
    struct claim_outcome *o;
    size_t n;
};

static inline json_t *result_of(double p95, int unfinished) {
    return json_pack("{s:{s:i},s:{s:{s:f}}}", "flows", "unfinished", unfinished, "fct_us", "mice", "p95", p95);
}

static inline struct made make(const char *expect, const double *p95) {
    struct made m = {0};
    char text[4096];
    struct diag d = {0};
    snprintf(text, sizeof text, SWEEP "expect: [%s]\n", expect);
    m.e = read_text(text);
    if (!expectations_read(m.e, &m.x, &d)) fail_msg("%d:%d: %s", d.line, d.col, d.text);
    for (size_t i = 0; i < m.e->n_runs; i++) m.result[i] = isnan(p95[i]) ? NULL : result_of(p95[i], 0);
    return m;
}

static inline void evaluate(struct made *m) { m->o = expectations_evaluate(&m->x, m->e, m->result, &m->n); }

static inline void made_free(struct made *m) {
    for (size_t i = 0; i < 16; i++) json_decref(m->result[i]);
    claim_outcomes_free(m->o, m->n);
    expectations_free(&m->x);
    experiment_free(m->e);
}

static inline void near(double a, double b) { assert_true(fabs(a - b) < 1e-12); }

static const double usual[] = {100, 200, 400, 400, 80, 120, 300, 200};

/* Seeds agree, so every verdict is decided: -30 % at load 0.3, -37.5 % at 0.5. */
static const double decided[] = {100, 200, 400, 800, 70, 140, 250, 500};

#endif
