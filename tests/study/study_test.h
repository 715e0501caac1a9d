/* SPDX-License-Identifier: Apache-2.0 */
/* Reads experiments from text, and checks the exact line of an error. */
#ifndef HEDDLE_TESTS_STUDY_H
#define HEDDLE_TESTS_STUDY_H

#include "study/experiment/experiment.h"
#include "unit.h"

#include <string.h>

#define STAR "fabric: {kind: star, hosts: 4}\n"
#define PERMUTATION "workload: [{kind: permutation, sizes: 100KB}]\n"

static inline struct experiment *read_with(const char *text, const char *profile, const char *const *set, size_t n_set,
                                           struct diag *d) {
    struct experiment_options o = {.profile = profile, .set = set, .n_set = n_set};
    return experiment_parse(text, strlen(text), "x.yaml", &o, d);
}

/* Returns the experiment; fails the test if the text is refused. */
static inline struct experiment *read_text(const char *text) {
    struct diag d = {0};
    struct experiment *e = read_with(text, NULL, NULL, 0, &d);
    if (!e) print_error("%s:%d:%d: %s\n", d.file, d.line, d.col, d.text);
    assert_non_null(e);
    return e;
}

/* Fails the test unless the text is refused with exactly this line. */
static inline void refuse_with(const char *text, const char *profile, const char *const *set, size_t n_set,
                               const char *line) {
    struct diag d = {0};
    char buf[1024];
    assert_null(read_with(text, profile, set, n_set, &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
}

static inline void refuse(const char *text, const char *line) { refuse_with(text, NULL, NULL, 0, line); }

static inline const char *text_at(const struct experiment *e, size_t run, const char *path) {
    const char *text = config_text(&e->run[run].config, "%s", path);
    return text ? text : "(none)";
}

#endif
