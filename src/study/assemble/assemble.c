/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/assemble.h"

#include "base/memory.h"
#include "study/assemble/credits.h"
#include "study/assemble/fill.h"
#include "study/assemble/moments.h"
#include "study/config/measure_keys.h"

#include <stdlib.h>
#include <string.h>

void *assembly_own(struct assembly *a, size_t n, size_t size) {
    if (n == 0) return NULL;
    a->owned = memory_grow(a->owned, a->n_owned + 1, sizeof *a->owned);
    return a->owned[a->n_owned++] = memory_get(n, size);
}

/* ---- the whole assembly ---- */

static bool assembly_fill_network(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    a->is_live |= c->is_live;
    const struct fill f = {.a = a, .c = c, .base_dir = base_dir, .d = d};
    struct run_keys run;
    fill_params(&f, "run", run_keys, &run);
    a->world.seed = run.seed;
    a->world.until = run.until;
    a->world.threads = 1;
    if (!assemble_fabric(a, c, base_dir, d)) return false;
    a->world.fabric = a->fabric;
    if (!assemble_rates_check(a, c, d)) return false;
    if (!assemble_nodes(a, c, d) || !credits_check(a, c, d)) return false;
    const struct switch_config *s = &a->world.switches;
    if (s->balance->needs_board) a->world.board_epoch = s->balance_params[s->balance->epoch_param];
    return true;
}

static bool assembly_fill_traffic(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    if (!assemble_workload(a, c, base_dir, d) || !assemble_measure(a, c, d)) return false;
    a->world.flows = &a->flows;
    return assemble_headroom_check(a, c, d);
}

static struct assembly *assembly_of(const struct config *c, const char *base_dir, const struct arrival_times *arrivals,
                                    struct diag *d) {
    struct assembly *a = memory_get(1, sizeof *a);
    a->arrivals = arrivals;
    if (assembly_fill_network(a, c, base_dir, d) && assembly_fill_traffic(a, c, base_dir, d)) {
        a->arrivals = NULL;
        return a;
    }
    assembly_free(a);
    return NULL;
}

/* Failures at a share of the arrivals need the flows, which need a fabric: it is made twice then. */
struct assembly *assembly_create(const struct config *c, const char *base_dir, struct diag *d) {
    struct assembly *a = assembly_of(c, base_dir, NULL, d);
    if (!a || a->n_shares == 0) return a;
    struct arrival_times arrivals = arrival_times_of(&a->flows);
    assembly_free(a);
    a = assembly_of(c, base_dir, &arrivals, d);
    arrival_times_free(&arrivals);
    return a;
}

struct assembly *assembly_create_network(const struct config *c, const char *base_dir, struct diag *d) {
    struct assembly *a = memory_get(1, sizeof *a);
    a->is_live = true;
    if (assembly_fill_network(a, c, base_dir, d) && assemble_headroom_check(a, c, d)) return a;
    assembly_free(a);
    return NULL;
}

struct assembly *assembly_create_fabric(const struct config *c, const char *base_dir, struct diag *d) {
    struct assembly *a = memory_get(1, sizeof *a);
    a->is_live = true;
    if (assemble_fabric(a, c, base_dir, d)) return a;
    assembly_free(a);
    return NULL;
}

void assembly_free(struct assembly *a) {
    if (!a) return;
    for (size_t i = 0; i < a->n_workload; i++) sizes_destroy(a->workload[i].sizes);
    free(a->workload);
    flow_list_free(&a->flows);
    if (a->fabric) fabric_destroy(a->fabric);
    for (size_t i = 0; i < a->n_owned; i++) free(a->owned[i]);
    free(a->owned);
    free(a);
}
