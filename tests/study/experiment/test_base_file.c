/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/base_file.h"

#include "study/claims/expect.h"
#include "study_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE                                                                                                           \
    "title: the base\nfabric: {kind: star, hosts: 4}\nhost: {jitter: 1us, min_rto: 2ms}\nworkload: [{kind: "           \
    "permutation, sizes: 100KB}]\nsweep:\n  switch.balance: [ecmp, spray]\n  run.seed: [1, 2]\nprofiles:\n  small: "   \
    "{run: {until: 5ms}, sweep: {run.seed: [1]}}\nexpect:\n  - {claim: none-lost, metric: packets.dropped, each: "     \
    "switch.balance, every: true, value: [0, 0], known: {holds: false}}\nfigure: {x: switch.balance, y: {metric: "     \
    "fct_us.all.mean}}\n"

static char folder[] = "/tmp/heddle-base-XXXXXX";

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static struct experiment *read_under(const char *name, const char *profile) {
    struct diag d = {0};
    char line[1024];
    struct experiment *e = experiment_read(name, &(struct experiment_options){.profile = profile}, &d);
    if (!e) print_error("%s\n", diag_line(&d, line, sizeof line));
    assert_non_null(e);
    return e;
}

static struct experiment *read_as(const char *name, const char *text) {
    write_file(name, text);
    return read_under(name, NULL);
}

/* Fails the test unless the file x.yaml with this text is refused with exactly this line. */
static void refuse_file(const char *text, const char *line) {
    struct diag d = {0};
    char said[1024];
    write_file("x.yaml", text);
    assert_null(experiment_read("x.yaml", &(struct experiment_options){0}, &d));
    assert_string_equal(diag_line(&d, said, sizeof said), line);
}

/* Fails the test unless both have the same runs in the same order. */
static void same_runs(const struct experiment *a, const struct experiment *b) {
    assert_int_equal(a->n_runs, b->n_runs);
    for (size_t i = 0; i < a->n_runs; i++) {
        assert_string_equal(a->run[i].text, b->run[i].text);
        assert_string_equal(a->run[i].identity, b->run[i].identity);
        assert_true(json_equal(a->run[i].settings, b->run[i].settings));
    }
}

/* Fails the test unless the file `text` has the runs of the file `written`. */
static void same_as(const char *text, const char *written) {
    struct experiment *a = read_as("x.yaml", text), *b = read_as("written.yaml", written);
    same_runs(a, b);
    experiment_free(a);
    experiment_free(b);
}

static int base_made(void **state) {
    (void)state;
    write_file("base.yaml", BASE);
    return 0;
}

/* ---- merging ---- */

static void merge__maps_merge_and_lists_replace(void **state) {
    (void)state;
    same_as("base: base.yaml\nhost: {jitter: 2us}\nworkload: [{kind: stride, sizes: 3KB, offset: 1}]\nsweep: "
            "{switch.balance: [expeditus]}\n",
            "fabric: {kind: star, hosts: 4}\nhost: {jitter: 2us, min_rto: 2ms}\nworkload: [{kind: stride, sizes: 3KB, "
            "offset: 1}]\nsweep: {switch.balance: [expeditus], run.seed: [1, 2]}\n");
}

static void merge__null_removes_a_key_and_an_axis(void **state) {
    (void)state;
    same_as("base: base.yaml\nhost: {jitter: null}\nsweep: {switch.balance: null}\nswitch: {balance: spray}\n",
            "fabric: {kind: star, hosts: 4}\nhost: {min_rto: 2ms}\nswitch: {balance: spray}\nworkload: [{kind: "
            "permutation, sizes: 100KB}]\nsweep: {run.seed: [1, 2]}\n");
}

static void merge__a_new_axis_stands_before_the_seeds(void **state) {
    (void)state;
    struct experiment *e = read_as("x.yaml", "base: base.yaml\nsweep: {host.min_rto: [1ms, 3ms]}\n");
    assert_int_equal(e->n_axes, 3);
    assert_string_equal(e->axis[0].key, "switch.balance");
    assert_string_equal(e->axis[1].key, "host.min_rto");
    assert_string_equal(e->axis[2].key, "run.seed");
    experiment_free(e);
}

