/* SPDX-License-Identifier: Apache-2.0 */
/* Values behind summaries, as a figure draws them: in its unit, scaled. */
#include "study/experiment/figure.h"
#include "study/figures/plot.h"
#include "study/metrics/metrics.h"
#include "study/series/distribution.h"

bool plot_values_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                     struct diag *d) {
    struct plot_curve *c = plot_curve_at(p, run, y, NULL);
    bool has_band = figure_shows_shares(p->figure) && p->figure->band != BAND_NONE;
    struct values *seed = has_band ? plot_seed_values(c) : NULL;
    struct distribution x = {0};
    double factor = unit_factor(metric_unit(y->metric), y->unit);
    if (!(factor > 0)) factor = 1;
    bool ok = distribution_add(&x, in->store, run, y->metric, p->figure->kind == FIGURE_CDF, d);
    for (size_t i = 0; i < x.values.n; i++) {
        double value = x.values.at[i] * factor * y->scale + y->offset;
        values_add(&c->values, value);
        if (seed) values_add(seed, value);
    }
    for (size_t i = 0; i < DEGREE_BINS; i++) c->frames[i] += x.frames[i];
    distribution_free(&x);
    return ok;
}
