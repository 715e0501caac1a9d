/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/goodput.h"

#include "base/views.h"

#include "unit.h"

static const struct flow_selection all = {.arrivals = {.until = TIME_NONE, .starts_to_ppb = PPB}};

static void goodput__is_payload_over_completion_time(void **state) {
    (void)state;
    struct flow flow[3] = {{.start = 0, .bytes = 1000, .stop = TIME_NONE},
                           {.start = 0, .bytes = UINT64_MAX, .stop = 4 * PS_PER_US},
                           {.start = 0, .bytes = 2000000, .stop = TIME_NONE}};
    struct flow_tally tally[3] = {{.finished_at = PS_PER_US, .received_bytes = 1000},
                                  {.finished_at = TIME_NONE, .received_bytes = 1000},
                                  {.finished_at = TIME_NONE, .received_bytes = 500}};
    struct goodput goodput[FLOW_CLASSES];
    goodput_summarise(flow, tallies_of(tally), 3, &all, 10 * PS_PER_US, goodput);
    assert_int_equal(goodput[CLASS_MICE].bps.mean, 8000000000);
    assert_int_equal(goodput[CLASS_ELEPHANT].bps.n, 1);
    assert_int_equal(goodput[CLASS_ELEPHANT].bps.mean, 2000000000);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 2);
}

/* The selection covers ten flows by the order of arrival, from 20 % to 50 %, and none that starts before `from`. A flow
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
    struct flow_selection some = {
        .arrivals = {.starts_from_ppb = PPB / 5, .until = TIME_NONE, .starts_to_ppb = PPB / 2}};
    struct goodput goodput[FLOW_CLASSES];
    goodput_summarise(flow, tallies_of(tally), 10, &some, 20 * PS_PER_US, goodput);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 3);
    assert_int_equal(goodput[CLASS_ALL].bps.mean, 1003 * 8 * 1000000LL); /* flows 2, 3 and 4 */
    some.arrivals.from = 3 * PS_PER_US;
    flow[4].bytes = UINT64_MAX;
    flow[4].stop = flow[4].start;
    goodput_summarise(flow, tallies_of(tally), 10, &some, 20 * PS_PER_US, goodput);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 1);
    assert_int_equal(goodput[CLASS_ALL].bps.max, 1003 * 8 * 1000000LL);
}

/* Jain's index of three flows of one size: 1, 1 and 4 give 36 / (3 x 18). With a fourth flow of another size there is
 * no index. */
static void goodput__jain_of_equal_flows(void **state) {
    (void)state;
    struct flow flow[4];
    struct flow_tally tally[4];
    for (int i = 0; i < 4; i++) {
        flow[i] = (struct flow){.bytes = i == 3 ? 2000000 : 1000, .stop = TIME_NONE};
        tally[i] = (struct flow_tally){.finished_at = i == 2 ? PS_PER_US : 4 * PS_PER_US, .received_bytes = 1000};
    }
    struct goodput goodput[FLOW_CLASSES];
    goodput_summarise(flow, tallies_of(tally), 4, &all, 20 * PS_PER_US, goodput);
    assert_int_equal(goodput[CLASS_MICE].jain_ppm, 666666);
    assert_int_equal(goodput[CLASS_ALL].jain_ppm, JAIN_NONE);
    assert_int_equal(goodput[CLASS_ELEPHANT].jain_ppm, JAIN_NONE); /* one flow */
    goodput_summarise(NULL, tallies_of(NULL), 0, &all, 20 * PS_PER_US, goodput);
    assert_int_equal(goodput[CLASS_ALL].bps.n, 0);
    assert_int_equal(goodput[CLASS_ALL].jain_ppm, JAIN_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(goodput__is_payload_over_completion_time),
        UNIT(goodput__of_the_selected_flows),
        UNIT(goodput__jain_of_equal_flows),
    };
    return RUN_UNITS(tests);
}
