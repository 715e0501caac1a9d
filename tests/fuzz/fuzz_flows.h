/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets of traces: a parser must refuse any bytes with a message, or return flows between existing hosts. */
#ifndef HEDDLE_TESTS_FUZZ_FLOWS_H
#define HEDDLE_TESTS_FUZZ_FLOWS_H

#include "workload/generate.h"
#include "workload/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_HOSTS 4

static void require(bool holds) {
    if (!holds) abort();
}

static bool host_find(void *context, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    (void)context;
    *host = (uint32_t)(strncmp(text, "host", 4) == 0 ? text[4] - '0' : quoted ? N_HOSTS : text[0] - '0');
    snprintf(why, size, "there is no host %s", text);
    return *host < N_HOSTS;
}

typedef bool (*trace_parser)(struct generator *g, const char *text, size_t n, const char *path);

static int flows_fuzz(trace_parser parse, const uint8_t *data, size_t n) {
    struct population p = {.n_hosts = N_HOSTS};
    struct workload_spec spec = {.kind = &workload_trace, .host_find = host_find};
    struct flow_list list = {0};
    struct diag d = {0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = &list, .d = &d};
    bool ok = parse(&g, (const char *)data, n, "fuzz.csv");
    require(ok ? list.n > 0 : d.text[0] != '\0');
    for (uint32_t i = 0; i < list.n; i++) {
        const struct flow *f = &list.flow[i];
        require(f->start >= 0 && f->bytes >= 1 && f->src < N_HOSTS && f->dst < N_HOSTS && f->src != f->dst);
    }
    free(g.next_port);
    flow_list_free(&list);
    return 0;
}

#endif
