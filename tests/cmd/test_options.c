/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of all options, and the range and default of each number, as the help of each command has them. */
#include "program.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Each option with a letter or a range: its command, letter, name and range. All have --help too. */
static const char expected[] = "run j --jobs: from 1 to 256; default 1\n"
                               "run   --threads: from 1 to 64; default 1\n"
                               "run   --ranks-per-run: from 1 to 4096; default 1\n"
                               "run o --out\n"
                               "run q --quiet\n"
                               "check   --run: from 1; default 1\n"
                               "check   --ranks-per-run: from 1 to 4096; default 1\n"
                               "check   --threads: from 1 to 64\n"
                               "init o --out\n"
                               "fabric   --run: from 1 to 100000; default 1\n"
                               "report o --out\n"
                               "report   --points: from 10 to 100000\n"
                               "plot o --figures\n"
                               "plot   --points: from 10 to 100000\n"
                               "flows   --run: from 1; default 1\n"
                               "flows   --slowest: from 1 to 1000000\n"
                               "why   --run: from 1; default 1\n"
                               "why   --messages: from 0 to 1000000; default 10\n"
                               "flow   --run: from 1; default 1\n"
                               "diff q --quiet\n"
                               "convert o --out\n"
                               "convert   --run: from 1 to 100000; default 1\n"
                               "switch   --run: from 1 to 100000; default 1\n"
                               "switch j --threads: from 1 to 256; default 1\n"
                               "nic   --run: from 1 to 100000; default 1\n"
                               "status w --watch\n"
                               "lab up   --run: from 1 to 100000; default 1\n"
                               "lab up j --threads: from 1 to 256; default 1\n"
                               "lab run j --threads: from 1 to 256; default 1\n"
                               "lab run o --out\n"
                               "lab run q --quiet\n"
                               "lab capture   --seconds: from 1 to 1000000\n"
                               "replay   --run: from 1 to 100000; default 1\n"
                               "replay o --out\n";

/* Returns whether a line of help begins an option: "  -j, --threads N" or "      --run N". */
static bool begins_option(const char *line) {
    return strncmp(line, "      --", 8) == 0 || (strncmp(line, "  -", 3) == 0 && strncmp(line + 4, ", --", 4) == 0);
}

/* Appends the option that begins at a line of help, if it has a letter or a range. Texts of options are folded, so blanks and
 * ends of lines are one blank here. */
static void option_add(char *to, size_t size, const char *command, const char *help, int line) {
    char whole[2048] = "", letter = ' ', name[64], range[128] = "";
    for (int i = line; *line_of(help, i) && (i == line || !begins_option(line_of(help, i))); i++) {
        const char *text = line_of(help, i);
        size_t used = strlen(whole);
        snprintf(whole + used, sizeof whole - used, " %s", text + strspn(text, " "));
    }
    if (whole[2] != '-') letter = whole[2];
    sscanf(strstr(whole, "--"), "--%63[a-z-]", name);
    const char *from = strstr(whole, "(from ");
    if (from) sscanf(from, "(%127[^)]", range);
    if (strcmp(name, "help") == 0 ? letter == 'h' : letter == ' ' && !from) return;
    size_t used = strlen(to);
    snprintf(to + used, size - used, "%s %c --%s%s%s\n", command, letter, name, from ? ": " : "", range);
}

static void options__letters_and_ranges(void **state) {
    (void)state;
    static const char *const commands[] = {
        "run",         "check",    "init",       "fabric",   "list",     "show",    "report",     "plot",
        "flows",       "why",      "flow",       "export",   "diff",     "convert", "switch",     "nic",
        "status",      "lab up",   "lab down",   "lab list", "lab exec", "lab run", "lab status", "lab impair",
        "lab capture", "lab link", "lab switch", "replay",   "help",     "docs",
    };
    char found[8192] = "";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        static char help[1 << 16];
        char line[64];
        snprintf(line, sizeof line, "%s --help", commands[i]);
        const char *out = heddle(line)->out;
        assert_true(strlen(out) < sizeof help);
        strcpy(help, out); /* the next run replaces it */
        for (int k = 0; k < lines_in(help); k++)
            if (begins_option(line_of(help, k))) option_add(found, sizeof found, commands[i], help, k);
    }
    assert_string_equal(found, expected);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {UNIT(options__letters_and_ranges)};
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
