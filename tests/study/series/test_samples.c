/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/samples.h"

#include "series_store.h"

#include <math.h>
#include <string.h>

#define PATH "test_study_series_samples.db"
#define STAR_RUN "fabric: {kind: star, hosts: 9}\nworkload: [{kind: permutation, sizes: 100KB}]\n"

/* ---- reading ---- */

static void sample_note(void *to, int64_t at_ps, const char *node, double value) {
    char *text = to;
    size_t used = strlen(text);
    snprintf(text + used, 256 - used, "%d %s %g; ", (int)at_ps, node ? node : "?", value);
}

/* By time, then port; of one kind; both ends of the window are in it. */
static void run_samples__of_a_kind_and_a_time(void **state) {
    (void)state;
    static const char *const sql[] = {
        "INSERT INTO nodes(run, node, name) VALUES(?1,0,'host0'),(?1,1,'host1')",
        "INSERT INTO ports(run, port, node, neighbour) VALUES(?1,0,0,2),(?1,1,1,2)",
        "INSERT INTO samples VALUES(?1,20,1,'link',0.5),(?1,20,0,'link',0.25),(?1,20,0,'queue',9),(?1,30,7,'link',1),"
        "(?1,10,0,'link',2),(?1,40,0,'link',3)"};
    struct store_reader *r = series_store(PATH, STAR_RUN, json_object(), sql, 3);
    struct diag d = {0};
    char text[256] = "";
    int64_t n, span;
    const struct sample_window w = {"link", 20, 30}, none = {"pause", 0, 100};
    assert_true(run_samples_each(r, &r->run[0], &w, sample_note, text, &d));
    assert_string_equal(text, "20 host0 0.25; 20 host1 0.5; 30 ? 1; ");
    assert_true(run_samples_extent(r, &r->run[0], &w, &n, &span, &d));
    assert_int_equal(n, 2);
    assert_int_equal(span, 10);
    assert_true(run_samples_extent(r, &r->run[0], &none, &n, &span, &d));
    assert_int_equal(n, 0);
    assert_int_equal(span, 0);
    store_reader_close(r);
}

/* ---- over ports ---- */

static void over_ports__mean_maximum_and_jain(void **state) {
    (void)state;
    struct over_ports o = {0}, zero = {0};
    for (int i = 1; i <= 3; i++) over_ports_add(&o, i);
    assert_true(over_ports_mean(&o) == 2);
    assert_true(o.most == 3);
    assert_true(fabs(over_ports_jain(&o) - 36.0 / 42) < 1e-12);
    over_ports_add(&zero, 0);
    assert_true(isnan(over_ports_jain(&zero)));
}

/* ---- bins ---- */

/* Seven times in three bins: 2, 2 and 3 of them. A time between two belongs to the next. */
static void time_bins__equally_many_times(void **state) {
    (void)state;
    const int64_t time[] = {10, 20, 30, 40, 50, 60, 70};
    const size_t expected[] = {0, 0, 0, 1, 1, 2, 2};
    struct time_bins b = time_bins_of(time, 7, 3);
    assert_int_equal(b.n, 3);
    for (size_t i = 0; i < 7; i++) assert_int_equal(time_bins_find(&b, time[i] - 5), expected[i]);
    assert_int_equal(time_bins_end(&b, 0), 30);
    assert_int_equal(time_bins_end(&b, 1), 50);
    assert_int_equal(time_bins_end(&b, 2), 70);
    assert_int_equal(time_bins_of(time, 7, 100).n, 7);
}

static void bin_sums__means_and_maxima(void **state) {
    (void)state;
    struct bin_sums s = bin_sums_make(2, 3);
    bin_sums_add(&s, 1, 0, 4);
    bin_sums_add(&s, 1, 0, 8);
    bin_sums_add(&s, 1, 2, 1);
    assert_false(bin_sums_has(&s, 0));
    assert_true(bin_sums_has(&s, 1));
    assert_true(bin_sums_mean(&s, 1, 0) == 6 && isnan(bin_sums_mean(&s, 1, 1)) && bin_sums_mean(&s, 1, 2) == 1);
    assert_true(s.max[3] == 8);
    bin_sums_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(run_samples__of_a_kind_and_a_time),
        UNIT(over_ports__mean_maximum_and_jain),
        UNIT(time_bins__equally_many_times),
        UNIT(bin_sums__means_and_maxima),
    };
    return RUN_UNITS(tests);
}
