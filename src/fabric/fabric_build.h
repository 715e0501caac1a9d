/* SPDX-License-Identifier: Apache-2.0 */
/* How a fabric is built. Private to fabric/.
 *
 * fabric_create runs these in order: the builder of its kind (clos.c, simple.c, file.c) makes nodes and links; ports.c
 * applies the overrides and makes ports, places and population; failures.c turns failures into a timeline and asks
 * routes.c for the routes of each settled state. The store owns all memory of the fabric; fabric_destroy frees it.
 */
#ifndef HEDDLE_FABRIC_BUILD_H
#define HEDDLE_FABRIC_BUILD_H

#include "fabric/fabric.h"

#define FABRIC_MAX_NODES (1u << 24) /* 24 bits of a MAC address */
#define FABRIC_MAX_LINKS (1u << 23)
#define FABRIC_MAX_PORTS 0x7fffu     /* ports of one switch; the next bit is ROUTE_SET */
#define FABRIC_MAX_ROUTES (1u << 29) /* switches x racks */

/* A link; `lower` is its end in the lower tier, between peers the one with the lower number. */
struct fabric_link {
    uint32_t lower, upper;           /* nodes */
    uint32_t lower_port, upper_port; /* global port numbers */
    uint16_t parallel;               /* number among the links between the same two nodes: 0, 1, .. */
    uint8_t tier;                    /* link_tier of struct place_port */
    int64_t rate_bps;
    span_ps delay;
    uint32_t loss_ppb;
};

struct fabric_store {
    struct fabric_link *link;
    uint32_t n_links, links_held;
    struct place_port *port;                  /* fabric.paths.port, writable while building */
    uint32_t *port_link;                      /* link of each global port */
    struct place_beyond *beyond;              /* ports of all switches; places point into it */
    uint32_t *rack_first;                     /* [n_leaves + 1]: first host numbered after each leaf */
    uint32_t *leaf_rack;                      /* [n_leaves]: rack of each leaf in struct population */
    uint32_t *pod_leaf;                       /* [n_pods]: first rack of each pod */
    uint32_t pod_tors, pod_aggs, plane_cores; /* generated fabrics: number of switches per pod, per plane */
    char **name;                              /* NAMES_OWN: [n_nodes] */
    uint32_t *by_name;                        /* NAMES_OWN: nodes sorted by name */
    char *roles;                              /* kind file: fabric_roles */
    bool even;                                /* in each tier, links between switches have equal rates and delays */
    void **block;                             /* all memory from fabric_own */
    size_t n_blocks, blocks_held;
    uint64_t bytes;
};

static inline struct fabric_store *fabric_store(const struct fabric *f) { return f->store; }

/* Returns zeroed memory that lives as long as the fabric. */
void *fabric_own(struct fabric *f, size_t n, size_t size);

/* fabric.c: for builders. fabric_make_nodes sets the tiers of nodes and the leaf of leaves; the builder sets pod and
 * index, and the leaf of hosts. */
void fabric_make_nodes(struct fabric *f, uint32_t hosts, uint32_t leaves, uint32_t aggs, uint32_t cores);
void fabric_make_link(struct fabric *f, uint32_t a, uint32_t b, int64_t rate_bps, span_ps delay);
/* The checks return false after filling *d. fabric_fits: there are at least two hosts, and neither a limit on nodes,
 * links and routes nor spec->memory_bytes is exceeded. */
bool fabric_fits(const struct fabric_spec *spec, uint64_t hosts, uint64_t leaves, uint64_t aggs, uint64_t cores,
                 uint64_t links, struct diag *d);
bool fabric_need(const struct fabric_spec *spec, const char *key, uint64_t value, uint64_t least, struct diag *d);
/* The rates of these link tiers are above 0, and their delays are not negative. */
bool fabric_need_speeds(const struct fabric_spec *spec, bool uplinks, bool cores, struct diag *d);

