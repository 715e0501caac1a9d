/* SPDX-License-Identifier: Apache-2.0 */
/* One warning of each kind after the runs, whatever their number. */
#include "study/run/run_warnings.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* Adds a run of whose three rounds `over` overlapped an earlier one. */
static void add(struct run_warnings *w, uint32_t run, uint32_t over) {
    const struct outcome o = {.result = {.rounds = {.rounds = 3, .n_over = over, .n_open = 8, .senders = 4}}};
    run_warnings_add(w, &o, "x.yaml", run);
}

static void assert_printed(struct run_warnings *w, const char *expected) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    run_warnings_print(w, "x.yaml", out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

#define ROUNDS                                                                                                         \
    " of 3 rounds began while flows of earlier rounds were open, up to 8 flows at once of 4 in a round; raise gap, "   \
    "or give request: then each round waits for the one before\n"

static void run_warnings__of_one_run(void **state) {
    (void)state;
    struct run_warnings w = {0};
    add(&w, 1, 0);
    add(&w, 2, 2);
    assert_printed(&w, "x.yaml: warning: run 2: workload.0: 2" ROUNDS);
    assert_printed(&w, "");
}

/* Runs end in any order; the line has the figures of the first run that deserves it. */
static void run_warnings__of_several_runs_in_one_line(void **state) {
    (void)state;
    struct run_warnings w = {0};
    add(&w, 4, 2);
    add(&w, 3, 1);
    add(&w, 1, 0);
    add(&w, 5, 2);
    assert_printed(&w, "x.yaml: warning: 3 runs, as run 3: workload.0: 1" ROUNDS);
}

static void run_warnings__of_two_kinds(void **state) {
    (void)state;
    struct run_warnings w = {0};
    const char *node[] = {"leaf0", "spine1"};
    struct outcome_port port[] = {{.node = 0, .neighbour = 1}, {.node = 1, .neighbour = 0}};
    const struct outcome o = {.node = node,
                              .n_nodes = 2,
                              .port = port,
                              .n_ports = 2,
                              .result = {.rounds = {.rounds = 3, .n_over = 1, .n_open = 8, .senders = 4},
                                         .queue_bound = {.n_over = 1, .max_bytes = 9, .bound_bytes = 5}}};
    run_warnings_add(&w, &o, "x.yaml", 1);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    run_warnings_print(&w, "x.yaml", out);
    fclose(out);
    assert_non_null(strstr(text, "x.yaml: warning: run 1: workload.0: 1" ROUNDS));
    assert_non_null(strstr(text, "x.yaml: warning: run 1: 1 queue held more data than credits bound them by"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(run_warnings__of_one_run), UNIT(run_warnings__of_several_runs_in_one_line),
                                       UNIT(run_warnings__of_two_kinds)};
    return RUN_UNITS(tests);
}
