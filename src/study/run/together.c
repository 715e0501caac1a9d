/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/together.h"

#include "base/memory.h"
#include "ranks/group.h"
#include "study/results/queue_bounds.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct order {
    uint64_t run; /* UINT64_MAX: there is none */
    char pcap_dir[1024];
};

/* Carries out this rank's part; the leader writes the outcome to `out`. board: NULL, or shows the progress. */
static enum job_end together_run(const struct ranks_group *g, const struct order *order, const struct experiment *e,
                                 const struct run_options *o, struct job_board *board, FILE *out) {
    struct diag d = {0};
    struct assembly *a = assembly_create(&e->run[order->run].config, e->base_dir, &d);
    if (!a) memory_out("%s", d.text); /* every run was assembled before; all ranks end */
    struct run_result *r = memory_get(1, sizeof *r);
    a->world.threads = job_threads(a, g->size, o->threads);
    a->world.group = g;
    a->world.measure.pcap_dir = order->pcap_dir;
    a->world.progress = board ? job_progress : NULL;
    a->world.progress_context = board;
    job_captures(a, order->pcap_dir, r); /* a rank that cannot write there fails when it opens a capture */
    enum job_end end = world_run(&a->world, r) == WORLD_DONE ? JOB_DONE : JOB_FAILED;
    if (a->world.threads < o->threads) r->engine.window_frames = world_window_frames(&a->world, g->size, o->threads);
    if (out && r->port) queue_bounds_compare(a, r);
    if (out && !outcome_write(out, a, r)) end = JOB_FAILED;
    run_result_free(r);
    free(r);
    assembly_free(a);
    return end;
}

int together_lead(const struct ranks_group *g, struct job *j, const struct experiment *e, const struct run_options *o,
                  const char *pcap_dir) {
    struct order order = {.run = j->run};
    snprintf(order.pcap_dir, sizeof order.pcap_dir, "%s", pcap_dir);
    ranks_spread(g->ranks, &order, sizeof order);
    int fd = dup(j->outcome_fd);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    enum job_end end = together_run(g, &order, e, o, j->board, out);
    if (out) fclose(out);
    return end << 8;
}

void together_end(const struct ranks_group *g) {
    ranks_spread(g->ranks, &(struct order){.run = UINT64_MAX}, sizeof(struct order));
}

void together_serve(const struct ranks_group *g, const struct experiment *e, const struct run_options *o) {
    struct order order;
    for (;;) {
        ranks_spread(g->ranks, &order, sizeof order);
        if (order.run == UINT64_MAX) return;
        together_run(g, &order, e, o, NULL, NULL);
    }
}
