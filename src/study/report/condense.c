/* SPDX-License-Identifier: Apache-2.0 */
/* Condenses a fabric that is too large to draw link by link: nodes of a pod become one. */
#include "study/report/topology.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Returns the group of a node: "tor3.*" for "tor3.11". A name without a point is its own group. */
static char *group_name(const char *name) {
    const char *point = strchr(name, '.');
    char *group;
    if (!point) return text_copy(name);
    group = text_format("%.*s.*", (int)(point - name), name);
    return group;
}

/* Finds a group; groups are in the order of their first node. Nodes of a group are nearly always adjacent, so the
 * search from the end is short. */
static size_t group_find(char *const *group, size_t n, const char *name) {
    size_t at = n;
    while (at > 0 && strcmp(group[at - 1], name) != 0) at--;
    return at;
}

static void nodes_group(struct topology *t) {
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
        t->drawn_as[i] = (uint32_t)found - 1;
        t->of[found - 1]++;
    }
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
    t->drawn_as = memory_get(t->n_nodes + 1, sizeof *t->drawn_as);
    t->of = memory_get(t->n_nodes + 1, sizeof *t->of);
    t->merged = memory_get(t->n_ports + 1, sizeof *t->merged);
    nodes_group(t);
    size_t *place = memory_get(t->n_nodes * t->n_nodes + 1, sizeof *place), n = 0;
    for (size_t i = 0; i < t->n_ports; i++) {
        struct port_row x = t->port[i];
        x.node = t->drawn_as[x.node];
        x.neighbour = t->drawn_as[x.neighbour];
        x.parallel = 0;
        size_t *at = &place[(size_t)x.node * t->n_nodes + (size_t)x.neighbour]; /* index + 1; 0: none yet */
        t->index[t->port[i].port] = *at ? *at - 1 : n;
        if (*at) {
            port_merge(&t->port[*at - 1], &x, ++t->merged[*at - 1]);
        } else {
            t->merged[n] = 1;
            t->port[n++] = x;
            *at = n;
        }
    }
    t->n_ports = n;
    free(place);
}

static json_t *failure_find(const json_t *list, size_t port, const json_t *kind) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *row = json_array_get(list, i);
        bool same = (size_t)json_integer_value(json_array_get(row, 0)) == port;
        if (same && json_equal(json_array_get(row, 1), kind)) return row;
    }
    return NULL;
}

json_t *topology_failures(const struct topology *t, json_t *failures) {
    if (!t->drawn_as || !json_is_array(failures)) return failures;
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(failures); i++) {
        json_t *row = json_array_get(failures, i);
        size_t port = topology_port(t, json_integer_value(json_array_get(row, 0)));
        json_t *first = port == SIZE_MAX ? NULL : failure_find(list, port, json_array_get(row, 1));
        if (first) {
            json_t *n = json_array_get(first, 5);
            json_integer_set(n, json_integer_value(n) + 1);
        } else if (port != SIZE_MAX) {
            json_array_set_new(row, 0, json_integer((json_int_t)port));
            json_array_append_new(row, json_integer(1));
            json_array_append(list, row);
        }
    }
    json_decref(failures);
    return list;
}
