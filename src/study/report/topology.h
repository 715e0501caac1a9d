/* SPDX-License-Identifier: Apache-2.0 */
/* The fabric of a run: nodes, ports, the load of each port, and failed links with their times.
 *
 *  topology: {"names": "host0.0\nhost0.1\n...", "nodes": N, "hosts": H, "ports": P, "node", "neighbour", "parallel":
 *             packed integers by port, "tiers": ["host", ...], "tier": packed by port; if condensed also "of": number
 *             of nodes that each node stands for, "merged": number of ports}
 *  load:     {"topology": key, "utilisation", "data", "queue_mean", "queue_max", "dropped", "paused": packed by port}
 *  failed:   [[port, "dead" | "slow" | "lossy", from us, until us or null, bps or share or null], ...], both ends; if
 *             condensed the first of each port and kind, with their number as a sixth value
 */
#ifndef HEDDLE_STUDY_REPORT_TOPOLOGY_H
#define HEDDLE_STUDY_REPORT_TOPOLOGY_H

#include "study/series/points.h"

struct topology {
    struct port_row *port; /* [n_ports] in the order of the store; link_tier points into tier_word */
    size_t n_ports;
    char **name; /* [n_nodes] names by number */
    size_t n_nodes, n_hosts;
    size_t *index; /* [most + 1] index into `port` by port number; SIZE_MAX: none */
    int64_t most;

    /* Names as the store has them; equal to `name` unless the fabric is condensed. */
    char **whole_name;
    size_t n_whole, n_whole_hosts;
    uint32_t *sender;   /* [most + 1] whole (undrawn) node that sends, by port number */
    uint32_t *leaf;     /* [n_whole_hosts] whole node that each host hangs on */
    uint32_t *drawn_as; /* drawn node of each whole node; NULL: not condensed */
    uint32_t *of;       /* by node: number of nodes it stands for */
    uint32_t *merged;   /* by port: number of ports it stands for */
};

/* Reads the fabric of a run. A run without ports (failed, or still running) has an empty topology. Returns false after
 * filling *d. */
bool topology_read(const struct store_reader *r, const struct run_row *run, struct topology *t, struct diag *d);
void topology_free(struct topology *t);

/* Most ports that are drawn one by one. A larger fabric is condensed: nodes whose names are equal up to the point
 * (tor3.*) become one, and so do the links between two of them. A merged link has mean utilisation and backlog, the
 * largest backlog, and sums of drops and paused time. */
#define PORTS_DRAWN_MAX 45000
void topology_condense(struct topology *t);
/* Translates the failures of run_failures_json to drawn ports. Takes the reference. */
json_t *topology_failures(const struct topology *t, json_t *failures);

/* Returns the index of the port with this number; SIZE_MAX if there is none. */
size_t topology_port(const struct topology *t, int64_t number);
/* Returns the drawn node of a whole node; -1 if there is none. */
int64_t topology_drawn(const struct topology *t, int64_t whole);

json_t *topology_json(const struct topology *t);
/* Returns a key of the fabric: equal keys mean equal nodes and links. */
uint64_t topology_key(const struct topology *t);
json_t *topology_load_json(const struct topology *t, const struct run_row *run);

/* Reads the failures, drawn ones included, from the configuration of the run. The flows of the run are made again if a time
 * is a share of the arrivals. Null if that is not possible, or if they start at other times than those of the run: a file that
 * it was made of is gone or has changed. */
json_t *run_failures_json(const struct store_reader *r, const struct run_row *run);

#endif
