/* SPDX-License-Identifier: Apache-2.0 */
/* heddle list, show and docs: every name, key and metric, as text for people and for completion. */
#include "fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void refused(const char *line, const char *expected) { heddle_refuses(line, expected, "x.db"); }

static void list_and_show__name_everything(void **state) {
    (void)state;
    const struct ended *e = heddle("list");
    static const char *const names[] = {"expeditus", "conga-flow", "cubic",  "web-search",
                                        "poisson",   "fat-tree",   "altoona"};
    assert_int_equal(e->code, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_non_null(strstr(e->out, names[i]));
    assert_non_null(strstr(heddle("show expeditus")->out, "dre_period             20us"));
    assert_non_null(strstr(heddle("docs")->out, "| `fabric.kind` |"));
    assert_non_null(strstr(heddle("docs results")->out, "| `fct_us.CLASS.STAT` | us | less |"));
    refused(
        "docs resluts",
        "heddle: error: WHAT resluts: write keys, results, columns, schema, schemes, man, bash, zsh, fish, families, "
        "names, settings, profiles, switches, labs, lab-hosts, lab-switches, lab-links or lab-nodes");
}

static void list_and_show__every_family_has_its_keys(void **state) {
    (void)state;
    assert_non_null(strstr(heddle("list flowctl")->out, "none"));
    assert_non_null(strstr(heddle("list crossbar")->out, "output-queued"));
    assert_non_null(strstr(heddle("show drr")->out, "switch.drr_quantum"));
    assert_non_null(strstr(heddle("show ecn")->out, "switch.ecn_threshold"));
    assert_non_null(strstr(heddle("show incast")->out, "workload.#.rounds"));
    assert_null(strstr(heddle("show incast")->out, "workload.#.load"));
    assert_non_null(strstr(heddle("show query")->out, "workload.#.schedule"));
    assert_non_null(strstr(heddle("show clos")->out, "required       pods"));
    assert_non_null(strstr(heddle("show web-search")->out, "from: DCTCP (SIGCOMM 2010), figure 4"));
    assert_non_null(strstr(heddle("show islip")->out, "speedup"));
    assert_non_null(strstr(heddle("show hull")->out, "  switch.admit: phantom"));
    assert_non_null(strstr(heddle("show altoona")->out, "\nthe same as:\n  fabric.kind: clos\n  fabric.pods: 96\n"));
    assert_null(strstr(heddle("show web-search")->out, "the same as:"));
    assert_non_null(strstr(heddle("show conga-flow")->out, "switch.balance: conga-flow"));
}

/* Returns true if the text has a code such as AM-36 or XP-F7: capitals, a dash, a digit or a figure. */
static bool has_code(const char *text) {
    static const char *const kind[] = {"AM-", "CMB-", "SC-", "DT-", "EXP-", "SP-", "XP-", " X-"};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (strstr(text, kind[i])) return true;
    return false;
}

/* The lists are for people who know the papers, not this project's numbers. Each scheme says whom it is for. */
static void list__names_papers_not_codes(void **state) {
    (void)state;
    assert_true(has_code("credits [XP-22]"));
    assert_false(has_code(heddle("list")->out));
    const char *out = heddle("list schemes")->out;
    assert_non_null(strstr(out, "\n  expresspass-2017            take    credits"));
    assert_non_null(strstr(out, "\n  expresspass                 figure  credits"));
    assert_non_null(strstr(out, "\n  expresspass-printed         reading "));
    assert_non_null(strstr(out, "\n  detail-fast                 take    DeTail for links of 10 Gbps"));
    assert_non_null(strstr(out, "docs/choices.md"));
    assert_non_null(strstr(out, "\n  lossless switches, 10 Gbps and more: 25, 40, 100  detail-fast  "));
    assert_non_null(strstr(heddle("docs schemes")->out,
                           "| lossless switches, 10 Gbps and more: 25, 40, 100 | `detail-fast` | the same with "));
    assert_non_null(strstr(heddle("show dctcp")->out, "\nuse: compare (heddle list schemes)\n"));
    assert_null(strstr(heddle("list balance")->out, "docs/choices.md"));
    assert_non_null(strstr(heddle("show dx")->out,
                           "full frames at the host's rate: less is no queue but the floor of the measurement [DX]\n"));
}

/* heddle show of every name, and the texts of the schema that editors show, have no codes either. */
static void show__names_papers_not_codes(void **state) {
    (void)state;
    char *names = strdup(heddle("docs names")->out), line[100];
    assert_true(lines_in(names) > 50);
    for (char *name = strtok(names, "\n"); name; name = strtok(NULL, "\n")) {
        snprintf(line, sizeof line, "show %s", name);
        if (has_code(heddle(line)->out)) fail_msg("a code stands in heddle %s", line);
    }
    free(names);
    assert_false(has_code(heddle("docs schema")->out));
}

/* Completion asks for the profiles and switches of the experiment in a partial command line. */
static void docs__names_of_an_experiment(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2}\n"
                         "workload: {kind: permutation, sizes: 100KB}\n"
                         "profiles: {small: {fabric: {leaves: 1}}, large: {fabric: {leaves: 3}}}\n"
                         "sweep: {fabric.spines: [1, 2]}\n");
    assert_string_equal(heddle("docs profiles run x.yaml")->out, "small\nlarge\n");
    assert_string_equal(heddle("docs profiles -- run x.yaml --profile")->out, "small\nlarge\n");
    assert_string_equal(heddle("docs switches replay x.yaml")->out, "leaf0\nleaf1\nspine0\n");
    assert_string_equal(heddle("docs switches -- replay x.yaml --run 2 --node")->out, "leaf0\nleaf1\nspine0\nspine1\n");
    assert_string_equal(heddle("docs switches -- check x.yaml --profile=small")->out, "leaf0\nspine0\n");
    assert_string_equal(heddle("docs switches -- check x.yaml --set fabric.leaves=1")->out, "leaf0\nspine0\n");
    refused("docs switches -- check x.yaml --run 3", "heddle: error: --run 3: there are 2 runs");
    refused("docs switches -- check x.yaml --nod", "heddle: error: unknown option '--nod'; see heddle check --help");
    refused("docs switches flows x.db",
            "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml");
    refused("docs profiles", "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml");
    refused("docs profiles run",
            "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml");
    refused("docs man run check", "heddle: error: 'check' is one argument too many; see heddle docs --help");
    /* profiles are listed even if the rest of the file is wrong */
    file_write("x.yaml", "fabrik: {}\nprofiles: {small: {}}\n");
    assert_string_equal(heddle("docs profiles run x.yaml")->out, "small\n");
    assert_int_equal(heddle("docs switches run x.yaml")->code, 2);
}

static void heddle__a_full_disk_behind_standard_output(void **state) {
    (void)state;
    char line[1100];
    snprintf(line, sizeof line, "'%s' list > /dev/full 2> x.err", program);
    assert_int_equal(WEXITSTATUS(system(line)), 3);
    unlink("x.err");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(list_and_show__name_everything), CASE(list_and_show__every_family_has_its_keys),
        CASE(list__names_papers_not_codes),   CASE(show__names_papers_not_codes),
        CASE(docs__names_of_an_experiment),   CASE(heddle__a_full_disk_behind_standard_output),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