static void merge__a_base_of_a_base(void **state) {
    (void)state;
    write_file("middle.yaml", "base: base.yaml\nhost: {jitter: 3us}\nswitch: {buffer: 100KB}\n");
    same_as("base: {file: middle.yaml}\nswitch: {buffer: 200KB}\n",
            "fabric: {kind: star, hosts: 4}\nhost: {jitter: 3us, min_rto: 2ms}\nswitch: {buffer: 200KB}\nworkload: "
            "[{kind: permutation, sizes: 100KB}]\nsweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}\n");
}

static void merge__a_path_replaces_a_key_of_an_item(void **state) {
    (void)state;
    same_as("base: base.yaml\nworkload.0.sizes: 3KB\nhost.jitter: null\n",
            "fabric: {kind: star, hosts: 4}\nhost: {min_rto: 2ms}\nworkload: [{kind: permutation, sizes: 3KB}]\nsweep: "
            "{switch.balance: [ecmp, spray], run.seed: [1, 2]}\n");
    same_as("base: base.yaml\nworkload.0.sizes: 3KB\nworkload: {kind: stride, sizes: 2KB, offset: 1}\n",
            "fabric: {kind: star, hosts: 4}\nhost: {jitter: 1us, min_rto: 2ms}\nworkload: [{kind: stride, sizes: 3KB, "
            "offset: 1}]\nsweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}\n");
}

static void merge__a_file_without_a_base_may_have_paths(void **state) {
    (void)state;
    same_as("fabric: {kind: star, hosts: 4}\nfabric.hosts: 5\nworkload: {kind: permutation, sizes: 1KB}\nhost.jitter: "
            "2us\n",
            "fabric: {kind: star, hosts: 5}\nworkload: {kind: permutation, sizes: 1KB}\nhost: {jitter: 2us}\n");
}

/* A profile of the base may have paths; the block of this file is not changed by them. */
static void merge__a_block_replaces_the_paths_of_the_base(void **state) {
    (void)state;
    write_file("middle.yaml",
               "base: base.yaml\nprofiles: {small: {workload.0.sizes: 2KB, host.jitter: 4us, host.min_rto: 3ms}}\n");
    write_file(
        "x.yaml",
        "base: middle.yaml\nprofiles: {small: {workload: [{kind: permutation, sizes: 7KB}], host: {jitter: 5us}}}\n");
    write_file("written.yaml",
               "fabric: {kind: star, hosts: 4}\nhost: {jitter: 5us, min_rto: 3ms}\nrun: {until: 5ms}\nworkload: "
               "[{kind: permutation, sizes: 7KB}]\nsweep: {switch.balance: [ecmp, spray], run.seed: [1]}\n");
    struct experiment *a = read_under("x.yaml", "small"), *b = read_under("written.yaml", NULL);
    same_runs(a, b);
    experiment_free(a);
    experiment_free(b);
}

static void errors__paths(void **state) {
    (void)state;
    refuse_file("base: base.yaml\nhost.jiter: null\n",
                "x.yaml:2:1: error: 'host.jiter: null' removes nothing: base.yaml gives no such key; leave it out");
    refuse_file("base: base.yaml\nworkload.2.sizes: 3KB\n",
                "x.yaml:2:19: error: 'workload.2.sizes' leads nowhere at '2'; write the number of an item of the list, "
                "counted from 0");
    refuse_file("base: base.yaml\nswitch.balance: ecmp\n",
                "x.yaml:2:17: error: base.yaml:6 sweeps switch.balance, so this value has no effect; remove the axis: "
                "sweep: {switch.balance: null}");
}

static void merge__title_and_profiles_are_inherited(void **state) {
    (void)state;
    write_file("x.yaml", "base: base.yaml\nprofiles: {small: {host: {jitter: 7us}}, other: {run: {until: 9ms}}}\n");
    struct experiment *e = read_under("x.yaml", "small");
    assert_string_equal(e->title, "the base");
    assert_string_equal(e->name, "x@small");
    assert_int_equal(e->n_runs, 2);
    assert_string_equal(text_at(e, 0, "run.until"), "5ms");
    assert_string_equal(text_at(e, 0, "host.jitter"), "7us");
    experiment_free(e);
    e = read_under("x.yaml", "other");
    assert_string_equal(text_at(e, 0, "run.until"), "9ms");
    experiment_free(e);
    write_file("x.yaml", "base: base.yaml\nprofiles: {small: null}\n");
    struct diag d = {0};
    assert_null(experiment_read("x.yaml", &(struct experiment_options){.profile = "small"}, &d));
    assert_string_equal(d.text, "there is no profile 'small'; the file has none");
}

