/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/missing.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

/* Three loads and two seeds, of which the runs with '1' in `done` are done; `text` is what is missing. */
static void is_missing(const char *done, const char *text) {
    struct sweep_run run[6];
    for (size_t i = 0; i < 6; i++) {
        json_t *settings = json_pack("{s:s,s:i,s:i}", "switch.balance", "ecmp", "workload.0.load", (int)(i / 2),
                                     "run.seed", (int)(i % 2) + 1);
        run[i] = (struct sweep_run){settings, done[i] == '1'};
    }
    char *missing = missing_text(run, 6);
    assert_string_equal(missing, text);
    free(missing);
    for (size_t i = 0; i < 6; i++) json_decref((json_t *)run[i].settings);
}

static void missing_text__names_values_of_axes(void **state) {
    (void)state;
    is_missing("111111", "");
    is_missing("101100", "3 of 6 runs are done; missing:\n"
                         "  workload.0.load: 0 (1 of 2), 2 (all)\n"
                         "  run.seed: 1 (1 of 3), 2 (2 of 3)\n");
    is_missing("000000", "0 of 6 runs are done; missing:\n"
                         "  workload.0.load: 0 (all), 1 (all), 2 (all)\n"
                         "  run.seed: 1 (all), 2 (all)\n");
}

static void missing_text__cuts_long_lists(void **state) {
    (void)state;
    struct sweep_run run[100];
    for (int i = 0; i < 100; i++) run[i] = (struct sweep_run){json_pack("{s:i}", "run.seed", i), i < 50};
    char *missing = missing_text(run, 100);
    assert_string_equal(missing, "50 of 100 runs are done; missing:\n"
                                 "  run.seed: 50 (all), 51 (all), 52 (all), 53 (all), 54 (all), 55 (all), 56 (all), "
                                 "57 (all), 58 (all), 59 (all), 60 (all), 61 (all) and 38 more values\n");
    free(missing);
    for (int i = 0; i < 100; i++) json_decref((json_t *)run[i].settings);
}

/* The second run is of another sweep, which lacks the key. */
static void missing_text__leaves_out_keys_that_runs_lack(void **state) {
    (void)state;
    struct sweep_run run[] = {{json_pack("{s:i,s:i}", "run.seed", 1, "workload.0.load", 1), false},
                              {json_pack("{s:i}", "run.seed", 2), false},
                              {json_pack("{s:i}", "run.seed", 3), true}};
    char *missing = missing_text(run, 3);
    assert_string_equal(missing, "1 of 3 runs are done; missing:\n  run.seed: 1 (all), 2 (all)\n");
    free(missing);
    for (size_t i = 0; i < 3; i++) json_decref((json_t *)run[i].settings);
}

static void missing_text__of_a_single_run(void **state) {
    (void)state;
    struct sweep_run run = {json_pack("{s:i}", "run.seed", 1), false};
    char *missing = missing_text(&run, 1);
    assert_string_equal(missing, "0 of 1 runs are done\n");
    free(missing);
    json_decref((json_t *)run.settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(missing_text__names_values_of_axes),
        UNIT(missing_text__cuts_long_lists),
        UNIT(missing_text__leaves_out_keys_that_runs_lack),
        UNIT(missing_text__of_a_single_run),
    };
    return RUN_UNITS(tests);
}
