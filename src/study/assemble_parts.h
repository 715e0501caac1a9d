/* The parts of study/assemble. Each fills its share of an assembly, or *d. */
#ifndef HEDDLE_STUDY_ASSEMBLE_PARTS_H
#define HEDDLE_STUDY_ASSEMBLE_PARTS_H

#include "study/assemble.h"

/* Zeroed memory that lives as long as the assembly; NULL for none. */
void *assembly_own(struct assembly *a, size_t n, size_t size);

bool assemble_fabric(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d);
/* After the fabric. */
bool assemble_nodes(struct assembly *a, const struct config *c, struct diag *d);
/* After the nodes: flows name transports by their place among the hosts'. */
bool assemble_workload(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d);
/* The `measure` block; after the workload. */
bool assemble_measure(struct assembly *a, const struct config *c, struct diag *d);

#endif
