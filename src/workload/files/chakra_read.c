/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/chakra.h"

#include "base/memory.h"
#include "workload/chakra.pb-c.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define INFLATED_MAX ((size_t)1 << 32)
#define TAG_OF_COLLECTIVES 0x80000000u /* tags from here on are those of collectives */

enum node_type {
    TYPE_INVALID,
    TYPE_METADATA,
    TYPE_MEM_LOAD,
    TYPE_MEM_STORE,
    TYPE_COMP,
    TYPE_SEND,
    TYPE_RECV,
    TYPE_COLL
};
enum comm_type { COMM_ALL_REDUCE = 0, COMM_ALL_GATHER = 2, COMM_ALL_TO_ALL = 6, COMM_REDUCE_SCATTER = 7 };

/* Sends, receives and all that takes no time are on a cpu that is always free. */
enum { CPU_FREE, CPU_GPU, CPU_HOST, CPU_MEMORY };

typedef Heddle__Chakra__Node node_message;
typedef Heddle__Chakra__Attribute attribute_message;

/* The operations of a node: it waits with the first, and others wait for the last. */
struct node {
    uint64_t id;
    uint32_t first, last;
};

/* An edge of the trace, whose node may come later. */
struct waiting {
    uint32_t node; /* index in nodes */
    uint64_t on;
};

/* A collective of one rank, to be carried out when all ranks are read. */
struct collective {
    struct operation at; /* for errors */
    uint32_t begin, end; /* operations around it */
    uint64_t type, size;
};

struct reader {
    struct operations *o;
    struct diag *d;
    uint32_t rank;
    struct node *node; /* of this rank */
    struct waiting *waiting;
    uint32_t n_nodes, nodes_room, n_waiting, waiting_room;
    struct collective *collective; /* of all ranks, rank after rank */
    uint32_t n_collectives, collectives_room;
    uint32_t *first_collective; /* [n_ranks + 1] */
};

#define GROW(array, n, room)                                                                                           \
    do {                                                                                                               \
        if ((n) < (room)) break;                                                                                       \
        (room) = (room) ? 2 * (room) : 256;                                                                            \
        (array) = memory_grow((array), (room), sizeof *(array));                                                       \
    } while (0)

/* ---- gzip ---- */

/* Inflates all members of a stream into *out. Returns 0, or an error of zlib. */
static int inflate_all(z_stream *z, char **out, size_t *n) {
    size_t room = 0;
    int code = Z_OK;
    *n = 0;
    while (code == Z_OK || (code == Z_STREAM_END && z->avail_in > 0)) {
        if (code == Z_STREAM_END && inflateReset(z) != Z_OK) return Z_DATA_ERROR;
        if (*n == room) *out = memory_grow(*out, room = room ? 2 * room : 65536, 1);
        if (*n > INFLATED_MAX) return Z_MEM_ERROR;
        z->next_out = (Bytef *)*out + *n;
        z->avail_out = (uInt)(room - *n < UINT32_MAX ? room - *n : UINT32_MAX);
        uInt before = z->avail_out;
        code = inflate(z, Z_NO_FLUSH);
        *n += before - z->avail_out;
        if (code == Z_BUF_ERROR && z->avail_out == 0) code = Z_OK;
    }
    return code == Z_STREAM_END ? Z_OK : code;
}

char *chakra_inflate(const char *bytes, size_t size, const char *path, size_t *n, struct diag *d) {
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)size};
    char *out = NULL;
    if (size < 2 || memcmp(bytes, "\x1f\x8b", 2) != 0) {
        *n = size;
        return memcpy(memory_get(size + 1, 1), bytes, size);
    }
    if (inflateInit2(&z, 15 + 16) != Z_OK) memory_out("cannot inflate %s", path);
    int code = inflate_all(&z, &out, n);
    inflateEnd(&z);
    if (code == Z_OK) return out;
    free(out);
    diag_fail_in(d, path, "the gzip stream is %s; write the trace again",
                 code == Z_MEM_ERROR ? "larger than 4 GiB" : "damaged, or cut short");
    return NULL;
}

