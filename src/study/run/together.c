/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/together.h"

#include "base/memory.h"
#include "ranks/group.h"
#include "study/results/queue_bounds.h"
#include "study/results/rounds.h"
#include "study/run/crew.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- all ranks of a group ---- */

static enum job_end end_of(enum world_outcome outcome) {
    return outcome == WORLD_DONE ? JOB_DONE : outcome == WORLD_ABANDONED ? JOB_ABANDONED : JOB_FAILED;
}

/* Carries out this rank's part; the first rank of the group has a progress function, and writes the outcome to `out`. */
static enum job_end together_run(const struct crew_note *order, const struct experiment *e, const struct run_options *o,
                                 progress_fn progress, void *context, FILE *out) {
    const struct ranks_group *g = o->group;
    struct diag d = {0};
    struct assembly *a = assembly_create(&e->run[order->run].config, e->base_dir, &d);
    if (!a) memory_out("%s", d.text); /* every run was assembled before; all ranks end */
    struct run_result *r = memory_get(1, sizeof *r);
    a->world.threads = job_threads(a, g->size, o->threads);
    a->world.group = g;
    a->world.measure.pcap_dir = order->text;
    a->world.progress = progress;
    a->world.progress_context = context;
    job_captures(a, order->text, r); /* a rank that cannot write there fails when it opens a capture */
    enum job_end end = end_of(world_run(&a->world, r));
    if (a->world.threads < o->threads) r->engine.window_frames = world_window_frames(&a->world, g->size, o->threads);
    if (out && r->port) queue_bounds_compare(a, r);
    if (out) rounds_compare(a, r);
    if (out && end != JOB_ABANDONED && !outcome_write(out, a, r)) end = JOB_FAILED;
    run_result_free(r);
    free(r);
    assembly_free(a);
    return end;
}

/* ---- the first rank of a group ---- */

static void tell_group(const struct ranks_group *g, const struct crew_note *note) {
    for (uint32_t i = 1; i < g->size; i++) crew_send(g->ranks, g->first + i, note);
}

int together_lead(const struct job *j, const struct experiment *e, const struct run_options *o, const char *pcap_dir,
                  progress_fn progress, void *context) {
    struct crew_note order = {.kind = NOTE_RUN, .run = j->run};
    snprintf(order.text, sizeof order.text, "%s", pcap_dir);
    tell_group(o->group, &order);
    int fd = dup(j->outcome_fd);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    enum job_end end = together_run(&order, e, o, progress, context, out);
    if (out) fclose(out);
    return end << 8;
}

void together_end(const struct ranks_group *g) { tell_group(g, &(struct crew_note){.kind = NOTE_DISMISS}); }

/* ---- groups that the leader gives runs ---- */

struct service {
    const struct ranks *ranks;
    struct job *job;
    int64_t told_ns; /* when the leader last heard how far the run is */
};

static bool service_progress(const struct progress *p, void *context) {
    struct service *s = context;
    struct crew_note note;
    for (uint32_t from; crew_take(s->ranks, &note, &from);)
        if (note.kind == NOTE_ABANDON) job_abandon(s->job);
    bool goes_on = job_progress(p, s->job->board);
    crew_send_progress(s->ranks, s->job, 1, &s->told_ns);
    return goes_on;
}

static void service_run(const struct crew_note *order, const struct experiment *e, const struct run_options *o) {
    struct job j = {.run = order->run, .rank = o->ranks->rank};
    struct service s = {.ranks = o->ranks, .job = &j};
    if (!job_prepare(&j)) memory_out("memory ran out: none for an outcome");
    int status = together_lead(&j, e, o, order->text, service_progress, &s);
    crew_send_end(o->ranks, &j, status);
    job_forget(&j);
}

void together_serve(const struct experiment *e, const struct run_options *o) {
    const struct timespec moment = {0, CREW_POLL_NS};
    bool leads = o->group->rank == 0;
    for (struct crew_note note = {.kind = NOTE_RUN}; note.kind != NOTE_DISMISS;) {
        uint32_t from;
        if (!crew_take(o->ranks, &note, &from)) {
            nanosleep(&moment, NULL);
            continue;
        }
        if (note.kind != NOTE_RUN) continue;
        if (leads)
            service_run(&note, e, o);
        else
            together_run(&note, e, o, NULL, NULL, NULL);
    }
    if (leads) together_end(o->group);
}
