/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/epoch.h"

#include "base/memory.h"
#include "ranks/group.h"
#include "sim/observe/last_flow.h"
#include "sim/observe/marks.h"
#include "sim/observe/patience.h"
#include "sim/observe/rates.h"
#include "sim/observe/sampling.h"
#include "sim/observe/watchdog.h"

#include <stdlib.h>

static span_ps board_period(const struct world *w) { return w->board_load ? w->config->board_epoch : 0; }

time_ps epoch_next(const struct world *w, time_ps now, const struct notice *all) {
    time_ps from = now, observed = sampling_next(w, now);
    observed = min_i64(observed, min_i64(rates_next(w, now), watchdog_next(w, now)));
    observed = min_i64(observed, min_i64(marks_next(w, now), last_flow_next(all, now)));
    /* Until the next event nothing changes for the board or for the end of the run, once that was decided: at an epoch of
     * its grid. */
    time_ps idle_to = min_i64(all->next, w->config->until);
    bool decided = now % END_EPOCH == 0;
    if (decided && idle_to != TIME_NONE && idle_to > now + 2 * END_EPOCH) {
        time_ps quiet = idle_to / END_EPOCH * END_EPOCH - END_EPOCH;
        from = max_i64(now, min_i64(quiet, observed - 1));
    }
    time_ps next = min_i64(epoch_after(from, END_EPOCH), epoch_after(from, board_period(w)));
    return min_i64(min_i64(next, observed), w->config->until);
}

/* ---- the board of link loads ---- */

bool board_is_due(const struct world *w, time_ps now) { return epoch_is_due(now, board_period(w)); }

static void board_read(struct world *w, struct partition *part, time_ps now) {
    for (uint32_t i = 0; i < part->n_nodes; i++)
        if (!part->nodes[i].is_host) switch_read_loads(part->nodes[i].sw, now, w->board_load);
}

void board_share(struct world *w) {
    uint64_t *all = memory_get(w->n_ports, sizeof *all);
    int64_t least = 0;
    for (uint32_t g = 0; g < w->n_ports; g++)
        if (world_has_port(w, g)) all[g] = (uint64_t)w->board_load[g];
    ranks_group_reduce(w->config->group, &least, all, w->n_ports);
    for (uint32_t g = 0; g < w->n_ports; g++) w->board_load[g] = (int64_t)all[g];
    free(all);
}

/* ---- what each partition does ---- */

void epoch_work(struct world *w, struct partition *part, time_ps now, const struct notice *all) {
    bool over = last_flow_is_over(all, now) || now > w->config->measure.arrivals.until;
    if (part->number == w->first) {
        marks_step(w, now, all);
        rates_step(w, now, over);
        watchdog_step(w, now);
    }
    if (board_is_due(w, now)) board_read(w, part, now);
    sampling_step(w, part, now, over);
}

/* ---- the end ---- */

/* Returns whether the run is stuck: no flow byte for longer than sim/observe/patience.h allows, while flows are open, or no event left. */
static bool run_is_stuck(struct world *w, time_ps now, const struct notice *all, uint64_t flows_done) {
    if (all->bytes != w->last_bytes || all->flows_started == flows_done) {
        w->last_bytes = all->bytes;
        w->last_progress = now;
    }
    if (all->next == TIME_NONE) return w->config->until == TIME_NONE;
    return patience_is_over(w, now, w->last_progress);
}

/* Returns the number of flows that were stopped before their end. Only an epoch can tell: all partitions stand still,
 * so both ends can be read. */
static uint64_t flows_stopped(const struct world *w, time_ps now) {
    uint64_t n = 0;
    int64_t least = 0;
    for (uint32_t i = 0; i < w->n_cut; i++) {
        const struct flow *f = &w->config->flows->flow[w->cut[i]];
        n += world_has_node(w, f->dst) && f->stop < now && tally_finished_at(w->tallies, w->cut[i]) == TIME_NONE;
    }
    if (w->config->group && w->n_cut) ranks_group_reduce(w->config->group, &least, &n, 1);
    return n;
}

static bool flow_has_ended(const void *context, uint32_t flow) {
    const struct world *w = context;
    return !w->sender[flow] && !w->receiver[flow] && tally_finished_at(w->tallies, flow) != TIME_NONE;
}

/* Decides whether the run ends. Without `until` it ends only on the grid of END_EPOCH, as does a stuck run: other
 * epochs depend on what is measured. */
void epoch_decide(struct world *w, time_ps now, const struct notice *all) {
    bool on_grid = now % END_EPOCH == 0, endless = w->config->until == TIME_NONE;
    uint64_t done = on_grid ? all->flows_done + flows_stopped(w, now) : 0;
    w->now = now;
    if (w->tallies.block) tallies_look(&w->tally_work, flow_has_ended, w);
    if (endless ? on_grid && done == w->n_awaited : now >= w->config->until) w->stop = true;
    if (!w->stop && on_grid && run_is_stuck(w, now, all, done)) w->stuck = w->stop = true;
    if (all->given_up) w->abandoned = w->stop = true;
}
