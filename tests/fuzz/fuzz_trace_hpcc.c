/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a flow file of the HPCC simulator. It must refuse them with a message, or return flows between existing hosts. */
#include "workload/generate.h"
#include "workload/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_HOSTS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool holds) {
    if (!holds) abort();
}

static bool host_find(void *context, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    (void)context;
    *host = (uint32_t)(strncmp(text, "host", 4) == 0 ? text[4] - '0' : quoted ? N_HOSTS : text[0] - '0');
    snprintf(why, size, "there is no host %s", text);
    return *host < N_HOSTS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct population p = {.n_hosts = N_HOSTS};
    struct workload_spec spec = {.kind = &workload_trace, .host_find = host_find};
    struct flow_list list = {0};
    struct diag d = {0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = &list, .d = &d};
    bool ok = trace_hpcc_parse(&g, (const char *)data, n, "fuzz.txt");
    require(ok ? list.n > 0 : d.text[0] != '\0');
    for (uint32_t i = 0; i < list.n; i++) {
        const struct flow *f = &list.flow[i];
        require(f->start >= 0 && f->bytes >= 1 && f->src < N_HOSTS && f->dst < N_HOSTS && f->src != f->dst);
    }
    free(g.next_port);
    flow_list_free(&list);
    return 0;
}
