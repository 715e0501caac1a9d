/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/expect_table.h"

#include "expect_test.h"

/* 1.11 KB is 1,110 bytes, the unit of queues; 20 % of it either way are 888 and 1,332. */
static void write_out__a_claim_for_each_number(void **state) {
    (void)state;
    written_out("expect: [{claim: T, metric: queues_bytes.mean, of: {scheme: x}, table: {unit: KB, within: 20%,\n"
                "  columns: {load: [0.4, 0.6]}, rows: {sizes: {web: [1.11, null], cache: [2, 0.5]}}}}]\n",
                "[{claim: T, metric: queues_bytes.mean, of: {scheme: x, sizes: web, load: 0.4}, paper: 1.11 KB, "
                "value: [888, 1332]}, "
                "{claim: T, metric: queues_bytes.mean, of: {scheme: x, sizes: cache, load: 0.4}, paper: 2 KB, "
                "value: [1600, 2400]}, "
                "{claim: T, metric: queues_bytes.mean, of: {scheme: x, sizes: cache, load: 0.6}, paper: 0.5 KB, "
                "value: [400, 600]}]");
}

/* Without a unit numbers are in that of the metric; below zero the range keeps its order. */
static void write_out__half_to_twice(void **state) {
    (void)state;
    written_out("expect: {claim: T, metric: packets.dropped, table: {within: [50%, 200%], columns: {load: [1]}, rows: "
                "{s: {a: [8], b: [-8]}}}}\n",
                "[{claim: T, metric: packets.dropped, of: {s: a, load: 1}, paper: 8, value: [4, 16]}, "
                "{claim: T, metric: packets.dropped, of: {s: b, load: 1}, paper: -8, value: [-16, -4]}]");
    written_out("expect: {claim: T, metric: fct_us.all.mean, table: {within: 0%, columns: {load: [1]}, rows: {s: {a: "
                "[8]}}}}\n",
                "[{claim: T, metric: fct_us.all.mean, of: {s: a, load: 1}, paper: 8 us, value: [8, 8]}]");
}

/* Rows of a block, and its metrics, may each have the table. */
static void write_out__rows_and_metrics_have_tables(void **state) {
    (void)state;
    written_out("expect: {claim: T, metric: [queues_bytes.mean, queues_bytes.max], rows: [{table: {within: 50%, "
                "columns: {l: [1]}, rows: {s: {a: [8]}}}}]}\n",
                "[{claim: T, metric: queues_bytes.mean, of: {s: a, l: 1}, paper: 8 B, value: [4, 12]}, "
                "{claim: T, metric: queues_bytes.max, of: {s: a, l: 1}, paper: 8 B, value: [4, 12]}]");
}

#define COLUMNS "columns: {load: [1, 2]}"

/* Fails the test unless a claim with these lines is refused with this line. */
static void claim_refused(const char *lines, const char *line) {
    char text[1024];
    snprintf(text, sizeof text, "expect:\n- claim: A\n%s", lines);
    refused(text, line);
}

static void write_out__errors(void **state) {
    (void)state;
    claim_refused("  table: 3\n", "x.yaml:3:10: error: write table: {within: 20%, columns: {...}, rows: {...}}");
    claim_refused("  paper: 3 KB\n  table: {}\n",
                  "x.yaml:3:10: error: paper is what each cell of the table says; leave it out");
    claim_refused("  value: [1, 2]\n  table: {}\n",
                  "x.yaml:3:10: error: value is what each cell of the table says; leave it out");
    claim_refused("  table: {column: 3}\n", "x.yaml:3:11: error: a table has no 'column'; did you mean 'columns'?");
    claim_refused("  table: {" COLUMNS "}\n",
                  "x.yaml:3:10: error: within is how far a figure may lie from its number; write within: 20%, or [50%, "
                  "200%] for half of it to twice");
    claim_refused("  table: {within: -20%}\n",
                  "x.yaml:3:19: error: within is how far a figure may lie from its number; write within: 20%, or [50%, "
                  "200%] for half of it to twice");
    claim_refused("  table: {within: [200%, 50%]}\n",
                  "x.yaml:3:19: error: within is how far a figure may lie from its number; write within: 20%, or [50%, "
                  "200%] for half of it to twice");
    claim_refused("  metric: queues_bytes.mean\n  table: {within: 20%, unit: us}\n",
                  "x.yaml:4:30: error: queues_bytes.mean is in B, which cannot be told in us");
    claim_refused("  table: {within: 20%, columns: {load: 1}}\n",
                  "x.yaml:3:33: error: columns of a table: write columns: {KEY: [a value for each column]}");
    claim_refused("  table: {within: 20%, " COLUMNS ", rows: {s: [1]}}\n",
                  "x.yaml:3:55: error: rows of a table: write rows: {KEY: {VALUE: [a number for each column]}}");
    claim_refused("  table: {within: 20%, " COLUMNS ", rows: {s: {a: [1]}}}\n",
                  "x.yaml:3:63: error: row a needs a number for each of the 2 columns; null where there is none");
    claim_refused("  table: {within: 20%, " COLUMNS ", rows: {s: {a: [1, x]}}}\n",
                  "x.yaml:3:67: error: a cell is a number, or null where there is none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(write_out__a_claim_for_each_number),
        UNIT(write_out__half_to_twice),
        UNIT(write_out__rows_and_metrics_have_tables),
        UNIT(write_out__errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
