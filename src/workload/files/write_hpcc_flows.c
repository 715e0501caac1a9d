/* SPDX-License-Identifier: Apache-2.0 */
/* Flow files of the HPCC simulator (trace_hpcc.c has the format). Hosts are their numbers, in order of the leaves, as in the
 * topology that fabric/format_hpcc.c writes. The port is 100, by which the scripts of that simulator know flows of a workload
 * from those of an incast. */
#include "workload/files/formats.h"

#include <inttypes.h>

#define DST_PORT 100

/* Writes a time in seconds, exactly. */
static void seconds_write(FILE *out, time_ps at) {
    fprintf(out, "%lld.%012lld", (long long)(at / PS_PER_S), (long long)(at % PS_PER_S));
}

static bool hpcc_flows_write(const struct flow_list *list, const struct population *p, FILE *out, struct diag *d) {
    (void)p;
    if (!format_flows_end(list, "hpcc-flows", d)) return false;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct flow *f = &list->flow[i];
        if (f->start == TIME_NONE)
            return diag_say(d,
                            "hpcc-flows: the flow from host %u to host %u starts when others have ended, which this "
                            "format cannot say; write --to goal, or cm",
                            f->src, f->dst);
    }
    fprintf(out, "%u\n", list->n);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct flow *f = &list->flow[i];
        fprintf(out, "%u %u %u %u %" PRIu64 " ", f->src, f->dst, f->priority, DST_PORT, f->bytes);
        seconds_write(out, f->start);
        fputc('\n', out);
    }
    return true;
}

const struct workload_format workload_format_hpcc_flows = {
    .doc = "a flow file of the HPCC simulator",
    .entry = "kind: trace, format: hpcc",
    .write = hpcc_flows_write,
};
