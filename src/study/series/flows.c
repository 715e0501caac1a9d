/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/flows.h"

#include "base/memory.h"
#include "base/types.h"

#include <stdlib.h>

/* Position of a flow among the arrivals. Flows that wait for others do not start in the order of their numbers. */
struct arrival {
    int64_t at;
    uint32_t flow;
};

static int earlier(const void *a, const void *b) {
    const struct arrival *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->flow > y->flow) - (x->flow < y->flow);
}

struct arrivals {
    uint32_t *place; /* by flow */
    size_t n, n_started;
};

static struct arrivals arrivals_of(const struct flow_row *row, size_t n) {
    struct arrivals a = {.place = memory_get(n + 1, sizeof *a.place), .n = n};
    struct arrival *order = memory_get(n + 1, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        bool started = row[i].start_ps != STORE_NULL;
        order[i] = (struct arrival){started ? row[i].start_ps : INT64_MAX, (uint32_t)i};
        a.n_started += started;
    }
    qsort(order, n, sizeof *order, earlier);
    for (size_t i = 0; i < n; i++) a.place[order[i].flow] = (uint32_t)i;
    free(order);
    return a;
}

static bool is_selected(const struct selection *s, const struct flow_row *x, int128 place, size_t n) {
    return x->start_ps != STORE_NULL && x->start_ps >= s->from_ps && place * PPB >= (int128)s->starts_from_ppb * n &&
           place * PPB < (int128)s->starts_to_ppb * n;
}

static void finished_add(struct run_flows *f, const struct flow_row *x) {
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 4096;
        f->flow = memory_grow(f->flow, f->room, sizeof *f->flow);
    }
    f->flow[f->n++] = (struct finished_flow){x->bytes, x->fct_ps, x->bound_ps == STORE_NULL ? 0 : x->bound_ps};
}

static void received_add(struct run_flows *f, int64_t held) {
    if (f->n_received == f->room_received) {
        f->room_received = f->room_received ? 2 * f->room_received : 4096;
        f->reorder = memory_grow(f->reorder, f->room_received, sizeof *f->reorder);
    }
    f->reorder[f->n_received++] = held;
}

static void flows_take(struct run_flows *f, const struct flow_row *row, size_t n, const struct selection *s) {
    struct arrivals a = arrivals_of(row, n);
    for (size_t i = 0; i < n; i++) {
        bool selected = is_selected(s, &row[i], a.place[i], a.n_started), endless = row[i].bytes == STORE_NULL;
        if (row[i].received_bytes > 0 && (selected || endless)) received_add(f, row[i].max_reorder);
        if (selected && !endless && row[i].fct_ps != STORE_NULL) finished_add(f, &row[i]);
    }
    free(a.place);
}

bool run_flows_add(struct run_flows *f, const struct store_reader *r, const struct run_row *run,
                   const struct selection *selection, struct diag *d) {
    struct flow_row *row = NULL;
    struct store_rows rows;
    size_t n = 0, room = 0;
    if (!store_rows_begin(r, STORE_FLOWS, run->id, &rows, d)) return false;
    do {
        if (n == room) {
            room = room ? 2 * room : 4096;
            row = memory_grow(row, room, sizeof *row);
        }
    } while (store_next_flow(&rows, &row[n]) && ++n);
    bool ok = store_rows_end(&rows, d);
    if (ok) flows_take(f, row, n, selection);
    free(row);
    return ok;
}

void run_flows_free(struct run_flows *f) {
    free(f->flow);
    free(f->reorder);
    *f = (struct run_flows){0};
}
