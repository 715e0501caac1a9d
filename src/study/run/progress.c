/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/progress.h"

#include "base/clock.h"
#include "study/assemble/run_cost.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DRAW_S 0.2
#define LINE_S 10.0 /* between whole lines */
#define USUAL_WIDTH 80

void progress_begin(struct progress_line *p, bool shown, size_t n_runs) {
    double now = clock_s();
    *p = (struct progress_line){.shown = shown, .n_runs = n_runs, .started = now, .drawn = now};
    p->terminal = isatty(STDERR_FILENO);
}

/* Over the runs in flight. */
struct sums {
    long long flows_done, flows_total;
    double hops_per_s, done_s; /* done_s: of the seconds that are foreseen for them */
};

static struct sums sums_of(const struct job *job, size_t n_jobs) {
    struct sums s = {0};
    for (size_t i = 0; i < n_jobs; i++) {
        struct job_board *b = job[i].board;
        long long done = atomic_load(&b->flows_done), total = atomic_load(&b->flows_total);
        double wall_s = (double)atomic_load(&b->wall_ns) / 1e9;
        s.flows_done += done;
        s.flows_total += total;
        if (wall_s > 0) s.hops_per_s += (double)atomic_load(&b->packet_hops) / wall_s;
        s.done_s += job[i].foreseen_s * (double)atomic_load(&b->done_ppb) / (double)PPB;
    }
    return s;
}

const char *progress_text(const struct progress_line *p, const struct job *job, size_t n_jobs, double elapsed,
                          int width, char *buf, size_t size) {
    struct sums s = sums_of(job, n_jobs);
    char left[32] = "...", speed[48] = "";
    double part = p->all_s > 0 ? (p->finished_s + s.done_s) / p->all_s : 0;
    double left_s = elapsed * (1 - part) / part, most_s = p->most_s > elapsed ? p->most_s - elapsed : 0;
    if (p->most_s > 0 && left_s > most_s) left_s = most_s;
    if (part >= 0.01 && elapsed >= 1) run_cost_time_text(left_s, left, sizeof left);
    if (s.hops_per_s > 0) snprintf(speed, sizeof speed, ", %.1f M packet-hops/s", s.hops_per_s / 1e6);
    for (int whole = 1; whole >= 0; whole--) { /* a narrow terminal shows the time left rather than the speed */
        snprintf(buf, size, "%zu of %zu runs done, %zu running: %lld of %lld flows%s, about %s left", p->n_finished,
                 p->n_runs, n_jobs, s.flows_done, s.flows_total, whole ? speed : "", left);
        if (width <= 0 || strlen(buf) <= (size_t)width) break;
    }
    if (width > 0 && (size_t)width < size && strlen(buf) > (size_t)width) buf[width] = '\0';
    return buf;
}

static int terminal_width(void) {
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col : USUAL_WIDTH;
}

void progress_draw(struct progress_line *p, const struct job *job, size_t n_jobs) {
    double now = clock_s();
    char text[256];
    if (!p->shown || n_jobs == 0 || now - p->drawn < (p->terminal ? DRAW_S : LINE_S)) return;
    p->drawn = now;
    p->dirty = p->terminal;
    int width = p->terminal ? terminal_width() - 1 : 0; /* a full line would move the cursor to the next */
    progress_text(p, job, n_jobs, now - p->started, width, text, sizeof text);
    fprintf(stderr, p->terminal ? "\r\033[K%s" : "%s\n", text);
    fflush(stderr);
}

void progress_clear(struct progress_line *p) {
    if (!p->dirty) return;
    fprintf(stderr, "\r\033[K");
    p->dirty = false;
}