/* ---- attributes ---- */

static const attribute_message *attribute_find(const node_message *n, const char *name) {
    for (size_t i = 0; i < n->n_attr; i++)
        if (strcmp(n->attr[i]->name, name) == 0) return n->attr[i];
    return NULL;
}

/* Sets *value to a number of any type. Returns false if it is none, or below 0. */
static bool attribute_number(const attribute_message *a, uint64_t *value) {
    int64_t number = 0;
    switch (a->value_case) {
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_INT32_VALUE: number = a->int32_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_INT64_VALUE: number = a->int64_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_UINT32_VALUE: number = a->uint32_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_SINT32_VALUE: number = a->sint32_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_SINT64_VALUE: number = a->sint64_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_FIXED32_VALUE: number = a->fixed32_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_SFIXED32_VALUE: number = a->sfixed32_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_SFIXED64_VALUE: number = a->sfixed64_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_BOOL_VALUE: number = a->bool_value; break;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_UINT64_VALUE: *value = a->uint64_value; return true;
    case HEDDLE__CHAKRA__ATTRIBUTE__VALUE_FIXED64_VALUE: *value = a->fixed64_value; return true;
    default: return false;
    }
    *value = (uint64_t)number;
    return number >= 0;
}

/* Reads an attribute into *value, which keeps its value if there is none. */
static bool number_read(const struct reader *r, const struct operation *at, const node_message *n, const char *name,
                        uint64_t most, uint64_t *value) {
    const attribute_message *a = attribute_find(n, name);
    if (!a) return true;
    if (attribute_number(a, value) && *value <= most) return true;
    return operation_fail(r->o, at, r->d, "its attribute %s is no whole number from 0 to %" PRIu64, name, most);
}

static uint64_t number_or(const node_message *n, const char *name, uint64_t otherwise) {
    const attribute_message *a = attribute_find(n, name);
    uint64_t value;
    return a && attribute_number(a, &value) ? value : otherwise;
}

/* ---- nodes ---- */

/* Makes a computation of the node. */
static bool work_read(const struct reader *r, const node_message *n, struct operation *op, uint32_t cpu) {
    static const char *const unknown[] = {"num_ops", "tensor_size"};
    for (size_t i = 0; n->duration_micros == 0 && i < 2; i++)
        if (number_or(n, unknown[i], 0) > 0)
            return operation_fail(r->o, op, r->d,
                                  "it has %s, but no duration_micros, so how long it takes is not known; give it one",
                                  unknown[i]);
    if (n->duration_micros > (uint64_t)WORKLOAD_TIME_MAX / PS_PER_US)
        return operation_fail(r->o, op, r->d, "it takes more than 1000 s");
    op->kind = OPERATION_CALC;
    op->cpu = cpu;
    op->size = n->duration_micros ? n->duration_micros * PS_PER_US : PS_PER_NS;
    return true;
}

static bool message_read(const struct reader *r, const node_message *n, struct operation *op, bool is_send) {
    uint64_t own = op->rank, peer = UINT64_MAX, tag = 0, ranks = r->o->n_ranks;
    op->kind = is_send ? OPERATION_SEND : OPERATION_RECV;
    if (!number_read(r, op, n, is_send ? "comm_src" : "comm_dst", UINT32_MAX, &own) ||
        !number_read(r, op, n, is_send ? "comm_dst" : "comm_src", UINT32_MAX, &peer) ||
        !number_read(r, op, n, "comm_tag", TAG_OF_COLLECTIVES - 1, &tag) ||
        !number_read(r, op, n, "comm_size", INT64_MAX, &op->size))
        return false;
    if (own != op->rank)
        return operation_fail(r->o, op, r->d, "it is %s rank %" PRIu64 "; write it in the trace of that one",
                              is_send ? "sent by" : "received by", own);
    if (peer >= ranks)
        return operation_fail(r->o, op, r->d, "%s names no rank from 0 to %" PRIu64, is_send ? "comm_dst" : "comm_src",
                              ranks - 1);
    if (peer == op->rank) return operation_fail(r->o, op, r->d, "the other end is the same rank; remove it");
    op->peer = (uint32_t)peer;
    op->tag = (uint32_t)tag;
    if (op->size == 0) op->size = 1;
    return true;
}

