/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every row of the table of kinds of workload, as an experiment file names it: its flows are sorted and
 * the same for the same seed, its gates can open, its flows are foreseen, and its run has one digest for any number of
 * threads. An entry gives each key that its kind requires, its sizes, and an item for each list of required items. */
#include "assembly_test.h"
#include "unit_file.h"
#include "workload/flow_checks.h"

#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>

#define FABRIC "fabric: {kind: fat-tree, k: 4}\n"
#define SUFFIX ".0.csv" /* of files; a family of them has numbers */
#define UNTIL "run: {until: 2ms, seed: 5}\n"

/* ---- an entry of each kind ---- */

static const char *trace_file(void) {
    char text[1024] = "start,source,destination,bytes\n";
    size_t n = strlen(text);
    for (int i = 0; i < 12; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%dus,%d,%d,%dKB\n", 100 + 7 * i, i, 15 - i, 1 + i);
    return unit_file(SUFFIX, text);
}

/* Texts of the files of kinds that read one. */
static const struct {
    const char *kind, *text;
} file_of[] = {
    {"matrix", "Nodes 16\nConnections 3\nTriggers 1\n0->1 start 0 size 9000 recv_done_trigger 2\n"
               "5->1 start 7 size 9000 recv_done_trigger 2\n1->3 trigger 2 size 9000\ntrigger id 2 barrier count 2\n"},
    {"goal",
     "num_ranks 3\nrank 0 {\na: calc 700\nb: send 9000b to 1\nb requires a\nsend 9000b to 1 tag 2\n}\nrank 1 {\n"
     "c: recv 9000b from 0\nd: recv 9000b from 0 tag 2\ne: calc 300 cpu 1\nf: send 500b to 2\nf requires c\n"
     "f requires d\nf irequires e\n}\nrank 2 {\nrecv 500b from 1\n}\n"},
    {"simai",
     "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 pp: 1 all_gpus: 8\n2\n"
     "a -1 500 ALLREDUCE 4000 500 ALLTOALL_EP 4000 500 NONE 0 0\nb -1 0 NONE 0 0 NONE 0 0 ALLGATHER_DP_EP 8000 100\n"},
};
static const char *kind_at_hand;

static char second_trace[80];
static void second_trace_remove(void) { unlink(second_trace); }

/* The traces of two ranks in Chakra: metadata, and an all-reduce of 8,000 bytes. */
static const char *traces(void) {
    static const char all_reduce[] = "\x02\x0a\x00\x14\x08\x01\x18\x07\x52\x0e\x0a\x09"
                                     "comm_size\x68\xc0\x3e";
    const char *path = unit_file(SUFFIX, "");
    snprintf(second_trace, sizeof second_trace, "%.*s.1.csv", (int)(strlen(path) - strlen(SUFFIX)), path);
    assert_int_equal(atexit(second_trace_remove), 0);
    for (int i = 0; i < 2; i++) {
        FILE *out = fopen(i ? second_trace : path, "wb");
        assert_non_null(out);
        fwrite(all_reduce, 1, sizeof all_reduce - 1, out);
        assert_int_equal(fclose(out), 0);
    }
    return path;
}

static const char *sample_file(void) {
    if (strcmp(kind_at_hand, "chakra") == 0) return traces();
    for (size_t i = 0; i < sizeof file_of / sizeof *file_of; i++)
        if (strcmp(file_of[i].kind, kind_at_hand) == 0) return unit_file(SUFFIX, file_of[i].text);
    return trace_file();
}

/* Returns a value of a parameter as a file writes it. The caller frees it. */
static char *sample(const struct param *p) {
    char *text = malloc(200), buf[64];
    assert_non_null(text);
    switch (p->type) {
    case PARAM_FRACTION: snprintf(text, 200, "0.3"); break;
    case PARAM_TIME: snprintf(text, 200, "1ms"); break;
    case PARAM_FREQUENCY: snprintf(text, 200, "2000/s"); break;
    case PARAM_BYTES:
    case PARAM_SIZES: snprintf(text, 200, "8KB"); break;
    case PARAM_FILE: snprintf(text, 200, "%s", sample_file()); break;
    case PARAM_CHOICE: snprintf(text, 200, "%.*s", (int)strcspn(p->choices, "|"), p->choices); break;
    case PARAM_COUNT: snprintf(text, 200, "%s", param_print(p, p->min, buf, sizeof buf)); break;
    case PARAM_HOST: snprintf(text, 200, "1"); break;
    default: fail_msg("%s: say here what value a test may give it", p->name);
    }
    return text;
}

static bool is_required(const struct param *p) { return p->text && p->text[0] == '\0'; }

/* Appends "name: value", or for a list one item. */
static void append(char *text, size_t size, const struct param *p) {
    size_t used = strlen(text);
    bool is_list = p->type == PARAM_LIST, is_map = is_list && p->items[0].name;
    used += (size_t)snprintf(text + used, size - used, ", %s: %s%s", p->name, is_list ? "[" : "", is_map ? "{" : "");
    for (uint32_t i = 0; i < (is_list ? p->n_items : 1); i++) {
        const struct param *one = is_list ? &p->items[i] : p;
        char *value = sample(one);
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", i ? ", " : "", is_map ? one->name : "",
                                 is_map ? ": " : "", value);
        free(value);
    }
    snprintf(text + used, size - used, "%s%s", is_map ? "}" : "", is_list ? "]" : "");
}

