/* SPDX-License-Identifier: Apache-2.0 */
/* heddle: a fabric lab. Each subcommand is a file of this folder. */
#include "cmd/commands.h"
#include "cmd/help.h"
#include "cmd/label.h"
#include "cmd/parse.h"

#include "base/memory.h"

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

int exit_diag(const struct diag *d) {
    char line[1024];
    fprintf(stderr, "%s\n", diag_line(d, line, sizeof line));
    return 2;
}

const struct command *command_of_two(const char *first, const char *second) {
    char name[LABEL_MAX];
    snprintf(name, sizeof name, "%s-%s", first, second);
    for (size_t n = 0; commands[n]; n++)
        if (commands[n]->two_words && strcmp(name, commands[n]->name) == 0) return commands[n];
    return NULL;
}

/* Lists the second words of the commands "GROUP-..."; "" if there is no such group. */
static void actions_list(const char *group, char *list, size_t size) {
    size_t length = strlen(group), used = 0;
    list[0] = '\0';
    for (size_t n = 0; commands[n] && used < size; n++)
        if (commands[n]->two_words && strncmp(commands[n]->name, group, length) == 0 &&
            commands[n]->name[length] == '-')
            used +=
                (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", commands[n]->name + length + 1);
}

const struct command *command_find(const char *name) {
    char actions[200];
    const char *known[sizeof commands / sizeof *commands];
    size_t n = 0;
    for (; commands[n]; n++) {
        if (strcmp(name, commands[n]->name) == 0) return commands[n];
        known[n] = commands[n]->name;
    }
    actions_list(name, actions, sizeof actions);
    if (actions[0]) {
        exit_usage("heddle %s needs an action: %s", name, actions);
        return NULL;
    }
    const char *nearest = diag_nearest(name, known, n);
    exit_usage("unknown command '%s'%s%s%s", name, nearest ? "; did you mean '" : "; see heddle --help",
               nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
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

int main(int argc, char **argv) {
    if (argc < 2) {
        help_print_program(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("heddle %s\n", HEDDLE_VERSION);
        return stdout_check(0);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print_program(stdout);
        return stdout_check(0);
    }
    const struct command *c = argc > 2 ? command_of_two(argv[1], argv[2]) : NULL;
    if (c) return stdout_check(command_execute(c, argc - 3, argv + 3));
    c = command_find(argv[1]);
    return c ? stdout_check(command_execute(c, argc - 2, argv + 2)) : 2;
}
