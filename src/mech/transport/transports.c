/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/transports.h"

#include <string.h>

#define TRANSPORT_ENTRY(id) &transport_##id,
static const struct transport_ops *const table[] = {TRANSPORTS(TRANSPORT_ENTRY)};

const struct transport_ops *const *transports(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct transport_ops *transport_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

time_ps transport_no_timer(const void *end) {
    (void)end;
    return TIME_NONE;
}

/* ---- parameters and counters: the base's and the row's own ---- */

static const struct param_list *params_of(const struct transport_ops *t) {
    return t->params ? t->params : t->base->params;
}

size_t transport_n_params(const struct transport_ops *t) { return param_list_n(params_of(t)); }

struct param transport_param(const struct transport_ops *t, size_t i) {
    struct param p = *param_list_at(params_of(t), i);
    for (size_t k = 0; k < t->n_defaults; k++)
        if (t->defaults[k].param == i) p.def = t->defaults[k].def;
    return p;
}

void transport_defaults(const struct transport_ops *t, int64_t *value) {
    for (size_t i = 0; i < transport_n_params(t); i++) value[i] = transport_param(t, i).def;
}

size_t transport_n_counters(const struct transport_ops *t) { return t->base->n_counters + t->n_counters; }

const struct counter *transport_counter(const struct transport_ops *t, size_t i) {
    return i < t->base->n_counters ? &t->base->counters[i] : &t->counters[i - t->base->n_counters];
}

size_t transport_cell_bytes(const struct transport_ops *t, const int64_t *params) {
    if (t->cell_bytes) return t->cell_bytes(params);
    return t->base->cell_bytes ? t->base->cell_bytes(params) : 64;
}
