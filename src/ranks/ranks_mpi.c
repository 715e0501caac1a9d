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

#define MAX_POSTED 4096 /* messages of one tag under way: one to each rank of a group at most */
#define TAGS 2          /* even and odd windows */

static MPI_Comm group_comm;
static MPI_Request posted[TAGS * MAX_POSTED]; /* flat, or clang's MPI checker crashes */
static int n_posted[TAGS];
static MPI_Message awaited;

static void *mpi_split(uint32_t group) {
    MPI_Comm_split(MPI_COMM_WORLD, (int)group, 0, &group_comm);
    return &group_comm;
}

static void mpi_settle(uint32_t tag) {
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): requests of mpi_post */
    MPI_Waitall(n_posted[tag], posted + (size_t)tag * MAX_POSTED, MPI_STATUSES_IGNORE);
    n_posted[tag] = 0;
}

static void mpi_post(void *members, uint32_t to, uint32_t tag, const void *data, size_t size) {
    if (n_posted[tag] == MAX_POSTED) mpi_settle(tag);
    MPI_Request *request = &posted[tag * MAX_POSTED + (uint32_t)n_posted[tag]++];
    MPI_Isend(data, (int)size, MPI_BYTE, (int)to, (int)tag, *(MPI_Comm *)members, request);
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

static void *words_get(size_t n, size_t size) {
    void *words = calloc(n, size);
    if (words) return words;
    MPI_Abort(MPI_COMM_WORLD, 3);
    abort();
}

static void mpi_reduce(void *members, int64_t *least, uint64_t *sum, size_t n) {
    static MPI_Op op;
    static MPI_Datatype type;
    static uint64_t *mine, *all;
    static size_t words;
    assert(n < INT_MAX / sizeof *sum); /* the size of the type is an int */
    if (!words) MPI_Op_create(least_and_sums, 1, &op);
    if (words != n + 1) {
        if (words) MPI_Type_free(&type);
        words = n + 1;
        MPI_Type_contiguous((int)words, MPI_UINT64_T, &type);
        MPI_Type_commit(&type);
        free(mine);
        mine = words_get(2 * words, sizeof *mine);
        all = mine + words;
    }
    mine[0] = (uint64_t)*least;
    memcpy(mine + 1, sum, n * sizeof *sum);
    MPI_Allreduce(mine, all, 1, type, op, *(MPI_Comm *)members);
    *least = (int64_t)all[0];
    memcpy(sum, all + 1, n * sizeof *sum);
}

/* ---- a reduction that goes on while its ranks compute ---- */

/* MPI_Iallreduce only goes on while a rank is inside of MPI, so ranks would wait for the slowest to come there. A note of each
 * rank to each other has left when it was sent. They grow with the square of the ranks: more ranks than this do not send any. */
#define NOTES_MOST 16
#define NOTE_TAG TAGS

static struct {
    void *members;
    uint64_t *note; /* [size][words], of each rank */
    int rank, size;
    size_t words;
} notes;
static MPI_Request note_request[2 * NOTES_MOST];
static int n_note_requests;

static void notes_room(void *members, size_t words) {
    if (notes.members == members && notes.words == words) return;
    MPI_Comm_rank(*(MPI_Comm *)members, &notes.rank);
    MPI_Comm_size(*(MPI_Comm *)members, &notes.size);
    notes.members = members;
    notes.words = words;
    free(notes.note);
    notes.note = words_get((size_t)notes.size * words, sizeof *notes.note);
}

static uint64_t *note_of(int rank) { return notes.note + (size_t)rank * notes.words; }

static void note_exchange(int other) {
    MPI_Comm comm = *(MPI_Comm *)notes.members;
    int n = (int)notes.words;
    MPI_Irecv(note_of(other), n, MPI_UINT64_T, other, NOTE_TAG, comm, &note_request[n_note_requests++]);
    MPI_Isend(note_of(notes.rank), n, MPI_UINT64_T, other, NOTE_TAG, comm, &note_request[n_note_requests++]);
}

static void mpi_reduce_begin(void *members, int64_t least, const uint64_t *sum, size_t n) {
    notes_room(members, n + 1);
    note_of(notes.rank)[0] = (uint64_t)least;
    memcpy(note_of(notes.rank) + 1, sum, n * sizeof *sum);
    if (notes.size > NOTES_MOST) return;
    for (int i = 0; i < notes.size; i++)
        if (i != notes.rank) note_exchange(i);
}

static void mpi_reduce_end(int64_t *least, uint64_t *sum, size_t n) {
    *least = (int64_t)note_of(notes.rank)[0];
    memcpy(sum, note_of(notes.rank) + 1, n * sizeof *sum);
    if (notes.size > NOTES_MOST) {
        mpi_reduce(notes.members, least, sum, n);
        return;
    }
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): requests of note_exchange */
    MPI_Waitall(n_note_requests, note_request, MPI_STATUSES_IGNORE);
    n_note_requests = 0;
    for (int i = 0; i < notes.size; i++) {
        if (i == notes.rank) continue;
        if ((int64_t)note_of(i)[0] < *least) *least = (int64_t)note_of(i)[0];
        for (size_t k = 0; k < n; k++) sum[k] += note_of(i)[1 + k];
    }
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
    .reduce_begin = mpi_reduce_begin,
    .reduce_end = mpi_reduce_end,
};
