/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/complete.h"

#include "cmd/commands.h"

/* The fish command that prints the candidates of a kind of value; NULL: none. */
static const char *const candidates[VALUE_KINDS] = {
    [VALUE_EXPERIMENT] = "(__heddle_files yaml)",
    [VALUE_STORE] = "(__heddle_files db)",
    [VALUE_PAGE] = "(__heddle_files html)",
    [VALUE_FOLDER] = "(__heddle_folders)",
    [VALUE_CAPTURE] = "(__heddle_captures)",
    [VALUE_SETTING] = "(__heddle_ask settings)",
    [VALUE_FAMILY] = "(__heddle_ask families)",
    [VALUE_NAME] = "(__heddle_ask names)",
    [VALUE_COMMAND] = "(__heddle_commands)",
    [VALUE_PROFILE] = "(__heddle_of_line profiles)",
    [VALUE_SWITCH] = "(__heddle_of_line switches)",
    [VALUE_LAB] = "(__heddle_of_line labs)",
    [VALUE_LAB_HOST] = "(__heddle_of_line lab-hosts)",
    [VALUE_LAB_SWITCH] = "(__heddle_of_line lab-switches)",
    [VALUE_LAB_LINK] = "(__heddle_of_line lab-links)",
    [VALUE_LAB_NODE] = "(__heddle_of_line lab-nodes)",
};

static const char functions[] =
    "# Is the subcommand one of these? Without any: is there none yet? That of two words, such as lab up, is lab-up.\n"
    "function __heddle_in\n"
    "    set -l words (commandline -opc)\n"
    "    if test (count $words) -lt 2\n"
    "        test (count $argv) -eq 0\n"
    "    else if contains -- $words[2] $__heddle_groups; and test (count $words) -gt 2\n"
    "        contains -- $words[2]-$words[3] $argv\n"
    "    else\n"
    "        contains -- $words[2] $argv\n"
    "    end\n"
    "end\n"
    "\n"
    "function __heddle_ask\n"
    "    set -l words (commandline -opc)\n"
    "    $words[1] docs $argv[1] 2>/dev/null\n"
    "end\n"
    "\n"
    "# Prints what `heddle docs $argv[1]` does for the words before the cursor.\n"
    "function __heddle_of_line\n"
    "    set -l words (commandline -opc | string replace -r -- '^~/' $HOME/)\n"
    "    $words[1] docs $argv[1] -- $words[2..] 2>/dev/null\n"
    "end\n"
    "\n"
    "# The word at the cursor, without --name= before it.\n"
    "function __heddle_value\n"
    "    commandline -ct | string replace -r -- '^--[a-z]+=' ''\n"
    "end\n"
    "\n"
    "function __heddle_files\n"
    "    set -l word (__heddle_value)\n"
    "    __fish_complete_path \"$word\" | string match -r -- '.*(?:/|\\.'$argv[1]')(?=\\t)'\n"
    "end\n"
    "\n"
    "function __heddle_folders\n"
    "    set -l word (__heddle_value)\n"
    "    __fish_complete_directories \"$word\"\n"
    "end\n"
    "\n"
    "function __heddle_captures\n"
    "    set -l port (__heddle_value | string match -r -- '^[^=]*=')\n"
    "    if test -z \"$port\"\n"
    "        echo all=\n"
    "        return\n"
    "    end\n"
    "    set -l file (__heddle_value | string replace -r -- '^[^=]*=' '')\n"
    "    __fish_complete_path \"$file\" | string match -r -- '.*(?:/|\\.pcapng)(?=\\t)' | string replace -r -- '^' "
    "$port\n"
    "end\n"
    "\n";

static void quoted_print(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void value_print(FILE *out, const struct value *v) {
    if (v->kind == VALUE_CHOICE) {
        fputs(" -a '", out);
        for (const char *c = v->choices; *c; c++) fputc(*c == '|' ? ' ' : *c, out);
        fputc('\'', out);
    } else if (candidates[v->kind]) {
        fputs(" -a ", out);
        quoted_print(out, candidates[v->kind]);
    }
}

/* Prints a candidate for the word behind `before`: a group's name, or "" for the first word. */
static void word_print(FILE *out, const char *before, const char *word, const char *purpose) {
    fprintf(out, "complete -c heddle -n '__heddle_in%s%s' -a %s -d ", before[0] ? " " : "", before, word);
    quoted_print(out, purpose);
    fputc('\n', out);
}

static void command_print(FILE *out, const struct command *c) {
    const struct command_group *g = command_group_of(c);
    fputc('\n', out);
    word_print(out, g ? g->name : "", g ? command_action(c, g) : c->name, c->purpose);
    for (const struct argument *a = c->arguments; a && a->value.name; a++) {
        if (a->value.kind != VALUE_CHOICE && !candidates[a->value.kind]) continue;
        fprintf(out, "complete -c heddle -n '__heddle_in %s'", c->name);
        value_print(out, &a->value);
        fputc('\n', out);
    }
    for (const struct option_row *o = c->options; o && o->name; o++) {
        fprintf(out, "complete -c heddle -n '__heddle_in %s' -l %s", c->name, o->name);
        if (o->letter) fprintf(out, " -s %c", o->letter);
        if (o->value.kind != VALUE_NONE) fputs(" -x", out);
        value_print(out, &o->value);
        fputs(" -d ", out);
        quoted_print(out, o->doc);
        fputc('\n', out);
    }
}

void complete_print_fish(FILE *out) {
    fprintf(out, "# fish completion for heddle; `heddle docs fish` prints it.\n\n%s", functions);
    fputs("function __heddle_commands\n    string split ' ' -- '", out);
    for (size_t i = 0; commands[i]; i++) fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
    fputs("'\nend\n\nset -g __heddle_groups", out);
    for (const struct command_group *g = command_groups; g->name; g++) fprintf(out, " %s", g->name);
    fputs("\n\ncomplete -c heddle -f\ncomplete -c heddle -s h -l help -d 'prints help'\n"
          "complete -c heddle -n '__heddle_in' -l version -d 'prints name and version'\n",
          out);
    for (const struct command_group *g = command_groups; g->name; g++) word_print(out, "", g->name, g->purpose);
    for (size_t i = 0; commands[i]; i++) command_print(out, commands[i]);
}
