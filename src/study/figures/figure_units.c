#include "study/figures/figure.h"

#include <stdlib.h>
#include <string.h>

/* Units of one kind can be changed into each other. */
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

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Parts of these whose values are no times or rates. */
static bool is_plain(const char *metric) {
    return ends_with(metric, ".n") || ends_with(metric, ".never") || ends_with(metric, ".started") ||
           ends_with(metric, ".finished") || ends_with(metric, ".unfinished") || strstr(metric, ".over_") ||
           strstr(metric, ".timeouts.") || strstr(metric, ".variation") || ends_with(metric, ".jain");
}

const char *metric_unit(const char *metric) {
    static const struct {
        const char *start, *unit;
    } starts[] = {
        {"fct_us.", "us"},
        {"queries.", "us"},
        {"convergence_us.", "us"},
        {"goodput_mbps.", "Mbps"},
        {"goodput_gbps", "Gbps"},
        {"queues_bytes.", "B"},
        {"flows.bytes", "B"},
        {"pauses.paused_us", "us"},
        {"goodput.host", "Gbps"},
        {"goodput.mean", "Gbps"},
        {"queue.", "B"},
        {"memory.", "B"},
        {"handshake_us.", "us"},
        {"data_us.", "us"},
        {"unwindowed.fct_us.", "us"},
    };
    if (is_plain(metric)) return "";
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (starts_with(metric, starts[i].start)) return starts[i].unit;
    }
    return "";
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
