/* SPDX-License-Identifier: Apache-2.0 */
/* The paths over which a receiver sprays its credits (SprayPass 3.1, 3.3; SP-2, SP-3, SP-18 to SP-21).
 *
 * A flow's path-ids are 0 .. n x m - 1: n choices of uplink at a leaf, m at an agg (three tiers; 1 in two). The header
 * carries the choices: low byte id mod n, high byte id / n mod m (SP-3). Data copies them from its credit, so both name
 * the same switches. At most `paths` ids (SPRAY_MAX_PATHS) are used; in a fabric with more, the first ones.
 *
 *   random    each credit takes any valid id (SP-2)
 *   uniform   ids are drawn from a table without replacement, refilled when empty (SP-20): between two refills each
 *             valid id occurs exactly once
 *   weighted  at random, with probability in proportion to 1 - (share of marked data of the path), at least 1/16. A
 *             share is the mean of the last board's and the share before it (CMB-3, in none of the papers)
 *
 * Speed board (SP-18, SP-19): counts the bits that arrived per path. After each N_b bits, a path with fewer than theta
 * times those of the fastest path is excluded. N_b is meant for four paths; with more it grows in proportion, since a
 * path might have no frame just by chance. With `readmit`, excluded paths are tried again that long after the last
 * exclusion, and not judged for two RTTs (SP-21). The fastest path is never excluded, so one always stays.
 *
 * Each update also notes how evenly the paths that were valid until then brought data (SP-F6, SP-F7): v_min / v_max,
 * and v_max - v_min, as the index of the highest bound in credit_spray_even and credit_spray_apart that they reach.
 * `uneven` has the ratio itself, so that the worst of a run is known.
 *
 * State lies in one cell of credit_spray_bytes(paths). Cost: a random number a credit, four additions a data frame.
 */
#ifndef HEDDLE_MECH_CREDIT_SPRAY_H
#define HEDDLE_MECH_CREDIT_SPRAY_H

#include "base/param.h"
#include "base/random.h"
#include "wire/packet.h"

#define SPRAY_MAX_PATHS 256

#define SPRAY_BOUNDS 6
extern const uint8_t credit_spray_even[SPRAY_BOUNDS];  /* percent: v_min / v_max; index 0: a path brought nothing */
extern const uint8_t credit_spray_apart[SPRAY_BOUNDS]; /* Gbps: v_max - v_min */

#define SPRAY_KINDS(X) X(SPRAY_RANDOM, "random") X(SPRAY_UNIFORM, "uniform") X(SPRAY_WEIGHTED, "weighted")
enum spray_kind { SPRAY_KINDS(PARAM_ENUM) }; /* the choices of parameter `spray` */

struct spray_config {
    enum spray_kind kind;
    bool probing;
    int64_t theta_ppb;
    uint64_t board_bits; /* N_b */
    span_ps readmit;     /* 0: never */
    uint16_t paths;      /* most ids */
};

struct spray_path {
    uint32_t bytes, data, marked; /* since the last update of the board */
    uint16_t marked_q15;          /* share of marked data */
    uint8_t drawn;                /* one place of the table of undrawn ids */
    bool excluded;
};

struct credit_spray {
    struct random_stream random;
    uint16_t n_leaf, n_agg, n_ids;
    uint16_t n_valid;
    uint16_t left; /* ids in the table that this round has not drawn */
    uint8_t kind;
    bool probing, on_trial; /* on_trial: readmitted paths are not judged before trial_until */
    int64_t theta_ppb;
    uint64_t bits, board_bits;
    span_ps readmit;
    time_ps readmit_at, trial_until;
    uint64_t boards, exclusions, readmissions;
    time_ps board_from;  /* time of the last update; before the first, that of the first frame */
    uint8_t even, apart; /* results of the last update: indices of bounds */
    uint16_t uneven;     /* 1 - v_min / v_max in thousandths, rounded up */
    struct spray_path path[];
};

static inline size_t credit_spray_bytes(uint16_t paths) {
    return sizeof(struct credit_spray) + paths * sizeof(struct spray_path);
}

void credit_spray_init(struct credit_spray *s, const struct spray_config *config, const uint16_t paths[2],
                       uint64_t seed, uint32_t flow);
/* Returns the path of the next credit, as packet.path; PATH_NONE if there is no choice. */
uint16_t credit_spray_next(struct credit_spray *s);
/* Counts a data frame that arrived over `path`, and updates the board after N_b bits. */
void credit_spray_data(struct credit_spray *s, time_ps now, span_ps rtt, uint16_t path, uint32_t wire_bytes,
                       bool marked);

static inline uint16_t credit_spray_path(const struct credit_spray *s, uint32_t id) {
    return (uint16_t)(id % s->n_leaf | id / s->n_leaf % s->n_agg << 8);
}

#endif
