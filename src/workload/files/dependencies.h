/* SPDX-License-Identifier: Apache-2.0 */
/* What each flow of a list waits for: gates turned around, for those who write jobs down. Private to workload.
 *
 * A list says which gates an end feeds; a file of another program says what an operation waits for.
 */
#ifndef HEDDLE_WORKLOAD_DEPENDENCIES_H
#define HEDDLE_WORKLOAD_DEPENDENCIES_H

#include "workload/workload.h"

enum dependency_kind { ON_RECEIVED, ON_ACKED, ON_GATE_END, ON_GATE_BEGIN };

struct dependency {
    enum dependency_kind kind;
    uint32_t number; /* of the flow, or of the gate */
};

struct dependencies {
    const struct flow_list *list;
    uint32_t *gate_of;     /* [flows] gate that starts the flow; FLOW_NONE: the clock does */
    struct dependency *on; /* gate after gate */
    uint32_t *first;       /* [gates + 1] those of gate g are on[first[g]] to on[first[g + 1] - 1] */
    uint32_t *order;       /* [flows] flows in the order in which their entries made them */
    uint32_t *connection;  /* [flows] number of its connection among those of its two hosts, in that order */
    uint32_t *before;      /* [flows] the flow before it on its connection; FLOW_NONE: it is the first */
};

void dependencies_init(struct dependencies *x, const struct flow_list *list);
void dependencies_fini(struct dependencies *x);

#endif
