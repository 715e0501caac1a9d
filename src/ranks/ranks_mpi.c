/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks by Open MPI: a module of its own, which ranks.c loads. No other file calls MPI. */
#include "ranks/ranks_ops.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- groups ---- */

#define MAX_POSTED 4096 /* messages under way: one to each rank of a group at most */

static MPI_Comm group_comm;
static MPI_Request posted[MAX_POSTED];
static int n_posted;
static MPI_Message awaited;

static void *mpi_split(uint32_t group) {
    MPI_Comm_split(MPI_COMM_WORLD, (int)group, 0, &group_comm);
    return &group_comm;
}

static void mpi_settle(void) {
    MPI_Waitall(n_posted, posted, MPI_STATUSES_IGNORE); /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): of mpi_post */
    n_posted = 0;
}

static void mpi_post(void *members, uint32_t to, uint32_t tag, const void *data, size_t size) {
    if (n_posted == MAX_POSTED) mpi_settle();
    MPI_Isend(data, (int)size, MPI_BYTE, (int)to, (int)tag, *(MPI_Comm *)members, &posted[n_posted++]);
}

static size_t mpi_await(void *members, uint32_t tag) {
    int size;
    MPI_Status status;
    MPI_Mprobe(MPI_ANY_SOURCE, (int)tag, *(MPI_Comm *)members, &awaited, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    return (size_t)size;
}

static void mpi_take(void *data, size_t size) { MPI_Mrecv(data, (int)size, MPI_BYTE, &awaited, MPI_STATUS_IGNORE); }

/* One element is the least, then the sums; its size says how many they are. */
static void least_and_sums(void *in, void *inout, int *n, MPI_Datatype *type) {
    int bytes;
    MPI_Type_size(*type, &bytes);
    size_t words = (size_t)bytes / sizeof(uint64_t);
    const uint64_t *from = in;
    uint64_t *to = inout;
    for (int i = 0; i < *n; i++, from += words, to += words) {
        if ((int64_t)from[0] < (int64_t)to[0]) to[0] = from[0];
        for (size_t k = 1; k < words; k++) to[k] += from[k];
    }
}

static void mpi_reduce(void *members, int64_t *least, uint64_t *sum, size_t n) {
    static MPI_Op op;
    static MPI_Datatype type;
    static uint64_t *mine, *all;
    static size_t words;
    assert(n < INT_MAX / sizeof *sum); /* the size of the type is an int */
    if (!words) MPI_Op_create(least_and_sums, 1, &op);
    if (words != n + 1 || !mine || !all) {
        if (words) MPI_Type_free(&type);
        words = n + 1;
        MPI_Type_contiguous((int)words, MPI_UINT64_T, &type);
        MPI_Type_commit(&type);
        mine = realloc(mine, words * sizeof *mine);
        all = realloc(all, words * sizeof *all);
        if (!mine || !all) {
            MPI_Abort(MPI_COMM_WORLD, 3);
            abort();
        }
    }
    mine[0] = (uint64_t)*least;
    memcpy(mine + 1, sum, n * sizeof *sum);
    MPI_Allreduce(mine, all, 1, type, op, *(MPI_Comm *)members);
    *least = (int64_t)all[0];
    memcpy(sum, all + 1, n * sizeof *sum);
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
    .split = mpi_split,
    .post = mpi_post,
    .settle = mpi_settle,
    .await = mpi_await,
    .take = mpi_take,
    .reduce = mpi_reduce,
};
