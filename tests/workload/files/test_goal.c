/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules in GOAL: what they become, and what is refused. How long they take: tests/edges/flows_of_other_simulators.t. */
#include "workload/files/formats.h"
#include "workload/files/goal.h"

#include "workload/carry.h"
#include "workload/specs.h"

#include <stdio.h>

#define STAR8                                                                                                          \
    { .pods = 1, .racks = 1, .hosts = 8, .host_bps = 100 * GBPS }

/* Makes the list of an entry with this text, whose rank r is host r. The caller frees *list. */
static bool made(const char *text, size_t size, time_ps start, struct flow_list *list, struct diag *d) {
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = spec_of(&workload_goal, NULL);
    spec.start = start;
    *list = (struct flow_list){0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = list, .d = d};
    struct operations o;
    operations_init(&o, "s");
    bool ok = goal_is_binary(text, size) ? goal_binary_read(&o, text, size, d) : goal_text_read(&o, text, size, d);
    if (ok) {
        uint32_t *host = calloc(8, sizeof *host);
        for (uint32_t i = 0; i < 8; i++) host[i] = i;
        ok = operations_make(&g, &o, host, "goal");
    }
    if (ok) {
        uint32_t order[64];
        for (uint32_t i = 0; i < 64; i++) order[i] = i;
        loops_finish(&g, order);
    }
    operations_fini(&o);
    loops_fini(&g.loops);
    free(g.next_port);
    population_free(&p);
    return ok;
}

static struct flow_list schedule(const char *text, time_ps start) {
    struct flow_list l;
    struct diag d = {0};
    char line[700];
    if (!made(text, strlen(text), start, &l, &d)) fail_msg("%s", diag_line(&d, line, sizeof line));
    return l;
}

#define RANK1(receives) "}\nrank 1 {\n" receives "}\n"

static void schedule__of_a_computation_and_a_message(void **state) {
    (void)state;
    struct flow_list l = schedule("num_ranks 2\nrank 0 {\na: calc 1000\nb: send 4096b to 1 tag 3\nb requires a\n" RANK1(
                                      "c: recv 0b from 0 tag 3\n"),
                                  0);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.flow[0].bytes, 4096);
    assert_int_equal(l.flow[0].start, TIME_NONE);
    assert_int_equal(l.flow[0].flags, FLOW_ESTABLISHED | FLOW_STAYS_OPEN | FLOW_IN_LINE);
    assert_int_equal(l.gates.n_gates, 2); /* the send has one too, since its cpu may be busy */
    assert_int_equal(l.gates.gate[0].delay, 1000 * PS_PER_NS);
    assert_int_equal(l.gates.gate[0].processor, 1);
    assert_int_equal(l.gates.gate[1].processor, 1);
    assert_int_equal(carried_out(&l), 1);
    assert_true(l.job[0].computes);
    assert_string_equal(l.job[0].op, "goal");
    flow_list_free(&l);
}

/* A message that waits for a computation and for a message has a gate of its own, also where its cpu is free. */
static void schedule__of_a_send_that_waits_for_two(void **state) {
    (void)state;
    struct flow_list l = schedule("num_ranks 2\nrank 0 {\na: calc 0\nr: recv 1b from 1\nb: send 2b to 1\nb requires a\n"
                                  "b requires r\n" RANK1("send 1b to 0\nrecv 2b from 0\n"),
                                  0);
    uint32_t starts = FLOW_NONE;
    for (uint32_t g = 0; g < l.gates.n_gates; g++)
        for (uint32_t i = 0; i < l.gates.gate[g].n; i++)
            if (l.flow[l.gates.gated[l.gates.gate[g].first + i]].bytes == 2) starts = g;
    assert_int_not_equal(starts, FLOW_NONE);
    assert_int_equal(l.gates.gate[starts].needs, 2);
    assert_int_equal(carried_out(&l), 2);
    flow_list_free(&l);
}

