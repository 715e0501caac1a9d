/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/experiment.h"

#include "study_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SWEPT                                                                                                          \
    STAR PERMUTATION                                                                                                   \
        "sweep:\n  switch.balance: [ecmp, expeditus]\n  workload.0.sizes: [1MB, 2MB]\n  run.seed: [1, 2, 3]\n"

static void settings_are(const struct experiment *e, size_t run, const char *expected) {
    char *text = json_dumps(e->run[run].settings, JSON_COMPACT | JSON_REAL_PRECISION(15));
    assert_string_equal(text, expected);
    free(text);
}

static struct experiment *read_set(const char *text, const char *set) {
    struct diag d = {0};
    struct experiment *e = read_with(text, NULL, &set, 1, &d);
    if (!e) print_error("%s\n", d.text);
    assert_non_null(e);
    return e;
}

/* ---- sweeps ---- */

static void sweep__last_key_is_fastest(void **state) {
    (void)state;
    struct experiment *e = read_text(SWEPT);
    assert_int_equal(e->n_runs, 12);
    settings_are(e, 0, "{\"switch.balance\":\"ecmp\",\"workload.0.sizes\":\"1MB\",\"run.seed\":1}");
    settings_are(e, 1, "{\"switch.balance\":\"ecmp\",\"workload.0.sizes\":\"1MB\",\"run.seed\":2}");
    settings_are(e, 3, "{\"switch.balance\":\"ecmp\",\"workload.0.sizes\":\"2MB\",\"run.seed\":1}");
    settings_are(e, 11, "{\"switch.balance\":\"expeditus\",\"workload.0.sizes\":\"2MB\",\"run.seed\":3}");
    assert_int_equal(e->run[11].number, 12);
    assert_string_equal(text_at(e, 11, "switch.balance"), "expeditus");
    experiment_free(e);
}

static void sweep__settings_have_numbers_fractions_quantities_and_the_seed(void **state) {
    (void)state;
    struct experiment *e =
        read_text(STAR "workload: [{kind: poisson, sizes: 1KB, load: 0.1, load_at: host, flows: 3}]\n"
                       "sweep: {workload.0.load: [30%], workload.0.flows: [7], run.until: [1000us], measure.starts: "
                       "[[0%, 50%]]}\n");
    settings_are(e, 0,
                 "{\"workload.0.load\":0.3,\"workload.0.flows\":7,\"run.until\":\"1ms\",\"measure.starts\":\"[0%, "
                 "50%]\",\"run.seed\":1}");
    experiment_free(e);
}

static void sweep__every_run_has_its_own_identity(void **state) {
    (void)state;
    struct experiment *e = read_text(SWEPT);
    for (size_t i = 0; i < e->n_runs; i++) {
        assert_int_equal(strlen(e->run[i].identity), 64);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(e->run[i].identity, e->run[k].identity);
    }
    experiment_free(e);
}

static void sweep__blocks_have_names(void **state) {
    (void)state;
    static const char text[] = STAR PERMUTATION
        "sweep: {switch: {hashed: {balance: ecmp}, sprayed: {balance: spray, buffer: 1MB}}, workload.0: {small: {kind: "
        "permutation, sizes: 1KB}}}\n";
    struct experiment *e = read_text(text);
    assert_int_equal(e->n_runs, 2);
    settings_are(e, 1, "{\"switch\":\"sprayed\",\"workload.0\":\"small\",\"run.seed\":1}");
    assert_string_equal(text_at(e, 1, "switch.buffer"), "1MB");
    assert_string_equal(text_at(e, 0, "workload.0.sizes"), "1KB");
    experiment_free(e);
    e = read_set(text, "switch=[sprayed]");
    assert_int_equal(e->n_runs, 1);
    settings_are(e, 0, "{\"switch\":\"sprayed\",\"workload.0\":\"small\",\"run.seed\":1}");
    experiment_free(e);
    e = read_set(text, "switch={balance: ecmp}");
    settings_are(e, 0, "{\"switch\":\"{balance: ecmp}\",\"workload.0\":\"small\",\"run.seed\":1}");
    experiment_free(e);
    const char *const set[] = {"switch=spraid"};
    refuse_with(text, NULL, set, 1,
                "--set switch:1:1: error: sweep switch: 'spraid' is none of its named values; did you mean 'sprayed'?");
    e = read_text(STAR "sweep: {workload.0: {small: {kind: permutation, sizes: 1KB}}}\n"); /* no other workload */
    assert_string_equal(text_at(e, 0, "workload.0.sizes"), "1KB");
    experiment_free(e);
    refuse(STAR PERMUTATION "sweep: {switch: {}}\n",
           "x.yaml:3:17: error: sweep switch: the list is empty; give a value or remove the key");
    refuse(STAR PERMUTATION "sweep: {run.seed: {one: 1}}\n",
           "x.yaml:3:19: error: sweep run.seed: only blocks and lists have names; write a list of values: [a, b]");
}

