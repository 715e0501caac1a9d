/* SPDX-License-Identifier: Apache-2.0 */
/* A run's identity leaves out settings that are defaults (config_acting), so a default may change only together with
 * RESULT_VERSION. defaults.txt has the default of every key, under the version in which it holds. A new key adds a line. */
#include "study/config/schema.h"
#include "study/experiment/experiment.h"
#include "study_test.h"

#include <stdlib.h>

static const char *checkout;

/* Returns all defaults, a line each, under a line with the result version. The caller frees it. */
static char *defaults(void) {
    char *text = NULL;
    size_t size = 0, n;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "results %d\n", RESULT_VERSION);
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (k[i].def) fprintf(out, "%s: %s\n", k[i].path, k[i].def);
    fclose(out);
    return text;
}

/* Returns the text of a file of the checkout; fails without it. The caller frees it. */
static char *recorded(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", checkout, name);
    FILE *in = fopen(path, "r");
    if (!in) fail_msg("cannot open %s", path);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', in) >= 0);
    fclose(in);
    return text;
}

static void defaults__change_only_with_the_result_version(void **state) {
    (void)state;
    char *now = defaults(), *before = recorded("tests/study/config/defaults.txt");
    if (strcmp(now, before) != 0) {
        FILE *out = fopen("defaults.new", "w");
        assert_non_null(out);
        fputs(now, out);
        fclose(out);
        fail_msg("the defaults are no longer those of tests/study/config/defaults.txt: defaults.new beside this test "
                 "has them "
                 "now. Copy it there if keys were added or went, or if RESULT_VERSION has risen; a default that "
                 "changes under "
                 "one version gives old results to new runs");
    }
    free(now);
    free(before);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {UNIT(defaults__change_only_with_the_result_version)};
    checkout = argc > 1 ? argv[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
