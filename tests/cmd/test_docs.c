/* SPDX-License-Identifier: Apache-2.0 */
/* heddle docs: completions for shells, of commands whose options and arguments are of each kind, and the names that they ask for.
 * test_complete.py presses the tab key in real shells. */
#include "fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void prints(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_string_equal(e->err, "");
    assert_string_equal(e->out, expected);
    assert_int_equal(e->code, 0);
}

/* Fails the test unless the output has this text. */
static void has(const char *out, const char *text) {
    if (!strstr(out, text)) fail_msg("no %s", text);
}

/* Runs bash with the completion: its function gets the words after "heddle", the last of which is completed. */
static const char *completed(const char *words) {
    static char out[8192];
    char line[1024], program_path[4096];
    snprintf(program_path, sizeof program_path, "%s", program);
    setenv("HEDDLE", program_path, 1);
    snprintf(line, sizeof line,
             "bash -c 'source ./completion; COMP_WORDS=(\"$HEDDLE\" %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
             "_heddle \"$HEDDLE\" 2>/dev/null; echo \"${COMPREPLY[*]}\"'",
             words);
    FILE *in = popen(line, "r");
    size_t n = fread(out, 1, sizeof out - 1, in);
    out[n] = 0;
    assert_int_equal(pclose(in), 0);
    return out;
}

/* Options, choices, files of a kind, names that heddle knows, and names of the experiment in the line. */
static void bash__completes_words(void **state) {
    (void)state;
    static const struct {
        const char *words, *replies;
    } row[] = {
        {"wh", "why\n"},
        {"--v", "--version\n"},
        {"lab s", "status switch\n"},
        {"why --m", "--messages\n"},
        {"why \"\"", "y.db\n"},
        {"why y.db \"\"", "\n"},
        {"why y.db ring \"\"", "--run --messages --csv --help\n"},
        {"why --run 1 \"\"", "y.db\n"},
        {"why --csv \"\"", "y.db\n"},
        {"init le", "leaf-spine\n"},
        {"plot y.db fct_us.all --kind b", "bars\n"},
        {"plot y.db fct_us.all --kind=b", "--kind=bars\n"},
        {"plot y.db fct_us.all b", "by\n"},
        {"plot y.db fct_us.all by \"\"", "\n"},
        {"list si", "sizes\n"},
        {"show expedi", "expeditus\n"},
        {"help fl", "flows flow\n"},
        {"run \"\"", "x.yaml\n"},
        {"run x.yaml --set switch.balance=ex", "switch.balance=expeditus\n"},
        {"run x.yaml --profile \"\"", "small large\n"},
        {"run x.yaml -o \"\"", "y.db\n"},
        {"replay x.yaml --node le", "leaf0\n"},
        {"report y.db \"\"", "y.db\n"},
        {"replay x.yaml --in al", "all=\n"},
    };
    file_write("completion", heddle("docs bash")->out);
    file_write("x.yaml", "fabric: {kind: star, hosts: 2}\nprofiles: {small: {}, large: {}}\n");
    file_write("y.db", "");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *said = completed(row[i].words);
        if (strcmp(said, row[i].replies) != 0) fail_msg("%s: %s", row[i].words, said);
    }
    unlink("y.db");
    unlink("completion");
}

static void fish__has_a_line_for_each_option(void **state) {
    (void)state;
    const char *out = heddle("docs fish")->out;
    has(out, "complete -c heddle -f\n"
             "complete -c heddle -s h -l help -d 'prints help'\n"
             "complete -c heddle -n '__heddle_in' -l version -d 'prints name and version'\n");
    has(out, "complete -c heddle -n '__heddle_in why' -a '(__heddle_files db)'\n"
             "complete -c heddle -n '__heddle_in why' -l run -x -d 'the run'\n"
             "complete -c heddle -n '__heddle_in why' -l messages -x -d 'how many messages are listed'\n"
             "complete -c heddle -n '__heddle_in why' -l csv -d 'prints all steps of the path as CSV'\n");
    has(out, "complete -c heddle -n '__heddle_in init' -a 'leaf-spine clos file trace lab incast training'\n"
             "complete -c heddle -n '__heddle_in init' -l out -s o -x -a '(__heddle_folders)' -d ");
    has(out, "complete -c heddle -n '__heddle_in plot' -l kind -x -a 'lines bars cdf ccdf rank time table' -d 'without "
             "it lines, "
             "bars where the key\\'s values are words, or without a key cdf or time'\n");
    has(out, "complete -c heddle -n '__heddle_in lab-capture' -a '(__heddle_of_line lab-links)'\n"
             "complete -c heddle -n '__heddle_in lab-capture' -l name -x -a '(__heddle_of_line labs)' -d ");
    has(out, "complete -c heddle -n '__heddle_in replay' -l set -x -a '(__heddle_ask settings)' -d ");
    has(out, "complete -c heddle -n '__heddle_in replay' -l profile -x -a '(__heddle_of_line profiles)' -d ");
    has(out, "complete -c heddle -n '__heddle_in replay' -l in -x -a '(__heddle_captures)' -d ");
    has(out, "set -g __heddle_groups lab\n");
}