/* Two schedules of many phases that differ only in the last phase are two values. */
static void sweep__long_values(void **state) {
    (void)state;
    char text[8192], phases[2048] = "";
    for (int i = 0; i < 50; i++) strcat(phases, "{for: 100us, rate: 2000/s}, ");
    snprintf(text, sizeof text,
             STAR "workload: [{kind: query, responses: [2KB], queries: 3, schedule: [{for: 1ms, rate: 1/s}]}]\n"
                  "sweep: {workload.0.schedule: [[%s{for: 1ms, rate: 1/s}], [%s{for: 1ms, rate: 2/s}]]}\n",
             phases, phases);
    struct experiment *e = read_text(text);
    assert_int_equal(e->n_runs, 2);
    experiment_free(e);
    size_t used = (size_t)snprintf(text, sizeof text, "%s", STAR PERMUTATION "sweep: {");
    for (int i = 0; i < 65; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "fabric.links.%d.rate: [1Gbps], ", i);
    snprintf(text + used, sizeof text - used, "}\n");
    struct diag d = {0};
    assert_null(read_with(text, NULL, NULL, 0, &d));
    assert_string_equal(d.text, "sweep: at most 64 keys are swept at once; sweep fewer");
}

/* 1..3 is 1, 2, 3; a list may have several, and other values beside them. */
static void sweep__a_range_stands_for_its_whole_numbers(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {run.seed: [1..3, 7, 9..9]}\n");
    static const int seed[] = {1, 2, 3, 7, 9};
    assert_int_equal(e->n_runs, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(json_integer_value(json_object_get(e->run[i].settings, "run.seed")), seed[i]);
    experiment_free(e);
    e = read_set(STAR PERMUTATION "sweep: {run.seed: [1, 2]}\n", "run.seed=4..8");
    assert_int_equal(e->n_runs, 5);
    experiment_free(e);
    refuse(STAR PERMUTATION "sweep: {run.seed: [3..2]}\n",
           "x.yaml:3:20: error: '3..2' is no range of 1 to 100000 values; write FIRST..LAST");
    refuse(STAR PERMUTATION "sweep: {run.seed: [1..3, 2]}\n",
           "x.yaml:3:26: error: sweep run.seed: this value is there twice; remove one");
    refuse(STAR PERMUTATION "sweep: {run.seed: [1..x]}\n",
           "x.yaml:3:20: error: run.seed: '.x' is no unit of a count; write no unit, such as 10");
}

static void sweep__errors(void **state) {
    (void)state;
    refuse(STAR PERMUTATION "sweep: {run.seed: 3}\n",
           "x.yaml:3:19: error: sweep run.seed: write a list of values: [a, b]");
    refuse(STAR PERMUTATION "sweep: {run.seed: []}\n",
           "x.yaml:3:19: error: sweep run.seed: the list is empty; give a value or remove the key");
    refuse(STAR PERMUTATION "sweep: {switch.buffer: [30KB, 40KB, 30000B]}\n",
           "x.yaml:3:37: error: sweep switch.buffer: this value is there twice; remove one");
    refuse(STAR PERMUTATION "sweep: {run.sede: [1, 2]}\n",
           "x.yaml:3:20: error: unknown key 'sede' in run; did you mean 'seed'?");
    refuse(STAR PERMUTATION "sweep: {title: [a]}\n", "x.yaml:3:9: error: 'title' cannot be swept; name a key of the "
                                                     "fabric, hosts, switches, workload, run or measure");
    refuse(STAR PERMUTATION "sweep: {run.seed: [1, x]}\n",
           "x.yaml:3:23: error: run.seed: 'x' is not a count; write one such as 10");
}

/* ---- --set ---- */

static void set__a_plain_key(void **state) {
    (void)state;
    struct experiment *e = read_set(STAR PERMUTATION, "host.min_rto=200us");
    assert_string_equal(text_at(e, 0, "host.newreno.min_rto"), "200us");
    experiment_free(e);
    e = read_set(STAR PERMUTATION, "workload.0.sizes=5MB");
    assert_string_equal(text_at(e, 0, "workload.0.sizes"), "5MB");
    experiment_free(e);
    e = read_set(STAR PERMUTATION, "workload=[{kind: stride, sizes: 3KB, offset: 1}]");
    assert_string_equal(text_at(e, 0, "workload.0.kind"), "stride");
    experiment_free(e);
}

/* A list of one item without brackets is still a list, with item 0. */
static void set__an_item_of_a_list_without_brackets(void **state) {
    (void)state;
    const char *single = STAR "workload: {kind: permutation, sizes: 100KB}\nmeasure: {pcap: leaf0}\n";
    const char *set[] = {"workload.0.sizes=5MB", "workload.1={kind: stride, sizes: 3KB, offset: 1}",
                         "measure.pcap.1=host0.0"};
    struct diag d = {0};
    struct experiment *e = read_with(single, NULL, set, 3, &d);
    assert_non_null(e);
    assert_string_equal(text_at(e, 0, "workload.0.sizes"), "5MB");
    assert_string_equal(text_at(e, 0, "workload.0.kind"), "permutation");
    assert_string_equal(text_at(e, 0, "workload.1.kind"), "stride");
    assert_string_equal(text_at(e, 0, "measure.pcap.0"), "leaf0");
    assert_string_equal(text_at(e, 0, "measure.pcap.1"), "host0.0");
    experiment_free(e);
    const char *no_list = "run.0.seed=5";
    refuse_with(single, NULL, &no_list, 1,
                "--set run.0.seed:1:1: error: unknown key '0' in run; known are: seed, until");
}

static void sweep__an_item_of_a_list_without_brackets(void **state) {
    (void)state;
    struct experiment *e =
        read_text(STAR "workload: {kind: permutation, sizes: 100KB}\nsweep: {workload.0.sizes: [1MB, 2MB]}\n"
                       "profiles: {other: {sweep: {workload.0.sizes: [3MB]}}}\n");
    assert_int_equal(e->n_runs, 2);
    settings_are(e, 1, "{\"workload.0.sizes\":\"2MB\",\"run.seed\":1}");
    assert_string_equal(text_at(e, 1, "workload.0.sizes"), "2MB");
    experiment_free(e);
}

static void set__on_a_swept_key_replaces_the_axis(void **state) {
    (void)state;
    struct experiment *e = read_set(SWEPT, "run.seed=7");
    assert_int_equal(e->n_runs, 4);
    settings_are(e, 0, "{\"switch.balance\":\"ecmp\",\"workload.0.sizes\":\"1MB\",\"run.seed\":7}");
    experiment_free(e);
    e = read_set(SWEPT, "switch.balance=[clairvoyant]");
    assert_int_equal(e->n_runs, 6);
    assert_string_equal(text_at(e, 5, "switch.balance"), "clairvoyant");
    experiment_free(e);
}

static void set__can_make_and_remove_an_axis(void **state) {
    (void)state;
    struct experiment *e = read_set(STAR PERMUTATION, "sweep.run.seed=[1, 2]");
    assert_int_equal(e->n_runs, 2);
    experiment_free(e);
    e = read_set(SWEPT, "sweep.run.seed=null");
    assert_int_equal(e->n_runs, 4);
    experiment_free(e);
    e = read_set(SWEPT, "sweep.switch.balance=null"); /* the runs then have the key's single value */
    assert_null(json_object_get(e->run[0].settings, "switch.balance"));
    experiment_free(e);
}

static void set__errors(void **state) {
    (void)state;
    const char *bad[] = {"run.sede=3", "run.seed", "run.seed=[1, 2]", "run.seed=", "host.min_rto=5"};
    refuse_with(STAR PERMUTATION, NULL, &bad[0], 1,
                "--set run.sede:1:1: error: unknown key 'sede' in run; did you mean 'seed'?");
    refuse_with(STAR PERMUTATION, NULL, &bad[1], 1, "error: --set run.seed: write --set KEY=VALUE");
    refuse_with(STAR PERMUTATION, NULL, &bad[2], 1,
                "--set run.seed:1:1: error: run.seed is one value, not a list; sweep: {run.seed: [...]} in the file "
                "makes a run of "
                "each");
    refuse_with(STAR PERMUTATION, NULL, &bad[3], 1, "error: --set run.seed: no value; write --set KEY=VALUE");
    refuse_with(
        STAR PERMUTATION, NULL, &bad[4], 1,
        "--set host.min_rto:1:1: error: host.min_rto: '5' has no unit; write ps, ns, us, ms or s, such as 20us");
}

/* ---- profiles ---- */

#define PROFILES                                                                                                       \
    SWEPT "profiles:\n  small: {fabric: {hosts: 2}, sweep: {run.seed: [9]}}\n  tiny: {fabric: {hosts: 3}}\n"

static void profile__is_laid_over_the_file(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_with(PROFILES, "small", NULL, 0, &d);
    assert_non_null(e);
    assert_int_equal(e->n_runs, 4);
    assert_string_equal(text_at(e, 0, "fabric.hosts"), "2");
    assert_string_equal(text_at(e, 0, "fabric.kind"), "star");
    assert_string_equal(text_at(e, 0, "run.seed"), "9");
    assert_string_equal(e->stem, "x");
    assert_string_equal(e->name, "x@small");
    experiment_free(e);
}

/* As --set does: one key of an item, or the values of an axis. */
static void profile__a_path_is_as_set_takes_it(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e =
        read_with("fabric: {kind: star, hosts: 4}\nworkload: {kind: permutation, sizes: 9KB}\nsweep: {switch.balance: "
                  "[ecmp, spray], run.seed: [1, 2]}\nprofiles: {small: {workload.0.sizes: 1KB, run.seed: 3, "
                  "workload: {sizes: 5KB}, run.until: 7ms}}\n",
                  "small", NULL, 0, &d);
    assert_non_null(e);
    assert_int_equal(e->n_runs, 2);
    assert_string_equal(text_at(e, 0, "workload.0.sizes"), "1KB");
    assert_string_equal(text_at(e, 0, "workload.0.kind"), "permutation");
    assert_string_equal(text_at(e, 1, "run.seed"), "3");
    assert_string_equal(text_at(e, 1, "run.until"), "7ms");
    experiment_free(e);
}

static void profile__none_is_the_file_itself(void **state) {
    (void)state;
    struct experiment *e = read_text(PROFILES), *plain = read_text(SWEPT);
    assert_string_equal(e->run[0].identity, plain->run[0].identity);
    experiment_free(e);
    experiment_free(plain);
}

static void profile__unknown_names_the_nearest(void **state) {
    (void)state;
    refuse_with(PROFILES, "smal", NULL, 0, "x.yaml:8:3: error: there is no profile 'smal'; did you mean 'small'?");
    refuse_with(SWEPT, "small", NULL, 0, "x.yaml:1:1: error: there is no profile 'small'; the file has none");
}

/* All profiles are checked, whichever is chosen. */
static void profile__all_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *profile, *line;
    } wrong[] = {
        {"{hots: {}}", "x.yaml:8:10: error: unknown key 'hots'; did you mean 'host'?"},
        {"{fabric: {hosts: many}}", "x.yaml:8:26: error: fabric.hosts: 'many' is not a count; write one such as 10"},
        {"{measure: [1]}", "x.yaml:8:19: error: measure holds keys; write measure: {KEY: VALUE}"},
        {"{scheme: expeditos}", "x.yaml:8:18: error: unknown scheme 'expeditos'; did you mean 'expeditus'?"},
        {"{sweep: {run.seed: [1, x]}}", "x.yaml:8:32: error: run.seed: 'x' is not a count; write one such as 10"},
        {"{sweep: {run.sede: [1]}}", "x.yaml:8:29: error: unknown key 'sede' in run; did you mean 'seed'?"},
        {"{expect: [{metrik: a}]}", "x.yaml:8:20: error: unknown key 'metrik' in expect.0; did you mean 'metric'?"},
        {"[1]", "x.yaml:8:9: error: a profile holds keys; write bad: {KEY: VALUE}"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1024];
        snprintf(text, sizeof text, SWEPT "profiles:\n  bad:  %s\n  good: {run: {seed: 1}}\n", wrong[i].profile);
        refuse(text, wrong[i].line);
        refuse_with(text, "good", NULL, 0, wrong[i].line);
        refuse_with(text, "bad", NULL, 0, wrong[i].line);
    }
}

