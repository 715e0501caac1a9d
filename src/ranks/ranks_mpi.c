/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks by Open MPI: a module of its own, which ranks.c loads. No other file calls MPI. */
#include "ranks/ranks_ops.h"

#include <mpi.h>

static bool mpi_open(uint32_t *rank, uint32_t *size, uint32_t *on_machine) {
    int given, r, n, here;
    MPI_Comm machine;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS || given < MPI_THREAD_FUNNELED)
        return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    *rank = (uint32_t)r;
    *size = (uint32_t)n;
    *on_machine = (uint32_t)here;
    return true;
}

static void mpi_close(void) { MPI_Finalize(); }

static void mpi_gather(const void *one, void *all, size_t each) {
    MPI_Gather(one, (int)each, MPI_BYTE, all, (int)each, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void mpi_spread(void *data, size_t size) { MPI_Bcast(data, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD); }

static bool mpi_poll(uint32_t tag, uint32_t *from) {
    int there;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, MPI_COMM_WORLD, &there, &status);
    if (there) *from = (uint32_t)status.MPI_SOURCE;
    return there;
}

static void mpi_send(uint32_t to, uint32_t tag, const void *data, size_t size) {
    MPI_Send(data, (int)size, MPI_BYTE, (int)to, (int)tag, MPI_COMM_WORLD);
}

static void mpi_receive(uint32_t from, uint32_t tag, void *data, size_t size) {
    MPI_Recv(data, (int)size, MPI_BYTE, (int)from, (int)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

extern const struct ranks_ops heddle_ranks_mpi; /* found by this name */
const struct ranks_ops heddle_ranks_mpi = {
    .version = HEDDLE_VERSION,
    .open = mpi_open,
    .close = mpi_close,
    .gather = mpi_gather,
    .spread = mpi_spread,
    .poll = mpi_poll,
    .send = mpi_send,
    .receive = mpi_receive,
};
