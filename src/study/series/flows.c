/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/flows.h"

bool run_flows_each(const struct store_reader *r, const struct run_row *run, flow_visitor *visit, void *to,
                    struct diag *d) {
    const struct run_selection s = run_selection(run);
    struct arrivals a;
    struct store_rows rows;
    struct flow_row x;
    bool ok = arrivals_begin(&a, r, run, STORE_FLOWS, &s.arrivals, d) &&
              store_rows_begin_some(r, STORE_FLOWS, RUN_FLOW_COLUMNS, run->id, &rows, d);
    if (ok) {
        while (store_next_flow(&rows, &x)) visit(to, &x, arrivals_next(&a, x.start_ps));
        ok = store_rows_end(&rows, d);
    }
    arrivals_end(&a);
    return ok;
}

bool flow_has_fct(const struct flow_row *x) { return x->bytes != STORE_NULL && x->fct_ps != STORE_NULL; }

bool flow_has_reorder(const struct flow_row *x, bool counts) {
    return x->received_bytes > 0 && x->max_reorder != STORE_NULL && (counts || x->bytes == STORE_NULL);
}

bool flow_fct_us(const struct flow_row *x, double *value) {
    *value = (double)x->fct_ps / 1e6;
    return true;
}

bool flow_slowdown(const struct flow_row *x, double *value) {
    bool has = x->bound_ps != STORE_NULL && x->bound_ps > 0;
    *value = has ? (double)x->fct_ps / (double)x->bound_ps : 0;
    return has;
}

bool flow_goodput_mbps(const struct flow_row *x, double *value) {
    *value = x->fct_ps > 0 ? (double)x->bytes * 8e6 / (double)x->fct_ps : 0;
    return x->fct_ps > 0;
}
