/* SPDX-License-Identifier: Apache-2.0 */
/* Execution traces of Chakra: encodings, nodes, and what is refused. Gzip and times: tests/edges/flows_of_other_simulators.t. */
#include "workload/files/chakra.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- messages as other programs write them ---- */

struct bytes {
    char at[1024];
    size_t n;
};

static void put(struct bytes *b, const void *data, size_t n) {
    assert_true(b->n + n <= sizeof b->at);
    memcpy(b->at + b->n, data, n);
    b->n += n;
}
static void varint(struct bytes *b, uint64_t value) {
    for (; value > 127; value >>= 7) put(b, &(char){(char)((value & 127) | 128)}, 1);
    put(b, &(char){(char)value}, 1);
}
static void number(struct bytes *b, uint32_t field, uint64_t value) {
    varint(b, field << 3);
    varint(b, value);
}
static void part(struct bytes *b, uint32_t field, const void *data, size_t n) {
    varint(b, field << 3 | 2);
    varint(b, n);
    put(b, data, n);
}
/* Adds an attribute whose value is the field `type`. */
static void attribute(struct bytes *b, const char *name, uint32_t type, uint64_t value) {
    struct bytes a = {.n = 0};
    part(&a, 1, name, strlen(name));
    number(&a, type, value);
    part(b, 10, a.at, a.n);
}

enum { INT32 = 7, INT64 = 9, UINT32 = 11, UINT64 = 13, SINT64 = 17, BOOL = 27 };
enum { MEM = 2, COMP = 4, SEND = 5, RECV = 6, COLL = 7 };

static struct bytes node(uint64_t id, uint32_t type, uint64_t duration) {
    struct bytes b = {.n = 0};
    number(&b, 1, id);
    part(&b, 2, "name", 4);
    number(&b, 3, type);
    if (duration) number(&b, 7, duration);
    return b;
}

/* A trace with metadata and no node. */
static struct bytes trace(void) {
    struct bytes b = {.n = 0};
    varint(&b, 2);
    part(&b, 1, "", 0);
    return b;
}
static void node_add(struct bytes *t, const struct bytes *n) {
    varint(t, n->n);
    put(t, n->at, n->n);
}

static bool read2(struct operations *o, const struct bytes *a, const struct bytes *b, struct diag *d) {
    const struct chakra_file file[] = {{(char *)a->at, a->n}, {(char *)b->at, b->n}};
    operations_init(o, "t");
    return chakra_read(o, file, 2, d);
}

/* ---- nodes ---- */

/* Rank 0 computes, then sends; rank 1 receives, then computes on its host. Dependencies refer forward, packed or not. */
static void nodes__computations_and_messages(void **state) {
    (void)state;
    struct bytes a = trace(), b = trace();
    struct bytes send = node(5, SEND, 0), comp = node(9, COMP, 10), recv = node(1, RECV, 0), host = node(2, COMP, 0);
    part(&send, 5, "\x09", 1);
    attribute(&send, "comm_size", INT64, 4096);
    attribute(&send, "comm_dst", UINT32, 1);
    attribute(&send, "comm_tag", SINT64, 6); /* zigzag: 3 */
    part(&comp, 99, "unknown", 7);
    attribute(&comp, "unheard_of", INT32, 7);
    attribute(&recv, "comm_size", UINT64, 4096);
    attribute(&recv, "comm_src", INT32, 0);
    attribute(&recv, "comm_tag", UINT32, 3);
    number(&host, 5, 1);
    attribute(&host, "is_cpu_op", BOOL, 1);
    node_add(&a, &send);
    node_add(&a, &comp);
    node_add(&b, &recv);
    node_add(&b, &host);
    struct operations o;
    struct diag d = {0};
    if (!read2(&o, &a, &b, &d)) fail_msg("%s", d.text);
    assert_int_equal(o.n, 4);
    assert_int_equal(o.at[0].kind, OPERATION_SEND);
    assert_int_equal(o.at[0].size, 4096);
    assert_int_equal(o.at[0].peer, 1);
    assert_int_equal(o.at[0].tag, 3);
    assert_int_equal(o.at[1].kind, OPERATION_CALC);
    assert_int_equal(o.at[1].size, 10 * PS_PER_US);
    assert_int_equal(o.at[3].size, PS_PER_NS); /* no duration */
    assert_int_not_equal(o.at[3].cpu, o.at[1].cpu);
    assert_int_equal(o.n_edges, 2);
    assert_int_equal(o.edge[0].before, 1);
    assert_int_equal(o.edge[0].after, 0);
    operations_fini(&o);
}

static struct bytes collective(uint32_t type, uint64_t size) {
    struct bytes t = trace(), n = node(4, COLL, 0);
    attribute(&n, "comm_type", INT64, type);
    attribute(&n, "comm_size", INT64, size);
    node_add(&t, &n);
    return t;
}

