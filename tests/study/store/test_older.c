/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a version that did not measure a metric yet. */
#include "made_claims.h"
#include "study/metrics/metrics.h"
#include "study/store/older.h"

#include <string.h>

/* Returns a complete result of this program, with another version of the table of metrics if one is given. */
static json_t *whole_result(const char *version) {
    static const struct outcome none;
    json_t *settings = json_object(), *o = metrics_object(1, settings, &none);
    json_decref(settings);
    if (version) json_object_set_new(o, "metrics", json_string(version));
    return o;
}

/* Returns a result without a family of metrics, as a version before that family stored it. */
static json_t *result_without(const char *family, const char *version) {
    json_t *o = whole_result(version);
    json_object_del(o, family);
    return o;
}

static void metric_is_newer__what_an_older_table_lacks(void **state) {
    (void)state;
    json_t *o = result_without("handshake_us", "00000001");
    assert_true(metric_is_newer(o, "handshake_us.mice.p95"));
    assert_true(metric_is_newer(o, "handshake_us.under_100KB.p95"));
    assert_true(metric_is_newer(o, "handshake_us.mice"));
    assert_false(metric_is_newer(o, "fct_us.mice.p95"));
    json_object_del(o, "metrics"); /* as before results carried a version */
    assert_true(metric_is_newer(o, "handshake_us.mice.p95"));
    json_decref(o);
}

/* A class that the run does not have, a counter of another mechanism and an unknown word are no newer metrics. */
static void metric_is_newer__not_what_only_other_runs_have(void **state) {
    (void)state;
    json_t *o = whole_result("00000001");
    static const char *const path[] = {"fct_us.under_100KB.p95", "queries.8KB.p99", "queries.sets.20.p99",
                                       "counters.pst_hits", "fct_us.mouse.p95"};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) assert_false(metric_is_newer(o, path[i]));
    json_decref(o);
}

/* A further statistic and a further place are newer metrics of an existing family. */
static void metric_is_newer__one_key_of_a_family(void **state) {
    (void)state;
    json_t *o = whole_result("00000001");
    json_object_del(json_object_get(json_object_get(o, "fct_us"), "all"), "p99");
    json_object_del(json_object_get(json_object_get(o, "queues_bytes"), "by_tier"), "core");
    json_object_del(json_object_get(o, "counters"), "drop_unscheduled");
    assert_true(metric_is_newer(o, "fct_us.under_100KB.p99"));
    assert_true(metric_is_newer(o, "queues_bytes.by_tier.core.max"));
    assert_true(metric_is_newer(o, "counters.drop_unscheduled"));
    assert_false(metric_is_newer(o, "fct_us.under_100KB.p95"));
    assert_false(metric_is_newer(o, "queues_bytes.by_tier.nic.max"));
    json_decref(o);
}

static void metric_is_newer__never_in_a_result_of_this_table(void **state) {
    (void)state;
    json_t *o = result_without("handshake_us", NULL);
    assert_string_equal(json_string_value(json_object_get(o, "metrics")), metrics_version());
    assert_int_equal(strlen(metrics_version()), 8);
    assert_false(metric_is_newer(o, "handshake_us.mice.p95"));
    json_decref(o);
}

static void result_is_older__if_it_lacks_any_metric(void **state) {
    (void)state;
    json_t *whole = whole_result("00000001"), *same = result_without("handshake_us", NULL),
           *lacking = result_without("handshake_us", "00000001");
    assert_false(result_is_older(whole));
    assert_false(result_is_older(same));
    assert_true(result_is_older(lacking));
    json_decref(whole);
    json_decref(same);
    json_decref(lacking);
}

static void older_text__names_the_metric_and_the_command(void **state) {
    (void)state;
    json_t *result[] = {result_without("handshake_us", "00000001"), whole_result(NULL), NULL};
    const char *const metric[] = {"fct_us.all.mean", "handshake_us.all.mean", "handshake_us.all.mean",
                                  "handshake_us.all.p95"};
    json_t *set = json_pack("[s, s]", "run.until=1ms", "switch.balance=[ecmp, spray]");
    struct again again = {"a b.yaml", "small", set, "x.db"};
    char text[512];
    struct older none = older_find(result, 3, metric, 1), o = older_find(result, 3, metric, 3);
    assert_string_equal(older_text(&none, &again, text, sizeof text), "");
    assert_string_equal(
        older_text(&o, &again, text, sizeof text),
        "1 of 2 runs in x.db was stored before handshake_us.all.mean was measured; to run it again: "
        "heddle run 'a b.yaml' --profile small --set run.until=1ms --set 'switch.balance=[ecmp, spray]' "
        "-o x.db --renew");
    o = older_find(result, 3, metric, 4);
    again = (struct again){"a.yaml", NULL, NULL, "x.db"};
    assert_string_equal(older_text(&o, &again, text, sizeof text),
                        "1 of 2 runs in x.db was stored before handshake_us.all.mean and 1 more metric were measured; "
                        "to run it again: heddle run a.yaml -o x.db --renew");
    json_decref(set);
    json_decref(result[0]);
    json_decref(result[1]);
}

/* An expectation on such results is not measurable, and gives the reason. */
static void expectations__say_that_results_are_older(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: handshake_us.mice.p95, of: {switch.balance: ecmp, workload.0.load: 0.5}, "
                         "value: [0, 1]}, {claim: D, metric: fct_us.mice.p95, of: {switch.balance: ecmp, "
                         "workload.0.load: 0.5}, value: [0, null]}",
                         usual);
    evaluate(&m);
    assert_true(m.o[0].older && isnan(m.o[0].measured) && m.o[0].verdict == VERDICT_UNMEASURED);
    assert_false(m.o[1].older);
    json_t *line = claim_json(&m.o[0]);
    assert_true(json_is_true(json_object_get(line, "older")));
    json_decref(line);
    made_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(metric_is_newer__what_an_older_table_lacks), UNIT(metric_is_newer__not_what_only_other_runs_have),
        UNIT(metric_is_newer__one_key_of_a_family),       UNIT(metric_is_newer__never_in_a_result_of_this_table),
        UNIT(result_is_older__if_it_lacks_any_metric),    UNIT(older_text__names_the_metric_and_the_command),
        UNIT(expectations__say_that_results_are_older),
    };
    return RUN_UNITS(tests);
}
