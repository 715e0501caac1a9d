/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "study/run/crew.h"
#include "study/run/preflight.h"

#include <string.h>

#define CARDS 3

static void cards_fill(struct preflight_card card[CARDS]) {
    memset(card, 0, CARDS * sizeof *card);
    for (int i = 0; i < CARDS; i++) {
        snprintf(card[i].machine, sizeof card[i].machine, "node%d", i);
        snprintf(card[i].program, sizeof card[i].program, "cafe");
        snprintf(card[i].experiment, sizeof card[i].experiment, "beef");
    }
}

static void preflight_compare__equal_cards(void **state) {
    (void)state;
    struct preflight_card card[CARDS];
    struct diag d = {0};
    cards_fill(card);
    assert_true(preflight_compare(card, CARDS, &d));
}

static void preflight_compare__names_the_rank_that_differs(void **state) {
    (void)state;
    struct preflight_card card[CARDS];
    struct diag d = {0};
    cards_fill(card);
    card[2].program[0] = 'd';
    assert_false(preflight_compare(card, CARDS, &d));
    assert_non_null(strstr(d.text, "rank 2 on node2 runs another build"));
    cards_fill(card);
    card[1].experiment[0] = 'd';
    assert_false(preflight_compare(card, CARDS, &d));
    assert_non_null(strstr(d.text, "rank 1 on node1 reads another experiment"));
    cards_fill(card);
    snprintf(card[1].error, sizeof card[1].error, "x.yaml: error: not there");
    assert_false(preflight_compare(card, CARDS, &d));
    assert_non_null(strstr(d.text, "rank 1 on node1: x.yaml: error: not there"));
}

static void crew_choose__the_fewest_runs_and_the_leader_last(void **state) {
    (void)state;
    struct ranks r = {.rank = 0, .size = 3, .on_machine = 3};
    struct job job[6] = {0};
    uint32_t order[6];
    for (size_t n = 0; n < 6; n++) order[n] = job[n].rank = crew_choose(&r, job, n);
    assert_int_equal(order[0] + order[1], 3); /* 1 and 2, in some order */
    assert_int_equal(order[2], 0);
    assert_int_equal(order[3] + order[4], 3);
    assert_int_equal(order[5], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(preflight_compare__equal_cards),
        UNIT(preflight_compare__names_the_rank_that_differs),
        UNIT(crew_choose__the_fewest_runs_and_the_leader_last),
    };
    return RUN_UNITS(tests);
}
