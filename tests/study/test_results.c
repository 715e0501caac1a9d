/* SPDX-License-Identifier: Apache-2.0 */
#include "study/goodput.h"
#include "study/json_out.h"
#include "study/metrics/metrics.h"

#include "study_test.h"

#include <math.h>
#include <stdlib.h>

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
    assert_int_equal(o.result.engine.digest, r.engine.digest);
    outcome_free(&o);
    run_result_free(&r);
    assembly_free(a);
    experiment_free(e);
    fclose(f);
}

/* Whatever is missing at the end, it is no outcome, and nothing leaks. */
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

static void goodput__is_payload_over_completion_time(void **state) {
    (void)state;
    struct flow flow[3] = {{.start = 0, .bytes = 1000, .stop = TIME_NONE},
                           {.start = 0, .bytes = UINT64_MAX, .stop = 4 * PS_PER_US},
                           {.start = 0, .bytes = 2000000, .stop = TIME_NONE}};
    struct flow_tally tally[3] = {{.finished_at = PS_PER_US, .received_bytes = 1000},
                                  {.finished_at = TIME_NONE, .received_bytes = 1000},
                                  {.finished_at = TIME_NONE, .received_bytes = 500}};
    struct flow_list list = {.flow = flow, .n = 3};
    struct world_config w = {.flows = &list, .measure = {.starts_to_ppb = PPB}};
    struct run_result r = {.n_flows = 3, .tally = tally, .engine.sim_ps = 10 * PS_PER_US};
    struct goodput goodput[FLOW_CLASSES];
    goodput_summarise(&w, &r, goodput);
    assert_int_equal(goodput[CLASS_MICE].bps.mean, 8000000000);
    assert_int_equal(goodput[CLASS_ELEPHANT].bps.n, 1);
    assert_int_equal(goodput[CLASS_ELEPHANT].bps.mean, 2000000000);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 2);
}

/* Of ten flows the middle, by the order of arrivals: from 20 % on, up to 50 %, and none that starts too early. One
 * that stops as it starts has no goodput. */
static void goodput__of_the_selected_flows(void **state) {
    (void)state;
    struct flow flow[10];
    struct flow_tally tally[10];
    for (int i = 0; i < 10; i++) {
        flow[i] = (struct flow){.start = i * PS_PER_US, .bytes = 1000, .stop = TIME_NONE};
        tally[i] = (struct flow_tally){
            .started_at = flow[i].start, .finished_at = (i + 1) * PS_PER_US, .received_bytes = 1000 + i};
    }
    struct flow_list list = {.flow = flow, .n = 10};
    struct world_config w = {.flows = &list, .measure = {.starts_from_ppb = PPB / 5, .starts_to_ppb = PPB / 2}};
    struct run_result r = {.n_flows = 10, .tally = tally, .engine.sim_ps = 20 * PS_PER_US};
    struct goodput goodput[FLOW_CLASSES];
    goodput_summarise(&w, &r, goodput);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 3);
    assert_int_equal(goodput[CLASS_ALL].bps.mean, 1003 * 8 * 1000000LL); /* flows 2, 3 and 4 */
    w.measure.from = 3 * PS_PER_US;
    flow[4].bytes = UINT64_MAX;
    flow[4].stop = flow[4].start;
    goodput_summarise(&w, &r, goodput);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 1);
    assert_int_equal(goodput[CLASS_ALL].bps.max, 1003 * 8 * 1000000LL);
}

/* Three flows of one size: 1, 1 and 4 give 36 / (3 x 18). A fourth of another size leaves nothing to compare. */
static void goodput__jain_of_equal_flows(void **state) {
    (void)state;
    struct flow flow[4];
    struct flow_tally tally[4];
    for (int i = 0; i < 4; i++) {
        flow[i] = (struct flow){.bytes = i == 3 ? 2000000 : 1000, .stop = TIME_NONE};
        tally[i] = (struct flow_tally){.finished_at = i == 2 ? PS_PER_US : 4 * PS_PER_US, .received_bytes = 1000};
    }
    struct flow_list list = {.flow = flow, .n = 4};
    struct world_config w = {.flows = &list, .measure = {.starts_to_ppb = PPB}};
    struct run_result r = {.n_flows = 4, .tally = tally, .engine.sim_ps = 20 * PS_PER_US};
    static struct outcome x;
    goodput_summarise(&w, &r, x.goodput);
    assert_int_equal(x.goodput[CLASS_MICE].jain_ppm, 666666);
    assert_int_equal(x.goodput[CLASS_ALL].jain_ppm, JAIN_NONE);
    assert_int_equal(x.goodput[CLASS_ELEPHANT].jain_ppm, JAIN_NONE); /* one flow */
    json_t *settings = json_object(), *o = metrics_object(1, settings, &x);
    double value;
    assert_true(json_metric(o, "goodput_mbps.mice.jain", &value) && value == 0.666666);
    assert_true(json_metric(o, "goodput_mbps.all.jain", &value) && isnan(value));
    json_decref(settings);
    json_decref(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(outcome__crosses_as_it_is),
        UNIT(outcome_read__a_cut_file_is_refused),
        UNIT(goodput__is_payload_over_completion_time),
        UNIT(goodput__of_the_selected_flows),
        UNIT(goodput__jain_of_equal_flows),
    };
    return RUN_UNITS(tests);
}
