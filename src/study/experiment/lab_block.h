/* SPDX-License-Identifier: Apache-2.0 */
/* The `lab` block of an experiment: which hosts of a lab are containers. */
#ifndef HEDDLE_STUDY_EXPERIMENT_LAB_BLOCK_H
#define HEDDLE_STUDY_EXPERIMENT_LAB_BLOCK_H

#include "fabric/fabric.h"
#include "study/experiment/experiment.h"

struct lab_block {
    const char *tool;   /* "auto", "podman", "docker" */
    const char **image; /* [hosts] NULL: the host is no container */
};

/* Reads the block of an experiment, whose texts it keeps, for the hosts of a fabric. Returns false after filling *d: an item
 * matches no host. The caller frees b->image in any case. */
bool lab_block_read(const struct experiment *e, const struct fabric *f, struct lab_block *b, struct diag *d);

#endif
