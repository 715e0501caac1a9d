/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/estimate.h"

#include "study_test.h"

#include <math.h>

static void near(double a, double b, double within) {
    if (!(fabs(a - b) <= within)) fail_msg("%.9g is not %.9g", a, b);
}

/* 2, 4, 9: mean 5, squares of the differences 9 + 1 + 16 = 26, variance 13, standard error sqrt(13 / 3). */
static void estimate_mean__of_three(void **state) {
    (void)state;
    const double x[] = {2, 4, 9};
    struct estimate e = estimate_mean(x, 3);
    near(e.value, 5, 1e-12);
    near(e.standard_error, 2.081665999, 1e-9);
    near(e.low, 5 - 4.3027 * 2.081665999, 1e-8);
    near(e.high, 5 + 4.3027 * 2.081665999, 1e-8);
    assert_int_equal(e.n, 3);
}

static void estimate_mean__of_one_has_no_error(void **state) {
    (void)state;
    const double x[] = {2};
    struct estimate e = estimate_mean(x, 1);
    near(e.value, 2, 0);
    assert_true(isnan(e.standard_error) && isnan(e.low) && isnan(e.high));
    assert_true(isnan(estimate_mean(x, 0).value));
}

/* A = 6, B = 3, r = 2. Residuals 4 - 2*1, 6 - 2*3, 8 - 2*5 = 2, 0, -2; by B: 2/3, 0, -2/3. Their variance is 4/9. */
static void figure_of_means__is_a_ratio_of_means(void **state) {
    (void)state;
    const double of[] = {4, 6, 8}, against[] = {1, 3, 5};
    double influence[3];
    near(figure_of_means(FORM_RATIO, of, against, 3, influence), 2, 1e-12); /* mean of ratios: 2.53 */
    near(influence[0], 2.0 / 3, 1e-12);
    near(influence[1], 0, 1e-12);
    near(influence[2], -2.0 / 3, 1e-12);
    struct estimate e = estimate_of(2, influence, 3);
    near(e.standard_error, sqrt(4.0 / 9 / 3), 1e-12);
    near(figure_of_means(FORM_CHANGE, of, against, 3, influence), 1, 1e-12);
    near(influence[0], 2.0 / 3, 1e-12);
}

/* Variation that both runs of a seed share cancels. */
static void figure_of_means__pairs_by_seed(void **state) {
    (void)state;
    const double of[] = {10, 20, 60}, against[] = {9, 19, 59}, double_of[] = {18, 38, 118};
    double influence[3];
    near(figure_of_means(FORM_DIFFERENCE, of, against, 3, influence), 1, 1e-12);
    near(estimate_of(1, influence, 3).standard_error, 0, 1e-12);
    near(figure_of_means(FORM_RATIO, double_of, against, 3, influence), 2, 1e-12);
    near(estimate_of(2, influence, 3).standard_error, 0, 1e-12);
}

static void figure_of_means__against_nothing(void **state) {
    (void)state;
    const double of[] = {1, 2}, against[] = {-1, 1}, gap[] = {1, NAN};
    double influence[2];
    assert_true(isnan(figure_of_means(FORM_RATIO, of, against, 2, influence)));
    assert_true(isnan(influence[0]) && isnan(influence[1]));
    near(figure_of_means(FORM_DIFFERENCE, of, against, 2, influence), 1.5, 1e-12);
    assert_true(isnan(figure_of_means(FORM_VALUE, gap, NULL, 2, influence)));
    assert_true(isnan(estimate_of(NAN, influence, 2).low));
}

