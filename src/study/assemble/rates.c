/* SPDX-License-Identifier: Apache-2.0 */
/* Rates that whole picoseconds cannot tell. A frame's serialization is rounded up to a picosecond, which at 100 Tbps makes
 * 84 B on the wire last 7 ps instead of 6.72 and lets a link carry 1.3 % less than it should. The error of a rate is the
 * mean over frames of 64 to 1518 B. Rates of tiers, of single links, of a fabric's file and of degraded links count. */
#include "study/assemble/warner.h"

#include "base/units.h"
#include "study/assemble/parts.h"

#include <stdio.h>
#include <string.h>

#define ERROR_WARNED (PPB / 1000) /* 0.1 % */
#define ERROR_REFUSED (PPB / 100) /* 1 % */
#define EXACT_BPS (8 * PS_PER_S)  /* a byte takes a picosecond */
#define SAFE_BPS (4 * PS_PER_S)   /* up to here a whole picosecond more is less than 0.1 % on average */

/* Returns the mean error of serialization at this rate, in parts per thousand million. */
static int64_t rate_error(int64_t rate_bps) {
    if (rate_bps <= SAFE_BPS) return 0;
    int64_t sum = 0, n = 0;
    for (int64_t frame = WIRE_MIN_BYTES; frame <= FULL_WIRE_BYTES; frame++, n++) {
        int128 exact = (int128)frame * 8 * PS_PER_S; /* in parts of 1 / rate_bps of a picosecond */
        int128 taken = (exact + rate_bps - 1) / rate_bps * rate_bps;
        sum += (int64_t)((taken - exact) * PPB / exact);
    }
    return sum / n;
}

/* The rate of any link, at any time, that has the largest error. */
struct worst_rate {
    int64_t bps, error;
    uint32_t port; /* a port that begins with this rate; UINT32_MAX: a failure brings it */
};

static void worst_add(struct worst_rate *w, int64_t bps, uint32_t port) {
    if (bps == w->bps) return;
    int64_t error = rate_error(bps);
    if (error > w->error) *w = (struct worst_rate){bps, error, port};
}

static struct worst_rate worst_rate_of(const struct assembly *a) {
    const struct path_view *paths = &a->fabric->paths;
    struct worst_rate w = {0};
    for (uint32_t g = 0; g < paths->first_port[a->fabric->n_nodes]; g++) worst_add(&w, paths->port[g].rate_bps, g);
    for (size_t i = 0; i < a->fabric_spec.n_failed; i++) worst_add(&w, a->fabric_spec.failed[i].rate_bps, UINT32_MAX);
    return w;
}

/* ---- where the rate is written ---- */

static bool has_rate(const struct config *c, const char *path, int64_t bps) {
    const struct setting *s = config_given(c, path);
    return s && s->value == bps;
}

/* Finds an item of a list with this rate; writes the path of its key. */
static bool item_with_rate(const struct config *c, const char *list, int64_t bps, char path[KEY_PATH_MAX]) {
    size_t n = config_count(c, list);
    for (size_t i = 0; i < n; i++) {
        char item[KEY_PATH_MAX];
        if (has_rate(c, path_join(path, path_item(item, list, i), "rate"), bps)) return true;
    }
    return false;
}

/* Writes the key that gives the rate: of a failure, of links, of a tier, of all; the fabric's file, if no key does. */
static void key_of_rate(const struct config *c, const struct worst_rate *w, char path[KEY_PATH_MAX]) {
    static const char *const keys[] = {"fabric.host_rate", "fabric.uplink_rate", "fabric.core_rate", "fabric.rate"};
    if (w->port == UINT32_MAX && item_with_rate(c, "fabric.failed", w->bps, path)) return;
    if (item_with_rate(c, "fabric.links", w->bps, path)) return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(path, KEY_PATH_MAX, "%s", keys[i]);
        if (has_rate(c, path, w->bps)) return;
    }
    snprintf(path, KEY_PATH_MAX, "fabric.path");
}

/* Writes "fabric.rate", or "fabric.path, link s0-s1" for a rate that stands in the fabric's file. */
static void name_rate(const struct assembly *a, const struct worst_rate *w, const char *key, char *buf, size_t size) {
    const struct fabric *f = a->fabric;
    char link[128];
    uint32_t node = 0;
    if (strcmp(key, "fabric.path") != 0 || w->port == UINT32_MAX) {
        snprintf(buf, size, "%s", key);
        return;
    }
    while (f->paths.first_port[node + 1] <= w->port) node++;
    fabric_port_link(f, node, (uint16_t)(w->port - f->paths.first_port[node]), link, sizeof link);
    snprintf(buf, size, "%s, link %s", key, link);
}

static void tell(const struct assembly *a, const struct config *c, const struct worst_rate *w, struct diag *d) {
    char key[KEY_PATH_MAX], name[KEY_PATH_MAX + 160], is[UNITS_TEXT_MAX], exact[UNITS_TEXT_MAX], safe[UNITS_TEXT_MAX];
    key_of_rate(c, w, key);
    name_rate(a, w, key, name, sizeof name);
    config_fail(c, d, key,
                "%s: at %s frames of 64 to 1518 B take %.2g %% longer than they should on average, since times are "
                "whole picoseconds; write %s, or at most %s",
                name, units_print(PARAM_RATE, w->bps, is, sizeof is), 100.0 * (double)w->error / (double)PPB,
                units_print(PARAM_RATE, EXACT_BPS, exact, sizeof exact),
                units_print(PARAM_RATE, SAFE_BPS, safe, sizeof safe));
}

bool assemble_rates_check(const struct assembly *a, const struct config *c, struct diag *d) {
    struct worst_rate w = worst_rate_of(a);
    if (a->is_live || w.error <= ERROR_REFUSED) return true;
    tell(a, c, &w, d);
    return false;
}

void warn_of_rates(struct warner *v) {
    struct worst_rate w = worst_rate_of(v->a);
    if (!v->a->is_live && w.error > ERROR_WARNED) tell(v->a, v->c, &w, next_warning(v));
}