/* Creates a fabric of kind file, as fabric_create does, from the given text; spec->path is its name in errors. */
struct fabric *fabric_create_text(const struct fabric_spec *spec, const char *text, size_t size, struct diag *d);

/* file.c: builds nodes and links of kind file from its text. */
bool file_build_text(struct fabric *f, const struct fabric_spec *spec, const char *text, size_t size, struct diag *d);

/* roles.c: returns the line of fabric_roles, which the fabric owns; NULL if every node has a tier in the file. */
struct file_lists;
char *roles_text(struct fabric *f, const char *path, const struct file_lists *l);

/* ports.c */
bool ports_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d);

/* names.c */
/* Splits "agg0.1#1" into the node and 1, the number of the parallel link; 0 without #. False if there is no such node
 * or the number is malformed. */
bool name_split_parallel(const struct fabric *f, const char *name, size_t length, uint32_t *node, uint32_t *parallel);
/* Returns the port of `node` on its parallel-th link to `neighbour`, or PORT_NONE. */
uint16_t port_towards(const struct fabric *f, uint32_t node, uint32_t neighbour, uint32_t parallel);

/* link_names.c. fabric_link_find returns false after writing the error into `why`: no link has the name, or two have. */
const char *fabric_link_name(const struct fabric *f, uint32_t link, char *buf, size_t size);
bool fabric_link_find(const struct fabric *f, const char *name, uint32_t *link, char *why, size_t size);
bool fabric_link_matches(const struct fabric *f, uint32_t link, const char *pattern);
/* Writes the names of nodes for an error: "tor0.0 to tor3.1, agg0.0 to ..". For kind file, the one nearest `wanted`. */
const char *fabric_names_hint(const struct fabric *f, const char *wanted, char *buf, size_t size);

/* draw.c: draws the links of one entry of fail_random into `chosen`, among those not `taken` (per link). */
bool failures_draw(const struct fabric *f, const struct fabric_spec *spec, size_t entry, const bool *taken,
                   uint32_t *chosen, struct diag *d);
/* failures.c */
bool timeline_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d);

/* routes.c: computes the routes of each settled state in turn. */
struct routes;
struct routes *routes_begin(struct fabric *f, enum fabric_routing routing);
void routes_set_link(struct routes *r, uint32_t link, bool withdrawn);
/* Returns false after filling *d if two racks have no path to each other, or a switch has no path to any host. */
bool routes_check(struct routes *r, const struct fabric_spec *spec, struct diag *d);
/* no_way.c: writes why rack `from` has no up-down path to rack `to`, and what the fabric needs. `towards`: per global
 * port, the place of the switch at the other end, UINT32_MAX for hosts and withdrawn links. */
void no_way_explain(const struct fabric *f, const uint32_t *towards, uint32_t from, uint32_t to, char *why,
                    size_t size);
/* Computes the routes that hold from `from` on. Appends them as a state and sets *added, unless nothing changed. False
 * after filling *d: too many sets of next hops. */
bool routes_settle(struct routes *r, time_ps from, bool *added, const struct fabric_spec *spec, struct diag *d);
/* Returns whether this switch's row of the last state differs from the one before. */
bool routes_changed(const struct routes *r, uint32_t s);
/* Hands the states to the fabric and frees *r. */
void routes_end(struct routes *r);

/* rows.c: stores each distinct row of routes once. Rows that are equal when counted from the switch's own rack or pod
 * (`anchor`) share memory too: both are windows on one wider array. row_keep returns the stored row. */
struct row_store;
struct row_store *row_store_create(struct fabric *f);
const uint16_t *row_keep(struct row_store *rows, const uint16_t *row, uint8_t tier, uint32_t anchor);
void row_store_destroy(struct row_store *rows);
#define ROW_UNSET 0xfffeu /* never an entry of a row, since there are at most ROW_MAX_SETS sets */
#define ROW_MAX_SETS 0x7ffdu

#endif
