/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that run a small experiment x.yaml, whose store is x.db. Each case begins and ends without either file. */
#ifndef HEDDLE_TESTS_FRESH_H
#define HEDDLE_TESTS_FRESH_H

#include "program.h"
#include "unit.h"

#include <unistd.h>

/* Four flows of 200 KB between four hosts. */
#define SMALL                                                                                                          \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 200KB}]\n"
/* Four runs of it: two balancers, two seeds each. */
#define SWEPT SMALL "sweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}\n"

static int fresh(void **state) {
    (void)state;
    unlink("x.db");
    unlink("x.yaml");
    return 0;
}

/* One row of the table in main(). */
#define CASE(f) cmocka_unit_test_setup_teardown(f, fresh, fresh)

#endif