/* Without times of a cpu, what waits for nothing starts by the clock, and what waits for one computation starts with it. */
static void schedule__without_gates_that_do_nothing(void **state) {
    (void)state;
    struct flow_list l =
        schedule("num_ranks 2\nrank 0 {\ng: calc 0\na: send 1b to 1\nb: send 2b to 1\nc: send 3b to 1\nb requires g\n"
                 "c requires g\ng requires a\n" RANK1("recv 1b from 0\nrecv 2b from 0\nrecv 3b from 0\n"),
                 5);
    assert_int_equal(l.flow[0].start, 5);
    assert_int_equal(l.gates.n_gates, 3); /* two that wait for the start of the entry, and g */
    assert_int_equal(l.gates.gate[2].n, 2);
    assert_int_equal(l.gates.gate[2].needs, 1);
    assert_int_equal(gates_of_acked(&l.gates, 0).n, 1);
    assert_int_equal(carried_out(&l), 3);
    flow_list_free(&l);
}

/* The k-th send with a tag belongs to the k-th receive with it: the third message is that of `b`. */
static void messages__by_tag_and_order(void **state) {
    (void)state;
    struct flow_list l =
        schedule("num_ranks 2\nrank 0 {\nsend 10b to 1 tag 1\nsend 20b to 1 tag 2\nsend 30b to 1 tag 1\n"
                 "recv 1b from 1\n" RANK1("a: recv 1b from 0 tag 1\nb: recv 1b from 0 tag 1\n"
                                          "c: recv 1b from 0 tag 2\nx: send 5b to 0 cpu 1\nx requires b\n"),
                 0);
    assert_int_equal(l.flow[2].bytes, 30);
    assert_int_equal(gates_of_received(&l.gates, 0).n, 0);
    assert_int_equal(gates_of_received(&l.gates, 1).n, 0);
    assert_int_equal(gates_of_received(&l.gates, 2).n, 1);
    assert_int_equal(carried_out(&l), 4);
    flow_list_free(&l);
}

static void fails(const char *text, const char *expected) {
    struct flow_list l;
    struct diag d = {0};
    char line[700];
    assert_false(made(text, strlen(text), 0, &l, &d));
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
    flow_list_free(&l);
}

#define R0 "num_ranks 2\nrank 0 {\n"

static void errors__name_the_place(void **state) {
    (void)state;
    fails("", "s:1:1: error: there is no schedule; it begins with num_ranks and a number");
    fails("rank 0 {\n", "s:1:1: error: 'rank' is not num_ranks, with which a schedule begins");
    fails("num_ranks 1\n", "s:1:11: error: '1' is not a number of ranks; write a whole number, 2 to 1048576");
    fails("num_ranks 2\nrank 1 {\n", "s:2:6: error: rank 1 follows, but ranks stand in their order, from 0 on");
    fails("num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\nrank 2 {\n",
          "s:6:6: error: rank 2 follows, but num_ranks says that there are no more");
    fails("num_ranks 2\nrank 0\n", "s:2:7: error: the line ends, but the { of a rank is to come");
    fails("num_ranks 2\nx\n", "s:2:1: error: 'x' is not a rank; write for example rank 0 {");
    fails(R0, "s:3:1: error: the file ends in rank 0; close it by }");
    fails(R0 "}\n", "s:4:1: error: the file ends before rank 1; num_ranks is 2");
    fails(R0 "a: put 3b to 1\n",
          "s:3:4: error: 'put' is not an operation; write send, recv or calc, such as b: send 4096b to 1 tag 3");
    fails(R0 "send 3 to 1\n", "s:3:6: error: '3' is not a size; write for example 4096b");
    fails(R0 "send 3b from 1\n", "s:3:9: error: 'from' is not to and a rank");
    fails(R0 "send 3b to 2\n", "s:3:12: error: there is no rank 2; num_ranks is 2, so they are 0 to 1");
    fails(R0 "recv 3b from 4294967295\n",
          "s:3:14: error: there is no rank 4294967295; num_ranks is 2, so they are 0 to 1 (a "
          "receive from any rank cannot be carried out)");
    fails(R0 "send 3b to 0\n", "s:3:12: error: rank 0 is the other end itself; write calc 1 in its place");
    fails(R0 "send 3b to 1 tag x\n", "s:3:18: error: 'x' is not tag; write a whole number, 0 to 4294967294");
    fails(R0 "send 3b to 1 cpu 256\n", "s:3:18: error: '256' is not cpu; write a whole number, 0 to 255");
    fails(R0 "send 3b to 1 nic 1\n", "s:3:18: error: a host has one NIC here; write nic 0, or leave it out");
    fails(R0 "send 3b to 1 cpu 0 tag 1\n",
          "s:3:20: error: 'tag' does not belong here; write tag, cpu and nic in this order, one statement a line");
    fails(R0 "calc x\n", "s:3:6: error: 'x' is not nanoseconds; write a whole number, 0 to 1000000000000");
    fails(R0 "a: calc 1\na: calc 2\n", "s:4:1: error: this label is there already in rank 0, in line 3; take another");
    fails(R0 "1a: calc 1\n", "s:3:1: error: '1a:' is not a label: letters, digits and _, and no word of GOAL");
    fails(R0 "tag: calc 1\n", "s:3:1: error: 'tag:' is not a label: letters, digits and _, and no word of GOAL");
    fails(R0 "a: calc 1\na requires b\n",
          "s:4:12: error: no operation above in rank 0 has the label 'b'; labels stand above what names them");
    fails(R0 "a: calc 1\n}\nrank 1 {\na requires a\n",
          "s:6:1: error: no operation above in rank 1 has the label 'a'; labels stand above what names them");
    fails(R0 "send 3b to 1 tag 7\n" RANK1("recv 3b from 0\n"),
          "s:6:1: error: rank 0 sends nothing to rank 1 with tag 0 that is not received; add a send");
    fails(R0 "send 3b to 1 tag 7\n" RANK1(""),
          "s:3:1: error: rank 1 has no receive for this message from rank 0 with tag 7; add one");
    fails(R0 "calc 5\n" RANK1("calc 5\n"), "s: error: no rank sends anything; a job has messages");
    fails(R0 "a: send 1b to 1\nb: recv 1b from 1\na requires b\n" RANK1(
              "a: send 1b to 0\nb: recv 1b from 0\na requires b\n"),
          "s:3:1: error: this operation waits, through others, for itself; remove one of these dependencies");
    fails(R0 "a: calc 1\na irequires a\nsend 1b to 1\n" RANK1("recv 1b from 0\n"),
          "s:3:1: error: this operation waits, through others, for itself; remove one of these dependencies");
}

