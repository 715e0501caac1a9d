/* SPDX-License-Identifier: Apache-2.0 */
/* Connection matrices of htsim: what they say, what is refused, and the writer. */
#include "workload/files/formats.h"
#include "workload/files/matrix.h"

#include "workload/carry.h"
#include "workload/specs.h"

#include <stdio.h>

#define STAR8                                                                                                          \
    { .pods = 1, .racks = 1, .hosts = 8, .host_bps = 100 * GBPS }

static enum send_done_at at = SEND_DONE_SENDER;

/* Makes the list of an entry with this text. The caller frees *list. */
static bool made(const char *text, struct flow_list *list, struct diag *d) {
    struct population p = population_make((struct shape)STAR8);
    struct workload_spec spec = spec_of(&workload_matrix, NULL);
    *list = (struct flow_list){0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = list, .d = d};
    bool ok = matrix_make(&g, text, strlen(text), "m", UNIT_US, at);
    if (ok) {
        uint32_t order[64];
        for (uint32_t i = 0; i < 64; i++) order[i] = i;
        loops_finish(&g, order);
    }
    loops_fini(&g.loops);
    free(g.next_port);
    population_free(&p);
    return ok;
}

static void matrix__flows_triggers_and_connections(void **state) {
    (void)state;
    struct flow_list l;
    struct diag d;
    assert_true(made("# a test\r\nNodes 8\r\nConnections 5\r\nTriggers 2\r\n\r\n"
                     "0->1 id 1 msg 1 start 1.5 size 1000 recv_done_trigger 7 prio 3\r\n"
                     "0->1 id 1 msg start 0 size 99999999999\r\n"
                     "0->1 start 0 size 1 recv_done_trigger 7\r\n"
                     "1->2 id 4 trigger 7 size 5 send_done_trigger 9\r\n"
                     "trigger id 7 barrier count 2\r\n"
                     "1->3 id 5 trigger 9 size 6\r\n"
                     "trigger id 9 oneshot",
                     &l, &d));
    assert_int_equal(l.n, 5);
    const struct flow *f = l.flow;
    assert_int_equal(f[0].start, 1500000);
    assert_int_equal(f[0].priority, 3);
    assert_int_equal(f[1].bytes, 99999999999);
    assert_int_equal(f[3].start, TIME_NONE);
    for (int i = 0; i < 5; i++) assert_int_equal(f[i].flags, FLOW_ESTABLISHED | FLOW_STAYS_OPEN | FLOW_IN_LINE);
    assert_int_equal(f[0].src_port, f[1].src_port); /* messages of one connection */
    assert_int_not_equal(f[0].src_port, f[2].src_port);
    assert_int_equal(l.gates.n_gates, 2);
    assert_int_equal(l.gates.gate[0].host, 1);
    assert_int_equal(l.gates.gate[0].needs, 2);
    assert_int_equal(l.gates.gate[1].needs, 1);
    assert_int_equal(carried_out(&l), 5);
    assert_int_equal(l.n_jobs, 1);
    assert_string_equal(l.job[0].op, "matrix");
    assert_int_equal(l.job[0].n_ranks, 4);
    assert_int_equal(l.job[0].flows_each, 5);
    flow_list_free(&l);
}

static void fails(const char *text, const char *expected) {
    struct flow_list l;
    struct diag d = {0};
    char line[700];
    assert_false(made(text, &l, &d));
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
    flow_list_free(&l);
}

#define HEAD "Nodes 8\nConnections 2\nTriggers 1\n"

