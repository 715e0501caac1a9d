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

/* Returns the fabric without the changes of `fabric.links` and failures: the rate of each link is that of its tier, or of the
 * topology file. NULL if it cannot be built. */
static struct fabric *unchanged(const struct assembly *a) {
    struct fabric_spec spec = a->fabric_spec;
    struct diag ignored = {0};
    spec.n_links = spec.n_failed = spec.n_fail_random = 0;
    return fabric_create(&spec, &ignored);
}

/* Sets most[] to the largest rate of each tier of links. */
static void rates_most(const struct fabric *f, int64_t most[3]) {
    for (uint32_t p = 0; p < f->paths.first_port[f->n_nodes]; p++) {
        const struct place_port *port = &f->paths.port[p];
        if (port->link_tier < 3 && port->rate_bps > most[port->link_tier]) most[port->link_tier] = port->rate_bps;
    }
}

/* Adds links that `fabric.links` made lossy, or slower than they are without it, for the whole run. A tier that it made
 * slower as a whole is so by design. */
static void degraded_add(const struct assembly *a, json_t *list) {
    const struct fabric *f = a->fabric;
    struct fabric *whole = a->fabric_spec.n_links ? unchanged(a) : NULL;
    int64_t most[3] = {0};
    rates_most(f, most);
    for (uint32_t p = 0; p < f->paths.first_port[f->n_nodes]; p++) {
        const struct place_port *port = &f->paths.port[p];
        bool slower = whole && port->rate_bps < whole->paths.port[p].rate_bps;
        if (slower && port->link_tier < 3 && port->rate_bps < most[port->link_tier])
            json_array_append_new(list,
                                  json_pack("[I, s, f, n, f]", (json_int_t)p, "slow", 0.0, (double)port->rate_bps));
        if (port->loss_ppb > 0)
            json_array_append_new(list,
                                  json_pack("[I, s, f, n, f]", (json_int_t)p, "lossy", 0.0, port->loss_ppb / 1e9));
    }
    if (whole) fabric_destroy(whole);
}

static json_t *failures_of(const struct assembly *a) {
    const struct fabric *f = a->fabric;
    json_t *list = json_array();
    degraded_add(a, list);
    for (size_t i = 0; i < f->n_events; i++) {
        if (is_failure(f, i)) json_array_append_new(list, failure_json(f, i));
    }
    return list;
}

/* Returns true if the flows of the assembly start when those of the run did: its trace and its fabric are the same. */
static bool starts_agree(const struct assembly *a, const struct store_reader *r, const struct run_row *run) {
    struct store_rows rows;
    struct flow_row x;
    struct diag ignored = {0};
    uint32_t n = 0;
    bool same = true;
    if (!store_rows_begin_some(r, STORE_FLOWS, " start_ps ", run->id, &rows, &ignored)) return false;
    for (; store_next_flow(&rows, &x); n++) {
        const struct flow *f = n < a->flows.n ? &a->flows.flow[n] : NULL;
        same &= f && (f->start == TIME_NONE || x.start_ps == STORE_NULL || f->start == x.start_ps);
    }
    return store_rows_end(&rows, &ignored) && same && n == a->flows.n;
}

/* Returns the fabric of the run with the times of its failures, without its flows if no time depends on them; NULL if it
 * cannot be made again. */
static struct assembly *fabric_again(const struct store_reader *r, const struct run_row *run, struct experiment *e) {
    struct config *c = &e->run[0].config;
    struct diag ignored = {0};
    c->force = true; /* the run is over: the memory that it took does not matter */
    struct assembly *a = assembly_create_fabric(c, e->base_dir, &ignored);
    if (!a || a->n_shares == 0) return a;
    assembly_free(a);
    a = assembly_create(c, e->base_dir, &ignored);
    if (!a || starts_agree(a, r, run)) return a;
    assembly_free(a);
    return NULL;
}

json_t *run_failures_json(const struct store_reader *r, const struct run_row *run) {
    static const char *const changes[] = {"fabric.failed", "fabric.fail_random", "fabric.links"};
    struct experiment *e = config_again(run, r->experiment[run->experiment].file);
    if (!e) return json_null();
    json_t *list = NULL;
    bool whole = true;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        whole &= config_count(&e->run[0].config, changes[i]) == 0;
    struct assembly *a = whole ? NULL : fabric_again(r, run, e);
    if (whole) list = json_array();
    if (a) list = failures_of(a);
    assembly_free(a);
    experiment_free(e);
    return list ? list : json_null();
}
