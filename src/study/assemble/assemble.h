/* SPDX-License-Identifier: Apache-2.0 */
/* From an effective configuration to a world that can run: the fabric, the flows, and the settings of every part. */
#ifndef HEDDLE_STUDY_ASSEMBLE_ASSEMBLE_H
#define HEDDLE_STUDY_ASSEMBLE_ASSEMBLE_H

#include "sim/world.h"
#include "study/config/config.h"

struct assembly {
    struct fabric *fabric;
    struct workload_spec *workload;
    size_t n_workload;
    struct flow_list flows;
    struct world_config world; /* points into all this; `threads`, `progress` and `pcap_dir` are the caller's to set */
    void **owned;              /* whatever else must be freed */
    size_t n_owned;
};

/* NULL after filling *d with the place in the experiment file: what cannot be built, is missing or makes no sense.
 * `base_dir` is where relative paths start. */
struct assembly *assembly_create(const struct config *c, const char *base_dir, struct diag *d);
void assembly_free(struct assembly *a);

/* Fails if `jobs` such runs side by side would need more memory than this machine has to give. */
bool assembly_memory_check(const struct assembly *a, const struct config *c, uint32_t jobs, struct diag *d);

#endif
