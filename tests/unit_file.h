/* SPDX-License-Identifier: Apache-2.0 */
/* A file that a test writes for the code under test to read. It lies in the folder for temporary files and is removed when the test
 * program ends, so that a program that is run by hand leaves nothing where it was started. */
#ifndef HEDDLE_TESTS_UNIT_FILE_H
#define HEDDLE_TESTS_UNIT_FILE_H

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char unit_file_path[64];

static void unit_file_remove(void) { unlink(unit_file_path); }

/* Writes the text to the one file of this program, which has this suffix. Returns its path. */
static inline const char *unit_file(const char *suffix, const char *text) {
    if (!unit_file_path[0]) {
        snprintf(unit_file_path, sizeof unit_file_path, "/tmp/heddle-test-XXXXXX%s", suffix);
        int fd = mkstemps(unit_file_path, (int)strlen(suffix));
        assert_true(fd >= 0);
        close(fd);
        assert_int_equal(atexit(unit_file_remove), 0);
    }
    FILE *file = fopen(unit_file_path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return unit_file_path;
}

#endif
