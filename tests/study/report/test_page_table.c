/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of the page, and its outcomes in words. */
#define PATH "test_page_table.db"
#include "page_store.h"

/* The summary has a row for each scheme, with the mean over its seeds; without an interval, because all digests are
 * equal. */
static void tables__a_row_for_each_scheme(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of(), *table = json_object_get(json_object_get(page, "tables"), "x");
    assert_string_equal(json_string_value(json_object_get(table, "key")), "switch.balance");
    assert_int_equal(json_array_size(json_object_get(table, "columns")), 1); /* packets.dropped is 0 */
    json_t *head = json_array_get(json_object_get(table, "heads"), 0),
           *head_expected = json_pack("[s, i]", "FCT all mean", -1);
    assert_true(json_equal(head, head_expected));
    json_decref(head_expected);
    assert_string_equal(json_string_value(json_array_get(json_object_get(table, "columns"), 0)), "fct_us.all.mean");
    assert_string_equal(json_string_value(json_object_get(table, "notes")), "Times are flow completion times.");
    json_t *rows = json_object_get(table, "rows"), *row = json_array_get(rows, 1),
           *cell = json_array_get(json_object_get(row, "cells"), 0),
           *expected = json_pack("[f, n, n, i, i]", 36.75, 2, 0);
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(json_string_value(json_object_get(json_object_get(row, "settings"), "switch.balance")),
                        "expeditus");
    assert_true(json_equal(cell, expected));
    assert_int_equal(json_integer_value(json_object_get(row, "baseline")), 0);
    json_t *change = json_array_get(json_object_get(json_object_get(row, "against"), "0"), 0);
    assert_string_equal(json_string_value(json_array_get(change, 0)), "change");
    assert_true(json_is_number(json_array_get(change, 1)) && json_is_null(json_array_get(change, 2)));
    assert_true(json_is_null(json_object_get(table, "asked")));
    assert_int_equal(json_array_size(json_object_get(page, "t95")), 1); /* two seeds: one degree of freedom */
    json_decref(expected);
    json_decref(page);
    store_close(s);
}

/* Returns the data of the page with this wish; NULL if it is refused. */
static json_t *data_wished(const char *columns, const char *baseline, struct diag *d) {
    const char *const stores[] = {PATH};
    struct table_wish wish;
    table_wish_of_words(&columns, 1, baseline, &wish);
    json_t *page = report_page_data(stores, 1, &(struct report_page_options){.version = "0", .wish = &wish}, d);
    table_wish_free(&wish);
    return page;
}

/* The summary shows the columns that are asked for, and begins with the baseline that is. */
static void tables__that_are_asked_for(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    struct diag d = {0};
    json_t *page = data_wished("packets.dropped", "expeditus", &d),
           *table = json_object_get(json_object_get(page, "tables"), "x"),
           *row = json_array_get(json_object_get(table, "rows"), 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(table, "columns"), 0)), "packets.dropped");
    assert_string_equal(json_string_value(json_object_get(json_object_get(table, "asked"), "name")), "expeditus");
    assert_int_equal(json_integer_value(json_object_get(row, "baseline")), 1);
    json_decref(page);
    page = data_wished("packets.dropped", "1", &d);
    table = json_object_get(json_object_get(page, "tables"), "x");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(table, "asked"), "row")), 0);
    json_decref(page);
    page = data_wished("packets.dropped,convergence_us.last", NULL, &d);
    table = json_object_get(json_object_get(page, "tables"), "x");
    assert_string_equal(json_string_value(json_array_get(json_object_get(table, "empty"), 0)), "convergence_us.last");
    json_decref(page);
    assert_null(data_wished("packets.dropped", "conga", &d));
    assert_non_null(strstr(d.text, "no row is named 'conga'"));
    store_close(s);
}

/* One store twice is one experiment, in which the store is a setting. */
static void tables__of_two_stores_name_the_store(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    struct diag d = {0};
    const char *const stores[] = {PATH, PATH};
    json_t *page = report_page_data(stores, 2, &(struct report_page_options){.version = "0"}, &d),
           *rows = json_object_get(json_object_get(json_object_get(page, "tables"), "x"), "rows");
    assert_non_null(page);
    assert_int_equal(json_array_size(json_object_get(page, "experiments")), 2);
    assert_non_null(json_object_get(json_object_get(json_array_get(rows, 0), "settings"), "store"));
    json_decref(page);
    store_close(s);
}

/* An outcome has its words and its sign. */
static void claims__in_words(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("INSERT INTO claims(experiment, claim, place, metric, form, n_seeds, measured, spread, low, high, met, "
        "expected,"
        " verdict, recorded, as_recorded) VALUES(1,'C','{}','packets.dropped','value',1,0,0,NULL,3,1,1,'does not "
        "hold','holds',0)");
    json_t *page = data_of();
    assert_string_equal(json_string_value(at(page, "claims.0.outcome")), "does not hold, recorded: holds");
    assert_int_equal(json_integer_value(at(page, "claims.0.sign")), -1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(page, "verdicts"), 0)), "holds");
    assert_int_equal(json_array_size(json_object_get(page, "verdicts")), 5);
    json_decref(page);
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tables__a_row_for_each_scheme),
        UNIT(tables__that_are_asked_for),
        UNIT(tables__of_two_stores_name_the_store),
        UNIT(claims__in_words),
    };
    return RUN_UNITS(tests);
}
