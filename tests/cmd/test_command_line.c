/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, as its tables define it: help, options, arguments, errors. argv[1] is the program. */
#include "program.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SMALL                                                                                                          \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 20KB}]\n"       \
    "sweep: {run.seed: [1, 2]}\n"

static int setup(void **state) {
    (void)state;
    unlink("x.db");
    file_write("x.yaml", SMALL);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    unlink("x.db");
    unlink("x.yaml");
    return 0;
}

static void refused(const char *line, const char *expected) { heddle_refuses(line, expected, "x.db"); }

/* Completes the name of a command; those of labs have two words, such as "lab up". Returns 1. */
static size_t name_is_whole(char name[32], const char *action) {
    if (strcmp(name, "lab") == 0) snprintf(name, 32, "lab %.20s", action);
    return true;
}

/* Reads the commands from `heddle --help`, lines "  heddle NAME ...". Returns their number. */
static size_t commands_read(char names[32][32]) {
    char action[32] = "";
    const struct ended *e = heddle("--help");
    size_t n = 0;
    assert_int_equal(e->code, 0);
    for (int i = 0; i < lines_in(e->out) && n < 32; i++)
        if (line_of(e->out, i)[0] == ' ' &&
            (sscanf(line_of(e->out, i), "  heddle %31[a-z] %31[a-z]", names[n], action) > 0))
            n += name_is_whole(names[n], action);
    assert_true(n >= 11);
    return n;
}

/* ---- help ---- */

static void help__names_every_command_in_a_line(void **state) {
    (void)state;
    const struct ended *e = heddle("--help");
    assert_int_equal(e->code, 0);
    assert_string_equal(e->err, "");
    assert_non_null(strstr(e->out, "\n  heddle run FILE.yaml          run an experiment and compare its results"));
    assert_non_null(strstr(e->out, "\n  heddle report RESULTS.db...   show results"));
    assert_non_null(strstr(e->out, "\n  heddle list [FAMILY]          list"));
    char *help = strdup(e->out);
    assert_string_equal(heddle("-h")->out, help);
    assert_string_equal(heddle("help")->out, help);
    free(help);
}

static void help__without_a_command_is_an_error(void **state) {
    (void)state;
    const struct ended *e = heddle("");
    assert_int_equal(e->code, 2);
    assert_string_equal(e->out, "");
    assert_non_null(strstr(e->err, "usage: heddle COMMAND"));
}

static void help__each_command_has_its_own(void **state) {
    (void)state;
    char names[32][32], line[64];
    size_t n = commands_read(names);
    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line, "%s --help", names[i]);
        const struct ended *e = heddle(line);
        assert_int_equal(e->code, 0);
        assert_string_equal(e->err, "");
        snprintf(line, sizeof line, "usage: heddle %s", names[i]);
        assert_memory_equal(e->out, line, strlen(line));
        assert_non_null(strstr(e->out, "\n  -h, --help              prints this\n"));
        assert_non_null(strstr(e->out, "\nExit status:\n  0  done"));
        char *help = strdup(e->out);
        snprintf(line, sizeof line, "help %s", names[i]);
        assert_string_equal(heddle(line)->out, help);
        free(help);
    }
}

/* The commands "lab ..." are a group; its help lists them, and a wrong action names the nearest. */
static void help__of_a_group_names_its_actions(void **state) {
    (void)state;
    char names[32][32], missing[256] = "heddle: error: heddle lab needs an action:";
    size_t n = commands_read(names);
    char *help = strdup(heddle("lab --help")->out);
    assert_memory_equal(help, "usage: heddle lab ACTION", strlen("usage: heddle lab ACTION"));
    for (size_t i = 0; i < n; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n  heddle %.31s ", names[i]);
        bool is_action = strncmp(names[i], "lab ", 4) == 0;
        assert_int_equal(strstr(help, line) != NULL, is_action);
        if (is_action) snprintf(missing + strlen(missing), 32, " %s,", names[i] + 4);
    }
    snprintf(missing + strlen(missing) - 1, 32, "; see heddle lab --help");
    assert_string_equal(heddle("lab -h")->out, help);
    assert_string_equal(heddle("help lab")->out, help);
    assert_int_equal(heddle("help lab")->code, 0);
    free(help);
    refused("lab", missing);
    refused("lab --none", missing);
    refused("lab upp", "heddle: error: unknown command 'lab upp'; did you mean 'lab up'?");
    refused("lab up --zzzzzz", "heddle: error: unknown option '--zzzzzz'; see heddle lab up --help");
    refused("help lab upp", "heddle: error: unknown command 'lab upp'; did you mean 'lab up'?");
    refused("help run up", "heddle: error: 'up' is one argument too many; heddle run has no actions");
    refused("docs man run up", "heddle: error: 'up' is one argument too many; see heddle docs --help");
    char *page = strdup(heddle("docs man lab-up")->out);
    assert_string_equal(heddle("docs man lab up")->out, page);
    free(page);
}