static void text__comments(void **state) {
    (void)state;
    struct flow_list l = schedule(
        "// a\n/* b\nc */ num_ranks 2\nrank 0 {\n/* d */ send 1b to 1\n/**/ // e\n" RANK1("/*f*/ recv 1b from 0\n"), 0);
    assert_int_equal(l.n, 1);
    flow_list_free(&l);
    fails("num_ranks 2\n/* rank 0 {\n}\n", "s:4:1: error: the file ends before rank 0; num_ranks is 2");
}

/* ---- binary ---- */

#define LE4(n) (char)((n)&255), (char)((n) >> 8 & 255), 0, 0
#define LE8(n) LE4(n), 0, 0, 0, 0
#define NODE(waits, kind, peer, size, n_after, at)                                                                     \
    LE4(waits), (kind), LE4(peer), LE8(size), LE4(3), 0, 0, LE4(n_after), LE4(at), LE4(0), LE4(0)

/* The schedule at the top of goal.h: rank 0 from byte 8 + 38 on, rank 1 behind it. */
#define RANK0_BYTES (8 + 4 + 2 * 39 + 4)
#define RANK1_BYTES (8 + 4 + 39)
static const char binary[] = {LE8(4223),
                              LE4(2),
                              0,
                              0,
                              LE8(38),
                              LE8(38 + RANK0_BYTES),
                              LE8(38 + RANK0_BYTES),
                              LE8(38 + RANK0_BYTES + RANK1_BYTES),
                              LE4(2),
                              LE4(1),
                              LE4(0),
                              NODE(0, 3, 0, 1000, 1, 0),
                              NODE(1, 1, 1, 4096, 0, 0),
                              LE4(1),
                              LE4(1),
                              LE4(1),
                              LE4(0),
                              NODE(0, 2, 0, 4096, 0, 0)};

