/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that read a store g.db of four runs with samples and a `figure` block. Each case gets a store of its own. */
#ifndef HEDDLE_TESTS_DRAWN_H
#define HEDDLE_TESTS_DRAWN_H

#include "program.h"
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* Two balancers, two seeds each; the title holds quotes of both kinds. */
#define DRAWN                                                                                                          \
    "title: \"A 'quoted', \\\"named\\\" run\"\n"                                                                       \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 200KB}]\n"      \
    "measure: {goodput: 20us}\nsweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}\n"
/* One figure of each kind. */
#define FIGURE                                                                                                         \
    "figure:\n  - {name: bars, kind: bars, x: metric, series: switch.balance, "                                        \
    "y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}\n"                         \
    "  - {name: share, kind: cdf, series: switch.balance, y: {metric: fct_us.all, unit: ms}}\n"                        \
    "  - {name: hosts, kind: rank, series: switch.balance, y: {metric: goodput_gbps}}\n"                               \
    "  - {name: over-time, kind: time, series: host, panels: switch.balance, y: {metric: goodput.host}}\n"             \
    "  - {name: numbers, kind: table, x: metric, series: switch.balance, "                                             \
    "y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}\n"

static inline bool has_gnuplot(void) { return system("command -v gnuplot >/dev/null 2>&1") == 0; }

/* Removes the store, its experiment and the folders that cases write. */
static inline int drawn_remove(void **state) {
    (void)state;
    return system("rm -rf g.db g.yaml g.html g-out g-csv");
}

/* Makes g.yaml and its store g.db, which is run once and copied for each case. */
static inline int drawn_make(void **state) {
    if (drawn_remove(state) != 0) return -1;
    file_write("g.yaml", DRAWN FIGURE);
    if (access("made.db", F_OK) == 0) return system("cp made.db g.db");
    return heddle("run g.yaml --quiet -o g.db")->code || system("cp g.db made.db");
}

/* One row of the table in main(). */
#define DRAWN_CASE(f) cmocka_unit_test_setup_teardown(f, drawn_make, drawn_remove)

#endif