/* Other profiles are checked as the file has them, without --set; a key that only --set gives is not missing from
 * them. */
static void profile__others_are_checked_as_the_file_has_them(void **state) {
    (void)state;
    const char *set[] = {"workload.0.kind=stride", "workload.0.offset=1"};
    struct diag d = {0};
    struct experiment *e = read_with(
        STAR "workload: [{sizes: 100KB}]\nprofiles: {meet: {workload: [{kind: incast, sizes: 1KB, rounds: 3}]}}\n",
        NULL, set, 2, &d);
    assert_non_null(e);
    experiment_free(e);
}

/* ---- identity ---- */

static void file_write(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void identity__has_the_contents_of_files_in_it(void **state) {
    (void)state;
    const char *text = STAR "workload: [{kind: permutation, sizes: identity.cdf}]\n";
    file_write("identity.cdf", "1000 0\n2000 1\n");
    struct experiment *a = read_text(text);
    file_write("identity.cdf", "1000 0\n3000 1\n");
    struct experiment *b = read_text(text);
    assert_string_equal(a->run[0].text, b->run[0].text);
    assert_string_not_equal(a->run[0].identity, b->run[0].identity);
    experiment_free(a);
    experiment_free(b);
    unlink("identity.cdf");
}

/* Returns whether the identity of the only run is that of RESULT_VERSION and the settings that act, without a correction. */
static bool is_uncorrected(const char *text) {
    struct experiment *e = read_text(text);
    char *whole, *acting = config_acting(&e->run[0].config), hex[SHA256_TEXT];
    assert_true(asprintf(&whole, "results %d\n%s", RESULT_VERSION, acting) > 0);
    free(acting);
    sha256_text(whole, strlen(whole), hex);
    bool equal = strcmp(hex, e->run[0].identity) == 0;
    free(whole);
    experiment_free(e);
    return equal;
}

/* Samples of links whose rate changes, windows in timelines, and messages of one connection were wrong in older stores of this
 * version: those runs are run again, no others. */
static void identity__changes_where_results_were_corrected(void **state) {
    (void)state;
#define FAILED(more) "fabric: {kind: star, hosts: 4, failed: [{link: host0.0-leaf0, at: 1ms" more "}]}\n" PERMUTATION
    assert_true(is_uncorrected(STAR PERMUTATION));
    assert_true(is_uncorrected(FAILED("")));
    assert_true(is_uncorrected(FAILED(", loss: 1%")));
    assert_false(is_uncorrected(FAILED(", rate: 1Gbps")));
    assert_true(is_uncorrected(STAR PERMUTATION "measure: {flow: []}\n"));
    assert_false(is_uncorrected(STAR PERMUTATION "measure: {flow: [1]}\n"));
    assert_false(is_uncorrected(STAR "workload: {kind: collective, op: all-reduce, size: 1MB}\n"));
    assert_false(is_uncorrected(STAR "workload: {kind: training, layers: 1, gradients: 1MB}\n"));
}

static void identity__a_file_that_cannot_be_read_is_an_error(void **state) {
    (void)state;
    refuse(STAR "workload: [{kind: permutation, sizes: nosuch.cdf}]\n",
           "x.yaml:2:39: error: cannot read nosuch.cdf: No such file or directory; name a file, relative to the "
           "experiment's folder");
    refuse(STAR "workload: [{kind: trace, path: nosuch.csv}]\n",
           "x.yaml:2:32: error: cannot read nosuch.csv: No such file or directory; name a file, relative to the "
           "experiment's folder");
}

static void identity__title_and_expectations_are_no_part_of_it(void **state) {
    (void)state;
    struct experiment *a = read_text(STAR PERMUTATION);
    struct experiment *b =
        read_text("title: T\n" STAR PERMUTATION "expect: [{claim: c, metric: fct_us.all.mean, value: [0, null]}]\n");
    assert_string_equal(a->run[0].identity, b->run[0].identity);
    experiment_free(a);
    experiment_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(sweep__last_key_is_fastest),
        UNIT(sweep__a_range_stands_for_its_whole_numbers),
        UNIT(sweep__settings_have_numbers_fractions_quantities_and_the_seed),
        UNIT(sweep__every_run_has_its_own_identity),
        UNIT(sweep__blocks_have_names),
        UNIT(sweep__long_values),
        UNIT(sweep__errors),
        UNIT(set__a_plain_key),
        UNIT(set__an_item_of_a_list_without_brackets),
        UNIT(sweep__an_item_of_a_list_without_brackets),
        UNIT(set__on_a_swept_key_replaces_the_axis),
        UNIT(set__can_make_and_remove_an_axis),
        UNIT(set__errors),
        UNIT(profile__is_laid_over_the_file),
        UNIT(profile__a_path_is_as_set_takes_it),
        UNIT(profile__none_is_the_file_itself),
        UNIT(profile__unknown_names_the_nearest),
        UNIT(profile__all_are_checked),
        UNIT(profile__others_are_checked_as_the_file_has_them),
        UNIT(identity__has_the_contents_of_files_in_it),
        UNIT(identity__changes_where_results_were_corrected),
        UNIT(identity__a_file_that_cannot_be_read_is_an_error),
        UNIT(identity__title_and_expectations_are_no_part_of_it),
    };
    return RUN_UNITS(tests);
}
