/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/settled.h"

#include "measure/open_flows.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdio.h>

#define ERRORS 3.0      /* standard errors by which the line of a run that had not settled climbs (settled.h) */
#define CORRELATION 0.9 /* cap of the correlation of neighbouring parts */

/* A straight line through equally spaced values. */
struct line {
    double mean, growth, error; /* growth over all n steps, and its standard error */
};

static double correlation_of(const double *rest, size_t n, double squares) {
    double products = 0;
    for (size_t i = 1; i < n; i++) products += rest[i - 1] * rest[i];
    double r = squares > 0 ? products / squares : 0;
    return r < 0 ? 0 : r > CORRELATION ? CORRELATION : r;
}

static struct line line_of(const double *y, size_t n) {
    double sum = 0, xy = 0, xx = 0, squares = 0, rest[OPEN_PARTS];
    double middle = (double)(n - 1) / 2;
    for (size_t i = 0; i < n; i++) sum += y[i];
    for (size_t i = 0; i < n; i++) {
        double x = (double)i - middle;
        xy += x * y[i];
        xx += x * x;
    }
    double mean = sum / (double)n, slope = xy / xx;
    for (size_t i = 0; i < n; i++) {
        rest[i] = y[i] - mean - slope * ((double)i - middle);
        squares += rest[i] * rest[i];
    }
    double r = correlation_of(rest, n, squares);
    double error = sqrt(squares / (double)(n - 2) / xx * (1 + r) / (1 - r));
    return (struct line){mean, slope * (double)n, error * (double)n};
}

static double mean_of(const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += y[i];
    return sum / (double)n;
}

struct settling settling_of(const struct open_flows *o) {
    struct settling s = {.is_known = o->arrivals >= SETTLED_ARRIVALS && o->to - o->from >= OPEN_PARTS};
    double y[OPEN_PARTS];
    for (size_t i = 0; i < OPEN_PARTS; i++) y[i] = (double)o->part_milli[i] / 1e3;
    struct line line = line_of(y, OPEN_PARTS);
    s.first = mean_of(y, OPEN_PARTS / 5);
    s.last = mean_of(y + OPEN_PARTS - OPEN_PARTS / 5, OPEN_PARTS / 5);
    s.mean = line.mean;
    s.growth = line.growth;
    s.settled = !(line.growth > ERRORS * line.error && open_flows_climb(o));
    return s;
}

bool result_is_unsettled(const json_t *result) {
    const json_t *settled = json_object_get(json_object_get(result, "open_flows"), "settled");
    return json_is_integer(settled) && json_integer_value(settled) == 0;
}

/* Sets *trend to the trend of the metric; false if it has none. */
static bool result_trend(const json_t *result, const char *metric, double *trend) {
    char path[256];
    if (snprintf(path, sizeof path, "trend.%s", metric) >= (int)sizeof path) return false;
    return json_metric(result, path, trend) && !isnan(*trend) && *trend > 0;
}

double result_growth(const json_t *result, const char *metric) {
    const json_t *open = json_object_get(result, "open_flows");
    double trend;
    if (!result_is_unsettled(result)) return 1;
    if (result_trend(result, metric, &trend)) return trend;
    double first = json_number_value(json_object_get(open, "first")),
           last = json_number_value(json_object_get(open, "last"));
    return first > 0 && last > first ? last / first : 1;
}
