/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a long configuration holds what looking through all settings finds. */
#include "study/config/config_index.h"

#include "study/config/acts.h"
#include "study_test.h"

#include <stdlib.h>

#define ENTRIES 300

/* Resolves an experiment of so many workload entries, of which each third has a transport of its own. */
static struct config many(int entries) {
    size_t size = 128 + (size_t)entries * 96, used;
    char *text = malloc(size);
    used = (size_t)snprintf(text, size, STAR "workload:\n");
    for (int i = 0; i < entries; i++)
        used += (size_t)snprintf(text + used, size - used, "- {kind: permutation, sizes: %dKB%s}\n", i + 1,
                                 i % 3 ? "" : ", transport: cubic");
    struct diag d = {0};
    struct config c;
    struct tree_node *root = tree_parse(text, used, "x.yaml", &d);
    assert_non_null(root);
    if (!config_resolve(root, NULL, 0, &c, &d)) fail_msg("%s", d.text);
    tree_free(root);
    free(text);
    return c;
}

/* Asserts that no setting outside the range is the path, lies in it, or matches it. Returns the length of the range. */
static size_t range_check(const struct config *c, const char *path) {
    const struct config_range r = config_range(c, path);
    size_t n = strlen(path);
    assert_true(r.first <= r.end && r.end <= c->n);
    for (size_t i = 0; i < c->n; i++) {
        const char *own = c->setting[i].path;
        bool meant = path_is_meant(path, own) || (strncmp(own, path, n) == 0 && own[n] == '.');
        if (meant && (i < r.first || i >= r.end)) fail_msg("%s: %s is not in the range", path, own);
    }
    return r.end - r.first;
}

static void range__holds_all_that_a_path_means(void **state) {
    (void)state;
    struct config c = many(ENTRIES);
    assert_non_null(c.index);
    for (size_t i = 0; i < c.n; i++) assert_int_equal(range_check(&c, c.setting[i].path), 1);
    size_t whole = range_check(&c, "workload"), one = range_check(&c, "workload.17");
    assert_in_range(whole, ENTRIES * 5, c.n);
    assert_in_range(one, 5, 20);
    assert_int_equal(range_check(&c, "workload.*.transport"), whole);
    assert_int_equal(range_check(&c, "*.rate"), c.n);
    assert_int_equal(range_check(&c, "workload.300"), 0);
    assert_int_equal(range_check(&c, "workloa"), 0);
    assert_int_equal(range_check(&c, "nothing"), 0);
    range_check(&c, "fabric");
    range_check(&c, "host.*.ecn");
    config_free(&c);
}

static void range__of_few_settings_is_all(void **state) {
    (void)state;
    struct config c = many(2);
    assert_null(c.index);
    assert_int_equal(range_check(&c, "workload.1.sizes"), c.n);
    config_free(&c);
}

static void lookup__is_the_same_with_an_index(void **state) {
    (void)state;
    struct config c = many(ENTRIES);
    for (size_t i = 0; i < c.n; i++) assert_ptr_equal(config_find(&c, "%s", c.setting[i].path), &c.setting[i]);
    assert_null(config_find(&c, "workload.300.kind"));
    assert_int_equal(config_count(&c, "workload"), ENTRIES);
    assert_int_equal(config_count(&c, "fabric.failed"), 0);
    assert_string_equal(config_text(&c, "workload.%d.sizes", 123), "124KB");
    config_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(range__holds_all_that_a_path_means),
        UNIT(range__of_few_settings_is_all),
        UNIT(lookup__is_the_same_with_an_index),
    };
    return RUN_UNITS(tests);
}