/* Keys that a kind asks for unless others are given, which no row of a parameter says. */
static const struct { const char *kind, *keys; } asked[] = {{"training", ", layers: 2, forward: 5us, gradients: 80KB"}};

static const char *asked_of(const struct workload_ops *kind) {
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (strcmp(asked[i].kind, kind->name) == 0) return asked[i].keys;
    return "";
}

/* Writes an experiment with an entry of the kind. */
static void experiment_of(const struct workload_ops *kind, const char *rest, char *text, size_t size) {
    kind_at_hand = kind->name;
    snprintf(text, size, FABRIC "%sworkload:\n  - {kind: %s", rest, kind->name);
    for (const struct param *const *p = kind->keys; p && *p; p++) {
        bool is_given = (*p)->type == PARAM_LIST && is_required((*p)->items);
        if (is_given || (*p)->type == PARAM_SIZES || is_required(*p)) append(text, size, *p);
    }
    for (size_t i = 0; i < kind->n_params; i++)
        if (is_required(&kind->params[i])) append(text, size, &kind->params[i]);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s}\n", asked_of(kind));
}

typedef void kind_check(struct assembly *a);

static void each_kind(kind_check *check) {
    size_t n;
    const struct workload_ops *const *row = workloads(&n);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        char text[1000];
        experiment_of(row[i], UNTIL, text, sizeof text);
        print_message("%s", strstr(text, "  - "));
        struct assembly *a = assemble(text);
        check(a);
        assembly_free(a);
    }
}

/* ---- flows ---- */

static void flows_are_sound(struct assembly *a) {
    const struct population *p = &a->fabric->population;
    assert_true(a->flows.n > 0);
    assert_true(is_sorted(&a->flows));
    for (uint32_t i = 0; i < a->flows.n; i++) {
        const struct flow *f = &a->flows.flow[i];
        assert_true(f->src < p->n_hosts && f->dst < p->n_hosts && f->src != f->dst);
        assert_true(f->bytes > 0);
        assert_int_equal(f->entry, 0);
        assert_true(f->index < a->flows.n);
    }
}

static void flows__are_sorted_and_between_different_hosts(void **state) {
    (void)state;
    each_kind(flows_are_sound);
}

static void flows_are_repeated(struct assembly *a) {
    struct flow_list again;
    struct diag d;
    assert_true(workload_generate(a->workload, 1, &a->fabric->population, a->world.seed, &again, &d));
    assert_int_equal(again.n, a->flows.n);
    for (uint32_t i = 0; i < again.n; i++) assert_same_flow(&again.flow[i], &a->flows.flow[i]);
    assert_int_equal(again.gates.n_fed, a->flows.gates.n_fed);
    flow_list_free(&again);
}

static void flows__are_the_same_for_the_same_seed(void **state) {
    (void)state;
    each_kind(flows_are_repeated);
}