/* Some options exclude themselves, others may be repeated; colons and quotes in texts are escaped. */
static void zsh__has_a_line_for_each_option(void **state) {
    (void)state;
    const char *out = heddle("docs zsh")->out;
    has(out, "#compdef heddle\n");
    has(out, "        'why:say what a job waited for'\n");
    has(out, "        why)\n"
             "            _arguments -s -S \\\n"
             "            '(--run)'--run='[the run]:N:' \\\n"
             "            '(--messages)'--messages='[how many messages are listed]:N:' \\\n"
             "            '(--csv)'--csv'[prints all steps of the path as CSV]' \\\n"
             "            '1:RESULTS.db:_files -g \"*.db\"' \\\n"
             "            '2:JOB:' \\\n"
             "            '(- *)'{-h,--help}'[prints help]'\n"
             "            ;;\n");
    has(out, "            '(-o --figures)'{-o+,--figures=}'[draws into this folder, made if missing; without it "
             "here]:DIR:_files "
             "-/' \\\n");
    has(out, "            '*'--panels='[a plot for each of its values; may be repeated]:KEY:' \\\n");
    has(out, "            '(--tables)'--tables'[shows the balancer'\\''s tables too\\: paths and congestion]' \\\n"
             "            '(-w --watch)'{-w,--watch}'[again each second, until it is interrupted]' \\\n");
    has(out, "            '1:down|up:(down up)' \\\n            '2:LINK: _heddle_of_line lab-links' \\\n");
    has(out, "        'status:show hosts, switches and links of a lab'\n");
    has(out, "        'fabric:list the nodes and links of an experiment'\\''s fabric'\n");
}

static void names__of_the_experiment_in_a_line(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2}\n"
                         "sweep: {fabric.spines: [1, 2]}\nprofiles: {small: {}, large: {run: {seed: 2}}}\n");
    prints("docs profiles run x.yaml", "small\nlarge\n");
    prints("docs switches switch x.yaml", "leaf0\nleaf1\nspine0\n");
    prints("docs switches -- switch x.yaml --run 2", "leaf0\nleaf1\nspine0\nspine1\n");
    prints("docs switches -- switch x.yaml --set fabric.leaves=1", "leaf0\nspine0\n");
}

static void names__that_are_refused(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: star, hosts: 2}\n");
    heddle_refuses("docs switches -- switch x.yaml --run 2", "heddle: error: --run 2: there is 1 run", "x.db");
    static const char none[] =
        "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml";
    heddle_refuses("docs switches", none, "x.db");
    heddle_refuses("docs profiles flows x.yaml", none, "x.db");
    heddle_refuses("docs lab-hosts run",
                   "heddle: error: there is no lab; write what follows heddle, such as lab exec --name LAB", "x.db");
    heddle_refuses("docs bash zsh", "heddle: error: 'zsh' is one argument too many; see heddle docs --help", "x.db");
    heddle_refuses("docs man lab up now", "heddle: error: 'now' is one argument too many; see heddle docs --help",
                   "x.db");
}

/* A key without choices ends in =, a choice is a line for each, and a list has its first item. */
static void names__of_settings(void **state) {
    (void)state;
    char out[1 << 16];
    snprintf(out, sizeof out, "\n%.65000s", heddle("docs settings")->out);
    has(out, "\ntitle=\n");
    has(out, "\nbase.expect=true\nbase.expect=false\n");
    has(out, "\nworkload.0.load=\n");
    has(out, "\nexpect.0.known.0.holds=true\nexpect.0.known.0.holds=roughly\n");
    assert_null(strstr(out, "\nfabric=\n"));
    assert_null(strstr(out, "#"));
    assert_string_equal(line_of(heddle("docs families")->out, 1), "balance");
    assert_string_equal(line_of(heddle("docs names")->out, 0), "ecmp");
}

static void man__of_a_command(void **state) {
    (void)state;
    const char *out = heddle("docs man why")->out;
    has(out, "\n.nh\n.ad l\n.SH NAME\nheddle\\-why \\- say what a job waited for\n.SH SYNOPSIS\n\\fBheddle why\\fR\n"
             "\\fIRESULTS.db\\fR\n[\\fIJOB\\fR]\n[\\fB\\-\\-run\\fR\\ \\fIN\\fR]\n");
    has(out,
        "\n.SH OPTIONS\n.TP\n\\fIRESULTS.db\\fR\nthe results store\n.TP\n\\fIJOB\\fR\nthe job; all if left out\n.TP\n"
        "\\fB\\-\\-run\\fR \\fIN\\fR\nthe run (from 1; default 1)\n");
    has(out, "\n.TP\n\\fB\\-\\-csv\\fR\nprints all steps of the path as CSV\n.TP\n\\fB\\-h\\fR, "
             "\\fB\\-\\-help\\fR\nprints a summary "
             "of this page\n.SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 2\n");
    has(out,
        "\n.SH EXAMPLES\n.TP\n\\fBheddle why step.db\\fR\nwhere did the time of the slowest step go?\n.SH SEE ALSO\n"
        "\\fBheddle\\fR(1),\n\\fBheddle\\-flows\\fR(1),\n\\fBheddle\\-flow\\fR(1),\n\\fBheddle\\-report\\fR(1)\n");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(bash__completes_words),
        CASE(fish__has_a_line_for_each_option),
        CASE(zsh__has_a_line_for_each_option),
        CASE(names__of_the_experiment_in_a_line),
        CASE(names__that_are_refused),
        CASE(names__of_settings),
        CASE(man__of_a_command),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
