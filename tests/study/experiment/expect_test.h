/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of `expect`, written out as claims that are each stated alone. */
#ifndef HEDDLE_TESTS_STUDY_EXPERIMENT_EXPECT_TEST_H
#define HEDDLE_TESTS_STUDY_EXPERIMENT_EXPECT_TEST_H

#include "study/experiment/expect_rows.h"

#include "study_test.h"

#include <string.h>

/* Fails the test unless the claims of a list of blocks, each stated alone, are these. */
static inline void written_out(const char *blocks, const char *expected) {
    struct diag d = {0};
    struct tree_node *root = tree_parse(blocks, strlen(blocks), "x.yaml", &d);
    char text[2048];
    assert_non_null(root);
    if (!expect_rows_write_out(root, &d)) fail_msg("%d:%d: %s", d.line, d.col, d.text);
    tree_print_flow(tree_get(root, "expect"), text, sizeof text);
    assert_string_equal(text, expected);
    tree_free(root);
}

/* Fails the test unless the blocks are refused with this line. */
static inline void refused(const char *blocks, const char *line) {
    struct diag d = {0};
    struct tree_node *root = tree_parse(blocks, strlen(blocks), "x.yaml", &d);
    char said[1024];
    assert_non_null(root);
    assert_false(expect_rows_write_out(root, &d));
    assert_string_equal(diag_line(&d, said, sizeof said), line);
    tree_free(root);
}

#endif
