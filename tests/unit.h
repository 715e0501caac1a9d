/* SPDX-License-Identifier: Apache-2.0 */
/* Includes of every unit test: cmocka after the headers that it needs. */
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
