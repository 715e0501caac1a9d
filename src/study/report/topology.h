/* SPDX-License-Identifier: Apache-2.0 */
/* The fabric of a run: nodes, ports, what each port carried, and which links failed when.
 *
 *   topology: {"names": "host0.0\nhost0.1\n...", "nodes": N, "hosts": H, "ports": P, "node", "neighbour", "parallel":
 *              packed integers by port, "tiers": ["host", ...], "tier": packed by port; of a condensed one also "of":
 *              how many nodes each stands for, "merged": how many ports}
 *   load:     {"topology": key, "utilisation", "data", "queue_mean", "queue_max", "dropped", "paused": packed by port}
 *   failed:   [[port, "dead" | "slow" | "lossy", from us, until us or null, bps or share or null], ...], both ends; of
 * a condensed one the first of each port and kind, and how many there are as a sixth
 */
#ifndef HEDDLE_STUDY_REPORT_TOPOLOGY_H
#define HEDDLE_STUDY_REPORT_TOPOLOGY_H

#include "study/report/points.h"

struct topology {
    struct port_row *port; /* [n_ports] in the order of the store; link_tier points into tier_word */
    size_t n_ports;
    char **name; /* of nodes, by number */
    size_t n_nodes, n_hosts;
    size_t *index; /* place in `port` of a port's number, [most + 1]; SIZE_MAX: none */
    int64_t most;

    /* As the store has them; while it is not condensed the same as above. */
    char **whole_name;
    size_t n_whole, n_whole_hosts;
    uint32_t *sender;   /* whole node that sends by a port's number, [most + 1] */
    uint32_t *drawn_as; /* whole node to node; NULL: not condensed */
    uint32_t *of;       /* by node: how many it stands for */
    uint32_t *merged;   /* by port likewise */
};

/* False after filling *d. A run without ports (it failed, or is under way) has a topology of none. */
bool topology_read(const struct store_reader *r, const struct run_row *run, struct topology *t, struct diag *d);
void topology_free(struct topology *t);

/* Above this many ports pods are drawn as one: nodes of one name up to its point (tor3.*) become one, and the links
 * between two of them one: mean utilisation and backlog, largest backlog, sums of drops and of paused time. */
#define PORTS_DRAWN_MAX 45000
void topology_condense(struct topology *t);
/* What run_failures_json gave, told of the ports that are drawn; takes the reference. */
json_t *topology_failures(const struct topology *t, json_t *failures);

/* Place of the port of this number, SIZE_MAX if there is none. */
size_t topology_port(const struct topology *t, int64_t number);
/* The node that a whole one is drawn as; -1 if there is none. */
int64_t topology_drawn(const struct topology *t, int64_t whole);

json_t *topology_json(const struct topology *t);
/* What tells fabrics apart: equal keys, equal nodes and links. */
uint64_t topology_key(const struct topology *t);
json_t *topology_load_json(const struct topology *t, const struct run_row *run);

/* What the configuration of the run says: of the flows that count, and of failures (drawn ones too, as the run drew
 * them). What cannot be read again gives all flows, and no failures: null. */
struct selection run_selection(const struct run_row *run);
json_t *run_failures_json(const struct store_reader *r, const struct run_row *run);

#endif
