/* SPDX-License-Identifier: Apache-2.0 */
/* The `measure` block, and its results as metrics of expectations. */
#include "base/units.h"
#include "study/claims/expect.h"
#include "study/config/size_classes.h"
#include "study/metrics/metrics.h"
#include "study/results/json_out.h"

#include "assembly_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PARKING_LOT "fabric: {kind: parking-lot, bottlenecks: 3}\n" PERMUTATION

/* ---- keys ---- */

static void measure__nothing_by_default(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR PERMUTATION);
    const struct measure_config *m = &a->world.measure;
    assert_int_equal(m->goodput, 0);
    assert_int_equal(m->n_jain, 0);
    assert_int_equal(m->converge, 0);
    assert_int_equal(m->n_watch, 0);
    assembly_free(a);
}

static void measure__periods_and_bands(void **state) {
    (void)state;
    struct assembly *a = assemble(STAR PERMUTATION "measure: {goodput: 1ms, jain: [1ms, 26.6us], "
                                                   "convergence: {band: 5%, interval: 100us}}\n");
    const struct measure_config *m = &a->world.measure;
    assert_int_equal(m->goodput, PS_PER_MS);
    assert_int_equal(m->n_jain, 2);
    assert_int_equal(m->jain[0], PS_PER_MS);
    assert_int_equal(m->jain[1], 26600 * PS_PER_NS);
    assert_int_equal(m->converge, 100 * PS_PER_US);
    assert_int_equal(m->converge_band_ppb, PPB / 20);
    assembly_free(a);
}

/* Watched links of a parking lot of three: named as links or as directions; a link named twice is watched once. */
static void measure__watched_links(void **state) {
    (void)state;
    struct assembly *a = assemble(PARKING_LOT "measure: {watch: leaf*-leaf*}\n");
    const struct measure_config *m = &a->world.measure;
    assert_int_equal(m->n_watch, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(m->watch[i].both);
        assert_int_equal(a->fabric->paths.port[m->watch[i].port].node, a->fabric->n_hosts + i);
    }
    assembly_free(a);
    a = assemble(PARKING_LOT "measure: {watch: leaf*->leaf*}\n");
    assert_int_equal(a->world.measure.n_watch, 6);
    assembly_free(a);
    a = assemble(PARKING_LOT "measure: {watch: [leaf1->leaf2, leaf?->leaf2]}\n");
    m = &a->world.measure;
    assert_int_equal(m->n_watch, 2); /* from leaf 1 and from leaf 3 */
    assert_false(m->watch[0].both);
    assert_int_equal(a->fabric->paths.port[m->watch[0].port].node, a->fabric->n_hosts + 1);
    assert_int_equal(a->fabric->paths.port[m->watch[0].port].neighbour, a->fabric->n_hosts + 2);
    assembly_free(a);
}

static void measure__what_cannot_be(void **state) {
    (void)state;
    impossible(PARKING_LOT "measure: {watch: [leaf0-leaf1, leaf0-leaf9]}\n",
               "x.yaml:3:32: error: 'leaf0-leaf9' names no link; write NODE-NODE or, for one direction, NODE->NODE, "
               "with * and ?: leaf0-host0.0");
    impossible(STAR PERMUTATION "measure: {jain: [1ms, 2ms, 3ms, 4ms, 5ms, 6ms, 7ms]}\n",
               "x.yaml:3:18: error: measure.jain: at most 6 intervals");
    impossible(STAR PERMUTATION "measure: {classes: [100KB, 10MB, 10MB]}\n",
               "x.yaml:3:34: error: measure.classes: 10MB does not come after 10MB; write the sizes in ascending "
               "order, each once");
    impossible(STAR PERMUTATION "measure: {classes: [1KB, 2KB, 3KB, 4KB, 5KB, 6KB, 7KB, 8KB]}\n",
               "x.yaml:3:21: error: measure.classes: 8 sizes; write at most 7");
    refuse(STAR PERMUTATION "measure: {classes: [0, 10MB]}\n",
           "x.yaml:3:21: error: measure.classes.0: '0' is out of range; write at least 1B");
}

/* ---- classes of flows by size ---- */

static void size_class_name__largest_unit_without_a_point(void **state) {
    (void)state;
    const struct size_classes sizes = {5, {1500, 100000, 1500000, 10000000, 3000000000}};
    static const char *const names[] = {"under_1500B",    "1500B_to_100KB", "100KB_to_1500KB",
                                        "1500KB_to_10MB", "10MB_to_3GB",    "from_3GB"};
    char buf[SIZE_CLASS_NAME_MAX];
    for (uint32_t i = 0; i < size_classes_count(&sizes); i++)
        assert_string_equal(size_class_name(&sizes, i, buf), names[i]);
}