static bool collective_read(struct reader *r, const node_message *n, const struct operation *at, struct node *x) {
    struct collective c = {.at = *at, .type = COMM_ALL_REDUCE};
    const attribute_message *group = attribute_find(n, "pg_name");
    bool is_named =
        group && group->value_case == HEDDLE__CHAKRA__ATTRIBUTE__VALUE_STRING_VALUE && group->string_value[0];
    if (is_named)
        return operation_fail(
            r->o, at, r->d,
            "it is a collective of a group of ranks (pg_name), of which this file does not tell; write it "
            "as sends and receives");
    if (!number_read(r, at, n, "comm_type", UINT32_MAX, &c.type) ||
        !number_read(r, at, n, "comm_size", INT64_MAX, &c.size))
        return false;
    if (c.type != COMM_ALL_REDUCE && c.type != COMM_ALL_GATHER && c.type != COMM_ALL_TO_ALL &&
        c.type != COMM_REDUCE_SCATTER)
        return operation_fail(r->o, at, r->d,
                              "comm_type %" PRIu64
                              " cannot be carried out (all-reduce 0, all-gather 2, all-to-all 6 and "
                              "reduce-scatter 7 can); write it as sends and receives",
                              c.type);
    if (c.size < r->o->n_ranks)
        return operation_fail(r->o, at, r->d,
                              "comm_size is %" PRIu64 "; a collective has a byte for each rank at least", c.size);
    struct operation edge = *at;
    edge.kind = OPERATION_CALC;
    x->first = c.begin = operations_add(r->o, &edge);
    x->last = c.end = operations_add(r->o, &edge);
    GROW(r->collective, r->n_collectives, r->collectives_room);
    r->collective[r->n_collectives++] = c;
    return true;
}

static bool node_read(struct reader *r, const node_message *n) {
    struct operation op = {.rank = r->rank, .number = n->id};
    struct node x = {.id = n->id};
    bool ok;
    switch (n->type) {
    case TYPE_INVALID:
    case TYPE_METADATA:
        op.kind = OPERATION_CALC;
        ok = true;
        break;
    case TYPE_MEM_LOAD:
    case TYPE_MEM_STORE: ok = work_read(r, n, &op, CPU_MEMORY); break;
    case TYPE_COMP: ok = work_read(r, n, &op, number_or(n, "is_cpu_op", 0) ? CPU_HOST : CPU_GPU); break;
    case TYPE_SEND:
    case TYPE_RECV: ok = message_read(r, n, &op, n->type == TYPE_SEND); break;
    case TYPE_COLL: ok = collective_read(r, n, &op, &x); break;
    default: ok = operation_fail(r->o, &op, r->d, "a node of type %d cannot be carried out; remove it", n->type);
    }
    if (!ok) return false;
    if (n->type != TYPE_COLL) x.first = x.last = operations_add(r->o, &op);
    for (size_t i = 0; i < n->n_data_deps; i++) {
        GROW(r->waiting, r->n_waiting, r->waiting_room);
        r->waiting[r->n_waiting++] = (struct waiting){r->n_nodes, n->data_deps[i]};
    }
    GROW(r->node, r->n_nodes, r->nodes_room);
    r->node[r->n_nodes++] = x;
    return true;
}

/* ---- dependencies ---- */

static int by_id(const void *pa, const void *pb) {
    const struct node *a = pa, *b = pb;
    return a->id != b->id ? (a->id < b->id ? -1 : 1) : (a->first > b->first) - (a->first < b->first);
}