/* ---- claims and figures ---- */

static size_t claims_of(const char *text, size_t *n_known) {
    struct experiment *e = read_as("x.yaml", text);
    struct expectations x;
    struct diag d = {0};
    assert_true(expectations_read(e, &x, &d));
    size_t n = x.n;
    *n_known = n ? x.item[0].n_known : 0;
    expectations_free(&x);
    experiment_free(e);
    return n;
}

static bool has_figure(const char *text) {
    struct experiment *e = read_as("x.yaml", text);
    bool has = tree_get(e->root, "figure") != NULL;
    experiment_free(e);
    return has;
}

static void inherit__claims_and_figures_only_if_asked(void **state) {
    (void)state;
    size_t known;
    assert_int_equal(claims_of("base: base.yaml\n", &known), 0);
    assert_int_equal(claims_of("base: {file: base.yaml, figure: true, expect: false}\n", &known), 0);
    assert_int_equal(claims_of("base: {file: base.yaml, expect: true}\n", &known), 1);
    assert_int_equal(known, 0); /* what was measured is of the base's runs */
    assert_false(has_figure("base: {file: base.yaml, expect: true}\n"));
    assert_true(has_figure("base: {file: base.yaml, figure: true}\n"));
    /* what a base inherits is asked for once more */
    write_file("middle.yaml", "base: {file: base.yaml, figure: true}\n");
    assert_false(has_figure("base: middle.yaml\n"));
    assert_true(has_figure("base: {file: middle.yaml, figure: true}\n"));
}

static void inherit__claims_of_profiles_too(void **state) {
    (void)state;
    write_file("claims.yaml",
               "base: base.yaml\nprofiles: {small: {expect: [{claim: a, metric: packets.dropped, each: switch.balance, "
               "every: true, value: [0, 0]}]}}\n");
    write_file("x.yaml", "base: claims.yaml\n");
    struct experiment *e = read_under("x.yaml", "small");
    assert_null(tree_get(e->root, "expect"));
    experiment_free(e);
    write_file("x.yaml", "base: {file: claims.yaml, expect: true}\n");
    e = read_under("x.yaml", "small");
    assert_non_null(tree_get(e->root, "expect"));
    experiment_free(e);
}

/* ---- paths ---- */

static void paths__of_the_base_start_at_its_folder(void **state) {
    (void)state;
    mkdir("deep", 0700);
    mkdir("other", 0700);
    write_file("deep/net.yml",
               "nodes: [{name: s, tier: leaf}, {name: a}, {name: b}]\nlinks: [{a: a, b: s}, {a: b, b: s}]\n");
    write_file("deep/few.cdf", "1000 0\n2000 1\n");
    write_file("deep/base.yaml", "fabric: {kind: file, path: net.yml, rate: 10Gbps, delay: 1us}\nworkload: {kind: "
                                 "permutation, sizes: few.cdf}\nsweep: {workload.0.sizes: [few.cdf, web-search, 3KB]}\n"
                                 "profiles: {small: {workload: {sizes: few.cdf}}}\n"
                                 "expect: {claim: a, metric: packets.dropped, of: {workload.0.sizes: few.cdf}, value: "
                                 "[0, 0]}\nfigure: {x: workload.0.sizes, names: {workload.0.sizes: {few.cdf: few}}, y: "
                                 "{metric: fct_us.all.mean}}\n");
    struct experiment *e = read_as("other/x.yaml", "base: {file: ../deep/base.yaml, expect: true, figure: true}\n");
    assert_string_equal(text_at(e, 0, "fabric.path"), "../deep/net.yml");
    assert_string_equal(text_at(e, 0, "workload.0.sizes"), "../deep/few.cdf");
    assert_string_equal(text_at(e, 1, "workload.0.sizes"), "web-search");
    assert_string_equal(text_at(e, 2, "workload.0.sizes"), "3KB");
    struct expectations x;
    struct diag d = {0};
    assert_true(expectations_read(e, &x, &d));
    assert_string_equal(json_string_value(json_object_get(x.item[0].of, "workload.0.sizes")), "../deep/few.cdf");
    expectations_free(&x);
    assert_non_null(
        tree_get(tree_get(tree_get(tree_get(e->root, "figure"), "names"), "workload.0.sizes"), "../deep/few.cdf"));
    experiment_free(e);
    /* by way of a base in a third folder, and from the folder above */
    write_file("other/x.yaml", "base: ../deep/base.yaml\n");
    e = read_as("y.yaml", "base: other/x.yaml\n");
    assert_string_equal(text_at(e, 0, "fabric.path"), "other/../deep/net.yml");
    experiment_free(e);
    /* in the same folder a path stays as it is written, and so does the identity */
    struct experiment *same = read_as("deep/x.yaml", "base: .//./base.yaml\n"),
                      *base = read_under("deep/base.yaml", NULL);
    same_runs(same, base);
    experiment_free(same);
    experiment_free(base);
}