static void errors__name_the_place(void **state) {
    (void)state;
    fails("", "m:1:1: error: there is no Nodes in the head; write Nodes and their number");
    fails("Nodes 8 9\n", "m:1:9: error: the head has a name and a number; write for example Nodes 4");
    fails("Nodes 8\nNodes 8\n", "m:2:1: error: Nodes is there already, in line 1; keep one");
    fails("0->1 start 0 size 1\n", "m:1:1: error: there is no Nodes above; write the head first, such as Nodes 4");
    fails("Nodes 8\nConnections 2\n0->1 start 0 size 1\n",
          "m:2:1: error: the head says Connections 2, but there are 1 of them; correct it");
    fails("Nodes 8\nConnections 0\n",
          "m:1:1: error: there are no connections; write for example 0->1 start 0 size 100000");
    fails("Nodes 9\nConnections 1\n0->1 start 0 size 1\n",
          "m:1:1: error: Nodes 9, but the fabric has 8 hosts; build one with more");
    fails(HEAD "0-1\n",
          "m:4:1: error: '0-1' begins no line of a connection matrix; it is a pair such as 0->1, trigger, or one "
          "of the head");
    fails(HEAD "0->x\n", "m:4:1: error: '0->x' is no pair of hosts; write for example 0->1 start 0 size 100000");
    fails(HEAD "0->8\n", "m:4:1: error: 0->8 names a host above those of the head, Nodes 8");
    fails(HEAD "3->3\n", "m:4:1: error: host 3 would send to itself; give another destination");
    fails(HEAD "0->1 size 1\n", "m:4:12: error: a connection has a start or a trigger; write one of them");
    fails(HEAD "0->1 start 1 trigger 1 size 1\n",
          "m:4:30: error: a connection has a start or a trigger; write one of them");
    fails(HEAD "0->1 start 1\n", "m:4:13: error: the size is missing; write for example 0->1 start 0 size 100000");
    fails(HEAD "0->1 start -1 size 1\n", "m:4:12: error: '-1' is no start; write a number from 0 on");
    fails(HEAD "0->1 start 9e18 size 1\n", "m:4:12: error: the start is too late; at most 53 days");
    fails(HEAD "0->1 start\n", "m:4:11: error: the start is missing; write for example 0->1 start 0 size 100000");
    fails(HEAD "0->1 start 1 start 1\n", "m:4:14: error: start is there already; keep one");
    fails(HEAD "0->1 start 1 addon\n",
          "m:4:14: error: 'addon' is no attribute; known are id, msg, start, trigger, size, "
          "send_done_trigger, recv_done_trigger, prio");
    fails(HEAD "0->1 msg start 1 size 1\n",
          "m:4:24: error: a message needs the id of its connection; write id and a number");
    fails(HEAD "0->1 start 1 size 1 prio 8\n", "m:4:26: error: '8' is not a priority; write a whole number, 0 to 7");
    fails(HEAD "trigger id 7\n",
          "m:4:13: error: a trigger has an id and a kind; write for example trigger id 7 oneshot");
    fails(HEAD "trigger id 7 barrier\n", "m:4:21: error: a barrier has a count, and no other trigger has; write for "
                                         "example trigger id 7 barrier count 2");
    fails(HEAD "trigger id 7 oneshot barrier\n", "m:4:22: error: a trigger is of one kind; keep one");
    fails(HEAD "trigger id 7 twice\n",
          "m:4:14: error: 'twice' is nothing of a trigger; known are id, oneshot, multishot, barrier, count");
    fails(HEAD "failure switch_type AGG switch_id 0 link_id 0\n",
          "m:4:1: error: a failure is a key of the fabric; remove the line (and Failures), and write fabric: {failed: "
          "[{link: "
          "agg0.0-core0.1}]}");
    fails("Nodes 8\nConnections 1\nFailures 1\n0->1 start 0 size 1\n",
          "m:3:1: error: failures are keys of the fabric; remove this line and theirs, and write fabric: {failed: "
          "[{link: "
          "agg0.0-core0.1}]}");
    fails("Nodes 8\nConnections 1\nTriggers 2\n0->1 start 0 size 1\ntrigger id 7 oneshot\ntrigger id 7 oneshot\n",
          "m:6:1: error: trigger 7 is there already, in line 5; keep one");
    fails("Nodes 8\nConnections 1\n0->1 trigger 7 size 1\n",
          "m:3:1: error: there is no trigger 7; write trigger id 7 oneshot");
    fails(
        "Nodes 8\nConnections 2\n0->1 id 3 start 0 size 1\n0->1 id 3 start 0 size 1\n",
        "m:4:1: error: id 3 is there already, in line 3; give another, or add msg to both if they are messages of one "
        "connection");
}

#define TWO(first, second, trigger) HEAD first "\n" second "\ntrigger id 7 " trigger "\n"

static void triggers__that_no_host_could_carry_out(void **state) {
    (void)state;
    fails(
        TWO("0->1 start 0 size 1 recv_done_trigger 7", "2->3 trigger 7 size 1", "oneshot"),
        "m:4:1: error: trigger 7: host 2 starts flows on what it has seen itself, but this flow ends at host 1; such a "
        "trigger cannot be carried out");
    fails(TWO("0->1 start 0 size 1 send_done_trigger 7", "1->3 trigger 7 size 1", "oneshot"),
          "m:4:1: error: send_done_trigger: host 1 starts flows on what it has seen itself, not on what host 0 has; "
          "write "
          "recv_done_trigger, or send_done: receiver in the workload");
    fails(TWO("0->1 trigger 7 size 1", "2->3 trigger 7 size 1", "oneshot"),
          "m:5:1: error: trigger 7 starts flows of hosts 0 and 2; a host starts its own alone, so give each a trigger");
    fails(TWO("0->1 start 0 size 1", "1->3 trigger 7 size 1", "oneshot"),
          "m:6:1: error: no flow activates trigger 7, so its flows would never start; add recv_done_trigger");
    fails(TWO("0->1 start 0 size 1 recv_done_trigger 7", "1->3 trigger 7 size 1", "barrier count 2"),
          "m:6:1: error: the ends of 1 flows activate trigger 7; write barrier count 1");
    fails("Nodes 8\nConnections 3\nTriggers 1\n0->1 start 0 size 1 recv_done_trigger 7\n2->1 start 0 size 1 "
          "recv_done_trigger 7\n"
          "1->3 trigger 7 size 1\ntrigger id 7 oneshot\n",
          "m:7:1: error: the ends of 2 flows activate trigger 7, which is oneshot; write barrier count 2");
    fails("Nodes 8\nConnections 3\nTriggers 1\n0->1 start 0 size 1 recv_done_trigger 7\n2->1 start 0 size 1 "
          "recv_done_trigger 7\n"
          "1->3 trigger 7 size 1\ntrigger id 7 multishot\n",
          "m:7:1: error: trigger 7 starts one flow after the other in the order of 2 ends, which is not known before "
          "the run; "
          "give each flow a trigger of its own (kind collective has a window)");
    fails("Nodes 8\nConnections 3\nTriggers 2\n2->3 start 0 size 1\n0->1 trigger 7 size 1 recv_done_trigger 8\n"
          "1->0 trigger 8 size 1 recv_done_trigger 7\ntrigger id 7 oneshot\ntrigger id 8 oneshot\n",
          "m:5:1: error: this flow waits, through triggers, for its own end; give one of the circle a start");
}

