/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/points.h"

#include "base/memory.h"

#include <stdlib.h>

static void point_add(struct point *p, size_t run) {
    p->run = memory_grow(p->run, p->n + 1, sizeof *p->run);
    p->run[p->n++] = run;
}

static struct point *point_find(struct point *point, size_t n, const json_t *settings) {
    for (size_t i = 0; i < n; i++) {
        if (json_equal(point[i].settings, settings)) return &point[i];
    }
    return NULL;
}

struct point *points_of(const struct store_reader *r, size_t experiment, size_t *n) {
    struct point *point = memory_get(r->n_runs + 1, sizeof *point);
    *n = 0;
    for (size_t i = 0; i < r->n_runs; i++) {
        const struct run_row *x = &r->run[i];
        if (x->experiment != experiment || x->number == 0 || x->status != RUN_DONE) continue;
        json_t *settings = json_copy(x->settings);
        json_object_del(settings, "run.seed");
        struct point *p = point_find(point, *n, settings);
        if (!p) {
            p = &point[(*n)++];
            p->settings = json_incref(settings);
        }
        point_add(p, i);
        json_decref(settings);
    }
    return point;
}

void points_free(struct point *point, size_t n) {
    for (size_t i = 0; i < n; i++) {
        json_decref(point[i].settings);
        free(point[i].run);
    }
    free(point);
}
