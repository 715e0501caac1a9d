/* SPDX-License-Identifier: Apache-2.0 */
/* Arrivals whose rate changes with the phases of a schedule: bursts and what is between them (DT-F5, DT-F9). */
#include "workload/generate.h"

/* What an arrival takes, in units of 2^-40 expected arrivals: exponential with mean one. A phase yields its rate times
 * its time; an arrival comes where what the phases yielded is what it takes. So the process is Poisson in every phase,
 * and no arrival is lost or made where one ends. */
#define ONE (1LL << 40)
#define PER_SECOND (1000 * (uint128)PS_PER_S) /* rates are per 1000 s */
#define AT_MAX (INT64_MAX / 4)

static bool schedule_fail(const struct workload_spec *spec, struct diag *d, const char *text) {
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "schedule: %s", text);
}

bool schedule_init(struct schedule *s, const struct workload_spec *spec, struct diag *d) {
    *s = (struct schedule){.phase = spec->schedule, .n = spec->n_phases};
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->phase[i].span <= 0) return schedule_fail(spec, d, "a phase takes no time; give for: 12.5ms, say");
        if (s->phase[i].span > AT_MAX - s->period) return schedule_fail(spec, d, "its phases take more than 26 days");
        s->period += s->phase[i].span;
        any = any || s->phase[i].per_1000_s > 0;
    }
    if (s->n == 0) return schedule_fail(spec, d, "it is missing; give schedule: [{for: 1s, rate: 2000/s}], say");
    return any || schedule_fail(spec, d, "every rate is 0; give one phase a rate above 0");
}

time_ps schedule_next(const struct schedule *s, time_ps at, struct random_stream *r) {
    uint128 takes = (uint128)random_exponential(r, ONE) * PER_SECOND;
    span_ps into = at % s->period; /* in the phase, once those before it are taken off */
    uint32_t i = 0;
    while (into >= s->phase[i].span) into -= s->phase[i++].span;
    while (at < AT_MAX) {
        uint128 rate = (uint128)s->phase[i].per_1000_s * ONE, left = (uint128)(s->phase[i].span - into);
        if (rate * left > takes) return at + (span_ps)(takes / rate);
        takes -= rate * left;
        at += (span_ps)left;
        into = 0;
        i = i + 1 < s->n ? i + 1 : 0;
    }
    return TIME_NONE;
}