/* What a sender knows counts where its receiver may act on it. */
static void triggers__send_done_at_the_receiver(void **state) {
    (void)state;
    struct flow_list l;
    struct diag d;
    at = SEND_DONE_RECEIVER;
    bool ok = made(TWO("0->1 start 0 size 1 send_done_trigger 7", "1->3 trigger 7 size 1", "oneshot"), &l, &d);
    at = SEND_DONE_SENDER;
    assert_true(ok);
    assert_int_equal(gates_of_received(&l.gates, 0).n, 1);
    assert_int_equal(gates_of_acked(&l.gates, 0).n, 0);
    flow_list_free(&l);
}

/* ---- the writer ---- */

static char *written(const struct flow_list *list, struct diag *d) {
    struct population p = population_make((struct shape)STAR8);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool ok = workload_format_find("cm")->write(list, &p, out, d);
    fclose(out);
    population_free(&p);
    if (ok) return text;
    free(text);
    return NULL;
}

static void write__comes_back(void **state) {
    (void)state;
    static const char text[] = "# starts are in picoseconds\nNodes 8\nConnections 4\nTriggers 2\n"
                               "0->1 id 1 msg start 0 size 1000 recv_done_trigger 1\n"
                               "0->1 id 1 msg start 0 size 2000 recv_done_trigger 1\n"
                               "1->2 id 2 trigger 1 size 5 send_done_trigger 2 prio 3\n"
                               "1->3 id 3 trigger 2 size 6\n"
                               "trigger id 1 barrier count 2\n"
                               "trigger id 2 oneshot\n";
    /* both messages start at once, so that the second says that the first is there */
    static const char expected[] = "# starts are in picoseconds\nNodes 8\nConnections 4\nTriggers 2\n"
                                   "0->1 id 1 msg start 0 size 1000\n"
                                   "0->1 id 1 msg start 0 size 2000 recv_done_trigger 1\n"
                                   "1->2 id 2 trigger 1 size 5 send_done_trigger 2 prio 3\n"
                                   "1->3 id 3 trigger 2 size 6\n"
                                   "trigger id 1 oneshot\n"
                                   "trigger id 2 oneshot\n";
    struct flow_list l, again;
    struct diag d;
    assert_true(made(text, &l, &d));
    char *out = written(&l, &d);
    assert_string_equal(out, expected);
    assert_true(made(out, &again, &d));
    char *twice = written(&again, &d);
    assert_string_equal(out, twice);
    free(out);
    free(twice);
    flow_list_free(&l);
    flow_list_free(&again);
}

/* Generates an entry, and returns what the writer says of it. */
static const char *refusal(struct workload_spec spec) {
    static struct diag d;
    struct population p = population_make((struct shape)STAR8);
    spec.placement = PLACEMENT_PACKED;
    struct flow_list l = generate(&spec, 1, &p, 1);
    assert_null(written(&l, &d));
    flow_list_free(&l);
    population_free(&p);
    return d.text;
}

static void write__refuses_what_it_cannot_say(void **state) {
    (void)state;
    struct workload_spec spec = spec_of(&workload_collective, NULL);
    *FIELDS(spec, collective) = (struct collective_fields){
        .op = OP_ALL_REDUCE, .algorithm = ALGORITHM_HALVING_DOUBLING, .bytes = 8000, .channels = 1, .iterations = 1};
    assert_string_equal(refusal(spec),
                        "cm: the flow from host 4 to host 0 is awaited by two operations, but can activate "
                        "one trigger; write --to goal");
    FIELDS(spec, collective)->algorithm = ALGORITHM_RING;
    FIELDS(spec, collective)->iterations = 2;
    FIELDS(spec, collective)->compute = 5;
    assert_string_equal(refusal(spec), "cm: host 0 computes, which this format cannot say; write --to goal");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(matrix__flows_triggers_and_connections),
        UNIT(errors__name_the_place),
        UNIT(triggers__that_no_host_could_carry_out),
        UNIT(triggers__send_done_at_the_receiver),
        UNIT(write__comes_back),
        UNIT(write__refuses_what_it_cannot_say),
    };
    return RUN_UNITS(tests);
}
