/* SPDX-License-Identifier: Apache-2.0 */
/* When flows start that wait for others, if each took as long as is foreseen: here as many picoseconds as it has bytes. */
#include "sim/foresee/starts.h"

#include "workload/workload.h"

#include "feeds.h"
#include "unit.h"

#include <stdlib.h>

static span_ps as_many_as_bytes(const struct world_config *config, const struct flow *flow) {
    (void)config;
    return (span_ps)flow->bytes;
}

/* Flow 0 from host 0 starts at 5. Gate 0, of its receiver, starts flow 1 seven later; gate 1, of its sender, starts flow 2
 * when flows 0 and 1 have ended; gate 2 needs nothing and starts flow 3; nobody starts flow 4. */
static void starts__follow_from_the_ends_of_others(void **state) {
    (void)state;
    struct flow flow[] = {{.start = 5, .bytes = 100, .src = 0, .dst = 1},
                          {.start = TIME_NONE, .bytes = 30, .src = 1, .dst = 0},
                          {.start = TIME_NONE, .bytes = 1, .src = 0, .dst = 1},
                          {.start = TIME_NONE, .bytes = 1, .src = 2, .dst = 1},
                          {.start = TIME_NONE, .bytes = 1, .src = 2, .dst = 1}};
    struct gate gate[] = {{.host = 1, .needs = 1, .first = 0, .n = 1, .delay = 7},
                          {.host = 0, .needs = 2, .first = 1, .n = 1},
                          {.host = 2, .needs = 0, .first = 2, .n = 1, .delay = 11}};
    const uint32_t gated[] = {1, 2, 3};
    struct flow_list list = {.flow = flow, .n = 5};
    struct feeds feeds = {0};
    list.gates = (struct gates){.gate = gate, .gated = gated, .n_gates = 3, .n_gated = 3};
    feeds_add(&feeds, 0, FED_RECEIVED, 0);
    feeds_add(&feeds, 0, FED_ACKED, 1);
    feeds_add(&feeds, 1, FED_RECEIVED, 1);
    feeds_finish(&feeds, &list.gates, 5);
    const struct world_config config = {.flows = &list};
    time_ps *start = starts_foreseen(&config, as_many_as_bytes);
    assert_int_equal(start[0], 5);
    assert_int_equal(start[1], 5 + 100 + 7);
    assert_int_equal(start[2], 5 + 100 + 7 + 30);
    assert_int_equal(start[3], 11);
    assert_int_equal(start[4], 0);
    free(start);
}

static void starts__of_flows_that_do_not_wait(void **state) {
    (void)state;
    struct flow flow[] = {{.start = 5, .bytes = 100}};
    struct flow_list list = {.flow = flow, .n = 1};
    const struct world_config config = {.flows = &list};
    assert_null(starts_foreseen(&config, as_many_as_bytes));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts__follow_from_the_ends_of_others),
        cmocka_unit_test(starts__of_flows_that_do_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