/* ---- errors ---- */

static void errors__name_the_file_that_the_value_came_from(void **state) {
    (void)state;
    refuse_file(
        "base: base.yaml\nhost: {jitter: 3parsec}\n",
        "x.yaml:2:16: error: host.jitter: 'parsec' is no unit of a time; write ps, ns, us, ms or s, such as 20us");
    write_file("bad.yaml",
               "fabric: {kind: star, hosts: 4}\nhost: {jiter: 1us}\nworkload: [{kind: permutation, sizes: 1KB}]\n");
    refuse_file("base: bad.yaml\n",
                "bad.yaml:2:8: error: unknown key 'jiter' in host; did you mean 'jitter'? (a base of x.yaml)");
    /* a key that the file gives again is the file's */
    refuse_file("base: bad.yaml\nhost: {jiter: 2us}\n",
                "x.yaml:2:8: error: unknown key 'jiter' in host; did you mean 'jitter'?");
    refuse_file(
        "base: base.yaml\nfabric: {kind: dumbbell, hosts: null}\n",
        "x.yaml:2:9: error: 'fabric.pairs' is missing; give pairs (senders on the left, receivers on the right)");
}

static void errors__null_that_removes_nothing(void **state) {
    (void)state;
    refuse_file("base: base.yaml\nsweep: {switch.balanse: null}\n",
                "x.yaml:2:9: error: 'switch.balanse: null' removes nothing: base.yaml gives no such key; did you mean "
                "'switch.balance'?");
    refuse_file("base: base.yaml\nmeasure: null\n",
                "x.yaml:2:1: error: 'measure: null' removes nothing: base.yaml gives no such key; leave it out");
}

static void errors__a_value_that_the_base_sweeps(void **state) {
    (void)state;
    refuse_file("base: base.yaml\nswitch: {balance: spray}\n",
                "x.yaml:2:19: error: base.yaml:6 sweeps switch.balance, so this value has no effect; remove the axis: "
                "sweep: {switch.balance: null}");
    struct experiment *e =
        read_as("x.yaml", "base: base.yaml\nswitch: {balance: spray}\nsweep: {switch.balance: [ecmp]}\n");
    experiment_free(e); /* the file itself sweeps it: as in any file */
}

static void errors__a_cycle(void **state) {
    (void)state;
    refuse_file("base: x.yaml\n",
                "x.yaml:1:7: error: a file cannot be its own base (x.yaml, base of x.yaml); name another one here");
    write_file("y.yaml", "title: y\nbase: {file: z.yaml}\n");
    write_file("z.yaml", "base: ./x.yaml\n");
    refuse_file("base: y.yaml\n", "z.yaml:1:7: error: a file cannot be its own base (x.yaml, base of z.yaml, base of "
                                  "y.yaml, base of x.yaml); name another one here");
    char name[32], text[64];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "n%d.yaml", i);
        snprintf(text, sizeof text, "base: n%d.yaml\n", i + 1);
        write_file(name, text);
    }
    refuse_file("base: n0.yaml\n",
                "n7.yaml:1:7: error: more than 8 bases, one above the other; write some of them out");
}

static void errors__no_such_base(void **state) {
    (void)state;
    refuse_file("base: none.yaml\n",
                "x.yaml:1:7: error: cannot read the base none.yaml: No such file or directory; name a "
                "file, relative to this one's folder");
    refuse_file("base: {file: .}\n", "x.yaml:1:14: error: the base . is no file; name an experiment file");
    write_file("list.yaml", "[1, 2]\n");
    refuse_file("base: list.yaml\n", "list.yaml:1:1: error: an experiment is a block of keys: fabric, workload, ...");
    write_file("broken.yaml", "a: [\n");
    struct diag d = {0};
    write_file("x.yaml", "base: broken.yaml\n");
    assert_null(experiment_read("x.yaml", &(struct experiment_options){0}, &d));
    assert_string_equal(d.file, "broken.yaml");
}

