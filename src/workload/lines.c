/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the connections that carry several messages (struct flow_lines, base/views.h). */
#include "workload/generate.h"

#include "base/memory.h"

#include <stdlib.h>

#define COMPARE(a, b)                                                                                                  \
    if ((a) != (b)) return (a) < (b) ? -1 : 1

/* The order of connections: equal flows have the same one. */
static int connection_compare(const struct flow *x, const struct flow *y) {
    COMPARE(x->src, y->src);
    COMPARE(x->dst, y->dst);
    COMPARE(x->entry, y->entry);
    COMPARE(x->src_port, y->src_port);
    COMPARE(x->dst_port, y->dst_port);
    return 0;
}

static int number_compare(const void *a, const void *b, void *flows) {
    const struct flow *flow = flows;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = connection_compare(&flow[x], &flow[y]);
    return order ? order : (x > y) - (x < y);
}

/* Returns the numbers of the flows whose connections carry several, connection by connection, and sets *n. */
static uint32_t *numbers_sorted(const struct flow_list *list, uint32_t *n) {
    uint32_t *number = memory_get(list->n, sizeof *number);
    *n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->flow[i].flags & FLOW_IN_LINE) number[(*n)++] = i;
    qsort_r(number, *n, sizeof *number, number_compare, list->flow);
    return number;
}

void lines_finish(struct flow_list *list) {
    uint32_t n, n_lines = 0, *number = numbers_sorted(list, &n), *of = memory_get(list->n, sizeof *of);
    for (uint32_t i = 0; i < list->n; i++) of[i] = FLOW_NONE;
    for (uint32_t i = 1; i < n; i++) {
        if (connection_compare(&list->flow[number[i - 1]], &list->flow[number[i]]) != 0) continue;
        if (of[number[i - 1]] == FLOW_NONE) of[number[i - 1]] = n_lines++;
        of[number[i]] = of[number[i - 1]];
    }
    free(number);
    if (n_lines == 0) {
        free(of);
        of = NULL;
    }
    list->lines = (struct flow_lines){of, n_lines};
}
