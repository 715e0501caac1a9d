/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/pauses.h"

#include "base/time_text.h"

#define RINGS_WARNED 3
#define PORTS_WARNED 8 /* ports named of a ring */

const struct pause_total *pauses_longest(const struct run_result *r) {
    const struct pause_total *longest = NULL;
    for (size_t i = 0; i < r->n_pauses; i++)
        if (!longest || r->pause[i].longest > longest->longest) longest = &r->pause[i];
    return longest;
}

size_t pauses_ring_length(const struct run_result *r, size_t first) {
    size_t n = 0;
    while (first + n < r->n_ring_lanes && r->ring[first + n].ring == r->ring[first].ring) n++;
    return n;
}

time_ps pauses_ring_since(const struct run_result *r, size_t first) {
    time_ps since = 0;
    for (size_t i = 0; i < pauses_ring_length(r, first); i++) since = max_i64(since, r->ring[first + i].since);
    return since;
}

void pauses_warn_storms(const struct outcome *o, const char *file, uint32_t run, FILE *out) {
    const struct pause_total *longest = pauses_longest(&o->result);
    char name[OUTCOME_EGRESS], span[TIME_TEXT_MAX], from[TIME_TEXT_MAX];
    if (!longest || o->result.pauses.storms == 0) return;
    fprintf(out,
            "%s: warning: run %u: %llu pause storm%s; the longest: %s, class %u, stood paused for %s from %s on "
            "(switch.pause_storm says what counts as one)\n",
            file, run, (unsigned long long)o->result.pauses.storms, o->result.pauses.storms == 1 ? "" : "s",
            outcome_egress(o, longest->port, name), longest->class, time_text(longest->longest, span),
            time_text(longest->longest_from, from));
}

static void warn_ring(const struct outcome *o, size_t first, const char *file, uint32_t run, FILE *out) {
    const struct run_result *r = &o->result;
    size_t n = pauses_ring_length(r, first);
    char name[OUTCOME_EGRESS], since[TIME_TEXT_MAX], held[TIME_TEXT_MAX];
    time_ps from = pauses_ring_since(r, first);
    fprintf(out, "%s: warning: run %u: cyclic buffer dependency: ", file, run);
    for (size_t i = 0; i < n && i < PORTS_WARNED; i++)
        fprintf(out, "%s waits for ", outcome_egress(o, r->ring[first + i].port, name));
    if (n > PORTS_WARNED) fprintf(out, "%zu more, then ", n - PORTS_WARNED);
    fprintf(out, "%s; all paused from %s on, for %s at least\n", outcome_egress(o, r->ring[first].port, name),
            time_text(from, since), time_text(r->ring[first].last - from, held));
}

void pauses_warn_rings(const struct outcome *o, const char *file, uint32_t run, FILE *out) {
    const struct run_result *r = &o->result;
    for (size_t i = 0, n = 0; i < r->n_ring_lanes && n < RINGS_WARNED; i += pauses_ring_length(r, i), n++)
        warn_ring(o, i, file, run, out);
    if (r->pauses.rings > RINGS_WARNED)
        fprintf(out, "%s: warning: run %u: %u more of them; the store has them in pause_rings\n", file, run,
                r->pauses.rings - RINGS_WARNED);
}
