/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a world that can run from an effective configuration: the fabric, the flows, and the config of every part. */
#ifndef HEDDLE_STUDY_ASSEMBLE_ASSEMBLE_H
#define HEDDLE_STUDY_ASSEMBLE_ASSEMBLE_H

#include "sim/world.h"
#include "study/config/config.h"

/* The rate of a live link without one, which has no delay either. No software sends so much, so frames leave at once; loads are
 * shares of it. */
#define LIVE_RATE_BPS 100000000000LL

struct assembly {
    struct fabric *fabric;
    struct fabric_spec fabric_spec; /* what it was built from */
    uint32_t n_shares;              /* failures and repairs at a share of the arrivals */
    const struct arrival_times
        *arrivals; /* by which those shares are times; NULL: they stand late in the run, in order */
    struct workload_spec *workload;
    size_t n_workload;
    struct flow_list flows;
    struct world_config world; /* points into the rest; the caller sets `threads`, `progress` and `pcap_dir` */
    bool is_live;              /* for real frames: links may be without a rate */
    void **owned;              /* other memory that assembly_free frees */
    size_t n_owned;
};

/* Builds an assembly from *c. Relative paths start at `base_dir`. NULL after filling *d with the place in the
 * experiment file if something cannot be built, is missing or makes no sense. */
struct assembly *assembly_create(const struct config *c, const char *base_dir, struct diag *d);
/* Builds fabric, switches and hosts alone, for real frames; the file may leave the workload out. */
struct assembly *assembly_create_network(const struct config *c, const char *base_dir, struct diag *d);
/* Builds the fabric alone, for the names of its nodes; no flows. Frees and fails as assembly_create. */
struct assembly *assembly_create_fabric(const struct config *c, const char *base_dir, struct diag *d);
void assembly_free(struct assembly *a);

/* Fails if this machine cannot give the memory of `jobs` runs side by side that take `one` each (world_memory_foreseen). With
 * ranks > 1, so many ranks carry out one run together, and `jobs` of them are on this machine. */
bool assembly_memory_check(const struct config *c, uint64_t one, uint32_t jobs, uint32_t ranks, struct diag *d);

#endif
