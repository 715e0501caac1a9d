/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/formats.h"

#include <string.h>

const struct workload_format *workload_format_find(const char *name) {
    static const struct {
        const char *name;
        const struct workload_format *format;
    } table[] = {
#define FORMAT_ROW(id, name) {name, &workload_format_##id},
        WORKLOAD_FORMATS(FORMAT_ROW)};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].format;
    return NULL;
}

bool format_flows_end(const struct flow_list *list, const char *format, struct diag *d) {
    for (uint32_t i = 0; i < list->n; i++) {
        const struct flow *f = &list->flow[i];
        if (f->bytes == UINT64_MAX || f->stop != TIME_NONE)
            return diag_say(d,
                            "%s: the flow from host %u to host %u sends until it is stopped, which this format cannot "
                            "say; give it sizes, and no stop",
                            format, f->src, f->dst);
        if (f->rate_bps)
            return diag_say(d,
                            "%s: the flow from host %u to host %u has a rate, which this format cannot say; leave out "
                            "rate",
                            format, f->src, f->dst);
    }
    return true;
}
