/* SPDX-License-Identifier: Apache-2.0 */
/* How this process was started: alone, or as one of several by a launcher (mpirun, srun).
 *
 * Launchers say so in the environment. A process that runs alone must not open MPI: it would cost time, and where no
 * daemon can be started it would fail.
 */
#ifndef HEDDLE_RANKS_LAUNCH_H
#define HEDDLE_RANKS_LAUNCH_H

#include "base/types.h"

struct launch {
    uint32_t rank, size;  /* 0 and 1: alone */
    const char *launcher; /* its name for messages; NULL: alone */
    bool open_mpi;        /* the launcher left what Open MPI needs to find the others */
};

/* Reads the environment. A count of one process is alone, whoever started it. */
struct launch launch_find(void);

#endif
