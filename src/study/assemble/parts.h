/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of study/assemble. Each fills its share of an assembly, or *d. */
#ifndef HEDDLE_STUDY_ASSEMBLE_PARTS_H
#define HEDDLE_STUDY_ASSEMBLE_PARTS_H

#include "study/assemble/assemble.h"

/* Zeroed memory that lives as long as the assembly; NULL for none. */
void *assembly_own(struct assembly *a, size_t n, size_t size);

bool assemble_fabric(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d);
/* After the fabric. */
bool assemble_nodes(struct assembly *a, const struct config *c, struct diag *d);
/* After the nodes: flows name transports by their place among the hosts'. */
bool assemble_workload(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d);
/* Fails if the flows that the entries are going to make would not fit into this machine's memory; called before any is
 * made. */
bool assemble_flows_check(const struct assembly *a, const struct config *c, struct diag *d);
/* What this machine can give: what is free, less if a cgroup or `ulimit` says so; UINT64_MAX if nothing says. */
uint64_t machine_memory_bytes(void);
/* "430 MB", "23 GB": rounded up. Returns buf. */
const char *machine_memory_text(uint64_t bytes, char *buf, size_t size);
/* The `measure` block; after the workload. */
bool assemble_measure(struct assembly *a, const struct config *c, struct diag *d);

#endif
