/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of the blocks `measure` and `run`: a row each, with the field that takes its value (PARAM_IN).
 *
 * Lists stand here as a file gives them; study/assemble/measure.c finds the links, nodes and flows that they name.
 */
#ifndef HEDDLE_STUDY_CONFIG_MEASURE_KEYS_H
#define HEDDLE_STUDY_CONFIG_MEASURE_KEYS_H

#include "sim/world.h"

/* An item of measure.phases, as the file gives it (study/assemble/moments.h). */
struct phase_keys {
    const char *name, *from, *to;
};

struct measure_keys {
    struct measure_config plain; /* the values that the world takes as they are */
    const int64_t *starts;       /* shares of the arrivals */
    const struct phase_keys *phases;
    const span_ps *jain;
    const char *const *watch; /* patterns of links */
    const char *const *pcap;  /* names of nodes */
    uint32_t n_starts, n_phases, n_jain, n_watch, n_pcap;
};

struct run_keys {
    uint64_t seed;
    time_ps until; /* TIME_NONE: until all flows have finished */
};

/* Rows in the order of the file's keys; both end at a row without a name. `measure.convergence` is a block of its own. */
extern const struct param measure_keys[], convergence_keys[], capture_keys[], run_keys[];

#endif
