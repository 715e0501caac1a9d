#include "study/progress.h"

#include <stdio.h>
#include <time.h>

static double clock_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(struct progress_line *p, bool shown, size_t n_runs) {
    *p = (struct progress_line){.shown = shown, .n_runs = n_runs, .started = clock_s()};
}

/* Sums over the runs in flight. */
struct sums {
    long long flows_done, flows_total, hops;
    double sim_ms, wall_s, parts; /* parts: of runs that are done, by flows */
};

static struct sums sums_of(const struct job *job, size_t n_jobs) {
    struct sums s = {0};
    for (size_t i = 0; i < n_jobs; i++) {
        struct job_board *b = job[i].board;
        long long done = atomic_load(&b->flows_done), total = atomic_load(&b->flows_total);
        double sim_ms = (double)atomic_load(&b->sim_ps) / (double)PS_PER_MS;
        s.flows_done += done;
        s.flows_total += total;
        s.hops += atomic_load(&b->packet_hops);
        s.wall_s += (double)atomic_load(&b->wall_ns) / 1e9;
        if (sim_ms > s.sim_ms) s.sim_ms = sim_ms;
        if (total > 0) s.parts += (double)done / (double)total;
    }
    return s;
}

static void print_left(double part, double elapsed) {
    if (part < 0.01 || elapsed < 1) {
        fprintf(stderr, "  time left: ...");
        return;
    }
    long left = (long)(elapsed * (1 - part) / part + 0.5);
    fprintf(stderr, "  time left: %ld:%02ld", left / 60, left % 60);
}

void progress_draw(struct progress_line *p, const struct job *job, size_t n_jobs) {
    double now = clock_s();
    if (!p->shown || now - p->drawn < 0.2) return;
    p->drawn = now;
    p->dirty = true;
    struct sums s = sums_of(job, n_jobs);
    fprintf(stderr, "\r\033[K%zu of %zu runs done", p->n_finished, p->n_runs);
    if (n_jobs) fprintf(stderr, ", run %zu: sim %.3f ms", job[0].run + 1, s.sim_ms);
    fprintf(stderr, "  flows %lld/%lld", s.flows_done, s.flows_total);
    if (s.wall_s > 0) fprintf(stderr, "  %.1f M packet-hops/s", (double)s.hops / s.wall_s / 1e6);
    print_left(((double)p->n_finished + s.parts) / (double)p->n_runs, now - p->started);
    fflush(stderr);
}

void progress_clear(struct progress_line *p) {
    if (!p->dirty) return;
    fprintf(stderr, "\r\033[K");
    p->dirty = false;
}
