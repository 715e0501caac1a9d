/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/outcome.h"

#include "base/memory.h"
#include "study_test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Runs a job whose tallies are packed, or an array, and reads what crosses from it. */
static void job_crosses(struct assembly *a, bool packs, uint32_t threads, struct outcome *o) {
    struct run_result r = {0};
    a->world.packed_flows = packs ? 1 : 100000;
    a->world.threads = threads;
    assert_int_equal(world_run(&a->world, &r), WORLD_DONE);
    assert_int_equal(r.tally == NULL, packs);
    FILE *f = tmpfile();
    assert_true(outcome_write(f, a, &r));
    rewind(f);
    assert_true(outcome_read(f, o));
    run_result_free(&r);
    fclose(f);
}

/* Packed tallies cross, and are what the array has: with one thread and with two. */
static void outcome__packed_tallies_are_the_same(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e =
        read_text("fabric: {kind: leaf-spine, leaves: 4, spines: 2, hosts: 2}\nscheme: dctcp\n"
                  "workload: {kind: collective, op: all-to-all, size: 80KB, window: 2, iterations: 20}\n");
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    assert_non_null(a);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct outcome array, packed;
        job_crosses(a, false, threads, &array);
        job_crosses(a, true, threads, &packed);
        assert_int_equal(array.result.n_flows, 20 * 8 * 7);
        assert_int_equal(packed.result.engine.digest, array.result.engine.digest);
        for (uint32_t i = 0; i < array.result.n_flows; i++) {
            struct flow_tally t = tally_of(result_tallies(&packed.result, packed.flow), i);
            assert_memory_equal(&t, &array.result.tally[i], sizeof t);
        }
        assert_memory_equal(&packed.result.times, &array.result.times, sizeof array.result.times);
        assert_memory_equal(packed.result.job_iteration, array.result.job_iteration,
                            array.result.n_job_iterations * sizeof *array.result.job_iteration);
        assert_true(packed.result.memory.flows_bytes + 60 * array.result.n_flows < array.result.memory.flows_bytes);
        outcome_free(&array);
        outcome_free(&packed);
    }
    assembly_free(a);
    experiment_free(e);
}

/* Credits that arrive after the end of their flow count in its tally, so with credits none is packed. */
static void outcome__credits_keep_the_array(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text("fabric: {kind: leaf-spine, leaves: 4, spines: 2, hosts: 2}\nscheme: expresspass\n"
                                     "workload: {kind: collective, op: all-to-all, size: 80KB}\n");
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    struct run_result r = {0};
    assert_non_null(a);
    a->world.packed_flows = 1;
    assert_int_equal(world_run(&a->world, &r), WORLD_DONE);
    assert_non_null(r.tally);
    run_result_free(&r);
    assembly_free(a);
    experiment_free(e);
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

/* ---- large arrays ---- */

#define MANY 2000000
#define MANY_BYTES (MANY * sizeof(struct sample))

static size_t resident_bytes(void) {
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*u %lu", &pages), 1);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t file_bytes(FILE *f) {
    struct stat at;
    assert_int_equal(fstat(fileno(f), &at), 0);
    return (size_t)at.st_blocks * 512;
}

/* Nothing is there twice: what is written leaves the writer's memory, what is read leaves the file. */
static void outcome__large_arrays_move(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(FAT_TREE);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    struct run_result r = {.n_samples = MANY, .sample = memory_get(MANY, sizeof *r.sample)};
    for (uint32_t i = 0; i < MANY; i++) r.sample[i] = (struct sample){.at = i, .port = i / 2, .value = 3 * (int64_t)i};
    FILE *f = fdopen(memfd_create("test", 0), "w+b");
    size_t before = resident_bytes();
    assert_true(outcome_hand_over(f, a, &r));
    assert_true(file_bytes(f) >= MANY_BYTES);
#ifndef __SANITIZE_ADDRESS__ /* its own memory grows too */
    assert_true(resident_bytes() + MANY_BYTES * 9 / 10 < before);
#else
    (void)before;
#endif
    rewind(f);
    struct outcome o;
    assert_true(outcome_take_over(f, &o));
    assert_true(file_bytes(f) < MANY_BYTES / 2);
    assert_int_equal(o.result.n_samples, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        const struct sample *s = &o.result.sample[i];
        assert_true(s->at == i && s->port == i / 2 && s->value == 3 * (int64_t)i);
    }
    outcome_free(&o);
    fclose(f);
    run_result_free(&r);
    assembly_free(a);
    experiment_free(e);
}

/* A file that is no file in memory is read as well. */
static void outcome__what_cannot_be_emptied_is_kept(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(FAT_TREE);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    struct run_result r = {.n_samples = MANY, .sample = memory_get(MANY, sizeof *r.sample)};
    FILE *f = fopen("outcome.bin", "w+b");
    assert_true(outcome_write(f, a, &r));
    assert_int_equal(r.n_samples, MANY);
    fclose(f);
    f = fopen("outcome.bin", "rb"); /* and may not be written */
    struct outcome o;
    assert_true(outcome_take_over(f, &o));
    assert_int_equal(o.result.n_samples, MANY);
    outcome_free(&o);
    fclose(f);
    unlink("outcome.bin");
    run_result_free(&r);
    assembly_free(a);
    experiment_free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(outcome__crosses_as_it_is),
        UNIT(outcome__packed_tallies_are_the_same),
        UNIT(outcome__credits_keep_the_array),
        UNIT(outcome__each_array_crosses),
        UNIT(outcome_read__a_cut_file_is_refused),
        UNIT(outcome__large_arrays_move),
        UNIT(outcome__what_cannot_be_emptied_is_kept),
    };
    return RUN_UNITS(tests);
}