/* 8192 B and 8000 B have names of their own; a multiple of 1000 has the one with KB, whatever else divides it. */
static void size_name__units_of_1024_where_1000_does_not_divide(void **state) {
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *name;
    } row[] = {
        {8192, "8KiB"},      {8000, "8KB"},     {2048, "2KiB"},          {1536, "1536B"},        {8191, "8191B"},
        {131072, "128KiB"},  {128000, "128KB"}, {1048576, "1MiB"},       {1572864, "1536KiB"},   {1000000, "1MB"},
        {1024000, "1024KB"}, {1 << 30, "1GiB"}, {3ull << 40, "3072GiB"}, {2000000000000, "2TB"}, {1, "1B"},
    };
    char name[SIZE_NAME_MAX];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char why[200];
        int64_t bytes = 0;
        assert_string_equal(size_name(row[i].bytes, name), row[i].name);
        assert_true(units_parse(PARAM_BYTES, name, &bytes, why, sizeof why));
        assert_int_equal(bytes, row[i].bytes);
    }
}

static void size_class_name__edges_of_1024(void **state) {
    (void)state;
    const struct size_classes sizes = {2, {131072, 1048576}};
    static const char *const names[] = {"under_128KiB", "128KiB_to_1MiB", "from_1MiB"};
    char buf[SIZE_CLASS_NAME_MAX];
    for (uint32_t i = 0; i < 3; i++) assert_string_equal(size_class_name(&sizes, i, buf), names[i]);
}

/* Names of older versions (8192B) and of other sizes are refused with those of the file. */
static void expect__metrics_of_queries(void **state) {
    (void)state;
    static const char *const wrong[] = {"8192B", "8KB"};
    for (size_t i = 0; i < 2; i++) {
        struct diag d = {0};
        struct expectations x;
        char line[1024], text[512], expected[512];
        snprintf(text, sizeof text,
                 STAR
                 "workload: {kind: query, schedule: {for: 1ms, rate: 1000/s}, responses: [8192B, 32KiB], queries: 2}\n"
                 "expect:\n"
                 "  - {claim: A, metric: queries.%s.p99, value: [0, 1]}\n",
                 wrong[i]);
        snprintf(expected, sizeof expected,
                 "x.yaml:4:24: error: there is no number 'queries.%s.p99' in a result; at '%s' known are: ", wrong[i],
                 wrong[i]);
        struct experiment *e = read_text(text);
        assert_false(expectations_read(e, &x, &d));
        assert_memory_equal(diag_line(&d, line, sizeof line), expected, strlen(expected));
        assert_non_null(strstr(line, " all, 8KiB, 32KiB"));
        assert_non_null(strstr(line, "; did you mean 'queries.8KiB.p99'?"));
        experiment_free(e);
    }
}

/* Metrics of expectations are checked against the classes of the file. */
static void expect__metrics_of_classes(void **state) {
    (void)state;
    struct diag d = {0};
    struct expectations x;
    char line[1024];
    struct experiment *e = read_text(STAR PERMUTATION "measure: {classes: [100KB, 10MB]}\n"
                                                      "expect:\n"
                                                      "  - {claim: A, metric: fct_us.under_1MB.p99, value: [0, 1]}\n");
    assert_false(expectations_read(e, &x, &d));
    assert_string_equal(diag_line(&d, line, sizeof line),
                        "x.yaml:5:24: error: there is no number 'fct_us.under_1MB.p99' in a result; at 'under_1MB' "
                        "known are: all, mice, medium, elephant, under_100KB, 100KB_to_10MB, from_10MB; did you mean "
                        "'fct_us.under_100KB.p99'?");
    experiment_free(e);
}

/* The classes of each swept list are metrics of the runs with that list. */
static void expect__metrics_of_swept_classes(void **state) {
    (void)state;
    struct diag d = {0};
    struct expectations x;
    struct experiment *e =
        read_text(STAR PERMUTATION "sweep: {measure.classes.0: [1KB, 2KB]}\nmeasure: {classes: [3KB]}\n"
                                   "expect: [{claim: A, metric: fct_us.from_2KB.n, each: measure.classes.0, "
                                   "value: [0, 9]}]\n");
    assert_true(expectations_read(e, &x, &d));
    expectations_free(&x);
    experiment_free(e);
}

/* ---- results ---- */

/* Two flows at 3 and 1 Gbps with datagrams of 10,000 bits; the second joins after 1 ms. */
#define DATAGRAMS                                                                                                      \
    "fabric: {kind: star, hosts: 4, delay: 200ns}\n"                                                                   \
    "host: {transport: udp, udp: {payload: 1250B}}\n"                                                                  \
    "workload:\n"                                                                                                      \
    "  - {kind: long, src: 0, dst: 2, rate: 3Gbps}\n"                                                                  \
    "  - {kind: long, src: 1, dst: 3, rate: 1Gbps, start: 1ms}\n"                                                      \
    "run: {until: 4ms}\n"