/* Of a gain of 4, 6, 8 a part brings 3, 3, 6: 4 of 6. Influences ((3 - 4) - 2/3 (4 - 6)) / 6 = 1/18, -1/6, 1/9. */
static void figure_than__share_of_a_gain(void **state) {
    (void)state;
    const double part[] = {3, 3, 6}, whole[] = {4, 6, 8}, none[] = {0, 0, 0};
    double influence[3], than_influence[3];
    double figure = figure_of_means(FORM_SHARE, part, none, 3, influence);
    double than = figure_of_means(FORM_SHARE, whole, none, 3, than_influence);
    near(figure_than_of_means(FORM_SHARE, figure, than, influence, than_influence, 3), 2.0 / 3, 1e-12);
    near(influence[0], 1.0 / 18, 1e-12);
    near(influence[1], -1.0 / 6, 1e-12);
    near(influence[2], 1.0 / 9, 1e-12);
    assert_true(isnan(figure_than(FORM_SHARE, 1, 0)));
    near(figure_than(FORM_CHANGE, 0.5, 0.2), 0.3, 1e-12);
}

/* Compares with tables of Student's t. */
static void student_t95__of_tables(void **state) {
    (void)state;
    near(student_t95(1), 12.706, 1e-3);
    near(student_t95(2), 4.303, 1e-3);
    near(student_t95(9), 2.262, 1e-3);
    near(student_t95(30), 2.042, 1e-3);
    near(student_t95(31), 2.0395, 1e-4);
    near(student_t95(39), 2.0227, 1e-4);
    near(student_t95(60), 2.0003, 1e-4);
    near(student_t95(120), 1.9799, 1e-4);
    near(student_t95(1000000), 1.95997, 1e-4);
    assert_true(isnan(student_t95(0)));
}

/* Quantiles of published tables. */
static void student_t__of_other_probabilities(void **state) {
    (void)state;
    for (size_t degrees = 1; degrees < 40; degrees++) near(student_t(0.05, degrees), student_t95(degrees), 1e-4);
    near(student_t(0.01, 3), 5.8409, 1e-4);
    near(student_t(0.1, 1), 6.3138, 1e-4);
    near(student_t(0.01, 1000), 2.5808, 1e-4);
    assert_true(isnan(student_t(0.05, 0)));
}

/* Of 5 places, with 4 seeds: the quantile of 1 %, 5.8409, in place of that of 5 %, 3.1824. */
static void estimate_widen__by_the_number_of_places(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4};
    struct estimate e = estimate_mean(x, 4), wide = e, one = e;
    estimate_widen(&wide, 5);
    near(wide.high - 2.5, (e.high - 2.5) * 5.8409 / 3.1824, 1e-3);
    near(wide.high - 2.5, 2.5 - wide.low, 1e-12);
    near(wide.standard_error, e.standard_error, 0);
    near(wide.widening, 5.8409 / 3.1824, 1e-4);
    estimate_widen(&one, 1);
    near(one.high, e.high, 0);
    near(one.widening, 1, 0);
}

static void estimates_part__only_without_a_common_point(void **state) {
    (void)state;
    struct estimate a = {1, 0.1, 0.8, 1.2, 5, 1}, b = {2, 0.1, 1.3, 2.7, 5, 1}, c = {1.5, 0.1, 1.2, 1.8, 5, 1},
                    one = {9, NAN, NAN, NAN, 1, 1};
    assert_true(estimates_part(&a, &b) && estimates_part(&b, &a));
    assert_false(estimates_part(&a, &c));
    assert_false(estimates_part(&a, &one) || estimates_part(&one, &a));
}

/* Seeds that come one by one give the same estimate as all together, after every one of them. */
static void estimate_of_sums__as_of_all_together(void **state) {
    (void)state;
    static const enum claim_form forms[] = {FORM_VALUE, FORM_DIFFERENCE, FORM_RATIO, FORM_CHANGE};
    const double of[] = {410, 395.5, 402, 377, 430}, against[] = {500, 512, 470.25, 530, 505};
    for (size_t f = 0; f < 4; f++) {
        struct estimate_sums sums = {0};
        double influence[5];
        for (size_t n = 1; n <= 5; n++) {
            estimate_sums_add(&sums, of[n - 1], forms[f] == FORM_VALUE ? 0 : against[n - 1]);
            struct estimate one = estimate_of_sums(forms[f], &sums),
                            all = estimate_of(figure_of_means(forms[f], of, against, n, influence), influence, n);
            near(one.value, all.value, 1e-9);
            assert_int_equal(one.n, n);
            if (n == 1) assert_true(isnan(one.standard_error) && isnan(one.low));
            if (n == 1) continue;
            near(one.standard_error, all.standard_error, 1e-9);
            near(one.low, all.low, 1e-8);
            near(one.high, all.high, 1e-8);
        }
    }
}