static void help__says_ranges_and_defaults(void **state) {
    (void)state;
    const char *help = heddle("run --help")->out;
    assert_non_null(strstr(help, "\n  -j, --jobs N            runs side by side, each a process of its own (from 1 to "
                                 "256; default 1)\n"));
    assert_non_null(strstr(help, "\n  -q, --quiet             prints neither"));
    assert_non_null(strstr(help, "\n  -o, --out RESULTS.db    the results store"));
    assert_non_null(strstr(help, "usage: heddle run FILE.yaml [--set KEY=VALUE]... [--profile NAME] [-j N]"));
    assert_non_null(strstr(heddle("replay --help")->out, "usage: heddle replay FILE.yaml"));
    assert_non_null(strstr(heddle("replay --help")->out, " --node NODE"));
    assert_null(strstr(heddle("replay --help")->out, "[--node NODE]"));
}

/* Lines of help have at most 100 columns, except usage lines. */
static void help__fits_a_terminal(void **state) {
    (void)state;
    char names[32][32], line[64];
    size_t n = commands_read(names);
    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line, "%s --help", names[i]);
        const struct ended *e = heddle(line);
        for (int k = 0; k < lines_in(e->out); k++) {
            const char *text = line_of(e->out, k);
            if (strncmp(text, "  heddle ", 9) != 0 && strlen(text) > 100) fail_msg("%s: too long: %s", names[i], text);
        }
    }
}

/* --help ends the parsing of a command line, so a successful `EXAMPLE --help` shows that the example itself is
 * valid. */
static void help__its_examples_are_right(void **state) {
    (void)state;
    char names[32][32], line[1024];
    size_t n = commands_read(names), examples = 0;
    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line, "%s --help", names[i]);
        char *help = strdup(heddle(line)->out);
        for (int k = 0; k < lines_in(help); k++) {
            const char *text = line_of(help, k);
            if (strncmp(text, "  heddle ", 9) != 0) continue;
            if (strncmp(text, "  heddle lab exec", 17) == 0)
                continue;                            /* --help would belong to the command that it runs */
            size_t length = strcspn(text + 9, ">|"); /* the shell reads the rest */
            snprintf(line, sizeof line, "%.*s --help", (int)length, text + 9);
            const struct ended *e = heddle(line);
            if (e->code != 0) fail_msg("heddle %s: %s", text + 9, e->err);
            examples++;
        }
        free(help);
    }
    assert_true(examples >= n);
}

static void help__comes_before_what_is_missing(void **state) {
    (void)state;
    assert_int_equal(heddle("replay x.yaml --help")->code, 0);
    assert_int_equal(heddle("run -qh")->code, 0);
    refused("run --nosuch --help", "heddle: error: unknown option '--nosuch'; see heddle run --help");
    refused("help rum", "heddle: error: unknown command 'rum'; did you mean 'run'?");
}

static void version__is_the_name_and_that_of_the_project(void **state) {
    (void)state;
    assert_string_equal(heddle("--version")->out, "heddle " PROJECT_VERSION "\n");
}

/* ---- options ---- */

static void options__long_and_short_are_the_same(void **state) {
    (void)state;
    static const char *const lines[] = {"run x.yaml --json --jobs 2", "run --jobs=2 x.yaml --json",
                                        "run x.yaml -j 2 --json",     "run -j2 x.yaml --json",
                                        "run x.yaml -j=2 --json",     "run --json -j 1 x.yaml -j 2"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct ended *e = heddle(lines[i]);
        assert_int_equal(e->code, 0);
        assert_int_equal(lines_in(e->out), 2);
        assert_string_equal(e->err, "");
    }
}

static void options__quiet_by_one_letter(void **state) {
    (void)state;
    assert_non_null(strstr(heddle("run x.yaml")->out, "results: x.db"));
    assert_string_equal(heddle("run x.yaml -q")->out, "");
    assert_string_equal(heddle("run x.yaml --quiet")->out, "");
    assert_string_equal(heddle("run -qj2 x.yaml")->out, "");
}

static void options__out_names_the_store(void **state) {
    (void)state;
    static const char *const lines[] = {"run x.yaml -q -o y.db", "run x.yaml -q -oy.db", "run x.yaml -q --out y.db",
                                        "run x.yaml -q --out=y.db"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(heddle(lines[i])->code, 0);
        assert_int_equal(store_number("y.db", "SELECT count(*) FROM runs WHERE status='done'"), 2);
        assert_int_equal(access("x.db", F_OK), -1);
        unlink("y.db");
    }
}

