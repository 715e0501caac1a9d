/* SPDX-License-Identifier: Apache-2.0 */
/* Poisson arrivals whose rate changes with the phases of a schedule, such as bursts and pauses (DT-F5, DT-F9). */
#include "workload/generate.h"

/* One expected arrival, in fixed point. The next arrival comes when the integral of the rate since the last one reaches
 * an exponential draw with mean one. So the process is Poisson in every phase, and the end of a phase neither adds nor
 * drops an arrival. */
#define ONE (1LL << 40)
#define PER_SECOND (1000 * (uint128)PS_PER_S) /* rates are per 1000 s */
#define AT_MAX (INT64_MAX / 4)

static bool schedule_fail(const struct workload_spec *spec, struct diag *d, const char *text) {
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "schedule: %s", text);
}

bool schedule_init(struct schedule *s, const struct workload_spec *spec, struct diag *d) {
    *s = (struct schedule){.phase = spec->schedule, .n = spec->n_phases};
    uint128 sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->phase[i].span <= 0) return schedule_fail(spec, d, "a phase takes no time; give for: 12.5ms, say");
        if (s->phase[i].span > AT_MAX - s->period) return schedule_fail(spec, d, "its phases take more than 26 days");
        s->period += s->phase[i].span;
        sum += (uint128)s->phase[i].per_1000_s * (uint128)s->phase[i].span;
    }
    if (__builtin_mul_overflow(sum, (uint128)ONE, &s->expected)) s->expected = ~(uint128)0;
    if (s->n == 0) return schedule_fail(spec, d, "it is missing; give schedule: [{for: 1s, rate: 2000/s}], say");
    return sum > 0 || schedule_fail(spec, d, "every rate is 0; give one phase a rate above 0");
}

time_ps schedule_next(const struct schedule *s, time_ps at, struct random_stream *r) {
    uint128 takes = (uint128)random_exponential(r, ONE) * PER_SECOND;
    if (takes >= s->expected) { /* whole periods at once: phases may be short, and an arrival many periods away */
        uint128 periods = takes / s->expected;
        if (periods > (uint128)(AT_MAX / s->period)) return TIME_NONE;
        at += (span_ps)periods * s->period;
        takes -= periods * s->expected;
    }
    span_ps into = at % s->period; /* time since the start of the period; after the loop, of phase i */
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
