/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(preflight_compare__equal_cards),
        UNIT(preflight_compare__names_the_rank_that_differs),
    };
    return RUN_UNITS(tests);
}
