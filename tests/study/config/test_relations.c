/* SPDX-License-Identifier: Apache-2.0 */
/* Relations between the values of keys, which rows of the tables name (study/config/relations.h). */
#include "study/config/relations.h"

#include "study_test.h"

#define SIGNS "<>=0|+" /* characters of all relations */

/* ---- the rows ---- */

/* Calls `check` with each row that has relations, and the path of each other key. */
static unsigned for_each_word(void (*check)(const struct key *k, const struct key *other, const char *word)) {
    size_t n;
    unsigned words = 0;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        char order[128], path[KEY_PATH_MAX], *rest = order, *word;
        snprintf(order, sizeof order, "%s", k[i].param.order ? k[i].param.order : "");
        while ((word = strtok_r(rest, " ", &rest))) {
            snprintf(path, sizeof path, "%.*s%s", (int)(strlen(k[i].path) - strlen(key_name(&k[i]))), k[i].path,
                     word + strspn(word, SIGNS));
            check(&k[i], schema_find(path), word);
            words++;
        }
    }
    return words;
}

static void assert_comparable(const struct key *k, const struct key *other, const char *word) {
    static const char *const signs[] = {"<=", ">=", ">", "0|>=", "+"};
    size_t sign = strspn(word, SIGNS);
    bool known = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        known |= sign == strlen(signs[i]) && strncmp(word, signs[i], sign) == 0;
    if (!other) fail_msg("%s: %s names no key beside it", k->path, word);
    if (!known) fail_msg("%s: %s is no relation", k->path, word);
    assert_int_equal(k->kind, KEY_VALUE);
    assert_int_equal(other->kind, KEY_VALUE);
    assert_int_equal(k->param.type, other->param.type);
}

static void order__names_a_key_beside_it_of_the_same_type(void **state) {
    (void)state;
    assert_true(for_each_word(assert_comparable) > 20);
}

static void refuse__has_a_condition_and_a_reason(void **state) {
    (void)state;
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (k[i].param.refuse) assert_true(k[i].param.needs_too && k[i].param.lacks_too);
}

/* ---- what is refused ---- */

static void relations_check__names_both_places(void **state) {
    (void)state;
    refuse(STAR PERMUTATION "host:\n  min_rto: 1s\n  max_rto: 1ms\n",
           "x.yaml:4:12: error: host.newreno.min_rto: 1s is above max_rto, 1ms at x.yaml:5:12; write at most 1ms, or "
           "change max_rto");
    refuse(STAR PERMUTATION "host: {transport: cubic, cubic: {initial_rto: 2s, max_rto: 1s}}\n",
           "x.yaml:3:47: error: host.cubic.initial_rto: 2s is above max_rto, 1s at x.yaml:3:60; write at most 1s, or "
           "change max_rto");
}

static void relations_check__a_default_has_no_place(void **state) {
    (void)state;
    refuse(STAR PERMUTATION "host: {max_rto: 1ms}\n",
           "x.yaml:3:17: error: host.newreno.min_rto: 10ms (default) is above max_rto, 1ms; write at most 1ms, or "
           "change max_rto");
    refuse(STAR PERMUTATION "switch: {balance: alb, alb: {threshold_1: 100KB}}\n",
           "x.yaml:3:43: error: switch.alb.threshold_1: 100KB is above threshold_2, 64KiB (default); write at most "
           "64KiB, or change threshold_2");
}

static void relations_check__aggressiveness_lies_in_its_bounds(void **state) {
    (void)state;
#define AGGRESSIVE(values) STAR PERMUTATION "host: {transport: spraypass, " values "}\n"
    experiment_free(read_text(AGGRESSIVE("w_init: 10%, w_min: 10%, w_max: 10%")));
    refuse(
        AGGRESSIVE("w_min: 50%, w_max: 1%, w_init: 1%"),
        "x.yaml:3:61: error: host.spraypass.w_init: 1% is below w_min, 50% at x.yaml:3:37; write 0 or at least 50%, or "
        "change w_min");
    refuse(AGGRESSIVE("w_min: 50%, w_max: 1%"),
           "x.yaml:3:37: error: host.spraypass.w_min: 50% is above w_max, 1% at x.yaml:3:49; write at most 1%, or "
           "change w_max");
    refuse(AGGRESSIVE("w_max: 10%"),
           "x.yaml:3:37: error: host.spraypass.w_init: 50% (default) is above w_max, 10%; write at most 10%, or change "
           "w_max");
    refuse(AGGRESSIVE("w_min: 60%, w_max: 55%, w_init: 60%"),
           "x.yaml:3:62: error: host.spraypass.w_init: 60% is above w_max, 55% at x.yaml:3:49; write at most 55%, or "
           "change w_max");
}

