/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/estimate.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

double figure_of(enum claim_form form, double of, double against) {
    if (form == FORM_VALUE) return of;
    if (form == FORM_DIFFERENCE || form == FORM_SHARE) return of - against;
    if (against == 0) return NAN;
    return form == FORM_RATIO ? of / against : of / against - 1;
}

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

double figure_of_means(enum claim_form form, const double *of, const double *against, size_t n, double *influence) {
    bool compares = form != FORM_VALUE, scaled = form == FORM_CHANGE || form == FORM_RATIO;
    double a = mean_of(of, n), b = compares ? mean_of(against, n) : 0;
    double figure = figure_of(form, a, b), ratio = scaled ? a / b : 1, unit = scaled ? b : 1;
    for (size_t i = 0; i < n; i++) {
        double residual = compares ? of[i] - ratio * against[i] : of[i] - a;
        influence[i] = compares && !scaled ? residual - figure : residual / unit;
        if (isnan(figure)) influence[i] = NAN;
    }
    return figure;
}

double figure_than(enum claim_form form, double figure, double than) {
    if (form != FORM_SHARE) return figure - than;
    return than == 0 ? NAN : figure / than;
}

double figure_than_of_means(enum claim_form form, double figure, double than, double *influence,
                            const double *than_influence, size_t n) {
    double made = figure_than(form, figure, than);
    bool shares = form == FORM_SHARE;
    for (size_t i = 0; i < n; i++)
        influence[i] = (influence[i] - (shares ? made : 1) * than_influence[i]) / (shares ? than : 1);
    return made;
}

/* Uses a table up to 30 degrees of freedom. Beyond, the Cornish-Fisher expansion is exact to the digits printed. */
double student_t95(size_t degrees) {
    static const double table[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
                                   2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
                                   2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    if (degrees == 0) return NAN;
    if (degrees <= sizeof table / sizeof *table) return table[degrees - 1];
    double z = 1.959963985, v = (double)degrees;
    return z + (pow(z, 3) + z) / (4 * v) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * v * v);
}

/* With t = sqrt(v) tan(a) the density of Student's t becomes cos(a)^(v - 1), up to a factor. Returns its integral from 0 to a, by
 * Simpson's rule. */
static double cosines(double a, double power) {
    enum { STEPS = 2000 };
    double h = a / STEPS, sum = 0;
    for (int i = 0; i <= STEPS; i++) sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * pow(cos(i * h), power);
    return sum * h / 3;
}

double student_t(double outside, size_t degrees) {
    if (degrees == 0) return NAN;
    double v = (double)degrees, right = acos(0), whole = cosines(right, v - 1), low = 0, high = right;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (cosines(middle, v - 1) < (1 - outside) * whole)
            low = middle;
        else
            high = middle;
    }
    return sqrt(v) * tan(low);
}

void estimate_widen(struct estimate *e, size_t places) {
    if (e->n < 2 || places < 2) return;
    e->widening = student_t(0.05 / (double)places, e->n - 1) / student_t(0.05, e->n - 1);
    e->low = e->value - (e->value - e->low) * e->widening;
    e->high = e->value + (e->high - e->value) * e->widening;
}

struct estimate estimate_of(double value, const double *influence, size_t n) {
    struct estimate e = {value, NAN, NAN, NAN, n, 1};
    if (n < 2 || isnan(value)) return e;
    double mean = mean_of(influence, n), squares = 0;
    for (size_t i = 0; i < n; i++) squares += (influence[i] - mean) * (influence[i] - mean);
    e.standard_error = sqrt(squares / (double)(n - 1) / (double)n);
    double half = student_t95(n - 1) * e.standard_error;
    e.low = value - half;
    e.high = value + half;
    return e;
}

struct estimate estimate_mean(const double *x, size_t n) {
    if (n == 0) return (struct estimate){NAN, NAN, NAN, NAN, 0, 1};
    double *influence = memory_get(n, sizeof *influence);
    double value = figure_of_means(FORM_VALUE, x, NULL, n, influence);
    struct estimate e = estimate_of(value, influence, n);
    free(influence);
    return e;
}

/* ---- seeds one by one ---- */

void estimate_sums_add(struct estimate_sums *s, double of, double against) {
    double n = (double)s->n, d_of = of - s->of, d_against = against - s->against, weight = n / (n + 1);
    s->of_of += d_of * d_of * weight;
    s->of_against += d_of * d_against * weight;
    s->against_against += d_against * d_against * weight;
    s->of += d_of / (n + 1);
    s->against += d_against / (n + 1);
    s->n++;
}

struct estimate estimate_of_sums(enum claim_form form, const struct estimate_sums *s) {
    bool scaled = form == FORM_CHANGE || form == FORM_RATIO;
    struct estimate e = {figure_of(form, s->of, s->against), NAN, NAN, NAN, s->n, 1};
    if (s->n < 2 || isnan(e.value)) return e;
    double r = form == FORM_VALUE ? 0 : scaled ? s->of / s->against : 1, unit = scaled ? s->against : 1;
    double squares = s->of_of - 2 * r * s->of_against + r * r * s->against_against;
    e.standard_error = sqrt(fmax(squares, 0) / (double)(s->n - 1) / (double)s->n) / fabs(unit);
    double half = student_t95(s->n - 1) * e.standard_error;
    e.low = e.value - half;
    e.high = e.value + half;
    return e;
}

/* ---- for readers ---- */

#define DUST 1e-9 /* of the numbers behind a figure: less is rounding */

struct estimate estimate_shown(struct estimate e, double scale, double least) {
    double dust = DUST * fabs(scale);
    if (fabs(e.value) <= dust) e.value = 0;
    if (isnan(e.standard_error)) return e;
    if (e.high - e.low <= 2 * dust) {
        e.standard_error = 0;
        e.low = e.high = e.value;
    }
    e.low = fmax(e.low, least);
    return e;
}

double figure_least(enum claim_form form, bool is_signed) {
    bool is_open = is_signed || form == FORM_DIFFERENCE || form == FORM_SHARE;
    return is_open ? -HUGE_VAL : form == FORM_CHANGE ? -1 : 0;
}

bool estimates_part(const struct estimate *a, const struct estimate *b) {
    return a->high < b->low || b->high < a->low; /* false with NaN */
}
