/* SPDX-License-Identifier: Apache-2.0 */
/* Points of curves: figures of means over seeds with their 95 % intervals, updated with every seed. */
#include "study/figures/plot.h"

#include "base/memory.h"

#include <math.h>

struct plot_point *plot_point_add(struct plot_curve *c, double x, double y) {
    if ((c->n & (c->n - 1)) == 0) c->point = memory_grow(c->point, c->n ? 2 * c->n : 1, sizeof *c->point);
    c->point[c->n] = (struct plot_point){.x = x, .y = y, .low = y, .high = y, .n = 1};
    return &c->point[c->n++];
}

/* Returns the estimate of what is drawn, before its scale; a reduction is a change the other way round. */
static struct estimate estimate_as(enum figure_as as, const struct estimate_sums *s) {
    static const enum claim_form forms[] = {[AS_VALUE] = FORM_VALUE,
                                            [AS_DIFFERENCE] = FORM_DIFFERENCE,
                                            [AS_RATIO] = FORM_RATIO,
                                            [AS_CHANGE] = FORM_CHANGE,
                                            [AS_REDUCTION] = FORM_CHANGE};
    struct estimate e = estimate_of_sums(forms[as], s);
    if (as == AS_REDUCTION) e.value = 0 - e.value; /* of nothing: 0, not -0 */
    return e;
}

/* Returns the point at x. A new point has no seeds yet. */
static struct plot_point *point_at(struct plot_curve *c, double x) {
    for (size_t i = 0; i < c->n; i++) {
        if (c->point[i].x == x) return &c->point[i];
    }
    struct plot_point *q = plot_point_add(c, x, 0);
    q->n = 0;
    return q;
}

/* Extends the range of the seeds by one that is drawn alone. */
static void range_add(struct plot_point *q, double of, double against, const struct plot_scale *s) {
    struct estimate_sums one = {0};
    estimate_sums_add(&one, of, against);
    double y = estimate_as(s->as, &one).value * s->factor + s->offset;
    q->least = q->n == 1 ? y : fmin(q->least, y);
    q->greatest = q->n == 1 ? y : fmax(q->greatest, y);
}

void plot_pair_add(struct plot_curve *c, double x, double of, double against, const struct plot_scale *s) {
    struct plot_point *q = point_at(c, x);
    estimate_sums_add(&q->seeds, of, against);
    q->n = (uint32_t)q->seeds.n;
    struct estimate e = estimate_as(s->as, &q->seeds);
    q->y = e.value * s->factor + s->offset;
    double half = q->n < 2 ? 0 : student_t95(q->n - 1) * e.standard_error * fabs(s->factor);
    q->low = q->y - half;
    q->high = q->y + half;
    range_add(q, of, against, s);
}

static void band_make(struct plot_point *q, enum figure_band band) {
    if (band == BAND_NONE) q->low = q->high = q->y;
    if (band != BAND_RANGE) return;
    q->low = q->least;
    q->high = q->greatest;
}

/* The shares of a cdf have a band of their own; samples of one run have none. */
void plot_bands_make(struct plot *p) {
    const struct figure *f = p->figure;
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            struct plot_curve *c = &p->panel[i].curve[k];
            if (figure_shows_shares(f) && f->band != BAND_NONE) plot_shares_band(c, f);
            for (size_t j = 0; !figure_shows_shares(f) && j < c->n; j++) band_make(&c->point[j], f->band);
        }
    }
}

void plot_seed_add(struct plot_curve *c, double x, double y) {
    static const struct plot_scale same = {AS_VALUE, 1, 0};
    plot_pair_add(c, x, y, 0, &same);
}
