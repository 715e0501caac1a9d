/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/budget.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/assemble/run_cost.h"
#include "study/claims/open.h"
#include "study/results/json_out.h"
#include "study/run/order.h"
#include "study/run/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 1.2 /* time left that a run needs to start, over the time that it will take */

struct budget {
    const struct experiment *e;
    const struct expectations *x;
    json_t *const *result;
    struct order *order;
    struct paces paces;
    double seconds, ends_s;
    double *began_s; /* [n_runs] of runs that this command started; NAN: it did not */
    bool *is_left;   /* [n_runs] may still start */
    double now;      /* of the question that the order is asked */
};

/* ---- reading ---- */

/* Returns the seconds of a unit that experiment files do not have; 0: none ends the text. *length: without it. */
static double long_unit(const char *text, size_t *length) {
    static const struct {
        const char *name;
        double seconds;
    } unit[] = {{"min", 60}, {"h", 3600}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        size_t all = strlen(text), tail = strlen(unit[i].name);
        if (all <= tail || strcmp(text + all - tail, unit[i].name) != 0) continue;
        *length = all - tail;
        return unit[i].seconds;
    }
    return 0;
}

bool budget_read(const char *text, double *seconds, struct diag *d) {
    size_t length = strlen(text);
    int64_t ps = 0;
    char as_seconds[64], why[384];
    double unit = long_unit(text, &length);
    snprintf(as_seconds, sizeof as_seconds, "%.*s%s", (int)(length < 60 ? length : 60), text, unit > 0 ? "s" : "");
    bool ok = length < 60 && units_parse(PARAM_TIME, as_seconds, &ps, why, sizeof why);
    *seconds = (double)ps / (double)PS_PER_S * (unit > 0 ? unit : 1);
    if (ok && ps > 0) return true;
    return diag_say(d, "--budget %s: write a time above 0, such as 90s, 90min or 2h", text);
}

/* ---- making ---- */

struct budget *budget_create(const struct experiment *e, const struct expectations *x, json_t *const *result,
                             const double *foreseen_s, double seconds, double ends_s) {
    struct budget *b = memory_get(1, sizeof *b);
    *b = (struct budget){.e = e, .x = x, .result = result, .seconds = seconds, .ends_s = ends_s};
    b->order = order_create(e);
    b->began_s = memory_get(e->n_runs, sizeof *b->began_s);
    b->is_left = memory_get(e->n_runs, sizeof *b->is_left);
    paces_init(&b->paces, order_places(b->order));
    for (size_t i = 0; i < e->n_runs; i++) {
        b->began_s[i] = NAN;
        b->is_left[i] = true;
        b->paces.place[order_place(b->order, i)].foreseen_s = foreseen_s[i];
    }
    return b;
}

void budget_free(struct budget *b) {
    if (!b) return;
    order_free(b->order);
    paces_free(&b->paces);
    free(b->began_s);
    free(b->is_left);
    free(b);
}

/* ---- what has been ---- */

/* Returns the time that a run simulated; NAN: it has no result. */
static double simulated_s(const struct budget *b, size_t run) {
    double seconds;
    return b->result[run] && json_metric(b->result[run], "engine.wall_s", &seconds) ? seconds : NAN;
}

void budget_hold(struct budget *b, size_t run) {
    double simulated = simulated_s(b, run);
    b->is_left[run] = false;
    order_take(b->order, run);
    if (!isnan(simulated)) pace_stored(&b->paces, order_place(b->order, run), simulated);
}

void budget_tried(struct budget *b, size_t run, double after_s) {
    pace_ended(&b->paces, order_place(b->order, run), after_s);
}

void budget_finished(struct budget *b, size_t run, double now) {
    double simulated = simulated_s(b, run);
    if (isnan(simulated) || isnan(b->began_s[run])) return;
    pace_finished(&b->paces, order_place(b->order, run), simulated, now - b->began_s[run]);
}

/* ---- what is next ---- */

static double expects(const struct budget *b, size_t run) {
    return pace_expects(&b->paces, order_place(b->order, run));
}

static bool run_fits(void *context, size_t run) {
    const struct budget *b = context;
    return expects(b, run) * ROOM <= b->ends_s - b->now;
}

static void places_open(void *context, bool *open) {
    const struct budget *b = context;
    claims_open(b->x, b->e, b->result, open);
}

size_t budget_next(struct budget *b, double now) {
    const struct order_asks asks = {run_fits, places_open, b};
    b->now = now;
    size_t run = budget_is_over(b, now) ? SIZE_MAX : order_next(b->order, &asks);
    if (run == SIZE_MAX) return run;
    b->began_s[run] = now;
    b->is_left[run] = false;
    return run;
}

double budget_left(const struct budget *b, double now) { return b->ends_s > now ? b->ends_s - now : 0; }
bool budget_is_over(const struct budget *b, double now) { return now >= b->ends_s; }

/* ---- words ---- */

const char *budget_text(const struct budget *b, double now, char *buf, size_t size) {
    double shortest = HUGE_VAL;
    char all[32], left[32], takes[32];
    for (size_t i = 0; i < b->e->n_runs; i++)
        if (b->is_left[i] && expects(b, i) < shortest) shortest = expects(b, i);
    run_cost_time_text(b->seconds, all, sizeof all);
    run_cost_time_text(budget_left(b, now), left, sizeof left);
    run_cost_time_text(shortest, takes, sizeof takes);
    if (budget_is_over(b, now) || !isfinite(shortest)) {
        snprintf(buf, size, "the budget of %s is over", all);
        return buf;
    }
    snprintf(buf, size, "no run that is left fits in the %s left of %s: the shortest takes about %s%s", left, all,
             takes, shortest * ROOM > b->seconds ? "; give a longer budget" : "");
    return buf;
}
