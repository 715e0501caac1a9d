/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/expect_rows.h"

#include "expect_test.h"

#include <stdlib.h>
#include <string.h>

static void write_out__rows_lie_over_the_block(void **state) {
    (void)state;
    written_out("expect:\n"
                "  - claim: A\n"
                "    of: {scheme: x}\n"
                "    paper: P\n"
                "    rows: [{of: {load: 1}, value: [0, 1]}, {claim: B, of: {scheme: y}, paper: null, value: [2, 3]}]\n"
                "  - {claim: C, metric: m}\n",
                "[{claim: A, of: {scheme: x, load: 1}, paper: P, value: [0, 1]}, "
                "{claim: B, of: {scheme: y}, paper: null, value: [2, 3]}, {claim: C, metric: m}]");
}

static void write_out__each_metric_is_a_claim(void **state) {
    (void)state;
    written_out(
        "expect: {claim: A, metric: [m, n], rows: [{of: {s: 1}}, {of: {s: 2}, metric: o}, {metric: [p, q]}]}\n",
        "[{claim: A, metric: m, of: {s: 1}}, {claim: A, metric: n, of: {s: 1}}, {claim: A, metric: o, of: {s: 2}}, "
        "{claim: A, metric: p}, {claim: A, metric: q}]");
}

static void write_out__a_claim_has_the_place_of_its_row(void **state) {
    (void)state;
    struct diag d = {0};
    const char *text = "expect:\n  - claim: A\n    rows:\n      - {of: 1}\n      - {of: 2}\n";
    struct tree_node *root = tree_parse(text, strlen(text), "x.yaml", &d);
    assert_true(expect_rows_write_out(root, &d));
    assert_int_equal(tree_get(root, "expect")->item[1]->line, 5);
    assert_int_equal(tree_get(root, "expect")->item[1]->col, 9);
    tree_free(root);
}

static void write_out__errors(void **state) {
    (void)state;
    refused("expect: [{claim: A, rows: []}]\n",
            "x.yaml:1:27: error: rows is a list of what differs between claims; write rows: [{...}, {...}]");
    refused("expect: [{claim: A, rows: {of: 1}}]\n",
            "x.yaml:1:27: error: rows is a list of what differs between claims; write rows: [{...}, {...}]");
    refused("expect: [{claim: A, rows: [b]}]\n",
            "x.yaml:1:28: error: a row holds keys of a claim; write {of: {KEY: value}}");
    refused("expect: [{claim: A, rows: [{rows: [{of: 1}]}]}]\n",
            "x.yaml:1:28: error: a row has no rows of its own; write them as rows of the block");
    refused("expect: [{claim: A, metric: []}]\n",
            "x.yaml:1:29: error: metric: the list is empty; name a path such as fct_us.mice.p95");
}

/* What a row says wrong is found where it stands. */
static void read__errors_name_the_row(void **state) {
    (void)state;
    struct diag d = {0};
    char said[1024];
    const char *text = "fabric: {kind: star, hosts: 4}\nworkload: [{kind: permutation, sizes: 1KB}]\nexpect:\n"
                       "  - claim: A\n    metric: packets.dropped\n    rows:\n      - {valeu: [0, 1]}\n";
    assert_null(experiment_parse(text, strlen(text), "x.yaml", &(struct experiment_options){0}, &d));
    assert_non_null(strstr(diag_line(&d, said, sizeof said), "x.yaml:7:10: error: "));
    assert_non_null(strstr(said, "did you mean 'value'?"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(write_out__rows_lie_over_the_block),
        UNIT(write_out__each_metric_is_a_claim),
        UNIT(write_out__a_claim_has_the_place_of_its_row),
        UNIT(write_out__errors),
        UNIT(read__errors_name_the_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