static void options__end_at_two_dashes(void **state) {
    (void)state;
    file_write("-x.yaml", SMALL);
    assert_int_equal(heddle("run --json -o x.db -- -x.yaml")->code, 0);
    assert_int_equal(heddle("run -- -x.yaml --json")->code, 2);
    unlink("-x.yaml");
}

static void options__errors_are_one_line(void **state) {
    (void)state;
    refused("rum x.yaml", "heddle: error: unknown command 'rum'; did you mean 'run'?");
    refused("wobble x.yaml", "heddle: error: unknown command 'wobble'; see heddle --help");
    refused("run x.yaml --jsn", "heddle: error: unknown option '--jsn'; did you mean '--json'?");
    refused("run x.yaml -json", "heddle: error: -j son: write a number from 1 to 256");
    refused("run x.yaml -set a=1", "heddle: error: unknown option '-set'; did you mean '--set'?");
    refused("run x.yaml -x", "heddle: error: unknown option '-x'; see heddle run --help");
    refused("run x.yaml -qx", "heddle: error: unknown option '-qx'; see heddle run --help");
    refused("show dctcp -j 2", "heddle: error: unknown option '-j'; see heddle show --help");
    refused("run x.yaml --jobs 0", "heddle: error: --jobs 0: write a number from 1 to 256");
    refused("run x.yaml -j 257", "heddle: error: -j 257: write a number from 1 to 256");
    refused("run x.yaml -j -1", "heddle: error: -j -1: write a number from 1 to 256");
    refused("run x.yaml --set", "heddle: error: --set needs a value");
    refused("run x.yaml -o", "heddle: error: -o needs a value");
    refused("run x.yaml --quiet=yes", "heddle: error: --quiet takes no value");
    refused(
        "docs nosuch",
        "heddle: error: WHAT nosuch: write keys, results, columns, schema, schemes, man, bash, zsh, fish, families, "
        "names, settings, profiles, switches, labs, lab-hosts, lab-switches, lab-links or lab-nodes");
}

static void arguments__errors_are_one_line(void **state) {
    (void)state;
    refused("run", "heddle: error: FILE.yaml is missing; write heddle run FILE.yaml");
    refused("check --json", "heddle: error: FILE.yaml is missing; write heddle check FILE.yaml");
    refused("flow", "heddle: error: RESULTS.db is missing; write heddle flow RESULTS.db ID");
    refused("flow x.db", "heddle: error: ID is missing; write heddle flow RESULTS.db ID");
    refused("flow x.db seven", "heddle: error: ID seven: write a number from 0 to 4294967294");
    refused("flow x.db 4294967295", "heddle: error: ID 4294967295: write a number from 0 to 4294967294");
    refused("show", "heddle: error: NAME is missing; write heddle show NAME");
    refused(
        "replay x.yaml --node leaf0 --out there",
        "heddle: error: --in is missing; write heddle replay FILE.yaml --node NODE --in PORT=FILE.pcapng --out DIR");
    refused("run x.yaml y.yaml", "heddle: error: 'y.yaml' is one argument too many; see heddle run --help");
    refused("flow x.db 1 2", "heddle: error: '2' is one argument too many; see heddle flow --help");
    refused("run nosuch.yaml",
            "nosuch.yaml: error: cannot read it: No such file or directory; name an experiment file");
    refused("show nosuch", "heddle: error: there is no 'nosuch'; see heddle list");
    refused("list balanse", "heddle: error: there is no family 'balanse'; did you mean 'balance'?");
}

/* An address of a Unix socket has room for 107 characters, and no path that was given is cut. */
static void arguments__paths_of_sockets_that_are_too_long(void **state) {
    (void)state;
    static const size_t length[] = {108, 511, 512, 5000};
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        char path[5001], line[5020], error[5100];
        memset(path, 'x', length[i]);
        memcpy(path, "/tmp/", 5);
        path[length[i]] = '\0';
        snprintf(line, sizeof line, "status %s", path);
        snprintf(error, sizeof error, "%.255s: error: too long for a socket; at most 107 characters\n", path);
        const struct ended *e = heddle(line);
        assert_int_equal(e->code, 2);
        assert_string_equal(e->err, error);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(help__names_every_command_in_a_line),
        CASE(help__without_a_command_is_an_error),
        CASE(help__each_command_has_its_own),
        CASE(help__of_a_group_names_its_actions),
        CASE(help__says_ranges_and_defaults),
        CASE(help__fits_a_terminal),
        CASE(help__its_examples_are_right),
        CASE(help__comes_before_what_is_missing),
        CASE(version__is_the_name_and_that_of_the_project),
        CASE(options__long_and_short_are_the_same),
        CASE(options__quiet_by_one_letter),
        CASE(options__out_names_the_store),
        CASE(options__end_at_two_dashes),
        CASE(options__errors_are_one_line),
        CASE(arguments__errors_are_one_line),
        CASE(arguments__paths_of_sockets_that_are_too_long),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
