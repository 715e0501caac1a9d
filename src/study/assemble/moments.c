/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/moments.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/assemble/fill.h"
#include "study/config/measure_keys.h"
#include "study/config/part_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- shares of the arrivals ---- */

static bool is_open_loop(const struct flow *f) {
    return f->start != TIME_NONE && flow_is_awaited(f) && !(f->flags & FLOW_ONCE);
}

static int time_compare(const void *a, const void *b) {
    const time_ps *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct arrival_times arrival_times_of(const struct flow_list *flows) {
    struct arrival_times t = {memory_get(flows->n, sizeof *t.start), 0};
    for (uint32_t i = 0; i < flows->n; i++)
        if (is_open_loop(&flows->flow[i])) t.start[t.n++] = flows->flow[i].start;
    qsort(t.start, t.n, sizeof *t.start, time_compare);
    return t;
}

void arrival_times_free(struct arrival_times *t) { free(t->start); }

/* Returns the start of the first arrival that is not among the given share of them. */
static time_ps start_after(const struct arrival_times *t, int64_t share_ppb) {
    size_t k = (size_t)(((int128)t->n * share_ppb + PPB - 1) / PPB);
    return k < t->n ? t->start[k] : t->start[t->n - 1] + 1;
}

static bool share_fail(const struct config *c, const char *path, const char *text, struct diag *d) {
    return config_fail(c, d, path,
                       "%s: %s is a share of the open-loop arrivals, and this workload has none; write a time", path,
                       text);
}

static bool share_moment(const struct assembly *a, const struct config *c, const char *path, const char *text,
                         int64_t share_ppb, time_ps *at, struct diag *d) {
    struct arrival_times t = arrival_times_of(&a->flows);
    bool any = t.n > 0;
    if (any) *at = start_after(&t, share_ppb);
    arrival_times_free(&t);
    return any || share_fail(c, path, text, d);
}

/* ---- shares of the arrivals in failures ---- */

/* Sets one moment of a failure. Until the arrivals are known it is late and in its order among the others, so that the state
 * of the fabric in which the workload is made, the one at the start, is the right one. */
static bool failure_share_set(struct assembly *a, const struct config *c, const char *list, size_t i, const char *key,
                              time_ps *at, struct diag *d) {
    char item[KEY_PATH_MAX], path[KEY_PATH_MAX];
    if (!moment_is_share(*at)) return true;
    int64_t share = moment_share_ppb(*at);
    path_join(path, path_item(item, list, i), key);
    a->n_shares++;
    if (a->arrivals && a->arrivals->n == 0) return share_fail(c, path, config_text(c, "%s", path), d);
    *at = a->arrivals ? start_after(a->arrivals, share) : 900 * PS_PER_S + share * 10;
    return true;
}

static bool failure_set(struct assembly *a, const struct config *c, const char *list, size_t i, time_ps *at,
                        time_ps *repair_at, struct diag *d) {
    char item[KEY_PATH_MAX], path[KEY_PATH_MAX];
    uint32_t before = a->n_shares;
    if (!failure_share_set(a, c, list, i, "at", at, d) || !failure_share_set(a, c, list, i, "repair_at", repair_at, d))
        return false;
    if (a->n_shares == before || *repair_at > *at || !a->arrivals) return true;
    path_join(path, path_item(item, list, i), "repair_at");
    return config_fail(c, d, path, "%s: the repair comes before the failure, as the arrivals fall; repair it later",
                       path);
}

bool failure_moments_set(struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d) {
    struct link_failure *failed = (struct link_failure *)spec->failed;
    struct random_failures *random = (struct random_failures *)spec->fail_random;
    for (uint32_t i = 0; i < spec->n_failed; i++)
        if (!failure_set(a, c, "fabric.failed", i, &failed[i].at, &failed[i].repair_at, d)) return false;
    for (uint32_t i = 0; i < spec->n_fail_random; i++)
        if (!failure_set(a, c, "fabric.fail_random", i, &random[i].at, &random[i].repair_at, d)) return false;
    return true;
}

/* ---- failures ---- */

static bool failure_moment(const struct assembly *a, const struct config *c, const char *path, const char *text,
                           time_ps *at, struct diag *d) {
    char *end;
    const char *number = text + strlen("failed.");
    unsigned long i = strtoul(number, &end, 10);
    bool begins = strcmp(end, ".at") == 0, repairs = strcmp(end, ".repair_at") == 0;
    if (end == number || (!begins && !repairs))
        return config_fail(c, d, path, "%s: '%s' is no moment; write failed.0.at or failed.0.repair_at", path, text);
    if (i >= a->fabric_spec.n_failed)
        return config_fail(c, d, path, "%s: fabric.failed has no item %lu; it has %u", path, i,
                           a->fabric_spec.n_failed);
    *at = begins ? a->fabric_spec.failed[i].at : a->fabric_spec.failed[i].repair_at;
    if (*at != TIME_NONE) return true;
    return config_fail(c, d, path, "%s: the link of fabric.failed.%lu is not repaired; give repair_at, or write a time",
                       path, i);
}

/* ---- any of them ---- */

bool moment_of(const struct assembly *a, const struct config *c, const char *path, const char *text, time_ps *at,
               struct diag *d) {
    static const struct param time = {.type = PARAM_TIME, .max = 1000 * PS_PER_S},
                              share = {.type = PARAM_FRACTION, .max = PPB};
    char why[384];
    int64_t value;
    if (strncmp(text, "failed.", strlen("failed.")) == 0) return failure_moment(a, c, path, text, at, d);
    if (strchr(text, '%')) {
        if (!param_parse(&share, text, &value, why, sizeof why)) return config_fail(c, d, path, "%s: %s", path, why);
        return share_moment(a, c, path, text, value, at, d);
    }
    if (param_parse(&time, text, at, why, sizeof why)) return true;
    return config_fail(c, d, path, "%s: %s; or write a share of the arrivals (50%%), failed.0.at or failed.0.repair_at",
                       path, why);
}

/* ---- phases ---- */

static bool phase_fill(const struct assembly *a, const struct config *c, const struct phase_keys *k, size_t i,
                       struct measured_phase *p, struct diag *d) {
    char item[KEY_PATH_MAX], from[KEY_PATH_MAX], to[KEY_PATH_MAX];
    path_item(item, "measure.phases", i);
    path_join(from, item, "from");
    path_join(to, item, "to");
    p->name = k->name;
    if (!moment_of(a, c, from, k->from, &p->from, d) || !moment_of(a, c, to, k->to, &p->to, d)) return false;
    return p->from < p->to ||
           config_fail(c, d, to, "%s: the phase '%s' ends when it begins, or before; let it end later", to, p->name);
}

bool phases_fill(struct assembly *a, const struct config *c, struct diag *d) {
    const struct fill f = {.a = a, .c = c, .base_dir = "", .d = d};
    struct measure_keys k = {0};
    struct part_names names;
    if (a->n_shares && !a->arrivals) return true; /* the times of failures are not known yet */
    if (!fill_params(&f, "measure", measure_keys, &k) || !phase_names_read(c, &names, d)) return false;
    part_names_free(&names);
    if (k.n_phases > PHASES_MAX)
        return config_fail(c, d, "measure.phases", "measure.phases: %u phases; write at most %d", k.n_phases,
                           PHASES_MAX);
    struct measured_phase *phase = assembly_own(a, k.n_phases, sizeof *phase);
    for (uint32_t i = 0; i < k.n_phases; i++)
        if (!phase_fill(a, c, &k.phases[i], i, &phase[i], d)) return false;
    a->world.measure.phase = phase;
    a->world.measure.n_phases = k.n_phases;
    return true;
}
