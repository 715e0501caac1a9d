/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/stored_run.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct run_row *stored_run_find(const struct store_reader *r, uint32_t number) {
    const struct run_row *found = NULL;
    for (size_t i = 0; i < r->n_runs; i++) {
        const struct run_row *x = &r->run[i];
        if (x->number != number) continue;
        const char *new = x->finished ? x->finished : "", *old = found && found->finished ? found->finished : "";
        if (!found || strcmp(new, old) >= 0) found = x;
    }
    return found;
}

bool node_names_read(const struct store_reader *r, const struct run_row *run, struct node_names *names,
                     struct diag *d) {
    struct store_rows rows;
    struct node_row x;
    *names = (struct node_names){0};
    if (!store_rows_begin(r, STORE_NODES, run->id, &rows, d)) return false;
    while (store_next_node(&rows, &x)) {
        if (x.node < 0 || x.node > UINT32_MAX || !x.name) continue;
        for (; names->n <= (size_t)x.node && x.node <= (int64_t)names->n + 1000000; names->n++) {
            names->name = memory_grow(names->name, names->n + 1, sizeof *names->name);
            names->name[names->n] = NULL;
        }
        if ((size_t)x.node < names->n && !names->name[x.node]) names->name[x.node] = text_copy(x.name);
    }
    return store_rows_end(&rows, d);
}

void node_names_free(struct node_names *names) {
    for (size_t i = 0; i < names->n; i++) free((char *)names->name[i]);
    free(names->name);
    *names = (struct node_names){0};
}

const char *node_name(const struct node_names *names, int64_t node, char buf[NODE_TEXT]) {
    if (node >= 0 && (size_t)node < names->n && names->name[node]) return names->name[node];
    snprintf(buf, NODE_TEXT, node == STORE_NULL ? "?" : "node %lld", (long long)node);
    return buf;
}