static bool edges_make(struct reader *r) {
    struct node *sorted = memory_get((size_t)r->n_nodes + 1, sizeof *sorted);
    bool ok = true;
    if (r->n_nodes) memcpy(sorted, r->node, r->n_nodes * sizeof *sorted);
    if (r->n_nodes > 1) qsort(sorted, r->n_nodes, sizeof *sorted, by_id);
    for (uint32_t i = 1; ok && i < r->n_nodes; i++)
        if (sorted[i].id == sorted[i - 1].id)
            ok = operation_fail(r->o, &r->o->at[sorted[i].first], r->d, "two nodes have this id; give each its own");
    for (uint32_t i = 0; ok && i < r->n_waiting; i++) {
        const struct node *x = &r->node[r->waiting[i].node], key = {.id = r->waiting[i].on};
        uint32_t low = 0, high = r->n_nodes;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (sorted[middle].id < key.id)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < r->n_nodes && sorted[low].id == key.id)
            operations_edge(r->o, sorted[low].last, x->first, false);
        else
            ok = operation_fail(r->o, &r->o->at[x->first], r->d,
                                "it waits for node %" PRIu64 ", which is not in this trace", key.id);
    }
    free(sorted);
    return ok;
}

/* ---- a file ---- */

static bool file_fail(const struct reader *r, const char *why) {
    return diag_fail_in(r->d, r->o->path, "rank %u: %s; write the trace again", r->rank, why);
}