struct ran {
    struct experiment *e;
    struct expectations x;
    json_t *result;
    struct claim_outcome *o;
    size_t n;
};

/* Runs an experiment of one run as `heddle run` does, and evaluates its expectations. */
static struct ran run(const char *text) {
    struct ran r = {0};
    struct diag d = {0};
    struct run_result result;
    struct outcome o;
    r.e = read_text(text);
    if (!expectations_read(r.e, &r.x, &d)) fail_msg("%d:%d: %s", d.line, d.col, d.text);
    struct assembly *a = assembly_create(&r.e->run[0].config, "", &d);
    assert_non_null(a);
    assert_int_equal(world_run(&a->world, &result), WORLD_DONE);
    FILE *f = tmpfile();
    assert_true(outcome_write(f, a, &result));
    rewind(f);
    assert_true(outcome_read(f, &o));
    r.result = metrics_object(1, r.e->run[0].settings, &o);
    r.o = expectations_evaluate(&r.x, r.e, &r.result, &r.n);
    outcome_free(&o);
    run_result_free(&result);
    assembly_free(a);
    fclose(f);
    return r;
}

static void ran_free(struct ran *r) {
    json_decref(r->result);
    claim_outcomes_free(r->o, r->n);
    expectations_free(&r->x);
    experiment_free(r->e);
}

static void metric_is(const struct ran *r, const char *path, double expected) {
    double value;
    if (!json_metric(r->result, path, &value)) fail_msg("there is no %s", path);
    bool same = isnan(expected) ? isnan(value) : fabs(value - expected) < 1e-9;
    if (!same) fail_msg("%s is %.12g, not %.12g", path, value, expected);
}

static void result__rates_as_metrics(void **state) {
    (void)state;
    struct ran r = run(DATAGRAMS "measure: {from: 2ms, goodput: 1ms, jain: [1ms, 500us], watch: host0.0->leaf0,\n"
                                 "          convergence: {band: 50%, interval: 100us}}\n");
    metric_is(&r, "fairness.jain_mean", 0.8);
    metric_is(&r, "fairness.jain_min", 0.8);
    metric_is(&r, "fairness.intervals", 2);
    metric_is(&r, "fairness.1.interval_us", 500);
    metric_is(&r, "fairness.1.intervals", 4);
    metric_is(&r, "fairness.2.jain_mean", NAN);
    metric_is(&r, "goodput_gbps.n", 2);
    metric_is(&r, "goodput_gbps.mean", 2);
    metric_is(&r, "goodput_gbps.min", 1);
    metric_is(&r, "goodput_gbps.max", 3);
    metric_is(&r, "goodput_gbps.variation.n", 2); /* two constant streams, each over two whole intervals */
    metric_is(&r, "goodput_gbps.variation.max", 0);
    metric_is(&r, "links.watch.n", 1);
    metric_is(&r, "links.watch.data_min", 0.3 * 1316 / 1250);
    metric_is(&r, "links.host.min", 0.1 * 1316 / 1250);
    metric_is(&r, "links.uplink.min", NAN);
    metric_is(&r, "queues_bytes.by_tier.core.max", NAN);
    metric_is(&r, "reorder.n", 2); /* endless flows count, whenever they start */
    metric_is(&r, "credits.wasted_per_flow.n", 0);
    metric_is(&r, "convergence_us.n", 0); /* the join is earlier than 2 ms */
    ran_free(&r);
}

/* One stream sends 3 Gbps in bursts of 375,000 B, one a millisecond. With intervals of half a millisecond every second
 * one is empty, so the deviation equals the mean. The other stream is constant. */
static void result__variation_as_metrics(void **state) {
    (void)state;
#define BURSTS                                                                                                         \
    "fabric: {kind: star, hosts: 4, delay: 200ns}\n"                                                                   \
    "host: {transport: udp, udp: {payload: 1250B}}\n"                                                                  \
    "workload:\n"                                                                                                      \
    "  - {kind: long, src: 0, dst: 2, rate: 3Gbps, burst: 375000B}\n"                                                  \
    "  - {kind: long, src: 1, dst: 3, rate: 1Gbps}\n"                                                                  \
    "run: {until: 4ms}\n"
    struct ran r = run(BURSTS "measure: {from: 1ms, goodput: 500us}\n");
    metric_is(&r, "goodput_gbps.variation.n", 2);
    metric_is(&r, "goodput_gbps.variation.max", 1);
    metric_is(&r, "goodput_gbps.variation.mean", 0.5);
    ran_free(&r);
    r = run(BURSTS "measure: {from: 1ms}\n");
    metric_is(&r, "goodput_gbps.variation.n", 0);
    metric_is(&r, "goodput_gbps.variation.mean", NAN);
    ran_free(&r);
}