/* AM-48: 0 is a first aggressiveness of its own; then the first rate must be given. */
static void relations_check__no_aggressiveness_at_first(void **state) {
    (void)state;
    experiment_free(read_text(AGGRESSIVE("w_init: 0, initial_rate: 6.25%")));
    experiment_free(read_text(STAR PERMUTATION "host: {transport: expresspass, feedback: printed, w_init: 0}\n"));
    refuse(AGGRESSIVE("w_init: 0"),
           "x.yaml:3:38: error: host.spraypass.initial_rate: 0 (default) is no more than w_init, 0; write more than 0, "
           "or change w_init");
}

static void relations_check__thresholds_are_in_order(void **state) {
    (void)state;
#define ALB(values) STAR PERMUTATION "switch: {balance: alb, alb: {" values "}}\n"
    experiment_free(read_text(ALB("threshold_1: 16KB, threshold_2: 16KB")));
    experiment_free(read_text(ALB("threshold_1: 80KB, threshold_2: 64KB, thresholds: one"))); /* no second threshold */
    refuse(ALB("threshold_1: 80KB, threshold_2: 64KB, thresholds: min"),
           "x.yaml:3:43: error: switch.alb.threshold_1: 80KB is above threshold_2, 64KB at x.yaml:3:62; write at most "
           "64KB, or change threshold_2");
    refuse(STAR PERMUTATION "switch: {crossbar: islip, flowctl: pause, pause_above: 10KB, release_below: 20KB}\n",
           "x.yaml:3:77: error: switch.release_below: 20KB is above pause_above, 10KB at x.yaml:3:56; write at most "
           "10KB, or change pause_above");
}

static void relations_check__ends_come_after_their_starts(void **state) {
    (void)state;
    refuse(STAR "workload: {kind: background, sizes: 1KB, start: 2ms, stop: 2ms}\n",
           "x.yaml:2:60: error: workload.0.stop: 2ms is not above start, 2ms at x.yaml:2:49; write more than 2ms, or "
           "change start");
    refuse("fabric: {kind: star, hosts: 4, failed: {link: host0.0-leaf0, at: 2ms, repair_at: 1ms}}\n" PERMUTATION,
           "x.yaml:1:82: error: fabric.failed.0.repair_at: 1ms is not above at, 2ms at x.yaml:1:66; write more than "
           "2ms, or change at");
}

/* ---- what is not ---- */

static void relations_check__keys_without_effect_have_none(void **state) {
    (void)state;
    experiment_free(read_text(STAR PERMUTATION "host: {transport: expresspass, w_min: 50%, w_max: 1%}\n"));
    experiment_free(read_text(STAR PERMUTATION "host: {initial_rto: 0s, max_rto: 20ms}\n"));
    experiment_free(read_text(STAR PERMUTATION "host: {cubic: {min_rto: 1s, max_rto: 1ms}}\n")); /* not in use */
}

static void relations_check__each_run_of_a_sweep(void **state) {
    (void)state;
    refuse(STAR PERMUTATION "host: {max_rto: 1s}\nsweep: {host.newreno.min_rto: [1ms, 2s]}\n",
           "x.yaml:4:37: error: host.newreno.min_rto: 2s is above max_rto, 1s at x.yaml:3:17; write at most 1s, or "
           "change max_rto");
}

static void relations_check__a_key_that_another_replaces(void **state) {
    (void)state;
#define PRESET(more) STAR PERMUTATION "switch: {crossbar: islip, flowctl: pfc, pause_preset: by-rate" more "}\n"
    experiment_free(read_text(PRESET("")));
    refuse(PRESET(", islip: {ingress: 300KB}"),
           "x.yaml:3:81: error: switch.islip.ingress: switch.pause_preset: by-rate computes it; leave out one of them");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(order__names_a_key_beside_it_of_the_same_type),
        UNIT(refuse__has_a_condition_and_a_reason),
        UNIT(relations_check__names_both_places),
        UNIT(relations_check__a_default_has_no_place),
        UNIT(relations_check__aggressiveness_lies_in_its_bounds),
        UNIT(relations_check__no_aggressiveness_at_first),
        UNIT(relations_check__thresholds_are_in_order),
        UNIT(relations_check__ends_come_after_their_starts),
        UNIT(relations_check__keys_without_effect_have_none),
        UNIT(relations_check__each_run_of_a_sweep),
        UNIT(relations_check__a_key_that_another_replaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
