/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the stored configuration of a run again, as the run read it. */
#include "study/report/topology.h"

#include "fabric/fabric.h"
#include "study/assemble/parts.h"
#include "study/experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

/* Returns the experiment; NULL if this program cannot read its configuration. */
static struct experiment *config_again(const struct run_row *run, const char *file) {
    struct diag d = {0};
    const struct experiment_options o = {.no_files = true, .is_stored = true};
    struct experiment *e = experiment_parse(run->config, strlen(run->config), file, &o, &d);
    if (!e || e->n_runs == 1) return e;
    experiment_free(e);
    return NULL;
}

/* ---- failures ---- */

/* Returns the time at which event i ends: at a repair, or the next rate or loss of the same port. -1: never. */
static int64_t until(const struct fabric *f, size_t i) {
    const struct fabric_event *x = &f->event[i];
    uint16_t end = x->kind == EVENT_LINK_DOWN ? EVENT_LINK_UP : x->kind;
    for (size_t k = i + 1; k < f->n_events && f->event[k].node == x->node; k++) {
        if (f->event[k].kind == end && f->event[k].port == x->port) return f->event[k].at;
    }
    return -1;
}

static json_t *failure_json(const struct fabric *f, size_t i) {
    const struct fabric_event *x = &f->event[i];
    const char *word = x->kind == EVENT_LINK_DOWN ? "dead" : x->kind == EVENT_RATE ? "slow" : "lossy";
    int64_t end = until(f, i);
    json_t *value = x->kind == EVENT_LINK_DOWN ? json_null()
                    : x->kind == EVENT_RATE    ? json_real((double)x->value)
                                               : json_real((double)x->value / 1e9);
    return json_pack("[I, s, f, o, o]", (json_int_t)f->paths.first_port[x->node] + x->port, word, (double)x->at / 1e6,
                     end < 0 ? json_null() : json_real((double)end / 1e6), value);
}

/* Returns false for events that end a failure: they restore rate or loss. */
static bool is_failure(const struct fabric *f, size_t i) {
    const struct fabric_event *x = &f->event[i];
    if (x->kind == EVENT_LINK_DOWN) return true;
    if (x->kind == EVENT_LOSS) return x->value > 0;
    return x->kind == EVENT_RATE && x->value < f->paths.port[f->paths.first_port[x->node] + x->port].rate_bps;
}

/* Adds links that `fabric.links` made lossy, or slower than their tier, for the whole run. */
static void degraded_add(const struct fabric *f, json_t *list) {
    int64_t most[3] = {0};
    uint32_t n = f->paths.first_port[f->n_nodes];
    for (uint32_t p = 0; p < n; p++) {
        const struct place_port *port = &f->paths.port[p];
        if (port->link_tier < 3 && port->rate_bps > most[port->link_tier]) most[port->link_tier] = port->rate_bps;
    }
    for (uint32_t p = 0; p < n; p++) {
        const struct place_port *port = &f->paths.port[p];
        if (port->link_tier < 3 && port->rate_bps < most[port->link_tier])
            json_array_append_new(list,
                                  json_pack("[I, s, f, n, f]", (json_int_t)p, "slow", 0.0, (double)port->rate_bps));
        if (port->loss_ppb > 0)
            json_array_append_new(list,
                                  json_pack("[I, s, f, n, f]", (json_int_t)p, "lossy", 0.0, port->loss_ppb / 1e9));
    }
}

static json_t *failures_of(const struct fabric *f) {
    json_t *list = json_array();
    degraded_add(f, list);
    for (size_t i = 0; i < f->n_events; i++) {
        if (is_failure(f, i)) json_array_append_new(list, failure_json(f, i));
    }
    return list;
}

json_t *run_failures_json(const struct store_reader *r, const struct run_row *run) {
    const char *file = r->experiment[run->experiment].file;
    struct experiment *e = config_again(run, file);
    struct diag d = {0};
    json_t *list = NULL;
    if (e) {
        struct assembly a = {0};
        const struct config *c = &e->run[0].config;
        static const char *const changes[] = {"fabric.failed", "fabric.fail_random", "fabric.links"};
        bool whole = true;
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) whole &= config_count(c, changes[i]) == 0;
        if (whole) list = json_array();
        if (!whole && assemble_fabric(&a, c, e->base_dir, &d)) list = failures_of(a.fabric);
        if (a.fabric) fabric_destroy(a.fabric);
        for (size_t i = 0; i < a.n_owned; i++) free(a.owned[i]);
        free(a.owned);
        experiment_free(e);
    }
    return list ? list : json_null();
}
