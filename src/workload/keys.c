/* SPDX-License-Identifier: Apache-2.0 */
/* The table of workload kinds, and the keys that several kinds have. */
#include "workload/kinds.h"

#include <string.h>

#define WORKLOAD_ROW(id) &workload_##id,
static const struct workload_ops *const table[] = {WORKLOADS(WORKLOAD_ROW)};

const struct workload_ops *const *workloads(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct workload_ops *workload_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

/* ---- sizes, pairs, number of flows ---- */

const struct param workload_sizes = {
    .name = "sizes",
    .type = PARAM_SIZES,
    .text = "none",
    .doc = "flow sizes: a distribution (`heddle list sizes`), a size, or a CDF file; optional for long flows only",
    PARAM_IN(struct workload_spec, sizes),
};
const struct param workload_max_size = {
    .name = "max_size",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = INT64_MAX / 2,
    .doc = "larger draws are cut to it",
    PARAM_IN(struct workload_spec, max_bytes),
};
const struct param workload_pairs = {
    .name = "pairs",
    .type = PARAM_CHOICE,
    .def = PAIRS_ANY,
    .choices = PARAM_CHOICES(PAIRS),
    .doc = "which pairs of hosts communicate",
    .needs = "!src",
    .lacks = "src and dst say who sends to whom",
    PARAM_IN(struct workload_spec, pairs),
};
static const struct param among_items[] = {{.type = PARAM_GROUP, .doc = "a pod or leaf"}};
const struct param workload_among = {
    .name = "among",
    .type = PARAM_LIST,
    .doc = "only hosts of these: pod0, pod1 in three tiers, leaf0, leaf1 in two; all if left out",
    PARAM_LIST_IN(struct workload_spec, among, n_among, among_items),
};
const struct param workload_flows = {
    .name = "flows",
    .type = PARAM_COUNT,
    .text = "none",
    .min = 1,
    .max = UINT32_MAX - 1,
    .doc = "number of flows; none: until stop or the run's end. For kind long: this number of flows, from src and dst "
           "and the "
           "hosts after them",
    PARAM_IN(struct workload_spec, flows),
};

/* ---- clients and servers ---- */

const struct param workload_placement = {
    .name = "placement",
    .type = PARAM_CHOICE,
    .text = "none",
    .without = PLACEMENT_ALL,
    .choices = PARAM_CHOICES(PLACEMENTS),
    .doc = "which hosts are clients and servers; all: each host is both; alternate: by turns in each rack; racks: half "
           "of the racks are clients. none: alternate for web workloads, else all",
    .needs = "!clients !servers",
    .lacks = "clients and servers are given",
    PARAM_IN(struct workload_spec, placement),
};
static const struct param host_items[] = {{.type = PARAM_HOST, .doc = "a host, by name or number"}};
const struct param workload_clients = {
    .name = "clients",
    .type = PARAM_LIST,
    .doc = "hosts that are clients, instead of the hosts that placement gives",
    PARAM_LIST_IN(struct workload_spec, client, n_clients, host_items),
};
const struct param workload_servers = {
    .name = "servers",
    .type = PARAM_LIST,
    .doc = "hosts that answer, instead of the hosts that placement gives",
    PARAM_LIST_IN(struct workload_spec, server, n_servers, host_items),
};

/* ---- times ---- */

const struct param workload_gap = {
    .name = "gap",
    .type = PARAM_TIME,
    .max = WORKLOAD_TIME_MAX,
    .doc = "mean of the exponential gaps between starts (incast: time between rounds)",
    .needs = "!kind=incast rounds>1",
    .lacks = "there is one round (rounds)",
    PARAM_IN(struct workload_spec, gap),
};
const struct param workload_within = {
    .name = "within",
    .type = PARAM_TIME,
    .text = "none",
    .max = WORKLOAD_TIME_MAX,
    .doc = "each flow starts at random in this time, uniformly, an incast's in this time of its round; 0: all at once; "
           "none: 1ms in a shuffle, else 0",
    PARAM_IN(struct workload_spec, within),
};
const struct param workload_start = {
    .name = "start",
    .type = PARAM_TIME,
    .max = WORKLOAD_TIME_MAX,
    .doc = "first start",
    PARAM_IN(struct workload_spec, start),
};
const struct param workload_stop = {
    .name = "stop",
    .type = PARAM_TIME,
    .text = "none",
    .without = TIME_NONE,
    .max = WORKLOAD_TIME_MAX,
    .doc = "end of long flows; no query, background or poisson flow starts from then on; none: the run's end",
    .order = ">start",
    PARAM_IN(struct workload_spec, stop),
};

/* ---- keys of every kind ---- */

static const struct param entry_rate = {
    .name = "rate",
    .type = PARAM_RATE,
    .text = "none",
    .min = 1000,
    .max = 100000000000000LL,
    .doc = "payload rate of a flow's application; none: line rate",
    .when = "transport:rates",
    PARAM_IN(struct workload_spec, rate_bps),
};
static const struct param entry_burst = {
    .name = "burst",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 40,
    .doc = "bytes sent back to back, then a wait; none: evenly paced",
    .when = "transport:bursts",
    PARAM_IN(struct workload_spec, burst_bytes),
};
static const struct param entry_priority = {
    .name = "priority",
    .type = PARAM_COUNT,
    .max = 7,
    .doc = "class of the flow's frames",
    .needs = "switch.classes>1",
    .lacks = "ports have one class (switch.classes)",
    .needs_too = "!priorities",
    .lacks_too = "priorities stand in its place",
    PARAM_IN(struct workload_spec, priority),
};
static const struct param entry_name = {
    .name = "name",
    .type = PARAM_TEXT,
    .text = "none",
    .doc = "name of the entry in results: fct_us.NAME.mice.p99",
    PARAM_IN(struct workload_spec, name),
};
static const struct param entry_nic = {
    .name = "nic",
    .type = PARAM_TEXT,
    .text = "none",
    .when = "fabric.kind:nics",
    .doc = "which NIC of its hosts a flow is pinned to: a number from 0 in the order of `heddle fabric`, the switch to "
           "which the NIC is linked, or channels: those of a job in turn; none: host.bonding chooses",
    PARAM_IN(struct workload_spec, nic),
};
const struct param *const workload_entry_keys[] = {&entry_name,     &entry_rate, &entry_burst,
                                                   &entry_priority, &entry_nic,  NULL};