static void binary__as_its_text(void **state) {
    (void)state;
    struct flow_list l;
    struct diag d = {0};
    char line[700];
    if (!made(binary, sizeof binary, 0, &l, &d)) fail_msg("%s", diag_line(&d, line, sizeof line));
    assert_int_equal(l.n, 1);
    assert_int_equal(l.flow[0].bytes, 4096);
    assert_int_equal(l.gates.n_gates, 2);
    assert_int_equal(l.gates.gate[0].delay, 1000 * PS_PER_NS);
    assert_int_equal(l.gates.gate[1].needs, 1);
    flow_list_free(&l);
}

/* Fails with byte `at` of the binary schedule changed, and the rest of it cut at `size`. */
static void binary_fails(size_t at, char value, size_t size, const char *expected) {
    struct flow_list l;
    struct diag d = {0};
    char copy[sizeof binary];
    memcpy(copy, binary, sizeof copy);
    copy[at] = value;
    assert_false(made(copy, size, 0, &l, &d));
    assert_string_equal(d.text, expected);
    flow_list_free(&l);
}

static void binary__errors(void **state) {
    (void)state;
    size_t all = sizeof binary, node0 = 8 + 38 + 12, node1 = node0 + 39;
    binary_fails(0, (char)(4223 & 255), 10, "byte 10: the file ends in its head; write the schedule again");
    binary_fails(8, 1, all,
                 "byte 8: it has fewer than 2 ranks, or more than it has bytes for; write the schedule again");
    binary_fails(22, 2, all, "byte 14: the part of a rank lies outside of the file; write the schedule again");
    binary_fails(8 + 38, 9, all, "byte 46: the nodes of a rank lie outside of its part; write the schedule again");
    binary_fails(node0 + 4, 4, all, "byte 62: a node is no send, receive or computation; write the schedule again");
    binary_fails(node1 + 5, 2, all, "rank 0, node 1: there is no rank 2");
    binary_fails(node1 + 5, 0, all, "rank 0, node 1: the other end is the same rank; write calc in its place");
    binary_fails(node1 + 22, 1, all, "rank 0, node 1: it uses NIC 1, but a host has one here; write nic 0");
    binary_fails(node0 + 27, 1, all,
                 "byte 81: a list of dependants lies outside of its rank; write the schedule again");
    binary_fails(node1 + 39, 2, all, "byte 136: a dependant is no node of its rank; write the schedule again");
    binary_fails(node1, 0, all, "byte 97: a node waits for more, or less, than names it; write the schedule again");
}

/* ---- the writer ---- */

static void write__a_schedule_that_reads_the_same(void **state) {
    (void)state;
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = spec_of(&workload_collective, NULL);
    *FIELDS(spec, collective) = (struct collective_fields){.op = OP_ALL_REDUCE,
                                                           .algorithm = ALGORITHM_RING,
                                                           .bytes = 8000,
                                                           .channels = 2,
                                                           .iterations = 2,
                                                           .compute = 1500};
    spec.placement = PLACEMENT_PACKED;
    struct flow_list l = generate(&spec, 1, &p, 1);
    char *text = NULL;
    size_t size;
    struct diag d = {0};
    FILE *out = open_memstream(&text, &size);
    assert_true(workload_format_find("goal")->write(&l, &p, out, &d));
    fclose(out);
    assert_non_null(strstr(text, "// times are rounded to nanoseconds\n"));
    assert_non_null(strstr(text, ": calc 2 cpu 240\n"));
    struct operations o;
    operations_init(&o, "s");
    assert_true(goal_text_read(&o, text, size, &d));
    uint32_t n[3] = {0, 0, 0};
    for (uint32_t i = 0; i < o.n; i++) n[o.at[i].kind]++;
    assert_int_equal(n[OPERATION_CALC], l.gates.n_gates);
    assert_int_equal(n[OPERATION_SEND], l.n);
    assert_int_equal(n[OPERATION_RECV], l.n);
    operations_fini(&o);
    free(text);
    flow_list_free(&l);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(schedule__of_a_computation_and_a_message),
        UNIT(schedule__of_a_send_that_waits_for_two),
        UNIT(schedule__without_gates_that_do_nothing),
        UNIT(messages__by_tag_and_order),
        UNIT(errors__name_the_place),
        UNIT(text__comments),
        UNIT(binary__as_its_text),
        UNIT(binary__errors),
        UNIT(write__a_schedule_that_reads_the_same),
    };
    return RUN_UNITS(tests);
}
