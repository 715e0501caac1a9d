/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/figure.h"
#include "study/experiment/sampled.h"

#include <stdlib.h>
#include <string.h>

/* Units of one kind can be converted into each other; `size` is in the kind's unit of size 1. */
static const struct unit {
    const char *name;
    char kind;
    double size;
} units[] = {
    {"ps", 't', 1e-6},  {"ns", 't', 1e-3},     {"us", 't', 1},           {"ms", 't', 1e3}, {"s", 't', 1e6},
    {"B", 'b', 1},      {"KB", 'b', 1e3},      {"MB", 'b', 1e6},         {"GB", 'b', 1e9}, {"TB", 'b', 1e12},
    {"KiB", 'b', 1024}, {"MiB", 'b', 1048576}, {"GiB", 'b', 1073741824}, {"bps", 'r', 1},  {"Kbps", 'r', 1e3},
    {"Mbps", 'r', 1e6}, {"Gbps", 'r', 1e9},    {"Tbps", 'r', 1e12},      {"", '1', 1},     {"%", '1', 0.01},
    {"/s", 'f', 1},
};
#define N_UNITS (sizeof units / sizeof *units)

static const struct unit *unit_find(const char *name) {
    for (size_t i = 0; i < N_UNITS; i++) {
        if (strcmp(units[i].name, name) == 0) return &units[i];
    }
    return NULL;
}

double unit_factor(const char *from, const char *to) {
    const struct unit *a = unit_find(from), *b = unit_find(to);
    return a && b && a->kind == b->kind ? a->size / b->size : 0;
}

const char *metric_unit(const char *metric) {
    const struct sampled *sampled = sampled_find(metric);
    struct metric_info info;
    if (sampled) return metric_unit_drawn(sampled->unit);
    metric_describe(metric, &info);
    return metric_unit_drawn(info.unit);
}

const char *metric_label(const char *metric, char buf[METRIC_TEXT_MAX]) {
    const struct sampled *sampled = sampled_find(metric);
    struct metric_info info;
    metric_describe(metric, &info);
    snprintf(buf, METRIC_TEXT_MAX, "%s", sampled ? sampled->label : info.label);
    return buf;
}

/* ---- values of settings ---- */

const char *setting_unit(const json_t *value) {
    char *end;
    const char *text = json_string_value(value);
    if (!text) return "";
    strtod(text, &end);
    const struct unit *u = end > text ? unit_find(end) : NULL;
    return u ? u->name : "";
}

bool setting_number(const json_t *value, const char *unit, double *number) {
    if (json_is_number(value)) {
        double factor = unit ? unit_factor("", unit) : 1;
        *number = json_number_value(value) * (factor > 0 ? factor : 1);
        return true;
    }
    const char *text = json_string_value(value);
    if (!text) return false;
    char *end;
    *number = strtod(text, &end);
    if (end == text || !unit_find(end)) return false;
    double factor = unit ? unit_factor(end, unit) : 1;
    if (factor > 0) *number *= factor;
    return true;
}
