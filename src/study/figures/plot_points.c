/* SPDX-License-Identifier: Apache-2.0 */
/* Points of curves: figures of means over seeds with their 95 % intervals, updated with every seed. */
#include "study/figures/plot.h"

#include "base/memory.h"
#include "study/claims/estimate.h"

#include <math.h>

struct plot_point *plot_point_add(struct plot_curve *c, double x, double y) {
    if ((c->n & (c->n - 1)) == 0) c->point = memory_grow(c->point, c->n ? 2 * c->n : 1, sizeof *c->point);
    c->point[c->n] = (struct plot_point){.x = x, .y = y, .low = y, .high = y, .n = 1};
    return &c->point[c->n++];
}

double plot_compared(enum figure_as as, double of, double against) {
    if (as == AS_VALUE) return of;
    if (as == AS_DIFFERENCE) return of - against;
    if (against == 0) return NAN;
    double ratio = of / against;
    return as == AS_RATIO ? ratio : as == AS_CHANGE ? ratio - 1 : 1 - ratio;
}

/* Updates means and sums of products (Welford). */
static void pair_count(struct plot_point *q, double of, double against) {
    struct plot_seeds *s = &q->seeds;
    double d_of = of - s->of, d_against = against - s->against, weight = (double)q->n / (q->n + 1);
    s->of_of += d_of * d_of * weight;
    s->of_against += d_of * d_against * weight;
    s->against_against += d_against * d_against * weight;
    s->of += d_of / (q->n + 1);
    s->against += d_against / (q->n + 1);
    q->n++;
}

/* Returns the standard error by the delta method. `squares` is the sum of the seeds' squared influences, of - r *
 * against (study/claims/estimate.h). */
static double standard_error(const struct plot_point *q, enum figure_as as) {
    const struct plot_seeds *s = &q->seeds;
    bool scaled = as != AS_VALUE && as != AS_DIFFERENCE;
    double r = as == AS_VALUE ? 0 : scaled ? s->of / s->against : 1, unit = scaled ? s->against : 1;
    double squares = s->of_of - 2 * r * s->of_against + r * r * s->against_against;
    if (q->n < 2) return 0;
    return sqrt(fmax(squares, 0) / (q->n - 1) / q->n) / fabs(unit);
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

void plot_pair_add(struct plot_curve *c, double x, double of, double against, const struct plot_scale *s) {
    struct plot_point *q = point_at(c, x);
    pair_count(q, of, against);
    q->y = plot_compared(s->as, q->seeds.of, q->seeds.against) * s->factor + s->offset;
    double half = q->n < 2 ? 0 : student_t95(q->n - 1) * standard_error(q, s->as) * fabs(s->factor);
    q->low = q->y - half;
    q->high = q->y + half;
}

void plot_seed_add(struct plot_curve *c, double x, double y) {
    static const struct plot_scale same = {AS_VALUE, 1, 0};
    plot_pair_add(c, x, y, 0, &same);
}
