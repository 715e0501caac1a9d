/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/pause_list.h"

#include "study/report/pack.h"

#include <string.h>

static json_t *time_json(int64_t ps) { return ps == STORE_NULL ? json_null() : pack_number((double)ps / 1e6); }

static json_t *port_json(const struct topology *t, int64_t port) {
    size_t place = topology_port(t, port);
    return place == SIZE_MAX ? json_null() : json_integer((json_int_t)place);
}

/* ---- longest pauses ---- */

struct ranking {
    struct pause_row row[PAUSES_LISTED]; /* greatest first */
    size_t n, seen;
};

static void ranking_add(struct ranking *k, const struct pause_row *x) {
    size_t at = k->n;
    k->seen++;
    while (at > 0 && k->row[at - 1].paused_ps < x->paused_ps) at--;
    if (at == PAUSES_LISTED) return;
    if (k->n < PAUSES_LISTED) k->n++;
    memmove(&k->row[at + 1], &k->row[at], (k->n - 1 - at) * sizeof *k->row);
    k->row[at] = *x;
}

static json_t *ranking_json(const struct ranking *k, const struct topology *t) {
    json_t *list = json_array();
    for (size_t i = 0; i < k->n; i++) {
        const struct pause_row *x = &k->row[i];
        json_array_append_new(list, json_pack("[o, I, o, I, I, o, o]", port_json(t, x->port), (json_int_t)x->class,
                                              time_json(x->paused_ps), (json_int_t)x->stops, (json_int_t)x->storms,
                                              time_json(x->longest_ps), time_json(x->longest_from_ps)));
    }
    return list;
}

static bool ranking_read(const struct store_reader *r, const struct run_row *run, struct ranking *k, struct diag *d) {
    struct store_rows rows;
    struct pause_row x;
    if (!store_rows_begin(r, STORE_PAUSES, run->id, &rows, d)) return false;
    while (store_next_pause(&rows, &x)) ranking_add(k, &x);
    return store_rows_end(&rows, d);
}

/* ---- rings ---- */

static void ring_add(json_t *rings, const struct pause_ring_row *x, const struct topology *t) {
    if (x->place == 0) {
        json_array_append_new(rings, json_pack("{s:o, s:o, s:[]}", "first_us", time_json(x->first_ps), "last_us",
                                               time_json(x->last_ps), "ports"));
    }
    json_t *ring = json_array_get(rings, json_array_size(rings) - 1);
    json_array_append_new(json_object_get(ring, "ports"),
                          json_pack("[o, I, o]", port_json(t, x->port), (json_int_t)x->class, time_json(x->since_ps)));
}

static bool rings_read(const struct store_reader *r, const struct run_row *run, const struct topology *t, json_t *rings,
                       struct diag *d) {
    struct store_rows rows;
    struct pause_ring_row x;
    if (!store_rows_begin(r, STORE_PAUSE_RINGS, run->id, &rows, d)) return false;
    while (store_next_pause_ring(&rows, &x)) {
        if (x.place == 0 && json_array_size(rings) == RINGS_LISTED) break;
        ring_add(rings, &x, t);
    }
    return store_rows_end(&rows, d);
}

json_t *run_pauses(const struct store_reader *r, const struct run_row *run, const struct topology *t, struct diag *d) {
    struct ranking k = {0};
    json_t *rings = json_array(), *o = NULL;
    bool ok = ranking_read(r, run, &k, d) && rings_read(r, run, t, rings, d);
    if (ok && k.seen == 0 && json_array_size(rings) == 0) {
        o = json_null();
    } else if (ok) {
        o = json_pack("{s:I, s:o, s:O}", "n", (json_int_t)k.seen, "longest", ranking_json(&k, t), "rings", rings);
    }
    json_decref(rings);
    return o;
}
