/* SPDX-License-Identifier: Apache-2.0 */
#include "study/metrics/numbers.h"

#include <math.h>
#include <stdio.h>

/* ---- long ---- */

static void time_long(char *buf, size_t size, double us) {
    if (us >= 1e6)
        snprintf(buf, size, "%.2f s", us / 1e6);
    else if (us >= 1e4)
        snprintf(buf, size, "%.1f ms", us / 1e3);
    else
        snprintf(buf, size, us >= 1e3 ? "%.2f ms" : "%.1f us", us >= 1e3 ? us / 1e3 : us);
}

static void rate_long(char *buf, size_t size, double mbps) {
    snprintf(buf, size, mbps >= 1000 ? "%.2f Gbps" : "%.1f Mbps", mbps >= 1000 ? mbps / 1000 : mbps);
}

static void number_long(char *buf, size_t size, enum metric_unit unit, double value) {
    switch (unit) {
    case UNIT_US: time_long(buf, size, value); break;
    case UNIT_MBPS: rate_long(buf, size, value); break;
    case UNIT_GBPS: rate_long(buf, size, value * 1000); break;
    case UNIT_SHARE: snprintf(buf, size, "%.2f %%", value * 100); break;
    case UNIT_NUMBER: snprintf(buf, size, "%.3f", value); break;
    default: snprintf(buf, size, "%.4g", value);
    }
}

/* ---- short ---- */

static void scaled(char *buf, size_t size, double value, const char *const unit[3]) {
    int i = 0;
    for (; i < 2 && fabs(value) >= 1000; i++) value /= 1000;
    snprintf(buf, size, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit[i]);
}

static void number_short(char *buf, size_t size, enum metric_unit unit, double value) {
    static const char *const times[] = {"us", "ms", "s"}, *const rates[] = {"Mbps", "Gbps", "Tbps"},
                             *const sizes[] = {"B", "KB", "MB"};
    switch (unit) {
    case UNIT_US: scaled(buf, size, value, times); break;
    case UNIT_MBPS: scaled(buf, size, value, rates); break;
    case UNIT_GBPS: scaled(buf, size, value * 1000, rates); break;
    case UNIT_BYTES: scaled(buf, size, value, sizes); break;
    default: snprintf(buf, size, "%.4g", value);
    }
}

const char *number_text(enum number_style style, enum metric_unit unit, double value, char *buf, size_t size) {
    if (style == NUMBER_LONG)
        number_long(buf, size, unit, value);
    else
        number_short(buf, size, unit, value);
    return buf;
}