/* Estimates of random arrivals lie within a factor of two. */
static void flows_are_foreseen(struct assembly *a) {
    uint64_t n = workload_flows_foreseen(a->workload, &a->fabric->population);
    if (2 * n < a->flows.n || n > 2 * (uint64_t)a->flows.n)
        fail_msg("%s: %llu foreseen, %u made", a->workload->kind->name, (unsigned long long)n, a->flows.n);
}

static void flows__are_foreseen(void **state) {
    (void)state;
    each_kind(flows_are_foreseen);
}

/* ---- gates ---- */

/* Every flow without a start waits for one gate of its sender; a gate counts as many ends as it needs, all at its host. */
static void gates_can_open(struct assembly *a) {
    const struct gates *g = &a->flows.gates;
    uint32_t *gates_of = calloc(a->flows.n, sizeof *gates_of), *fed = calloc(g->n_gates + 1, sizeof *fed);
    for (uint32_t i = 0; i < g->n_gates; i++) {
        for (uint32_t k = 0; k < g->gate[i].n; k++) {
            uint32_t flow = g->gated[g->gate[i].first + k];
            assert_int_equal(a->flows.flow[flow].src, g->gate[i].host);
            gates_of[flow]++;
        }
    }
    for (uint32_t i = 0; i < a->flows.n; i++) {
        assert_int_equal(gates_of[i], a->flows.flow[i].start == TIME_NONE);
        struct fed_gates at[2] = {{NULL, 0}, {NULL, 0}};
        if (g->n_gates) at[0] = gates_of_received(g, i), at[1] = gates_of_acked(g, i);
        for (int end = 0; end < 2; end++) {
            uint32_t host = end ? a->flows.flow[i].src : a->flows.flow[i].dst;
            for (uint32_t k = 0; k < at[end].n; k++) {
                assert_int_equal(g->gate[at[end].gate[k]].host, host);
                fed[at[end].gate[k]]++;
            }
        }
    }
    for (uint32_t i = 0; i < g->n_gates; i++) {
        for (uint32_t k = 0; k < g->gate[i].n_on_begin + g->gate[i].n_on_end; k++) {
            uint32_t next = g->follow[g->gate[i].next + k];
            assert_int_equal(g->gate[next].host, g->gate[i].host);
            fed[next]++;
        }
    }
    for (uint32_t i = 0; i < g->n_gates; i++) assert_int_equal(fed[i], g->gate[i].needs);
    free(gates_of);
    free(fed);
}

static void gates__can_open(void **state) {
    (void)state;
    each_kind(gates_can_open);
}

/* ---- runs ---- */

static void digest_is_one(struct assembly *a) {
    uint64_t one = 0;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct run_result r;
        a->world.threads = threads;
        if (world_run(&a->world, &r) != WORLD_DONE) fail_msg("%s", r.failure);
        assert_true(r.engine.packet_hops > 0);
        if (threads == 1) one = r.engine.digest;
        assert_true(r.engine.digest == one);
        run_result_free(&r);
    }
}

static void digest__same_for_1_2_and_3_threads(void **state) {
    (void)state;
    each_kind(digest_is_one);
}

/* An entry that could go on for ever is refused without run.until, with the key that would end it; other entries end. */
static void entries__end_or_say_what_ends_them(void **state) {
    (void)state;
    size_t n;
    const struct workload_ops *const *row = workloads(&n);
    for (size_t i = 0; i < n; i++) {
        char text[1000];
        struct diag d = {0};
        const char *key = NULL;
        experiment_of(row[i], "", text, sizeof text);
        struct experiment *e = read_text(text);
        struct assembly *a = assembly_create(&e->run[0].config, "", &d);
        if (a && row[i]->endless) assert_null(row[i]->endless(a->workload, &key));
        if (!a && !strstr(d.text, "stop")) fail_msg("%s: %s", row[i]->name, d.text);
        if (!a) assert_int_equal(d.line, 3);
        if (a) assembly_free(a);
        experiment_free(e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(flows__are_sorted_and_between_different_hosts),
        UNIT(flows__are_the_same_for_the_same_seed),
        UNIT(flows__are_foreseen),
        UNIT(gates__can_open),
        UNIT(digest__same_for_1_2_and_3_threads),
        UNIT(entries__end_or_say_what_ends_them),
    };
    return RUN_UNITS(tests);
}