static void estimate_of_sums__of_no_ratio(void **state) {
    (void)state;
    struct estimate_sums sums = {0};
    estimate_sums_add(&sums, 1, 0);
    estimate_sums_add(&sums, 2, 0);
    assert_true(isnan(estimate_of_sums(FORM_RATIO, &sums).value) && isnan(estimate_of_sums(FORM_RATIO, &sums).low));
    estimate_sums_add(&sums, NAN, 1);
    assert_true(isnan(estimate_of_sums(FORM_VALUE, &sums).value));
}

/* Equal numbers give a tiny spread by rounding: it is none. */
static void estimate_shown__without_rounding(void **state) {
    (void)state;
    const double x[] = {0.1 + 0.2, 0.3, 0.3};
    struct estimate raw = estimate_mean(x, 3), e = estimate_shown(raw, 0.3, 0);
    assert_true(raw.standard_error > 0);
    assert_true(e.standard_error == 0 && e.low == e.value && e.high == e.value);
    const struct estimate same = {1e-17, 1e-17, -4e-17, 6e-17, 3, 1};
    e = estimate_shown(same, 1, -1);
    assert_true(e.value == 0 && e.low == 0 && e.high == 0);
    const struct estimate real = {0.01, 1e-4, 0.0096, 0.0104, 3, 1};
    e = estimate_shown(real, 1, -1);
    assert_true(e.value == 0.01 && e.low == 0.0096 && e.high == 0.0104 && e.standard_error == 1e-4);
}

/* A time is not negative, a change not below -100 %; the growth of a number, and a difference, may be anything. */
static void estimate_shown__above_the_least(void **state) {
    (void)state;
    const struct estimate wide = {1, 1, -3, 5, 3, 1};
    struct estimate e = estimate_shown(wide, 1, figure_least(FORM_VALUE, false));
    assert_true(e.low == 0 && e.high == 5 && e.value == 1);
    assert_true(estimate_shown(wide, 1, figure_least(FORM_CHANGE, false)).low == -1);
    assert_true(estimate_shown(wide, 1, figure_least(FORM_RATIO, false)).low == 0);
    assert_true(estimate_shown(wide, 1, figure_least(FORM_VALUE, true)).low == -3);
    assert_true(estimate_shown(wide, 1, figure_least(FORM_DIFFERENCE, false)).low == -3);
    const struct estimate one = {1, NAN, NAN, NAN, 1, 1};
    assert_true(isnan(estimate_shown(one, 1, 0).low));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(estimate_of_sums__as_of_all_together),
        UNIT(estimate_of_sums__of_no_ratio),
        UNIT(estimate_mean__of_three),
        UNIT(estimate_mean__of_one_has_no_error),
        UNIT(figure_of_means__is_a_ratio_of_means),
        UNIT(figure_of_means__pairs_by_seed),
        UNIT(figure_of_means__against_nothing),
        UNIT(student_t__of_other_probabilities),
        UNIT(estimate_widen__by_the_number_of_places),
        UNIT(figure_than__share_of_a_gain),
        UNIT(student_t95__of_tables),
        UNIT(estimates_part__only_without_a_common_point),
        UNIT(estimate_shown__without_rounding),
        UNIT(estimate_shown__above_the_least),
    };
    return RUN_UNITS(tests);
}
