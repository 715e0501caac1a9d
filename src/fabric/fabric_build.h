/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of fabric/ only: how a fabric comes about.
 *
 * fabric_create runs these in order: the builder of its kind (clos.c, simple.c, file.c) makes nodes and links; ports.c
 * applies the overrides and makes ports, places and population; failures.c turns failures into a timeline and asks
 * routes.c for the routes of each settled state. All that a fabric owns lies in its store and is given back at once.
 */
#ifndef HEDDLE_FABRIC_BUILD_H
#define HEDDLE_FABRIC_BUILD_H

#include "fabric/fabric.h"

#define FABRIC_MAX_NODES (1u << 24) /* 24 bits of a MAC address */
#define FABRIC_MAX_LINKS (1u << 23)
#define FABRIC_MAX_PORTS 0x7fffu     /* of one switch: ROUTE_SET is the bit above */
#define FABRIC_MAX_ROUTES (1u << 29) /* switches x racks */

/* A link; `lower` is its end in the lower tier, of peers the one with the lower number. */
struct fabric_link {
    uint32_t lower, upper;           /* nodes */
    uint32_t lower_port, upper_port; /* global port numbers */
    uint16_t parallel;               /* 0, 1, .. of the links between the same two nodes */
    bool has_parallels;
    uint8_t tier; /* link_tier of struct place_port */
    int64_t rate_bps;
    span_ps delay;
    uint32_t loss_ppb;
};

struct fabric_store {
    struct fabric_link *link;
    uint32_t n_links, links_held;
    struct place_port *port;                  /* fabric.paths.port, to be written while building */
    uint32_t *port_link;                      /* link of each global port */
    struct place_beyond *beyond;              /* of all switches, places point into it */
    uint32_t *rack_first;                     /* [n_leaves + 1]: hosts of each rack */
    uint32_t *pod_leaf;                       /* [n_pods]: first rack of each pod */
    uint32_t pod_tors, pod_aggs, plane_cores; /* generated fabrics: how many in each */
    char **name;                              /* kind file: [n_nodes] */
    uint32_t *by_name;                        /* kind file: nodes sorted by name */
    bool even;                                /* links between switches of one tier are all alike */
    void **block;                             /* memory */
    size_t n_blocks, blocks_held;
    uint64_t bytes;
};

static inline struct fabric_store *fabric_store(const struct fabric *f) { return f->store; }

/* Zeroed memory that lives as long as the fabric. */
void *fabric_own(struct fabric *f, size_t n, size_t size);

/* fabric.c: for builders. Nodes get their tiers; the builder fills pod and index, and the leaf of hosts. */
void fabric_make_nodes(struct fabric *f, uint32_t hosts, uint32_t leaves, uint32_t aggs, uint32_t cores);
void fabric_make_link(struct fabric *f, uint32_t a, uint32_t b, int64_t rate_bps, span_ps delay);
/* Fails unless these many nodes and links can be, and within spec->memory_bytes. */
bool fabric_fits(const struct fabric_spec *spec, uint64_t hosts, uint64_t leaves, uint64_t aggs, uint64_t cores,
                 uint64_t links, struct diag *d);
bool fabric_need(const struct fabric_spec *spec, const char *key, uint64_t value, uint64_t least, struct diag *d);
/* Fails unless the rates and delays of these link tiers make sense. */
bool fabric_need_speeds(const struct fabric_spec *spec, bool uplinks, bool cores, struct diag *d);

/* The same as fabric_create for kind file, with the text at hand instead of spec->path (which only names it). */
struct fabric *fabric_create_text(const struct fabric_spec *spec, const char *text, size_t size, struct diag *d);

/* file.c: kind file, from its text. */
bool file_build_text(struct fabric *f, const struct fabric_spec *spec, const char *text, size_t size, struct diag *d);

/* ports.c */
bool ports_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d);

/* names.c */
#define FABRIC_LINK_NAME_MAX 192
const char *fabric_link_name(const struct fabric *f, uint32_t link, char *buf, size_t size);
uint32_t fabric_link_find(const struct fabric *f, const char *name); /* UINT32_MAX if unknown */
bool fabric_link_matches(const struct fabric *f, uint32_t link, const char *pattern);
/* What names there are, for errors: "tor0.0 to tor3.1, agg0.0 to ..". */
const char *fabric_names_hint(const struct fabric *f, const char *wanted, char *buf, size_t size);

/* failures.c: random.c draws the links of one entry of fail_random that `taken` (per link) leaves. */
bool failures_draw(const struct fabric *f, const struct fabric_spec *spec, size_t entry, const bool *taken,
                   uint32_t *chosen, struct diag *d);
bool timeline_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d);

/* routes.c: the routes of one settled state after the other. */
struct routes;
struct routes *routes_begin(struct fabric *f);
void routes_set_link(struct routes *r, uint32_t link, bool withdrawn);
/* Fails if two hosts have no way to each other, or a switch none to any host. */
bool routes_check(struct routes *r, const struct fabric_spec *spec, struct diag *d);
/* Appends a state that holds from `from` on, unless nothing changed; *added says which. */
bool routes_settle(struct routes *r, time_ps from, bool *added, const struct fabric_spec *spec, struct diag *d);
/* Whether this switch's row of the last state differs from the one before. */
bool routes_changed(const struct routes *r, uint32_t s);
/* Hands the states to the fabric and frees the scratch. */
void routes_end(struct routes *r);

/* rows.c: rows of switches are mostly alike, so each is stored once. A row that repeats another at a different place,
 * seen from its own rack or pod (`anchor`), shares its memory too: both are windows on one wider array. */
struct row_store;
struct row_store *row_store_create(struct fabric *f);
const uint16_t *row_keep(struct row_store *rows, const uint16_t *row, uint8_t tier, uint32_t anchor);
void row_store_destroy(struct row_store *rows);
#define ROW_UNSET 0xfffeu /* no value of a row: sets number fewer than 0x7ffe */
#define ROW_MAX_SETS 0x7ffdu

#endif
