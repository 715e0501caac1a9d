/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/man.h"

#include "cmd/commands.h"
#include "cmd/label.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- characters ---- */

/* Prints text so that roff shows each character unchanged. A dash stays a hyphen inside a word, unless `literal`. */
static void roff_print(FILE *out, const char *text, size_t length, bool literal) {
    for (size_t i = 0; i < length; i++) {
        bool is_inside = i > 0 && isalnum((unsigned char)text[i - 1]);
        switch (text[i]) {
        case '\\': fputs("\\e", out); break;
        case '\'': fputs("\\(aq", out); break;
        case '`': fputs("\\(ga", out); break;
        case '^': fputs("\\(ha", out); break;
        case '~': fputs("\\(ti", out); break;
        case '-': fputs(is_inside && !literal ? "-" : "\\-", out); break;
        case '.': fputs(i == 0 ? "\\&." : ".", out); break;
        default: fputc(text[i], out);
        }
    }
}

__attribute__((format(printf, 3, 4))) static void font_print(FILE *out, char font, const char *fmt, ...) {
    char text[SYNOPSIS_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fprintf(out, "\\f%c", font);
    roff_print(out, text, strlen(text), true);
    fputs("\\fR", out);
}

/* ---- text ---- */

/* Prints a word of running text. Options are bold, the punctuation after them is not. */
static void word_print(FILE *out, const char *word, size_t length) {
    size_t end = length;
    while (end > 0 && strchr(".,:;)", word[end - 1])) end--;
    bool is_option = end > 2 && strncmp(word, "--", 2) == 0;
    if (is_option) font_print(out, 'B', "%.*s", (int)end, word);
    if (is_option) roff_print(out, word + end, length - end, true);
    if (!is_option) roff_print(out, word, length, false);
}

/* Returns the bytes of a word in the page's source: an option has two changes of font and its hyphens escaped. */
static size_t word_bytes(const char *word, size_t length) {
    if (length < 3 || strncmp(word, "--", 2) != 0) return length;
    size_t bytes = length + strlen("\\fB\\fR");
    for (size_t i = 0; i < length; i++) bytes += word[i] == '-';
    return bytes;
}

/* Prints words in lines of a length that suits roff, and ends the last line. */
static void text_print(FILE *out, const char *text) {
    enum { LINE = 76 };
    size_t at = 0;
    while (*text) {
        size_t length = strcspn(text, " "), bytes = word_bytes(text, length);
        if (at > 0) fputc(at + bytes >= LINE ? '\n' : ' ', out);
        at = at + bytes >= LINE ? bytes : at + 1 + bytes;
        word_print(out, text, length);
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static void paragraphs_print(FILE *out, const char *text) {
    for (bool first = true; *text; first = false) {
        const char *end = strstr(text, "\n\n");
        char paragraph[2048];
        snprintf(paragraph, sizeof paragraph, "%.*s", end ? (int)(end - text) : (int)strlen(text), text);
        if (!first) fputs(".PP\n", out);
        text_print(out, paragraph);
        text = end ? end + 2 : "";
    }
}

/* ---- parts of a page ---- */

/* Prints the title. Turns hyphenation and adjustment off, since many lines are commands to copy. */
static void title_print(FILE *out, const char *name) {
    fputs(".TH HEDDLE", out);
    if (name) fputs("\\-", out);
    for (const char *c = name ? name : ""; *c; c++) fputc(toupper((unsigned char)*c), out);
    fprintf(out, " 1 \"%s\" \"heddle %s\" \"heddle manual\"\n.nh\n.ad l\n", HEDDLE_DATE, HEDDLE_VERSION);
}

/* Prints a value: "N" in italics, brackets around optional parts, dots after repeatable parts. */
static void value_usage_print(FILE *out, const struct value *v, char letter, const char *name) {
    fputs(v->required ? "" : "[", out);
    if (letter) font_print(out, 'B', "-%c", letter);
    if (!letter && name) font_print(out, 'B', "--%s", name);
    if (v->name && name) fputs("\\ ", out);
    if (v->name) font_print(out, 'I', "%s", v->name);
    fprintf(out, "%s%s\n", v->required ? "" : "]", v->field.type == FIELD_LIST ? "...\\&" : "");
}

static void synopsis_print(FILE *out, const struct command *c) {
    fputs(".SH SYNOPSIS\n", out);
    char name[LABEL_MAX];
    font_print(out, 'B', "heddle %s", command_label(c, name));
    fputc('\n', out);
    for (const struct argument *a = c->arguments; a && a->value.name; a++) value_usage_print(out, &a->value, 0, NULL);
    for (const struct option_row *o = c->options; o && o->name; o++)
        value_usage_print(out, &o->value, o->letter, o->name);
}

static void row_print(FILE *out, const char *doc, const struct value *v) {
    char note[LABEL_MAX], text[1024];
    value_note(v, note);
    snprintf(text, sizeof text, "%s%s%s%s", doc, note[0] ? " (" : "", note, note[0] ? ")" : "");
    text_print(out, text);
}

static void option_print(FILE *out, const struct option_row *o) {
    fputs(".TP\n", out);
    if (o->letter) font_print(out, 'B', "-%c", o->letter);
    if (o->letter) fputs(", ", out);
    font_print(out, 'B', "--%s", o->name);
    if (o->value.name) fputc(' ', out);
    if (o->value.name) font_print(out, 'I', "%s", o->value.name);
    fputc('\n', out);
    row_print(out, o->doc, &o->value);
}

static void options_print(FILE *out, const struct command *c) {
    const struct option_row help = {.name = "help", .letter = 'h', .doc = "prints a summary of this page"};
    fputs(".SH OPTIONS\n", out);
    for (const struct argument *a = c->arguments; a && a->value.name; a++) {
        fputs(".TP\n", out);
        font_print(out, 'I', "%s", a->value.name);
        fputc('\n', out);
        row_print(out, a->doc, &a->value);
    }
    for (const struct option_row *o = c->options; o && o->name; o++) option_print(out, o);
    option_print(out, &help);
}

static void exits_print(FILE *out, const struct exit_row *row) {
    fputs(".SH EXIT STATUS\n", out);
    for (; row->doc; row++) {
        fprintf(out, ".TP\n.B %d\n", row->status);
        text_print(out, row->doc);
    }
}

static void examples_print(FILE *out, const struct example_row *row) {
    if (!row) return;
    fputs(".SH EXAMPLES\n", out);
    for (; row->line; row++) {
        fputs(".TP\n", out);
        font_print(out, 'B', "heddle %s", row->line);
        fputc('\n', out);
        text_print(out, row->doc);
    }
}

/* Prints a name; its hyphens become minus signs, as typed. */
static void name_print(FILE *out, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) fputs(name[i] == '-' ? "\\-" : (const char[]){name[i], 0}, out);
}

static void page_name_print(FILE *out, const char *name, size_t length, bool last) {
    fputs("\\fBheddle", out);
    if (length) fputs("\\-", out);
    name_print(out, name, length);
    fprintf(out, "\\fR(1)%s\n", last ? "" : ",");
}

void man_print_command(const struct command *c, FILE *out) {
    title_print(out, c->name);
    fputs(".SH NAME\nheddle\\-", out);
    name_print(out, c->name, strlen(c->name));
    fprintf(out, " \\- %s\n", c->purpose);
    synopsis_print(out, c);
    fputs(".SH DESCRIPTION\n", out);
    paragraphs_print(out, c->about);
    options_print(out, c);
    exits_print(out, c->exits);
    examples_print(out, c->examples);
    fputs(".SH SEE ALSO\n", out);
    page_name_print(out, "", 0, !c->see);
    for (const char *see = c->see ? c->see : ""; *see;) {
        size_t length = strcspn(see, " ");
        page_name_print(out, see, length, !see[length]);
        see += length + strspn(see + length, " ");
    }
}

/* ---- heddle-GROUP(1) ---- */

/* Prints the page and the purpose of each action. */
static void actions_print(const struct command_group *g, FILE *out) {
    for (size_t i = 0; commands[i]; i++) {
        if (!command_action(commands[i], g)) continue;
        fputs(".TP\n", out);
        page_name_print(out, commands[i]->name, strlen(commands[i]->name), true);
        text_print(out, commands[i]->purpose);
    }
}

void man_print_group(const struct command_group *g, FILE *out) {
    char about_actions[LABEL_MAX];
    title_print(out, g->name);
    fprintf(out, ".SH NAME\nheddle\\-%s \\- %s\n.SH SYNOPSIS\n", g->name, g->purpose);
    fprintf(out, "\\fBheddle %s\\fR \\fIACTION\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n",
            g->name);
    snprintf(about_actions, sizeof about_actions, "Each action of heddle %s has a page of its own.", g->name);
    text_print(out, about_actions);
    fputs(".SH ACTIONS\n", out);
    actions_print(g, out);
    fputs(".SH SEE ALSO\n", out);
    page_name_print(out, "", 0, true);
}

/* ---- heddle(1) ---- */

static const char about[] =
    "heddle is a fabric lab: it tells what happens to the flows of a datacenter network under a load balancer, a "
    "transport, a load and failures. An experiment file describes a fabric and a workload in a few lines of YAML. "
    "heddle simulates every packet, compares schemes, checks the claims that the file makes about them, and keeps all "
    "results in one SQLite file.\n\n"
    "The results are the same to the last bit on every machine, for any number of processes and threads.\n\n"
    "A file that is there is replaced only by output of the same kind, or with --force; a file that is read, never.";

static const char example_file[] = "title: Web search on a leaf\\-spine\n"
                                   "fabric: {kind: leaf\\-spine, leaves: 8, spines: 8, hosts: 16}\n"
                                   "workload:\n"
                                   "  \\- {kind: poisson, sizes: web\\-search, load: 0.6,\n"
                                   "     load_at: tor\\-uplink, pairs: inter\\-rack, flows: 2000}\n"
                                   "sweep: {switch.balance: [ecmp, conga\\-flow, expeditus]}\n";

static const struct {
    const char *name, *doc;
} environment[] = {
    {"COLUMNS", "the width of heddle report --text; without it, that of the terminal"},
    {"PATH", "where heddle report --figures looks for gnuplot"},
    {"TMPDIR", "the folder in which a results store is read that a killed run left unfinished; /tmp without it"},
};

static const struct example_row program_examples[] = {
    {"run " HEDDLE_SHARE "/experiments/demo.yaml --profile small", "runs an experiment that comes with heddle"},
    {"report demo.db", "writes its results as a page, demo.html"},
    {0},
};

static void commands_print(FILE *out) {
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; commands[i]; i++) {
        fputs(".TP\n", out);
        page_name_print(out, commands[i]->name, strlen(commands[i]->name), true);
        text_print(out, commands[i]->purpose);
    }
    for (const struct command_group *g = command_groups; g->name; g++) {
        fputs(".TP\n", out);
        page_name_print(out, g->name, strlen(g->name), true);
        text_print(out, g->purpose);
    }
}

static void surroundings_print(FILE *out) {
    fputs(".SH ENVIRONMENT\n", out);
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++) {
        fprintf(out, ".TP\n.B %s\n", environment[i].name);
        text_print(out, environment[i].doc);
    }
    fputs(".SH FILES\n.TP\n", out);
    font_print(out, 'I', "%s", HEDDLE_SHARE "/experiments");
    fputs("\nexperiments that come with heddle: a file per figure of the papers, and examples\n.TP\n", out);
    font_print(out, 'I', "%s", HEDDLE_DOCS);
    fputs("\nthe user guide, the reference of all keys and results, and how heddle is built\n", out);
}

void man_print_program(FILE *out) {
    title_print(out, NULL);
    fputs(".SH NAME\nheddle \\- simulate load balancing and congestion control in datacenter networks\n"
          ".SH SYNOPSIS\n\\fBheddle\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n",
          out);
    paragraphs_print(out, about);
    commands_print(out);
    fputs(".SH OPTIONS\n", out);
    for (const struct option_row *o = program_options; o->name; o++) option_print(out, o);
    fputs(".SH EXPERIMENT FILES\nThis compares three load balancers.\n.PP\n.nf\n", out);
    fprintf(out, "%s.fi\n.PP\n", example_file);
    text_print(out, "heddle list names what there is to choose from; heddle check prints every setting of a file with "
                    "its default.");
    exits_print(out, command_run.exits);
    surroundings_print(out);
    examples_print(out, program_examples);
    fputs(".SH SEE ALSO\n", out);
    for (const struct command_group *g = command_groups; g->name; g++)
        page_name_print(out, g->name, strlen(g->name), false);
    for (size_t i = 0; commands[i]; i++)
        page_name_print(out, commands[i]->name, strlen(commands[i]->name), !commands[i + 1]);
}
