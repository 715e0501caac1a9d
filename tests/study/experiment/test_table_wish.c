/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of a table asks for: by the block of the file, and by the words of a command. */
#include "study/experiment/table_wish.h"
#include "study_test.h"

#include <stdlib.h>
#include <string.h>

#define TWO "sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}\n"

/* Checks the block of an experiment that is written, or changed by --set. Returns the error; "" if there is none. */
static const char *error_of(const char *block, const char *set) {
    static struct diag d;
    char yaml[512];
    const char *const sets[] = {set};
    const struct experiment_options o = {.set = sets, .n_set = set ? 1 : 0, .no_files = true};
    snprintf(yaml, sizeof yaml, "%s%stable: %s\n", STAR PERMUTATION, TWO, block);
    d = (struct diag){0};
    struct experiment *e = experiment_parse(yaml, strlen(yaml), "x.yaml", &o, &d);
    experiment_free(e);
    return e ? "" : d.text;
}

static void table_block__of_an_experiment(void **state) {
    (void)state;
    assert_string_equal(error_of("{columns: [fct_us.all.p99, packets.dropped], baseline: spray}", NULL), "");
    assert_string_equal(error_of("{columns: fct_us.all.p99}", NULL), "");
    assert_string_equal(error_of("{baseline: 2}", NULL), "");
    assert_string_equal(error_of("null", NULL), "");
    assert_non_null(strstr(error_of("{columns: fct_us.all}", NULL), "there is no number 'fct_us.all'"));
    assert_non_null(strstr(error_of("{baseline: spary}", NULL), "did you mean 'spray'?"));
    assert_non_null(strstr(error_of("{baseline: 3}", NULL), "1 to 2"));
    assert_non_null(strstr(error_of("[fct_us.all.p99]", NULL), "table holds keys"));
}

/* --set and profiles may leave out the row of the baseline. */
static void table_block__without_its_row(void **state) {
    (void)state;
    assert_string_equal(error_of("{baseline: spray}", "switch.balance=ecmp"), "");
    assert_non_null(strstr(error_of("{columns: no}", "switch.balance=ecmp"), "there is no number 'no'"));
}

/* The block changes the identity of no run. */
static void table_block__is_no_part_of_a_run(void **state) {
    (void)state;
    struct experiment *plain = read_text(STAR PERMUTATION TWO),
                      *asked = read_text(STAR PERMUTATION TWO "table: {columns: packets.dropped, baseline: spray}\n");
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(plain->run[i].identity, asked->run[i].identity);
        assert_string_equal(plain->run[i].text, asked->run[i].text);
    }
    experiment_free(plain);
    experiment_free(asked);
}

static void table_wish__of_words(void **state) {
    (void)state;
    static const char *const words[] = {"fct_us.all.p99, packets.dropped", "queues_bytes.max,"};
    struct table_wish w;
    table_wish_of_words(words, 2, "4", &w);
    assert_int_equal(w.n_columns, 3);
    assert_string_equal(w.column[1], "packets.dropped");
    assert_string_equal(w.column[2], "queues_bytes.max");
    assert_string_equal(w.baseline, "4");
    table_wish_free(&w);
    assert_int_equal(w.n_columns, 0);
}

/* What the command asks for stands; the file gives the rest. */
static void table_wish__completed_by_the_file(void **state) {
    (void)state;
    static const char *const asked[] = {"packets.dropped"}, *const written[] = {"fct_us.all.p99"};
    struct table_wish columns, row, file;
    table_wish_of_words(asked, 1, NULL, &columns);
    table_wish_of_words(NULL, 0, "ecmp", &row);
    table_wish_of_words(written, 1, "spray", &file);
    table_wish_complete(&columns, &file);
    table_wish_complete(&row, &file);
    assert_int_equal(columns.n_columns, 1);
    assert_string_equal(columns.column[0], "packets.dropped");
    assert_string_equal(columns.baseline, "spray");
    assert_string_equal(row.column[0], "fct_us.all.p99");
    assert_string_equal(row.baseline, "ecmp");
    table_wish_free(&columns);
    table_wish_free(&row);
    table_wish_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table_block__of_an_experiment),     UNIT(table_block__without_its_row),
        UNIT(table_block__is_no_part_of_a_run),  UNIT(table_wish__of_words),
        UNIT(table_wish__completed_by_the_file),
    };
    return RUN_UNITS(tests);
}
