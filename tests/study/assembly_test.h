/* SPDX-License-Identifier: Apache-2.0 */
/* Assembles the first run of an experiment, and checks the exact line of an error. */
#ifndef HEDDLE_TESTS_ASSEMBLY_H
#define HEDDLE_TESTS_ASSEMBLY_H

#include "study/assemble/assemble.h"
#include "study_test.h"

/* Returns the assembly; fails the test if the text is refused. The caller frees it with assembly_free. */
static inline struct assembly *assemble(const char *text) {
    struct diag d = {0};
    struct experiment *e = read_text(text);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    if (!a) fail_msg("%d:%d: %s\n%s", d.line, d.col, d.text, text);
    experiment_free(e);
    return a;
}

/* Fails the test unless the text is a valid experiment whose assembly is refused with exactly this line. */
static inline void impossible(const char *text, const char *line) {
    struct diag d = {0};
    char buf[1024];
    struct experiment *e = read_text(text);
    assert_null(assembly_create(&e->run[0].config, "", &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
    experiment_free(e);
}

#endif
