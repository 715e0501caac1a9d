/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test includes: cmocka and the headers it needs before it, in its order. */
#ifndef HEDDLE_TESTS_UNIT_H
#define HEDDLE_TESTS_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* One row of the table in main(). */
#define UNIT(function) cmocka_unit_test(function)
#define RUN_UNITS(tests) cmocka_run_group_tests(tests, NULL, NULL)

#endif
