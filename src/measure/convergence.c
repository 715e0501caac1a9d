/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/convergence.h"

#include "base/memory.h"
#include "measure/flows.h"

#include <stdlib.h>

bool convergence_is_fair(const int64_t *bytes, size_t n, int64_t band_ppb) {
    int128 sum = 0;
    for (size_t i = 0; i < n; i++) sum += bytes[i];
    if (sum == 0) return false;
    for (size_t i = 0; i < n; i++) {
        int128 apart = (int128)bytes[i] * (int128)n - sum;
        if ((apart < 0 ? -apart : apart) * PPB > sum * band_ppb) return false;
    }
    return true;
}

/* ---- episodes ---- */

static void episode_close(struct convergence *c) {
    if (c->is_open && c->episode[c->n - 1].intervals == 0) c->n--;
    c->is_open = false;
}

static void episode_open(struct convergence *c, time_ps at) {
    if (at < c->from) return;
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->episode = memory_grow(c->episode, c->room, sizeof *c->episode);
    }
    c->episode[c->n++] =
        (struct join_episode){.at = at, .first_ps = TIME_NONE, .third_ps = TIME_NONE, .settled_ps = TIME_NONE};
    c->is_open = true;
}

/* Times of the last join and the last leave in [from, to) of the meter's interval; TIME_NONE: none. */
struct changes {
    time_ps join, leave;
};

static struct changes changes_of(const struct flow_meter *m) {
    struct changes last = {TIME_NONE, TIME_NONE};
    for (uint32_t i = 0; i < m->n_open; i++) {
        const struct metered_flow *f = &m->open[i];
        if (f->start >= m->from && (last.join == TIME_NONE || f->start > last.join)) last.join = f->start;
        if (f->end >= m->from && f->end < m->to && (last.leave == TIME_NONE || f->end > last.leave))
            last.leave = f->end;
    }
    return last;
}

static void episode_judge(struct convergence *c, const struct flow_meter *m) {
    struct join_episode *e = &c->episode[c->n - 1];
    int64_t *bytes = memory_get(m->n_open, sizeof *bytes);
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_open; i++)
        if (flow_meter_is_whole(m, &m->open[i])) bytes[n++] = m->open[i].bytes;
    if (n >= 2) {
        bool fair = convergence_is_fair(bytes, n, c->band_ppb);
        e->flows = n;
        e->intervals++;
        e->in_a_row = fair ? e->in_a_row + 1 : 0;
        if (!fair) e->settled_ps = TIME_NONE;
        if (fair && e->settled_ps == TIME_NONE) e->settled_ps = m->to - e->at;
        if (fair && e->first_ps == TIME_NONE) e->first_ps = m->to - e->at;
        if (e->in_a_row == 3 && e->third_ps == TIME_NONE) e->third_ps = m->to - e->at;
    }
    free(bytes);
}

void convergence_step(struct convergence *c, const struct flow_meter *m) {
    struct changes last = changes_of(m);
    bool joined = last.join != TIME_NONE, left = last.leave != TIME_NONE;
    if (joined || left) episode_close(c);
    if (joined && (!left || last.join >= last.leave)) episode_open(c, last.join);
    bool within = (joined && last.join > m->from) || (left && last.leave > m->from);
    if (c->is_open && !within) episode_judge(c, m);
}

/* ---- the end ---- */

/* Summarises times; TIME_NONE sorts last, and the mean is TIME_NONE if any value is. */
static struct summary summary_of_times(int64_t *values, size_t n) {
    struct summary s = summary_of(values, n);
    if (s.n && s.max == TIME_NONE) s.mean = TIME_NONE;
    return s;
}

void convergence_finish(struct convergence *c, struct run_result *r) {
    episode_close(c);
    int64_t *value = memory_get(c->n, sizeof *value);
    for (size_t i = 0; i < c->n; i++) value[i] = c->episode[i].settled_ps;
    r->converged_ps = summary_of_times(value, c->n);
    for (size_t i = 0; i < c->n; i++) value[i] = c->episode[i].first_ps;
    r->converged_first_ps = summary_of_times(value, c->n);
    for (size_t i = 0; i < c->n; i++) value[i] = c->episode[i].third_ps;
    r->converged_third_ps = summary_of_times(value, c->n);
    free(value);
    r->join = c->episode;
    r->n_joins = c->n;
    *c = (struct convergence){0};
}