/* Four flows of 100 KB belong to the class from 100 KB upwards; without measure.classes the key does not exist. */
static void result__classes_as_metrics(void **state) {
    (void)state;
    struct ran r = run(STAR PERMUTATION "measure: {classes: 100KB}\n"
                                        "expect: [{claim: all, metric: slowdown.from_100KB.n, value: [4, 4]}]\n");
    metric_is(&r, "fct_us.under_100KB.n", 0);
    metric_is(&r, "fct_us.under_100KB.p99", NAN);
    metric_is(&r, "fct_us.from_100KB.n", 4);
    double all, of_class;
    assert_true(json_metric(r.result, "fct_us.all.p99", &all) &&
                json_metric(r.result, "fct_us.from_100KB.p99", &of_class) && all == of_class && all > 0);
    assert_true(r.n == 1 && r.o[0].met);
    ran_free(&r);
    r = run(STAR PERMUTATION);
    assert_int_equal(json_object_size(json_object_get(r.result, "fct_us")), 4);
    assert_int_equal(json_object_size(json_object_get(r.result, "slowdown")), 4);
    ran_free(&r);
}

/* Rates 3 and 1 are half of their mean away from it. */
static void result__convergence_as_metrics(void **state) {
    (void)state;
    struct ran r = run(DATAGRAMS "measure: {convergence: {band: 50%, interval: 100us}}\n");
    metric_is(&r, "convergence_us.n", 1);
    metric_is(&r, "convergence_us.never", 0);
    metric_is(&r, "convergence_us.last", 100);
    metric_is(&r, "convergence_us.first.max", 100);
    metric_is(&r, "convergence_us.first.never", 0);
    metric_is(&r, "reorder.n", 2);
    metric_is(&r, "reorder.max", 0);
    ran_free(&r);
    r = run(DATAGRAMS "measure: {convergence: {band: 49%, interval: 100us}}\n");
    metric_is(&r, "convergence_us.never", 1);
    metric_is(&r, "convergence_us.first.never", 1);
    metric_is(&r, "convergence_us.last", NAN);
    metric_is(&r, "convergence_us.max", NAN);
    metric_is(&r, "convergence_us.mean", NAN);
    ran_free(&r);
}

/* A claim may require zero drops: two senders at line rate into one host lose frames, one sender does not. */
#define NO_LOSS                                                                                                        \
    "run: {until: 1ms}\nhost: {transport: udp}\nexpect: [{claim: none, metric: packets.dropped, value: [0, 0]}]\n"

static void expect__no_loss(void **state) {
    (void)state;
    struct ran r = run(STAR "workload: [{kind: long, src: 0, dst: 2}]\n" NO_LOSS);
    assert_int_equal(r.n, 1);
    assert_true(r.o[0].met && r.o[0].measured == 0);
    ran_free(&r);
    r = run(STAR "workload: [{kind: long, src: 0, dst: 2}, {kind: long, src: 1, dst: 2}]\n" NO_LOSS);
    assert_false(r.o[0].met);
    assert_true(r.o[0].measured > 100);
    ran_free(&r);
}

static void expect__metrics_of_rates(void **state) {
    (void)state;
    struct ran r = run(DATAGRAMS "measure: {jain: 1ms}\n"
                                 "expect:\n"
                                 "  - {claim: fair, metric: fairness.jain_min, value: [0.9, 1]}\n"
                                 "  - {claim: unfair, metric: fairness.jain_min, value: [0.79, 0.81]}\n"
                                 "  - {claim: not-measured, metric: convergence_us.max, value: [0, null]}\n");
    assert_int_equal(r.n, 3);
    assert_false(r.o[0].met);
    assert_true(r.o[1].met);
    assert_true(isnan(r.o[2].measured) && !r.o[2].met);
    ran_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(measure__nothing_by_default),
        UNIT(measure__periods_and_bands),
        UNIT(measure__watched_links),
        UNIT(measure__what_cannot_be),
        UNIT(size_class_name__largest_unit_without_a_point),
        UNIT(size_name__units_of_1024_where_1000_does_not_divide),
        UNIT(size_class_name__edges_of_1024),
        UNIT(expect__metrics_of_queries),
        UNIT(expect__metrics_of_classes),
        UNIT(expect__metrics_of_swept_classes),
        UNIT(result__rates_as_metrics),
        UNIT(result__classes_as_metrics),
        UNIT(result__variation_as_metrics),
        UNIT(result__convergence_as_metrics),
        UNIT(expect__no_loss),
        UNIT(expect__metrics_of_rates),
    };
    return RUN_UNITS(tests);
}
