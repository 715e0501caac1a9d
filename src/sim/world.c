/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/world.h"

#include "base/clock.h"
#include "base/memory.h"
#include "ranks/group.h"
#include "sim/build.h"
#include "sim/conclude.h"
#include "sim/engine/slots.h"
#include "sim/epoch.h"
#include "sim/observe/last_flow.h"
#include "sim/observe/marks.h"
#include "sim/parallel/exchange.h"
#include "sim/parallel/windows.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the loop of one thread ---- */

/* Returns the share of the run that is done. A run with an end counts its time, another the foreseen work of what has
 * arrived, so that neither depends on the machine. */
static int64_t share_done_ppb(const struct world *w, const struct notice *all, time_ps now) {
    time_ps until = w->config->until;
    if (until != TIME_NONE) return until > 0 ? (int64_t)((int128)now * PPB / until) : 0;
    int64_t done = (int64_t)(w->work_links_q8 * all->bytes + all->work_done);
    if (w->work == 0 || done < 0) return 0;
    return (int64_t)min_i64((int64_t)((int128)done * PPB / w->work), PPB);
}

/* Reports progress to the caller, which may abandon the run. The first thread does so; the others learn of it at the
 * next meeting. */
static void world_report(struct world *w, const struct notice *all, time_ps now) {
    const struct world_config *c = w->config;
    if (!c->progress) return;
    int64_t wall = clock_ns();
    if (wall - w->reported_ns < 100000000 && !c->progress_often) return;
    w->reported_ns = wall;
    struct progress p = {.now = now,
                         .flows_done = all->flows_done,
                         .flows_total = w->n_awaited,
                         .packet_hops = all->hops,
                         .wall_ns = wall - w->started_ns,
                         .done_ppb = share_done_ppb(w, all, now)};
    if (!c->progress(&p, c->progress_context)) w->partition[w->first].given_up = true;
}

/* Runs the window that ends at `end`. The border nodes are run ahead in the last slot length, and what they send to other
 * ranks or threads leaves before the other nodes are run. An observer sees nodes in the order of time. */
static void window_run(struct world *w, struct partition *part, time_ps start, time_ps end, enum interval_end how) {
    if (w->n_partitions > 1 && !part->observer) {
        if (end - w->slot > start) partition_run(part, end - w->slot);
        if (part->n_border) partition_run_border(part, end);
        exchange_border_ran(w->exchange, part, how);
    }
    partition_run(part, end);
}

/* Runs up to `epoch` in windows. */
static void world_windows(struct world *w, struct partition *part, time_ps from, time_ps epoch, struct notice *all) {
    time_ps start = from;
    for (;;) {
        time_ps end = window_end(w, &part->wheel, start, epoch);
        window_run(w, part, start, end, end == epoch ? END_MEET : END_PASS);
        if (end == epoch) break;
        time_ps next = exchange_pass(w->exchange, part); /* there is no event before it */
        start = max_i64(end, min_i64(next, epoch));
    }
    last_flow_look(w, part, epoch);
    exchange_meet(w->exchange, part, all);
}

static void *world_thread(void *context) {
    struct partition *part = context;
    struct world *w = part->context;
    struct notice all;
    time_ps now = 0;
    exchange_meet(w->exchange, part, &all); /* all partitions must agree on the first epoch */
    for (;;) {
        time_ps epoch = epoch_next(w, now, &all);
        world_windows(w, part, now, epoch, &all);
        now = epoch;
        epoch_work(w, part, now, &all);
        if (w->config->group && board_is_due(w, now)) {
            if (w->here > 1) exchange_barrier(w->exchange);
            if (part->number == w->first) board_share(w);
        }
        if (part->number == w->first) {
            epoch_decide(w, now, &all);
            world_report(w, &all, now);
        }
        if (w->here > 1) exchange_barrier(w->exchange);
        if (w->stop) return NULL;
    }
}

static void world_threads(struct world *w) {
    pthread_t thread[MAX_THREADS];
    for (uint32_t i = 1; i < w->here; i++)
        if (pthread_create(&thread[i], NULL, world_thread, &w->partition[w->first + i]))
            memory_out("no thread %u could be started; lower --threads, or raise the limits (ulimit -u, -v)", i);
    world_thread(&w->partition[w->first]);
    for (uint32_t i = 1; i < w->here; i++) pthread_join(thread[i], NULL);
}

/* Builds the world. Fails on all ranks of a group if one of them fails: the others would wait for it. */
static bool build_on_all(struct world *w, const struct world_config *config, struct diag *d) {
    bool built = world_build(w, config, d);
    if (!config->group) return built;
    int64_t least = 0;
    uint64_t n_failed = !built;
    ranks_group_reduce(config->group, &least, &n_failed, 1);
    if (built && n_failed) diag_say(d, "another rank could not prepare its part of the run");
    return n_failed == 0;
}

uint64_t world_memory_foreseen(const struct world_config *c, uint32_t ranks) {
    uint32_t ports = c->fabric->paths.first_port[c->fabric->n_nodes];
    return memory_foreseen(c, ranks, marks_bytes(&c->measure, flowctl_is_on(&c->switches.flow), c->fabric, ports));
}

enum world_outcome world_run(const struct world_config *config, struct run_result *r) {
    struct world w;
    struct diag d = {0};
    memset(r, 0, sizeof *r);
    memory_prepare(world_memory_foreseen(config, config->group ? config->group->size : 1));
    if (!build_on_all(&w, config, &d)) {
        snprintf(r->failure, sizeof r->failure, "%s%s%s", d.file, d.file[0] ? ": " : "", d.text);
        world_destroy(&w);
        return WORLD_FAILED;
    }
    w.started_ns = clock_ns();
    world_threads(&w);
    r->engine.wall_ns = clock_ns() - w.started_ns;
    r->engine.threads = w.n_partitions;
    enum world_outcome outcome = WORLD_DONE;
    if (w.abandoned) {
        outcome = WORLD_ABANDONED;
        snprintf(r->failure, sizeof r->failure, "interrupted");
    } else if (!world_conclude(&w, r)) {
        outcome = WORLD_FAILED;
    }
    world_destroy(&w);
    return outcome;
}