static void errors__forms(void **state) {
    (void)state;
    refuse_file("base: {fil: a.yaml}\n", "x.yaml:1:8: error: unknown key 'fil' in base; did you mean 'file'?");
    refuse_file("base: {expect: true}\n", "x.yaml:1:7: error: base names no file; write base: FILE.yaml");
    refuse_file("base: [a.yaml]\n", "x.yaml:1:7: error: base names no file; write base: FILE.yaml");
    refuse_file("base: {file: base.yaml, expect: 3}\n", "x.yaml:1:33: error: base.expect is true or false");
    refuse_file(BASE "profiles2: 3\n", "x.yaml:13:1: error: unknown key 'profiles2'; did you mean 'profiles'?");
    refuse_file("fabric: {kind: star, hosts: 4}\nprofiles: {small: {base: base.yaml}}\n",
                "x.yaml:2:26: error: a profile has no base of its own; name it at the top of the file");
    refuse_with(STAR PERMUTATION, NULL, (const char *const[]){"base=base.yaml"}, 1,
                "error: --set base=base.yaml: a base is named in the file, not here; set the keys themselves");
    refuse(STAR PERMUTATION "sweep: {base: [a, b]}\n",
           "x.yaml:3:9: error: 'base' cannot be swept; name a key of the fabric, "
           "hosts, switches, workload, run or measure");
}

/* ---- readers of no other file ---- */

static void refuse__where_no_file_is_read(void **state) {
    (void)state;
    const char *text = "base: base.yaml\n";
    struct experiment_options fuzzing = {.no_files = true}, stored = {.is_stored = true};
    struct diag d = {0};
    assert_null(experiment_parse(text, strlen(text), "x.yaml", &fuzzing, &d));
    assert_string_equal(d.text, "no other file is read here, and so no base; write the experiment out");
    assert_null(experiment_parse(text, strlen(text), "x.yaml", &stored, &d));
}

/* What `heddle check` prints is the experiment written out. */
static void printed__has_no_base(void **state) {
    (void)state;
    struct experiment *e = read_as("x.yaml", "base: base.yaml\n");
    assert_null(strstr(e->run[0].text, "base"));
    struct experiment *again = read_as("again.yaml", e->run[0].text);
    assert_string_equal(again->run[0].identity, e->run[0].identity);
    experiment_free(again);
    experiment_free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(merge__maps_merge_and_lists_replace, base_made),
        cmocka_unit_test_setup(merge__null_removes_a_key_and_an_axis, base_made),
        cmocka_unit_test_setup(merge__a_new_axis_stands_before_the_seeds, base_made),
        cmocka_unit_test_setup(merge__a_base_of_a_base, base_made),
        cmocka_unit_test_setup(merge__title_and_profiles_are_inherited, base_made),
        cmocka_unit_test_setup(inherit__claims_and_figures_only_if_asked, base_made),
        cmocka_unit_test_setup(inherit__claims_of_profiles_too, base_made),
        cmocka_unit_test_setup(paths__of_the_base_start_at_its_folder, base_made),
        cmocka_unit_test_setup(errors__name_the_file_that_the_value_came_from, base_made),
        cmocka_unit_test_setup(errors__null_that_removes_nothing, base_made),
        cmocka_unit_test_setup(errors__a_value_that_the_base_sweeps, base_made),
        cmocka_unit_test_setup(merge__a_path_replaces_a_key_of_an_item, base_made),
        cmocka_unit_test_setup(merge__a_file_without_a_base_may_have_paths, base_made),
        cmocka_unit_test_setup(merge__a_block_replaces_the_paths_of_the_base, base_made),
        cmocka_unit_test_setup(errors__paths, base_made),
        cmocka_unit_test_setup(errors__a_cycle, base_made),
        cmocka_unit_test_setup(errors__no_such_base, base_made),
        cmocka_unit_test_setup(errors__forms, base_made),
        cmocka_unit_test_setup(refuse__where_no_file_is_read, base_made),
        cmocka_unit_test_setup(printed__has_no_base, base_made),
    };
    char command[128];
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? failed : 1;
}
