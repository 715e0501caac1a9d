/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include "unit.h"

#include <string.h>

static void diag_line__says_as_much_of_the_place_as_is_known(void **state) {
    (void)state;
    struct diag d;
    char line[1024];
    assert_false(diag_fail(&d, "a.yaml", 3, 7, "'%s' is unknown", "pots"));
    assert_string_equal(diag_line(&d, line, sizeof line), "a.yaml:3:7: error: 'pots' is unknown");
    assert_false(diag_fail(&d, "a.csv", 3, 0, "too few columns"));
    assert_string_equal(diag_line(&d, line, sizeof line), "a.csv:3: error: too few columns");
    assert_false(diag_fail_in(&d, "a.db", "cannot be %s", "written"));
    assert_string_equal(diag_line(&d, line, sizeof line), "a.db: error: cannot be written");
    assert_string_equal(diag_warning(&d, line, sizeof line), "a.db: warning: cannot be written");
    assert_false(diag_say(&d, "no %s", "file"));
    assert_string_equal(diag_line(&d, line, sizeof line), "error: no file");
    assert_false(diag_fail(&d, NULL, 3, 7, "no file"));
    assert_string_equal(diag_line(&d, line, sizeof line), "error: no file");
}

static void diag_fail__long_parts_are_cut(void **state) {
    (void)state;
    static char name[1000], text[2000];
    memset(name, 'n', sizeof name - 1);
    memset(text, 't', sizeof text - 1);
    struct diag d;
    assert_false(diag_fail(&d, name, 1, 1, "%s", text));
    assert_int_equal(strlen(d.file), sizeof d.file - 1);
    assert_int_equal(strlen(d.text), sizeof d.text - 1);
}

static const char *const keys[] = {"fabric", "scheme", "switch", "host", "workload", "run", "measure"};
#define N_KEYS (sizeof keys / sizeof *keys)

static void diag_nearest__a_slip_or_two(void **state) {
    (void)state;
    assert_string_equal(diag_nearest("fabrik", keys, N_KEYS), "fabric");
    assert_string_equal(diag_nearest("shceme", keys, N_KEYS), "scheme");
    assert_string_equal(diag_nearest("mesure", keys, N_KEYS), "measure");
    assert_string_equal(diag_nearest("workloads", keys, N_KEYS), "workload");
    assert_string_equal(diag_nearest("hots", keys, N_KEYS), "host");
    assert_string_equal(diag_nearest("run", keys, N_KEYS), "run");
}

/* A word that others begin with is short for the shortest of them. */
static void diag_nearest__the_beginning_of_a_word(void **state) {
    (void)state;
    static const char *const words[] = {"expeditus-ports", "expeditus", "conga-flow", "fct_us"};
    assert_string_equal(diag_nearest("conga", words, 4), "conga-flow");
    assert_string_equal(diag_nearest("exped", words, 4), "expeditus");
    assert_string_equal(diag_nearest("fct", words, 4), "fct_us");
    assert_null(diag_nearest("co", words, 4));
}

static void diag_nearest__nothing_near(void **state) {
    (void)state;
    assert_null(diag_nearest("buffer", keys, N_KEYS));
    assert_null(diag_nearest("x", keys, N_KEYS));
    assert_null(diag_nearest("", keys, N_KEYS));
    assert_null(diag_nearest("fabric", keys, 0));
    static char word[200];
    memset(word, 'a', sizeof word - 1);
    assert_null(diag_nearest(word, keys, N_KEYS));
}

static void diag_nearest__the_first_of_equals(void **state) {
    (void)state;
    const char *const known[] = {"core1", "core2"};
    assert_string_equal(diag_nearest("core3", known, 2), "core1");
}

static void diag_names__as_many_as_fit(void **state) {
    (void)state;
    const char *name[] = {"alpha", "beta", "gamma"};
    char wide[100], narrow[46];
    assert_string_equal(diag_names(name, 3, wide, sizeof wide), "alpha, beta, gamma");
    assert_string_equal(diag_names(name, 3, narrow, sizeof narrow), "alpha, beta, ... (1 more)");
    assert_string_equal(diag_names(name, 0, narrow, sizeof narrow), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(diag_line__says_as_much_of_the_place_as_is_known),
        UNIT(diag_fail__long_parts_are_cut),
        UNIT(diag_nearest__a_slip_or_two),
        UNIT(diag_nearest__the_beginning_of_a_word),
        UNIT(diag_nearest__nothing_near),
        UNIT(diag_nearest__the_first_of_equals),
        UNIT(diag_names__as_many_as_fit),
    };
    return RUN_UNITS(tests);
}
