/* A fabric too large to draw link by link, pod by pod. */
#include "study/report/topology.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* "tor3.*" of "tor3.11"; a name without a point stays. */
static char *group_name(const char *name) {
    const char *point = strchr(name, '.');
    char *group;
    if (!point) return strdup(name);
    if (asprintf(&group, "%.*s.*", (int)(point - name), name) < 0) abort();
    return group;
}

/* Groups in the order of their first node. Nodes of a group stand side by side, but for a few, so the search is short.
 */
static size_t group_find(char *const *group, size_t n, const char *name) {
    size_t at = n;
    while (at > 0 && strcmp(group[at - 1], name) != 0) at--;
    return at;
}

static void nodes_group(struct topology *t, size_t *group_of) {
    char **group = memory_get(t->n_nodes + 1, sizeof *group);
    size_t n = 0, hosts = 0;
    for (size_t i = 0; i < t->n_nodes; i++) {
        char *name = group_name(t->name[i]);
        size_t found = group_find(group, n, name);
        if (found) {
            free(name);
        } else {
            group[n++] = name;
            hosts += i < t->n_hosts;
            found = n;
        }
        group_of[i] = found - 1;
        free(t->name[i]);
    }
    free(t->name);
    t->name = group;
    t->n_nodes = n;
    t->n_hosts = hosts;
}

static void port_merge(struct port_row *into, const struct port_row *x, double weight) {
    into->utilisation += (x->utilisation - into->utilisation) / weight;
    into->data_utilisation += (x->data_utilisation - into->data_utilisation) / weight;
    into->queue_mean_bytes += (int64_t)((double)(x->queue_mean_bytes - into->queue_mean_bytes) / weight);
    if (x->queue_max_bytes > into->queue_max_bytes) into->queue_max_bytes = x->queue_max_bytes;
    into->sent_bytes += x->sent_bytes;
    into->dropped += x->dropped;
    into->credit_bytes += x->credit_bytes;
    if (x->paused_ps != STORE_NULL && into->paused_ps != STORE_NULL) into->paused_ps += x->paused_ps;
}

void topology_condense(struct topology *t) {
    size_t *group_of = memory_get(t->n_nodes + 1, sizeof *group_of);
    nodes_group(t, group_of);
    size_t *place = memory_get(t->n_nodes * t->n_nodes + 1, sizeof *place), n = 0;
    double *weight = memory_get(t->n_ports + 1, sizeof *weight);
    for (size_t i = 0; i < t->n_ports; i++) {
        struct port_row x = t->port[i];
        x.node = (int64_t)group_of[x.node];
        x.neighbour = (int64_t)group_of[x.neighbour];
        x.parallel = 0;
        size_t *at = &place[(size_t)x.node * t->n_nodes + (size_t)x.neighbour]; /* + 1; 0: none yet */
        t->index[t->port[i].port] = *at ? *at - 1 : n;
        if (*at) {
            port_merge(&t->port[*at - 1], &x, ++weight[*at - 1]);
        } else {
            weight[n] = 1;
            t->port[n++] = x;
            *at = n;
        }
    }
    t->n_ports = n;
    t->condensed = true;
    free(group_of);
    free(place);
    free(weight);
}
