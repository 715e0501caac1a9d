/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/launch.h"

#include <stdlib.h>

/* The first row whose `size` stands in the environment counts. Batch scripts of Slurm have no SLURM_STEP_NUM_TASKS:
 * a process there that srun did not start is alone. */
static const struct {
    const char *size, *rank, *name;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun of Open MPI"},
    {"PMI_SIZE", "PMI_RANK", "a launcher of MPICH or Intel MPI"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "a launcher of MVAPICH"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"},
};

/* Returns the variable as a number; 0 if it is not there, or no number. */
static uint32_t number_of(const char *variable) {
    const char *text = getenv(variable);
    unsigned long n = text ? strtoul(text, NULL, 10) : 0;
    return n <= UINT32_MAX ? (uint32_t)n : 0;
}

struct launch launch_find(void) {
    struct launch l = {.size = 1};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        if (!getenv(launchers[i].size)) continue;
        l.size = number_of(launchers[i].size);
        if (l.size <= 1) break;
        l.rank = number_of(launchers[i].rank);
        l.launcher = launchers[i].name;
        l.open_mpi = getenv("PMIX_RANK") && getenv("PMIX_NAMESPACE");
        return l;
    }
    l.size = 1;
    return l;
}
