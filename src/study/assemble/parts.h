/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of study/assemble. Each fills its part of an assembly; false after filling *d. */
#ifndef HEDDLE_STUDY_ASSEMBLE_PARTS_H
#define HEDDLE_STUDY_ASSEMBLE_PARTS_H

#include "study/assemble/assemble.h"

/* Returns zeroed memory that lives as long as the assembly; NULL if n is 0. */
void *assembly_own(struct assembly *a, size_t n, size_t size);

bool assemble_fabric(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d);
/* Fails if some link is so fast that whole picoseconds cannot tell how long a frame takes (rates.c). */
bool assemble_rates_check(const struct assembly *a, const struct config *c, struct diag *d);
/* Call after assemble_fabric. */
bool assemble_nodes(struct assembly *a, const struct config *c, struct diag *d);
/* Fails if a port would drop before it marks, which leaves its senders without a signal (marking.c). */
bool assemble_marking_check(const struct assembly *a, const struct config *c, struct diag *d);
/* Returns the ingress queue that switch.pause_preset: by-rate gives every port: as the port that needs most has to have
 * it, with the classes of *f. */
int64_t assemble_preset_ingress(const struct assembly *a, const struct flowctl_config *f);
/* Fails if pause thresholds cannot work at some link, by its rate and delay, and names values that do (headroom.c). Call
 * after assemble_nodes, and after the workload if there is one. */
bool assemble_headroom_check(const struct assembly *a, const struct config *c, struct diag *d);
/* Call after assemble_nodes: flows name a transport by its index among the hosts' transports. */
bool assemble_workload(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d);
/* Pins flows to the NICs that workload.#.nic names (pins.c). Fails if a host of such a flow lacks the NIC, or the NICs have no
 * path to each other. Call after the flows have been generated. */
bool assemble_pins(struct assembly *a, const struct config *c, struct diag *d);
/* Fails if the flows of all entries would not fit into this machine's memory. Call before generating any. */
bool assemble_flows_check(const struct assembly *a, const struct config *c, struct diag *d);
/* Returns the bytes that this machine can give: the available memory, or the limit of a cgroup or of `ulimit` if that
 * is less. UINT64_MAX if none of them is known. */
uint64_t machine_memory_bytes(void);
/* Writes "430 MB" or "23 GB", rounded up. Returns buf. */
const char *machine_memory_text(uint64_t bytes, char *buf, size_t size);
/* Fills the `measure` block. Call after assemble_workload. */
bool assemble_measure(struct assembly *a, const struct config *c, struct diag *d);

#endif
