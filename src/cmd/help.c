/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/help.h"

#include "cmd/commands.h"
#include "cmd/label.h"

#include <string.h>

enum { HELP_WIDTH = 100, HELP_INDENT = 26 };

/* Prints words that begin at column `at`, lines broken at HELP_WIDTH, further lines indented. */
static void wrapped_print(FILE *out, const char *text, size_t at, size_t indent) {
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (!first && at + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)length, text);
        at += length;
        first = false;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

/* Prints a label with its meaning to the right, or below it if the label is long. */
static void row_print(FILE *out, const char *label, const char *doc, const char *note) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s%s", doc, note[0] ? " (" : "", note, note[0] ? ")" : "");
    int used = fprintf(out, "  %s", label);
    if (used + 2 > HELP_INDENT)
        fprintf(out, "\n%*s", HELP_INDENT, "");
    else
        fprintf(out, "%*s", HELP_INDENT - used, "");
    wrapped_print(out, text, HELP_INDENT, HELP_INDENT);
}

static void paragraphs_print(FILE *out, const char *text) {
    while (*text) {
        const char *end = strstr(text, "\n\n");
        char paragraph[2048];
        snprintf(paragraph, sizeof paragraph, "%.*s", end ? (int)(end - text) : (int)strlen(text), text);
        wrapped_print(out, paragraph, 0, 0);
        fputc('\n', out);
        text = end ? end + 2 : "";
    }
}

/* Prints an option. An option without a letter is aligned with the long names. */
static void option_print(FILE *out, const struct option_row *o) {
    char label[LABEL_MAX], shifted[LABEL_MAX + 4], note[LABEL_MAX];
    snprintf(shifted, sizeof shifted, "%s%s", o->letter ? "" : "    ", option_label(o, label));
    row_print(out, shifted, o->doc, value_note(&o->value, note));
}

/* Prints the command as it is typed, and what it does. */
static void command_line_print(const struct command *c, FILE *out) {
    char synopsis[SYNOPSIS_MAX], line[SYNOPSIS_MAX + 16];
    snprintf(line, sizeof line, "heddle %s", synopsis_short(c, synopsis));
    fprintf(out, "  %-28s  %s\n", line, c->purpose);
}

void help_print_group(const struct command_group *g, FILE *out) {
    fprintf(out, "usage: heddle %s ACTION [ARGUMENT...] [OPTION...]\n\nActions to %s:\n\n", g->name, g->purpose);
    for (size_t i = 0; commands[i]; i++)
        if (command_action(commands[i], g)) command_line_print(commands[i], out);
    fprintf(out, "\nheddle %s ACTION --help tells what one of them takes.\n", g->name);
}

void help_print_program(FILE *out) {
    fprintf(out, "heddle, a fabric lab: what happens to your flows under a load balancer, a transport, a load and "
                 "failures\n\nusage: heddle COMMAND [ARGUMENT...] [OPTION...]\n\n");
    for (size_t i = 0; commands[i]; i++) command_line_print(commands[i], out);
    fprintf(out, "\n");
    for (const struct option_row *o = program_options; o->name; o++) option_print(out, o);
    fprintf(out,
            "\nheddle COMMAND --help tells what one of them takes. A file that is there is replaced only by output "
            "of the\nsame kind, or with --force; a file that is read, never.\n\nExit status:\n");
    for (const struct exit_row *e = command_run.exits; e->doc; e++) fprintf(out, "  %d  %s\n", e->status, e->doc);
}

static void usage_print(const struct command *c, FILE *out) {
    char synopsis[SYNOPSIS_MAX], one[LABEL_MAX];
    int at = fprintf(out, "usage: heddle %s", synopsis_short(c, synopsis));
    int indent = (int)strlen("usage: heddle ") + (int)strlen(c->name); /* as long as its label */
    for (const struct option_row *o = c->options; o && o->name; o++) {
        option_usage(o, one);
        if (at + 1 + (int)strlen(one) > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        }
        at += fprintf(out, " %s", one);
    }
    fprintf(out, "\n\n");
}

void help_print_command(const struct command *c, FILE *out) {
    char note[LABEL_MAX];
    const struct option_row help = {.name = "help", .letter = 'h', .doc = "prints this"};
    usage_print(c, out);
    paragraphs_print(out, c->about);
    for (const struct argument *a = c->arguments; a && a->value.name; a++)
        row_print(out, a->value.name, a->doc, value_note(&a->value, note));
    fprintf(out, "%sOptions:\n", c->arguments && c->arguments->value.name ? "\n" : "");
    for (const struct option_row *o = c->options; o && o->name; o++) option_print(out, o);
    option_print(out, &help);
    fprintf(out, "\nExit status:\n");
    for (const struct exit_row *e = c->exits; e->doc; e++) {
        fprintf(out, "  %d  ", e->status);
        wrapped_print(out, e->doc, 5, 5);
    }
    for (const struct example_row *e = c->examples; e && e->line; e++) {
        fprintf(out, "%s  heddle %s\n      ", e == c->examples ? "\nExamples:\n" : "", e->line);
        wrapped_print(out, e->doc, 6, 6);
    }
}

/* ---- heddle help ---- */

struct help_request {
    const char *command, *action;
};
#define T struct help_request

static int help_run(void *request) {
    const struct help_request *q = request;
    if (!q->command) {
        help_print_program(stdout);
        return 0;
    }
    const struct command_group *g = q->action ? NULL : command_group_find(q->command);
    if (g) {
        help_print_group(g, stdout);
        return 0;
    }
    size_t taken;
    const char *const word[] = {q->command, q->action};
    const struct command *c = command_of_words(word, q->action ? 2 : 1, &taken);
    if (!c) return 2;
    if (q->action && taken < 2)
        return exit_usage("'%s' is one argument too many; heddle %s has no actions", q->action, c->name);
    help_print_command(c, stdout);
    return 0;
}

const struct command command_help = {
    .name = "help",
    .purpose = "print the help of a subcommand",
    .about = "Prints what heddle COMMAND --help prints; without COMMAND, what heddle --help prints.",
    .arguments = (const struct argument[]){ARGUMENT_OPTIONAL(T, command, "COMMAND", VALUE_COMMAND, "a subcommand"),
                                           ARGUMENT_OPTIONAL(T, action, "ACTION", VALUE_TEXT,
                                                             "its second word, such as up of lab up"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"help run", "the options of heddle run"}, {0}},
    .request_size = sizeof(T),
    .run = help_run,
};
