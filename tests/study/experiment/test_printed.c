/* SPDX-License-Identifier: Apache-2.0 */
/* What `heddle check` prints of a run is an experiment file of that run. argv[1]: the checkout, whose experiments are all
 * printed and read again. */
#include "study/experiment/effect.h"
#include "study_test.h"

#include <ftw.h>
#include <stdlib.h>

static const char *checkout;
static unsigned n_read;

static void refuse_warning(const struct diag *d, void *context) {
    fail_msg("%s, printed and read again: %d:%d: %s", (const char *)context, d->line, d->col, d->text);
}

/* Fails unless run 1, printed, is read as the same run and without a warning of a key without effect. */
static void assert_reads_back(const struct experiment *e, const char *path) {
    struct diag d = {0};
    const struct planned_run *first = &e->run[0];
    const struct experiment_options o = {0};
    struct experiment *again = experiment_parse(first->text, strlen(first->text), path, &o, &d);
    if (!again) fail_msg("%s, printed and read again: %d:%d: %s\n%s", path, d.line, d.col, d.text, first->text);
    assert_int_equal(again->n_runs, 1);
    if (strcmp(again->run[0].identity, first->identity) != 0)
        fail_msg("%s, printed and read again, is another run:\n%s\n%s", path, first->text, again->run[0].text);
    effect_find(again, refuse_warning, (void *)path);
    experiment_free(again);
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)where;
    const char *dot = strrchr(path, '.');
    if (kind != FTW_F || !dot || strcmp(dot, ".yaml") != 0) return 0;
    struct diag d = {0};
    const struct experiment_options full = {0}, small = {.profile = "small"};
    struct experiment *e = experiment_read(path, &full, &d), *s = experiment_read(path, &small, &d);
    if (!e) fail_msg("%s:%d:%d: %s", path, d.line, d.col, d.text);
    assert_reads_back(e, path);
    if (s) assert_reads_back(s, path);
    experiment_free(e);
    experiment_free(s);
    n_read++;
    return 0;
}

static void config_print__each_experiment_is_read_again_as_the_same_run(void **state) {
    (void)state;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/experiments", checkout);
    assert_int_equal(nftw(folder, visit, 16, FTW_PHYS), 0);
    assert_true(n_read > 100);
}

/* ---- single cases ---- */

static void reads_back(const char *text) {
    struct experiment *e = read_text(text);
    assert_reads_back(e, "x.yaml");
    experiment_free(e);
}

static const char *line_of(const struct experiment *e, const char *key, char line[256]) {
    const char *at = strstr(e->run[0].text, key);
    assert_non_null(at);
    while (at > e->run[0].text && at[-1] != '\n') at--;
    snprintf(line, 256, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

static void assert_line(const char *text, const char *key, const char *line) {
    char is[256];
    struct experiment *e = read_text(text);
    assert_string_equal(line_of(e, key, is), line);
    experiment_free(e);
    reads_back(text);
}

static void config_print__keys_without_effect_are_comments(void **state) {
    (void)state;
    assert_line(STAR PERMUTATION, "snap:", "  # snap: 128B  (no effect: nothing is captured (measure.pcap))");
    assert_line(STAR PERMUTATION "measure: {pcap: [leaf0]}\n", "snap:", "  snap: 128B");
    assert_line(STAR PERMUTATION "switch: {schedule: drr, drr_quantum: 3KB}\n",
                "quantum:", "  # drr_quantum: 3KB  (no effect: ports have one class (switch.classes))");
}

static void config_print__keys_that_are_as_another_are_comments(void **state) {
    (void)state;
    assert_line(STAR PERMUTATION, "host_rate:", "  # host_rate: 10Gbps  (as rate)");
    assert_line("fabric: {kind: star, hosts: 4, host_rate: 5Gbps}\n" PERMUTATION,
                " rate:", "  # rate: 10Gbps  (no effect: host_rate is given)");
}

static void config_print__an_entry_names_its_transport(void **state) {
    (void)state;
    static const char *const given[] = {
        "", "host: {transport: cubic}\n",
        "host: {transport: cubic}\nworkload: {kind: permutation, sizes: 1KB, transport: none}\n"};
    static const char *const name[] = {"newreno", "cubic", "cubic"};
    for (size_t i = 0; i < 3; i++) {
        char text[512], line[64];
        snprintf(text, sizeof text, STAR "%s%s", i < 2 ? PERMUTATION : "", given[i]);
        snprintf(line, sizeof line, "    transport: %s", name[i]);
        assert_line(text, "    transport:", line);
    }
}

static void identity__a_key_without_effect_has_no_part_in_it(void **state) {
    (void)state;
    struct experiment *a = read_text(STAR PERMUTATION), *b = read_text(STAR PERMUTATION "measure: {snap: 200B}\n"),
                      *c = read_text(STAR PERMUTATION "measure: {snap: 200B, pcap: [leaf0]}\n"),
                      *d = read_text(STAR PERMUTATION "measure: {pcap: [leaf0]}\n");
    assert_string_equal(a->run[0].identity, b->run[0].identity);
    assert_string_not_equal(c->run[0].identity, d->run[0].identity);
    experiment_free(a);
    experiment_free(b);
    experiment_free(c);
    experiment_free(d);
}

/* Returns whether the only runs of two texts have one identity. */
static bool same_identity(const char *left, const char *right) {
    struct experiment *a = read_text(left), *b = read_text(right);
    bool same = strcmp(a->run[0].identity, b->run[0].identity) == 0;
    experiment_free(a);
    experiment_free(b);
    return same;
}

/* So a key that is added later, with a default that means what was before, leaves stored runs and records valid. */
static void identity__a_default_has_no_part_in_it(void **state) {
    (void)state;
    assert_true(
        same_identity(STAR PERMUTATION, STAR PERMUTATION "host: {initial_rto: auto, limited_transmit: true}\n"));
    assert_true(same_identity(STAR PERMUTATION "host: {min_rto: 2s}\n", STAR PERMUTATION "host: {min_rto: 2000ms}\n"));
    assert_false(same_identity(STAR PERMUTATION, STAR PERMUTATION "host: {initial_rto: 2s}\n"));
    assert_false(same_identity(STAR PERMUTATION "host: {initial_rto: 2s}\n",
                               STAR PERMUTATION "host: {initial_rto: 2s, syn_rto: 1s}\n"));
}

/* A list of items that are all defaults is not an empty list. */
static void identity__counts_the_items_of_lists(void **state) {
    (void)state;
    static const char *const of[] = {"{kind: permutation, sizes: 1MB}",
                                     "{kind: permutation, sizes: 1MB}, {kind: permutation, sizes: 1MB}"};
    char text[2][256];
    for (size_t i = 0; i < 2; i++) snprintf(text[i], sizeof text[i], STAR "workload: [%s]\n", of[i]);
    assert_false(same_identity(text[0], text[1]));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        UNIT(config_print__each_experiment_is_read_again_as_the_same_run),
        UNIT(config_print__keys_without_effect_are_comments),
        UNIT(config_print__keys_that_are_as_another_are_comments),
        UNIT(config_print__an_entry_names_its_transport),
        UNIT(identity__a_key_without_effect_has_no_part_in_it),
        UNIT(identity__a_default_has_no_part_in_it),
        UNIT(identity__counts_the_items_of_lists),
    };
    checkout = argc > 1 ? argv[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