/* Returns the bytes that rank 0 sends for a collective of two ranks, and how many messages. */
static uint64_t sent(uint32_t type, uint64_t size, uint32_t *messages) {
    struct bytes t = collective(type, size);
    struct operations o;
    struct diag d = {0};
    uint64_t sum = 0;
    if (!read2(&o, &t, &t, &d)) fail_msg("%s", d.text);
    *messages = 0;
    for (uint32_t i = 0; i < o.n; i++) {
        if (o.at[i].kind != OPERATION_SEND || o.at[i].rank != 0) continue;
        sum += o.at[i].size;
        ++*messages;
    }
    operations_fini(&o);
    return sum;
}

static void collectives__of_all_ranks(void **state) {
    (void)state;
    uint32_t n;
    assert_int_equal(sent(0, 1001, &n), 1001); /* a share of 500 bytes and one of 501 */
    assert_int_equal(n, 2);
    assert_int_equal(sent(7, 1000, &n), 500);
    assert_int_equal(n, 1);
    assert_int_equal(sent(2, 1000, &n), 1000); /* of an all-gather: the share of a rank */
    assert_int_equal(sent(6, 1000, &n), 500);
}

/* ---- what is refused ---- */

static void fails(const struct bytes *a, const struct bytes *b, const char *expected) {
    struct operations o;
    struct diag d = {0};
    bool ok = read2(&o, a, b, &d);
    operations_fini(&o);
    assert_false(ok);
    assert_string_equal(d.text, expected);
}

/* Reads a trace of this node in both ranks. */
static void node_fails(const struct bytes *n, const char *expected) {
    struct bytes t = trace();
    node_add(&t, n);
    fails(&t, &t, expected);
}

static void errors__name_rank_and_node(void **state) {
    (void)state;
    struct bytes t = trace(), n = node(4, 9, 0), x;
    fails(&t, &t, "rank 0: there is no node in it; write the trace again");
    node_fails(&n, "rank 0, node 4: a node of type 9 cannot be carried out; remove it");
    n = node(4, COMP, 0);
    attribute(&n, "num_ops", INT64, 5);
    node_fails(
        &n, "rank 0, node 4: it has num_ops, but no duration_micros, so how long it takes is not known; give it one");
    n = node(4, MEM, 2000000000);
    node_fails(&n, "rank 0, node 4: it takes more than 1000 s");
    n = node(4, COMP, 1);
    number(&n, 5, 77);
    node_fails(&n, "rank 0, node 4: it waits for node 77, which is not in this trace");
    n = node(4, SEND, 0);
    attribute(&n, "comm_dst", INT32, 2);
    node_fails(&n, "rank 0, node 4: comm_dst names no rank from 0 to 1");
    n = node(4, SEND, 0);
    attribute(&n, "comm_dst", INT32, 0);
    node_fails(&n, "rank 0, node 4: the other end is the same rank; remove it");
    attribute(&n, "comm_src", INT32, 1);
    node_fails(&n, "rank 0, node 4: it is sent by rank 1; write it in the trace of that one");
    n = node(4, RECV, 0);
    attribute(&n, "comm_src", INT64, (uint64_t)-1);
    node_fails(&n, "rank 0, node 4: its attribute comm_src is no whole number from 0 to 4294967295");
    t = collective(5, 1000);
    fails(&t, &t,
          "rank 0, node 4: comm_type 5 cannot be carried out (all-reduce 0, all-gather 2, all-to-all 6 and "
          "reduce-scatter 7 "
          "can); write it as sends and receives");
    t = collective(0, 1);
    fails(&t, &t, "rank 0, node 4: comm_size is 1; a collective has a byte for each rank at least");
    t = collective(0, 1000);
    x = collective(0, 2000);
    fails(&t, &x,
          "rank 1, node 4: this collective has comm_type 0 and comm_size 2000, but that of rank 0 (node 4) has 0 and "
          "1000; all "
          "ranks have the same ones in the same order");
    x = trace();
    n = node(1, COMP, 1);
    node_add(&x, &n);
    fails(&t, &x, "rank 1 has 0 collectives, but rank 0 has 1; all ranks have the same ones");
    node_add(&x, &n);
    fails(&x, &x, "rank 0, node 1: two nodes have this id; give each its own");
    t.n--;
    fails(&t, &t, "rank 0: it ends inside of a message; write the trace again");
    t = trace();
    put(&t, "\x01\x08", 2);
    fails(&t, &t, "rank 0: a message is no node; write the trace again");
}

static void gzip__damaged(void **state) {
    (void)state;
    struct diag d = {0};
    size_t n;
    assert_null(chakra_inflate("\x1f\x8b\x08\x00", 4, "t", &n, &d));
    assert_string_equal(d.text, "the gzip stream is damaged, or cut short; write the trace again");
    char *plain = chakra_inflate("ab", 2, "t", &n, &d);
    assert_int_equal(n, 2);
    assert_memory_equal(plain, "ab", 2);
    free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(nodes__computations_and_messages),
        UNIT(collectives__of_all_ranks),
        UNIT(errors__name_rank_and_node),
        UNIT(gzip__damaged),
    };
    return RUN_UNITS(tests);
}
