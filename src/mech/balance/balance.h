/* SPDX-License-Identifier: Apache-2.0 */
/* Load balancing: which of the equal-cost next hops a frame takes.
 *
 * The switch looks up the next hops of the frame's rack and asks its balancer. Simple balancers (`sees_all` and
 * `sees_northbound` false) are asked only when there is more than one next hop. Expeditus and CONGA read and write tags
 * even on frames with one next hop, so they are asked for more frames.
 *
 * A balancer reads ports only through `port_view`, its surroundings only through `place` and `path_view`, time only
 * through `now`. It may change the header half of the frame, consume it, and emit one more. It allocates that frame
 * from `env->pool`. It frees no frame: the driver of the switch frees frames that are consumed or dropped. A balancer
 * serves simulated and live switches alike, and its state belongs to one switch.
 *
 * To add one: a .c file that ends in its table, and a row in BALANCERS (balancers.h).
 */
#ifndef HEDDLE_MECH_BALANCE_H
#define HEDDLE_MECH_BALANCE_H

#include "base/diag.h"
#include "base/param.h"
#include "base/random.h"
#include "base/views.h"
#include "wire/packet.h"
#include "wire/packet_pool.h"

/* Egress load of every port of the fabric at the last epoch, for balancers with global knowledge (Clairvoyant, EXP-42).
 * load_ps[global port] is the DRE register in picoseconds of busy link. Written between epochs only. */
struct load_board {
    const int64_t *load_ps;
};

struct balance_env {
    const struct place *place;
    const struct path_view *paths;
    struct port_view *port; /* [place->n_ports] */
    struct packet_pool *pool;
    const struct load_board *board; /* NULL unless the table asks for it */
    const int64_t *params;          /* values in the order of the table's params */
    uint64_t *counters;             /* in the order of the table's counters */
    uint64_t seed;
    uint8_t classes;   /* classes that egress queues tell apart: entries of their drain_bytes; 0 or 1: none */
    uint8_t host_bits; /* host bits of an address: host i of rack r is 10.0.0.0 + (r << host_bits) + i + 1 */
    /* true: 2^16 directly indexed entries (live); false: only ids in use (simulation). Both have the same semantics. */
    bool flat_tables;
};

enum { BALANCE_CONSUME = 0xfffe, BALANCE_NONE = 0xffff };

struct balance_query {
    time_ps now;
    const uint16_t *choice; /* next hops, ports in global index order; all up in the routes in force */
    uint16_t n_choices;     /* at least 1 */
    uint16_t in_port;
    uint32_t dst_leaf, src_leaf; /* racks, from the addresses; a live frame may name a rack that does not exist */
    bool northbound;             /* the next hops are uplinks (EXP-46) */
};

struct balance_out {
    uint32_t emit; /* descriptor index of one more frame to send, or UINT32_MAX */
    uint16_t emit_port;
};

/* Receives the rows of a balancer's tables, to inspect a running switch: each row has its table's name and its
 * cells. */
struct balance_cell {
    const char *column;
    int64_t value;
};
struct balance_rows {
    void *to;
    void (*row)(void *to, const char *table, const struct balance_cell *cell, size_t n);
};

/* How many flows a switch meets in a run, and for how long. memory_foreseen takes it before the run, to say how large tables of
 * flows will become. */
struct balance_crowd {
    uint64_t flows; /* flows whose frames this switch sends to a higher tier; the two directions of a flow are two */
    span_ps lasts;  /* length of the run */
};

/* Returns how many flows a table holds at a time, rounded up, if their arrivals are spread evenly over the run. The table is swept every
 * `timeout`, or every `sweep_least` if that is longer, and a sweep removes the entries that were unused for `timeout`. */
static inline uint64_t balance_crowd_held(const struct balance_crowd *crowd, span_ps timeout, span_ps sweep_least) {
    span_ps stays = timeout + max_i64(timeout, sweep_least);
    if (stays >= crowd->lasts) return crowd->flows;
    return (uint64_t)(((int128)crowd->flows * stays + crowd->lasts - 1) / crowd->lasts);
}

struct balancer_ops {
    const char *name, *paper, *doc;
    const struct param *params;
    size_t n_params;
    const struct counter *counters;
    size_t n_counters;
    bool sees_all;        /* asked for every frame, also with one next hop */
    bool sees_northbound; /* asked with one next hop too for frames that go up, and for frames with SHAPE_SWITCH_TALK */
    bool wants_loads;     /* uplinks keep DRE registers, with the two parameters below */
    size_t dre_period_param, dre_alpha_param; /* indices into params (time; fraction) */
    bool meters_downlinks; /* switches above the leaves keep registers for downlinks too (CONGA, Clairvoyant's board) */
    bool wants_backlogs;   /* ports keep busy_until in their view, even without registers */
    bool needs_board;      /* reads all links of the fabric, so one switch cannot be replayed alone */
    size_t epoch_param;    /* if needs_board: index into params (time): interval at which the board is refreshed */
    bool reorders;         /* may by design reorder the packets of a flow */
    bool can_be_symmetric; /* both directions of a flow take the same links if a parameter has a certain value: */
    size_t symmetric_param;
    int64_t symmetric_value;
    bool can_need_syn; /* gives paths only to flows that begin with a SYN if a parameter has a certain value: */
    size_t syn_param;
    int64_t syn_value;
    bool blind; /* `route` reads neither ports nor the clock, and emits and consumes nothing: a switch may route
                         frames before those ahead of them have left */
    /* The state begins with a struct flow_hash (mech/balance/hash.h), and `route` returns flow_hash_pick of it: a switch
     * may pick so itself, which saves it a call for each frame. */
    bool picks_by_hash;
    bool moves_flows; /* may change a flow's path during its life, so its bound of FCT counts all paths */
    /* Returns false with a configuration error and its remedy in d. NULL = fits every fabric. */
    bool (*fits)(uint8_t tiers, uint16_t max_uplinks, const int64_t *params, struct diag *d);
    size_t (*state_size)(const struct balance_env *env);
    void (*init)(void *state, const struct balance_env *env); /* state is zeroed; env outlives it */
    void (*fini)(void *state);                                /* NULL = nothing to free */
    /* Returns the port to leave by (one of q->choice for an unpinned frame), or BALANCE_CONSUME. */
    uint16_t (*route)(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out);
    void (*on_place_change)(void *state, time_ps now); /* NULL = ignores changes */
    uint64_t (*memory_bytes)(const void *state);       /* bytes beyond state_size; NULL = none */
    /* Returns the most that memory_bytes will be in a simulation, estimated from env->place, paths and params. NULL =
     * none; set if memory_bytes is. */
    uint64_t (*memory_foreseen)(const struct balance_env *env, const struct balance_crowd *crowd);
    void (*tables)(const void *state, time_ps now, const struct balance_rows *rows); /* NULL = it has none */
};

/* Returns the table, in the order of the rows; sets n to its length. */
const struct balancer_ops *const *balancers(size_t *n);
const struct balancer_ops *balancer_find(const char *name); /* '_' and '-' are the same; NULL if unknown */

#endif
