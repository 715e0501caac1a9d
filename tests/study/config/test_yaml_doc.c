/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/yaml_doc.h"

#include "base/memory.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tree_node *parse(const char *text) {
    struct diag d = {0};
    struct tree_node *n = tree_parse(text, strlen(text), "t.yaml", &d);
    if (!n) print_error("%s\n", d.text);
    assert_non_null(n);
    return n;
}

static void refuse(const char *text, const char *line) {
    struct diag d = {0};
    char buf[1024];
    assert_null(tree_parse(text, strlen(text), "t.yaml", &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
}

static void prints_as(const struct tree_node *n, const char *expected) {
    char buf[512];
    tree_print_flow(n, buf, sizeof buf);
    assert_string_equal(buf, expected);
}

static void tree_parse__every_node_knows_its_place(void **state) {
    (void)state;
    struct tree_node *n = parse("a: 1\nb:\n  - x\n  - {c: y}\n");
    assert_int_equal(tree_at(n, "a")->line, 1);
    assert_int_equal(tree_at(n, "a")->col, 4);
    assert_int_equal(tree_at(n, "b.1.c")->line, 4);
    assert_int_equal(tree_at(n, "b.1.c")->col, 9);
    assert_string_equal(tree_at(n, "b.1.c")->text, "y");
    assert_string_equal(n->file, "t.yaml");
    assert_null(tree_at(n, "b.2"));
    assert_null(tree_at(n, "a.b"));
    tree_free(n);
}

static void tree_parse__nothing_is_an_empty_map(void **state) {
    (void)state;
    struct tree_node *n = parse("# only a comment\n");
    assert_int_equal(n->kind, TREE_MAP);
    assert_int_equal(n->n, 0);
    tree_free(n);
}

static void tree_parse__duplicate_keys_are_refused(void **state) {
    (void)state;
    refuse("a: 1\nb: 2\na: 3\n", "t.yaml:3:1: error: 'a' appears twice, first in line 1; remove one");
}

static void tree_parse__aliases_are_copies(void **state) {
    (void)state;
    struct tree_node *n = parse("a: &x [1, {b: 2}]\nc: *x\n");
    prints_as(n, "{a: [1, {b: 2}], c: [1, {b: 2}]}");
    assert_ptr_not_equal(tree_at(n, "a.1"), tree_at(n, "c.1"));
    tree_free(n);
}

static void tree_parse__an_alias_of_what_is_not_complete_is_refused(void **state) {
    (void)state;
    refuse("a: &x [1, *x]\n", "t.yaml:1:11: error: this alias names no complete anchor above it");
}

static void tree_parse__merge_keys_are_refused(void **state) {
    (void)state;
    refuse("a: &x {b: 1}\nc:\n  <<: *x\n", "t.yaml:3:3: error: merge keys (<<) are not supported; repeat the keys");
}

static void tree_parse__a_second_document_is_refused(void **state) {
    (void)state;
    refuse("a: 1\n---\nb: 2\n", "t.yaml:2:1: error: a second document begins here; one experiment a file");
}

static void tree_parse__broken_yaml_names_the_place(void **state) {
    (void)state;
    refuse("a: [1, 2\nb: 3\nc: ]\n",
           "t.yaml:2:2: error: not YAML: did not find expected ',' or ']' while parsing a flow sequence; "
           "check indentation, colons and brackets here");
}

static void tree_parse__a_tab_is_called_a_tab(void **state) {
    (void)state;
    refuse("a:\n\tb: 1\n", "t.yaml:2:1: error: not YAML: a tab; write blanks in its place");
    refuse("a: b\n\tc: 1\n", "t.yaml:2:1: error: not YAML: a tab; write blanks in its place");
    refuse("a:\n  b: 1\n  \tc: 2\n", "t.yaml:3:3: error: not YAML: a tab; write blanks in its place");
    refuse("a:\n  |\n\tb\n", "t.yaml:3:1: error: not YAML: a tab; write blanks in its place");
    refuse("a: @\t\n",
           "t.yaml:1:4: error: not YAML: found character that cannot start any token while scanning for the "
           "next token; check indentation, colons and brackets here");
}

static void tree_parse__depth_is_bounded(void **state) {
    (void)state;
    refuse("[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]", "t.yaml:1:17: error: nested too deeply for an experiment");
}

/* Ten levels of ten aliases each would expand to 10^10 values. */
static void tree_parse__aliases_cannot_fill_memory(void **state) {
    (void)state;
    char text[2048] = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "l%d: &l%d [*l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d]\n", i, i, i - 1, i - 1, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    struct diag d = {0};
    assert_null(tree_parse(text, strlen(text), "t.yaml", &d));
    assert_non_null(strstr(d.text, "aliases make the file too large"));
}

/* Each key is compared with those before it, and each alias with all anchors. */
static void tree_parse__keys_and_anchors_are_bounded(void **state) {
    (void)state;
    static char text[1 << 16];
    for (int more = 0; more < 2; more++) {
        size_t used = 0;
        for (int i = 0; i < YAML_MAX_KEYS + more; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "k%d: 1\n", i);
        struct diag d = {0};
        struct tree_node *n = tree_parse(text, used, "t.yaml", &d);
        assert_int_equal(n == NULL, more);
        if (more) assert_string_equal(d.text, "more than 1000 keys in one block; this is no experiment file");
        if (more) assert_int_equal(d.line, 1001);
        tree_free(n);
        used = (size_t)snprintf(text, sizeof text, "a: [");
        for (int i = 0; i < YAML_MAX_ANCHORS + more; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "&n%d 1, ", i);
        used += (size_t)snprintf(text + used, sizeof text - used, "*n0]");
        n = tree_parse(text, used, "t.yaml", &d);
        assert_int_equal(n == NULL, more);
        if (more) assert_string_equal(d.text, "too many anchors for an experiment; write the values out");
        tree_free(n);
    }
}

static struct tree_node *scalar(const char *text) { return parse(text); }

static void tree_place__replaces_makes_blocks_and_appends(void **state) {
    (void)state;
    struct diag d;
    struct tree_node *n = parse("a: {b: 1}\nl: [x]\n");
    assert_true(tree_place(n, "a.b", scalar("2"), &d));
    assert_true(tree_place(n, "a.c.d", scalar("3"), &d));
    assert_true(tree_place(n, "l.0", scalar("y"), &d));
    assert_true(tree_place(n, "l.1", scalar("z"), &d));
    prints_as(n, "{a: {b: 2, c: {d: 3}}, l: [y, z]}");
    tree_free(n);
}

static void tree_place__refuses_a_path_through_a_value_or_past_a_list(void **state) {
    (void)state;
    struct diag d;
    struct tree_node *n = parse("a: 1\nl: [x]\n");
    assert_false(tree_place(n, "a.b", scalar("2"), &d));
    assert_string_equal(d.text, "'a.b' leads nowhere at 'b'; there is a plain value before it");
    assert_false(tree_place(n, "l.7", scalar("2"), &d));
    assert_string_equal(d.text, "'l.7' leads nowhere at '7'; write the number of an item of the list, counted from 0");
    prints_as(n, "{a: 1, l: [x]}");
    tree_free(n);
}

static void tree_merge__maps_deeply_and_lists_as_a_whole(void **state) {
    (void)state;
    struct tree_node *n = parse("a: {b: 1, c: [1, 2]}\nd: 4\n"), *over = parse("a: {c: [9], e: 5}\nf: 6\n");
    tree_merge(n, over);
    prints_as(n, "{a: {b: 1, c: [9], e: 5}, d: 4, f: 6}");
    tree_free(n);
    tree_free(over);
}

static void tree_equal__a_quoted_null_is_a_text(void **state) {
    (void)state;
    struct tree_node *text = parse("a: 'null'\n"), *null = parse("a: null\n"), *tilde = parse("a: ~\n");
    assert_false(tree_equal(text, null));
    assert_false(tree_equal(null, text));
    assert_true(tree_equal(null, tilde));
    tree_free(text);
    tree_free(null);
    tree_free(tilde);
}

static void tree_print_flow__reads_back_as_the_same(void **state) {
    (void)state;
    struct tree_node *n = parse("a: 'x: y'\nb: \"with \\\"quotes\\\" and \\\\\"\nc: ''\nd: ~\ne: 'null'\nf: "
                                "agg0.1-*\ng: '50%'\nh: '- x'\ni: 'x '\nj: 'x:'\nk: ' x'\n");
    char buf[512];
    tree_print_flow(n, buf, sizeof buf);
    struct tree_node *again = parse(buf);
    assert_true(tree_equal(n, again));
    assert_true(tree_is_null(tree_at(again, "d")));
    assert_false(tree_is_null(tree_at(again, "e")));
    tree_free(n);
    tree_free(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tree_parse__every_node_knows_its_place),
        UNIT(tree_parse__nothing_is_an_empty_map),
        UNIT(tree_parse__duplicate_keys_are_refused),
        UNIT(tree_parse__aliases_are_copies),
        UNIT(tree_parse__an_alias_of_what_is_not_complete_is_refused),
        UNIT(tree_parse__merge_keys_are_refused),
        UNIT(tree_parse__a_second_document_is_refused),
        UNIT(tree_parse__broken_yaml_names_the_place),
        UNIT(tree_parse__a_tab_is_called_a_tab),
        UNIT(tree_parse__depth_is_bounded),
        UNIT(tree_parse__aliases_cannot_fill_memory),
        UNIT(tree_parse__keys_and_anchors_are_bounded),
        UNIT(tree_place__replaces_makes_blocks_and_appends),
        UNIT(tree_place__refuses_a_path_through_a_value_or_past_a_list),
        UNIT(tree_merge__maps_deeply_and_lists_as_a_whole),
        UNIT(tree_equal__a_quoted_null_is_a_text),
        UNIT(tree_print_flow__reads_back_as_the_same),
    };
    return RUN_UNITS(tests);
}