/* Takes a length from the front of the bytes. Returns false if there is none. */
static bool length_take(const uint8_t **at, const uint8_t *end, uint64_t *length) {
    *length = 0;
    for (int shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        *length |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static bool file_read(struct reader *r, const struct chakra_file *file) {
    const uint8_t *at = (const uint8_t *)file->bytes, *end = at + file->size;
    uint64_t length;
    r->n_nodes = r->n_waiting = 0;
    for (bool is_metadata = true; at < end; is_metadata = false, at += length) {
        if (!length_take(&at, end, &length) || length > (uint64_t)(end - at))
            return file_fail(r, "it ends inside of a message");
        if (is_metadata) continue;
        node_message *n = heddle__chakra__node__unpack(NULL, length, at);
        if (!n) return file_fail(r, "a message is no node");
        bool ok = r->o->n < FLOW_NONE / 4 ? node_read(r, n) : file_fail(r, "it has too many nodes");
        heddle__chakra__node__free_unpacked(n, NULL);
        if (!ok) return false;
    }
    return r->n_nodes > 0 ? edges_make(r) : file_fail(r, "there is no node in it");
}

/* ---- collectives ---- */

/* A collective that is carried out: its part for each rank, and the tag of its messages. */
struct carried {
    struct operations *o;
    const struct collective *const *of; /* [n_ranks] */
    uint32_t tag;
};

static uint32_t add(const struct carried *c, enum operation_kind kind, uint32_t rank, uint32_t peer, uint64_t size) {
    struct operation op = {
        .kind = kind, .rank = rank, .peer = peer, .tag = c->tag, .size = size, .number = c->of[rank]->at.number};
    return operations_add(c->o, &op);
}

/* Returns the bytes of share i of n. */
static uint64_t share(uint64_t size, uint32_t n, uint32_t i) {
    return (uint64_t)((uint128)size * (i + 1) / n - (uint128)size * i / n);
}

/* Adds the steps of a ring for one rank: each waits for the message received in the step before. */
static void ring_add(const struct carried *c, uint32_t rank, uint32_t steps, bool is_gather) {
    uint32_t n = c->o->n_ranks, next = (rank + 1) % n, last = (rank + n - 1) % n;
    uint32_t gate = c->of[rank]->begin, recv = FLOW_NONE;
    uint64_t size = c->of[rank]->size;
    for (uint32_t k = 0; k < steps; k++) {
        uint32_t mine = (rank + 2 * n - k % n) % n, theirs = (last + 2 * n - k % n) % n;
        if (recv != FLOW_NONE) {
            uint32_t step = add(c, OPERATION_CALC, rank, 0, 0);
            operations_edge(c->o, gate, step, false);
            operations_edge(c->o, recv, step, false);
            gate = step;
        }
        uint32_t send = add(c, OPERATION_SEND, rank, next, is_gather ? size : share(size, n, mine));
        operations_edge(c->o, gate, send, false);
        recv = add(c, OPERATION_RECV, rank, last, is_gather ? size : share(size, n, theirs));
        operations_edge(c->o, recv, c->of[rank]->end, false);
    }
    operations_edge(c->o, c->of[rank]->begin, c->of[rank]->end, false);
}

static void direct_add(const struct carried *c, uint32_t rank) {
    uint32_t n = c->o->n_ranks;
    for (uint32_t d = 1; d < n; d++) {
        uint32_t to = (rank + d) % n, from = (rank + n - d) % n;
        operations_edge(c->o, c->of[rank]->begin, add(c, OPERATION_SEND, rank, to, share(c->of[rank]->size, n, to)),
                        false);
        operations_edge(c->o, add(c, OPERATION_RECV, rank, from, share(c->of[rank]->size, n, rank)), c->of[rank]->end,
                        false);
    }
    operations_edge(c->o, c->of[rank]->begin, c->of[rank]->end, false);
}

static bool collective_add(const struct reader *r, const struct carried *c) {
    uint32_t n = c->o->n_ranks;
    for (uint32_t rank = 1; rank < n; rank++)
        if (c->of[rank]->type != c->of[0]->type || c->of[rank]->size != c->of[0]->size)
            return operation_fail(
                r->o, &c->of[rank]->at, r->d,
                "this collective has comm_type %" PRIu64 " and comm_size %" PRIu64 ", but that of rank 0 (node %" PRIu64
                ") has %" PRIu64 " and %" PRIu64 "; all ranks have the same ones in the same order",
                c->of[rank]->type, c->of[rank]->size, c->of[0]->at.number, c->of[0]->type, c->of[0]->size);
    for (uint32_t rank = 0; rank < n; rank++) {
        if (c->of[0]->type == COMM_ALL_TO_ALL)
            direct_add(c, rank);
        else
            ring_add(c, rank, c->of[0]->type == COMM_ALL_REDUCE ? 2 * (n - 1) : n - 1,
                     c->of[0]->type == COMM_ALL_GATHER);
    }
    return true;
}

static bool collectives_add(const struct reader *r) {
    uint32_t n = r->o->n_ranks, each = r->first_collective[1];
    for (uint32_t rank = 1; rank < n; rank++) {
        uint32_t has = r->first_collective[rank + 1] - r->first_collective[rank];
        if (has != each)
            return diag_fail_in(r->d, r->o->path,
                                "rank %u has %u collectives, but rank 0 has %u; all ranks have the same ones", rank,
                                has, each);
    }
    uint64_t messages = (uint64_t)each * n * 2 * n;
    if (messages > FLOW_NONE / 8)
        return diag_fail_in(r->d, r->o->path, "%u collectives of %u ranks have too many messages", each, n);
    const struct collective **of = memory_get(n, sizeof *of);
    bool ok = true;
    for (uint32_t k = 0; ok && k < each; k++) {
        for (uint32_t rank = 0; rank < n; rank++) of[rank] = &r->collective[r->first_collective[rank] + k];
        ok = collective_add(r, &(struct carried){r->o, of, TAG_OF_COLLECTIVES + k});
    }
    free(of);
    return ok;
}

bool chakra_read(struct operations *o, const struct chakra_file *file, uint32_t n, struct diag *d) {
    struct reader r = {.o = o, .d = d, .first_collective = memory_get((size_t)n + 1, sizeof *r.first_collective)};
    bool ok = true;
    o->n_ranks = n;
    for (r.rank = 0; ok && r.rank < n; r.rank++) {
        ok = file_read(&r, &file[r.rank]);
        r.first_collective[r.rank + 1] = r.n_collectives;
    }
    ok = ok && collectives_add(&r);
    free(r.node);
    free(r.waiting);
    free(r.collective);
    free(r.first_collective);
    return ok;
}
