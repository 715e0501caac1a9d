/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/outcome.h"

#include "base/memory.h"
#include "study_test.h"

#include <stdlib.h>
#include <string.h>

/* ---- outcomes between processes ---- */

#define FAT_TREE                                                                                                       \
    "fabric: {kind: fat-tree, k: 4}\nworkload: [{kind: permutation, sizes: 100KB}]\nmeasure: {queues: 10us, flow: "    \
    "[1]}\n"

static void outcome__crosses_as_it_is(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(FAT_TREE);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    assert_non_null(a);
    struct run_result r = {0};
    assert_int_equal(world_run(&a->world, &r), WORLD_DONE);
    FILE *f = tmpfile();
    assert_true(outcome_write(f, a, &r));
    rewind(f);
    struct outcome o;
    assert_true(outcome_read(f, &o));
    assert_int_equal(o.n_nodes, a->fabric->n_nodes);
    assert_string_equal(o.node[16], "tor0.0");
    assert_int_equal(o.result.n_flows, 16);
    assert_memory_equal(o.flow, a->flows.flow, 16 * sizeof *o.flow);
    assert_memory_equal(o.result.tally, r.tally, 16 * sizeof *r.tally);
    assert_int_equal(o.result.n_samples, r.n_samples);
    assert_true(r.n_samples > 0 && r.n_timeline > 0);
    assert_memory_equal(o.result.timeline, r.timeline, r.n_timeline * sizeof *r.timeline);
    assert_int_equal(o.result.n_counters, r.n_counters);
    for (size_t i = 0; i < r.n_counters; i++) assert_string_equal(o.result.counter[i].name, r.counter[i].name);
    for (size_t i = 0; i < r.n_counters; i++) assert_true(o.result.counter[i].value == r.counter[i].value);
    assert_int_equal(o.result.engine.digest, r.engine.digest);
    outcome_free(&o);
    run_result_free(&r);
    assembly_free(a);
    experiment_free(e);
    fclose(f);
}

/* Every array of a result crosses with its elements, and one that was not measured stays NULL. */
static void outcome__each_array_crosses(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(FAT_TREE);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    struct run_result none = {0}, all = {0};
    size_t n = 0;
#define FILL(array, count) all.count = (uint32_t)(n += 2), all.array = memory_get(all.count, sizeof *all.array);
    RUN_RESULT_ARRAYS(FILL)
    all.n_flows = a->flows.n;
    free(all.tally);
    free(all.bound_ps);
    all.tally = memory_get(all.n_flows, sizeof *all.tally);
    all.bound_ps = memory_get(all.n_flows, sizeof *all.bound_ps);
    for (size_t i = 0; i < all.n_counters; i++) all.counter[i] = (struct named_count){"some", i};
#define MARK(array, count) memset((char *)&all.array[all.count - 1] + sizeof *all.array - 1, 1, 1);
    RUN_RESULT_ARRAYS(MARK)
    struct outcome o;
    FILE *f = tmpfile();
    assert_true(outcome_write(f, a, &all) && outcome_write(f, a, &none));
    rewind(f);
    assert_true(outcome_read(f, &o));
    for (size_t i = 0; i < all.n_counters; i++) assert_string_equal(o.result.counter[i].name, "some");
    for (size_t i = 0; i < all.n_counters; i++) {
        free((char *)o.result.counter[i].name);
        o.result.counter[i].name = all.counter[i].name = NULL;
    }
#define SAME(array, count)                                                                                             \
    assert_int_equal(o.result.count, all.count);                                                                       \
    assert_memory_equal(o.result.array, all.array, all.count * sizeof *all.array);
    RUN_RESULT_ARRAYS(SAME)
    run_result_free(&o.result);
    outcome_free(&o);
    assert_true(outcome_read(f, &o));
#define LACKS(array, count) assert_null(o.result.array);
    RUN_RESULT_ARRAYS(LACKS)
    outcome_free(&o);
    run_result_free(&all);
    assembly_free(a);
    experiment_free(e);
    fclose(f);
}

/* A file that is cut anywhere is refused, and nothing leaks. */
static void outcome_read__a_cut_file_is_refused(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(FAT_TREE);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    struct run_result r = {0};
    world_run(&a->world, &r);
    char *text = NULL;
    size_t size = 0;
    FILE *whole = open_memstream(&text, &size);
    assert_true(outcome_write(whole, a, &r));
    fclose(whole);
    for (size_t cut = 1; cut < size; cut = cut * 3 / 2 + 1) {
        FILE *f = fmemopen(text, size - cut, "r");
        struct outcome o;
        assert_false(outcome_read(f, &o));
        outcome_free(&o);
        fclose(f);
    }
    free(text);
    run_result_free(&r);
    assembly_free(a);
    experiment_free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(outcome__crosses_as_it_is),
        UNIT(outcome__each_array_crosses),
        UNIT(outcome_read__a_cut_file_is_refused),
    };
    return RUN_UNITS(tests);
}
