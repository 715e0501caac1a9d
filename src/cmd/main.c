/* SPDX-License-Identifier: Apache-2.0 */
/* heddle: a fabric lab. Each subcommand is a file of this folder. */
#include "cmd/commands.h"
#include "cmd/help.h"
#include "cmd/parse.h"

#include "base/memory.h"
#include "study/store/store_memory.h"

#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND_ROW(name) &command_##name,
const struct command *const commands[] = {COMMANDS(COMMAND_ROW) NULL};
#undef COMMAND_ROW

const struct option_row program_options[] = {
    {.name = "help", .letter = 'h', .doc = "prints this"},
    {.name = "version", .doc = "prints the name and the version"},
    {0},
};

int exit_usage(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "heddle: error: ");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
    return 2;
}

int exit_no_run(uint32_t run, size_t n) {
    return n == 1 ? exit_usage("--run %u: there is 1 run", run) : exit_usage("--run %u: there are %zu runs", run, n);
}

int exit_no_stored_run(const char *store, uint32_t run, size_t n) {
    return n == 1 ? exit_usage("%s: there is no run %u; it has 1 run", store, run)
                  : exit_usage("%s: there is no run %u; it has %zu runs", store, run, n);
}

int exit_diag(const struct diag *d) {
    char line[1024];
    fprintf(stderr, "%s\n", diag_line(d, line, sizeof line));
    return 2;
}

static int command_execute(const struct command *c, int argc, char **argv) {
    void *request = memory_get(1, c->request_size);
    enum parsed parsed = command_parse(c, argc, argv, request);
    int code = parsed == PARSED ? c->run(request) : parsed == PARSED_WRONG ? 2 : 0;
    if (parsed == PARSED_HELP) help_print_command(c, stdout);
    free(request);
    return code;
}

/* Returns `code`, or a failure if standard output could not be written, as on a full disk. */
static int stdout_check(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "heddle: error: cannot write standard output; what a run stored is kept\n");
    return code == 2 ? 2 : 3;
}

static bool is_help(const char *word) { return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0; }

int main(int argc, char **argv) {
    json_set_alloc_funcs(memory_for_library, free);
    store_memory_begin();
    signal(SIGXFSZ, SIG_IGN); /* a write beyond `ulimit -f` fails and is reported as one to a full disk is */
    if (argc < 2) {
        help_print_program(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("heddle %s\n", HEDDLE_VERSION);
        return stdout_check(0);
    }
    if (is_help(argv[1])) {
        help_print_program(stdout);
        return stdout_check(0);
    }
    const struct command_group *g = argc == 3 && is_help(argv[2]) ? command_group_find(argv[1]) : NULL;
    if (g) {
        help_print_group(g, stdout);
        return stdout_check(0);
    }
    size_t taken;
    const struct command *c = command_of_words((const char *const *)argv + 1, (size_t)argc - 1, &taken);
    return c ? stdout_check(command_execute(c, argc - 1 - (int)taken, argv + 1 + taken)) : 2;
}
